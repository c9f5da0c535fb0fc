"""A tap counts although there are news between its press and its release: nothing moves under a finger, on no page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.app import Companion
from tests.dashboard.conftest import Browser, until
from tests.dashboard.fake import LOG, FakeCompanion, question
from tests.dashboard.full_house import full_house
from tests.dashboard.test_camera_note_in_browser import LOST, WELL, seen
from tests.dashboard.test_games_in_browser import PLAYERS, begun, seated
from tests.dashboard.test_zargo_in_browser import at as zargo_at
from tests.dashboard.test_zargo_in_browser import seated as zargo_seated

pytestmark = pytest.mark.browser

DRAWN_MS = 300  # time for what has come to be drawn
SLOW_MS = 2500
PHONE = {"width": 360, "height": 740}


@contextmanager
def pressed(page: Any, button: Any) -> Iterator[None]:
    """A press on a button that ends with the block; the pointer stays where the button was."""
    button.hover()
    page.mouse.down()
    yield
    page.wait_for_timeout(DRAWN_MS)
    page.mouse.up()


def pressed_before(page: Any, button: Any, url: str, happens: Callable[[], Any]) -> None:
    """Presses a button, lets what is asked for at an address after something has happened be answered, and lets go."""
    button.wait_for()
    held: list[Any] = []
    meanwhile = True
    page.route(url, lambda route: held.append(route) if meanwhile else route.continue_())
    happens()
    until(page, lambda: held)
    page.wait_for_timeout(DRAWN_MS)  # all else that has changed is drawn by now
    with pressed(page, button):
        meanwhile = False
        for route in held:
            route.continue_()


@pytest.mark.parametrize("game", PLAYERS)
def test_a_seat_is_taken_although_the_board_comes_between_press_and_release(
    companion: Companion, pages: Browser, game: str
) -> None:
    begun(companion, game)
    page = pages.open("/", **PHONE)
    held: list[Any] = []
    page.route(f"**/js/game_{game}.js", lambda route: held.append(route))
    page.goto(page.url + "games")
    until(page, lambda: held)
    page.wait_for_timeout(DRAWN_MS)
    seat = page.locator("#games-seats li").first.get_by_role("button")
    if not seat.count():  # nothing is there to press as long as the board may still move it
        held[0].continue_()
        held.clear()
    with pressed(page, seat):
        for route in held:
            route.continue_()
    page.locator("[data-leave]").wait_for()
    assert not pages.complaints


def test_a_match_is_taken_up_although_the_list_comes_anew_meanwhile(companion: Companion, pages: Browser) -> None:
    for game in ("armadora", "sacrifice"):
        begun(companion, game, begins="ann")
    page = pages.open("/games")
    resumes = page.locator("[data-resume]")
    resumes.wait_for()
    begun(companion, "paper_tales")
    until(page, lambda: resumes.count() == 2)
    pressed_before(page, resumes.last, "**/api/shelf", lambda: companion.command("undo", {}))
    until(page, lambda: companion.score.game == "armadora")
    assert not pages.complaints


def test_an_earlier_entry_is_taken_back_although_the_list_comes_anew_meanwhile(
    companion: Companion, pages: Browser
) -> None:
    begun(companion, "armadora", begins="ann")
    companion.tap("ann", "warrior", {"square": "a1", "value": 1})
    page = seated(pages, 0)
    page.locator("#games-earlier summary").click()
    button = page.locator("#games-entries").get_by_role("button", name="Take back")
    warrior = ("ben", "warrior", {"square": "b1", "value": 1})
    pressed_before(page, button, "**/api/amend?*", lambda: companion.tap(*warrior))
    page.locator("#games-change [data-do=accept]").wait_for()
    assert not pages.complaints


def test_a_second_counter_is_chosen_although_the_first_is_answered_meanwhile(
    companion: Companion, pages: Browser
) -> None:
    zargo_at(companion, "engagements")
    page = zargo_seated(pages)
    one, other = (page.locator(f"[data-counter=knights-knight-{n}]") for n in (1, 2))
    pressed_before(page, other, "**/offers?*", one.click)
    page.locator("[data-plan='who:knights-knight-2'][aria-pressed=true]").wait_for()
    assert page.locator("[data-plan='who:knights-knight-1'][aria-pressed=true]").count() == 1
    assert not pages.complaints


def news(fake: FakeCompanion) -> None:
    """Something happens: a new line in the log, another shot, and a notice about the reefs."""
    lines = [*LOG, {**LOG[0], "id": 5, "en": "Something else.", "fr": "Autre chose."}]
    shots = [*fake.score.get("ruled", ()), {"id": 5, "facts": FACTS}]
    fake.append("news", log=lines, last=lines[-1], ruled=shots, reef_notices=[LOG[0]])


FACTS = {"flicked": "red-1", "touched": [], "doors": [], "exits": [], "on_gate": []}
SHOTS = [{"id": 2, "facts": FACTS}, {"id": 4, "facts": FACTS}]


@pytest.mark.parametrize("path", ["/", "/referee"])
@pytest.mark.parametrize(
    ("score", "button", "does"),
    [
        ({"question": question()}, "#ask .ask-choices button >> nth=0", "answer"),
        ({"phase": "placing"}, "#ask .ask-choices button >> nth=0", "start_round"),
        ({"ruled": SHOTS}, "#otherwise button", "tells"),
        ({"ruled": SHOTS}, "#log .log-correct", "tells"),
    ],
    ids=["an answer", "who begins", "the last shot", "an earlier shot"],
)
def test_what_is_pressed_on_the_pages_of_paleo_is_done_although_there_are_news(
    browser: Browser, fake: FakeCompanion, path: str, score: Any, button: str, does: str
) -> None:
    fake.append("begun", **score)
    page = browser.open(path, **PHONE)
    with pressed(page, page.locator(button)):
        news(fake)
    if does == "tells":
        page.locator("#tell[open]").wait_for()
    else:
        until(page, lambda: does in [name for name, _, _ in fake.commands])
    page.locator("#log", has_text="Something else.").wait_for()
    assert browser.complaints == []


def test_a_slow_press_counts(browser: Browser, fake: FakeCompanion) -> None:
    fake.append("begun", question=question())
    page = browser.open("/", **PHONE)
    with pressed(page, page.locator("#ask .ask-choices button").first):
        news(fake)
        page.wait_for_timeout(SLOW_MS)
    until(page, lambda: "answer" in [name for name, _, _ in fake.commands])


@pytest.fixture
def housed(fake: FakeCompanion, chromium: Any, tmp_path: Path) -> Iterator[Browser]:
    with full_house(fake, tmp_path) as served:
        opened = Browser(chromium, served)
        yield opened
        opened.close()


def test_a_pass_is_ended_although_the_list_comes_anew_meanwhile(housed: Browser) -> None:
    page = housed.open("/lobby", **PHONE)
    end = page.locator("#passes li", has_text="Ada's phone").get_by_role("button")
    pressed_before(page, end, "**/api/access", page.locator("#code-owner").click)
    page.wait_for_selector("#passes:has-text('Nobody came in')")
    assert housed.complaints == []


def test_a_chart_is_saved_although_the_history_comes_anew_meanwhile(housed: Browser, fake: FakeCompanion) -> None:
    page = housed.open("/history", **PHONE)
    save = page.locator("#charts figure button").first
    with page.expect_download():
        pressed_before(page, save, "**/api/statistics", lambda: fake.append("note"))
    assert housed.complaints == []


def test_a_backup_is_saved_although_the_referees_page_has_more_to_say_meanwhile(
    housed: Browser, fake: FakeCompanion
) -> None:
    page = housed.open("/referee", **PHONE)
    page.locator("#states li").first.wait_for()
    well = fake.health()
    ill = {**well, "camera": {**well["camera"], "state": "lost"}}
    with page.expect_download():
        save = page.locator("a[href='/backup.zip']")
        pressed_before(page, save, "**/healthz", lambda: setattr(fake, "health", lambda: ill))
    page.locator("#states [data-well=false]").wait_for()
    assert housed.complaints == []


def test_an_answer_is_given_although_the_camera_is_lost_meanwhile(browser: Browser, fake: FakeCompanion) -> None:
    """What is said of the camera lies above all else."""
    seen(fake, WELL)
    fake.append("begun", question=question())
    page = browser.open("/", **PHONE)
    with pressed(page, page.locator("#ask .ask-choices button").first):
        seen(fake, LOST)
    until(page, lambda: "answer" in [name for name, _, _ in fake.commands])
    page.locator("#camera-note").wait_for()
    assert browser.complaints == []


def test_two_people_tap_one_screen_at_once(companion: Companion, pages: Browser) -> None:
    """Where one finger is lifted the other one is still down."""
    begun(companion, "paper_tales")
    page = seated(pages, 0, has_touch=True)
    page.locator("button.card >> nth=8").wait_for()
    held, lifted = (
        {**middle(page.locator(place).first), "id": n} for n, place in enumerate(["button.card", "#games-what"])
    )
    page.locator("button.card").first.evaluate("(card) => { card.id = 'held'; }")
    touch = page.context.new_cdp_session(page)
    for kind, points in (("touchStart", [held]), ("touchStart", [held, lifted])):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    packet = companion.seat_view("ben")["players"][1]["own"]["packet"]
    companion.tap("ben", "keep", {"card": packet[0]["card"], "discard": packet[1]["card"]})
    for kind, points in (("touchMove", [held, lifted]), ("touchEnd", [held])):
        page.wait_for_timeout(DRAWN_MS)
        assert page.locator("#held").count() == 1
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_timeout(DRAWN_MS)
    assert page.locator("#held").count() == 1, "the first one is still down"
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.locator("#held").wait_for(state="detached")


def middle(place: Any) -> dict[str, float]:
    box = place.bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def test_a_tap_is_meant_for_the_seat_that_the_board_was_drawn_for(companion: Companion, pages: Browser) -> None:
    """One screen holds both seats, and the turn has passed, but the other seat's board is not there yet."""
    begun(companion, "armadora", begins="ann")
    page = seated(pages, 1)
    page.locator("[data-seat=ann]").click()
    page.locator("[data-leave=ann]").wait_for()
    page.locator("[data-square=b1]").click()
    held: list[Any] = []
    page.route("**/api/seat/ben", lambda route: held.append(route))
    companion.tap("ann", "warrior", {"square": "a1", "value": 1})
    until(page, lambda: held)
    with page.expect_request("**/act") as asked:
        page.get_by_role("button", name="warrior b1 3").click()
    assert asked.value.url.endswith("/api/seat/ann/act")
    page.locator("#toast", has_text="turn").wait_for()
    held[0].continue_()
    until(page, lambda: page.locator("[data-seat=ben][aria-pressed=true]").count())
    assert companion.score.state.turn == 1
