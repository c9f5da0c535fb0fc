"""When a board is not to be seen: in the dark, or behind something that is before the camera."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.contacts import ContactGraph
from vision.motion import Motion
from vision.runners import UNSEEN_WAY
from vision.shots import Episode, Shot
from vision.unseen_board import (
    COVERED,
    DARK,
    EVERY_S,
    GLARE,
    GLARES_S,
    GLARES_STILL,
    GLARING,
    LEAST_LEVEL,
    LITTLE,
    LONG_S,
    PASSES_S,
    UNSEEN,
    UnseenBoard,
)

LEVEL = 2 * LEAST_LEVEL


@pytest.mark.parametrize(("light", "for_s"), [(0.5 * DARK, LONG_S), (1.5 * DARK, PASSES_S), (1.1 * LITTLE, 0.0)])
def test_a_dark_room_hides_the_board_and_a_dim_one_for_a_while(light: float, for_s: float) -> None:
    unseen, seen_s = UnseenBoard(), math.inf
    for k in range(100):
        unseen.look(k / 4, light=light, level=LEVEL, white=0.0, differs=0.0, watched=True)
        seen_s = min(seen_s, math.inf if unseen.now else k / 4)
    assert abs(seen_s - for_s) < 0.5


def test_a_dim_room_hides_the_board_until_there_is_clearly_more_light() -> None:
    unseen = UnseenBoard()
    for k, light in enumerate((0.9 * LITTLE, 1.1 * LITTLE, 1.3 * LITTLE)):
        unseen.look(k / 10, light=light, level=LEVEL, white=0.0, differs=0.0, watched=True)
        assert unseen.now is (k < 2)


@pytest.mark.parametrize(("differs", "watched", "hidden"), [
    (1.2 * COVERED, False, True), (1.2 * COVERED, True, False), (0.8 * COVERED, False, False),
])  # fmt: skip
def test_what_covers_most_of_the_board_and_all_that_the_camera_is_watched_by_hides_it(
    differs: float, watched: bool, hidden: bool
) -> None:
    unseen = UnseenBoard()
    unseen.look(0.0, light=0.7, level=LEVEL, white=0.0, differs=differs, watched=watched)
    assert unseen.now == hidden


@pytest.mark.parametrize(("level", "light", "seen"), [
    pytest.param(0.8 * LEAST_LEVEL, 0.45, False, id="a dim room of which less than half is left"),
    pytest.param(1.4 * LEAST_LEVEL, 0.45, True, id="a bright one of which less than half is left"),
    pytest.param(0.8 * LEAST_LEVEL, 0.55, True, id="a dim room of which more than half is left"),
    pytest.param(0.8 * LEAST_LEVEL, 0.9, True, id="one as dark as it was when all lay still"),
])  # fmt: skip
def test_a_board_is_not_seen_where_light_went_and_left_too_few_levels(level: float, light: float, seen: bool) -> None:
    unseen = UnseenBoard()
    unseen.look(0.0, light=light, level=level, white=0.0, differs=0.0, watched=True)
    assert unseen.now is not seen
    unseen.look(0.1, light=light, level=1.1 * LEAST_LEVEL, white=0.0, differs=0.0, watched=True)
    assert unseen.now is not seen  # not by a little more
    unseen.look(0.2, light=light, level=1.4 * LEAST_LEVEL, white=0.0, differs=0.0, watched=True)
    assert not unseen.now


def test_a_picture_that_is_white_hides_the_board_until_little_of_it_is() -> None:
    unseen = UnseenBoard()
    less, more = 0.9 * GLARES_STILL, 1.1 * GLARES_STILL
    for k, (white, hidden) in enumerate([(0.9, False), (1.1, True), (more, True), (less, False), (0.9, False)]):
        unseen.look(k / 30, light=1.1 * GLARING, level=200.0, white=white * GLARE, differs=0.0, watched=True)
        assert unseen.now == hidden, k
    assert unseen.blinds(1.0, light=1.1 * GLARING, level=200.0, white=1.1 * GLARE)
    assert not unseen.blinds(1.1, light=0.9 * GLARING, level=200.0, white=1.1 * GLARE)  # it was pale before


def test_no_exposure_takes_long() -> None:
    unseen = UnseenBoard()
    seen = [k for k in range(40) if not unseen.blinds(k / 4, light=2.0, level=200.0, white=1.0)]
    assert seen[0] == GLARES_S * 4


def test_what_lasts_is_how_the_board_looks_until_it_is_otherwise() -> None:
    unseen = UnseenBoard()
    for k in range(round(LONG_S) + 3):
        unseen.look(float(k), light=0.0, level=LEVEL, white=0.0, differs=0.0, watched=True)
        assert unseen.now == (k < LONG_S)
    assert not unseen.blinds(LONG_S + 3.0, light=0.0, level=LEVEL, white=0.0)
    unseen.look(LONG_S + 4.0, light=1.0, level=LEVEL, white=0.0, differs=0.0, watched=True)
    assert unseen.blinds(LONG_S + 5.0, light=0.0, level=LEVEL, white=0.0)


@pytest.mark.parametrize(("level", "then"), [(0.5, 0.5), (0.95, 1.05)])
def test_what_is_all_but_black_is_waited_for_as_long_as_it_lasts(level: float, then: float) -> None:
    unseen = UnseenBoard()
    for k in range(3 * round(LONG_S)):
        now = (level if k % 2 == 0 else then) * LEAST_LEVEL  # about as much as counts, it is one dark
        unseen.look(float(k), light=0.01, level=now, white=0.0, differs=0.0, watched=True)
        assert unseen.now


def seen_in(*lights: tuple[float, float], level: float = 2 * LEAST_LEVEL) -> tuple[UnseenBoard, list[bool]]:
    """A board in so much light for so many seconds, one after the other, and in which of its frames it was seen."""
    unseen, seen, k = UnseenBoard(), list[bool](), 0
    for light, for_s in lights:
        for _ in range(round(for_s * 30)):
            unseen.look(k / 30, light=light, level=level, white=0.0, differs=0.0, watched=True)
            seen.append(not unseen.now)
            k += 1
    return unseen, seen


def test_each_thing_that_hides_the_board_is_waited_for_by_itself() -> None:
    dim, dark = 0.8 * LITTLE, 0.5 * DARK
    _, seen = seen_in((1.0, 1.0), (dim, LONG_S + 5.0), (dark, 4.0))
    assert not any(seen[-4 * 30 :])  # a room that was dim for long goes dark
    _, seen = seen_in((1.0, 1.0), (dark, 5.0), (dim, 4.0))
    assert sum(seen[-4 * 30 :]) == pytest.approx((4.0 - PASSES_S) * 30, abs=2)  # and a dark one is half lit


def test_time_in_which_the_board_was_seen_is_no_part_of_the_dark_after_it() -> None:
    unseen, seen = seen_in((1.0, 1.0), (0.8 * LITTLE, 6.0), (0.5 * DARK, 0.5), (1.0, 1.0))
    assert all(seen[4 * 30 : 6 * 30])
    assert not unseen.during(4.0, 5.0)
    assert not unseen.between(4.0, 5.0)
    assert not unseen.all_of(4.0, 5.0)
    assert unseen.all_of(7.1, 7.4)
    assert unseen.during(6.8, 7.2)


def test_in_little_light_a_shot_may_be_played_and_in_the_dark_none_is() -> None:
    dim, _ = seen_in((1.0, 1.0), (0.8 * LITTLE, 1.2), (1.0, 1.0))
    dark, _ = seen_in((1.0, 1.0), (0.5 * DARK, 1.2), (1.0, 1.0))
    assert dim.during(1.3, 1.9)
    assert dark.during(1.3, 1.9)
    assert dim.between(0.5, 1.5)
    assert (dim.all_of(1.3, 1.9), dark.all_of(1.3, 1.9)) == (False, True)


def test_waiting_to_look_anew_is_no_time_of_a_shot() -> None:
    """Nor is what goes on in the dark while the board is looked at again one span a frame."""
    unseen = UnseenBoard()
    for k in range(60):
        assert unseen.blinds(k / 30, light=0.1, level=LEVEL, white=0.0)
    for k in range(60, 200):
        unseen.look(k / 30, light=0.1, level=LEVEL, white=0.0, differs=0.0, watched=True)
    assert unseen.all_of(3.0, 5.0)
    assert not unseen.during(0.0, 1.8)


def test_light_that_hunts_about_the_least_that_counts_is_one_dark() -> None:
    unseen = UnseenBoard()
    for k in range(30):
        light = DARK * (0.9 if k % 2 == 0 else 1.1)
        unseen.look(k / 30, light=light, level=LEVEL, white=0.0, differs=0.0, watched=True)
        assert unseen.now


def test_pictures_of_nothing_are_kept_now_and_then() -> None:
    unseen = UnseenBoard()
    kept = [k for k in range(31) if unseen.to_be_kept(k / 30)]
    assert kept[0] == 0
    assert len(kept) == pytest.approx(1.0 / EVERY_S, abs=3)


def test_the_first_pictures_of_nothing_are_all_kept() -> None:
    unseen = UnseenBoard()
    kept = []
    for k in range(6):
        unseen.look(k / 30, light=0.0, level=LEVEL, white=0.0, differs=0.0, watched=True)
        kept.append(unseen.to_be_kept(k / 30))
    assert kept[:3] == [True] * 3
    assert not all(kept)


def test_a_shot_may_have_gone_on_in_little_light_that_stays() -> None:
    """At first it seems to pass, and nothing is seen; then it is how the board looks, and hands hardly show in it."""
    unseen = UnseenBoard()
    for k in range(20 * 30):
        light = 0.9 * LITTLE if 3.0 <= k / 30 < 15.0 else 1.3 * LITTLE
        unseen.look(k / 30, light=light, level=LEVEL, white=0.0, differs=0.0, watched=True)
    assert not unseen.now
    assert [unseen.during(at, at + 0.1) for at in (2.0, 3.5, 4.2, 5.0, 14.0)] == [False, True, True, False, False]
    assert [unseen.in_little_light(at, at + 0.1) for at in (2.0, 5.0, 14.0, 16.0)] == [False, True, True, False]
    unseen.forget_before(19.0)
    assert not unseen.in_little_light(5.0, 6.0)


@pytest.mark.parametrize(("lay_s", "left_s", "hid"), [(0.2, 1.8, True), (0.2, 0.4, False), (1.6, 1.8, False)])
def test_a_puck_may_have_been_moved_between_when_it_lay_in_its_place_and_when_it_left_it(
    lay_s: float, left_s: float, hid: bool
) -> None:
    unseen = UnseenBoard()
    for k in range(60):
        unseen.look(k / 30, light=0.0 if 15 <= k < 45 else 1.0, level=LEVEL, white=0.0, differs=0.0, watched=True)
    assert unseen.between(lay_s, left_s) is hid


def test_a_shot_may_have_gone_on_in_the_dark_in_part_or_as_a_whole() -> None:
    unseen = UnseenBoard()
    for k in range(60):
        unseen.look(k / 30, light=0.0 if 15 <= k < 45 else 1.0, level=LEVEL, white=0.0, differs=0.0, watched=True)
    assert not unseen.during(0.0, 0.3)
    assert unseen.during(0.2, 0.6)
    assert not unseen.all_of(0.2, 0.6)
    assert unseen.all_of(0.6, 1.3)
    unseen.forget_before(1.9)
    assert not unseen.during(0.2, 1.9)


def ran(puck: str, start_s: float, rest_s: float) -> Motion:
    places = np.array([(100.0, 100.0), (300.0, 100.0)])
    return Motion(puck, "red", (100.0, 100.0), (300.0, 100.0), np.array([start_s, rest_s]), places, start_s, rest_s,
                  (1.0, 0.0), 900.0)  # fmt: skip


@pytest.mark.parametrize("light", [0.8 * LITTLE, 0.5 * DARK], ids=["dim", "dark"])
@pytest.mark.parametrize(
    ("start_s", "lasts_s", "pushed", "doubts", "pucks", "hands"),
    [
        (1.5, 0.9, False, (UNSEEN_WAY,), ("p1",), True),
        (1.5, 0.9, True, (), ("p1",), True),
        (1.5, 0.05, False, (), ("p1",), True),
        (1.5, 0.9, False, (), ("p1",), False),  # it was seen to run
        (1.5, 0.9, True, (), ("p1", "p2"), False),
        (0.8, 0.6, True, (), ("p1",), False),  # before the light went
        (2.25, 0.05, True, (), ("p1",), False),  # after it came back
    ],
)
def test_one_puck_that_moved_where_light_had_just_gone_and_was_hardly_seen_to_run_was_moved_by_a_hand(
    light: float, start_s: float, lasts_s: float, pushed: bool, doubts: tuple[str, ...], pucks: tuple[str, ...],
    hands: bool,
) -> None:  # fmt: skip
    unseen, _ = seen_in((1.0, 1.0), (light, 1.2), (1.0, 2.0))
    motions = tuple(ran(puck, start_s, start_s + lasts_s) for puck in pucks)
    shot = Shot("p1", start_s, start_s + lasts_s, ContactGraph("p1", (), ()), (), (), (), motions, pushed, doubts)
    episode = Episode(shot)
    unseen.heed(episode)
    assert (episode.shot is None) is hands
    assert [(h.kind, h.puck) for h in episode.handled] == ([("removed", "p1")] if hands else [])
    assert episode.shot is None or UNSEEN in episode.shot.reasons
