"""A machine that runs out of open files says so, and does not spend itself on trying."""

from __future__ import annotations

import errno
import logging
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import waitress

from companion.dashboard.accepting import PAUSE_S, TOLD_EVERY_S, Accepting


class Door:
    """Stands for a listening server at which somebody waits and whose accept() fails."""

    def __init__(self, number: int) -> None:
        self.number, self.tried = number, 0

    def accept(self) -> Any:
        self.tried += 1
        raise OSError(self.number, "why")

    def readable(self) -> bool:
        return True


def turns(door: Door, clock: Iterator[float]) -> None:
    """The loop of a server: whoever may be let in is."""
    now = [0.0]
    Accepting(door, lambda: now[0])
    for now[0] in clock:
        if door.readable():
            with pytest.raises(OSError, match="why"):
                door.accept()


def test_a_lack_of_open_files_is_told_once_a_minute_and_tried_twice_a_second(caplog: pytest.LogCaptureFixture) -> None:
    door = Door(errno.EMFILE)
    turns(door, (n / 100 for n in range(int(100 * 1.5 * TOLD_EVERY_S))))
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["nobody can be let in (why)"] * 2
    assert door.tried == pytest.approx(1.5 * TOLD_EVERY_S / PAUSE_S, abs=2)


def test_a_phone_that_has_gone_again_is_no_trouble(caplog: pytest.LogCaptureFixture) -> None:
    door = Door(errno.EINVAL)
    turns(door, (n / 100 for n in range(100)))
    assert not caplog.records
    assert door.tried == 100


@contextmanager
def no_more_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket() as last:
        resource.setrlimit(resource.RLIMIT_NOFILE, (last.fileno(), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_who_comes_while_no_file_can_be_opened_is_let_in_later(caplog: pytest.LogCaptureFixture) -> None:
    open_sockets: dict[int, Any] = {}
    server = waitress.create_server(
        lambda environ, start: start("200 OK", []) or [], map=open_sockets, host="127.0.0.1", port=0, threads=1,
        log_socket_errors=False,
    )  # fmt: skip
    Accepting(server)
    listening = len(open_sockets)
    try:
        with socket.create_connection(("127.0.0.1", server.effective_port)) as guest, caplog.at_level(logging.WARNING):
            with no_more_files():
                server.asyncore.loop(0.1, True, open_sockets, 1)
            assert "nobody can be let in" in caplog.text
            assert len(open_sockets) == listening
            for _ in range(20):
                server.asyncore.loop(0.1, True, open_sockets, 1)
            assert len(open_sockets) == listening + 1
            guest.sendall(b"GET / HTTP/1.0\r\n\r\n")
    finally:
        server.task_dispatcher.shutdown()
        server.asyncore.close_all(open_sockets, True)
