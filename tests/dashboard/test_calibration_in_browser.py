"""Calibrating in a real Chromium: the lens from views held before a camera, the position, the check."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.board import default_board_path, load_board
from calibration.capture import ENOUGH_VIEWS
from calibration.lens import load_lens
from calibration.pose_fit import surface_corners_mm
from calibration.store import load_calibration, save_lens
from companion.calibration_desk import LENS_FILE, POSE_FILE, STILL_S, CalibrationDesk, camera_folder
from companion.dashboard import create_app
from companion.dashboard.set_up_words import set_up_words
from companion.flick_film import FlickFilm
from tests.calibration import scene
from tests.calibration.test_capture import POSES, shown
from tests.calibration.test_lens import TRUE
from tests.dashboard.conftest import Browser, until, until_page
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import Served, serving
from tests.dashboard.sketcher import ANSWER_MS
from tests.dashboard.test_bad_lines_in_browser import fails_once
from vision.virtual_table.looks import look_for
from vision.virtual_table.physics import Puck
from vision.virtual_table.table import VirtualTable
from vision.worker_film import WorkerFilm

pytestmark = pytest.mark.browser

TICK_S = 0.3
TURN_S = 0.05
CAMERA_PICTURE = "**/picture/camera.jpg*"
PRESS_MS = 1500  # a slow tap, in which the page looks several times
SHUTTER_S = 1 / 60
FLICKED_S = 3.8  # of the film: at rest, the hand, the slide, and at rest again


def jpeg(image: scene.Image, noise: int = 0) -> bytes:
    """As a camera's picture: no two are the same."""
    grain = np.random.default_rng(noise).normal(0, 1.0, image.shape)
    noisy = np.clip(image + grain, 0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


@cache
def board_picture() -> tuple[bytes, ...]:
    picture = scene.coloured(scene.picture(scene.pose()))
    return tuple(jpeg(picture, n) for n in range(14))


class Camera:
    """What lies before the camera: each picture is shown once, then the next, and the last ones again."""

    def __init__(self) -> None:
        self.pictures: Iterator[bytes] = itertools.cycle(board_picture())
        self.now = 0.0

    def picture(self) -> bytes:
        return next(self.pictures)

    def clock(self) -> float:
        self.now += TICK_S
        return self.now


@pytest.fixture
def camera() -> Camera:
    return Camera()


class Filmed:
    """A virtual table as the camera of a test flick: a puck is flicked when the page has asked for it."""

    def __init__(self) -> None:
        self.film = FlickFilm(self.begin)
        self.asked_to_flick = threading.Event()

    @cached_property
    def table(self) -> VirtualTable:
        look = replace(look_for("vga", 3), exposure_s=SHUTTER_S)
        puck = Puck("red-5", "red", 5, 150.0, 500.0)
        return VirtualTable(load_board(default_board_path()), seed=3, look=look, pucks=[puck], reefs=[])

    def begin(self, number: int) -> None:
        threading.Thread(target=self.run, args=(number,), daemon=True).start()

    def run(self, number: int) -> None:
        worker = WorkerFilm(FLICKED_S)
        worker.ask(number)
        for frame in self.table.frames():
            if frame.index == round(STILL_S * self.table.fps) + 2:
                while not self.asked_to_flick.wait(TURN_S):
                    self.hand_over(worker)
                self.table.command({"do": "flick", "puck": "red-5", "angle_deg": 6.0, "speed_mm_s": 1400.0})
            worker.see(frame)
            if self.hand_over(worker):
                return

    def hand_over(self, worker: WorkerFilm) -> bool:
        """Passes on what is ready; True once the film is over."""
        taken = list(worker.ready())
        for message in taken:
            self.film.take(message)
        return bool(taken) and taken[-1].last


@pytest.fixture
def filmed() -> Iterator[Filmed]:
    camera = Filmed()
    yield camera
    camera.asked_to_flick.set()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return camera_folder(tmp_path, "0")


@pytest.fixture
def served(fake: FakeCompanion, camera: Camera, filmed: Filmed, folder: Path) -> Iterator[Served]:
    fake.pictures = {"camera": board_picture()[0]}
    board = load_board(default_board_path())
    desk = CalibrationDesk(folder, camera.picture, board, None, lambda: 30.0, camera.clock, filmed.film)
    with serving(fake, calibration=desk) as where:
        yield where


def _open(browser: Browser, **options: Any) -> Any:
    page = browser.open("/calibration", live=False, **options)
    page.set_default_timeout(3 * ANSWER_MS)
    return page


class Hand:
    """Holds a pattern before the camera, each view until the page has answered to it, as somebody who reads it does."""

    def __init__(self, camera: Camera) -> None:
        self.holds = ""
        camera.pictures = self._pictures()

    def _pictures(self) -> Iterator[bytes]:
        for number in itertools.count():
            yield jpeg(shown(self.holds), number) if self.holds else board_picture()[number % 14]


def test_a_lens_is_measured_from_views_that_the_page_asks_for(browser: Browser, camera: Camera, folder: Path) -> None:
    hand = Hand(camera)
    page = _open(browser)
    page.fill("#pattern", "chessboard:9x6:25")
    page.click("#lens-begin")
    answers = {
        "nw": "upper right corner",
        "ne": "lower left corner",
        "sw": "lower right corner",
        "se": "its left side nearer",
        "left": "its right side nearer",
        "right": "its upper side nearer",
        "up": "its lower side nearer",
    }
    for number, view in enumerate(POSES, start=1):
        hand.holds = view
        page.wait_for_selector(f"#lens-taken:has-text('{number} view')")
        if view in answers:
            page.wait_for_selector(f"#how:has-text('{answers[view]}')")
            page.wait_for_selector(".cell.wanted", state="attached" if number < 4 else "detached")
    page.wait_for_selector("#how:has-text('That is enough')")
    page.click("#lens-finish")
    said = _kept(page)
    assert int(re.findall(r"over (\d+) views", said)[0]) >= ENOUGH_VIEWS
    assert float(re.findall(r"about ([\d.]+) mm", said)[0]) < 1.0
    lens = load_lens(folder / LENS_FILE)
    assert lens.focal_px == pytest.approx(TRUE.focal_px, rel=0.005)
    assert browser.complaints == []


def _kept(page: Any) -> str:
    """What the page says of a lens that was measured; where it says nothing, what it says instead."""
    from playwright.sync_api import TimeoutError as WaitedInVain

    try:
        page.wait_for_selector("#lens-said:has-text('Kept as')")
    except WaitedInVain as error:
        raise AssertionError(f"no lens was kept; the page says: {page.inner_text('#how')}") from error
    return str(page.inner_text("#lens-said"))


def _taken(browser: Browser, camera: Camera, count: int) -> tuple[Any, Hand]:
    """A page that has taken some views, and goes on looking."""
    page, hand = _open(browser), Hand(camera)
    page.fill("#pattern", "chessboard:9x6:25")
    page.click("#lens-begin")
    for number, view in enumerate(list(POSES)[:count], start=1):
        hand.holds = view
        page.wait_for_selector(f"#lens-taken:has-text('{number} view')")
    return page, hand


def test_a_lens_is_measured_although_no_more_pictures_come(browser: Browser, camera: Camera, folder: Path) -> None:
    page, _ = _taken(browser, camera, 5)
    asked: list[Any] = []
    page.route(CAMERA_PICTURE, lambda route: asked.append(route))  # not answered
    until_page(page, "document.getElementById('lens-finish').disabled === false")
    until(page, lambda: asked)
    page.click("#lens-finish")
    _kept(page)
    assert (folder / LENS_FILE).is_file()
    for route in asked:
        route.continue_()


def test_views_of_a_page_that_was_left_are_there_when_somebody_comes_back(
    browser: Browser, camera: Camera, folder: Path
) -> None:
    page, hand = _taken(browser, camera, 3)
    page.goto("about:blank")
    page = _open(browser)
    page.wait_for_selector("#lens-taken:has-text('3 views')")
    page.click("#lens-on")
    hand.holds = list(POSES)[3]
    page.wait_for_selector("#lens-taken:has-text('4 views')")
    assert page.is_hidden("#lens-on")
    page.goto("about:blank")
    page = _open(browser)
    page.click("#lens-finish")
    _kept(page)
    assert load_lens(folder / LENS_FILE).views == 4
    page = _open(browser)
    assert page.is_hidden("#lens-on")
    assert page.inner_text("#lens-taken") == ""


def test_one_view_is_told_as_one(browser: Browser, camera: Camera) -> None:
    page, _ = _taken(browser, camera, 1)
    assert page.inner_text("#lens-taken") == "1 view"


def test_nothing_is_redrawn_while_a_finger_is_on_a_button(browser: Browser, camera: Camera) -> None:
    page, hand = _taken(browser, camera, 3)
    page.hover("#lens-finish")
    page.mouse.down()
    before = page.inner_text("#how")
    hand.holds = list(POSES)[3]
    page.wait_for_timeout(PRESS_MS)
    assert (page.inner_text("#how"), page.inner_text("#lens-taken")) == (before, "3 views")
    page.mouse.move(0, 0)
    page.mouse.up()
    page.wait_for_selector("#lens-taken:has-text('4 views')")


def test_the_position_is_found_by_markers_and_kept(browser: Browser, folder: Path) -> None:
    folder.mkdir(parents=True)
    save_lens(folder / LENS_FILE, scene.pose().lens)
    page = _open(browser)
    page.click("#pose-markers")
    page.wait_for_selector("#pose-said:has-text('markers 0, 1, 2, 3')")
    assert scene.error_mm(load_calibration(folder / POSE_FILE), scene.pose(), scene.paleo()) < 0.4
    assert browser.complaints == []


def test_the_position_is_found_by_four_clicked_corners(browser: Browser, folder: Path, camera: Camera) -> None:
    camera.pictures = itertools.cycle([jpeg(scene.picture(scene.pose(), only=()))])
    folder.mkdir(parents=True)
    save_lens(folder / LENS_FILE, scene.pose().lens)
    page = _open(browser)
    page.wait_for_selector("#stage image")
    page.click("#pose-corners")
    hand = np.random.default_rng(1)
    for corner, (x, y) in zip(
        ("north-west", "north-east", "south-east", "south-west"),
        scene.pose().image_from_board(surface_corners_mm(scene.paleo())),
        strict=True,
    ):
        page.wait_for_selector(f"#how:has-text('{corner}')")
        scale, left, top = page.evaluate(
            "(() => { const m = document.getElementById('stage').getScreenCTM(); return [m.a, m.e, m.f]; })()"
        )
        dx, dy = hand.normal(0, 1.0, 2)
        page.mouse.click(left + (x + 0.5) * scale + dx, top + (y + 0.5) * scale + dy)
    page.wait_for_selector("#pose-said:has-text('refined on the board')")
    assert scene.error_mm(load_calibration(folder / POSE_FILE), scene.pose(), scene.paleo()) < 0.8


def test_the_four_corners_are_set_by_keys_alone_and_one_is_taken_back(
    browser: Browser, folder: Path, camera: Camera
) -> None:
    camera.pictures = itertools.cycle([jpeg(scene.picture(scene.pose(), only=()))])
    folder.mkdir(parents=True)
    save_lens(folder / LENS_FILE, scene.pose().lens)
    page = _open(browser)
    page.wait_for_selector("#stage image")
    page.focus("#pose-corners")
    page.keyboard.press("Enter")
    page.wait_for_selector("#how:has-text('Backspace')")
    at = np.array(scene.SIZE) / 2
    wanted = scene.pose().image_from_board(surface_corners_mm(scene.paleo())) + 0.5
    for number, corner in enumerate(("north-west", "north-east", "south-east", "south-west")):
        page.wait_for_selector(f"#how:has-text('{corner}')")
        if number == 2:
            page.keyboard.press("Backspace")
            page.wait_for_selector("#how:has-text('north-east')")
            page.keyboard.press("Enter")
            page.wait_for_selector(f"#how:has-text('{corner}')")
        for axis, keys in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))):
            apart = round(float(wanted[number][axis] - at[axis]))
            key = keys[apart > 0]
            for _ in range(abs(apart) // 10):
                page.keyboard.press(key)
            for _ in range(abs(apart) % 10):
                page.keyboard.press(f"Shift+{key}")
            at[axis] += apart
        page.keyboard.press("Enter")
    page.wait_for_selector("#pose-said:has-text('refined on the board')")
    assert scene.error_mm(load_calibration(folder / POSE_FILE), scene.pose(), scene.paleo()) < 0.8
    assert page.query_selector("#stage .loupe") is None


def test_corners_that_are_asked_for_twice_before_there_is_a_picture_are_clicked_when_it_is_there(
    browser: Browser,
) -> None:
    page = browser.open("/help")
    held: list[Any] = []
    page.route(CAMERA_PICTURE, lambda route: held.append(route))
    page.goto(page.url.replace("/help", "/calibration"), wait_until="commit")
    for number in (1, 2):
        until(page, lambda number=number: len(held) == number)
        page.click("#pose-corners")
    until(page, lambda: len(held) == 3)
    first = held.pop(0)
    with page.expect_response(CAMERA_PICTURE):
        held.pop(0).continue_()
    page.evaluate("fetch('/healthz').then((answer) => answer.text())")  # what came before is done by now
    for route in (first, *held):
        route.continue_()
    page.wait_for_selector("#stage .loupe")
    page.wait_for_selector("#how:has-text('north-west')")
    assert browser.complaints == []


def test_the_views_so_far_are_there_where_the_line_fails_for_a_moment(browser: Browser, camera: Camera) -> None:
    page, hand = _taken(browser, camera, 2)
    lost = fails_once(page, "**/api/calibration/lens/look")
    page.click("#lens-on")
    assert lost
    hand.holds = list(POSES)[2]
    page.wait_for_selector("#lens-taken:has-text('3 views')")
    assert page.is_hidden("#lens-on")


def test_a_click_beside_the_picture_is_no_corner(browser: Browser, camera: Camera) -> None:
    page = _open(browser)
    page.wait_for_selector("#stage image")
    page.click("#pose-corners")
    page.wait_for_selector("#how:has-text('north-west')")
    box = page.locator("#stage").bounding_box()
    image = page.locator("#stage > image").bounding_box()
    assert image["y"] - box["y"] > 10  # the picture is wider than its frame
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 3)
    assert page.query_selector("#stage .seen") is None
    assert "north-west" in page.inner_text("#how")


