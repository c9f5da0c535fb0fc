"""Boards in a real Chromium: a new one, drawn on what a camera sees, and those that are opened and changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.board import Board, default_board_path, load_board, parse_board
from calibration.lens import lens_from_json
from calibration.marker_pose import fit_pose_from_markers
from calibration.pose_fit import surface_corners_mm
from companion.board_desk import BoardDesk
from tests.dashboard.conftest import Browser, until, until_page
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import Served, serving
from tests.dashboard.sketcher import ANSWER_MS, Sketcher, door_error_mm, draw, gate_error_mm
from tests.dashboard.test_bad_lines_in_browser import fails_once
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.table import VirtualTable

pytestmark = pytest.mark.browser

SEED = 4
CLICK_PX = 1.5
MOST_CLICKS = 40
FINGER_PX = 43.9  # 44, and what browsers round
RIGHT_MM = 1.5


@cache
def board() -> Board:
    return parse_board(random_board_text(SEED))


@cache
def seen() -> tuple[bytes, str]:
    """What a camera sees of that board, as JPEG, and the camera's lens."""
    table = VirtualTable(board(), seed=SEED, realtime=False)
    picture = next(table.frames()).image
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes(), json.dumps(table.lens.to_json())


@pytest.fixture
def served(fake: FakeCompanion, tmp_path: Path) -> Iterator[Served]:
    picture, lens = seen()
    (tmp_path / "lens.json").write_text(lens)
    fake.pictures = {"camera": picture}
    desk = BoardDesk(tmp_path / "boards", lambda: fake.picture("camera"), tmp_path / "lens.json")
    with serving(fake, desk=desk) as where:
        yield where


def _open(browser: Browser, **options: Any) -> Any:
    page = browser.open("/boards", live=False, **options)
    page.set_default_timeout(ANSWER_MS)
    return page


def _mistakes(page: Any) -> list[str]:
    return [e.inner_text() for e in page.query_selector_all("#mistakes li")]


def _checked(page: Any, text: str) -> None:
    page.wait_for_selector(f"#mistakes li:has-text('{text}')")


def test_a_board_is_drawn_in_forty_clicks_with_doors_and_gate_in_their_places(browser: Browser, tmp_path: Path) -> None:
    page = _open(browser)
    hand = Sketcher(page, CLICK_PX, SEED)
    draw(hand, board())
    team = board().teams[0]
    hand.pick("#team-0-colour-pick", team.start_circles[0], board().puck.height_mm)
    _checked(page, "All fits together")
    hand.press("#save")
    page.wait_for_selector("#saved:has-text('paleo run --board')")
    drawn = load_board(next((tmp_path / "boards").glob("*.toml")))
    assert hand.clicks <= MOST_CLICKS
    assert door_error_mm(drawn, board()) < RIGHT_MM
    assert gate_error_mm(drawn, board()) < RIGHT_MM
    assert drawn.size == board().size
    assert [m.centre for m in drawn.markers] == [m.centre for m in board().markers]
    assert len(drawn.zones_of_kind("sanctuary")) == len(drawn.doors) == 4
    assert {d.name: d.team for d in drawn.doors} == {d.name: d.team for d in board().doors}
    assert browser.complaints == []


def test_mistakes_are_told_in_place_and_keep_the_board_from_being_saved(browser: Browser) -> None:
    page = _open(browser)
    hand = Sketcher(page, 0.0)
    hand.circle("g", (325.0, 325.0, 9.0))
    _checked(page, "the gate is 18.0 mm wide, a puck 28 mm")
    assert page.is_disabled("#save")
    assert page.query_selector(".shape.wrong") is not None
    page.click("#mistakes button")
    page.fill('#measure-fields input[aria-label="Radius"]', "26")
    page.keyboard.press("Tab")
    page.wait_for_selector("#mistakes li:has-text('18.0 mm')", state="detached")
    assert any("the board has no door" in text for text in _mistakes(page))
    assert page.is_enabled("#save")
    hand.tool("s", (0.0, 0.0), (100.0, 80.0), enter=True)
    hand.tool("d", (200.0, 200.0), (240.0, 200.0))
    _checked(page, "mm from its sanctuary")
    hand.circle("a", (40.0, 325.0, 46.0))
    _checked(page, "beyond the board")
    assert browser.complaints == []


