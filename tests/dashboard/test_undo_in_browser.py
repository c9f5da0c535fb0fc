"""Undo at the beginning of a match, in a real browser: it is asked whether the match itself is meant."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import Browser, until
from tests.dashboard.test_games_in_browser import begun, tap_twice

pytestmark = pytest.mark.browser

TAKEN_BACK = 600  # ms; whoever taps again after a while means it


def undo_on(page: Any) -> Any:
    return page.locator("#undo, [data-do=undo]").first


@pytest.mark.parametrize(
    ("locale", "asked", "keep", "do"),
    [
        ("en-GB", "Undo the match itself?", "Keep it", "Undo the match"),
        ("fr-FR", "Annuler la partie elle-même", "La garder", "Annuler la partie"),
    ],
)
def test_a_match_of_taps_is_not_undone_by_one_tap_too_many(
    companion: Companion, pages: Browser, locale: str, asked: str, keep: str, do: str
) -> None:
    begun(companion, "armadora", begins="ann")
    companion.tap("ann", "warrior", {"square": "a1", "value": 3})
    page = pages.open("/games", locale=locale)
    undo_on(page).click()
    until(page, lambda: not companion.score.state.warriors)
    page.wait_for_timeout(TAKEN_BACK)
    tap_twice(page, undo_on(page), 150)
    page.get_by_text(asked).wait_for()
    assert companion.score.game == "armadora"
    page.get_by_role("button", name=keep, exact=True).click()
    page.locator("dialog[open]").wait_for(state="detached")
    assert companion.score.game == "armadora"
    page.wait_for_timeout(TAKEN_BACK)
    undo_on(page).click()
    page.get_by_role("button", name=do, exact=True).click()
    until(page, lambda: companion.score.game is None)
    assert not pages.complaints


def test_a_match_of_paleo_is_not_undone_by_one_tap_too_many(companion: Companion, pages: Browser) -> None:
    companion.command("new_match", {"players": {}, "options": {}})
    page = pages.open("/")
    undo_on(page).click()
    page.get_by_text("Undo the match itself?").wait_for()
    assert companion.score.game == "paleo"
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    assert companion.score.game == "paleo"
    assert not pages.complaints


def test_what_was_done_while_it_was_asked_is_not_undone(companion: Companion, pages: Browser) -> None:
    """A warrior is placed on another screen before the answer: neither it nor the match is taken back."""
    begun(companion, "armadora", begins="ann")
    page = pages.open("/games")
    undo_on(page).click()
    page.get_by_text("Undo the match itself?").wait_for()
    companion.tap("ann", "warrior", {"square": "a1", "value": 3})
    page.locator("[data-do=undo-match]").click()
    page.get_by_text("Something else was done or undone meanwhile").wait_for()
    assert set(companion.score.state.warriors) == {0}
    pages.complaints.clear()  # the browser tells of the refusal
