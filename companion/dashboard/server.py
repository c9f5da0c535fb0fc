"""Serves the dashboard with waitress: threads, as each open stream holds one."""

from __future__ import annotations

import errno
from typing import Protocol

import waitress
from flask import Flask

from companion.dashboard.hub import MAX_CLIENTS

THREADS = MAX_CLIENTS + 20  # every stream holds a thread; 20 are left for pages and commands
CONNECTIONS = 1000
LOOPBACK = "127.0.0.1"
PORT = 8000


class ServeError(RuntimeError):
    """The address cannot be listened on; the message says which, why and what to do."""


class Server(Protocol):
    """A bound server: `run` serves until `close` is called from another thread or the process is interrupted."""

    effective_port: int

    def run(self) -> None: ...
    def close(self) -> None: ...


def open_server(app: Flask, host: str = LOOPBACK, port: int = PORT) -> Server:
    """Binds the address (port 0 takes a free one) and returns the server, not yet running. Raises ServeError."""
    try:
        server: Server = waitress.create_server(
            app,
            host=host,
            port=port,
            threads=THREADS,
            connection_limit=CONNECTIONS,
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"],
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
    except (OSError, ValueError) as error:
        raise ServeError(_reason(error, host, port)) from None
    return server


def serve(app: Flask, host: str = LOOPBACK, port: int = PORT) -> None:
    """Serves until interrupted. Raises ServeError when the address cannot be listened on."""
    server = open_server(app, host, port)
    try:
        server.run()
    finally:
        app.extensions["paleo_hub"].close()
        server.close()


def _reason(error: Exception, host: str, port: int) -> str:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return f"port {port} on {host} is in use by another program; end it, or choose another with --port"
    if number == errno.EACCES:
        return f"port {port} on {host} may not be used (permission denied); choose one above 1023 with --port"
    return f"cannot listen on {host} port {port} ({error}); check --host and --port"
