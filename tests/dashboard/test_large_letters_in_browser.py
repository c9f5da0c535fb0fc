"""Pages for readers who need larger letters, or colours of their own, and on very large screens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import QUIET, chromium_here
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.full_house import PAGES, full_house, settle
from tests.dashboard.serving import serving
from tests.dashboard.test_games_in_browser import begun

pytestmark = pytest.mark.browser

TWICE_PX = 32  # the browser's own letters, usually 16 px
HIDDEN = """() => {
    const ask = document.querySelector("#ask").getBoundingClientRect();
    const hidden = (one) => one.top < ask.top - 1 || one.bottom > ask.bottom + 1;
    return [...document.querySelectorAll("#ask button")].filter((one) => hidden(one.getBoundingClientRect())).length;
}"""
OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
BROKEN = r"""() => {
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.parentElement.closest("svg, script, .unseen") || !text.parentElement.checkVisibility()) continue;
        for (const word of text.data.matchAll(/(?<=^|\s)[\p{L}’'.,:;?!]+(?=$|\s)/gu)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const parts = [...range.getClientRects()].filter((one) => one.width > 0);
            if (new Set(parts.map((one) => Math.round(one.top))).size > 1) broken.push(word[0]);
        }
    }
    return broken;
}"""
LETTERS = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


@contextmanager
def large_letters(chromium: Any) -> Iterator[Any]:
    """A Chromium whose letters are set to be twice as large."""
    browser = chromium._launch(
        executable_path=chromium_here(), args=[*QUIET, f"--blink-settings=defaultFontSize={TWICE_PX}"]
    )
    try:
        yield browser
    finally:
        browser.close()


def test_with_letters_twice_as_large_nothing_is_cut_off(chromium: Any, fake: FakeCompanion, tmp_path: Path) -> None:
    with full_house(fake, tmp_path) as house, large_letters(chromium) as browser:
        page = browser.new_page(locale="fr-FR")
        for width, height in ((1280, 800), (1920, 1080), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            for path in ("/", "/table", "/seat", "/referee"):
                page.goto(house.url + path)
                settle(page)
                page.locator("#ask button").first.wait_for()
                assert page.evaluate(HIDDEN) == 0, (path, width)
                assert not page.evaluate(OVERFLOWS), (path, width)
                assert page.evaluate(LETTERS) >= TWICE_PX, (path, width)
        page.goto(house.url)
        page.click("#open-settings")
        wider = "(one) => one.scrollWidth - one.clientWidth"
        assert page.locator("#settings").evaluate(wider) <= 0
        page.keyboard.press("Escape")
        page.locator(".more summary").click()
        assert page.locator(".more-list").evaluate("(one) => one.getBoundingClientRect().right") <= 360
        page.goto(house.url + "/camera")
        page.locator("#no-picture", has_text="Pas encore").wait_for()
        cut = "(one) => one.parentElement.scrollHeight - one.parentElement.clientHeight"
        assert page.locator("#no-picture").evaluate(cut) == 0


@pytest.mark.parametrize(("size", "letters"), [((1280, 720), 16), ((1920, 1080), 20), ((3840, 2160), 40)])
def test_letters_grow_with_very_large_screens(browser: Any, size: tuple[int, int], letters: int) -> None:
    page = browser.open("/", *size)
    assert page.evaluate(LETTERS) == letters
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1]


@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
def test_with_letters_twice_as_large_no_word_is_broken_on_a_phone(
    chromium: Any, fake: FakeCompanion, tmp_path: Path, locale: str
) -> None:
    with full_house(fake, tmp_path) as house, large_letters(chromium) as browser:
        page = browser.new_page(locale=locale, viewport={"width": 360, "height": 640})
        for path in PAGES:
            page.goto(house.url + path)
            settle(page)
            assert page.evaluate(BROKEN) == [], path


def test_with_letters_twice_as_large_no_title_of_a_game_is_broken(chromium: Any, companion: Companion) -> None:
    begun(companion, "sacrifice", begins="ann")
    with serving(companion) as house, large_letters(chromium) as browser:
        page = browser.new_page(locale="fr-FR", viewport={"width": 320, "height": 640})
        page.goto(house.url + "/games")
        page.locator("h1", has_text="Sacrifice").wait_for()
        assert page.evaluate(BROKEN) == []


def test_in_colours_of_the_readers_own_what_is_chosen_is_still_to_be_seen(
    chromium: Any, fake: FakeCompanion, tmp_path: Path
) -> None:
    outline = "(one) => getComputedStyle(one).outlineStyle"
    border = "(one) => getComputedStyle(one).borderTopStyle"
    with full_house(fake, tmp_path) as house:
        page = chromium.new_page(forced_colors="active")
        page.goto(house.url + "/camera")
        styles = [one.evaluate(outline) for one in page.locator(".modes span").all()]
        assert styles == ["solid", "none"]
        page.goto(house.url)
        settle(page)
        assert [one.evaluate(outline) for one in page.locator(".nav > a").all()] == ["solid", "none", "none", "none"]
        assert [page.locator(box).first.evaluate(border) for box in (".side", ".ask", ".log")] == ["solid"] * 3
        ground = "(one) => getComputedStyle(one).backgroundColor"
        page.goto(house.url + "/boards")
        page.evaluate("save.ariaPressed = true")
        page.evaluate("Object.assign(how.style, { backgroundColor: 'Highlight', forcedColorAdjust: 'none' })")
        highlight, pressed = page.locator("#how").evaluate(ground), page.locator("#save").evaluate(ground)
        tools = [one.evaluate(ground) for one in page.locator(".tools-list span").all()]
        assert [pressed, *(tool == highlight for tool in tools)] == [highlight, True, *[False] * 10]
        page.context.close()


@pytest.mark.parametrize("wish", [{"theme": "dark"}, {"color_scheme": "dark"}])
@pytest.mark.parametrize("path", ["/history", "/help", "/report/1"])
def test_what_is_printed_is_dark_on_white_in_any_theme(
    chromium: Any, fake: FakeCompanion, tmp_path: Path, wish: dict[str, str], path: str
) -> None:
    ground = "(one) => getComputedStyle(one).getPropertyValue('--card').trim()"
    with full_house(fake, tmp_path) as house:
        page = chromium.new_page(color_scheme=wish.get("color_scheme", "light"))
        page.goto(f"{house.url}{path}?theme={wish.get('theme', 'auto')}")
        assert page.locator("html").evaluate(ground) == "#10303d"
        page.emulate_media(media="print")
        assert page.locator("html").evaluate(ground) == "#fffaf0"
        page.context.close()
