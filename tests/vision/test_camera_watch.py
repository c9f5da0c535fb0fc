"""Where the camera stands: found by the markers, and watched while it is knocked, hidden, or trembles."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import replace

import cv2
import numpy as np
import pytest

import vision.camera_watch
from calibration.board import Board, default_board_path, load_board
from calibration.lens import CalibrationError
from calibration.marker_pose import find_pose
from calibration.pose_doubts import CROOKED, FEW_MARKERS
from tests.vision.painted_board import Scene, camera_over
from vision.camera_watch import DRIFT_EVERY, KNOCK_PX, MENDED_S, POSE_FRAMES, CameraWatch, is_noise, to_nobody
from vision.events import CameraMoved
from vision.frame_map import make_frame_map
from vision.frames import Frame, Image
from vision.view import make_view

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
SIZE = POSE.lens.image_size
KNOCKED_PX = 15.0
BESIDE_MM = 6.0


def seen(seed: int = 1, crooked: int | None = None) -> Image:
    """The board with its markers, one of them stuck on beside its place."""
    picture = Scene(BOARD, POSE, seed=seed).picture()
    for marker in BOARD.markers:
        book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marker.dictionary))
        code = cv2.copyMakeBorder(cv2.aruco.generateImageMarker(book, marker.id, 120), *(4 * [20]),
                                  cv2.BORDER_CONSTANT, value=255)  # fmt: skip
        side = np.array([[20, 20], [140, 20], [140, 140], [20, 140]], np.float32) - 0.5
        corners = marker.corners_mm() + (BESIDE_MM if marker.id == crooked else 0.0, 0.0, 0.0)
        warp = cv2.getPerspectiveTransform(side, POSE.image_from_board(corners).astype(np.float32))
        printed, there = (cv2.warpPerspective(p, warp, SIZE, flags=cv2.INTER_AREA) for p in (code, np.ones_like(code)))
        picture[there > 0] = printed[there > 0, None]
    return picture


PICTURE = seen()


def shifted(image: Image, px: float) -> Image:
    shift = np.array([[1.0, 0.0, px], [0.0, 1.0, 0.0]])
    return np.asarray(cv2.warpAffine(image, shift, SIZE, borderMode=cv2.BORDER_REPLICATE))


def frame(number: int, image: Image) -> Frame:
    return Frame(number, number / 30, image)


def standing() -> CameraWatch:
    """A camera that was calibrated, and whose first look showed the board just there."""
    watch = CameraWatch(BOARD, SIZE, None, POSE)
    assert watch.moved_since_calibrated(frame(0, PICTURE)) == []
    watch.watch_from(PICTURE)
    return watch


def corner_px(watch: CameraWatch) -> tuple[float, float]:
    """Where the board's first corner is in the picture, as far as the watch knows."""
    assert watch.view is not None
    x, y = watch.view.pose.image_from_board(np.zeros((1, 3)))[0]
    return float(x), float(y)


def test_pucks_that_look_too_small_are_told_of_until_the_camera_is_known_to_stand_nearer() -> None:
    far = replace(POSE, tvec=np.asarray(POSE.tvec) * 4)
    watch = CameraWatch(BOARD, SIZE, None, far)
    (told,) = watch.doubts
    assert told.startswith("a puck is only")
    assert watch.moved_since_calibrated(frame(0, PICTURE))
    assert watch.doubts == ()


def without_markers(numbers: Collection[int], image: Image = PICTURE) -> Image:
    """Cups stand on some markers."""
    image = image.copy()
    for marker in BOARD.markers:
        if marker.id in numbers:
            cup = POSE.image_from_board(marker.corners_mm()).astype(np.int32)
            cv2.fillConvexPoly(image, cv2.convexHull(cup), (90, 90, 90))
    return image


def found_in(image: Image, told: Callable[[str], None] = to_nobody, board: Board = BOARD) -> CameraWatch:
    """A camera whose board was found in frames like this."""
    watch = CameraWatch(board, SIZE, POSE.lens, None, told)
    assert [watch.find(frame(k, image)) for k in range(POSE_FRAMES)][-1]
    watch.watch_from(image)
    return watch


FIRST, SECOND = (m.id for m in BOARD.markers[:2])


