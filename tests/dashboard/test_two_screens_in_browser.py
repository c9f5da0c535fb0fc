"""Screens that act at once, and hands that are faster than the page: nothing is lost, and nothing is told to others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app import Companion
from companion.games.base import IllegalMove
from tests.dashboard.conftest import Browser, until
from tests.dashboard.fake import FakeCompanion, question
from tests.dashboard.full_house import camera_picture, full_house
from tests.dashboard.serving import Served

pytestmark = pytest.mark.browser

AGAIN_MS = 600  # whoever taps again after this means it: it is no double tap


@pytest.fixture
def house(fake: FakeCompanion, tmp_path: Path) -> Iterator[Served]:
    with full_house(fake, tmp_path) as served:
        yield served


@pytest.fixture
def housed(chromium: Any, house: Served) -> Iterator[Browser]:
    opened = Browser(chromium, house)
    yield opened
    opened.close()


def test_a_code_that_is_typed_before_the_script_is_there_gets_into_no_address(browser: Browser) -> None:
    page = browser.open("/")
    held: list[Any] = []
    page.route("**/js/main.js", lambda route: held.append(route))
    page.goto(page.url + "join", wait_until="commit")
    page.fill("#code", "SECRET-CODE")
    until(page, lambda: held)
    page.press("#code", "Enter")
    page.wait_for_timeout(300)
    assert "SECRET" not in page.url
    assert page.input_value("#code") == "SECRET-CODE", "it need not be typed again"
    for route in held:
        route.continue_()


def test_a_match_that_was_begun_meanwhile_is_not_ended_by_a_dialog_that_was_open(
    browser: Browser, fake: FakeCompanion
) -> None:
    page = browser.open("/?lang=fr")
    page.click("#open-new-match")
    fake.append("match_started", {}, match=2)
    page.locator("#toast", has_text="autre écran").wait_for()
    assert page.locator("#new-match").is_hidden()
    page.wait_for_timeout(AGAIN_MS)
    page.click("#open-new-match")
    page.click("#new-match-start")
    page.locator("#new-match").wait_for(state="hidden")
    assert [name for name, _, _ in fake.commands] == ["new_match"], "whoever asks again means it"


def test_a_match_of_another_game_that_was_begun_meanwhile_is_not_ended_by_a_dialog(
    companion: Companion, pages: Browser
) -> None:
    """Each game counts its own matches: the third of one and the first of another are told apart all the same."""
    for _ in range(3):
        companion.command("new_match", {"game": "paleo", "players": {}})
    page = pages.open("/")
    page.click("#open-new-match")
    companion.command("new_match", {"game": "paper_tales", "players": {"ann": "Ann", "ben": "Ben"}})
    page.locator("#toast", has_text="another screen").wait_for()
    assert page.locator("#new-match").is_hidden()


def test_begin_on_the_games_page_ends_no_match_that_was_begun_meanwhile(companion: Companion, pages: Browser) -> None:
    page = pages.open("/games?lang=fr")
    page.locator("#games-begin-box[open]").wait_for()
    page.locator("select[name=game]").select_option("armadora")
    page.fill("input[name='player:p1']", "Zoé")
    companion.command("new_match", {"game": "sacrifice", "players": {"ann": "Ann", "ben": "Ben"}})
    page.locator("#toast", has_text="autre écran").wait_for()
    assert not page.locator("#games-begin-box").evaluate("(box) => box.open")
    page.wait_for_timeout(AGAIN_MS)
    page.locator("#games-begin-box summary").first.click()
    assert page.input_value("input[name='player:p1']") == "Zoé", "what was typed is not lost"
    page.locator("#games-begin [type=submit]").click()
    until(page, lambda: companion.score.game == "armadora")
    assert not pages.complaints


@pytest.mark.parametrize("what", ["begin", "take_up"])
def test_what_crosses_the_news_of_another_match_on_its_way_does_not_end_it(
    companion: Companion, pages: Browser, what: str
) -> None:
    companion.command("new_match", {"game": "armadora", "players": {"ann": "Ann", "ben": "Ben"}})
    companion.command("new_match", {"game": "paper_tales", "players": {"ann": "Ann", "ben": "Ben"}})
    page = pages.open("/games?lang=fr")
    page.locator("[data-resume]").wait_for()
    held: list[Any] = []
    page.route("**/api/command/*", lambda route: held.append(route))
    if what == "begin":
        page.locator("#games-begin-box summary").first.click()
        page.locator("#games-begin [type=submit]").click()
    else:
        page.locator("[data-resume]").click()
    until(page, lambda: held)
    companion.command("new_match", {"game": "sacrifice", "players": {"ann": "Ann", "ben": "Ben"}})
    held[0].continue_()
    page.locator("#toast", has_text="une autre partie a été lancée entre-temps").wait_for()
    assert companion.score.game == "sacrifice"


def test_what_was_being_told_of_a_shot_is_not_told_to_another_match(companion: Companion, pages: Browser) -> None:
    by_taps(companion)
    page = pages.open("/games")
    page.locator("[data-do=tell]").click()
    page.locator("[data-pawn=red-8]").click()
    by_taps(companion)
    page.locator("#toast", has_text="another screen").wait_for()
    assert page.locator("#tell").is_hidden()


def with_clocks(companion: Companion) -> None:
    players, clock = {"ann": "Ann", "ben": "Ben"}, {"kind": "count_up", "base_s": 600, "bonus_s": 0}
    companion.command("new_match", {"game": "armadora", "players": players, "clock": clock})


def by_taps(companion: Companion) -> None:
    companion.command("new_match", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}})
    companion.command("start_round", {"begins": "red"})


def test_a_shot_that_was_corrected_on_another_screen_meanwhile_keeps_that_correction(
    companion: Companion, pages: Browser
) -> None:
    by_taps(companion)
    companion.command("shot_by_hand", {"flicked": "red-8", "touched": ["green-3"], "in_camp": []})
    (shot,) = [one["id"] for one in companion.scoreboard()["ruled"]]
    page = pages.open("/?lang=fr")
    page.click("#otherwise [data-does=tell]")
    companion.command(
        "correct", {"of": shot, "facts": {"flicked": "red-8", "touched": ["green-3", "green-5"], "in_camp": []}}
    )
    page.click("#tell [data-pawn=red-1]")
    page.wait_for_timeout(AGAIN_MS)
    page.click("#tell-send")
    page.locator("#toast", has_text="a été corrigé entre-temps").wait_for()
    assert companion.scoreboard()["ruled"][0]["facts"]["touched"] == ["green-3", "green-5"]
    page.keyboard.press("Escape")
    page.click("#otherwise [data-does=tell]")
    page.locator("#tell-words", has_text="5").wait_for()
    page.click("#tell [data-pawn=red-1]")
    page.wait_for_timeout(AGAIN_MS)
    page.click("#tell-send")
    page.locator("#tell").wait_for(state="hidden")
    facts = companion.scoreboard()["ruled"][0]["facts"]
    assert (facts["flicked"], facts["touched"]) == ("red-1", ["green-3", "green-5"]), "whoever has seen it means it"


PAUSES = pytest.mark.parametrize(
    ("path", "begin", "button"), [("/", by_taps, "#pause"), ("/games", with_clocks, "[data-do=pause]")]
)


def paused(companion: Companion) -> bool:
    clocks = companion.clocks()
    return bool(clocks["paused"] if clocks else companion.scoreboard()["paused"])


@PAUSES
def test_a_pause_that_is_asked_for_on_two_screens_is_one(
    companion: Companion, pages: Browser, path: str, begin: Callable[[Companion], None], button: str
) -> None:
    """The second finger was on its way when the button turned into the other one, or lay on it already."""
    begin(companion)
    page = pages.open(path)
    place = page.locator(button)
    place.wait_for()
    box = place.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if path == "/":
        page.mouse.down()
        companion.command("pause", {})
        page.locator(button, has_text="Resume").wait_for()
        page.mouse.up()
    else:
        page.evaluate(PRESSED_AS_SOON_AS_IT_TURNS)
        companion.command("pause", {})
    page.locator("#toast", has_text="paused already").wait_for()
    assert paused(companion)
    page.wait_for_timeout(AGAIN_MS)
    page.click(button)
    until(page, lambda: not paused(companion))


PRESSED_AS_SOON_AS_IT_TURNS = """() => {
    const look = new MutationObserver(() => {
        const button = document.querySelector("[data-do=pause]");
        if (!button || button.textContent !== "Go on") return;
        look.disconnect();
        button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        button.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
        button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    });
    look.observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def test_what_this_screen_asked_for_itself_can_be_taken_back_at_once(companion: Companion, pages: Browser) -> None:
    by_taps(companion)
    page = pages.open("/")
    page.locator("#pause").press("Enter")
    page.locator("#pause", has_text="Resume").wait_for()
    page.locator("#pause").press("Enter")
    page.locator("#pause", has_text="Pause").wait_for()
    assert not paused(companion)
    assert page.locator("#toast").is_hidden()


def test_a_pass_that_another_screen_has_ended_goes_from_the_list(housed: Browser, house: Served) -> None:
    page = housed.open("/lobby")
    page.locator("#passes li", has_text="Ada's phone").wait_for()
    house.access.revoke(house.access.passes()[0].id)
    page.click("#passes button")
    page.wait_for_selector("#passes:has-text('Nobody came in')")


@pytest.mark.parametrize("refused", [False, True])
def test_whoever_uses_keys_stays_where_they_were(browser: Browser, fake: FakeCompanion, refused: bool) -> None:
    page = browser.open("/")
    fake.refuse = IllegalMove("not now") if refused else None
    for key in ("#pause", "#undo", "#players", "#open-new-match", "#open-settings"):
        button = page.locator(key)
        if button.is_hidden():
            continue
        button.press("Enter")
        page.wait_for_timeout(AGAIN_MS)
        page.keyboard.press("Escape")
        until(page, lambda button=button: button.evaluate("(one) => one === document.activeElement"))


def test_a_refused_answer_can_be_given_again_by_the_same_key(browser: Browser, fake: FakeCompanion) -> None:
    fake.append("question", question=question())
    fake.refuse = IllegalMove("not now")
    page = browser.open("/")
    answer = page.locator("#ask .ask-choices button").first
    answer.press("Enter")
    page.locator("#toast", has_text="not now").wait_for()
    page.wait_for_timeout(AGAIN_MS)
    fake.refuse = None
    page.keyboard.press("Enter")
    until(page, lambda: [name for name, _, _ in fake.commands] == ["answer"])


@pytest.mark.parametrize("path", ["/", "/boards"])
def test_the_menu_of_more_pages_closes_by_escape_and_by_a_tap_beside_it(housed: Browser, path: str) -> None:
    page = housed.open(path, live=path == "/")
    menu, summary = page.locator(".more-list"), page.locator(".more summary")
    summary.press("Enter")
    menu.wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    menu.wait_for(state="hidden")
    assert summary.evaluate("(one) => one === document.activeElement")
    summary.click()
    menu.wait_for()
    page.mouse.click(640, 600)
    menu.wait_for(state="hidden")


@pytest.mark.parametrize("path", ["/", "/history", "/boards", "/calibration"])
def test_without_javascript_a_page_says_that_it_needs_it(chromium: Any, house: Served, path: str) -> None:
    page = chromium.new_page(java_script_enabled=False, locale="fr-FR")
    page.goto(house.url + path)
    told = page.locator("noscript .toast")
    assert told.is_visible()
    assert "Cette page a besoin de JavaScript" in told.text_content()
    page.context.close()


def test_the_cameras_last_picture_stays_and_is_faded_where_the_line_is_lost(
    housed: Browser, house: Served, fake: FakeCompanion
) -> None:
    fake.pictures = {"overlay": camera_picture()}
    page = housed.open("/camera")
    page.locator("#picture").wait_for()
    house.close()
    page.locator('.camera-figure[data-old="true"]').wait_for()
    page.locator("#facts", has_text="Connection lost").wait_for()
    assert page.locator("#picture").is_visible()
    assert page.locator("#no-picture").is_hidden(), "there was one"


def test_partners_turn_has_a_french_colon(browser: Browser, fake: FakeCompanion) -> None:
    one, other = fake.score["players"]
    fake.append("note", {}, players=[{**one, "members": ["Ada", "Cid"], "plays": ["Cid"]}, other])
    page = browser.open("/?lang=fr")
    assert page.locator(".side-tag").first.inner_text() == "À jouer\N{NO-BREAK SPACE}: Cid"


def test_sensors_that_are_heard_are_not_told_to_be_plugged_in(browser: Browser, fake: FakeCompanion) -> None:
    well = fake.health()
    fake.health = lambda: {**well, "sensors": {"state": "connected"}}  # type: ignore[method-assign]
    page = browser.open("/lobby?lang=fr")
    step = page.locator("#steps li", has_text="capteurs")
    step.wait_for()
    assert step.get_attribute("data-done") == "true"
    assert "On les entend." in step.inner_text()


def retold(companion: Companion, of: int, *touched: str) -> None:
    """Another screen tells a shot otherwise, by its list of earlier entries."""
    facts = {"flicked": "red-8", "touched": list(touched), "doors": [], "exits": [], "on_gate": []}
    companion.amend({"of": of, "facts": facts, "seen": companion.last_id()}, None, "table", accept=True)


@pytest.mark.parametrize("when", ["the list is old", "the difference is shown"])
def test_what_another_screen_has_told_meanwhile_of_an_earlier_entry_is_not_overruled_unseen(
    companion: Companion, pages: Browser, when: str
) -> None:
    by_taps(companion)
    shot, *_ = companion.command("shot_by_hand", {"flicked": "red-8", "touched": ["green-4"]})
    page = pages.open("/games?lang=fr")
    page.locator("#games-earlier summary").click()
    back = page.locator(f"#games-entries [data-entry='{shot.id}']").get_by_role("button", name="Reprendre")
    back.wait_for()
    if when == "the list is old":
        page.route("**/api/amend", lambda route: route.continue_() if route.request.method == "POST" else route.abort())
        retold(companion, shot.id, "green-7")
        back.click()
    else:
        back.click()
        page.locator("#games-change [data-do=accept]").wait_for()
        retold(companion, shot.id, "green-7")
        page.wait_for_timeout(AGAIN_MS)
        page.locator("#games-change [data-do=accept]").click()
    page.locator("#toast", has_text="corrigé entre-temps").wait_for()
    assert companion.score.state.captured("green") == ("green-7",)
    if when == "the difference is shown":
        page.locator("#games-change").get_by_role("button", name="Annuler").click()
        page.locator("#games-entries li", has_text="vert 7").wait_for()
        page.wait_for_timeout(AGAIN_MS)
        back.click()
        page.locator("#games-change [data-do=accept]").click()
        until(page, lambda: companion.score.state.captured("green") == ())


def test_what_was_done_meanwhile_does_not_fall_away_unseen(companion: Companion, pages: Browser) -> None:
    companion.command(
        "new_match", {"game": "armadora", "players": {"ann": "Ann", "ben": "Ben"}, "setup": {"begins": "ann"}}
    )
    companion.tap("ann", "warrior", {"square": "a1", "value": 1})
    page = pages.open("/games")
    page.locator("[data-seat=ann]").click()
    page.locator("#games-earlier summary").click()
    page.locator("#games-entries").get_by_role("button", name="Take back").click()
    accept = page.locator("#games-change [data-do=accept]")
    accept.wait_for()
    companion.tap("ben", "warrior", {"square": "b1", "value": 1})
    page.wait_for_timeout(AGAIN_MS)
    accept.click()
    page.locator("#toast", has_text="would fall away").wait_for()
    assert set(companion.score.state.warriors) == {0, 1}
    page.locator("#games-change").get_by_role("button", name="Cancel").click()
    page.wait_for_timeout(AGAIN_MS)
    page.locator("#games-entries").get_by_role("button", name="Take back").click()
    page.locator("#games-change", has_text="Ben: a Warrior on b1.").wait_for()
    accept.click()
    until(page, lambda: companion.score.state.warriors == {})


@pytest.mark.parametrize(("path", "opens"), [("/", "[data-does=tell-shot]"), ("/games", "[data-do=tell]")])
def test_a_shot_that_was_told_on_another_screen_meanwhile_is_not_told_twice(
    companion: Companion, pages: Browser, path: str, opens: str
) -> None:
    by_taps(companion)
    page = pages.open(f"{path}?lang=fr")
    page.click(opens)
    page.click("#tell [data-pawn=red-8]")
    page.click("#tell [data-pawn=green-3]")
    companion.command("shot_by_hand", {"flicked": "red-8", "touched": ["green-3"], "in_camp": []})
    page.wait_for_timeout(AGAIN_MS)
    page.click("#tell-send")
    page.locator("#toast", has_text="un coup a été saisi ou vu entre-temps").wait_for()
    score = companion.scoreboard()
    assert (score["turn"], score["question"], len(score["ruled"])) == ("green", None, 1)
    assert page.locator("#tell-words").inner_text(), "what was told is not lost"
    page.keyboard.press("Escape")
    page.click(opens)
    page.click("#tell [data-pawn=green-8]")
    page.wait_for_timeout(AGAIN_MS)
    page.click("#tell-send")
    page.locator("#tell").wait_for(state="hidden")
    score = companion.scoreboard()
    assert (score["turn"], score["question"], len(score["ruled"])) == ("red", None, 2), "the next one is told"


def test_a_shot_whose_answer_was_lost_is_not_told_twice(companion: Companion, pages: Browser) -> None:
    """The companion has it, but the page heard nothing of that: whoever taps again meant the same shot."""
    by_taps(companion)
    page = pages.open("/")
    page.click("[data-does=tell-shot]")
    page.click("#tell [data-pawn=red-8]")
    lost: list[Any] = []

    def lose_the_answer(route: Any) -> None:
        lost.append(route.fetch())
        route.abort()

    page.route("**/api/command/shot_by_hand", lose_the_answer, times=1)
    page.click("#tell-send")
    page.locator("#toast", has_text="look whether it was done").wait_for()
    assert [one.status for one in lost] == [200]
    page.wait_for_timeout(AGAIN_MS)
    page.click("#tell-send")
    page.locator("#toast", has_text="told or seen meanwhile").wait_for()
    score = companion.scoreboard()
    assert (score["turn"], score["question"], len(score["ruled"])) == ("green", None, 1)