def test_the_check_shows_a_grade_figures_and_pictures(browser: Browser, folder: Path) -> None:
    folder.mkdir(parents=True)
    save_lens(folder / LENS_FILE, scene.pose().lens)
    page = _open(browser, locale="fr-FR")
    page.click("#check")
    page.wait_for_selector("#check-grade[data-grade='amber']")
    rows = page.inner_text("#findings")
    assert "4 repères sur 4" in rows
    assert "30,0 images par seconde" in rows
    assert "appuyer sur Essai de tir" in rows
    page.click("#show-residuals")
    page.wait_for_selector("#stage image[href*='/calibration/residuals.jpg']")
    residuals = page.url.partition("?")[0] + "/residuals.jpg"
    english, french = (page.request.get(residuals, headers={"Accept-Language": of}).body() for of in ("en", "fr"))
    assert english != french, "its words are the reader's"
    page.click("#pose-corners")
    page.wait_for_selector("#stage .loupe")
    page.click("#stage")
    page.locator("#stage > .seen").wait_for()
    page.click("#show-residuals")  # no corner can be clicked on it, nor taken back
    page.wait_for_selector("#stage image[href*='/calibration/residuals.jpg']")
    page.locator("#stage").press("Backspace")
    page.click("#stage")
    assert page.locator("#stage .loupe, #stage .seen").count() == 0
    assert browser.complaints == []


