"""Two players of one name are refused on the pages, in words that can be read where the names were typed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import Browser, until

pytestmark = pytest.mark.browser

ON_TOP = 'document.querySelector("#toast").matches(":popover-open")'


@pytest.mark.parametrize(
    ("locale", "told"),
    [("en-GB", "two are called 'Ann'; give each a name"), ("fr-FR", "deux s’appellent 'Ann'")],
)
def test_in_the_dialog_of_a_new_match(companion: Companion, pages: Browser, locale: str, told: str) -> None:
    page = pages.open("/", locale=locale, width=390, height=700)
    page.locator("#open-new-match").click()
    for field in page.locator("#new-match-names input").all():
        field.fill("Ann")
    page.locator("#new-match-start").click()
    page.get_by_text(told).wait_for()
    assert page.evaluate(ON_TOP), "it lies above the dialog, which dims what is behind"
    assert companion.score.game is None
    pages.complaints.clear()  # the browser tells of the refusal
    page.locator("#new-match-names input").first.fill("Ben")
    page.wait_for_timeout(600)
    page.locator("#new-match-start").click()
    until(page, lambda: companion.score.game == "paleo")
    assert not pages.complaints


def test_on_the_page_of_games(companion: Companion, pages: Browser) -> None:
    page: Any = pages.open("/games")
    page.locator("#games-begin-box summary").first.click()
    page.locator("input[name='player:p1']").fill("Ann")
    page.locator("input[name='player:p2']").fill("ann")
    page.locator("#games-begin [type=submit]").click()
    page.get_by_text("two are called 'ann'; give each a name").wait_for()
    assert companion.score.game is None
    assert page.locator("input[name='player:p2']").input_value() == "ann", "what was typed is kept"
    pages.complaints.clear()
