"""Serves the dashboard with waitress: threads, as each open stream holds one."""

from __future__ import annotations

import errno
import logging
import select
import socket
import threading
from dataclasses import dataclass
from typing import Any

import waitress
from flask import Flask
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from companion.certificate import Certificate
from companion.dashboard.accepting import Accepting
from companion.dashboard.arriving import PART_BYTES
from companion.dashboard.hub import Hub
from companion.dashboard.tls import TlsServer, server_context

log = logging.getLogger(__name__)

SPARE_THREADS = 20  # every stream holds a thread; these are left for pages and commands
MAX_HEAD_BYTES = 1 << 16  # of a request, beyond its body
CONNECTIONS = 1000  # more than screens and players in a house have
LOOPBACK = "127.0.0.1"
PORT = 8000
LOOP_S = 0.25  # the longest that the end waits for the loop to notice
ENDING_S = 5.0  # the longest that the end waits for requests under way


class ServeError(RuntimeError):
    """The address cannot be listened on; the message says which, why and what to do."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The second address of a server, for phones that need a secure line; port 0 takes a free one."""

    certificate: Certificate
    port: int


class Server:
    """A bound server: `run` serves until `close` is called from another thread or the process is interrupted."""

    def __init__(self, app: Flask, host: str, port: int, tls: Tls | None = None) -> None:
        """Binds. Raises OSError or ValueError."""
        self._hub: Hub = app.extensions["paleo_hub"]
        self._map: dict[int, Any] = {}
        settings: dict[str, Any] = {
            "threads": self._hub.max_clients + SPARE_THREADS,
            "connection_limit": CONNECTIONS,
            "max_request_body_size": PART_BYTES + MAX_HEAD_BYTES,  # the application allows less where it can
            "ident": None,
            "channel_request_lookahead": 1,  # goes on reading while a stream runs: who leaves is noticed at once
            "log_socket_errors": False,  # phones that left the house are no trouble; see accepting.py for what is
            "clear_untrusted_proxy_headers": False,  # trusted in nothing, but they tell of a proxy
        }
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a waiting request is no news
        self._server = waitress.create_server(app, map=self._map, host=host, port=port, **settings)
        self._secure = self._open_secure(app, host, tls, settings) if tls is not None else None
        for listening in [one for one in self._map.values() if isinstance(one, TcpWSGIServer)]:
            Accepting(listening)
        self._ending = threading.Event()
        self._ended = threading.Event()
        self._running = False

    @property
    def effective_port(self) -> int:
        """The port that is listened on."""
        many = getattr(self._server, "effective_listen", None)  # a name such as localhost may mean two addresses
        return int(many[0][1] if many else self._server.effective_port)

    def _open_secure(self, app: Flask, host: str, tls: Tls, settings: dict[str, Any]) -> TlsServer | None:
        """The same pages over TLS; None where that port is taken, as the plain one serves all the same."""
        adjustments = Adjustments(host=host, port=tls.port, url_scheme="https", **settings)
        family, kind, protocol, address = adjustments.listen[0]
        bound = socket.socket(family, kind, protocol)
        try:
            context = server_context(tls.certificate.chain, tls.certificate.key)
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
        except OSError as error:
            bound.close()
            log.warning("no secure line on port %d (%s); the plain one is served", tls.port, error.strerror or error)
            return None
        return TlsServer(
            app,
            context,
            map=self._map,
            _sock=bound,
            bind_socket=False,
            dispatcher=self._server.task_dispatcher,
            adj=adjustments,
            sockinfo=adjustments.listen[0],
        )

    @property
    def secure_port(self) -> int | None:
        """The port that is listened on with TLS."""
        return int(self._secure.effective_port) if self._secure is not None else None

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


def open_server(app: Flask, host: str = LOOPBACK, port: int = PORT, tls: Tls | None = None) -> Server:
    """Binds the address (port 0 takes a free one) and returns the server, not yet running. Raises ServeError."""
    try:
        return Server(app, host, port, tls)
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
