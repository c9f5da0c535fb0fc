"""Serves the dashboard with waitress: threads, as each open stream holds one."""

from __future__ import annotations

import errno
import select
import threading
from typing import Any

import waitress
from flask import Flask

from companion.dashboard.hub import Hub

SPARE_THREADS = 20  # every stream holds a thread; these are left for pages and commands
CONNECTIONS = 1000
LOOPBACK = "127.0.0.1"
PORT = 8000
LOOP_S = 0.25  # the longest that the end waits for the loop to notice
ENDING_S = 5.0  # the longest that the end waits for requests under way


class ServeError(RuntimeError):
    """The address cannot be listened on; the message says which, why and what to do."""


class Server:
    """A bound server: `run` serves until `close` is called from another thread or the process is interrupted."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        """Binds. Raises OSError or ValueError."""
        self._hub: Hub = app.extensions["paleo_hub"]
        self._map: dict[int, Any] = {}
        self._server = waitress.create_server(
            app,
            map=self._map,
            host=host,
            port=port,
            threads=self._hub.max_clients + SPARE_THREADS,
            connection_limit=CONNECTIONS,
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"],
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
        self._ending = threading.Event()
        self._ended = threading.Event()
        self._running = False

    @property
    def effective_port(self) -> int:
        """The port that is listened on."""
        many = getattr(self._server, "effective_listen", None)  # a name such as localhost may mean two addresses
        return int(many[0][1] if many else self._server.effective_port)

    def run(self) -> None:
        """Serves until the end; open streams are ended properly."""
        self._running = True
        try:
            while not self._ending.is_set():
                # one step at a time: waitress has no other way to be ended from outside its loop
                self._server.asyncore.loop(LOOP_S, hasattr(select, "poll"), self._map, 1)
        except (KeyboardInterrupt, SystemExit):
            self._ending.set()
        finally:
            self._end()

    def close(self) -> None:
        """Ends the server, and returns when it has ended; safe to call twice, and after run()."""
        self._ending.set()
        if self._running:
            self._ended.wait(2 * ENDING_S)
        else:
            self._end()

    def _end(self) -> None:
        if not self._ended.is_set():
            self._hub.close()
            self._server.task_dispatcher.shutdown(timeout=ENDING_S)
            self._server.asyncore.close_all(self._map, True)
            self._ended.set()


def open_server(app: Flask, host: str = LOOPBACK, port: int = PORT) -> Server:
    """Binds the address (port 0 takes a free one) and returns the server, not yet running. Raises ServeError."""
    try:
        return Server(app, host, port)
    except (OSError, ValueError) as error:
        raise ServeError(_reason(error, host, port)) from None


def serve(app: Flask, host: str = LOOPBACK, port: int = PORT) -> None:
    """Serves until interrupted. Raises ServeError when the address cannot be listened on."""
    open_server(app, host, port).run()


def _reason(error: Exception, host: str, port: int) -> str:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return f"port {port} on {host} is in use by another program; end it, or choose another with --port"
    if number == errno.EACCES:
        return f"port {port} on {host} may not be used (permission denied); choose one above 1023 with --port"
    return f"cannot listen on {host} port {port} ({error}); check --host and --port"
