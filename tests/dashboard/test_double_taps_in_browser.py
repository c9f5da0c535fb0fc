"""A double tap is one tap, wherever it falls: nothing is begun, told or undone by its second half."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import Browser, until
from tests.dashboard.fake import FakeCompanion, FakeEntry, Json, question
from tests.dashboard.test_games_in_browser import begun, seated, tap_twice
from tests.dashboard.test_pages_in_browser import AGAIN_MS

pytestmark = pytest.mark.browser

GAPS_MS = pytest.mark.parametrize("gap_ms", [20, 250])  # before the answer to the first half, and after it


def told(companion: Companion, *kinds: str) -> list[Any]:
    return [entry for entry in companion.whole_journal() if entry.type in kinds]


@GAPS_MS
def test_one_match_is_begun(companion: Companion, pages: Browser, gap_ms: int) -> None:
    page = pages.open("/games")
    page.locator("#games-begin-box[open]").wait_for()
    page.locator("select[name=game]").select_option("armadora")
    tap_twice(page, page.get_by_role("button", name="Begin"), gap_ms)
    page.locator("#games-board svg.play").wait_for()
    page.wait_for_timeout(300)
    assert len(told(companion, "match_started")) == 1
    assert page.locator("#games-shelf").is_hidden(), "none is left unfinished"
    assert not pages.complaints


@GAPS_MS
def test_one_match_is_begun_in_the_dialog(browser: Any, fake: FakeCompanion, gap_ms: int) -> None:
    page = browser.open()
    page.click("#open-new-match")
    tap_twice(page, page.locator("#new-match-start"), gap_ms)
    page.locator("#new-match").wait_for(state="hidden")
    page.wait_for_timeout(300)
    assert [name for name, _, _ in fake.commands] == ["new_match"]


@GAPS_MS
def test_a_match_that_is_begun_here_is_not_said_to_come_from_elsewhere(
    browser: Any, fake: FakeCompanion, gap_ms: int
) -> None:
    """The other screens, and this one, hear of it before the answer is there."""
    page = browser.open()
    held: list[Any] = []
    page.route("**/new_match", lambda route: held.append(route))
    page.click("#open-new-match")
    page.wait_for_timeout(AGAIN_MS)
    tap_twice(page, page.locator("#new-match-start"), gap_ms)
    until(page, lambda: held)
    fake.append("match_started", {}, phase="placing")
    page.wait_for_timeout(300)
    assert page.locator("#toast").is_hidden()
    held[0].continue_()
    page.locator("#new-match").wait_for(state="hidden")
    assert [name for name, _, _ in fake.commands] == ["new_match"]


def test_a_shot_is_told_once_over_a_slow_line(companion: Companion, pages: Browser) -> None:
    companion.command("new_match", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}})
    companion.command("start_round", {"begins": "red"})
    page = pages.open("/games")
    page.locator("[data-do=tell]").click()
    page.locator("[data-pawn=red-8]").click()
    held: list[Any] = []
    page.route("**/api/command/shot_by_hand", lambda route: held.append(route))
    tap_twice(page, page.locator("#tell-send"), 150)
    until(page, lambda: held)
    page.wait_for_timeout(300)
    for route in held:
        route.continue_()
    page.get_by_text("Turn: Green").wait_for()
    page.wait_for_timeout(300)
    assert len(told(companion, "shot_by_hand")) == 1
    assert not pages.complaints


class AsksOn(FakeCompanion):
    """Answered, it asks the next question at once."""

    def command(self, name: str, data: Json, by: str = "table") -> list[FakeEntry]:
        self.commands.append((name, data, by))
        return [self.append(name, data, question=question(int(data["question"]) + 1))]


class TestQuestions:
    @pytest.fixture
    def fake(self) -> FakeCompanion:
        return AsksOn()

    @GAPS_MS
    def test_the_next_question_is_not_answered_by_the_second_half(
        self, browser: Any, fake: FakeCompanion, gap_ms: int
    ) -> None:
        page = browser.open()
        fake.append("question", question=question())
        answer = page.get_by_role("button", name="Exchange for red 8")
        answer.wait_for()
        tap_twice(page, answer, gap_ms)
        page.wait_for_timeout(300)
        assert [data["question"] for _, data, _ in fake.commands] == [7]
        assert browser.complaints == []


@GAPS_MS
def test_the_clocks_stay_paused(companion: Companion, pages: Browser, gap_ms: int) -> None:
    clock = {"kind": "count_up", "base_s": 600, "bonus_s": 0}
    players = {"ann": "Ann", "ben": "Ben"}
    companion.command("new_match", {"game": "armadora", "players": players, "clock": clock})
    page = pages.open("/games")
    tap_twice(page, page.get_by_role("button", name="Pause"), gap_ms)
    page.get_by_role("button", name="Go on").wait_for()
    page.wait_for_timeout(300)
    clocks = companion.clocks()
    assert clocks is not None
    assert clocks["paused"]
    assert not pages.complaints


@GAPS_MS
def test_the_match_stays_paused(browser: Any, fake: FakeCompanion, gap_ms: int) -> None:
    page = browser.open()
    tap_twice(page, page.locator("#pause"), gap_ms)
    page.wait_for_selector("#pause:has-text('Resume')")
    page.wait_for_timeout(300)
    assert [name for name, _, _ in fake.commands] == ["pause"]


@GAPS_MS
def test_a_seat_that_is_taken_is_not_said_to_be_held_elsewhere(
    companion: Companion, pages: Browser, gap_ms: int
) -> None:
    begun(companion, "armadora")
    page = pages.open("/games")
    tap_twice(page, page.locator("[data-seat=ann]"), gap_ms)
    page.locator("[data-leave=ann]").wait_for()
    page.wait_for_timeout(300)
    assert page.locator("#toast").is_hidden()
    assert not pages.complaints


@GAPS_MS
@pytest.mark.parametrize(
    ("game", "first", "stays"),
    [
        ("armadora", "[data-square=a1]", "[data-square=a1] .cell.can"),
        ("sacrifice", "[data-square=c9]", "[data-square=c9] .cell.can"),
        ("paper_tales", "button.card >> nth=0", "button.card[data-where=keep]"),
    ],
)
def test_what_was_chosen_stays_so(
    companion: Companion, pages: Browser, game: str, first: str, stays: str, gap_ms: int
) -> None:
    begun(companion, game, **({} if game == "paper_tales" else {"begins": "ann"}))
    page = seated(pages, 0)
    page.locator(first).wait_for()
    tap_twice(page, page.locator(first), gap_ms)
    page.locator(stays).wait_for(state="attached")
    page.wait_for_timeout(600)
    assert page.locator(stays).count() == 1
    page.locator(first).click()  # whoever taps again after a while means it
    page.locator(stays).wait_for(state="detached")
    assert not pages.complaints


@GAPS_MS
def test_a_correction_is_accepted_once(companion: Companion, pages: Browser, gap_ms: int) -> None:
    begun(companion, "armadora", begins="ann")
    for seat, square in (("ann", "a1"), ("ben", "b1"), ("ann", "c1")):
        companion.tap(seat, "warrior", {"square": square, "value": 1})
    page = seated(pages, 0)
    page.locator("#games-earlier summary").click()
    row = page.locator("#games-entries li", has_text="Ann: a Warrior on c1.")
    row.get_by_role("button", name="Take back").click()
    before = companion.last_id()
    tap_twice(page, page.locator("[data-do=accept]"), gap_ms)
    until(page, lambda: set(companion.score.state.warriors) == {0, 1})
    page.wait_for_timeout(300)
    assert page.locator("#toast").is_hidden()
    assert len([e for e in companion.whole_journal() if e.id > before]) == 1
    assert not pages.complaints