def test_a_test_flick_tells_the_shutter(browser: Browser, filmed: Filmed, folder: Path) -> None:
    folder.mkdir(parents=True)
    save_lens(folder / LENS_FILE, filmed.table.lens)
    page = _open(browser)
    page.click("text=Test flick")
    page.wait_for_selector("#how:has-text('Hands off the board')")
    page.wait_for_selector("#flick-left")
    page.wait_for_selector("#how:has-text('Flick a puck across the board now')")
    filmed.asked_to_flick.set()
    page.wait_for_selector("#check-grade[data-grade]")
    said = page.inner_text("#findings li:has-text('Shutter')")
    shutter, shortest, longest = (1 / float(n) for n in re.findall(r"1/(\d+)", said)[:3])
    assert shortest < SHUTTER_S < longest
    assert shutter == pytest.approx(SHUTTER_S, rel=0.3)
    assert page.is_enabled("#flick")
    assert page.is_hidden("#flick-left")
    assert browser.complaints == []


def test_without_a_lens_file_the_check_says_that_the_lens_was_estimated(browser: Browser) -> None:
    page = _open(browser)
    page.click("#check")
    page.wait_for_selector("#check-grade[data-grade='amber']")
    assert "not measured; estimated from the markers" in page.inner_text("#findings")