@pytest.mark.parametrize(("at_first", "doubt"), [
    (without_markers([FIRST, SECOND]), FEW_MARKERS), (seen(crooked=FIRST), CROOKED.format(id=FIRST)),
])  # fmt: skip
def test_markers_that_were_hidden_or_crooked_when_the_board_was_found_count_once_they_are_not(
    at_first: Image, doubt: str
) -> None:
    told: list[str] = []
    watch = found_in(at_first, told.append)
    assert [*watch.doubts] == told == [doubt]
    due = POSE_FRAMES - 1 + math.ceil(MENDED_S * 30)
    for k in range(POSE_FRAMES, due + 2):
        assert watch.check(frame(k, PICTURE), busy=False, still=k != due) in (None, [])
        assert watch.doubts == ((doubt,) if k <= due else ())
    assert watch.sagged
    assert told == [doubt]
    assert math.dist(POSE.image_from_board(np.zeros((1, 3)))[0], corner_px(watch)) < 0.4


def test_a_board_that_was_found_somewhere_else_by_too_few_markers_is_told_to_have_been_moved() -> None:
    watch = found_in(without_markers([FIRST, SECOND]))
    watch.frame_map = make_frame_map(make_view(BOARD, camera_over(BOARD, tilt_deg=1.0), SIZE), SIZE)
    (moved,) = watch.check(frame(round(MENDED_S * 30) + POSE_FRAMES, PICTURE), busy=False, still=True) or ()
    assert moved.recovered
    assert moved.shift_px > KNOCK_PX
    assert math.dist(POSE.image_from_board(np.zeros((1, 3)))[0], corner_px(watch)) < 0.4


def test_for_doubtful_markers_the_board_is_looked_at_now_and_then_and_ever_more_seldom_and_for_others_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hidden = without_markers([FIRST, SECOND])
    doubtful, sure = found_in(hidden), found_in(PICTURE)
    wrong_file = replace(BOARD, markers=tuple(replace(m, size_mm=1.1 * m.size_mm) for m in BOARD.markers))
    all_seen = found_in(PICTURE, board=wrong_file)
    assert all_seen.doubts
    looks: list[object] = []
    monkeypatch.setattr(vision.camera_watch, "find_pose", lambda *a, **_: looks.append(a) or find_pose(*a))
    for k in range(POSE_FRAMES, round(7.5 * MENDED_S * 30), 2):
        doubtful.check(frame(k, hidden), busy=False, still=True)
        sure.check(frame(k, PICTURE), busy=False, still=True)
        all_seen.check(frame(k, PICTURE), busy=False, still=True)
    assert len(looks) == 3  # after one, three and seven times as long
    assert doubtful.doubts == (FEW_MARKERS,)


def test_the_board_is_looked_for_in_some_frames_together() -> None:
    watch = CameraWatch(BOARD, SIZE, POSE.lens, None)
    assert watch.view is None
    assert [watch.find(frame(k, PICTURE)) for k in range(POSE_FRAMES)] == [False] * (POSE_FRAMES - 1) + [True]
    (x, y), (sees_x, sees_y) = POSE.image_from_board(np.zeros((1, 3)))[0], corner_px(watch)
    assert math.dist((x, y), (sees_x, sees_y)) < 0.7


def test_what_is_doubtful_about_where_the_camera_stands_is_told_once() -> None:
    larger = replace(BOARD, markers=tuple(replace(m, size_mm=1.1 * m.size_mm) for m in BOARD.markers))
    said: list[str] = []
    watch = CameraWatch(larger, SIZE, POSE.lens, None, said.append)
    assert any(watch.find(frame(k, PICTURE)) for k in range(POSE_FRAMES))
    assert [doubt.split(":")[0] for doubt in said] == ["the markers' sides do not fit their places"]


def test_what_was_looked_for_in_vain_is_told() -> None:
    watch = CameraWatch(BOARD, SIZE, POSE.lens, None)
    assert not any(watch.find(frame(k, np.full_like(PICTURE, 90))) for k in range(2 * POSE_FRAMES))
    assert watch.view is None
    assert "marker" in watch.why


def test_a_pose_of_pictures_of_another_shape_is_refused() -> None:
    with pytest.raises(CalibrationError):
        CameraWatch(BOARD, (900, 900), None, POSE)


def test_a_camera_that_was_moved_since_it_was_calibrated_is_told_and_believed_once() -> None:
    watch, moved = CameraWatch(BOARD, SIZE, None, POSE), shifted(PICTURE, KNOCKED_PX)
    was = corner_px(watch)
    (told,) = watch.moved_since_calibrated(frame(0, moved))
    assert told.recovered
    assert told.shift_px == pytest.approx(KNOCKED_PX, abs=1.0)
    assert corner_px(watch)[0] - was[0] == pytest.approx(KNOCKED_PX, abs=1.0)
    assert watch.moved_since_calibrated(frame(1, PICTURE)) == []


