"""Paths made continuous in time: flicks of known physics, sampled at 30 frames a second with a camera's noise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.board import Board
from tests.vision.seen_shots import FRAME_S, Camera, play
from tests.vision.virtual_table.tables import plain_board, puck
from vision.motion import Motion, make_motion
from vision.paths import Path, PathPoint
from vision.virtual_table.physics import Shot

BOARD = plain_board()
PHASES = [0.05, 0.3, 0.55, 0.8, 0.97]
FRICTION = 2900.0  # mm/s²
STILL_NOISE_MM = 0.1  # a puck at rest is not blurred
PLACE_MM = 3.0  # ten times the noise of one place: two of them, carried on over a frame
LAST_STEP_S = FRAME_S + math.sqrt(2 * 0.8 / FRICTION)  # the last 0.8 mm, lost in the noise, take friction so long


def slide(angle_deg: float, speed_mm_s: float, x: float = 150, y: float = 200, board: Board = BOARD) -> Shot:
    return play(board, [puck("red-1", x, y)], "red-1", angle_deg, speed_mm_s)


def worst_mm(camera: Camera, motion: Motion) -> float:
    """The furthest that a motion ever is from the truth, from flick to rest."""
    moments = np.arange(camera.flick_s, camera.flick_s + camera.shot.rest_s, 0.002)
    return max(math.dist(motion.at(float(t)), camera.true_place(motion.puck, float(t))) for t in moments)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("speed", [300.0, 800.0, 2000.0])
def test_the_moment_of_the_flick_is_found_between_two_frames(phase: float, speed: float) -> None:
    camera = Camera(BOARD, slide(190.0, speed, 560), phase)
    motion = camera.motions()["red-1"]
    noise_s = 3 * camera.noise_mm / speed  # three deviations of a place, at the puck's speed
    assert motion.onset_s == pytest.approx(camera.flick_s, abs=0.003 + noise_s)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("speed", [300.0, 800.0, 1200.0])
def test_a_puck_is_said_to_rest_when_it_has_come_to_rest(phase: float, speed: float) -> None:
    camera = Camera(BOARD, slide(190.0, speed, 560), phase, noise_mm=STILL_NOISE_MM)
    motion = camera.motions()["red-1"]
    assert motion.rest_s == pytest.approx(camera.flick_s + camera.shot.rest_s, abs=LAST_STEP_S)


@pytest.mark.parametrize("phase", PHASES)
def test_a_free_slide_is_followed_between_the_frames(phase: float) -> None:
    camera = Camera(BOARD, slide(185.0, 1000.0, 560), phase)
    assert worst_mm(camera, camera.motions()["red-1"]) < PLACE_MM


@pytest.mark.parametrize("phase", PHASES)
def test_a_bounce_off_the_rim_gets_its_corner(phase: float) -> None:
    camera = Camera(BOARD, slide(50.0, 1200.0, 150, 250), phase)
    assert worst_mm(camera, camera.motions()["red-1"]) < PLACE_MM


def test_the_direction_of_a_flick_is_known_to_two_degrees() -> None:
    for angle in (0.0, 33.0, 150.0, 270.0):
        motion = Camera(BOARD, slide(angle, 700.0, 250)).motions()["red-1"]
        off = math.degrees(math.atan2(motion.direction[1], motion.direction[0])) - angle
        assert abs((off + 180) % 360 - 180) < 2.0


def test_a_puck_that_went_over_the_rim_ends_where_it_was_last_seen() -> None:
    shot = slide(0.0, 2600.0, 350)
    assert not shot.end
    camera = Camera(BOARD, shot)
    motion = camera.motions()["red-1"]
    assert motion.end is None
    assert motion.rest_s <= camera.times[-1]
    x, y = motion.places_mm[-1]
    assert math.dist((x, y), camera.true_place("red-1", motion.rest_s)) < PLACE_MM


def watched_path(before: list[tuple[float, float]], after: list[tuple[float, float]]) -> Path:
    """A puck at (100, 100): its streak's places while it lay there, and once it had left."""
    path = Path("red-1", "red", (100.0, 100.0), end=after[-1])
    path.near = [PathPoint(k, *place, None) for k, place in enumerate(before)]
    path.left = path.last_seen_at_rest = len(before) - 1
    path.points = [PathPoint(len(before) + k, *place, None) for k, place in enumerate(after)]
    return path


