"""A line that fails in the very moment in which a page asks for something: what is missing comes later."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import Browser, until
from tests.dashboard.test_games_in_browser import begun

pytestmark = pytest.mark.browser


def fails_once(page: Any, address: str) -> list[str]:
    """The line is lost when this address is first asked for; gives what was lost."""
    lost: list[str] = []

    def handle(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort("connectionfailed")

    page.route(address, handle)
    return lost


@pytest.mark.parametrize("address", ["**/api/games", "**/js/game_armadora.js", "**/api/seats", "**/api/shelf"])
def test_what_a_failing_line_kept_back_is_there_with_the_next_news(
    companion: Companion, pages: Browser, address: str
) -> None:
    begun(companion, "armadora", begins="ann")
    page = pages.open("/history")
    lost = fails_once(page, address)
    page.goto(page.url.replace("/history", "/games"))
    page.wait_for_selector('#link[data-state="live"]')
    until(page, lambda: lost)
    page.evaluate("fetch('/healthz').then((answer) => answer.text())")  # the page has heard by now that it is
    companion.tap("ann", "warrior", {"square": "a1", "value": 3})
    page.locator("#games-board title", has_text="a1").first.wait_for(state="attached")
    page.locator("#games-seats [data-seat=ann]").wait_for()
    page.locator("#games-begin-box summary").first.click()
    page.locator("#games-begin select[name=game]").wait_for()
    assert page.locator("#games-what").inner_text() == "Armadöra"
    assert pages.complaints_but("ERR_CONNECTION_FAILED") == []
    pages.complaints.clear()


@pytest.mark.parametrize(
    ("path", "address", "shows"),
    [
        ("/history", "**/api/statistics", "#which option"),
        ("/history", "**/api/games", "#which option"),
        ("/lobby", "**/api/access", "#passes li"),
    ],
)
def test_what_a_failing_line_kept_back_is_there_without_any_news(
    companion: Companion, pages: Browser, path: str, address: str, shows: str
) -> None:
    begun(companion, "armadora", begins="ann")
    page = pages.open("/help")
    lost = fails_once(page, address)
    page.goto(page.url.replace("/help", path))
    page.locator(shows).first.wait_for(state="attached")
    assert lost
    assert pages.complaints_but("ERR_CONNECTION_FAILED") == []
    pages.complaints.clear()


def test_a_history_that_is_refused_is_not_asked_for_again_and_again(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    page = pages.open("/help")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/statistics") else None)
    page.route("**/api/statistics", lambda route: route.fulfill(status=403, body="{}"))
    page.goto(page.url.replace("/help", "/history"))
    page.locator("#toast", has_text="That was refused").wait_for()
    page.wait_for_timeout(3000)  # a line that had failed would have been tried again by then
    assert len(asked) == 1
    assert pages.complaints_but("403") == []
    pages.complaints.clear()


def test_a_history_that_a_fault_of_the_servers_kept_back_is_asked_for_again(
    companion: Companion, pages: Browser
) -> None:
    begun(companion, "armadora", begins="ann")
    page = pages.open("/help")
    page.route("**/api/statistics", lambda route: route.fulfill(status=500, body="{}"), times=1)
    page.goto(page.url.replace("/help", "/history"))
    page.locator("#toast", has_text="That was refused").wait_for()
    page.locator("#which option").first.wait_for(state="attached")
    assert pages.complaints_but("500") == []
    pages.complaints.clear()


def test_what_something_between_answers_is_told_in_words_for_people(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    page = pages.open("/games")
    page.route("**/claim", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    page.locator("[data-seat=ann]").click()
    page.locator("#toast", has_text="That was refused; nothing was changed.").wait_for()
    assert pages.complaints_but("502") == []
    pages.complaints.clear()


def test_names_that_are_being_typed_are_not_lost_to_a_boards_script_that_was_missed(
    companion: Companion, pages: Browser
) -> None:
    begun(companion, "armadora", begins="ann")
    page = pages.open("/help")
    missed = True
    page.route("**/js/game_armadora.js", lambda route: route.abort() if missed else route.continue_())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/seats") else None)
    page.goto(page.url.replace("/help", "/games"))
    page.locator("#games-begin-box summary").first.click()
    name = page.locator("#games-begin input[name^=player]").first
    name.fill("Zoé")
    for value, square in enumerate(("a1", "b1", "c1")):  # each of them has the board asked for once more
        before = len(asked)
        companion.tap(("ann", "ben")[value % 2], "warrior", {"square": square, "value": 1})
        until(page, lambda before=before: len(asked) > before)
    assert name.input_value() == "Zoé"
    missed = False
    page.locator("#games-begin-box summary").first.click()
    page.locator("#games-board title", has_text="a1").first.wait_for(state="attached")
    assert pages.complaints_but("ERR_FAILED") == []
    pages.complaints.clear()


def test_earlier_entries_that_a_failing_line_kept_back_are_there_without_any_news(
    companion: Companion, pages: Browser
) -> None:
    begun(companion, "armadora", begins="ann")
    companion.tap("ann", "warrior", {"square": "a1", "value": 1})
    page = pages.open("/games")
    page.locator("#games-board title", has_text="a1").first.wait_for(state="attached")
    lost = fails_once(page, "**/api/amend*")
    page.locator("#games-earlier summary").click()
    page.locator("#games-entries li").first.wait_for()
    assert lost
    assert pages.complaints_but("ERR_CONNECTION_FAILED") == []
    pages.complaints.clear()


@pytest.mark.parametrize(
    ("path", "script", "shows"),
    [
        ("/games", "games", "#games-begin select[name=game]"),
        ("/history", "history", "#which option"),
        ("/seat", "seat", "#mine-choose button"),
    ],
)
def test_a_page_whose_script_was_kept_back_is_loaded_anew_once_there_is_a_line(
    companion: Companion, pages: Browser, path: str, script: str, shows: str
) -> None:
    companion.command("new_match", {"players": {}, "options": {}})
    page = pages.open("/help")
    lost = fails_once(page, f"**/js/{script}.js")
    page.goto(page.url.replace("/help", path))
    page.locator(shows).first.wait_for(state="attached")
    assert lost
    assert pages.complaints_but("ERR_CONNECTION_FAILED") == []
    pages.complaints.clear()


def test_a_page_is_loaded_anew_although_its_devices_clock_was_set_back_since_the_last_time(
    companion: Companion, pages: Browser
) -> None:
    companion.command("new_match", {"players": {}, "options": {}})
    page = pages.open("/help")
    page.evaluate("sessionStorage.setItem('paleo.loaded-anew', String(Date.now() + 3_600_000))")
    fails_once(page, "**/js/games.js")
    page.goto(page.url.replace("/help", "/games"))
    page.locator("#games-begin select[name=game]").first.wait_for(state="attached")
    pages.complaints.clear()


def test_a_page_whose_script_never_comes_is_not_loaded_over_and_over(companion: Companion, pages: Browser) -> None:
    page = pages.open("/help")
    asked: list[str] = []

    def never(route: Any) -> None:
        asked.append(route.request.url)
        route.abort("connectionfailed")

    page.route("**/js/games.js", never)
    page.goto(page.url.replace("/help", "/games"))
    until(page, lambda: len(asked) == 2)
    page.wait_for_selector('#link[data-state="live"]')
    page.wait_for_timeout(1500)
    assert len(asked) == 2
    pages.complaints.clear()
