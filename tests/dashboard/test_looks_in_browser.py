"""How every page looks: without a violation that axe knows, at every width, steady, and quick while pucks glide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.dashboard.conftest import Browser
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.full_house import PAGES, full_house, settle
from tests.dashboard.serving import Served

pytestmark = pytest.mark.browser

WIDTHS = (320, 360, 768, 1024, 1920, 1280)  # the last is what the next page comes in
ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"]}
CONTRAST = {**ALL_RULES, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
VIOLATIONS = "options => axe.run(options).then((told) => told.violations)"
MOST_SHIFT = 0.05
LONGEST_TASK_MS = 100
FIT = """() => {  // the widest the page gets while its line is lost and live, and what lies over another
    const link = document.querySelector("#link");
    const wide = Math.max(...["lost", "live"].map((state) => {
        if (link) link.dataset.state = state;
        return document.documentElement.scrollWidth;
    }));
    const seen = (element) => {  // without what scrolling parents hide
        const r = element.getBoundingClientRect();
        let [left, top, right, bottom] = [r.left, r.top, r.right, r.bottom];
        for (let p = element.parentElement; p; p = p.parentElement) {
            if (getComputedStyle(p).overflowY === "visible" || p === document.documentElement) continue;
            const q = p.getBoundingClientRect();
            [left, top] = [Math.max(left, q.left), Math.max(top, q.top)];
            [right, bottom] = [Math.min(right, q.right), Math.min(bottom, q.bottom)];
        }
        return { left, top, right, bottom, width: right - left, height: bottom - top };
    };
    const wanted = "main button, main a.button, main input, main select, header a, h1, h2, .side-of, .key";
    const passed = ".unseen, dialog, .modes, .log-list, details:not([open])";
    const boxes = [...document.querySelectorAll(wanted)]
        .filter((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(passed))
        .map((e) => [e, seen(e)]).filter(([, r]) => r.width > 1 && r.height > 1);
    const found = [];
    for (const [n, [a, r]] of boxes.entries()) for (const [b, q] of boxes.slice(n + 1)) {
        if (a.contains(b) || b.contains(a)) continue;
        const wide = Math.min(r.right, q.right) - Math.max(r.left, q.left);
        const high = Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top);
        if (wide > 1 && high > 1) found.push(`${a.textContent || a.id} / ${b.textContent || b.id}`);
    }
    return [wide, found];
}"""


CONTROLS = "a[href], button, input, select, summary, textarea, [role=button]"
UNDER = """async ([text, controls]) => {  // what a message covers of what can be pressed
    const { toast } = await import("/static/js/link.js");
    await new Promise(requestAnimationFrame);  // the window's size is known to all
    toast(text);
    const t = document.querySelector("#toast").getBoundingClientRect();
    const inside = t.left >= 0 && t.top >= 0 && t.right <= innerWidth && t.bottom <= innerHeight;
    const covered = [...document.querySelectorAll(controls)].filter((e) => {
        const r = e.checkVisibility({ visibilityProperty: true }) && !e.closest(".unseen") && e.getBoundingClientRect();
        return r && r.width > 1 && Math.min(r.right, t.right) - Math.max(r.left, t.left) > 1
            && Math.min(r.bottom, t.bottom) - Math.max(r.top, t.top) > 1;
    });
    return [...covered.map((e) => e.id || e.textContent || e.name), ...(inside ? [] : ["the window's edge"])];
}"""
MESSAGE = "Pas de réponse ; regardez si c’est fait."
LONG_MESSAGE = (
    "cela a été corrigé entre-temps, ou quelque chose a été annulé ; fermez ceci, regardez ce qui compte à présent, et "
    "refaites-le si c’est bien ce que vous voulez"
)
ENLARGED = ((185, 330), (185, 160), (256, 144), (320, 180))
SCREENS = ((320, 640), (360, 740), (768, 1024), (1280, 720), (1920, 1080), (2560, 1440))


@pytest.fixture
def house(fake: FakeCompanion, tmp_path: Path) -> Iterator[Served]:
    with full_house(fake, tmp_path) as served:
        yield served


def opened(pages: Browser, path: str, **options: Any) -> Any:
    page = pages.open(path, live=False, **options)
    settle(page)
    return page


def violations(page: Any, options: dict[str, Any] = ALL_RULES) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return [
        f"{v['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for v in page.evaluate(VIOLATIONS, options)
        for node in v["nodes"]
    ]


def in_light(page: Any) -> list[str]:
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    return violations(page)


def in_dark(page: Any, options: dict[str, Any] = ALL_RULES) -> list[str]:
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    return violations(page, options)


def contrast_in_dark(page: Any) -> list[str]:
    """After a look in light: nothing but colours differs."""
    return in_dark(page, CONTRAST)


def at_every_width(page: Any) -> list[str]:
    """What overflows or lies over another; in French, as its words are the longer ones, and now and then in English."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800 if width < 1000 else 1000})
        wide, over = page.evaluate(FIT)
        found += [f"at {width}: {told}" for told in (*over, *([f"{wide} px wide"] if wide > width else []))]
    return found


