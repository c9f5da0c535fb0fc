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
    page.locator("#games-begin-box[open]").wait_for()
    page.locator("input[name='player:p1']").fill("Ann")
    page.locator("input[name='player:p2']").fill("ann")
    page.locator("#games-begin [type=submit]").click()
    page.get_by_text("two are called 'ann'; give each a name").wait_for()
    assert companion.score.game is None
    assert page.locator("input[name='player:p2']").input_value() == "ann", "what was typed is kept"
    pages.complaints.clear()


LONGEST = ["W" * 40, "Maximilienne-Alexandrine de la Rochefouc", "Wolfeschlegelsteinhausenbergerdorff Hube", "x" * 40]
CUT = """() => [...document.querySelectorAll(".side-name span, .side-tag")]
    .filter((e) => e.scrollWidth - e.clientWidth > 1 || e.scrollHeight - e.clientHeight > 1
        || e.getBoundingClientRect().right > e.closest(".side").getBoundingClientRect().right)
    .map((e) => e.textContent)"""
PAST_THE_PICTURE = """() => [...document.querySelectorAll("#charts svg text")].filter((e) => {
    const [box, { width }] = [e.getBBox(), e.ownerSVGElement.viewBox.baseVal];
    return box.x < 0 || box.x + box.width > width;
}).map((e) => e.textContent)"""
LEGEND = """() => {  // how far the lowest name above the chart reaches into it, px
    const [names, lines] = ["[font-weight]", "line"].map((one) => [...document.querySelectorAll(`#charts svg ${one}`)]
        .map((e) => e.getBoundingClientRect()));
    return Math.max(...names.map((r) => r.bottom)) - Math.min(...lines.map((r) => r.top));
}"""


def test_the_longest_names_make_no_page_wider_and_lie_over_no_line_of_a_chart(
    companion: Companion, pages: Browser
) -> None:
    page = pages.open("/", locale="fr-FR")

    def widths(*paths: str) -> dict[tuple[str, int], int]:
        wide = {}
        for path in paths:
            page.goto(page.url.rpartition("/")[0] + path)
            page.wait_for_selector('#link[data-state="live"]')
            page.locator("#scores article, #games-seats li, #which option").first.wait_for(state="attached")
            for width in (360, 1280):
                page.set_viewport_size({"width": width, "height": 740})
                wide[path, width] = page.evaluate("document.documentElement.scrollWidth") - width
        return {where: more for where, more in wide.items() if more > 0}

    seats = {f"p{n + 1}": name for n, name in enumerate(LONGEST)}
    companion.command("new_match", {"game": "armadora", "players": seats, "setup": {"begins": "p1", "seed": 1}})
    companion.tap("p1", "warrior", {"square": "a1", "value": 1})
    assert widths("/", "/games", "/history") == {}
    page.locator("#charts svg").first.wait_for()
    assert page.evaluate(LEGEND) <= 0
    assert page.evaluate(PAST_THE_PICTURE) == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(page.url.rpartition("/")[0] + "/report/1")
    page.locator(".report-log li", has_text=LONGEST[0]).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.go_back()
    companion.command("new_match", {"players": {"red": LONGEST[:2], "green": LONGEST[2:]}, "options": {}})
    assert widths("/", "/seat", "/table", "/games") == {}
    assert not pages.complaints


def test_five_players_have_five_lines_in_the_chart_told_apart_without_colours(
    companion: Companion, pages: Browser
) -> None:
    """The first and the fifth had one colour and one line."""
    names = dict(zip(("p1", "p2", "p3", "p4", "p5"), ["Ann", "Ben", "Cid", "Dan", "Eve"], strict=True))
    companion.command("new_match", {"game": "paper_tales", "players": names, "options": {"cards": "table"}})
    for seat in names:
        companion.tap(seat, "ready", {})
    page = pages.open("/history")
    page.locator("#charts svg text", has_text="Eve").wait_for()
    drawn = page.locator("#charts polyline").evaluate_all("(all) => all.map((e) => e.getAttribute('stroke-dasharray'))")
    told = [page.locator("#charts svg text", has_text=name).inner_html().split(name)[0] for name in names.values()]
    assert len(set(drawn)) == len(set(told)) == len(names)
    assert not pages.complaints


@pytest.mark.parametrize("width", [360, 1280])
def test_of_partners_both_names_are_read_in_the_score(companion: Companion, pages: Browser, width: int) -> None:
    partners = {"red": ["Anne-Sophie", "Maximilien"], "green": ["Bartholomé", "Zoé"]}
    companion.command("new_match", {"players": partners, "options": {}})
    companion.command("start_round", {"begins": "red"})
    page = pages.open("/?lang=fr", width=width, height=740)
    page.locator(".side-tag", has_text="jouer").wait_for()
    assert page.evaluate(CUT) == []
    assert not pages.complaints


BROKEN = """() => [...document.querySelectorAll(".report thead th, .report td")].filter((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getClientRects().length > 1;
}).map((cell) => cell.textContent)"""
PAPER_PX = {"A4": 718, "Letter": 740}  # between the margins that a browser leaves of its own


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_beside_the_longest_names_no_word_of_a_reports_table_is_broken_on_screen_or_paper(
    companion: Companion, pages: Browser, locale: str
) -> None:
    peoples = dict(zip(("knights", "dragons", "winged", "monks"), LONGEST, strict=True))
    companion.command("new_match", {"game": "zargo", "players": peoples, "setup": {"seed": 1}})
    page = pages.open("/", locale=locale)
    page.goto(page.url.rpartition("/")[0] + "/report/1")
    page.locator("th[scope=row]", has_text=LONGEST[0]).wait_for()
    for media, width in (("screen", 360), ("screen", 1280), *(("print", px) for px in PAPER_PX.values())):
        page.set_viewport_size({"width": width, "height": 1000})
        page.emulate_media(media=media)
        assert page.evaluate(BROKEN) == [], (media, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (media, width)
    page.emulate_media(media="screen")
    assert not pages.complaints
