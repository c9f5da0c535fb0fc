"""The watch over the camera: quiet while it stands, awake when it is knocked or sags, not fooled by hands."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.drift import LOST_FRAMES, SAG_PX, SLOW_FRAMES, DriftReport, DriftWatch
from calibration.pose import Pose
from tests.calibration import scene

STOOD = scene.pose()
KNOCKED = scene.pose(tilt=(0.082, -0.071, 0.036), aside_mm=(7.0, -5.0))
SANK = scene.pose(tilt=(0.0703, -0.0601, 0.0301), aside_mm=(0.7, -0.5))  # by some tenths of a pixel
SAGGED = scene.pose(tilt=(0.0705, -0.0602, 0.0302), aside_mm=(1.2, -0.9))


@cache
def frame(which: str, seed: int = 1) -> scene.Image:
    camera = {"stood": STOOD, "knocked": KNOCKED, "sagged": SAGGED, "sank": SANK}[which]
    return scene.picture(camera, seed=seed)


def with_hand(picture: scene.Image, reach: float = 0.75) -> scene.Image:
    """An arm that covers three of the four markers."""
    covered = picture.copy()
    h, w = picture.shape
    cv2.rectangle(covered, (0, 0), (round(reach * w), h), (120,), -1)
    return covered


def run(watch: DriftWatch, picture: scene.Image, count: int) -> list[DriftReport]:
    return [watch.check(picture) for _ in range(count)]


def new_pose(reports: list[DriftReport]) -> Pose:
    poses = [r.pose for r in reports if r.pose is not None]
    assert len(poses) == 1
    return poses[0]


def test_a_camera_that_stands_has_not_moved() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    for report in run(watch, frame("stood", 2), 3):
        assert report.shift_px < 0.1
        assert not report.moved
        assert report.pose is None


def test_a_change_of_light_is_no_movement() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    darker = (frame("stood", 2) * 0.5).astype(np.uint8)
    assert watch.check(darker).shift_px < 0.2


def test_a_knock_is_seen_and_the_new_pose_given_once_it_stands() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    reports = run(watch, frame("knocked"), LOST_FRAMES + 3)
    assert any(r.moved for r in reports)
    found = new_pose(reports)
    assert scene.error_mm(found, KNOCKED, scene.paleo()) < 0.4
    assert watch.pose is found
    assert watch.check(frame("knocked")).shift_px < 0.1


def test_while_it_still_moves_there_is_no_new_pose() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    run(watch, frame("knocked"), LOST_FRAMES)
    between = scene.picture(scene.pose(tilt=(0.074, -0.064, 0.033), aside_mm=(3.0, -2.0)))
    report = watch.check(between)
    assert report.moved
    assert report.pose is None


def test_slow_sagging_is_told_only_after_it_lasted() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    assert 0.4 < watch.check(frame("sagged")).shift_px < 2.0
    reports = run(watch, frame("sagged"), SLOW_FRAMES + 3)
    assert all(r.pose is None for r in reports[: SLOW_FRAMES - 2])
    assert scene.error_mm(new_pose(reports), SAGGED, scene.paleo()) < 0.4


def test_while_new_poses_are_not_wanted_none_is_given_and_it_is_given_as_soon_as_it_is() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    held = [watch.check(frame("sank"), hold=True) for _ in range(2 * SLOW_FRAMES)]
    assert all(r.pose is None and not r.moved for r in held)
    assert watch.pose is STOOD
    reports = run(watch, frame("sank"), 2)
    assert not any(r.moved for r in reports)
    assert scene.error_mm(new_pose(reports), SANK, scene.paleo()) < 0.4


def test_who_sags_is_said_to_and_who_is_knocked_is_not() -> None:
    for which, sagged in (("sank", True), ("knocked", False)):
        watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
        reports = run(watch, frame(which), SLOW_FRAMES + 3)
        assert any(r.moved for r in reports) != sagged
        assert [r.sagged for r in reports if r.pose is not None] == [sagged]


def px_right(px: float) -> scene.Image:
    """What the camera sees that has turned by so many pixels to the left."""
    picture = frame("stood")
    move = np.array([[1, 0, px], [0, 1, 0]])
    return np.asarray(cv2.warpAffine(picture, move, picture.shape[::-1], borderMode=cv2.BORDER_REPLICATE))


def test_a_table_that_is_struck_under_a_camera_that_sags_is_no_knock() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    for _ in range(2 * SLOW_FRAMES):
        watch.check(frame("sank"), hold=True)
    assert not watch.check(px_right(2.0 * SAG_PX), hold=True).moved
    assert not watch.check(frame("sank"), hold=True).moved


def test_what_is_seen_from_further_off_each_time_is_told_and_not_taken_in_silence() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    width = frame("stood").shape[1] / 1280
    near, far = (px_right(share * SAG_PX * width) for share in (0.9, 1.15))
    looked = next(k for k in range(2 * SLOW_FRAMES) if watch.check(near).shift_px and watch._last is not None)
    assert looked == SLOW_FRAMES - 1
    reports = [watch.check(far, hold=True) for _ in range(SLOW_FRAMES + 3)]
    assert any(r.moved for r in reports)
    first = next(r for r in reports if r.moved or r.pose is not None)
    assert first.moved


def test_no_pose_is_given_before_it_was_told_that_the_camera_has_moved() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    first, then = (watch._look(px_right(px)) for px in (0.3, 0.5))  # just within and just beyond what counts, and alike
    assert not first.moved
    assert then.moved
    assert then.pose is None
    assert watch._look(px_right(0.5)).pose is watch.pose


def test_a_board_that_is_hardly_elsewhere_is_not_looked_for_in_every_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, look = [], DriftWatch._look
    monkeypatch.setattr(DriftWatch, "_look", lambda self, *of: looks.append(1) or look(self, *of))
    for px in (0.34, 0.36, 0.38, 0.4):  # about the least that counts, at this width
        run(DriftWatch(scene.paleo(), STOOD, frame("stood")), px_right(px), 6 * SLOW_FRAMES)
    assert len(looks) <= 4 * 6


def test_a_camera_that_leans_far_though_slowly_has_moved_even_while_poses_are_not_wanted() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    reports = [watch.check(px_right(2.0 * SAG_PX), hold=True) for _ in range(2 * SLOW_FRAMES)]
    assert any(r.moved for r in reports)
    assert not any(r.sagged for r in reports)


def turned_about(centre: tuple[float, float], degrees: float) -> Pose:
    """A camera over a board that was pushed on its table so that it turned about a place on it, or nearly."""
    about = cv2.getRotationMatrix2D(centre, degrees, 1.0) + np.array([[0, 0, 0.4], [0, 0, 0.4]])
    turn, moved = np.eye(3), np.array([*about[:, 2], 0.0])
    turn[:2, :2] = about[:, :2]
    was = cv2.Rodrigues(STOOD.rvec)[0]
    return Pose(STOOD.lens, cv2.Rodrigues(was @ turn)[0].ravel(), was @ moved + np.asarray(STOOD.tvec).ravel())


def test_a_board_that_was_turned_about_one_marker_is_found_while_hands_are_busy() -> None:
    watch, turned = DriftWatch(scene.paleo(), STOOD, frame("stood")), turned_about(scene.paleo().markers[0].centre, 1.5)
    picture = scene.picture(turned)
    assert 0.3 < watch.check(picture, hold=True).shift_px < SAG_PX  # the marker about which it was turned
    reports = [watch.check(picture, hold=True) for _ in range(SLOW_FRAMES + 3)]
    assert any(r.moved for r in reports)
    assert scene.error_mm(new_pose(reports), turned, scene.paleo()) < 0.4


def test_a_board_that_was_turned_about_its_middle_is_found_though_no_side_prevails() -> None:
    w, h = scene.paleo().size
    watch, turned = DriftWatch(scene.paleo(), STOOD, frame("stood")), turned_about((w / 2, h / 2), 0.18)
    picture = scene.picture(turned)
    assert watch.check(picture, hold=True).shift_px < SAG_PX / 2
    reports = [watch.check(picture, hold=True) for _ in range(SLOW_FRAMES + 3)]
    assert any(r.moved for r in reports)
    assert scene.error_mm(new_pose(reports), turned, scene.paleo()) < 0.4


def test_a_hand_over_three_markers_is_no_knock_where_the_camera_sags() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    reports = [watch.check(with_hand(frame("sank"), reach), hold=True)
               for reach in (0.75, 0.5, 0.75) for _ in range(2 * SLOW_FRAMES)]  # fmt: skip
    assert all(r.pose is None and not r.moved for r in reports)
    assert watch.pose is STOOD


def test_a_hand_over_three_markers_is_no_knock() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    for report in run(watch, with_hand(frame("stood", 2)), 30):
        assert not report.moved
        assert report.pose is None


def test_a_hand_over_everything_is_not_known_rather_than_moved() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    reports = run(watch, with_hand(frame("stood", 2), 1.0), 30)
    assert all(np.isnan(r.shift_px) and not r.moved for r in reports)
    assert watch.check(frame("stood", 2)).shift_px < 0.1


def test_a_vibration_that_comes_back_leaves_the_pose_as_it_was() -> None:
    watch = DriftWatch(scene.paleo(), STOOD, frame("stood"))
    run(watch, frame("knocked"), LOST_FRAMES)
    reports = run(watch, frame("stood", 2), 4)
    assert not reports[-1].moved
    assert reports[-1].shift_px < 0.3
    assert scene.error_mm(watch.pose, STOOD, scene.paleo()) < 0.4


@pytest.mark.parametrize("which", ["stood", "knocked"])
def test_a_board_without_markers_is_watched_by_its_picture(which: str) -> None:
    watch = DriftWatch(scene.without_markers(), STOOD, frame("stood"))
    reports = run(watch, frame(which, 2), 8)
    assert any(r.moved for r in reports) == (which == "knocked")
    true = STOOD if which == "stood" else KNOCKED
    assert scene.error_mm(watch.pose, true, scene.paleo()) < 0.8