def test_what_goes_wrong_is_told(browser: Browser, camera: Camera) -> None:
    page = _open(browser)
    page.fill("#pattern", "stripes:3")
    page.click("#lens-begin")
    page.wait_for_selector("#how:has-text('stripes:3')")
    camera.pictures = itertools.cycle([jpeg(np.full((480, 640), 90, np.uint8), n) for n in range(20)])
    page.click("#pose-markers")
    page.wait_for_selector("#how:has-text('no markers are seen')")
    page.click("#check")
    page.wait_for_selector("#how:has-text('no markers are seen')")
    page.wait_for_selector("#check:not([disabled])")


def test_finishing_what_was_not_begun_is_refused_in_one_line(fake: FakeCompanion, folder: Path) -> None:
    desk = CalibrationDesk(folder, lambda: None, load_board(default_board_path()))
    client: FlaskClient = create_app(fake, calibration=desk).test_client()
    token = client.get("/api/session").get_json()["csrf_token"]
    for path, said in (("lens/look", "no pattern"), ("lens/finish", "no pattern"), ("check/finish", "0 pictures"),
                       ("flick/look", "no test flick"), ("flick/finish", "no test flick"),
                       ("pose", "no picture yet")):  # fmt: skip
        answer = client.post(f"/api/calibration/{path}", json={}, headers={"X-CSRFToken": token})
        assert (answer.status_code, said in answer.get_json()["error"]) == (422, True), path


def test_the_words_are_there_in_both_languages_and_all_are_used() -> None:
    static = Path(__file__).parents[2] / "companion/dashboard"
    sources = "".join(
        (static / name).read_text(encoding="utf-8")
        for name in ("static/js/boards.js", "static/js/calibration.js", "static/js/set_up.js", "templates/boards.html",
                     "templates/calibration.html")
    )  # fmt: skip
    built = re.findall(r"`([\w.]+)\.\$\{", sources) + re.findall(r"'([\w.]+)\.' ~", sources) + ["boards"]
    for key, said in set_up_words().items():
        gaps = [sorted(re.findall(r"\{(\w+)\}", said[lang])) for lang in ("en", "fr")]
        assert gaps[0] == gaps[1], key
        used = f"'{key}'" in sources or f'"{key}"' in sources or key.rpartition(".")[0] in built
        assert used, f"{key} is never said"
    asked = set(re.findall(r"say\(\"([\w.]+)\"", sources)) | set(re.findall(r"w\['([\w.]+)'\]", sources))
    assert asked <= set(set_up_words()), json.dumps(sorted(asked - set(set_up_words())))
