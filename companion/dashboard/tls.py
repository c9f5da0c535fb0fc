"""TLS for waitress, which has none: its own channels over sockets that are read and written without waiting."""

from __future__ import annotations

import errno
import socket
import ssl
import threading
import time
from pathlib import Path
from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer


def server_context(chain: Path, key: Path) -> ssl.SSLContext:
    """What the server offers: TLS 1.2 and newer. Raises OSError or ssl.SSLError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(chain, key)
    return context


class TlsSocket:
    """An accepted connection: the loop reads while a thread writes, which OpenSSL allows only one at a time."""

    def __init__(self, connection: socket.socket, context: ssl.SSLContext) -> None:
        connection.setblocking(False)
        self._lock = threading.Lock()
        self._tls = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)

    def take(self, size: int) -> bytes | None:
        """All that came: None where a record is not whole yet, nothing at the end. Raises OSError."""
        with self._lock:
            try:
                data = self._tls.recv(size)
                while data and (more := self._tls.pending()):  # what OpenSSL holds already wakes no poll
                    data += self._tls.recv(more)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return None
            return data

    def send(self, data: bytes) -> int:
        """How much was taken; 0 where the line is full. Raises OSError, with an errno that waitress knows."""
        with self._lock:
            try:
                return self._tls.send(data)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return 0
            except ssl.SSLError as error:  # its number is OpenSSL's: waitress would tell of it with a traceback
                raise ConnectionResetError(errno.ECONNRESET, str(error)) from error

    def __getattr__(self, name: str) -> Any:
        """fileno, getsockopt, getpeername, close: as of the socket."""
        return getattr(self._tls, name)


class TlsChannel(HTTPChannel):  # type: ignore[misc]
    """A channel whose readable socket may still have nothing to say."""

    socket: TlsSocket

    def handle_read(self) -> None:
        """Hands on what came. The handshake is done by reading, too."""
        try:
            data = self.socket.take(self.adj.recv_bytes)
        except OSError:  # a plain request, a client that declines the certificate, a line that broke
            self.handle_close()
            return
        if data is None:
            return
        if data:
            self.last_activity = time.time()
            self.received(data)
        else:
            self.handle_close()


class TlsServer(TcpWSGIServer):  # type: ignore[misc]
    """A listening socket whose connections speak TLS."""

    channel_class = TlsChannel

    def __init__(self, application: Any, context: ssl.SSLContext, **settings: Any) -> None:
        self._context = context
        super().__init__(application, **settings)

    def accept(self) -> tuple[TlsSocket, Any] | None:
        """The next connection, None where it went again."""
        accepted = super().accept()
        if accepted is None:
            return None
        connection, address = accepted
        return TlsSocket(connection, self._context), address
