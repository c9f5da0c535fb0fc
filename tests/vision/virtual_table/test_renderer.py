"""Pictures of the virtual table, measured against the pose they were made with."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from calibration.lens_doubt import doubted
from calibration.marker_pose import pose_from_markers
from calibration.markers import find_markers
from calibration.pose import Pose
from tests.vision.virtual_table.tables import plain_board, puck
from vision.virtual_table.camera import make_lens, make_pose
from vision.virtual_table.handart import HandSeen
from vision.virtual_table.looks import CLEAN, TIERS, Look, look_for
from vision.virtual_table.physics import Puck
from vision.virtual_table.renderer import Moving, Renderer, View
from vision.virtual_table.setup import start_pucks
from vision.virtual_table.sprites import PuckPainter

HARDEST = ("dim", "slant", "vga")  # for markers: noise, a steep view, few pixels


def pose_for(look: Look, seed: int = 4) -> Pose:
    board, rng = load_board(default_board_path()), random.Random(seed)
    return make_pose(board, make_lens(look.size, rng), rng, tilt_deg=look.tilt_deg)


def renderer_for(look: Look) -> Renderer:
    return Renderer(load_board(default_board_path()), [], pose_for(look), look, 1)


def top_centroid(painter: PuckPainter, lying: Puck) -> np.ndarray:
    """Centroid of the pixels that the puck's top covers."""
    ring = np.array([[lying.x_mm, lying.y_mm, painter.height]])
    sprite = painter.sprite(lying)
    flat = PuckPainter(plain_board(), painter.pose, painter.look, painter.light)
    flat.height = 0.0
    cover = flat.sprite(lying).cover
    ys, xs = np.mgrid[0 : cover.shape[0], 0 : cover.shape[1]]
    box = flat.sprite(lying)
    assert sprite.cover.sum() >= cover.sum() - 1
    assert ring.shape == (1, 3)
    return np.array([(xs * cover).sum() / cover.sum() + box.x0, (ys * cover).sum() / cover.sum() + box.y0])


@pytest.mark.parametrize("tilt", [3.0, 22.0])
def test_a_disc_is_drawn_at_its_exact_place_between_pixels(tilt: float) -> None:
    look = Look(tilt_deg=tilt)
    painter = PuckPainter(plain_board(), pose_for(look), look, (0.6, 0.4))
    worst, rng = 0.0, random.Random(8)
    for _ in range(40):
        lying = puck("red-1", rng.uniform(20, 580), rng.uniform(20, 380))
        angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
        outline = np.column_stack([lying.x_mm + 14 * np.cos(angle), lying.y_mm + 14 * np.sin(angle), 0 * angle])
        pixels = painter.pose.image_from_board(outline)
        moments = cv2.moments(pixels.astype(np.float32).reshape(-1, 1, 2))
        centre = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
        worst = max(worst, float(np.linalg.norm(top_centroid(painter, lying) - centre)))
    assert worst < 0.05


def test_a_pictures_puck_lies_where_the_pose_says() -> None:
    look, lying = CLEAN, puck("red-1", 333.3, 150.7)
    renderer = renderer_for(look)
    empty = renderer.render(View(0.0, ())).astype(float)
    seen = renderer.render(View(0.0, (Puck("red-1", "red", None, lying.x_mm, lying.y_mm),))).astype(float)
    change = np.clip(seen[..., 2] - empty[..., 2], 0, None)  # the red that came, without the shadow
    ys, xs = np.mgrid[0 : change.shape[0], 0 : change.shape[1]]
    centroid = np.array([(xs * change).sum(), (ys * change).sum()]) / change.sum()
    top = renderer.pose.image_from_board(np.array([[lying.x_mm, lying.y_mm, 9.0]]))[0]
    assert np.linalg.norm(centroid - top) < 0.5


@pytest.mark.parametrize(
    "tier", [t if t in HARDEST else pytest.param(t, marks=pytest.mark.long) for t in sorted(TIERS)]
)
def test_all_markers_are_detected_where_they_are(tier: str) -> None:
    look = look_for(tier, 2)
    board = load_board(default_board_path())
    renderer = Renderer(board, [], pose_for(look), look, 1)
    grey = cv2.cvtColor(renderer.render(View(0.0, ())), cv2.COLOR_BGR2GRAY)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    corners, ids, _ = detector.detectMarkers(grey)
    assert ids is not None
    assert sorted(int(i) for i in ids.ravel()) == [m.id for m in board.markers]
    for marker in board.markers:
        found = corners[[int(i) for i in ids.ravel()].index(marker.id)][0]
        expected = renderer.pose.image_from_board(marker.corners_mm())
        assert np.abs(found - expected).max() < 1.5
        assert np.abs((found - expected).mean(axis=0)).max() < 0.3