def test_what_is_pressed_right_after_a_field_was_changed_is_done(browser: Browser) -> None:
    """The press ends the typing: the fields are not drawn anew under it."""
    page = _open(browser)
    Sketcher(page, 0.0).circle("g", (325.0, 325.0, 9.0))
    page.click("#mistakes button")
    page.fill('#measure-fields input[aria-label="Radius"]', "26")
    page.click('#measure-fields input[aria-label="Centre x"]')
    assert page.evaluate("document.activeElement.ariaLabel") == "Centre x"
    page.fill("#team-0-name", "Umber")
    page.click("#team-0-mercenaries")
    assert page.evaluate("document.activeElement.id") == "team-0-mercenaries"
    page.fill("#team-0-name", "Ochre")
    page.click("#team-1-colour-pick")
    page.wait_for_selector("#how:has-text('Click the colour in the picture')")
    assert browser.complaints == []


def test_a_mistake_is_chosen_although_the_board_is_judged_anew_meanwhile(browser: Browser) -> None:
    page = _open(browser)
    Sketcher(page, 0.0).circle("g", (325.0, 325.0, 9.0))
    _checked(page, "the gate is 18.0 mm wide, a puck 28 mm")
    page.keyboard.press("Escape")
    page.fill("#name", "Another")
    page.hover("#mistakes button")
    with page.expect_response("**/api/boards/check"):
        page.mouse.down()
    page.wait_for_timeout(300)
    page.mouse.up()
    page.locator("#measures").wait_for()
    assert browser.complaints == []


def test_measures_that_do_not_fit_the_markers_are_told(browser: Browser) -> None:
    page = _open(browser)
    hand = Sketcher(page, 0.0)
    width, height = board().size
    rim = {"rim_width": board().rim.width_mm, "rim_height": board().rim.height_mm} if board().rim else {}
    hand.measures(width=width + 50, height=height, markers=board().markers[0].size_mm, **rim)
    hand.press("#from-camera")
    page.wait_for_selector("#above-said:has-text('check the measures')")
    hand.measures(width=width + 40, height=height + 40)
    hand.press("#by-markers")
    page.wait_for_selector("#above-said:has-text('does not fit these measures')")
    hand.measures(width=width + 100, height=height + 100)
    hand.press("#by-markers")
    page.wait_for_selector("#how:has-text('do not fit the board')")


def test_what_cannot_be_done_is_told_in_french(browser: Browser, tmp_path: Path) -> None:
    """A board file that is wrong, measures that are out of all bounds, and a picture that is none."""
    page = _open(browser, locale="fr-FR", width=360, height=740)
    wrong = tmp_path / "plateau.toml"
    wrong.write_text('format = 1\nname = "x"\nsize = [650, 650]\n[puck]\ndiameter = 28,5\nheight = 9\n')
    page.set_input_files("#open-file", wrong)
    page.wait_for_selector("#opened:has-text('pas du TOML valable, ligne 5, colonne 14')")
    wrong.write_bytes(b"none")
    page.set_input_files("#from-file", wrong)
    page.wait_for_selector("#how:has-text('attendu un fichier JPEG ou PNG')")
    page.wait_for_selector("#from-camera:enabled")
    Sketcher(page, 0.0).measures(width=5000, height=300)
    page.click("#from-camera")
    page.wait_for_selector('#how:has-text("Surface, d’ouest en est : attendu un nombre d’au plus 3000")')
    Sketcher(page, 0.0).measures(width=500.0)
    page.fill("#team-1-name", "")
    page.click("#from-camera")
    page.wait_for_selector('#mistakes:has-text("Nom (2) : attendu un texte d’au moins 1 caractère")')


