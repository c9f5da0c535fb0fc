"""The check: green where all is well, and the right word, with a figure, for each thing that is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import check_words
from calibration.board import default_board_path
from calibration.check import Check, Finding, Grade, check_set_up, graded, view_finding
from calibration.check_view import residuals_picture, uncertainty_picture
from calibration.commands import calibrate_check
from calibration.lens import CalibrationError, Lens
from calibration.pose_fit import fit_pose
from calibration.uncertainty import board_errors_mm, board_grid_mm
from tests.calibration import scene

FPS = 30.0
FRAMES = 74
NOISES = 5  # different fields of noise, shifted against each other
QUIET_FRAMES = 32  # enough for noise and flicker where nothing is flicked
FLICKED, FLICKED_S = 52, 52 / 30.0  # the frame after which a puck is there, and its time
START_MM = np.array([120.0, 200.0])
SPEED_MM_S = np.array([1300.0, 230.0])
SLOWED_S = 0.45  # friction stops it after this time, in frame 66


@cache
def still(camera: str = "good", crooked: int | None = None) -> scene.Image:
    return scene.picture(CAMERAS[camera], crooked=crooked, noise=0.0)


CAMERAS = {"good": scene.pose()}


def flicked(picture: scene.Image, camera: scene.Pose, exposure_s: float, number: int) -> scene.Image:
    """The picture with a light puck under way, smeared over its exposure, or at rest."""
    top = round(float(camera.image_from_board(np.array([[*START_MM, 0.0]]))[0, 1])) - 60
    part = picture[top : top + 220]  # where it is under way
    covered = np.zeros(part.shape, dtype=np.float32)
    moments = number / FPS + np.linspace(-exposure_s / 2, exposure_s / 2, 25)
    for moment in moments:
        slid_s = np.clip(moment - FLICKED_S, 0.0, SLOWED_S)
        centre = START_MM + SPEED_MM_S * (slid_s - slid_s**2 / 2 / SLOWED_S)
        turn = np.linspace(0, 2 * np.pi, 40)
        rim = centre + 14.0 * np.column_stack([np.cos(turn), np.sin(turn)])
        pixels = camera.image_from_board(np.column_stack([rim, np.full(40, 9.0)]))
        one = np.zeros(part.shape, dtype=np.uint8)
        cv2.fillConvexPoly(one, np.round((pixels - (0, top)) * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
        covered += one * np.float32(1 / 255 / len(moments))
    shown = picture.copy()
    shown[top : top + 220] = np.clip(part * (1 - covered) + 235 * covered, 0, 255)
    return shown


def film(
    picture: scene.Image, *, exposure_s: float | None = 1 / 250, noise: float = 1.5, flicker: float = 0.0,
    camera: str = "good",
) -> Iterator[scene.Image]:  # fmt: skip
    rng = np.random.default_rng(4)
    fields = [rng.normal(0, noise, picture.shape).astype(np.float32) for _ in range(NOISES)]
    for number in range(FRAMES if exposure_s is not None else QUIET_FRAMES):
        frame = picture
        if exposure_s is not None and number > FLICKED:
            frame = flicked(picture, CAMERAS[camera], exposure_s, number)
        light = 1 + flicker * np.sin(2.1 * number)
        grain = np.roll(fields[number % NOISES], number)
        noisy = np.clip(frame * np.float32(light) + grain, 0, 255).astype(np.uint8)
        yield np.asarray(cv2.cvtColor(noisy, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def checked(picture: scene.Image, lens: Lens | None = None, camera: str = "good", **look: float | None) -> Check:
    known = lens or CAMERAS[camera].lens
    still = [scene.coloured(picture)]
    return check_set_up(still, film(picture, camera=camera, **look), scene.paleo(), known, FPS)  # type: ignore[arg-type]


def found(check: Check, key: str) -> Finding:
    return next(f for f in check.findings if f.key.startswith(key))


@cache
def good() -> Check:
    return checked(still())


@cache
def long_exposure() -> Check:
    return checked(still(), exposure_s=1 / 45)


def test_a_good_set_up_is_green() -> None:
    assert [f.key for f in good().findings if f.grade is not Grade.GREEN] == []
    assert [f.advice for f in good().findings if f.advice] == []


@pytest.mark.parametrize(("check", "shutter_s"), [(good, 1 / 250), (long_exposure, 1 / 45)])
def test_the_shutter_is_told_from_a_flick(check: Callable[[], Check], shutter_s: float) -> None:
    figures = found(check(), "shutter").figures
    shortest, told, longest = (1 / float(figures[f].removeprefix("1/")) for f in ("shortest", "shutter", "longest"))
    assert told == pytest.approx(shutter_s, rel=0.15)
    assert shortest < shutter_s < longest < 2 * shortest
    assert 1.0 <= float(figures["speed"]) <= float(np.hypot(*SPEED_MM_S)) / 1000


def test_a_picture_without_colours_is_red_where_teams_are_alike_in_grey() -> None:
    """As of a camera that films by infrared light: the box's red and green are then one."""
    check = check_set_up([still()], film(still(), exposure_s=None), scene.paleo(), CAMERAS["good"].lens, FPS)
    colours = found(check, "colours.alike")
    assert colours.grade is Grade.RED
    assert "red and green look alike" in check_words.told(colours.key, colours.figures)
    assert "night vision" in check_words.advised(colours.advice, colours.figures)


