"""Seats in a real browser: a companion that is killed in mid-match and started again."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.claims import SEATS_FILE
from tests.cli.running import Running
from tests.dashboard.conftest import Browser

pytestmark = pytest.mark.browser

HAND = "button.card"


class Plug:
    """A companion in a process of its own, at one address, whose plug can be pulled."""

    def __init__(self, data: Path) -> None:
        self.data, self.port, self.errors = data, "0", ""
        self.running = self._start()
        self.port = self.running.address.rpartition(":")[2]

    def _start(self) -> Running:
        return Running("--data", self.data, "--camera", "none", "--port", self.port)

    def pull(self) -> None:
        self.errors += self.running.end(signal.SIGKILL)[1]

    def start(self) -> None:
        self.running = self._start()


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    made = Plug(tmp_path / "data")
    yield made
    made.running.process.kill()
    made.running.process.communicate()


@pytest.fixture
def open_page(plug: Plug, chromium: Any) -> Iterator[Callable[[], Any]]:
    """Opens the page of games in a browser of its own."""
    opened = Browser(chromium, None, base=plug.running.address)  # type: ignore[arg-type]
    yield lambda: opened.open("/games")
    opened.close()


def begin_paper_tales(page: Any) -> None:
    page.locator("#games-begin-box summary").first.click()
    page.locator("select[name=game]").select_option("paper_tales")
    for seat, name in (("p1", "Ann"), ("p2", "Ben")):
        page.locator(f"input[name='player:{seat}']").fill(name)
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Ann (p1)").wait_for()


def take(page: Any, seat: str) -> None:
    page.locator(f"[data-seat={seat}]").click()
    page.locator(f"[data-leave={seat}]").wait_for()
    page.locator(HAND).nth(8).wait_for()


def draft(*pages: Any) -> None:
    """Everybody chooses two of nine cards, and gets seven that were passed on."""
    for page in pages:
        page.locator(HAND).nth(0).click()
        page.locator(HAND).nth(1).click()
    for page in pages:
        page.locator(HAND).nth(8).wait_for(state="detached")
        page.locator(HAND).nth(6).wait_for()


def status(page: Any, path: str) -> int:
    return int(page.request.get(page.url.rpartition("/")[0] + path).status)


def test_who_sat_where_sits_there_again_after_the_plug_was_pulled_in_mid_match(
    plug: Plug, open_page: Callable[[], Any]
) -> None:
    ann, ben = open_page(), open_page()
    begin_paper_tales(ann)
    take(ann, "p1")
    take(ben, "p2")
    draft(ann, ben)
    hands = [page.locator(HAND).all_inner_texts() for page in (ann, ben)]
    plug.pull()
    ann.wait_for_selector('#link[data-state="lost"]')
    plug.start()

    stranger = open_page()
    stranger.get_by_text("held on another screen").nth(1).wait_for()
    assert stranger.locator("[data-seat]").count() == 0
    assert [status(stranger, f"/api/seat/{seat}") for seat in ("p1", "p2")] == [403, 403]
    assert stranger.locator(HAND).count() == 0
    for page, seat, hand in ((ann, "p1", hands[0]), (ben, "p2", hands[1])):
        page.reload()
        page.locator(f"[data-leave={seat}]").wait_for()
        page.locator(HAND).nth(6).wait_for()
        assert page.locator(HAND).all_inner_texts() == hand
        assert status(page, f"/api/seat/{'p2' if seat == 'p1' else 'p1'}") == 403
    ann.locator(HAND).nth(0).click()  # and the match goes on
    ann.locator(HAND).nth(1).click()
    plug.pull()
    assert "Traceback" not in plug.errors


def test_where_the_file_of_seats_was_cut_short_they_are_taken_again(plug: Plug, open_page: Callable[[], Any]) -> None:
    ann, ben = open_page(), open_page()
    begin_paper_tales(ann)
    take(ann, "p1")
    take(ben, "p2")
    plug.pull()
    file = plug.data / SEATS_FILE
    file.write_bytes(file.read_bytes()[:-30])
    plug.start()
    for page in (ann, ben):
        page.reload()
        page.locator("[data-seat=p2]").wait_for()
        assert page.locator(HAND).count() == page.locator("[data-leave]").count() == 0
    take(ben, "p2")
    ann.locator("[data-seat=p2]").click()
    ann.get_by_text("held on another screen", exact=True).wait_for()
    assert status(ann, "/api/seat/p2") == 403
    plug.pull()
    assert "Traceback" not in plug.errors
    assert "seats are to be taken again" in plug.errors