def slid(speed_mm_s: float, since_s: float, times: list[float]) -> list[float]:
    """How far a puck has slid at each moment, until friction stops it."""
    taus = [t - since_s for t in times if t - since_s < speed_mm_s / FRICTION]
    return [speed_mm_s * tau - FRICTION / 2 * tau**2 for tau in taus]


def test_a_finger_that_shifts_what_is_seen_does_not_start_the_motion() -> None:
    times = [k * FRAME_S for k in range(16)]
    flick_s = times[5] + 0.4 * FRAME_S
    ways = slid(1000.0, flick_s, times[6:])
    finger = [(100.0, 100.0), (101.0, 98.0), (103.0, 96.0), (104.0, 95.0), (104.0, 95.0), (104.0, 95.0)]
    motion = make_motion(watched_path(finger, [(100.0 + way, 100.0) for way in ways]), times, FRAME_S)
    assert motion is not None
    assert motion.onset_s == pytest.approx(flick_s, abs=0.003)


def test_a_slow_puck_that_is_still_near_its_place_has_started_already() -> None:
    times = [k * FRAME_S for k in range(16)]
    flick_s = times[4] + 0.3 * FRAME_S
    ways = slid(250.0, flick_s, times[5:])
    near, left = [(100.0, 100.0)] * 5, [(100.0 + way, 100.0) for way in ways]
    motion = make_motion(watched_path([*near, left[0]], left[1:]), times, FRAME_S)
    assert motion is not None
    assert motion.onset_s == pytest.approx(flick_s, abs=FRAME_S / 4)


@pytest.mark.parametrize("noise_mm", [0.0, 0.2], ids=["steady", "noisy"])
def test_a_puck_whose_shadow_is_seen_with_it_has_not_left_while_it_is_seen_in_the_same_place(noise_mm: float) -> None:
    times = [k * FRAME_S for k in range(16)]
    flick_s = times[4] + 0.8 * FRAME_S
    ways = slid(1300.0, flick_s, times[5:])
    off = (2.3, 0.9)  # of the middle of what is seen, in a dim room, while it lies still and as it leaves
    noise = np.random.default_rng(3).normal(0, noise_mm, (5, 2))
    near = [(100.0 + off[0] + float(x), 100.0 + off[1] + float(y)) for x, y in noise]
    left = [(100.0 + way, 100.0) for way in ways]
    motion = make_motion(watched_path(near, [(left[0][0] + off[0], 100.0 + off[1]), *left[1:]]), times, FRAME_S)
    assert motion is not None
    assert motion.onset_s == pytest.approx(flick_s, abs=FRAME_S / 4)


def test_a_puck_whose_way_was_hidden_left_after_it_was_last_seen_in_its_place() -> None:
    times = [k * FRAME_S for k in range(16)]
    path = watched_path([(100.0, 100.0)] * 8, [(160.0, 100.0)])
    path.left, path.points = None, []
    motion = make_motion(path, times, FRAME_S)
    assert motion is not None
    assert motion.onset_s >= times[7] - FRAME_S / 2


def test_a_puck_that_is_faster_after_its_first_step_was_thrown_back_in_it() -> None:
    """As seen: struck 13 ms before it was seen, thrown back by a reef, and 17 mm a frame then; 8 mm in its first."""
    times = [k * FRAME_S for k in range(16)]
    way = [(90.0, 113.0), (91.0, 121.0), (105.0, 111.0), (119.0, 103.0), (128.0, 97.0), (135.0, 93.0), (139.0, 90.0)]
    motion = make_motion(watched_path([(100.0, 100.0)] * 5, way), times, FRAME_S)
    assert motion is not None
    struck_s = times[5] - 0.013
    assert motion.onset_s <= struck_s <= motion.onset_s + motion.slack_s
    ways = slid(600.0, times[5] - 0.02, times[5:])
    onward = [(100.0 - 0.6 * way, 100.0 + 0.8 * way) for way in ways]  # no faster: it ran on
    straight = make_motion(watched_path([(100.0, 100.0)] * 5, onward), times, FRAME_S)
    assert straight is not None
    assert straight.slack_s == 0.0