def test_every_step_is_undone_and_done_again_and_survives_a_reload(browser: Browser) -> None:
    page = _open(browser)
    hand = Sketcher(page, 0.0)
    shapes = "document.querySelectorAll('.shape').length"
    hand.tool("s", (0.0, 0.0), (100.0, 80.0), enter=True)
    hand.circle("g", (325.0, 325.0, 26.0))
    assert page.evaluate(shapes) == 5  # four sanctuaries and one gate: what lies on an axis is not doubled
    hand.keys("Control+z")
    assert page.evaluate(shapes) == 4
    hand.keys("Control+y")
    assert page.evaluate(shapes) == 5
    page.reload()
    until_page(page, f"{shapes} === 5")
    hand.keys("v")
    page.click("[data-shape='2'][data-copy='0']", force=True)
    page.focus("#stage")
    hand.keys("Delete")
    assert page.evaluate(shapes) == 4


def test_known_colours_name_teams_in_the_readers_language_and_the_file_keeps_its_own(browser: Browser) -> None:
    page = _open(browser, locale="fr-FR")
    assert page.locator("#team option").all_inner_texts()[:2] == ["Rouge", "Vert"]
    assert page.input_value("#team-0-name") == "Rouge"
    _checked(page, "Rouge n’a pas de camp de base")
    for written, shown, kept in (("jaune", "Jaune", "yellow"), ("Les Ours", "Les Ours", "Les Ours")):
        page.fill("#team-0-name", written)
        page.keyboard.press("Tab")
        until_page(page, f"document.querySelector('#team-0-name').value === '{shown}'")
        assert page.locator("#team option").first.inner_text() == shown
        assert page.evaluate("JSON.parse(sessionStorage.getItem('paleo-drawing')).teams[0].name") == kept
    assert browser.complaints == []


def test_letters_choose_no_tool_where_single_keys_are_not_wished(browser: Browser) -> None:
    page = _open(browser)
    chosen = "document.querySelector('[name=tool]:checked').value"
    page.keyboard.press("s")
    assert page.evaluate(chosen) == "sanctuary"
    page.evaluate("localStorage.setItem('paleo.wishes', JSON.stringify({ keys: false }))")
    page.reload()
    page.wait_for_selector("#mistakes li", state="attached")
    for key in ("s", "o"):
        page.keyboard.press(key)
    assert page.evaluate(chosen) == "select"
    assert not page.is_checked("#round")
    assert page.locator(".set-up kbd").first.is_hidden()
    page.locator("[name=tool][value=start]").check(force=True)
    Sketcher(page, 0.0).at((325.0, 325.0))
    until_page(page, "document.querySelectorAll('.shape').length === 1")
    Sketcher(page, 0.0).measures(puck_diameter=-3.0)  # drawn as none, and told by the field's name
    _checked(page, "Puck, diameter: ")
    assert browser.complaints_but("422") == []
    page.focus("#stage")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")  # no single key
    until_page(page, "document.querySelectorAll('.shape').length === 0")


def test_points_are_pulled_to_edges_axes_and_each_other(browser: Browser) -> None:
    page = _open(browser)
    hand = Sketcher(page, 1.0, 3)
    hand.tool("s", (0.0, 0.0), (100.0, 80.0), enter=True)
    hand.tool("d", (100.0, 20.0), (100.0, 60.0))
    hand.circle("g", (325.0, 325.0, 26.0))
    kept = json.loads(page.evaluate("sessionStorage.getItem('paleo-drawing')"))["shapes"]
    outline, door, gate = kept[0]["points"], kept[1]["points"], kept[2]["circle"]
    assert outline[0] == [0, 0]
    assert [door[0][0], door[1][0]] == [outline[2][0]] * 2
    assert gate[:2] == [325, 325]


def test_a_board_without_markers_is_seen_from_above_by_its_clicked_corners(browser: Browser) -> None:
    page = _open(browser)
    hand = Sketcher(page, 0.0)
    hand.measures(width=board().size[0], height=board().size[1], markers=0.0)
    hand.press("#from-camera")
    page.wait_for_selector("#how:has-text('north-west')")
    assert page.query_selector("#stage image").get_attribute("href").startswith("/boards/picture.jpg")
    hand.at((700.0, 500.0))
    page.wait_for_selector("#how:has-text('north-east')")
    page.click("#by-corners")
    picture, lens = seen()
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    pose = fit_pose_from_markers(image, board(), lens_from_json(json.loads(lens), "lens"))
    hand.error_px = CLICK_PX
    hand.corners([(x + 0.5, y + 0.5) for x, y in pose.image_from_board(surface_corners_mm(board()))])
    page.wait_for_selector("#above-said:has-text('by the clicked corners')")
    said = page.inner_text("#above-said")
    assert float(re.findall(r"about ([\d.]+) mm", said)[0]) < 3.0