def test_a_camera_that_stands_still_has_nothing_to_tell() -> None:
    watch = standing()
    noisy = [seen(k) for k in (2, 3)]
    assert all(watch.check(frame(k, noisy[k % 2]), busy=k % 3 == 0) is None for k in range(1, 30))
    assert not watch.knocked


@pytest.mark.parametrize("busy", [False, True])
def test_while_nothing_goes_on_only_some_frames_are_looked_at(busy: bool) -> None:
    watch, moved = standing(), shifted(PICTURE, KNOCKED_PX)
    between = [k for k in range(1, 30) if k % DRIFT_EVERY]
    told = [news for k in between if (news := watch.check(frame(k, moved), busy)) is not None]
    assert bool(told) == busy


def test_a_knock_is_told_and_the_board_found_again_where_it_is_seen_now() -> None:
    watch, moved = standing(), shifted(PICTURE, KNOCKED_PX)
    was, told = corner_px(watch), list[CameraMoved]()
    for k in range(1, 60):
        told += watch.check(frame(k, moved), busy=True) or []
        if told and told[-1].recovered:
            break
    assert told[-1].recovered
    assert told[-1].t < 1.0
    assert not watch.knocked
    assert corner_px(watch)[0] - was[0] == pytest.approx(KNOCKED_PX, abs=1.0)


SAGGED_PX = 0.8


@pytest.mark.parametrize(
    ("busy", "still", "followed"), [(False, True, True), (False, False, False), (True, True, False)]
)
def test_a_camera_that_sags_is_followed_without_a_word_while_nothing_stirs(
    busy: bool, still: bool, followed: bool
) -> None:
    watch, lower = standing(), shifted(PICTURE, SAGGED_PX)
    was, sagged = corner_px(watch), 0
    for k in range(0, 40 * DRIFT_EVERY, DRIFT_EVERY):
        told = watch.check(frame(k, lower), busy, still)
        assert told == ([] if watch.sagged else None)
        sagged += watch.sagged
    assert sagged == followed
    assert corner_px(watch)[0] - was[0] == pytest.approx(SAGGED_PX if followed else 0.0, abs=0.3)


def test_pictures_that_have_other_levels_now_are_watched_by_these() -> None:
    watch, brighter = standing(), np.asarray(cv2.convertScaleAbs(PICTURE, alpha=1.5), dtype=np.uint8)
    watch.rewatch(brighter)
    assert all(watch.check(frame(k, brighter), busy=True) is None for k in range(1, 10))


def test_a_camera_that_does_not_tremble_gives_its_frames_as_they_are() -> None:
    watch = standing()
    gray = np.asarray(cv2.cvtColor(PICTURE, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    still = frame(1, PICTURE)
    assert watch.steadied(still, gray, gray, 10.0)[0] is still
    assert not watch.swings


def looked_for(pictures: list[Image]) -> CameraWatch:
    """A camera of which nothing is known, after it was looked for in these pictures and not found."""
    camera = CameraWatch(BOARD, SIZE, None, None)
    assert not any(camera.find(Frame(n, n / 30, picture)) for n, picture in enumerate(pictures))
    return camera


def test_pictures_of_nothing_but_noise_are_told_for_what_they_are_and_not_searched() -> None:
    rng = np.random.default_rng(3)
    noise = [rng.integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8) for _ in range(2 * POSE_FRAMES)]
    assert looked_for(noise).why.startswith("the picture is nothing but noise")


@pytest.mark.parametrize("sigma", [0.0, 20.0], ids=["clear", "far noisier than a dark room's"])
def test_a_picture_of_a_board_is_no_noise(sigma: float) -> None:
    noise = np.random.default_rng(4).normal(0.0, 1.0, PICTURE.shape) * sigma
    assert not is_noise(np.clip(PICTURE + noise, 0, 255).astype(np.uint8))


def test_why_no_markers_were_found_is_of_the_last_look() -> None:
    camera = looked_for([np.full_like(PICTURE, 90)] * POSE_FRAMES)
    assert camera.why.startswith("no markers are seen")
    mirrored = np.ascontiguousarray(PICTURE[:, ::-1])
    assert not any(camera.find(Frame(10 + n, 1.0, mirrored)) for n in range(POSE_FRAMES))
    assert camera.why.startswith("the picture is mirrored")


def test_why_markers_were_not_found_is_looked_into_when_it_is_asked_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()
    monkeypatch.setattr("vision.camera_watch.why_not_found", lambda *_: asked.append(1) or "so it is")
    camera = looked_for([np.full_like(PICTURE, 90)] * (3 * POSE_FRAMES))
    assert not asked
    assert (camera.why, camera.why) == ("so it is", "so it is")
    assert len(asked) == 1
