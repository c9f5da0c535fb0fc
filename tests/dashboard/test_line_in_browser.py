"""Lines that break in every way: the page says what it is doing, comes back by itself, and tells each entry once."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import Browser, until
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import HOST, Served, serving

pytestmark = pytest.mark.browser

BACK_MS = 3000
CUT_OFF = struct.pack("ii", 1, 0)  # lingering for no time: the other end is told at once that nobody knows the line
RECORD = """() => { window.told = []; window.same = true;
    document.addEventListener("journal", (e) => told.push(e.detail.id)); }"""

SLEEP = """() => { window.back = 0; const now = Date.now;
    document.addEventListener("journal", () => { back = performance.now(); });
    setTimeout(() => { debugger; Date.now = () => now() + 3600000; window.woken = performance.now(); }); }"""


class Line:
    """A way to the server that can fall silent without being cut, as a laptop asleep or a switched network does."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._flows = threading.Event()
        self._flows.set()
        self._forgotten: set[threading.Event] = set()
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server((HOST, 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """Nothing goes through any more; no end is told."""
        self._flows.clear()

    def speak(self) -> None:
        self._flows.set()

    def forget(self) -> None:
        """The server has long given up the lines of now: nothing is heard on them, and who speaks on one is cut off.

        Whoever comes anew is let through.
        """
        self._forgotten.add(self._flows)
        self._flows = threading.Event()
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
                threading.Thread(target=self._carry, args=(one, other, self._flows, one is here), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, flows: threading.Event, asks: bool) -> None:
        try:
            while data := one.recv(1 << 16):
                flows.wait()
                if flows not in self._forgotten:
                    other.sendall(data)
                elif asks:
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, CUT_OFF)
                    one.close()
                    return
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


@pytest.mark.alone
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


@pytest.mark.alone
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


@pytest.mark.alone
@pytest.mark.parametrize("dead", [False, True], ids=["the line held", "the line has died"])
def test_a_laptop_that_slept_is_up_to_date_within_three_seconds(
    watching: Any, fake: FakeCompanion, line: Line, dead: bool
) -> None:
    """The page stands still for an hour by the clock on the wall, and for no time by its own."""
    fake.append("note")
    until(watching, lambda: watching.evaluate("told.length === 1"))
    lid, asleep = watching.context.new_cdp_session(watching), list[Any]()
    lid.on("Debugger.paused", lambda said: asleep.append(said))
    lid.send("Debugger.enable")
    watching.evaluate(SLEEP)
    until(watching, lambda: asleep)
    if dead:
        line.forget()
    for _ in range(3):
        fake.append("note", players=fake.points(3, 3))
    lid.send("Debugger.resume")
    until(watching, lambda: watching.evaluate("told.length === 4"))
    until(watching, lambda: watching.evaluate("document.querySelector('#link').dataset.state === 'live'"))
    assert watching.evaluate("[same, told]") == [True, [1, 2, 3, 4]]
    assert watching.evaluate("back - woken") <= BACK_MS
    assert watching.inner_text(".side-number") == "3"
    lid.detach()


def test_where_there_is_no_place_left_the_page_waits_and_says_so(chromium: Any, fake: FakeCompanion) -> None:
    with serving(fake, max_streams=1) as served:
        pages = Browser(chromium, served)
        first = pages.open("/")
        second = pages.open("/", live=False)
        second.wait_for_selector("#link:has-text('Too many screens')")
        first.close()
        second.wait_for_selector('#link[data-state="live"]')
        pages.close()


@pytest.mark.parametrize("lost", ["/api/seats", "/api/seat/ann", "/api/shelf"])
def test_what_was_asked_for_while_the_line_was_lost_is_asked_for_again(
    companion: Companion, pages: Browser, lost: str
) -> None:
    """The news had come, and what was to be drawn had not: the page does not stay as it was until the next action."""
    players = {"ann": "Ann", "ben": "Ben"}
    companion.command("new_match", {"game": "armadora", "players": players, "setup": {"begins": "ann"}})
    page = pages.open("/games")
    page.locator("[data-seat=ann]").click()
    page.locator("[data-square=a1]").wait_for()
    gone: list[str] = []

    def lose_once(route: Any) -> None:
        if gone:
            route.continue_()
        else:
            gone.append(route.request.url)
            route.abort()

    page.route(f"**{lost}", lose_once)
    companion.tap("ann", "warrior", {"square": "a1", "value": 1})
    until(page, lambda: gone)
    page.context.set_offline(True)
    page.wait_for_selector('#link[data-state="lost"]')
    page.context.set_offline(False)
    page.get_by_text("Waiting for the others.").wait_for()
    page.locator("title", has_text="a1, Ann 1").wait_for(state="attached")
    assert pages.complaints_but("ERR_") == []