@pytest.mark.parametrize("struck", [0.2, 0.5, 0.8])
def test_a_puck_that_was_slowed_after_its_first_step_left_at_any_time_since_it_was_seen_at_rest(struck: float) -> None:
    """As seen in a chain: 18 mm in its first frame, in which it struck the next one, and 6 mm in the one after."""
    times = [k * FRAME_S for k in range(16)]
    way = [(100.0, 118.0), (96.0, 123.0), (93.5, 125.5), (93.0, 126.0), (93.0, 126.0)]
    motion = make_motion(watched_path([(100.0, 100.0)] * 5, way), times, FRAME_S)
    assert motion is not None
    assert motion.onset_s <= times[4] + struck * FRAME_S <= motion.onset_s + motion.slack_s
    assert motion.onset_s + motion.slack_s < times[5] - 0.005, "18 mm take that long at 3 m/s, and more"


def test_a_puck_that_ran_on_evenly_left_when_its_speed_says() -> None:
    times = [k * FRAME_S for k in range(16)]
    way = [(100.0, 118.0), (100.0, 145.0), (100.0, 169.0), (100.0, 190.0), (100.0, 208.0)]
    motion = make_motion(watched_path([(100.0, 100.0)] * 5, way), times, FRAME_S)
    assert motion is not None
    assert motion.slack_s == 0.0


@pytest.mark.parametrize("struck", [0.85, 0.5, 0.15])
def test_a_puck_first_seen_where_it_lies_beside_its_place_left_at_any_time_in_that_frame(struck: float) -> None:
    """7 mm, as where a wall threw it back: friction alone would have taken it two frames."""
    times = [k * FRAME_S for k in range(16)]
    path = watched_path([(100.0, 100.0)] * 5 + [(107.0, 100.0)] * 8, [(107.0, 100.0)])
    path.left, path.points = None, []
    path.last_seen_at_rest = 12
    motion = make_motion(path, times, FRAME_S)
    assert motion is not None
    assert motion.onset_s <= times[4] + struck * FRAME_S <= motion.onset_s + motion.slack_s


def test_a_puck_that_never_moved_has_no_motion() -> None:
    assert make_motion(Path("red-1", "red", (100.0, 100.0)), [0.0, FRAME_S], FRAME_S) is None


def test_velocity_is_that_of_the_run_before_a_moment() -> None:
    camera = Camera(BOARD, slide(0.0, 900.0, 150))
    motion = camera.motions()["red-1"]
    vx, vy = motion.velocity_before(camera.flick_s + 0.1)
    true = 900.0 - FRICTION * 0.1
    assert vx == pytest.approx(true, abs=FRICTION * 1.5 * FRAME_S)  # the speed of a run is that of its middle
    assert abs(vy) < 3 * camera.noise_mm / FRAME_S


def test_the_last_direction_of_a_run_is_that_of_its_last_millimetres() -> None:
    places = np.array([[0.0, 0.0], [100.0, 0.0], [103.0, 4.0], [103.1, 4.1]])  # the last 4 mm before, and noise
    motion = Motion("p1", "red", (0.0, 0.0), (103.1, 4.1), np.arange(4.0), places, 0.0, 3.0, (1.0, 0.0), 100.0)
    assert motion.last_direction() == pytest.approx((0.603, 0.798), abs=0.005)
    short = Motion("p1", "red", (0.0, 0.0), (3.0, 0.0), np.arange(2.0), places[:2] * 0.03, 0.0, 1.0, (1.0, 0.0), 3.0)
    assert short.last_direction() is None