def outline_px(corners: np.ndarray) -> float:
    """How long the way round a marker is, pixels."""
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).sum())


@pytest.mark.parametrize("look", [CLEAN, TIERS["standard"]], ids=["clean", "standard"])
def test_markers_are_no_larger_than_the_board_file_says_so_that_the_right_lens_is_not_doubted(look: Look) -> None:
    board, renderer = load_board(default_board_path()), renderer_for(look)
    found, pose = find_markers(renderer.render(View(0.0, ())), board), renderer.pose
    assert doubted(pose_from_markers(found, board, pose.lens.image_size, pose.lens), board) is None
    larger = [outline_px(found[m.id]) - outline_px(pose.image_from_board(m.corners_mm())) for m in board.markers]
    assert abs(np.mean(larger)) < 0.4  # of four sides; a painted outline made it 1.6


def test_a_pucks_top_leans_away_from_the_cameras_foot() -> None:
    look = CLEAN
    pose = pose_for(look)
    painter = PuckPainter(plain_board(), pose, look, (0.6, 0.4))
    foot = pose.camera_mm()[:2]
    for x, y in ((40.0, 40.0), (560.0, 360.0), (40.0, 360.0)):
        sprite = painter.sprite(puck("red-1", x, y))
        ys, xs = np.mgrid[0 : sprite.cover.shape[0], 0 : sprite.cover.shape[1]]
        cover = sprite.cover
        centroid = np.array(
            [(xs * cover).sum() / cover.sum() + sprite.x0, (ys * cover).sum() / cover.sum() + sprite.y0]
        )
        ground = pose.image_from_board(np.array([[x, y, 0.0]]))[0]
        outward = (
            pose.image_from_board(np.array([[*(np.array([x, y]) + 0.1 * (np.array([x, y]) - foot)), 0.0]]))[0] - ground
        )
        assert (centroid - ground) @ outward > 0


def test_a_moving_puck_is_smeared_over_its_way() -> None:
    look = CLEAN
    renderer = renderer_for(look)
    places = np.column_stack([np.linspace(300, 340, 24), np.full(24, 100.0)])
    still = renderer.puck_painter.sprite(puck("red-1", 320, 100))
    blurred = renderer.puck_painter.blurred(puck("red-1", 320, 100), places)
    assert blurred.cover.sum() == pytest.approx(still.cover.sum(), rel=0.01)
    assert blurred.cover.max() < still.cover.max()
    ys, xs = np.mgrid[0 : blurred.cover.shape[0], 0 : blurred.cover.shape[1]]
    cover = blurred.cover
    centroid = np.array([(xs * cover).sum() / cover.sum() + blurred.x0, (ys * cover).sum() / cover.sum() + blurred.y0])
    cover = still.cover
    ys, xs = np.mgrid[0 : cover.shape[0], 0 : cover.shape[1]]
    middle = np.array([(xs * cover).sum() / cover.sum() + still.x0, (ys * cover).sum() / cover.sum() + still.y0])
    assert np.linalg.norm(centroid - middle) < 0.1


def test_a_hand_hides_what_lies_under_it() -> None:
    renderer = renderer_for(CLEAN)
    lying = (Puck("red-1", "red", 1, 325, 480),)
    bare = renderer.render(View(0.0, lying))
    hidden = renderer.render(View(0.0, lying, (), (HandSeen(345, 480, 0.0, 14.0),)))
    x, y = renderer.pose.image_from_board(np.array([[322.0, 480.0, 9.0]]))[0].round().astype(int)
    assert np.abs(bare[y, x].astype(int) - hidden[y, x].astype(int)).max() > 25


def test_a_facade_hides_part_of_the_puck_behind_it() -> None:
    renderer = renderer_for(CLEAN)
    behind = renderer.puck_painter.sprite(Puck("red-1", "red", None, 84.0, 30.0))
    empty = renderer.render(View(0.0, ())).astype(int)
    seen = renderer.render(View(0.0, (Puck("red-1", "red", None, 84.0, 30.0),))).astype(int)
    x0, y0, x1, y1 = behind.box
    changed = np.abs(seen - empty)[y0:y1, x0:x1].max(axis=2) > 8
    covered = behind.cover > 0.9
    assert 0.3 < (changed & covered).sum() / covered.sum() < 0.98


