"""Classes with a framework's base class, made when they are first asked for.

A module that needs such a class holds everything about it in a mixin and offers the class itself
by its module ``__getattr__``, so that it can be imported where the framework is not installed.
"""

from __future__ import annotations

import importlib
from typing import Any


def derived_class(mixin: type, name: str, base: str, package: str) -> type[Any]:
    """A class with the mixin's methods and the framework's base class.

    Args:
        mixin: What the class does; its docstring and module become the class's.
        name: The attribute of the mixin's module that the class is found under, so that it pickles.
        base: The base class as ``package.module:Class``.
        package: What to install to have it.

    Raises:
        ImportError: If the framework cannot be imported, or has no such class.
    """
    module, _, attribute = base.partition(":")
    try:
        base_class = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ImportError(f"{mixin.__module__}.{name} needs {package}: {error}") from error
    names = {"__module__": mixin.__module__, "__doc__": mixin.__doc__, "__qualname__": name}
    return type(name, (mixin, base_class), names)
