"""The pages in a real Chromium: what people see and do."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.base import IllegalMove
from companion.replays import packed
from tests.dashboard.conftest import until, until_page
from tests.dashboard.fake import FakeCompanion, question
from tests.dashboard.full_house import camera_picture
from tests.dashboard.serving import Served, serving
from vision.brightening import DARK_BOARD
from vision.pipeline import UNRESTED
from vision.shot_film import Replay

pytestmark = pytest.mark.browser

FIRST_VIEW_BYTES = 200 * 1024
AGAIN_MS = 600  # whoever taps again after this means it: it is no double tap
# read from a copy, as Chromium advises against reading often from a canvas that is painted on
BRIGHTNESS_OF_THE_FILM = """(() => {
    const copy = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    copy.drawImage(document.getElementById("replay-film"), 0, 0);
    return copy.getImageData(80, 45, 1, 1).data[0];
})()"""


def _points(page: Any) -> list[str]:
    return [e.inner_text() for e in page.query_selector_all(".side-number")]


def _middle(page: Any, puck: str) -> tuple[float, float]:
    box = page.query_selector(f'[data-puck="{puck}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _waits_for_table_command(page: Any, fake: FakeCompanion) -> dict[str, Any]:
    until(page, lambda: fake.table_commands)
    return fake.table_commands[-1]


def test_the_score_changes_on_the_page_when_a_shot_is_journalled(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open()
    assert _points(page) == ["1", "2"]
    fake.append("shot", players=fake.points(3, 2), turn="green", last={"en": "Red wins the round.", "fr": "x"})
    until_page(page, "document.querySelector('.side-number').textContent === '3'")
    assert page.inner_text("#said") == "Red wins the round."
    assert page.get_attribute('[data-team="green"]', "data-turn") == "true"
    assert browser.complaints == []


def test_undo_pause_and_resume_reach_the_companion(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open()
    page.click("#undo")
    until_page(page, "!document.querySelector('#undo').disabled")
    page.click("#pause")
    page.wait_for_selector("#pause:has-text('Resume')")
    page.wait_for_timeout(AGAIN_MS)
    page.click("#pause")
    page.wait_for_selector("#pause:has-text('Pause')")
    assert [name for name, _, _ in fake.commands] == ["undo", "pause", "resume"]
    assert browser.complaints == []


def test_a_question_is_answered_by_a_button(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open()
    fake.append("question", question=question())
    page.click("text=Exchange for red 8")
    page.wait_for_selector("#ask", state="hidden")
    assert fake.commands == [("answer", {"question": 7, "choice": "red-8"}, "table")]


def test_a_new_match_is_started_with_names_by_keyboard_alone(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open()
    page.focus("#open-new-match")
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-match[open]")
    page.fill('input[name="red"]', "Marie <b>Curie</b>")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("Émilie")
    page.focus("#new-match-start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-match:not([open])", state="attached")
    assert fake.commands[0][1]["players"] == {"red": "Marie <b>Curie</b>", "green": "Émilie"}


def test_enter_in_a_name_begins_the_match(browser: Any, fake: FakeCompanion) -> None:
    """It pressed the first button, which closes, and the names were lost."""
    page = browser.open()
    page.click("#open-new-match")
    page.fill('input[name="green"]', "Émilie")
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-match:not([open])", state="attached")
    assert [(name, data["players"]["green"]) for name, data, _ in fake.commands] == [("new_match", "Émilie")]
    page.wait_for_timeout(AGAIN_MS)
    page.click("#open-new-match")
    page.locator("#new-match [data-close]").click()
    page.wait_for_selector("#new-match:not([open])", state="attached")
    assert len(fake.commands) == 1


def test_enter_where_a_part_of_a_shot_is_chosen_loses_nothing_and_rules_nothing(
    browser: Any, fake: FakeCompanion
) -> None:
    page = browser.open("/referee")
    page.click("#by-hand")
    page.locator("#tell [data-pawn]").first.click()
    page.locator("#tell input[type=radio]").nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.locator("#tell").is_visible()
    assert page.locator("#tell-words li").count() == 1
    assert fake.commands == []
    page.locator("#tell [data-close]").click()
    page.locator("#tell").wait_for(state="hidden")


def test_a_players_name_is_never_more_than_text(browser: Any, fake: FakeCompanion) -> None:
    players = fake.points(0, 0)
    players[0]["name"] = "<img src=x onerror=alert(1)>"
    fake.append("match_started", players=players)
    page = browser.open()
    assert page.inner_text(".side-name") == "<img src=x onerror=alert(1)>"
    assert browser.complaints == []


def test_what_is_refused_is_told(browser: Any, fake: FakeCompanion) -> None:
    from companion.games.base import IllegalMove

    fake.refuse = IllegalMove("there is nothing to undo")
    page = browser.open()
    page.click("#undo")
    page.wait_for_selector("#toast:has-text('there is nothing to undo')")


def test_the_page_is_french_for_a_french_browser(browser: Any) -> None:
    page = browser.open(locale="fr-FR")
    assert page.get_attribute("html", "lang") == "fr"
    assert " ".join(page.inner_text("#said").split()) == "Rouge 1 a touché Vert 4 et l’a capturé."
    assert "À jouer" in page.inner_text("#scores")
    page.click('a[hreflang="en"]')
    page.wait_for_selector("text=To play")
    assert page.get_attribute("html", "lang") == "en"
    assert browser.complaints == []


def test_pucks_follow_live_positions(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open()
    puck = {"puck": "v7", "pawn": "red-1", "team": "red", "number": 1, "x_mm": 300.0, "y_mm": 450.0}
    fake.seen = {**fake.seen, "state": "shot", "pucks": [puck]}
    until_page(
        page, "document.querySelector('[data-puck=\"red-1\"]').getAttribute('transform') === 'translate(300.00 450.00)'"
    )
    assert page.query_selector('[data-puck="v7"]') is None


def test_every_puck_says_its_team_role_and_number(browser: Any) -> None:
    page = browser.open()
    assert page.get_attribute('[data-puck="red-1"]', "aria-label") == "Red, mercenary 1"
    assert page.get_attribute('[data-puck="green-3"]', "aria-label") == "Green, explorer 3"
    shapes = "document.querySelector('[data-puck=\"{}\"] path') !== null"
    assert page.evaluate(shapes.format("red-1"))
    assert not page.evaluate(shapes.format("red-3"))


def test_dragging_a_puck_and_letting_go_flicks_it(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open("/table")
    x, y = _middle(page, "red-1")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 60, steps=4)
    page.mouse.up()
    flick = _waits_for_table_command(page, fake)
    assert (flick["do"], flick["puck"], flick["at"]) == ("flick", "red-1", [203.0, 214.0])
    assert flick["angle_deg"] == pytest.approx(45, abs=2)
    assert 300 < flick["speed_mm_s"] < 1500
    assert browser.complaints == []


def test_letting_go_at_once_is_no_flick(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open("/table")
    x, y = _middle(page, "red-1")
    page.mouse.click(x, y)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y)
    page.keyboard.press("Escape")
    page.mouse.up()
    page.wait_for_timeout(100)
    assert fake.table_commands == []


def test_a_finger_flicks_too(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open("/table", width=390, height=844, has_touch=True, is_mobile=True)
    page.eval_on_selector("#stage", "stage => stage.scrollIntoView()")
    x, y = _middle(page, "green-5")
    touch = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [(x, y)]),
        ("touchMove", [(x + 20, y)]),
        ("touchMove", [(x + 50, y)]),
        ("touchEnd", []),
    ):
        places = [{"x": px, "y": py} for px, py in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
    flick = _waits_for_table_command(page, fake)
    assert (flick["do"], flick["puck"]) == ("flick", "green-5")
    assert flick["angle_deg"] == pytest.approx(0, abs=4)


def test_keys_aim_and_flick(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open("/table")
    page.focus('[data-puck="red-2"]')
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    flick = _waits_for_table_command(page, fake)
    assert (flick["puck"], flick["angle_deg"]) == ("red-2", 10.0)


def test_a_puck_is_lifted_by_dragging_it_off_the_board_and_placed_from_beside_it(
    browser: Any, fake: FakeCompanion
) -> None:
    page = browser.open("/table")
    page.check('input[value="move"]', force=True)
    page.mouse.move(*_middle(page, "green-7"))
    page.mouse.down()
    page.mouse.move(1000, 650, steps=3)
    page.mouse.up()
    assert _waits_for_table_command(page, fake) == {"do": "remove", "puck": "green-7", "at": [300.0, 520.0]}
    fake.table_commands.clear()
    box = page.query_selector("#tray button").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(*_middle(page, "red-5"), steps=3)
    page.mouse.up()
    placed = _waits_for_table_command(page, fake)
    assert (placed["do"], placed["puck"], placed["off_board"]) == ("place", "red-8", True)
    assert (placed["x_mm"], placed["y_mm"]) == (pytest.approx(420, abs=2), pytest.approx(470, abs=2))


@pytest.mark.alone
def test_the_page_comes_back_by_itself_when_the_server_does(chromium: Any, fake: FakeCompanion) -> None:
    page = chromium.new_page()
    with serving(fake) as first:
        port = first.port
        page.goto(first.url)
        page.wait_for_selector('#link[data-state="live"]')
        page.evaluate(
            "window.same = true; window.told = []; document.addEventListener('journal', e => told.push(e.detail.id))"
        )
        fake.append("note")
        until_page(page, "told.length === 1")
    page.wait_for_selector('#link[data-state="lost"]')
    for _ in range(3):
        fake.append("note", players=fake.points(3, 3))
    with serving(fake, port=port):
        page.wait_for_selector('#link[data-state="live"]', timeout=3000)
        until_page(page, "document.querySelector('.side-number').textContent === '3'")
        assert page.evaluate("[window.same, told]") == [True, [1, 2, 3, 4]]
        page.click("#undo")  # its token is of the server that was: it is renewed
        until(page, lambda: fake.commands)
        page.close()
    assert [name for name, _, _ in fake.commands] == ["undo"]


@pytest.mark.parametrize("path", ["/", "/games", "/history"])
@pytest.mark.parametrize("other", ["board", "journal"])
def test_a_page_is_loaded_anew_where_the_server_comes_back_with_another_board_or_journal(
    chromium: Any, fake: FakeCompanion, path: str, other: str
) -> None:
    """The new match was drawn on the old board; what was being told of a shot went to a shot of another match."""
    fake.append("note")
    then = FakeCompanion(replace(fake.board, name="Ours") if other == "board" else fake.board)
    then.append("note" if other == "board" else "camera")
    page = chromium.new_page()
    with serving(fake) as first:
        port = first.port
        page.goto(first.url + path)
        page.wait_for_selector('#link[data-state="live"]')
        if path == "/games":
            page.wait_for_selector("#games-seats li")  # a page whose board's script was lost is loaded anew
        page.evaluate("document.body.dataset.same = 'true'")
    page.wait_for_selector('#link[data-state="lost"]')
    with serving(fake, port=port) as again:
        page.wait_for_selector('#link[data-state="live"]')
        assert page.locator("body[data-same]").count(), "nothing is another one: what is being filled in stays"
        until(page, lambda: again.hub.clients)
    page.wait_for_selector('#link[data-state="lost"]')
    with serving(then, port=port):
        page.wait_for_selector("body:not([data-same])")
        page.wait_for_selector('#link[data-state="live"]')
        assert page.evaluate("JSON.parse(document.querySelector('#boot').textContent).board.name") == then.board.name
        page.close()


def test_the_first_view_is_small_and_from_this_house_alone(browser: Any, served: Served) -> None:
    page = browser.open(live=False)
    page.wait_for_selector('#link[data-state="live"]')
    entries = page.evaluate(
        "performance.getEntries().filter(e => 'transferSize' in e)"
        ".map(e => [e.name, e.transferSize || e.encodedBodySize])"
    )
    assert all(name.startswith(served.url) for name, _ in entries)
    assert sum(size for _, size in entries) < FIRST_VIEW_BYTES


def test_light_and_dark_follow_the_system_and_the_choice(browser: Any) -> None:
    page = browser.open(color_scheme="dark")
    background = "getComputedStyle(document.querySelector('.log')).backgroundColor"
    dark = page.evaluate(background)
    page.click('[data-theme-choice="light"]')
    light = page.evaluate(background)
    assert _brightness(dark) < 100 < _brightness(light)
    page.reload()
    assert page.evaluate(background) == light


def _brightness(colour: str) -> float:
    return sum(float(v) for v in re.findall(r"[\d.]+", colour)[:3]) / 3


def test_reduced_motion_puts_pucks_where_they_are_at_once(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open(reduced_motion="reduce")
    page.evaluate(
        "window.seen = new Set(); "
        "new MutationObserver(ms => ms.forEach(m => seen.add(m.target.getAttribute('transform'))))"
        ".observe(document.querySelector('[data-puck=\"red-5\"]'), {attributes: true, attributeFilter: ['transform']})"
    )
    puck = {"puck": "red-5", "team": "red", "number": 5, "x_mm": 100.0, "y_mm": 100.0}
    fake.seen = {**fake.seen, "pucks": [puck]}
    until_page(page, "seen.size > 0")
    assert page.evaluate("[...seen]") == ["translate(100.00 100.00)"]


def test_what_just_happened_is_announced_and_all_is_reached_by_keyboard(browser: Any) -> None:
    page = browser.open()
    assert page.get_attribute("#said", "aria-live") == "polite"
    reached = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"skip", "brand", "undo", "pause", "open-new-match", "log"} <= reached


def test_the_camera_page_shows_the_picture_and_the_state(browser: Any, fake: FakeCompanion) -> None:
    import cv2
    import numpy as np

    page = browser.open("/camera")
    page.wait_for_selector("text=No picture yet")
    ok, jpeg = cv2.imencode(".jpg", np.full((72, 128, 3), 90, np.uint8))
    assert ok
    fake.pictures = {"overlay": jpeg.tobytes()}
    until_page(
        page, "document.querySelector('#picture').naturalWidth === 128 && !document.querySelector('#picture').hidden"
    )
    assert "Running" in page.inner_text("#facts")
    assert "passed over" not in page.inner_text("#facts"), "none were"
    assert browser.complaints == []


def test_a_picture_is_seen_to_be_old_where_a_half_dead_line_answers_nothing(browser: Any, fake: FakeCompanion) -> None:
    fake.pictures = {"overlay": camera_picture()}
    page = browser.open("/camera", has_touch=True)  # a context of its own, as its clock is one
    page.locator("#picture").wait_for()
    page.clock.install()
    page.reload()
    page.locator("#picture").wait_for()
    page.locator(".camera-figure[data-old=false]").wait_for()
    held: list[str] = []
    page.route("**/picture/*", lambda route: held.append(route.request.url))
    page.route("**/healthz", lambda route: held.append(route.request.url))
    until(page, lambda: len({url.split("?")[0] for url in held}) == 2)
    page.clock.fast_forward(11_000)
    page.locator(".camera-figure[data-old=true]").wait_for()
    page.locator("#facts dd", has_text="Connection lost").first.wait_for()
    assert browser.complaints == []


def test_the_camera_page_says_what_is_doubtful_about_board_and_light(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open("/camera?lang=fr")
    page.locator("#facts dd").first.wait_for()
    assert not page.locator("#camera-doubts").is_visible()
    fake.told_of_camera = [DARK_BOARD.format(mean=12, least=20), UNRESTED.format(s=6.71)]
    page.locator("#camera-doubts li").first.wait_for()
    assert "depuis, en 6,7 s" in page.inner_text("#camera-doubts")
    assert "Le plateau est sombre" in page.inner_text("#camera-doubts")
    fake.told_of_camera = []
    page.locator("#camera-doubts").wait_for(state="hidden")
    assert browser.complaints == []


@pytest.mark.parametrize(
    ("camera", "facts", "advice"),
    [
        ({"dropped": 7, "dropped_fps": 0.1}, "Images laissées de côté\n7", ""),
        ({"dropped": 900, "dropped_fps": 12.0}, "Images laissées de côté\n900", "Cette machine est trop lente"),
        ({"state": "lost", "why": "resized"}, "Perdue", "Ses images ont changé de taille"),
        ({"state": "lost"}, "Perdue", "Voyez la prise de la caméra"),
    ],
)
def test_the_camera_page_says_what_is_lost_and_what_to_do(
    browser: Any, fake: FakeCompanion, camera: dict[str, Any], facts: str, advice: str
) -> None:
    well = fake.health()
    fake.health = lambda: {**well, "camera": {**well["camera"], **camera}}  # type: ignore[method-assign]
    page = browser.open("/camera?lang=fr")
    page.locator("#facts dd").first.wait_for()
    assert facts in page.inner_text("#facts")
    assert page.locator("#camera-advice").is_visible() == bool(advice)
    assert advice in page.inner_text("#camera-advice")
    old = page.locator(".camera-figure").get_attribute("data-old")
    assert old == str(camera.get("state") == "lost").lower(), "the last picture of a lost camera is no live one"
    page = browser.open("/referee?lang=fr")
    page.locator("#states li").first.wait_for()
    assert advice in page.locator("#states li").first.inner_text()

    assert browser.complaints == []


REVIEW = {
    "id": "9:review:shot", "kind": "review",
    "text": {"en": "The camera is not certain of this shot. What happened?",
             "fr": "La caméra n’est pas certaine de ce coup. Que s’est-il passé ?"},
    "account": {"en": "The camera saw: red Mercenary 1 was flicked; it touched green Mercenary 2.",
                "fr": "La caméra a vu : le Mercenaire rouge 1 a été joué ; il a touché le Mercenaire vert 2."},
    "choices": [{"value": "as_seen", "text": {"en": "As the camera saw it", "fr": "Comme la caméra l’a vu"}}],
    "seen": {"flicked": "red-1", "touched": ["green-2"], "doors": [], "exits": [], "on_gate": []},
    "reasons": ["2 frames are missing"],
    "why": [{"en": "Pictures are missing: 2.", "fr": "Il manque des images : 2."}],
}  # fmt: skip


@pytest.mark.parametrize("path", ["/", "/seat", "/referee"])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_review_says_what_the_camera_saw(browser: Any, fake: FakeCompanion, path: str, locale: str) -> None:
    page = browser.open(path, locale=locale)
    fake.append("question", question=REVIEW)
    saw = page.locator("#ask [role=alert] .ask-saw")
    assert " ".join(saw.inner_text().split()) == REVIEW["account"][locale[:2]]
    fake.append("question", question={**REVIEW, "account": None})
    saw.wait_for(state="detached")
    assert " ".join(page.locator("#ask h2").inner_text().split()) == REVIEW["text"][locale[:2]]


SCREENS = ((1280, 720), (1366, 768), (1400, 900), (1440, 900), (1920, 1080), (390, 844))
WIDE = 1000  # from this width on, px, all of a match is in sight at once
LOW = 860  # up to this height, px, a question takes the place of what was said before it
FULL_REVIEW = {
    **REVIEW,
    "account": {
        "en": "The camera saw: red Mercenary 2 was flicked; it touched green Explorer 5, then green Explorer 4; red "
        "Mercenary 2 entered the green north-west Sanctuary.",
        "fr": "La caméra a vu : le Mercenaire rouge 2 a été joué ; il a touché l’Explorateur vert 5, puis "
        "l’Explorateur vert 4 ; le Mercenaire rouge 2 est entré dans le Sanctuaire vert nord-ouest.",
    },
    "choices": [
        *REVIEW["choices"],
        {"value": "replay", "text": {"en": "Put back and play again", "fr": "Remettre en place et rejouer"}},
        {"value": "ignore", "text": {"en": "It was no shot", "fr": "Ce n’était pas un coup"}},
    ],
}  # fmt: skip
LAST = {
    "en": "Green Mercenary 1 touched red Explorer 5 outside its base camp, and captured it.",
    "fr": "Le Mercenaire vert 1 a touché l’Explorateur rouge 5 hors de son camp de base, et l’a capturé.",
}
BOXES = """async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return Object.fromEntries(["#said", "#ask", ".log", "#controls"].map((wanted) => {
        const element = document.querySelector(wanted);
        if (!element.checkVisibility()) return [wanted, null];
        const { top, bottom } = element.getBoundingClientRect();
        const hidden = (one) => one.scrollHeight - one.clientHeight;
        return [wanted, { top, bottom, hidden: hidden(element), around: hidden(element.parentElement) }];
    }));
}"""


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_review_hides_nothing_of_what_was_said_and_is_whole_itself(
    browser: Any, fake: FakeCompanion, locale: str
) -> None:
    page = browser.open(locale=locale)
    fake.append("question", question=FULL_REVIEW, last=LAST, replays=[9])
    page.locator(".ask-why").wait_for()
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        boxes, screen = page.evaluate(BOXES), f"{width} x {height}"
        said, ask, controls = boxes["#said"], boxes["#ask"], boxes["#controls"]
        assert ask["hidden"] <= 1, f"the question is cut at {screen}"
        if width >= WIDE and height <= LOW:
            assert said is None
        else:
            assert max(said["hidden"], said["around"]) <= 1, f"what was said is cut at {screen}: {boxes}"
            assert said["bottom"] <= ask["top"], f"what was said lies under the question at {screen}: {boxes}"
        if width >= WIDE:
            assert ask["bottom"] <= controls["top"], f"the question lies over the buttons at {screen}"
            assert controls["bottom"] <= height, f"the buttons are out of sight at {screen}: {boxes}"
            log = boxes[".log"]
            assert log is None or log["bottom"] - log["top"] >= 96, f"no line of the log is whole at {screen}"


BELOW = """async () => {  // pixels of the page that are out of sight, once all is drawn
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return document.documentElement.scrollHeight - innerHeight;
}"""


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("path", ["/", "/table"])
def test_a_page_of_the_match_is_not_scrolled_for_a_review(
    browser: Any, fake: FakeCompanion, path: str, locale: str
) -> None:
    page = browser.open(path, locale=locale)
    fake.append("question", question=FULL_REVIEW, last=LAST, replays=[9])
    page.locator(".ask-why").wait_for()
    for width, height in SCREENS:
        if width >= WIDE:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BELOW) <= 0, f"{width} x {height}"


IN_SIGHT = """async () => {  // of the place for what lies beside the board: pixels that its card hides
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const [tray, card] = ["#tray", ".hands"].map((one) => document.querySelector(one).getBoundingClientRect());
    return tray.bottom - card.bottom;
}"""


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_what_lies_beside_the_board_is_in_sight_under_a_long_headline(
    browser: Any, fake: FakeCompanion, locale: str
) -> None:
    page = browser.open("/table", locale=locale)
    todo = [{"do": "remove", "puck": "green-4", "team": "green", "at": None}]
    fake.append("note", last=LAST, todo=todo, ruled=[{"id": 3, "facts": {}}], replays=[3])
    page.locator("#todo li").wait_for()
    for width, height in (*SCREENS, (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(IN_SIGHT) <= 0, f"{width} x {height}"


def test_a_pawn_that_comes_back_is_named_although_it_lies_nowhere(browser: Any, fake: FakeCompanion) -> None:
    """P18: it is captured no more, and not on the board yet: the hand has to know which of the captured ones it is."""
    page = browser.open("/")
    pucks = [puck for puck in fake.score["pucks"] if puck["puck"] != "green-6"]
    fake.append("note", pucks=pucks, todo=[{"do": "place", "puck": "green-6", "team": "green", "at": None}])
    page.locator("#todo li").wait_for()
    assert page.locator("#todo svg").get_attribute("aria-label") == "Green, explorer 6"
    assert page.locator("#todo svg").text_content() == "6"


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_ways_to_other_pages_are_wide_enough_for_a_finger(browser: Any, width: int) -> None:
    page = browser.open("/games?lang=fr", width=width, height=740)
    page.locator(".more summary").click()
    ways = page.locator(".nav a, .more summary")
    assert ways.count() > 10
    assert all(way.bounding_box()["height"] >= 44 for way in ways.all())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("height", [720, 900, 1080])
def test_a_long_headline_is_not_cut_by_what_follows_it(browser: Any, fake: FakeCompanion, height: int) -> None:
    page = browser.open(width=1000, height=height)
    fake.append("note", last={"en": f"{LAST['en']} {LAST['en']}", "fr": ""})
    page.wait_for_selector("#said:has-text('captured it. Green')")
    boxes = page.evaluate(BOXES)
    assert max(boxes["#said"]["hidden"], boxes["#said"]["around"]) <= 1
    assert boxes["#said"]["bottom"] <= boxes[".log"]["top"]


def test_players_tell_by_taps_what_happened_in_a_shot(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open()
    fake.append("question", question=REVIEW)
    page.get_by_text("Pictures are missing: 2.").wait_for()
    page.get_by_role("button", name="Say what happened").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Touched, in order").check(force=True)
    dialog.get_by_role("button", name="Green, explorer 5").click()
    dialog.get_by_role("radio", name="Green door NE").check(force=True)
    dialog.get_by_role("button", name="Red, mercenary 1").click()
    assert "Touched, in order Green, mercenary 2, Green, explorer 5" in dialog.inner_text().replace("\n", " ")
    dialog.get_by_role("button", name="Rule it so").click()
    dialog.wait_for(state="hidden")
    name, data, _ = fake.commands[-1]
    assert (name, data["question"]) == ("answer", "9:review:shot")
    assert data["choice"] == {
        "flicked": "red-1", "touched": ["green-2", "green-5"], "doors": [{"puck": "red-1", "door": "green-north-east"}],
        "exits": [], "on_gate": [],
    }  # fmt: skip


def test_the_last_shot_is_corrected_from_the_page(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open()
    fake.append("shot", ruled=[{"id": 4, "facts": REVIEW["seen"]}])
    page.locator("#otherwise").get_by_role("button", name="We saw it otherwise").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Touched, in order").check(force=True)
    dialog.get_by_role("button", name="Green, mercenary 2").click()
    dialog.get_by_role("button", name="Rule it so").click()
    dialog.wait_for(state="hidden")
    name, data, _ = fake.commands[-1]
    assert (name, data["of"], data["facts"]["touched"]) == ("correct", 4, [])


def test_a_correction_that_is_refused_leaves_the_dialog_open(browser: Any, fake: FakeCompanion) -> None:
    page = browser.open()
    fake.append("shot", ruled=[{"id": 4, "facts": REVIEW["seen"]}])
    page.locator("#otherwise").get_by_role("button", name="We saw it otherwise").click()
    fake.refuse = IllegalMove("entry 4 is none of this round's last shots, and cannot be corrected")
    page.get_by_role("button", name="Rule it so").click()
    page.get_by_text("none of this round's last shots").wait_for()
    assert page.get_by_role("dialog").is_visible()


def test_the_simulated_players_can_be_made_to_wait_and_to_play_on(browser: Any, fake: FakeCompanion) -> None:
    fake.seen = {**fake.seen, "players": "play"}
    page = browser.open("/table")
    page.get_by_role("button", name="I play").click()
    page.get_by_role("button", name="They play").wait_for()
    page.wait_for_timeout(AGAIN_MS)
    page.get_by_role("button", name="They play").click()
    page.get_by_role("button", name="I play").wait_for()
    assert fake.seen["players"] == "play"


def test_a_shot_is_seen_again_picture_by_picture(browser: Any, fake: FakeCompanion) -> None:
    pictures = [cv2.imencode(".jpg", np.full((90, 160, 3), shade, np.uint8))[1].tobytes() for shade in (20, 120, 220)]
    fake.films[9] = packed(Replay((1.0, 1.1, 1.2), tuple(pictures)))
    page = browser.open(reduced_motion="reduce")
    fake.append("question", question=REVIEW, replays=[9])
    page.get_by_role("button", name="See it again").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="One picture on").click()
    until_page(page, f"{BRIGHTNESS_OF_THE_FILM} > 100")
    assert page.eval_on_selector("#replay-film", "film => [film.width, film.height]") == [160, 90]
    dialog.get_by_role("button", name="Play slowly").click()
    dialog.get_by_role("button", name="Stop").click()
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="hidden")
    assert browser.complaints == []


def test_of_two_films_that_are_on_their_way_the_one_that_was_asked_for_last_is_shown(
    browser: Any, fake: FakeCompanion
) -> None:
    picture = cv2.imencode(".jpg", np.zeros((90, 160, 3), np.uint8))[1].tobytes()
    fake.films = {n: packed(Replay((1.0,), (picture,))) for n in (3, 9)}
    page = browser.open(reduced_motion="reduce")
    fake.append("question", question=REVIEW, replays=[9])
    held: list[Any] = []
    page.route("**/replay/9", lambda route: held.append(route))
    page.get_by_role("button", name="See it again").click()
    until(page, lambda: held)
    fake.append("answer", question=None, ruled=[{"id": 3, "facts": {"flicked": "red-1"}}], replays=[3])
    page.locator("#otherwise [data-does=replay]").click()
    page.locator("#replay").wait_for()
    with page.expect_response("**/replay/9"):
        held[0].continue_()
    with page.expect_download():
        page.get_by_role("button", name="Keep this recording").click()
    assert fake.disputed == [3]
    assert browser.complaints == []
