"""Tasks for workers that watch what a text makes the interpreter do.

An audit hook of CPython sees every compilation, execution, import, file, socket, process and
unpickling, also those that C code makes. It cannot be removed, so it lives in worker processes.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import sympy.integrals.manualintegrate  # noqa: F401 - its dataclasses compile their methods

from verifiers_math import Verifier, XMLParser, extract_boxed_answer
from verifiers_math.answers import golds_of
from verifiers_math.equivalence.cascade import PURE_STAGES
from verifiers_math.equivalence.latex import to_latex
from verifiers_math.equivalence.normalize import normalize
from verifiers_math.workers.outcome import Outcome, OutcomeKind
from verifiers_math.workers.symbolic import verify_pair
from verifiers_math.workers.symbolic import warm_up as warm_up_math_verify

FORBIDDEN = (
    *("compile", "exec", "open", "import", "pickle.find_class", "code.__new__", "function.__new__"),
    *("os.", "subprocess.", "socket.", "ctypes.", "shutil.", "tempfile.", "urllib.", "glob."),
    *("builtins.input", "builtins.breakpoint", "sys.settrace", "sys.setprofile", "webbrowser."),
)
"""The events, or the beginnings of their names, that no text may bring about."""

LIBRARIES = tuple({sys.prefix, sys.base_prefix, str(Path(os.__file__).parent)})
"""Where the modules stand that sympy loads on first use, whatever the text."""
_OF_SYMPY = re.compile(r"def monomial_\w+\([ABCk, ]+\):\n[^.'\"@;\[\]]+")
"""What sympy writes and compiles itself: arithmetic on tuples, whose length alone varies."""

_pure = Verifier(stages=PURE_STAGES, cache_entries=0)
_seen: list[str] | None = None
_hooked = False
_expected_exec = False


def watched_symbolic(gold: str, answer: str) -> Outcome:
    """math_verify on a pair; the outcome's detail lists the forbidden events."""
    return _watched(lambda: verify_pair(gold, answer))


def watched_pure(gold: str, answer: str) -> Outcome:
    """All that is done in the trainer's process, on a response and on a bare answer."""

    _pure.equivalent("1", "1")  # after the fork it looks for the cores

    def judge() -> Outcome:
        _pure.verify(gold, answer, prompt=answer)
        _pure.verify(gold, rf"\boxed{{{answer}}}", strict=True)
        golds_of(answer)
        normalize(answer), to_latex(answer), extract_boxed_answer(answer)
        XMLParser(["answer"]).parse_answer(answer)
        _pure.verify(answer, answer + " ")
        verdict = _pure.equivalent(gold, answer)
        return Outcome(OutcomeKind.EQUAL if verdict.equal else OutcomeKind.DIFFERENT, 0.0)

    return _watched(judge)


def probe(gold: str, answer: str) -> Outcome:
    """Does what a careless reader of ``answer`` would, to show that the hook sees it."""
    return _watched(lambda: _PROBES[gold](answer))


def warm_up() -> None:
    """Loads what is loaded on first use, and then sets the trap: forked workers inherit it."""
    global _hooked
    warm_up_math_verify()
    _pure.warm_up()
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked = True


def _watched(call: Any) -> Outcome:
    global _seen
    _seen = []
    try:
        outcome = call()
    except Exception as error:
        outcome = Outcome(OutcomeKind.ERROR, 0.0, type(error).__name__)
    finally:
        seen, _seen = _seen, None
    return Outcome(outcome.kind, 0.0, json.dumps(seen))


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _seen is not None and event.startswith(FORBIDDEN) and not _is_expected(event, arguments):
        _seen.append(f"{event} {' '.join(_shown(argument) for argument in arguments[:2])}"[:150])


def _is_expected(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether it is the loading of a library's module, or code that sympy writes itself."""
    global _expected_exec
    if event == "import":
        return str(arguments[0]).startswith(("sympy.", "mpmath."))
    if event == "open":
        path = str(arguments[0])
        return path.startswith(LIBRARIES) and path.endswith((".py", ".pyc"))
    if event == "compile":
        source = arguments[0]
        text = source.decode() if isinstance(source, bytes) else str(source)
        _expected_exec = _OF_SYMPY.fullmatch(text) is not None
        return _expected_exec
    if event == "exec":
        expected, _expected_exec = _expected_exec, False
        return expected or arguments[0].co_filename.startswith(LIBRARIES)
    return False


def _shown(argument: object) -> str:
    """A plain argument; anything else by its type alone, as it may be endless."""
    if isinstance(argument, CodeType):
        return argument.co_filename
    return str(argument) if isinstance(argument, (str, bytes, int)) else type(argument).__name__


def _sympify(text: str) -> Outcome:
    import sympy

    sympy.sympify(text)
    return Outcome(OutcomeKind.EQUAL, 0.0)


def _eval(text: str) -> Outcome:
    eval(text, {})
    return Outcome(OutcomeKind.EQUAL, 0.0)


def _open(text: str) -> Outcome:
    with open(text):
        return Outcome(OutcomeKind.EQUAL, 0.0)


def _unpickle(text: str) -> Outcome:
    import pickle

    pickle.loads(text.encode())
    return Outcome(OutcomeKind.EQUAL, 0.0)


_PROBES = {"sympify": _sympify, "eval": _eval, "open": _open, "unpickle": _unpickle}
