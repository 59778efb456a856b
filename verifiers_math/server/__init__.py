"""The judge as a service: an HTTP interface, endpoints for trainers, and a page to try it on.

`create_app` makes the ASGI application, `run` serves it. Both need the extra ``server``.
"""

from __future__ import annotations

try:
    import msgspec  # noqa: F401 - looked for here, so that the message is the same for each
    import prometheus_client  # noqa: F401
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401
except ImportError as error:
    raise ImportError(f"{error}; the server needs: pip install 'verifiers-math[server]'") from error

from verifiers_math.server.app import create_app
from verifiers_math.server.serving import run
from verifiers_math.server.settings import Settings

__all__ = ["Settings", "create_app", "run"]