def test_a_picture_without_colours_may_do_where_teams_differ_in_lightness() -> None:
    board = scene.paleo()
    light = replace(board.teams[0], colour="#f0ece0")
    pale = replace(board, teams=(light, *board.teams[1:]))
    check = check_set_up([still()], film(still(), exposure_s=None), pale, CAMERAS["good"].lens, FPS)
    assert found(check, "colours.none").grade is Grade.AMBER


def test_a_long_exposure_is_not_green_and_says_what_to_set() -> None:
    shutter = found(long_exposure(), "shutter")
    assert shutter.grade is Grade.RED
    assert "1/250 s" in check_words.advised(shutter.advice, shutter.figures)


def test_without_a_flick_one_is_asked_for() -> None:
    shutter = found(checked(still(), exposure_s=None), "shutter")
    assert (shutter.key, shutter.grade) == ("shutter.none", Grade.AMBER)


def test_flicker_and_noise_are_told_with_their_size() -> None:
    check = checked(still(), flicker=0.05, noise=10.0)
    assert found(check, "flicker").grade is not Grade.GREEN
    assert float(found(check, "flicker").figures["share"]) == pytest.approx(5 * 1.05 * 0.97, abs=1.5)
    assert found(check, "noise").grade is Grade.RED
    assert float(found(check, "noise").figures["levels"]) == pytest.approx(10.0, abs=1.0)


def test_a_dark_picture_asks_for_light() -> None:
    dark = found(checked((still() * 0.5).astype(np.uint8), exposure_s=None), "bright")
    assert dark.grade is Grade.AMBER
    assert "light" in check_words.advised(dark.advice, dark.figures)


def test_glare_is_told_with_its_place() -> None:
    shiny = still().copy()
    x, y = CAMERAS["good"].image_from_board(np.array([[150.0, 500.0, 0.0]]))[0]
    cv2.circle(shiny, (round(x), round(y)), 22, (255,), -1)
    glare = found(checked(shiny, exposure_s=None), "glare")
    assert glare.grade is Grade.AMBER
    px, py = (float(v) for v in glare.figures["places"].split(")")[0].strip("(").split(","))
    assert (px, py) == (pytest.approx(150, abs=5), pytest.approx(500, abs=5))


def test_a_camera_that_hangs_too_low_is_told_to_be_raised() -> None:
    view = view_finding(scene.pose(height_mm=620.0), scene.paleo())
    assert view.grade is Grade.RED
    higher = scene.pose(height_mm=620.0 + 10 * float(view.figures["raise"]))
    assert view_finding(higher, scene.paleo()).grade is Grade.GREEN


@pytest.mark.parametrize(
    ("aside", "parts", "said"),
    [((0.0, 200.0), "nw n ne", "cut off: north-west corner, north side, north-east corner"),
     ((520.0, 0.0), "nw w sw", "coupé : coin nord-ouest, côté ouest, coin sud-ouest")],
)  # fmt: skip
def test_what_is_cut_off_is_named_by_its_place_on_the_board(aside: tuple[float, float], parts: str, said: str) -> None:
    view = view_finding(scene.pose(tilt=(0.0, 0.0, 0.0), aside_mm=aside), scene.paleo())
    assert view.figures["parts"] == parts
    assert said in check_words.told(view.key, view.figures, "fr" if "coupé" in said else "en")


def test_a_crooked_marker_is_named() -> None:
    pose = found(checked(still(crooked=2), exposure_s=None), "pose")
    assert pose.grade is Grade.AMBER
    assert "marker 2" in check_words.advised(pose.advice, pose.figures)


def test_markers_of_another_size_than_the_file_says_are_red_and_no_fault_of_the_lens() -> None:
    board = scene.paleo()
    printed = replace(board, markers=tuple(replace(m, size_mm=0.9 * m.size_mm) for m in board.markers))
    check = checked(scene.picture(CAMERAS["good"], printed, noise=0.0), CAMERAS["good"].lens)
    assert (found(check, "pose").grade, found(check, "pose").advice) == (Grade.RED, "pose.sizes")
    assert found(check, "lens").grade is Grade.GREEN