def messages_apart(page: Any) -> list[str]:
    """Where a short message lies over something that can be pressed."""
    found = []
    for width, height in SCREENS if page.query_selector("#toast") else ():
        page.set_viewport_size({"width": width, "height": height})
        for told in page.evaluate(UNDER, [MESSAGE, CONTROLS]):
            found.append(f"at {width}: a message over {told}")
    return found


def test_a_long_message_is_seen_whole_in_a_window_that_is_much_enlarged(house: Served, chromium: Any) -> None:
    page = opened(Browser(chromium, house), "/", locale="fr-FR")
    for width, height in ENLARGED:
        page.set_viewport_size({"width": width, "height": height})
        assert "the window's edge" not in page.evaluate(UNDER, [LONG_MESSAGE, CONTROLS]), (width, height)


@pytest.mark.parametrize(
    ("locale", "looks"),
    [
        ("en-GB", (in_light, contrast_in_dark)),
        ("fr-FR", (in_light, at_every_width, messages_apart)),
        pytest.param("en-GB", (at_every_width,), marks=pytest.mark.long),
        pytest.param("fr-FR", (in_dark,), marks=pytest.mark.long),
    ],
)
def test_no_page_shuts_anybody_out_overflows_or_lies_over_itself(
    house: Served, chromium: Any, locale: str, looks: tuple[Callable[[Any], list[str]], ...]
) -> None:
    pages = Browser(chromium, house)
    page = pages.open("/", locale=locale)
    found = []
    for path in PAGES:
        page.goto(house.url + path)
        settle(page)
        found += [f"{path} {look.__name__}: {told}" for look in looks for told in look(page)]
    assert found == []
    pages.close()


def test_no_page_is_wider_than_a_phone_in_letters_twice_as_large(house: Served, chromium: Any) -> None:
    """As whoever sees badly sets a phone: what does not fit beside goes below, and nothing is scrolled sideways."""
    pages = Browser(chromium, house)
    page = pages.open("/", locale="fr-FR", width=360, height=740)
    found = []
    for path in PAGES:
        page.goto(house.url + path)
        settle(page)
        for percent in (130, 200):
            page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
            wide = page.evaluate("document.documentElement.scrollWidth")
            found += [f"{path} at {percent} %: {wide} px"] if wide > 360 else []
    assert found == []
    pages.close()


@pytest.mark.parametrize(
    ("path", "button", "dialog"),
    [("/", "#open-settings", "#settings"), ("/", "#open-new-match", "#new-match"), ("/referee", "#by-hand", "#tell")],
)
def test_axe_finds_nothing_in_a_dialog(house: Served, chromium: Any, path: str, button: str, dialog: str) -> None:
    pages = Browser(chromium, house)
    page = opened(pages, path)
    page.click(button)
    page.wait_for_selector(f"{dialog}[open]")
    assert in_light(page) == []
    assert contrast_in_dark(page) == []
    pages.close()


@pytest.mark.long  # it needs a machine that does nothing else
def test_nothing_shifts_and_no_task_is_long_while_pucks_glide(
    house: Served, fake: FakeCompanion, chromium: Any
) -> None:
    pages = Browser(chromium, house)
    page = opened(pages, "/")
    page.evaluate(
        "window.tasks = []; new PerformanceObserver(l => tasks.push(...l.getEntries().map(e => e.duration)))"
        ".observe({type: 'longtask'}); window.shift = 0; window.drawn = 0;"
        "new PerformanceObserver(l => l.getEntries().forEach(e => shift += e.value))"
        ".observe({type: 'layout-shift', buffered: true});"
        "new MutationObserver(m => drawn += m.length)"
        ".observe(document.querySelector('[data-puck=\"red-5\"]'), {attributes: true})"
    )
    for step in range(40):
        pucks = [{"puck": f"red-{n}", "team": "red", "number": n, "x_mm": 100.0 + 10 * step, "y_mm": 60.0 * n}
                 for n in range(1, 8)]  # fmt: skip
        fake.seen = {**fake.seen, "state": "shot", "pucks": pucks}
        page.wait_for_timeout(33)
        if step % 20 == 10:
            fake.append("shot", players=fake.points(step, 2), last={"en": f"Shot {step}.", "fr": "x"})
    drawn, shift, tasks = page.evaluate("[drawn, shift, tasks]")
    assert drawn > 30
    assert shift <= MOST_SHIFT
    assert [t for t in tasks if t > LONGEST_TASK_MS] == []
    pages.close()


@pytest.mark.parametrize("path", ["/", "/lobby", "/help"])
def test_a_page_does_not_shift_while_it_comes(house: Served, chromium: Any, path: str) -> None:
    pages = Browser(chromium, house)
    page = opened(pages, path, width=390, height=844)
    page.evaluate(
        "window.shift = 0; new PerformanceObserver(l => l.getEntries().forEach(e => shift += e.value))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    page.wait_for_timeout(100)
    assert page.evaluate("shift") <= MOST_SHIFT
    pages.close()
