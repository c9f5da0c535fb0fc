"""Lines that break in every way: the page says what it is doing, comes back by itself, and tells each entry once."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dashboard.conftest import Browser, until
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import HOST, Served, serving

pytestmark = pytest.mark.browser

BACK_MS = 3000
RECORD = """() => { window.told = []; window.same = true;
    document.addEventListener("journal", (e) => told.push(e.detail.id)); }"""


class Line:
    """A way to the server that can fall silent without being cut, as a laptop asleep or a switched network does."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._flows = threading.Event()
        self._flows.set()
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server((HOST, 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """Nothing goes through any more; no end is told."""
        self._flows.clear()

    def speak(self) -> None:
        self._flows.set()

    def close(self) -> None:
        self._flows.set()
        self._listener.shutdown(socket.SHUT_RDWR)  # wakes who waits there
        for end in (self._listener, *self._ends):
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listener.accept()
                self._ends.append(here)
                there = socket.create_connection((HOST, self._port))
                self._ends.append(there)
            except OSError:  # the test or the server has ended
                return
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(1 << 16):
                self._flows.wait()
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            one.close()
            other.close()


@pytest.fixture
def line(served: Served) -> Iterator[Line]:
    made = Line(served.port)
    yield made
    made.close()


@pytest.fixture
def watching(chromium: Any, served: Served, line: Line) -> Iterator[Any]:
    pages = Browser(chromium, served, f"http://{HOST}:{line.port}")
    page = pages.open("/")
    page.evaluate(RECORD)
    yield page
    pages.close()


def test_a_device_that_loses_its_network_says_so_and_is_back_within_three_seconds(
    watching: Any, fake: FakeCompanion
) -> None:
    fake.append("note")
    until(watching, lambda: watching.evaluate("told.length === 1"))
    watching.context.set_offline(True)
    watching.wait_for_selector("#link:has-text('in no network')")
    for _ in range(4):
        fake.append("note", players=fake.points(3, 3))
    watching.context.set_offline(False)
    watching.wait_for_selector('#link[data-state="live"]', timeout=BACK_MS)
    until(watching, lambda: watching.evaluate("told.length === 5"))
    assert watching.evaluate("[same, told]") == [True, [1, 2, 3, 4, 5]]
    assert watching.inner_text(".side-number") == "3"


def test_a_line_that_falls_silent_is_noticed_given_up_and_made_anew(
    watching: Any, fake: FakeCompanion, line: Line
) -> None:
    fake.append("note")
    until(watching, lambda: watching.evaluate("told.length === 1"))
    line.silence()
    fake.append("note")
    watching.wait_for_selector('#link[data-state="lost"]')
    fake.append("note")
    line.speak()
    watching.wait_for_selector('#link[data-state="live"]', timeout=BACK_MS)
    until(watching, lambda: watching.evaluate("told.length === 3"))
    assert watching.evaluate("[same, told]") == [True, [1, 2, 3]]


def test_where_there_is_no_place_left_the_page_waits_and_says_so(chromium: Any, fake: FakeCompanion) -> None:
    with serving(fake, max_streams=1) as served:
        pages = Browser(chromium, served)
        first = pages.open("/")
        second = pages.open("/", live=False)
        second.wait_for_selector("#link:has-text('Too many screens')")
        first.close()
        second.wait_for_selector('#link[data-state="live"]')
        pages.close()
