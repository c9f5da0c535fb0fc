"""Arms that rest on the board's edge count for nothing; hands over pucks, and what they leave behind, do."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import vision.pipeline
import vision.sight
from calibration.board import default_board_path, load_board
from tests.vision.playing import PLAYED, played
from tests.vision.test_pipeline import lying
from vision.board_at_rest import BoardAtRest, board_at_rest
from vision.differencing import small_gray
from vision.frame_map import FrameMap, make_frame_map
from vision.frames import Frame, Image
from vision.resting_arms import ALIVE_S, APART_S, BARRED_S, HELD_S, LAID_S, LASTS_S, STILL_S, RestingArms
from vision.shots import Episode
from vision.view import TopView, make_view
from vision.virtual_table.table import VirtualTable

Mask = NDArray[np.uint8]
Place = tuple[float, float]

DT = 1 / 15
THRESHOLD = 9.0
PUCK: Place = (150.0, 300.0)
BOARD = load_board(default_board_path())
WIDTH, RADIUS = BOARD.size[0], BOARD.puck.radius_mm
SKIN = (110, 140, 190)


@cache
def the_table() -> VirtualTable:
    return VirtualTable(BOARD, seed=4, pucks=[lying("red-1", *PUCK)], reefs=())


@cache
def empty() -> Image:
    """The board with nobody at it."""
    return next(iter(the_table().frames())).image


@cache
def from_above() -> TopView:
    return make_view(BOARD, the_table().pose, the_table().size)


@cache
def flat() -> FrameMap:
    return make_frame_map(from_above(), the_table().size)


@cache
def at_rest() -> BoardAtRest:
    return board_at_rest(empty(), flat(), [PUCK])


def shape(image: Image, outline: list[Place], colour: tuple[int, int, int] = SKIN) -> Image:
    """A frame with something flat on the board, in mm."""
    out, corners = image.copy(), np.array([(*corner, 0.0) for corner in outline])
    cv2.fillPoly(out, [np.rint(the_table().pose.image_from_board(corners)).astype(np.int32)], colour)
    return out


def arm(image: Image, tip: Place, broad: float = 60.0) -> Image:
    """A frame with an arm over the right edge, as far as a tip in mm."""
    (x, y), half = tip, broad / 2
    return shape(image, [(WIDTH + 200, y - half), (x, y - half), (x, y + half), (WIDTH + 200, y + half)])


class Watched:
    """What is known of arms as frames come in."""

    def __init__(self, places: tuple[Place, ...] = (PUCK,)) -> None:
        self.arms, self.places, self.number, self.time_s = RestingArms(), list(places), 0, 0.0

    def see(self, image: Image) -> Mask | None:
        change = at_rest().change(image, _small(image), THRESHOLD)
        self.time_s += DT
        frame, coarse = Frame(0, self.time_s, image), at_rest().coarse_change(image)
        return self.arms.look(frame, change.mask, at_rest(), coarse, THRESHOLD, self.places)

    def rests(self, tip: Place, for_s: float, *, sway_mm: float = 3.0, image: Image | None = None) -> Mask | None:
        """What is known after an arm has rested for so long."""
        known, image = None, empty() if image is None else image
        for _ in range(round(for_s / DT)):
            self.number += 1
            known = self.see(arm(image, (tip[0] + sway_mm * math.sin(2.0 * self.number * DT), tip[1])))
        return known


def _small(image: Image) -> Image:
    return small_gray(image, from_above().roi, from_above().step)


def at(mask: Mask, place: Place) -> int:
    x, y = np.rint(flat().small_px([place])[0]).astype(int)
    return int(mask[y, x])


APART: Place = (560.0, 480.0)
BESIDE_PUCK: Place = (PUCK[0] + RADIUS, PUCK[1])


@pytest.mark.parametrize(("for_s", "known"), [(APART_S - 0.2, False), (APART_S + 0.3, True)])
def test_an_arm_that_came_near_no_puck_is_known_soon(for_s: float, known: bool) -> None:
    seen = Watched().rests(APART, for_s)
    assert (seen is not None) == known
    if seen is not None:
        assert at(seen, (APART[0] + 20, APART[1])) == 255
        assert at(seen, PUCK) == 0


def test_a_hand_beside_a_puck_is_none_however_long_it_is_there() -> None:
    assert Watched().rests(BESIDE_PUCK, 2 * HELD_S) is None


def test_an_arm_where_pucks_do_not_lie_is_one_although_others_do_there_elsewhere() -> None:
    assert Watched(places=()).rests(BESIDE_PUCK, LASTS_S) is not None


def test_what_does_not_stir_any_more_is_none() -> None:
    """What a hand laid down: it came, and stirs no more."""
    watched = Watched()
    for x in np.linspace(WIDTH, APART[0], 6):
        watched.rests((float(x), APART[1]), DT, sway_mm=0.0)
    assert watched.rests(APART, 1.2, sway_mm=0.0) is not None
    assert watched.rests(APART, STILL_S + 0.5, sway_mm=0.0) is None


def test_what_never_stirred_is_none() -> None:
    """What a hand left behind that was there when the board was looked at."""
    assert Watched().rests(APART, LASTS_S + ALIVE_S, sway_mm=0.0) is None


def test_an_arm_that_reaches_further_counts_at_once_until_it_has_lain_there() -> None:
    watched = Watched()
    assert watched.rests(APART, 1.5) is not None
    further = (APART[0] - 4 * RADIUS, APART[1])
    assert watched.rests(further, DT) is None
    assert watched.rests(further, APART_S + 0.3) is not None


def test_a_puck_that_comes_to_lie_beside_it_is_no_part_of_it() -> None:
    watched = Watched()
    assert watched.rests(APART, 1.5) is not None
    image = shape(empty(), disc((APART[0] - RADIUS, APART[1])), (40, 40, 200))
    assert watched.rests(APART, 2 * DT, image=image) is None


def test_a_puck_that_comes_to_lie_at_some_distance_is_not_painted_over() -> None:
    watched = Watched()
    assert watched.rests(APART, 1.5) is not None
    place = (APART[0] - 1.9 * RADIUS, APART[1])
    known = watched.rests(APART, 2 * DT, image=shape(empty(), disc(place), (40, 40, 200)), sway_mm=0.0)
    assert known is not None
    assert max(at(known, (place[0] + x, place[1])) for x in (-RADIUS, 0.0, 0.5 * RADIUS)) == 0


def left(image: Image) -> Image:
    """A frame in which the puck is gone."""
    return shape(image, disc(PUCK, 1.2 * RADIUS), (140, 110, 60))


def drew_back(gone: bool) -> Watched:
    """A hand that was at the puck, and has drawn back from it as far as to where an arm may rest."""
    watched = Watched()
    image = left(empty()) if gone else empty()
    for x in np.linspace(BESIDE_PUCK[0], APART[0], 8):
        watched.rests((float(x), PUCK[1]), 2 * DT, image=image)
    return watched


@pytest.mark.parametrize(("gone", "for_s", "known"), [
    pytest.param(False, 0.5, False, id="it came near one"),
    pytest.param(False, LASTS_S + 0.3, True, id="all lie where they lay"),
    pytest.param(True, LASTS_S + 0.3, False, id="it may lie on the one that left"),
    pytest.param(True, HELD_S + 0.3, True, id="no hand does for so long"),
])  # fmt: skip
def test_a_hand_that_was_at_a_puck_may_hold_it(gone: bool, for_s: float, known: bool) -> None:
    seen = drew_back(gone).rests((APART[0], PUCK[1]), for_s, image=left(empty()) if gone else empty())
    assert (seen is not None) == known


def test_an_arm_that_is_barred_counts_for_some_seconds() -> None:
    watched = Watched()
    assert watched.rests(APART, 1.5) is not None
    assert not watched.arms.barred
    watched.arms.bar()
    assert watched.rests(APART, BARRED_S - 0.3) is None
    assert watched.arms.barred
    assert watched.rests(APART, 0.6) is not None
    assert not watched.arms.barred


def test_where_an_arm_has_been_lately_nothing_is_a_ghost() -> None:
    watched = Watched()
    ghosts = np.zeros(flat().outside.shape, np.uint8)
    x, y = np.rint(flat().small_px([(APART[0] + 20, APART[1])])[0]).astype(int)
    far = np.rint(flat().small_px([(100.0, 600.0)])[0]).astype(int)
    for px in ((int(x), int(y)), (int(far[0]), int(far[1]))):
        cv2.circle(ghosts, px, round(flat().radius), 1, -1)
    assert np.array_equal(watched.arms.not_in(ghosts), ghosts)
    watched.rests(APART, 1.5)
    kept = watched.arms.not_in(ghosts)
    assert kept[y, x] == 0
    assert kept[far[1], far[0]] == 1


def shot(last: Place, onset_s: float, *, ahead: Place | None = None, gone: bool = True) -> Episode:
    """A shot of a puck that was last seen somewhere, running on in a direction."""
    motion = SimpleNamespace(puck="p1", places_mm=np.array([PUCK, last]), onset_s=onset_s, last_direction=lambda: ahead)
    told = SimpleNamespace(motions=(motion,))
    return cast(Episode, SimpleNamespace(shot=told, handled=[], gone={"p1"} if gone else set()))


def taken(time_s: float, puck: str = "p1") -> Episode:
    """What a hand took from the board."""
    deed = SimpleNamespace(kind="removed", puck=puck, time_s=time_s)
    return cast(Episode, SimpleNamespace(shot=None, handled=[deed], gone={puck}))


NEXT_TO_IT: Place = (APART[0] - 1.5 * RADIUS, APART[1])
FAR: Place = (300.0, APART[1])


@pytest.mark.parametrize(("episode", "hides"), [
    pytest.param(shot(NEXT_TO_IT, 1.4), True, id="last seen beside it"),
    pytest.param(shot(FAR, 1.4), False, id="last seen elsewhere"),
    pytest.param(shot(FAR, 1.4, ahead=(1.0, 0.0)), True, id="on its way to it"),
    pytest.param(shot(FAR, 1.4, ahead=(0.0, 1.0)), False, id="on its way elsewhere"),
    pytest.param(shot(FAR, 0.0), True, id="it came after the shot had begun"),
    pytest.param(shot(NEXT_TO_IT, 1.4, gone=False), False, id="found"),
    pytest.param(taken(1.4), False, id="taken while it rested"),
    pytest.param(taken(0.0), False, id="taken, and it came"),
])  # fmt: skip
def test_a_puck_that_is_gone_may_lie_under_an_arm(episode: Episode, hides: bool) -> None:
    watched = Watched()
    assert not watched.arms.may_hide(episode, flat())
    watched.rests(APART, 1.5)
    assert watched.arms.may_hide(episode, flat()) == (["p1"] if hides else [])


def test_a_puck_that_was_laid_against_an_arm_is_not_taken_from_the_board() -> None:
    watched = Watched()
    watched.rests(APART, 2.0)
    image, laid_s = shape(empty(), disc((APART[0] - RADIUS, APART[1])), (40, 40, 200)), watched.time_s
    assert watched.rests(APART, LASTS_S, image=image) is not None  # it stirs no more, and hangs together with it
    assert watched.arms.may_hide(taken(laid_s), flat()) == ["p1"]


def disc(place: Place, radius: float = RADIUS) -> list[Place]:
    angles = np.linspace(0, 2 * math.pi, 24)
    return [(place[0] + radius * math.cos(a), place[1] + radius * math.sin(a)) for a in angles]


@pytest.mark.parametrize("towards", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
@pytest.mark.parametrize(("radii", "near"), [(1.2, True), (2.6, False)])
def test_hands_are_as_near_to_a_puck_from_whatever_side_they_come(towards: Place, radii: float, near: bool) -> None:
    puck = (325.0, 325.0)
    ahead, across = np.array(towards), np.array(towards[::-1])
    watched = Watched(places=(puck,))
    for k in range(round((LASTS_S + 0.5) / DT)):
        tip = np.array(puck) - ahead * (radii * RADIUS - 1.0 + math.sin(2.0 * k * DT))
        sides = [tip + across * 20, tip - across * 20, tip - across * 20 - ahead * 600, tip + across * 20 - ahead * 600]
        known = watched.see(shape(empty(), [(float(x), float(y)) for x, y in sides]))
    assert (known is None) == near


@pytest.mark.parametrize(("for_s", "place", "laid"), [
    pytest.param(LAID_S + 1.0, APART, True, id="a thing"),
    pytest.param(LAID_S - 1.0, APART, False, id="not for long enough"),
    pytest.param(LAID_S + 1.0, (PUCK[0] + RADIUS, PUCK[1]), False, id="over a puck it may be a hand"),
])  # fmt: skip
def test_what_lies_there_for_long_without_a_stir_was_laid_down(for_s: float, place: Place, laid: bool) -> None:
    watched = Watched()
    watched.rests(place, for_s, sway_mm=0.0)
    still = np.zeros(flat().outside.shape, np.uint8)
    (x, y), right = place, WIDTH + 30
    px = np.rint(flat().small_px([(x, y - 25), (right, y - 25), (right, y + 25), (x, y + 25)])).astype(np.int32)
    cv2.fillPoly(still, [px], 1)
    assert watched.arms.laid(still, flat(), [PUCK]).any() == laid


def test_the_board_is_seen_as_if_no_arm_were_there_in_the_light_of_now() -> None:
    shade = np.linspace(0.7, 1.0, empty().shape[1])[None, :, None]  # darkest far from the arm
    darker = np.asarray(empty() * shade, dtype=np.uint8)
    seen = Watched().rests(APART, 1.5)
    assert seen is not None
    image = arm(darker, APART)
    mended = at_rest().without(image, flat().over_frame(seen, image), at_rest().coarse_change(image))
    x0, y0, x1, y1 = from_above().roi
    off = cv2.absdiff(mended, darker)[y0:y1, x0:x1]
    assert np.percentile(off, 99.5) <= 3
    assert np.percentile(cv2.absdiff(image, darker)[y0:y1, x0:x1], 99.5) > 30


def with_arms(image: Image, time_s: float) -> Image:
    """A frame with two arms that come after a second, rest on the board's edge, and hardly keep still."""
    if time_s <= 1.0:
        return image
    tip = WIDTH - 70 + 4 * math.sin(2.1 * time_s)
    image = arm(image, (tip, 480 + 3 * math.sin(1.7 * time_s)))
    y = 60 + 4 * math.sin(1.9 * time_s)
    return shape(image, [(420, -200), (420, y), (480, y), (480, -200)])


def test_play_goes_on_beside_arms_that_rest_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(with_arms, 3.5, 6.0, 8.5) == PLAYED
    monkeypatch.setattr(vision.sight.RestingArms, "look", lambda *_: None)
    assert played(with_arms, 3.5, 6.0, 8.5) != PLAYED


def aiming(image: Image, time_s: float) -> Image:
    """A frame in which a hand that does not stir aims at the first puck for four seconds, and then flicks it."""
    if not 1.5 < time_s < 6.2:
        return image
    tip = 150 - RADIUS - 4
    return shape(image, [(-200, 425), (tip - 60, 425), (tip, 443), (tip, 457), (tip - 60, 475), (-200, 475)])


def test_a_hand_that_aims_for_long_and_does_not_stir_is_no_part_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sorted(played(aiming, 3.5, 6.0, 8.5)) == sorted(PLAYED)
    monkeypatch.setattr(vision.pipeline, "only_ghosts", lambda still, *_: still)
    assert sorted(played(aiming, 3.5, 6.0, 8.5)) != sorted(PLAYED)
