"""Pucks that a finger slides a little, told from flicked ones by how long the ground takes to turn over."""

from __future__ import annotations

import math
import sys
from functools import cache
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import default_board_path, load_board
from tests.vision.painted_board import camera_over
from vision.eased import MOST_MM, eased, snapped
from vision.frames import Image
from vision.motion import FRICTION_MM_S2, Nudge
from vision.paths import Path
from vision.records import Record
from vision.struck import driven_off
from vision.view import TopView, make_view
from vision.watch import Watch

GROUND, PAINT, SKIN = (90, 150, 170), (60, 120, 30), (150, 180, 220)  # BGR
START, FIRST = (300.0, 250.0), 12  # frames until it moves
LIGHT = 0.8


@pytest.fixture(scope="module")
def view() -> TopView:
    board = load_board(default_board_path())
    return make_view(board, camera_over(board), (1280, 720))


@cache
def _noise(size: tuple[int, int]) -> NDArray[np.int16]:
    return np.random.default_rng(5).normal(0, 3, (size[1], size[0], 3)).astype(np.int16)


def picture(view: TopView, place: tuple[float, float], finger: tuple[float, float] | None, light: float = 1.0) -> Image:
    """The board from above with a puck, and the tip of a finger that comes from the right."""
    image = np.full((view.size[1], view.size[0], 3), GROUND, np.uint8)
    (x, y), r = view.px_from_mm(np.array([place]))[0], view.radius_px
    cv2.circle(image, (round(x * 16), round(y * 16)), round(r * 16), PAINT, -1, cv2.LINE_AA, 4)
    if finger is not None:
        x, y = view.px_from_mm(np.array([finger]))[0]
        cv2.rectangle(image, (round(x), round(y - 0.45 * r)), (image.shape[1], round(y + 0.45 * r)), SKIN, -1)
    lit = cv2.convertScaleAbs(image, alpha=light)
    return np.asarray(cv2.add(lit, np.roll(_noise(view.size), round(7 * x + 13 * y), axis=0), dtype=cv2.CV_8U))


def watched(
    view: TopView, places: list[tuple[float, float]], fingers: list[tuple[float, float] | None], fps: float,
    nudges: tuple[Nudge, ...] = (),
) -> Watch:  # fmt: skip
    """Frames in which a puck lies at these places, and a finger at those; each is kept from where it differs on."""
    before, after = picture(view, places[0], None), picture(view, places[-1], None, LIGHT)
    field = np.full((30, 30, 3), LIGHT, np.float32)
    corner = (round(view.px_from_mm(np.array([START]))[0, 0]) - 8, 0)
    size = (view.size[0] - corner[0], view.size[1])
    records = [Record(k / fps, corner, size, field, before,
                      picture(view, place, finger, LIGHT)[:, corner[0] :].copy())
               for k, (place, finger) in enumerate(zip(places, fingers, strict=True))]  # fmt: skip
    scene = SimpleNamespace(view=view, before=before, after=after, records=records, frame_s=1 / fps, nudges=nudges,
                            board=view.board)  # fmt: skip
    return cast(Watch, SimpleNamespace(scene=scene, times=[r.time_s for r in records]))


def slid(far_mm: float, fps: float, takes_s: float) -> list[tuple[float, float]]:
    """Places of a puck that a finger slides, from rest to rest."""
    count = FIRST + round((takes_s + 0.4) * fps)
    share = [0.5 - 0.5 * math.cos(math.pi * min(max((k - FIRST) / fps / takes_s, 0.0), 1.0)) for k in range(count)]
    return [(START[0] + s * far_mm, START[1] - 0.5 * s * far_mm) for s in share]


def flicked(far_mm: float, fps: float, friction: float = FRICTION_MM_S2) -> list[tuple[float, float]]:
    """Places of one that runs as far, and is slowed down evenly."""
    lasts = math.sqrt(2 * far_mm / friction)
    ran = [1 - (1 - min(max((k - FIRST + 0.4) / fps / lasts, 0.0), 1.0)) ** 2 for k in range(FIRST + round(0.6 * fps))]
    return [(START[0] + s * far_mm, START[1]) for s in ran]


def path(places: list[tuple[float, float]]) -> Path:
    return Path("p1", "green", places[0], end=places[-1])


@pytest.mark.parametrize("fps", [30.0, 60.0])
@pytest.mark.parametrize("far_mm", [5.0, 8.0, 25.0, 34.0])
def test_a_finger_on_a_puck_slides_it(view: TopView, far_mm: float, fps: float) -> None:
    places = slid(far_mm, fps, 0.4)
    fingers: list[tuple[float, float] | None] = [(x + 2.0, y) for x, y in places]
    fingers[-6:] = [None] * 6
    assert eased(path(places), watched(view, places, fingers, fps))


@pytest.mark.parametrize("fps", [30.0, 60.0])
@pytest.mark.parametrize(
    ("far_mm", "friction"), [(5.0, 1.0), (8.0, 1.0), (25.0, 1.0), (38.0, 1.0), (8.0, 0.4), (38.0, 0.7)]
)
def test_a_flick_of_a_finger_that_stays_where_it_struck_is_none(
    view: TopView, far_mm: float, friction: float, fps: float
) -> None:
    """On a board that is two and a half times as smooth neither."""
    places = flicked(far_mm, fps, friction * FRICTION_MM_S2)
    assert not eased(path(places), watched(view, places, [(START[0] + 4.0, START[1])] * len(places), fps))


def test_a_slow_puck_with_no_finger_on_it_was_not_slid(view: TopView) -> None:
    places = slid(8.0, 30.0, 0.4)
    assert not eased(path(places), watched(view, places, [None] * len(places), 30.0))