def test_four_corners_are_four_however_often_is_clicked_and_are_clicked_anew_where_they_were_refused(
    browser: Browser,
) -> None:
    page = _open(browser)
    hand = Sketcher(page, 0.0)
    hand.measures(markers=0.0)
    hand.press("#from-camera")
    page.wait_for_selector("#how:has-text('north-west')")
    held: list[Any] = []
    page.route("**/api/boards/above", lambda route: held.append(route))
    for _ in range(5):  # the fourth one sends them, and the fifth is one too many
        hand.at((700.0, 500.0))
    until(page, lambda: held)
    assert "boards." not in page.inner_text("#how")
    held[0].continue_()
    page.wait_for_selector("#how:has-text('north-west')")
    hand.at((700.0, 500.0))
    page.wait_for_selector("#how:has-text('north-east')")
    assert browser.complaints_but("422") == []


def test_a_judgement_that_comes_late_says_nothing_of_what_was_drawn_since(browser: Browser) -> None:
    page = browser.open("/help")
    held: list[Any] = []
    page.route("**/api/boards/check", lambda route: route.continue_() if held else held.append(route))
    page.goto(page.url.replace("/help", "/boards"))
    until(page, lambda: held)
    Sketcher(page, 0.0).circle("g", (325.0, 325.0, 9.0))
    _checked(page, "the gate is 18.0 mm wide, a puck 28 mm")
    with page.expect_response("**/api/boards/check"):
        held[0].continue_()
    page.evaluate("fetch('/healthz').then((answer) => answer.text())")  # what came before is drawn by now
    assert "18.0 mm wide" in " ".join(_mistakes(page))
    assert browser.complaints == []


@pytest.mark.parametrize(
    ("address", "shows"),
    [("**/api/boards", "#open-which option"), ("**/api/boards/check", "#mistakes li >> text=door")],
)
def test_what_a_failing_line_kept_back_is_asked_for_again(browser: Browser, address: str, shows: str) -> None:
    page = browser.open("/help")
    lost = fails_once(page, address)
    page.goto(page.url.replace("/help", "/boards"))
    page.locator(shows).first.wait_for(state="attached")
    assert lost
    assert browser.complaints_but("ERR_CONNECTION_FAILED") == []


def test_a_shape_whose_handle_is_let_go_otherwise_stays_and_one_that_is_deleted_meanwhile_is_gone(
    browser: Browser,
) -> None:
    page = _open(browser)
    hand = Sketcher(page, 0.0)
    hand.circle("g", (325.0, 325.0, 20.0))
    hand.tool("v", (325.0, 325.0))
    middle = page.locator(".handle[data-handle='0']").bounding_box()
    x, y = middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2
    drawn = "JSON.parse(sessionStorage.getItem('paleo-drawing')).shapes.map((shape) => shape.circle)"
    before = page.evaluate(drawn)

    def drag(end: Callable[[], object]) -> None:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y + 40, steps=4)
        end()
        page.mouse.move(x + 60, y + 60, steps=2)
        page.mouse.up()

    drag(lambda: page.evaluate("stage.dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1 }))"))
    page.mouse.move(x + 150, y + 150)
    page.mouse.down()  # the board is drawn to the side
    page.mouse.move(x + 100, y + 150, steps=4)
    page.mouse.up()
    assert page.evaluate(drawn) == before
    page.click("#zoom-all")
    drag(lambda: page.keyboard.press("Delete"))
    assert page.evaluate(drawn) == []
    assert browser.complaints == []


