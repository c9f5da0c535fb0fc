"""How one frame of a board that lies still differs from another."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import Scene, camera_over
from vision.board_at_rest import SHADED, board_at_rest
from vision.frame_map import FrameMap, make_frame_map
from vision.frames import Image
from vision.pipeline import CHANGE_SHARE
from vision.streaks import HOLE
from vision.view import make_view

BOARD = load_board(default_board_path())
WIDTH, HEIGHT = SIZE = (1280, 720)
THRESHOLD = 9.0  # grey levels
BELOW_MM = np.array([0.0, 60.0, 0.0])  # so far the camera looks past the middle: the board's south edge is cut off


@pytest.mark.parametrize(("rows", "changed"), [(1, False), (40, True)])
def test_the_noise_of_the_frames_last_row_is_no_bar_beside_the_board(rows: int, changed: bool) -> None:
    """Beyond the frame the top view repeats its edge; what stands out there is told only where it reaches in."""
    pose = camera_over(BOARD, SIZE)
    pose = replace(pose, tvec=pose.tvec + BELOW_MM)
    frame_map = make_frame_map(make_view(BOARD, pose, SIZE), SIZE)
    beyond = frame_map.in_frame == 0
    assert beyond[-3:].all()
    assert beyond.mean() < 0.2
    image = Scene(BOARD, pose, noise=1.0).picture()
    now = image.copy()
    now[HEIGHT - rows :, 600:612] = 255 - now[HEIGHT - rows :, 600:612]
    busy = board_at_rest(image, frame_map, []).rearranged(now, THRESHOLD).busy
    assert bool(busy[beyond].any()) is changed


def test_a_change_in_the_middle_is_told_whatever_the_frames_edge_shows() -> None:
    pose = camera_over(BOARD, SIZE)
    pose = replace(pose, tvec=pose.tvec + BELOW_MM)
    frame_map = make_frame_map(make_view(BOARD, pose, SIZE), SIZE)
    image = Scene(BOARD, pose, noise=1.0).picture()
    now = image.copy()
    now[-1:, 600:612] = now[300:330, 600:640] = 0
    busy = board_at_rest(image, frame_map, []).rearranged(now, THRESHOLD).busy
    assert busy[frame_map.in_frame == 1].any()
    assert not busy[frame_map.in_frame == 0].any()


def test_the_board_beside_a_hand_stays_in_its_own_light_and_shows_what_moved() -> None:
    """A hand whose light is half the board's looks like a shadow: none of it is left when the hand has gone."""
    pose = camera_over(BOARD, SIZE)
    frame_map = make_frame_map(make_view(BOARD, pose, SIZE), SIZE)
    image = Scene(BOARD, pose, noise=1.0).picture()
    rested = board_at_rest(image, frame_map, [])
    now, mask = image.copy(), np.zeros((HEIGHT, WIDTH), np.uint8)
    now[:300, 560:660] //= 2  # the hand, over the north edge
    now[480:500, 600:620] = mask[480:500, 600:620] = 200  # and what was moved, far from it
    kept = rested.with_moved(now, mask)
    assert (kept[mask == 0] == image[mask == 0]).all()
    assert np.abs(kept[485:495, 605:615].astype(int) - 200).max() < 20
    left = board_at_rest(kept, frame_map, []).change(image, rested.gray, THRESHOLD).mask
    assert left.any()  # where the thing had come to lie …
    rows, columns = np.nonzero(left)
    x0, y0 = frame_map.view.roi[:2]
    away = np.hypot(columns * frame_map.view.step + x0 - 610, rows * frame_map.view.step + y0 - 490)
    assert away.max() < 40  # … alone
    dark = rested.with_part(now, mask)
    assert dark[100:200, 590:630].mean() < 0.8 * image[100:200, 590:630].mean()


