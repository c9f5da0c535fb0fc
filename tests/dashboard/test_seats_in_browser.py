"""Seats in a real browser: a companion that is killed and started again, and a seat that the referee frees."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app import Companion
from companion.claims import SEATS_FILE
from tests.cli.running import Running
from tests.dashboard.conftest import Browser, until
from tests.dashboard.test_games_in_browser import begun, seated, tap_twice

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
    page.locator("#games-begin-box[open]").wait_for()
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


def test_a_seat_is_freed_while_its_holder_has_a_dialog_open(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    ann, table = seated(pages, 0), pages.open("/games")
    companion.tap("ann", "warrior", {"square": "a1", "value": 3})
    ann.locator("svg.play text", has_text="3").first.wait_for()
    ann.locator("#games-earlier summary").click()
    ann.get_by_role("button", name="It was otherwise").first.click()
    ann.locator("#games-change[open] select").wait_for()

    table.locator("[data-free=ann]").click()
    question = table.locator("#games-free[open]")
    question.get_by_text("Whoever takes it next sees its hidden cards").wait_for()
    assert companion.score.notes == (), "nothing is done before it is answered"
    table.wait_for_timeout(600)  # as who reads it
    question.get_by_role("button", name="Free this seat").click()

    ann.locator("#games-change[open]").wait_for(state="detached")
    ann.get_by_text("Your seat was freed").wait_for()
    ann.get_by_text("A seat was freed: Ann.").first.wait_for()
    table.get_by_text("A seat was freed: Ann.").first.wait_for()
    table.locator("#games-free[open]").wait_for(state="detached")
    ann.locator("[data-leave]").wait_for(state="detached")
    assert ann.locator("title", has_text="a1, ann ?").count() == 1, "what was hers to see is hers no more"
    table.locator("[data-seat=ann]").click()
    table.locator("[data-leave=ann]").wait_for()
    ann.locator("[data-seat=ann]").click()
    ann.get_by_text("held on another screen", exact=True).wait_for()


def test_a_freed_holder_who_takes_the_seat_again_has_it(companion: Companion, pages: Browser) -> None:
    begun(companion, "paper_tales")
    ann, table = seated(pages, 0), pages.open("/games")
    table.locator("[data-free=ann]").click()
    table.wait_for_timeout(600)
    table.locator("#games-free [data-do=free]").click()
    ann.locator("[data-seat=ann]", has_text="Take").click()
    ann.locator("[data-leave=ann]").wait_for()
    ann.locator(HAND).nth(8).wait_for()
    assert table.locator(HAND).count() == 0
    assert not pages.complaints


def test_a_double_tap_frees_no_seat_and_the_first_key_keeps_it(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora")
    seated(pages, 0)
    table = pages.open("/games")
    tap_twice(table, table.locator("[data-free=ann]"), 20)
    for key in ("Escape", "Enter"):
        table.locator("#games-free[open]").wait_for()
        table.keyboard.press(key)
        table.locator("#games-free[open]").wait_for(state="detached")
        table.wait_for_timeout(600)
        table.locator("[data-free=ann]").click()
    assert table.locator("[data-free=ann]").count() == 1
    assert companion.score.notes == ()


@pytest.mark.parametrize("ends", ["the holder lets go", "another match is begun", "the match is undone"])
def test_a_question_that_has_no_ground_any_more_closes(companion: Companion, pages: Browser, ends: str) -> None:
    begun(companion, "armadora")
    ann, table = seated(pages, 0), pages.open("/games")
    table.locator("[data-free=ann]").click()
    table.locator("#games-free[open]").wait_for()
    if ends == "the holder lets go":
        ann.locator("[data-leave=ann]").click()
        ann.locator("[data-leave=ann]").wait_for(state="detached")
        companion.audit({"what": "came in"})  # whatever happens next: pages ask anew
    elif ends == "another match is begun":
        begun(companion, "armadora")
    else:
        companion.command("undo", {})
    table.locator("#games-free[open]").wait_for(state="detached")
    assert not [line for line in companion.scoreboard()["log"] if "was freed" in line["en"]]
    assert ann.get_by_text("Your seat was freed").count() == 0


def test_who_took_the_seat_while_it_was_asked_keeps_it(companion: Companion, pages: Browser) -> None:
    """Ann lets go and Eve takes the seat: the page that asks has not heard of it yet."""
    begun(companion, "armadora")
    ann, table = seated(pages, 0), pages.open("/games")
    table.locator("[data-free=ann]").click()
    table.locator("#games-free[open]").wait_for()
    ann.locator("[data-leave=ann]").click()
    ann.locator("[data-leave=ann]").wait_for(state="detached")
    eve = seated(pages, 0)
    table.locator("#games-free [data-do=free]").click()
    table.get_by_text("was taken anew meanwhile").wait_for()
    table.locator("#games-free[open]").wait_for(state="detached")
    assert status(eve, "/api/seat/ann") == 200
    pages.complaints.clear()  # the browser tells of the refusal
    table.wait_for_timeout(600)
    table.locator("[data-free=ann]").click()  # asked anew it means Eve
    table.locator("#games-free [data-do=free]").click()
    until(table, lambda: status(eve, "/api/seat/ann") == 403)
    pages.complaints.clear()


def test_the_question_is_asked_in_french_and_fits_a_small_phone(companion: Companion, pages: Browser) -> None:
    begun(companion, "zargo")
    seated(pages, 0)
    table = pages.open("/games", locale="fr-FR", width=320, height=568)
    free = table.locator("[data-free=knights]")
    assert free.inner_text() == "Libérer ce siège"
    assert table.evaluate("document.documentElement.scrollWidth") <= 320
    free.click()
    question = table.locator("#games-free[open]")
    question.get_by_text("Qui le prend ensuite voit ses cartes, valeurs et garnisons cachées.").wait_for()
    assert "Ann (Chevaliers)" in question.locator("h2").inner_text().replace("\u2068", "").replace("\u2069", "")
    table.wait_for_timeout(600)
    question.get_by_role("button", name="Libérer ce siège").click()
    until(table, lambda: "Un siège a été libéré" in table.locator("#games-log").inner_text())
    assert not pages.complaints
