"""Hands faster than a slow tablet: what is pressed before the page's script is there waits, and is done then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.dashboard.conftest import Browser, until
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.full_house import full_house
from tests.dashboard.serving import Served

pytestmark = pytest.mark.browser


@pytest.fixture
def served(fake: FakeCompanion, tmp_path: Path) -> Iterator[Served]:
    with full_house(fake, tmp_path) as house:
        yield house


@contextmanager
def before_the_script(browser: Browser, path: str, script: str = "main") -> Iterator[Any]:
    """A page whose script comes when the block ends."""
    page = browser.open("/help")
    held: list[Any] = []
    page.route(f"**/js/{script}.js", lambda route: held.append(route))
    page.goto(page.url.replace("/help", path), wait_until="commit")
    yield page
    until(page, lambda: held)
    for route in held:
        route.continue_()


def test_a_code_for_a_phone_is_made_once_however_often_it_was_asked_for(browser: Browser, served: Served) -> None:
    with before_the_script(browser, "/lobby") as page:
        page.fill("#pass-label", "Zoé")
        for _ in range(4):
            page.click("#pass-player")
        assert page.locator("#pass-player").get_attribute("data-waits") is not None, "it is seen to wait"
    page.locator("#pass-made figure").first.wait_for()
    assert [one.label for one in served.access.passes()].count("Zoé") == 1
    assert page.locator("[data-waits]").count() == 0
    page.click("#pass-player")
    until(page, lambda: len(served.access.passes()) == 3)
    assert not browser.complaints


def test_of_two_buttons_the_one_that_was_pressed_last_is_meant(browser: Browser, served: Served) -> None:
    with before_the_script(browser, "/lobby") as page:
        page.click("#code-owner")
        page.click("#pass-player")
    page.locator("#pass-made figure").first.wait_for()
    assert page.locator("#code-told").inner_text() == ""


def test_a_code_that_is_typed_and_sent_early_is_sent_when_the_script_is_there(browser: Browser) -> None:
    with before_the_script(browser, "/join") as page:
        page.fill("#code", "WRONG-CODE")
        page.press("#code", "Enter")
        assert "WRONG" not in page.url
    page.locator("#toast", has_text="this is no code of this table").wait_for()


@pytest.mark.parametrize(
    ("path", "button", "said"), [("/calibration", "#pose-corners", "corner"), ("/boards", "#by-corners", "picture")]
)
def test_pages_for_setting_up_do_what_was_asked_early(browser: Browser, path: str, button: str, said: str) -> None:
    with before_the_script(browser, path, path.strip("/")) as page:
        before = page.locator(".set-up").inner_text()
        page.click(button)
    until(page, lambda: page.locator(".set-up").inner_text() != before)
    page.locator(".set-up [role=status], .set-up .hint", has_text=said).first.wait_for()


def test_a_page_whose_script_a_bad_line_kept_back_is_loaded_anew(browser: Browser) -> None:
    page = browser.open("/help?lang=fr")
    tries: list[Any] = []

    def lost_once(route: Any) -> None:
        tries.append(route)
        route.abort() if len(tries) == 1 else route.continue_()

    page.route("**/js/main.js", lost_once)
    page.goto(page.url.replace("/help?lang=fr", "/lobby"), wait_until="commit")
    page.locator("#toast", has_text="La connexion s’est perdue").wait_for()
    page.wait_for_selector('#link[data-state="live"]')
    assert len(tries) == 2


@pytest.mark.parametrize(("path", "script"), [("/table", "flick"), ("/seat", "seat"), ("/referee", "referee")])
def test_a_key_before_the_script_of_a_pages_own_takes_nothing_back_twice(
    browser: Browser, fake: FakeCompanion, path: str, script: str
) -> None:
    with before_the_script(browser, path, script) as page:
        page.locator("#stage svg").first.wait_for(state="attached")
        page.keyboard.press("u")
    page.locator("body[data-ready]").wait_for()
    page.click("#pause")
    until(page, lambda: "pause" in [name for name, _, _ in fake.commands])
    assert [name for name, _, _ in fake.commands].count("undo") <= 1
    assert not browser.complaints


@pytest.mark.parametrize(("path", "script"), [("/table", "flick"), ("/seat", "seat"), ("/referee", "referee")])
def test_a_dialog_is_closed_although_the_script_of_a_pages_own_is_lost(
    browser: Browser, path: str, script: str
) -> None:
    page = browser.open("/help")
    page.evaluate("sessionStorage.setItem('paleo.loaded-anew', String(Date.now()))")  # it is not loaded anew once more
    page.route(f"**/js/{script}.js", lambda route: route.abort("connectionfailed"))
    page.goto(page.url.replace("/help", path))
    page.click("#open-settings")
    page.locator("#settings").get_by_role("button", name="Close").click()
    page.locator("#settings").wait_for(state="hidden")
    assert browser.complaints_but("ERR_CONNECTION_FAILED") == []