@pytest.mark.parametrize("finger", [False, True])
def test_a_puck_that_has_come_to_hang_over_the_border_is_no_hand(finger: bool) -> None:
    """Its side and its shadow differ from the board as far out as a hand's edge might; a finger reaches further."""
    frame_map = make_frame_map(make_view(BOARD, camera_over(BOARD, SIZE), SIZE), SIZE)
    rested = board_at_rest(Scene(BOARD, camera_over(BOARD, SIZE), noise=1.0).picture(), frame_map, [])
    place = (BOARD.size[0] + 2.0, 300.0)
    (x, y), radius = frame_map.small_px([place])[0], frame_map.radius
    change = np.zeros(rested.gray.shape, np.uint8)
    cv2.circle(change, (round(x), round(y)), round(2 * radius), 255, -1)
    if finger:
        cv2.line(change, (round(x), round(y)), (round(x + 5 * radius), round(y)), 255, round(radius))
    assert rested.hand_reaches_in(change)
    assert rested.hand_reaches_in(change, [place]) is finger
    assert rested.hand_reaches_in(change, [(300.0, 300.0)])


@pytest.mark.parametrize(("radii", "alike"), [(SHADED, True), (HOLE, False)])
def test_a_puck_is_taken_over_from_a_frame_with_its_shadow(radii: float, alike: bool) -> None:
    """Else the rim of a shadow stays where it lay, and where it lies is none: the board goes on looking changed."""
    pose = camera_over(BOARD, SIZE)
    frame_map = make_frame_map(make_view(BOARD, pose, SIZE), SIZE)
    bare, places = Scene(BOARD, pose, noise=1.0).picture(), [(150.0, 450.0), (420.0, 450.0)]
    before, after = (_with_shadow(bare, frame_map, place) for place in places)
    kept = board_at_rest(before, frame_map, []).with_moved(after, frame_map.mask_of(after, places, radii))
    rested = board_at_rest(kept, frame_map, places[1:])
    left = rested.change(after, board_at_rest(after, frame_map, []).gray, THRESHOLD).mask
    assert (cv2.countNonZero(left) <= CHANGE_SHARE * frame_map.puck_area) is alike


def test_white_that_a_camera_clips_is_no_hand_where_a_shadow_falls_on_it() -> None:
    """Paper that is far brighter than it shows stays as white in a shadow: nothing reaches in there, or lies."""
    pose = camera_over(BOARD, SIZE)
    frame_map = make_frame_map(make_view(BOARD, pose, SIZE), SIZE)
    bare = Scene(BOARD, pose, noise=0.0).picture().astype(np.float32) * 1.7
    soft = np.zeros((HEIGHT, WIDTH), np.float32)
    soft[: HEIGHT // 2, WIDTH // 2 :] = 0.15
    shadow = 1 - cv2.GaussianBlur(soft, (0, 0), 40)[..., None]
    image, shaded = (np.clip(bare * light, 0, 255).astype(np.uint8) for light in (1.0, shadow))
    rested = board_at_rest(image, frame_map, [])
    gray = board_at_rest(shaded, frame_map, []).gray
    assert not rested.hand_reaches_in(rested.change(shaded, gray, THRESHOLD).mask)
    unclipped = replace(rested, small=replace(rested.small, clipped=None))
    assert unclipped.hand_reaches_in(unclipped.change(shaded, gray, THRESHOLD).mask)
    assert rested.rearranged(shaded, THRESHOLD).busy.mean() < 1e-3


def _with_shadow(image: Image, frame_map: FrameMap, place: tuple[float, float]) -> Image:
    """A dark puck with a shadow that falls as far as two of its radii from its middle."""
    (x, y), radius = frame_map.view.pose.image_from_board(np.array([[*place, 0.0]]))[0], frame_map.native_radius
    shade = np.zeros(image.shape[:2], np.uint8)
    cv2.circle(shade, (round(x + radius), round(y)), round(radius), 1, -1)
    out = np.where(shade[..., None] > 0, image * 0.6, image).astype(np.uint8)
    cv2.circle(out, (round(x), round(y)), round(radius), (30, 30, 90), -1)
    return out
