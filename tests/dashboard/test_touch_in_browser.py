"""Games that are played by fingers on small screens, by hands that reload, and two of whom act for each other."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import Browser, until
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.test_games_in_browser import begun
from tests.dashboard.test_zargo_in_browser import at

pytestmark = pytest.mark.browser

FINGER_PX = 44
PHONE = {"width": 320, "height": 568, "locale": "fr-FR", "has_touch": True, "is_mobile": True}
LONG = ("Anne-Charlotte-Éléonore", "Bartholomäus von Habsburg")
ASIDE = """(pixels) => [document.documentElement.scrollWidth - pixels, ...[...document.querySelectorAll('body *')]
    .filter((e) => e.checkVisibility() && !e.closest('svg.play') && e.getBoundingClientRect().right > pixels + 0.5)
    .map((e) => e.outerHTML)]"""  # by how much a page is wider than the screen, and what reaches beyond
LINES = """() => [...document.querySelectorAll('.log :is(a, button)')].filter((e) => e.checkVisibility())
    .map((e) => [e.textContent, e.getBoundingClientRect()])
    .map(([words, { left, top, width, height }]) => [words, left, top, width, height])"""
LOW = """(pixels) => [...document.querySelectorAll('main :is(summary, button, select)')].filter((e) =>
    e.checkVisibility() && e.getBoundingClientRect().height < pixels).map((e) => e.textContent)"""


def seated(pages: Browser, seat: str) -> Any:
    page = pages.open("/games", **PHONE)
    page.locator(f"[data-seat={seat}]").tap()
    page.locator(f"[data-leave={seat}]").wait_for()
    return page


def test_what_is_being_laid_in_paper_tales_is_there_after_a_reload(companion: Companion, pages: Browser) -> None:
    begun(companion, "paper_tales")
    while companion.score.state.phase == "recruit":
        for seat in ("ann", "ben"):
            packet = companion.seat_view(seat)["players"][("ann", "ben").index(seat)]["own"]["packet"]
            companion.tap(seat, "keep", {"card": packet[0]["card"], "discard": packet[1]["card"]})
    page = seated(pages, "ann")
    cards = page.locator("button.card")
    where = "[...document.querySelectorAll('button.card')].map((card) => card.dataset.where ?? 'aside')"
    cards.nth(1).tap()
    cards.nth(3).tap()
    page.wait_for_timeout(600)  # another tap soon after is none of its own
    cards.nth(3).tap()
    assert page.evaluate(where) == ["aside", "front", "aside", "back", "aside"]
    assert page.locator("[aria-current=step]").inner_text() == "poser"
    page.reload()
    until(page, lambda: page.evaluate(where) == ["aside", "front", "aside", "back", "aside"])
    assert page.evaluate(LOW, FINGER_PX) == []
    assert not pages.complaints


def test_counters_that_are_being_placed_are_there_after_a_reload_and_no_box_lies_over_the_map(
    companion: Companion, pages: Browser
) -> None:
    at(companion, "rest")
    page = seated(pages, "knights")
    for hexagon in ("0504", "0505"):
        page.locator(f"[data-hex='{hexagon}'][role=button]").tap(position={"x": 18, "y": 25})
    page.get_by_role("button", name="Les placer (2)").wait_for()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"
    assert page.get_by_role("img", name="ville 1 (Moines)").count() == 1
    page.reload()
    page.get_by_role("button", name="Les placer (2)").tap()
    until(page, lambda: len(companion.score.state.unplaced("knights")) == 6)
    assert not pages.complaints


def test_words_and_buttons_of_sacrifice_stay_in_sight_while_its_board_is_pushed_aside(
    companion: Companion, pages: Browser
) -> None:
    begun(companion, "sacrifice", begins="ann")
    page = seated(pages, "ann")
    assert page.evaluate("(box => box.scrollWidth - box.clientWidth)(document.querySelector('#games-board'))") <= 0
    page.evaluate("document.querySelector('.map-box').scrollLeft = 60")
    page.locator("[data-square=c9]").tap()
    page.locator(".can").first.wait_for(state="attached")
    within = "(e) => e.x.baseVal.value % 56 === 1.5 && e.width.baseVal.value === 53"
    assert all(cell.evaluate(within) for cell in page.locator(".can").all())
    assert page.get_by_role("img", name="martyr 1 (Ben)").count() == 1  # heard where it stands
    assert page.get_by_role("button", name="c9, guépard 1 (Ann)", pressed=True).count() == 1
    assert page.evaluate("document.querySelector('.map-box').scrollLeft") == 60
    assert not pages.complaints


def test_ways_of_a_piece_that_another_screen_has_moved_on_are_offered_no_more(
    companion: Companion, pages: Browser
) -> None:
    begun(companion, "sacrifice", begins="ann")
    page = seated(pages, "ann")
    page.locator("[data-square=b9]").tap()
    page.wait_for_timeout(600)  # two taps at once are one
    page.locator("[data-square=b9]").tap()
    page.get_by_role("button", name="Singe 1 → b9").first.wait_for()
    others = [one for one in companion.seat_view("ann")["moves"] if "falcon" in one["data"].get("piece", "")]
    companion.tap("ann", "move", others[0]["data"])
    companion.tap("ann", "end", {})
    page.get_by_text("On attend les autres.").wait_for()
    assert page.get_by_role("button", name="Singe 1 → b9").count() == 0
    assert page.locator(".can").count() == 0
    assert not pages.complaints


@pytest.mark.parametrize(
    ("game", "seat", "phase"),
    [("sacrifice", "ann", None), ("zargo", "knights", None), ("zargo", "knights", "moves"),
     ("zargo", "knights", "engagements")],
)  # fmt: skip
def test_a_page_with_a_large_board_is_no_wider_than_a_phone(
    companion: Companion, pages: Browser, game: str, seat: str, phase: str | None
) -> None:
    """The board is, so that a finger finds its squares; it is pushed aside in its own box."""
    if phase is None:
        players = dict(zip((seat, {"ann": "ben"}.get(seat, "monks")), LONG, strict=True))
        companion.command("new_match", {"game": game, "players": players, "setup": {"seed": 1}})
    else:
        at(companion, phase)
    page = seated(pages, seat)
    page.locator("svg.play").wait_for()
    page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))")
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 568})
        assert page.evaluate(ASIDE, width) == [0], width
    assert page.locator("svg.play").evaluate("(board) => board.clientWidth > board.parentElement.clientWidth")
    assert not pages.complaints


@pytest.mark.parametrize("path", ["/", "/referee"])
def test_what_is_linked_in_the_log_is_as_large_as_a_finger_and_apart(
    fake: FakeCompanion, browser: Browser, path: str
) -> None:
    """Each link to a rule, and "we saw it otherwise", has 44 pixels each way, and lies over no other.

    WCAG 2.2 is content with 24 (2.5.8, AA); here whatever is tapped is as large as a finger (2.5.5, AAA).
    """
    fake.append("shot", ruled=[{"id": n, "facts": {}} for n in (2, 3)])
    page = browser.open(path, **PHONE)
    page.locator(".log .rules a").first.wait_for()
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 740})
        found = page.evaluate(LINES)
        assert [words for words, *_ in found if words[:1] == "P"] == ["P13", "P15", "P17", "P18", "P13", "P7", "P11"]
        assert path == "/referee" or "Nous l’avons vu autrement" in [words for words, *_ in found]
        assert [one for one in found if min(one[3:]) < FINGER_PX - 0.1] == []
        over = [(a[0], b[0]) for n, a in enumerate(found) for b in found[:n]
                if min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > 0.5
                and min(a[2] + a[4], b[2] + b[4]) - max(a[2], b[2]) > 0.5]  # fmt: skip
        assert over == []
    assert not browser.complaints
