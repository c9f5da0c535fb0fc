"""A camera that is away, or sees no board, is told on every page: the board there looks like one that is watched."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import Browser
from tests.dashboard.fake import FakeCompanion, played_entries
from vision.events import SourceLost
from vision.worker_messages import EventMessage, StatusMessage

pytestmark = pytest.mark.browser

PAGES = ("/", "/table", "/seat", "/games", "/lobby", "/history", "/help", "/referee", "/join")
LOST = {"state": "lost", "why": "", "away": True}
WELL = {"state": "running", "why": "", "away": False}


def seen(fake: FakeCompanion, camera: dict[str, Any], state: str = "still", found: bool = True) -> None:
    fake.seen = {**fake.seen, "camera": camera, "state": state, "pose_known": found}


@pytest.mark.parametrize(("lang", "says"), [
    ("en", "Camera: Lost; looking for it. Look at the camera's plug; it is looked for until it is back. Shots can be "
           "entered by hand."),
    ("fr", "Caméra\u00a0: Perdue ; on la cherche. Voyez la prise de la caméra ; on la cherche jusqu’à son retour. "
           "Les coups peuvent être saisis à la main."),
])  # fmt: skip
def test_every_page_says_that_the_camera_is_lost_and_what_to_do(
    pages: Browser, companion: Companion, lang: str, says: str
) -> None:
    companion.command("new_match", {"players": {}, "options": {}})
    companion.take(EventMessage(SourceLost(1.0, "no picture from the camera")))
    companion.take(StatusMessage("lost"))
    for path in PAGES:
        page = pages.open(f"{path}?lang={lang}")
        page.locator("#camera-note", has_text=says[:6]).wait_for()
        assert " ".join(page.inner_text("#camera-note").split()) == " ".join(says.split()), path
    assert pages.complaints == []


def test_every_page_says_that_what_is_seen_cannot_be_kept(browser: Any, fake: FakeCompanion) -> None:
    """A full disk was told on the referee's page alone; on the others the score stood still without a word."""
    fake.seen = {**fake.seen, "camera": WELL, "kept": False}
    page = browser.open("/?lang=fr")
    page.locator("#camera-note", has_text="le plus souvent, le disque est plein").wait_for()
    fake.seen = {**fake.seen, "kept": True}
    page.locator("#camera-note").wait_for(state="hidden")
    assert browser.complaints == []


def test_a_camera_that_comes_back_is_no_longer_told_of(browser: Any, fake: FakeCompanion) -> None:
    seen(fake, {"state": "starting", "why": "", "away": True})
    page = browser.open("/?lang=fr")
    page.locator("#camera-note", has_text="Bloquée ; on la relance").wait_for()
    assert "l’objectif est-il couvert" in page.inner_text("#camera-note")
    seen(fake, WELL)
    page.locator("#camera-note").wait_for(state="hidden")
    assert browser.complaints == []


@pytest.mark.parametrize(("found", "says"), [(True, "does not see the board"), (False, "has not found the board yet")])
def test_a_camera_that_sees_no_board_is_told_after_a_while(
    browser: Any, fake: FakeCompanion, found: bool, says: str
) -> None:
    seen(fake, WELL)
    page = browser.open("/?lang=en")
    seen(fake, WELL, "searching", found)
    page.wait_for_timeout(1000)
    assert page.locator("#camera-note").is_hidden(), "somebody leans over it"
    page.locator("#camera-note", has_text=says).wait_for()
    seen(fake, WELL, "still")
    page.locator("#camera-note").wait_for(state="hidden")


@pytest.mark.parametrize("match", [{"kept_by": "taps"}, {"game": "zargo"}])
def test_a_match_that_no_camera_tells_is_not_bothered_with_it(
    browser: Any, fake: FakeCompanion, match: dict[str, Any]
) -> None:
    played_entries(fake)
    fake.append("note", {}, **match)
    seen(fake, LOST)
    page = browser.open("/history")
    page.wait_for_timeout(500)
    assert page.locator("#camera-note").is_hidden()


def test_sensors_that_are_not_found_are_no_step_that_is_done(browser: Any, fake: FakeCompanion) -> None:
    told = {"en": "tty9: there is no such port", "fr": "tty9 : ce port n’existe pas"}
    well = fake.health()
    fake.health = lambda: {**well, "sensors": {"state": "searching", "told": told}}  # type: ignore[method-assign]
    page = browser.open("/lobby?lang=fr")
    step = page.locator("#steps li", has_text="capteurs")
    step.wait_for()
    assert step.get_attribute("data-done") == "false"
    assert told["fr"] in " ".join(step.inner_text().split())