@pytest.mark.parametrize(("aside_mm", "seen"), [(0.0, True), (1600.0, False)])
def test_a_board_on_which_nothing_stands_is_seen_and_one_beside_the_picture_is_not(aside_mm: float, seen: bool) -> None:
    """Nothing throws a shadow there, or no shadow falls into the picture."""
    pose = pose_for(CLEAN)
    moved = replace(pose, tvec=pose.tvec + np.array([aside_mm, 0.0, 0.0]))
    picture = Renderer(plain_board(), [], moved, CLEAN, 1).render(View(0.0, ()))
    blue = picture[..., 0] > picture[..., 2].astype(int) + 40
    assert bool(blue.any()) is seen, "its water is blue"


@pytest.mark.alone
def test_it_renders_faster_than_any_camera() -> None:
    board = load_board(default_board_path())
    look = look_for("standard", 1)
    renderer = Renderer(board, [], pose_for(look), look, 1)
    pucks = tuple(start_pucks(board, random.Random(1), []))
    places = np.column_stack([np.linspace(300, 340, 24), np.full(24, 150.0)])
    moving = View(0.0, pucks[1:], (Moving(pucks[0].at(320, 150), places),), (HandSeen(300, 200, 0.3, 14.0),))
    rates = {}
    for name, view in (("still", View(0.0, pucks)), ("moving, with a hand", moving)):
        renderer.render(view)
        began = time.perf_counter()
        for _ in range(30):
            renderer.render(view)
        rates[name] = 30 / (time.perf_counter() - began)
    print({k: f"{v:.0f} frames a second" for k, v in rates.items()})
    assert rates["still"] > 60
    assert rates["moving, with a hand"] > 35


def rows_gain(renderer: Renderer, time_s: float) -> np.ndarray:
    """(H,) how bright each row is against the same table's in an even light."""
    even = np.maximum(renderer.static.picture, 1.0)
    return np.asarray(np.median(renderer.render(View(time_s, ())) / even, axis=(1, 2)))


def test_rows_that_are_exposed_one_after_the_other_see_lamps_flicker_as_stripes() -> None:
    renderer = renderer_for(Look(noise=0.0, flicker=0.05, readout_s=0.024, vignette=0.0))
    gains = [rows_gain(renderer, frame / 30) for frame in range(3)]
    rows = (np.arange(len(gains[0])) + 0.5) / len(gains[0]) * 0.024  # seconds
    waves = np.column_stack([np.sin(2 * np.pi * 100 * rows), np.cos(2 * np.pi * 100 * rows), np.ones(len(rows))])
    for gain in gains:
        fitted, rest, *_ = np.linalg.lstsq(waves, gain, rcond=None)
        assert np.hypot(fitted[0], fitted[1]) == pytest.approx(0.05, abs=0.005)
        assert np.sqrt(rest[0] / len(gain)) < 0.005
    for gain, before in zip(gains[1:], gains, strict=False):
        assert np.abs(gain - before).max() > 0.06  # a third of a wave further


def test_a_frame_read_out_at_once_has_no_stripes() -> None:
    assert np.ptp(rows_gain(renderer_for(Look(noise=0.0, flicker=0.05, vignette=0.0)), 0.0)) < 0.01


def test_a_camera_on_an_arm_swings_when_the_table_is_struck_and_comes_back() -> None:
    renderer = renderer_for(Look(noise=0.0, flicker=0.0, sway_px=3.0))
    still = cv2.cvtColor(renderer.render(View(1.0, ())), cv2.COLOR_BGR2GRAY).astype(np.float32)
    renderer.struck_s.append(1.0)
    shifts = []
    for late_s in (0.0, 0.036, 0.107, 3.0):  # half a wave takes 71 ms
        seen = cv2.cvtColor(renderer.render(View(1.0 + late_s, ())), cv2.COLOR_BGR2GRAY).astype(np.float32)
        shifts.append(cv2.phaseCorrelate(still, seen, cv2.createHanningWindow(still.shape[::-1], cv2.CV_32F))[0])
    across = [x for x, _ in shifts]
    assert abs(across[0]) < 0.1
    assert abs(across[3]) < 0.1
    assert 1.5 < abs(across[1]) < 3.2
    assert across[1] * across[2] < 0
    assert abs(across[2]) < abs(across[1])