def test_a_hidden_marker_is_named() -> None:
    hidden = still().copy()
    x, y = CAMERAS["good"].image_from_board(np.array([[-22.0, 672.0, 12.0]]))[0].astype(int)
    hidden[y - 40 : y + 40, x - 40 : x + 40] = 120
    pose = found(checked(hidden, exposure_s=None), "pose")
    assert (pose.grade, pose.figures["unseen"], pose.figures["used"]) == (Grade.AMBER, "3", "3")


def test_a_soft_picture_asks_for_focus() -> None:
    soft = np.asarray(cv2.GaussianBlur(still(), (0, 0), 1.1), dtype=np.uint8)
    assert found(checked(soft, exposure_s=None), "focus").grade is not Grade.GREEN


def test_no_lens_file_is_amber_and_less_sure() -> None:
    picture = still()
    check = check_set_up([picture], film(picture, exposure_s=None), scene.paleo(), None, FPS)
    assert found(check, "lens").key == "lens.none"
    assert check.errors_mm.max() > 2 * good().errors_mm.max()


def test_a_film_with_doubled_frames_delivers_less() -> None:
    frames = list(film(still()))
    doubled = [frames[n - n % 2] for n in range(FRAMES)]
    check = check_set_up([still()], doubled, scene.paleo(), CAMERAS["good"].lens, FPS)
    rate = found(check, "rate")
    assert float(rate.figures["delivered"]) < 0.75 * FPS
    assert rate.grade is not Grade.GREEN
    assert "shutter" not in found(check, "shutter").figures  # how fast the puck was is not known


def test_the_error_over_the_board_is_the_error_that_comes_out() -> None:
    """Poses from noisy markers: what they err by at the board's points is what was foretold, to a third."""
    camera, board = CAMERAS["good"], scene.paleo()
    points = np.concatenate([m.corners_mm() for m in board.markers])
    at = board_grid_mm(board, 9.0)
    foretold = board_errors_mm(camera, camera.image_from_board(points), points, board, sigma_px=0.3)
    squares = np.zeros(len(at))
    for seed in range(60):
        noisy = camera.image_from_board(points) + np.random.default_rng(seed).normal(0, 0.3, (16, 2))
        read = fit_pose(noisy, points, camera.lens).board_from_image(camera.image_from_board(at), 9.0)
        squares += ((read - at[:, :2]) ** 2).sum(1) / 60
    assert np.sqrt(squares.mean()) == pytest.approx(float(np.sqrt((foretold**2).mean())), rel=0.33)


def test_pictures_show_residuals_and_uncertainty() -> None:
    shown = residuals_picture(good())
    assert shown.shape == (*still().shape, 3)
    assert not np.array_equal(shown, uncertainty_picture(good()))


@pytest.mark.parametrize("draw", [residuals_picture, uncertainty_picture])
def test_pictures_have_their_words_and_figures_in_the_readers_language(draw: Callable[..., scene.Image]) -> None:
    english, french = draw(good(), "en"), draw(good(), "fr")
    assert np.array_equal(english, draw(good()))
    assert (english != french)[:40].any(), "its title"
    assert (english != french).any(axis=2).mean() < 0.02, "all else is as it was"


def test_grades_fall_at_their_bounds() -> None:
    assert [graded(v, (1.0, 2.0)) for v in (0.0, 1.0, 1.5, 2.0, 2.1)] == ["green", "green", "amber", "amber", "red"]
    assert [graded(v, (9.0, 4.0)) for v in (10.0, 9.0, 5.0, 3.9)] == ["green", "green", "amber", "red"]


@pytest.mark.parametrize("table", [check_words.NAMES, check_words.SENTENCES, check_words.ADVICE])
def test_every_word_is_there_in_both_languages_with_the_same_gaps(table: dict[str, dict[str, str]]) -> None:
    for said in table.values():
        gaps = {lang: sorted(part.split("}")[0] for part in text.split("{")[1:]) for lang, text in said.items()}
        assert set(gaps) == {"en", "fr"}
        assert gaps["en"] == gaps["fr"]


def test_the_command_writes_pictures_and_says_what_it_found(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"mp4v"), FPS, scene.SIZE)
    for frame in film(still()):
        writer.write(frame)
    writer.release()
    report = calibrate_check(clip, default_board_path(), None, tmp_path, "fr")
    assert "ORANGE  Objectif : non mesuré" in str(report).replace("\N{NO-BREAK SPACE}", " ")
    assert not re.search("AMBER|GREEN|RED\\b", str(report))
    assert "AMBER  Lens: not measured" in str(replace(report, language="en"))
    drawn = {"residuals": residuals_picture, "uncertainty": uncertainty_picture}
    for name, picture in drawn.items():
        assert np.array_equal(cv2.imread(str(tmp_path / f"{name}.png")), picture(report.check, "fr"))


def test_a_picture_is_no_film_to_check(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "board.png"), still())
    with pytest.raises(CalibrationError, match="expected a film"):
        calibrate_check(tmp_path / "board.png", default_board_path())