def test_one_that_went_further_is_told_by_its_way(view: TopView) -> None:
    places = slid(MOST_MM + 1.0, 30.0, 0.4)
    fingers: list[tuple[float, float] | None] = [(x + 2.0, y) for x, y in places]
    assert not eased(path(places), watched(view, places, fingers, 30.0))
    gone = Path("p1", "green", places[0])
    assert not eased(gone, watched(view, places, fingers, 30.0))


def thrown_back(fps: float) -> list[tuple[float, float]]:
    """Places of a puck that is flicked against a wall 32 mm off, and comes to rest 26 mm from where it lay."""
    count = FIRST + round(0.6 * fps)
    ran = [min(max((k - FIRST + 0.4) / fps, 0.0), 0.05) * 1000.0 for k in range(count)]
    return [(START[0] + (mm if mm < 32.0 else 32.0 - (mm - 32.0) / 3), START[1]) for mm in ran]


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_one_that_a_wall_threw_back_under_the_finger_was_flicked(view: TopView, fps: float) -> None:
    places = thrown_back(fps)
    fingers: list[tuple[float, float] | None] = [(START[0] + 4.0, START[1])] * len(places)
    fingers[-3:] = [None] * 3
    assert snapped(path(places), watched(view, places, fingers, fps))


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
@pytest.mark.parametrize("far_mm", [14.0, 25.0, 34.0])
def test_one_that_a_finger_slid_in_a_quarter_of_a_second_was_not(view: TopView, far_mm: float, fps: float) -> None:
    places = slid(far_mm, fps, 0.25)
    fingers: list[tuple[float, float] | None] = [(x + 2.0, y) for x, y in places]
    fingers[-3:] = [None] * 3
    assert not snapped(path(places), watched(view, places, fingers, fps))


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_nor_one_that_was_lifted_and_put_down(view: TopView, fps: float) -> None:
    """Each place turns over at once, but the one, which is half hidden, a good deal after the other."""
    end, in_hand = (START[0] + 26.0, START[1]), (-150.0, START[1])
    times = [k / fps for k in range(FIRST + round(0.8 * fps))]
    places = [START if t < FIRST / fps else in_hand if t < FIRST / fps + 0.25 else end for t in times]
    fingers: list[tuple[float, float] | None] = [(START[0] + 15.0, START[1])] * len(places)
    fingers[-3:] = [None] * 3
    assert not snapped(path(places), watched(view, places, fingers, fps))


def test_nor_one_before_which_a_hand_came_that_looks_like_half_of_what_is_to_come(
    view: TopView, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, far_mm = picture, 30.0

    def with_hand(
        view: TopView, place: tuple[float, float], finger: tuple[float, float] | None, light: float = 1.0
    ) -> Image:
        image = plain(view, place, None, light)
        for x, colour in ((START[0], GROUND), (START[0] + far_mm, PAINT)) if finger is not None else ():
            (u, v), r = view.px_from_mm(np.array([(x, START[1])]))[0], view.radius_px
            lit = [light * c for c in colour]
            cv2.rectangle(image, (round(u - r), round(v - 0.45 * r)), (round(u + r), round(v + 0.45 * r)), lit, -1)
        return image

    monkeypatch.setattr(sys.modules[__name__], "picture", with_hand)
    places = [(x, START[1]) for x, _ in slid(far_mm, 30.0, 0.4)]
    fingers: list[tuple[float, float] | None] = [None if k < FIRST - 5 else START for k in range(len(places))]
    fingers[-3:] = [None] * 3
    assert not snapped(path(places), watched(view, places, fingers, 30.0))


def test_nor_one_that_went_hardly_further_than_a_finger_beside_it_seems_to_shift_it(view: TopView) -> None:
    for far_mm, told in ((10.0, False), (14.0, True)):
        places = flicked(far_mm, 30.0)
        assert snapped(path(places), watched(view, places, [None] * len(places), 30.0)) is told
    assert not snapped(Path("p1", "green", places[0]), watched(view, places, [None] * len(places), 30.0))


@pytest.mark.parametrize(("beside_mm", "aside", "shift_mm", "driven"), [
    (30.0, 0.0, 3.0, True),
    (30.0, 0.9, 3.0, True),
    (30.0, 1.5, 3.0, False),  # it did not go away from that
    (-30.0, 0.0, 3.0, False),
    (60.0, 0.0, 3.0, False),  # that is too far off to have struck it
    (30.0, 0.0, 0.8, False),  # nor has that moved more than a shadow seems to
])  # fmt: skip
def test_one_that_another_one_beside_it_drove_off_was_flicked(
    view: TopView, beside_mm: float, aside: float, shift_mm: float, driven: bool
) -> None:
    """A quarter as fast as one that friction stops so soon: by itself it would be doubtful."""
    places = flicked(24.0, 30.0, 0.3 * FRICTION_MM_S2)
    there = (START[0] - beside_mm * math.cos(aside), START[1] + beside_mm * math.sin(aside))
    nudge = Nudge("p2", there, (there[0] + shift_mm, there[1]), "red")
    seen = watched(view, places, [(START[0] + 4.0, START[1])] * len(places), 30.0, (nudge,))
    assert not snapped(path(places), seen)
    assert driven_off(path(places), seen) is driven


def test_one_that_a_finger_slid_away_from_another_one_was_not(view: TopView) -> None:
    places = slid(24.0, 30.0, 0.4)
    fingers: list[tuple[float, float] | None] = [(x + 2.0, y) for x, y in places]
    nudge = Nudge("p2", (START[0] - 30.0, START[1]), (START[0] - 33.0, START[1]), "red")
    assert not driven_off(path(places), watched(view, places, fingers, 30.0, (nudge,)))