def test_boards_are_drawn_where_nothing_can_be_kept_and_a_second_finger_draws_nothing(browser: Browser) -> None:
    page = browser.open("/help", has_touch=True)
    page.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('blocked'); } });")
    page.goto(page.url.replace("/help", "/boards"))
    page.locator("[name=tool][value=start]").check(force=True)
    box = page.locator("#stage").bounding_box()
    points = [{"x": box["x"] + box["width"] * far, "y": box["y"] + box["height"] / 3, "id": n} for n, far in
              enumerate((0.4, 0.45))]  # fmt: skip
    touch = page.context.new_cdp_session(page)
    for kind, fingers in (
        ("touchStart", points[:1]),
        ("touchStart", points),
        ("touchEnd", points[:1]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    page.locator("#mistakes li", has_text="start circle").first.wait_for()
    assert page.locator("[data-shape][data-copy='0']").count() == 1
    assert browser.complaints == []


def test_a_board_is_drawn_by_a_finger_on_a_phone(browser: Browser) -> None:
    page = _open(browser, locale="fr-FR", width=360, height=640, has_touch=True, is_mobile=True)
    targets = page.locator("main :is(summary, button, label:has([name=tool]))").all()
    boxes = [one.bounding_box() for one in targets if one.is_visible()]
    assert [box for box in boxes if min(box["height"], box["width"]) < FINGER_PX] == []
    page.locator("label:has([value=sanctuary])").tap()
    box = page.locator("#stage").bounding_box()
    assert box["y"] >= 0  # it has come into sight
    x, y = box["x"] + 100, box["y"] + 100
    for right, down in ((0, 0), (80, 0), (80, 60), (14, 12)):  # the last one near to the first
        page.touchscreen.tap(x + right, y + down)
    page.locator("[data-shape='1'][data-copy='0']").wait_for(state="attached")
    for right, down in ((0, 90), (60, 110), (8, 84)):  # two corners and the first again: a rectangle
        page.touchscreen.tap(x + right, y + down)
    page.locator("[data-shape='2'][data-copy='0']").wait_for(state="attached")
    points = "JSON.parse(sessionStorage.getItem('paleo-drawing')).shapes[0].points"
    before = page.evaluate(points)
    page.locator("label:has([value=select])").tap()
    y += page.locator("#stage").bounding_box()["y"] - box["y"]
    page.touchscreen.tap(x + 60, y + 20)
    page.locator(".handle").first.wait_for()
    touch = page.context.new_cdp_session(page)
    for kind, fingers in (("touchStart", 14), ("touchMove", 40), ("touchMove", -40), ("touchEnd", None)):
        at = [] if fingers is None else [{"x": x + fingers, "y": y + 10}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    after = page.evaluate(points)
    assert after[0][0] < before[0][0] - 50
    assert after[1:] == before[1:]
    assert browser.complaints == []


def test_a_box_stands_beside_its_words_and_a_button_away_from_the_field_above_it(browser: Browser) -> None:
    page = _open(browser)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        box, words, field, button = (
            page.locator(one).bounding_box() for one in ("#snap", "label[for=snap]", "#open-which", "#open")
        )
        assert abs(2 * box["y"] + box["height"] - 2 * words["y"] - words["height"]) <= 2
        assert button["y"] - field["y"] - field["height"] >= 4


def test_a_fault_of_the_servers_shuts_saving_no_longer_than_it_lasts(browser: Browser) -> None:
    page = browser.open("/help")
    fault = {"status": 500, "content_type": "application/json", "body": '{"error": "Something went wrong here."}'}
    page.route("**/api/boards/check", lambda route: route.fulfill(**fault), times=1)
    page.goto(page.url.replace("/help", "/boards"))
    _checked(page, "Something went wrong here.")
    assert page.locator("#save").is_disabled()
    page.wait_for_selector("#save:not([disabled])")
    _checked(page, "no door")
    assert browser.complaints_but("500") == []


def test_a_colour_of_a_team_that_is_gone_meanwhile_is_nobodys(browser: Browser) -> None:
    page = _open(browser)
    page.click("#from-camera")
    until(page, lambda: page.locator("#stage image[href*=above]").count())
    team = {
        "colour": "#c8342a",
        "digit_colour": "#f5f1e6",
        "reef_colour": "#e8e4da",
        "mercenaries": [],
        "explorers": [],
    }
    teams = [{"name": name, **team} for name in ("red", "green", "blue")]
    page.evaluate("(teams) => sessionStorage.setItem('paleo-drawing', JSON.stringify({ teams }))", teams)
    page.reload()
    page.click("#team-2-colour-pick")
    page.wait_for_selector("#how:has-text('Click the colour in the picture')")
    held: list[Any] = []
    page.route("**/api/boards/colour", lambda route: held.append(route))
    page.locator("#stage").click()
    until(page, lambda: held)
    page.click("#new")
    page.locator("#team-2-colour").wait_for(state="detached")
    with page.expect_response("**/api/boards/colour"):
        held[0].continue_()
    page.evaluate("fetch('/healthz').then((answer) => answer.text())")  # what came before is done by now
    assert browser.complaints == []


def test_a_saved_board_is_opened_changed_undone_and_saved_again(browser: Browser, tmp_path: Path) -> None:
    text = f"# measured on Sunday\n{random_board_text(SEED)}"
    (tmp_path / "boards").mkdir()
    kept = tmp_path / "boards" / "club.toml"
    kept.write_text(text)
    page = _open(browser)
    page.wait_for_selector("#open-which option[value=club]", state="attached")
    page.select_option("#open-which", "club")
    page.click("#open")
    page.wait_for_selector("#opened:has-text('is open')")
    doors = [board().doors[i].line for i in range(4)]
    steps = "JSON.parse(sessionStorage.getItem('paleo-drawing')).shapes.filter((s) => s.kind === 'door')[0].points"
    assert page.evaluate(steps) == [list(p) for p in doors[0]]
    page.click("[data-shape][data-copy='0'] >> nth=0", force=True)
    number = len(board().zones) + sum(len(t.start_circles) for t in board().teams) + 1
    page.evaluate(f"document.querySelector('[data-shape=\"{number}\"]').scrollIntoView()")
    hand = Sketcher(page, 0.0)
    (ax, ay), (bx, by) = doors[0]
    hand.tool("v", ((ax + bx) / 2, (ay + by) / 2))
    for name, value in (("Point 1 x", ax + 2.5), ("Point 2 y", by + 1.0)):
        page.fill(f'#measure-fields input[aria-label="{name}"]', f"{value:g}")
        page.keyboard.press("Tab")
    assert page.evaluate(steps) == [[ax + 2.5, ay], [bx, by + 1.0]]
    page.focus("#stage")
    hand.keys("Control+z")
    assert page.evaluate(steps) == [[ax + 2.5, ay], [bx, by]]
    page.reload()
    page.wait_for_selector("[data-shape]")
    assert page.input_value("#name") == board().name
    assert page.input_value("#width") == f"{board().size[0]:g}"
    page.click("#save")
    page.wait_for_selector("#saved:has-text('club.toml')")
    saved = load_board(kept)
    first = replace(board().doors[0], line=((ax + 2.5, ay), (bx, by)))
    assert saved == replace(board(), doors=(first, *board().doors[1:]))
    changed = [(a, b) for a, b in zip(text.splitlines(), kept.read_text().splitlines(), strict=True) if a != b]
    assert [a.split(" = ")[0] for a, _ in changed] == ["line"]
    assert browser.complaints == []


def test_a_board_never_takes_anothers_place_unasked(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    other = tmp_path / "boards" / "paleo.toml"
    other.write_text(random_board_text(SEED))
    page = _open(browser)
    page.wait_for_selector("#open-which option[value='shipped:paleo']", state="attached")
    page.select_option("#open-which", "shipped:paleo")
    page.click("#open")
    page.wait_for_selector("#opened:has-text('is open')")
    page.click("#save")
    page.wait_for_selector("#saved:has-text('another board already')")
    assert other.read_text() == random_board_text(SEED)
    third = tmp_path / "boards" / "club.toml"
    third.write_text(random_board_text(SEED))
    for name in ("Club", "Paleo"):
        page.fill("#name", name)
        page.click("#replace")
        page.wait_for_selector(f"#saved:has-text('{name.lower()}.toml')")
        assert {kept.read_text() for kept in (other, third)} == {random_board_text(SEED)}
    page.click("#replace")
    page.wait_for_selector("#saved:has-text('paleo run --board')")
    assert other.read_text() == default_board_path().read_text()
    for _ in range(3):  # two names, and what was opened
        page.click("#undo")
    until_page(page, "document.querySelectorAll('[data-shape]').length === 0")
    assert browser.complaints_but("409") == []
