"""The service on a port."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import logging
import sys

import uvicorn

from verifiers_math.server.app import create_app
from verifiers_math.server.connections import guarded_connection
from verifiers_math.server.settings import Settings

_LOG = logging.getLogger("verifiers_math.server")


def run(host: str = "127.0.0.1", port: int = 8000, settings: Settings | None = None) -> None:
    """Serves until it is told to end (SIGINT, SIGTERM), and finishes what it took.

    Args:
        host: The address to listen at. Others than this machine can reach it only if this is not
            the loopback address.
        port: The port; 0 for a free one, which the log names.
        settings: The limits, and the token.

    Raises:
        SystemExit: The address cannot be listened at.
    """
    settings = settings or Settings()
    if settings.token is None and not _is_loopback(host):
        _LOG.warning("listening at %s without a token: whoever reaches it can use it", host)
    _favour_the_loop()
    with contextlib.suppress(KeyboardInterrupt):  # raised again after the graceful end
        server(host, port, settings).run()


def server(host: str, port: int, settings: Settings) -> uvicorn.Server:
    """The server, not started.

    Args:
        host: As for `run`.
        port: As for `run`.
        settings: As for `run`.
    """
    return uvicorn.Server(
        uvicorn.Config(
            create_app(settings),
            host=host,
            port=port,
            http=guarded_connection(settings),
            ws="none",
            lifespan="on",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=settings.idle_seconds,  # type: ignore[arg-type] # passed to call_later
            timeout_graceful_shutdown=settings.shutdown_seconds,  # type: ignore[arg-type]
        )
    )


def _favour_the_loop() -> None:
    """Shortens what the event loop waits for: judging threads, and collections of a full cache."""
    sys.setswitchinterval(0.0002)
    gc.set_threshold(50_000, 20, 100)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
