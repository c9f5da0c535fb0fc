"""Streaks linked into paths: every puck keeps its own through touches, hands and turns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import pytest

from tests.vision.seen_shots import FRAME_S, Camera, play
from tests.vision.virtual_table.tables import plain_board, puck
from vision.crossings import beyond_rim_mm
from vision.paths import Path, PathPoint, link, rests, retrace, still_runs
from vision.streaks import Streak

BOARD = plain_board()
RADIUS = BOARD.puck.radius_mm
PHASES = [0.05, 0.3, 0.55, 0.8, 0.97]
NOISE_MM = 6.0  # no streak lies further from where its puck is: 20 deviations; the next puck is 28 mm away


def streak(frame: int, x: float, y: float, *, team: str = "red", mass: float = 1.0, along: float = 0.0,
           angle: float = 0.0) -> Streak:  # fmt: skip
    """A puck's streak; along: how far it moved in the exposure."""
    spread = math.sqrt(RADIUS**2 / 4 + along**2 / 12)
    return Streak(frame, team, x, y, mass, spread, RADIUS / 2, angle, (0, 0, 1, 1))


@dataclass
class Witness:
    """A view in which the places given are hidden, bare or unchanged in the frames given."""

    bare_from: dict[tuple[float, float], int] = field(default_factory=dict)
    hidden: dict[int, tuple[float, float]] = field(default_factory=dict)
    still: set[tuple[float, float]] = field(default_factory=set)
    clear: set[tuple[int, tuple[float, float]]] = field(default_factory=set)
    hand_mm: float = 200.0  # away

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.hidden and math.dist(self.hidden[frame], (x_mm, y_mm)) < 60

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame == 0

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return (frame, (x_mm, y_mm)) in self.clear

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame >= self.bare_from.get((x_mm, y_mm), 999)

    def fresh(self, frame: int, seen: Streak) -> bool:
        return seen.place not in self.still

    def stood(self, first: int, last: int, seen: Streak, within_mm: float = 3.0) -> bool:
        return seen.place in self.still

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        return 0.0 if self.covered(frame, x_mm, y_mm) else self.hand_mm

    def over_rim(self, x_mm: float, y_mm: float) -> bool:
        return beyond_rim_mm(BOARD, x_mm, y_mm) > 0.0


def times(count: int) -> list[float]:
    return [k * FRAME_S for k in range(count)]


def frames_of(path: Path) -> list[int]:
    return [p.frame for p in path.points]


def assert_each_its_own(camera: Camera, moved: set[str]) -> None:
    """Every puck that moved has a path, all of it where that puck truly was."""
    paths = camera.paths()
    assert {path.puck for path in paths} == moved
    for path in paths:
        assert path.points
        for point in path.points:
            assert math.dist(point.place, camera.true_place(path.puck, camera.times[point.frame])) < NOISE_MM


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("aside_mm", [0.0, 9.0, -20.0])
def test_two_pucks_of_a_team_that_touch_keep_their_own_paths(phase: float, aside_mm: float) -> None:
    shot = play(BOARD, [puck("red-1", 100, 200), puck("red-2", 190, 200 + aside_mm)], "red-1", 0.0, 1000)
    camera = Camera(BOARD, shot, phase)
    assert_each_its_own(camera, {"red-1", "red-2"})


@pytest.mark.parametrize("phase", PHASES)
def test_a_chain_of_one_team_keeps_three_paths_apart(phase: float) -> None:
    pucks = [puck("red-1", 80, 200), puck("red-2", 170, 206), puck("red-3", 240, 212)]
    camera = Camera(BOARD, play(BOARD, pucks, "red-1", 0.0, 1300), phase)
    assert_each_its_own(camera, {"red-1", "red-2", "red-3"})


def test_a_finger_that_shifts_the_streak_does_not_start_the_shot() -> None:
    shifted = [(100.0, 100.0), (102.0, 97.0), (104.0, 95.0), (104.5, 94.5), (104.5, 94.5)]
    streaks = [[streak(k, *place)] for k, place in enumerate(shifted)]
    streaks += [[streak(5, 120, 100, along=10)], [streak(6, 150, 100, along=10)]]
    path = Path("red-1", "red", (100.0, 100.0))
    link(streaks, times(7), [path], Witness(bare_from={(100.0, 100.0): 5}), RADIUS)
    assert path.left == 4
    assert [p.frame for p in path.near] == [1, 2, 3, 4]
    assert frames_of(path) == [5, 6]


def test_a_shadow_that_shifts_a_resting_streak_by_half_a_puck_is_no_motion() -> None:
    streaks = [[streak(k, 112.0, 100.0)] for k in range(6)]
    path = Path("red-1", "red", (100.0, 100.0))
    link(streaks, times(6), [path], Witness(), RADIUS)
    assert not path.moving


def test_a_puck_that_left_just_before_a_frame_was_taken_is_followed_although_it_seems_much_faster_later() -> None:
    """13 mm in the frame in which it left, 92 in each one after: it lay still for most of the first."""
    way = [(350.0, 164.0), (350.0, 164.0), (352.0, 151.0), (361.0, 60.0), (370.0, -31.0)]
    knuckle = (348.0, 219.0)  # of the puck's colour, on the finger that stays where it is
    streaks = [[streak(k, *place)] for k, place in enumerate(way)]
    for k in (3, 4):
        streaks[k].append(streak(k, *knuckle, mass=0.6))
    path = Path("red-1", "red", way[0])
    link(streaks, times(5), [path], Witness({way[0]: 2}), RADIUS)
    assert [p.place for p in path.points] == way[2:]


@pytest.mark.parametrize(("ahead", "followed"), [((746.0, 193.0), True), ((741.0, 222.0), False)])
def test_a_dark_puck_that_left_just_before_a_frame_is_followed_past_the_finger_straight_on(
    ahead: tuple[float, float], followed: bool
) -> None:
    """11 mm, then 89 with its shadow, and the finger stays where it flicked it; what is as far ahead but 20 degrees
    aside may be anything."""
    way = [(646.0, 190.0), (646.0, 190.0), (657.0, 191.0), ahead]
    streaks = [[streak(k, *place)] for k, place in enumerate(way)]
    streaks[3] = [streak(3, *ahead, mass=1.29)]
    path = Path("black-b", "red", way[0])
    link(streaks, times(4), [path], Witness({way[0]: 2}, hidden={3: (650.0, 190.0)}), RADIUS)
    assert frames_of(path) == ([2, 3] if followed else [2])


@pytest.mark.parametrize("covered", [True, False])
def test_a_puck_that_was_hidden_until_just_after_it_left_is_followed_too(covered: bool) -> None:
    """A finger hid it for three frames before; at fifteen a second 16 mm, and 90 mm a frame from then on. Had its place
    been bare meanwhile, that would be another puck."""
    way = [(100.0, 116.0), (104.0, 206.0), (108.0, 288.0), (112.0, 360.0)]
    streaks = [[streak(0, 100.0, 100.0)], [], [], [], *([streak(4 + k, *place)] for k, place in enumerate(way))]
    path = Path("red-1", "red", (100.0, 100.0))
    hidden = dict.fromkeys((1, 2, 3), (100.0, 100.0)) if covered else {}
    link(streaks, [2 * t for t in times(8)], [path], Witness(bare_from={(100.0, 100.0): 4}, hidden=hidden), RADIUS)
    assert (frames_of(path) == [4, 5, 6, 7]) == covered


def test_a_first_place_that_a_shadow_has_shifted_does_not_tell_the_direction() -> None:
    """The second streak lies 10 mm beside the line through the first, four times as far away."""
    way = [(537.0, 280.0), (537.0, 280.0), (555.0, 278.0), (630.0, 259.0), (679.0, 252.0)]
    streaks = [[streak(k, *place)] for k, place in enumerate(way)]
    streaks[2] = [streak(2, *way[2], mass=1.7)]
    path = Path("red-1", "red", way[0])
    link(streaks, times(5), [path], Witness({way[0]: 2}, hidden={3: way[2]}), RADIUS)
    assert [p.place for p in path.points] == way[2:]


@pytest.mark.parametrize("fps", [30, 60, 120])
def test_a_puck_that_was_only_grazed_is_followed_at_every_rate_of_frames(fps: int) -> None:
    """It goes 14.7 mm at 294 mm/s and less: at 60 frames a second by less in a frame than fingers shift it."""
    moments = [k / fps for k in range(round(0.3 * fps))]
    ran = [min(max(t - 0.05, 0.0), 0.1) for t in moments]
    way = [(100.0 + 294 * t - 1470 * t**2, 100.0) for t in ran]
    path = Path("p1", "red", (100.0, 100.0), end=(114.7, 100.0))
    link([[streak(k, *place)] for k, place in enumerate(way)], moments, [path], Witness(), RADIUS)
    gone = [k for k, place in enumerate(way) if place[0] > 112.0]
    assert set(gone) <= set(frames_of(path))
    assert path.left is not None
    assert 0.05 - 1 / fps < moments[path.left] < 0.1


def test_a_hands_shadow_over_a_puck_is_not_that_puck_at_rest() -> None:
    streaks = [[streak(0, 100, 100)], [streak(1, 104, 100, mass=2.9)], [streak(2, 104, 100, mass=2.9)]]
    path = Path("black-1", "red", (100.0, 100.0))
    link(streaks, times(3), [path], Witness(), RADIUS)
    assert (path.last_seen_at_rest, path.near) == (0, [])


def test_the_streak_of_a_puck_whose_place_is_unchanged_is_no_other_pucks_way() -> None:
    lies, leaves = Path("red-1", "red", (100.0, 100.0)), Path("red-2", "red", (190.0, 80.0))

    class OneUnchanged(Witness):
        def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
            return frame == 0 or (x_mm, y_mm) == lies.start

    streaks = [[streak(k, *lies.start)] for k in range(3)]
    link(streaks, times(3), [lies, leaves], OneUnchanged({leaves.start: 1}), RADIUS)
    assert (lies.last_seen_at_rest, leaves.points) == (2, [])


@pytest.mark.parametrize(("x_mm", "hand_mm", "followed"), [
    (40.0, 10.0, True), (-120.0, 10.0, False), (-120.0, 40.0, True),
])  # fmt: skip
def test_a_dark_puck_over_the_rim_or_away_from_the_hand_is_seen_together_with_its_shadow(
    x_mm: float, hand_mm: float, followed: bool
) -> None:
    """A finger stays where it lay, so that its place is not seen bare. x_mm: beyond the rim"""
    w, _ = BOARD.size
    home = (w - 40.0, 100.0)
    seen = replace(streak(2, w + x_mm, 100.0, mass=1.33), across_mm=0.69 * RADIUS)
    path = Path("black-1", "red", home)
    link([[streak(0, *home)], [], [seen]], times(3), [path], Witness(hand_mm=hand_mm), RADIUS)
    assert [p.place for p in path.points] == ([seen.place] if followed else [])


@pytest.mark.parametrize("hand_mm", [10.0, 44.0])
def test_a_dark_puck_flicked_from_under_a_finger_is_followed_from_where_it_is_clear_of_the_hand(hand_mm: float) -> None:
    """Its shadow beside it makes it broader than a puck, and the finger stays over its place."""
    home = (100.0, 100.0)
    way = [replace(streak(k, 100.0 + 64.0 * (k - 1), 100.0, along=21.0), across_mm=0.64 * RADIUS + 0.1) for k in (2, 3)]
    path = Path("black-1", "red", home)
    witness = Witness(hidden=dict.fromkeys(range(1, 4), home), hand_mm=hand_mm)
    link([[streak(0, *home)], [], [way[0]], [way[1]]], times(4), [path], witness, RADIUS)
    assert [p.place for p in path.points] == [s.place for s in way if hand_mm > 2 * RADIUS]


def test_at_15_frames_a_second_a_puck_goes_further_until_it_is_seen_first() -> None:
    """From under a finger, together with its shadow, as seen in a film."""
    home, away = (100.0, 100.0), replace(streak(2, 180.0, 100.0, mass=1.44, along=31.0), across_mm=0.65 * RADIUS)
    path = Path("green-1", "red", home)
    witness = Witness(hidden=dict.fromkeys(range(1, 3), home), hand_mm=59.0)
    link([[streak(0, *home)], [], [away]], [k / 15 for k in range(3)], [path], witness, RADIUS)
    assert [p.place for p in path.points] == [away.place]


def test_a_finger_of_the_pucks_colour_beside_it_is_not_that_puck() -> None:
    """What is seen of both together lies off the place, although the puck shows there as it lay."""
    home = (100.0, 100.0)
    streaks = [[streak(0, *home)], [streak(1, 104.0, 82.0)], [streak(2, *home)]]
    path, taken_away = Path("red-1", "red", home), Path("red-1", "red", home)
    link(streaks, times(3), [path], Witness(clear={(1, home)}), RADIUS)
    link(streaks[:2], times(2), [taken_away], Witness(), RADIUS)
    assert (path.last_seen_at_rest, path.points) == (2, [])
    assert [p.place for p in taken_away.points] == [(104.0, 82.0)]


def test_a_finger_of_the_pucks_colour_in_its_place_is_not_that_puck_when_the_whole_one_lies_beside_it() -> None:
    """The finger flicked it, and stays where the two were seen as one."""
    home, beside = (100.0, 100.0), replace(streak(2, 82.0, 100.0), outlined=True)
    streaks = [[streak(0, *home)], [streak(1, 104.0, 100.0)], [streak(2, 107.0, 100.0, mass=0.8), beside]]
    path, held = Path("red-1", "red", home), Path("red-1", "red", home)
    link(streaks, times(3), [path], Witness(), RADIUS)
    assert (path.left, [p.place for p in path.points]) == (1, [(82.0, 100.0)])
    link(streaks, times(3), [held], Witness(still={beside.place}), RADIUS)  # it stood there before, and does after
    assert (held.last_seen_at_rest, held.points) == (2, [])


def test_a_puck_hidden_for_a_frame_is_found_again_ahead() -> None:
    way = [(100.0, 100.0), (120.0, 100.0), (150.0, 100.0), None, (205.0, 100.0), (230.0, 100.0)]
    streaks = [[streak(k, *place)] if place else [] for k, place in enumerate(way)]
    path = Path("red-1", "red", (100.0, 100.0))
    link(streaks, times(6), [path], Witness({(100.0, 100.0): 1}, {3: (178.0, 100.0)}), RADIUS)
    assert frames_of(path) == [1, 2, 4, 5]


def test_a_streak_that_no_flick_could_have_reached_is_not_taken() -> None:
    streaks = [[streak(0, 100, 100)], [streak(1, 130, 100)], [streak(2, 400, 300)]]
    path = Path("red-1", "red", (100.0, 100.0))
    link(streaks, times(3), [path], Witness({(100.0, 100.0): 1}), RADIUS)
    assert frames_of(path) == [1]


def test_a_streak_of_the_other_team_is_not_taken() -> None:
    streaks = [[streak(0, 100, 100)], [streak(1, 120, 100, team="green")], [streak(2, 150, 100, team="green")]]
    path = Path("red-1", "red", (100.0, 100.0))
    link(streaks, times(3), [path], Witness({(100.0, 100.0): 1}), RADIUS)
    assert not path.points


def test_what_stands_still_beside_a_puck_is_not_its_way() -> None:
    beside = (150.0, 100.0)
    streaks = [[streak(k, 100, 100), streak(k, *beside)] for k in range(3)] + [[streak(3, *beside)]]
    path = Path("red-1", "red", (100.0, 100.0))
    link(streaks, times(4), [path], Witness({(100.0, 100.0): 3}, still={beside}), RADIUS)
    assert (path.left, path.points) == (2, [])


def test_two_touching_pucks_seen_as_one_streak_are_taken_apart() -> None:
    both = Streak(1, "red", 114.0, 100.0, 2.0, math.hypot(RADIUS / 2, RADIUS), RADIUS / 2, 0.0, (0, 0, 1, 1))
    first, second = Path("red-1", "red", (80.0, 100.0)), Path("red-2", "red", (128.0, 100.0))
    before = [streak(0, 80, 100), streak(0, 128, 100)]
    link([before, [both]], times(2), [first, second], Witness({(80.0, 100.0): 1}), RADIUS)
    assert not second.moving
    assert first.points[0].place == pytest.approx((100.0, 100.0), abs=0.5)


def test_a_puck_whose_place_is_bare_has_left_though_it_is_not_seen() -> None:
    path = Path("red-1", "red", (100.0, 100.0))
    link([[streak(0, 100, 100)], [streak(1, 100, 100)], [], []], times(4), [path], Witness({(100.0, 100.0): 2}), RADIUS)
    assert (path.left, path.points) == (1, [])


def test_one_that_seemed_to_leave_and_lies_where_it_lay_has_not_left() -> None:
    finger = [streak(2, 112, 104), streak(3, 111, 106)]
    streaks = [[streak(0, 100, 100)], [streak(1, 101, 101)], [finger[0]], [finger[1]], [streak(4, 101.5, 101)]]
    streaks += [[streak(5, 140, 100, along=40)], [streak(6, 180, 100, along=40)]]
    path = Path("red-1", "red", (100.0, 100.0))
    link(streaks, times(7), [path], Witness({(100.0, 100.0): 5}), RADIUS)
    assert path.left == 4
    assert frames_of(path) == [5, 6]


@pytest.mark.parametrize("then", ["straight on", "aside", "nothing"])
def test_a_finger_of_the_pucks_colour_in_its_place_does_not_call_back_one_that_runs_straight_on(then: str) -> None:
    ahead = {"straight on": [streak(3, 138, 100, along=18)], "aside": [streak(3, 122, 120)], "nothing": []}[then]
    seen = [streak(3, 101, 100, mass=0.63), *ahead]
    path = Path("red-1", "red", (100.0, 100.0))
    link([[streak(0, 100, 100)], [streak(1, 100, 100)], [streak(2, 120, 100, along=20)], seen], times(4), [path],
         Witness(), RADIUS)  # fmt: skip
    assert frames_of(path) == ([2, 3] if then == "straight on" else [])


def test_a_long_streak_that_stands_still_is_no_puck() -> None:
    """A sleeve's edge beside the place, as long as a puck's way would be in one exposure at 4 m/s."""
    streaks = [[streak(0, 100, 100)], *([streak(k, 120, 110, along=140)] for k in (1, 2, 3))]
    path = Path("red-1", "red", (100.0, 100.0))
    link(streaks, times(4), [path], Witness({(100.0, 100.0): 1}), RADIUS)
    assert path.points == []


def test_what_was_there_before_a_puck_left_is_not_that_puck() -> None:
    """A knuckle that seems to be of its colour, just where it would be, had it gone on as in its first frame."""
    home, knuckle = (407.0, 384.0), (515.0, 345.0)
    way = [(437.0, 393.0), (444.0, 395.0), (449.0, 396.0), (449.0, 397.0)]
    streaks = [[streak(k, *home), streak(k, *knuckle, mass=0.8)] for k in range(3)]
    streaks += [[streak(3, 458, 368, mass=2.5), streak(3, *knuckle, mass=0.8)]]  # together with the finger
    streaks += [[streak(4 + k, *place), streak(4 + k, *knuckle, mass=0.8)] for k, place in enumerate(way)]
    path = Path("red-1", "red", home)
    link(streaks, times(8), [path], Witness({home: 3}, still={knuckle}), RADIUS)
    assert [p.place for p in path.points[1:]] == way


def test_a_puck_that_is_stopped_by_one_of_its_team_is_not_that_one() -> None:
    """The struck puck flies off so quickly that it is not seen before it is far away."""
    struck, way = (654.5, 284.6), [(564.0, 242.6), (598.0, 260.0), (634.0, 279.0), (636.0, 285.0), (636.0, 287.0)]
    streaks = [[streak(k, *place, mass=0.85)] for k, place in enumerate(way)]
    streaks[0].append(streak(0, *struck))
    streaks[1].append(streak(1, *struck))
    streaks[4].append(streak(4, 733.0, 313.0))
    flicked, other = Path("red-1", "red", way[0]), Path("red-2", "red", struck)
    link(streaks, times(5), [flicked, other], Witness({way[0]: 1, struck: 2}), RADIUS)
    assert [p.place for p in flicked.points] == way[1:]
    assert [p.place for p in other.points] == [(733.0, 313.0)]


@pytest.mark.parametrize("bare", [True, False])
@pytest.mark.parametrize(("drifts_mm", "taken"), [(4.0, (100.0, 156.0)), (60.0, (105.0, 37.0))])
def test_a_sleeve_of_its_colour_that_was_there_before_is_not_the_puck_that_leaves(
    drifts_mm: float, taken: tuple[float, float], bare: bool
) -> None:
    """The puck shoots over the edge, half of it seen; the sleeve goes no further than sleeves do, or it is none. The
    place that the puck left is bare, or a finger that looks like it lies there now."""
    start = (100.0, 100.0)
    sleeve = [streak(k, 105.0 + drifts_mm * (4 - k), 37.0) for k in range(5)]
    seen = [[streak(k, *start), sleeve[k]] for k in range(4)] + [[streak(4, 100.0, 156.0, mass=0.66), sleeve[4]]]
    path = Path("red-1", "red", start)
    link(seen, times(5), [path], Drifting(bare_from={start: 4} if bare else {}, seen=seen), RADIUS)
    assert [p.place for p in path.points] == [taken]


@dataclass
class Drifting(Witness):
    """The same, which remembers what stood where. seen: the streaks of each frame."""

    seen: list[list[Streak]] = field(default_factory=list)

    def stood(self, first: int, last: int, seen: Streak, within_mm: float = 3.0) -> bool:
        around = self.seen[max(first, 0) : last + 1]
        return sum(any(math.dist(s.place, seen.place) < within_mm for s in there) for there in around) * 2 > len(around)


class TestRetraced:
    """A puck that a hand's edge drew away from its way is followed from its end."""

    start, end = (100.0, 100.0), (310.0, 100.0)

    def seen(self) -> list[list[Streak]]:
        """A flick along x, a still streak of the hand beside it from frame 1 on."""
        way = [(1, 150.0), (2, 200.0), (3, 245.0), (4, 280.0), (5, 300.0), (6, 309.0), (7, 310.0), (8, 310.0)]
        return [[streak(0, *self.start)], *([streak(k, x, 100.0)] for k, x in way)]

    def lost(self) -> Path:
        path = Path("red-1", "red", self.start)
        other = streak(1, 92.0, 60.0)
        link([[streak(0, *self.start)], [other]], times(2), [path], Witness({self.start: 1}), RADIUS)
        path.end = self.end
        return path

    def test_it_is_found_again(self) -> None:
        path = self.lost()
        assert path.points[-1].place == (92.0, 60.0)
        retrace(self.seen(), times(9), [path], [("red", self.end)], Witness({self.start: 1}), RADIUS)
        assert [p.place for p in path.points[:3]] == [(150.0, 100.0), (200.0, 100.0), (245.0, 100.0)]
        assert path.left == 0
        assert [p.frame for p in path.points] == list(range(1, 9))  # to where it lies, not only until it slowed down
        assert path.last() == self.end

    def test_what_lies_beyond_its_place_is_not_where_it_came_from(self) -> None:
        """The finger draws its first streak back behind its place, and there is something more of the hand."""
        way = [(84.0, 1.5), (152.0, 1.0), (198.0, 1.0), (240.0, 1.0), (275.0, 1.0), (300.0, 1.0), (310.0, 1.0)]
        seen = [[streak(0, *self.start), streak(0, 20.0, 100.0)]]
        seen += [[streak(1 + k, x, 100.0, mass=mass)] for k, (x, mass) in enumerate(way)]
        path = self.lost()
        retrace(seen, times(8), [path], [("red", self.end)], Witness({self.start: 1}), RADIUS)
        assert frames_of(path) == list(range(1, 8))
        assert path.left == 0

    def test_what_was_seen_before_it_was_hidden_for_a_while_may_be_a_hand_of_its_colour(self) -> None:
        """The way back leads past its place, and on to the arm that has lain there since before it was flicked."""
        arm, way = (-40.0, 60.0), [152.0, 198.0, 240.0, 275.0, 300.0, 310.0]
        seen = [[streak(0, *self.start), streak(0, *arm)], [streak(1, *arm)], [streak(2, *arm)], [], [], []]
        seen += [[streak(6 + k, x, 100.0)] for k, x in enumerate(way)]
        path = self.lost()
        retrace(seen, times(len(seen)), [path], [("red", self.end)], Witness({self.start: 1}), RADIUS)
        assert frames_of(path) == list(range(6, 12))

    def test_the_finger_that_is_followed_after_it_is_no_sign_that_it_was_another_one(self) -> None:
        """The way back leads over its place, 18 mm off, to the finger that flicked it."""
        finger = [streak(k, 82.0, 100.0) for k in range(5)]
        way = [(5, 128.0), (6, 165.0), (7, 200.0), (8, 229.0), (9, 256.0), (10, 277.0), (11, 296.0), (12, 310.0)]
        seen = [[finger[k]] for k in range(5)] + [[streak(k, x, 100.0)] for k, x in way] + [[streak(13, 310.0, 100.0)]]
        path = Path("red-1", "red", self.start, left=4, last_seen_at_rest=4, end=self.end)
        path.points = [PathPoint(k, 70.0, 104.0, None) for k in (5, 6)]
        retrace(seen, times(14), [path], [("red", self.end)], Witness({self.start: 5}), RADIUS)
        assert frames_of(path) == list(range(5, 14))

    def test_one_that_was_lost_before_it_was_turned_aside_is_followed_from_there(self) -> None:
        """As seen: 80 mm a frame, hidden or too faint for three frames, and struck another meanwhile."""
        turned = [(6, 130.0, 250.0), (7, 119.0, 263.0), (8, 113.0, 284.0), (9, 110.0, 298.0), (10, 109.0, 304.0)]
        end = (109.0, 305.0)
        seen = [[streak(k, *end)] if k > 10 else [] for k in range(13)]
        for frame, x, y in turned:
            seen[frame] = [streak(frame, x, y)]

        def lost(aside_mm: float) -> Path:
            path = Path("red-1", "red", (620.0, 250.0 + aside_mm), left=0, last_seen_at_rest=0, end=end)
            ran = [(1, 540.0), (2, 458.0)]
            path.points = [PathPoint(k, x, 250.0 + aside_mm, streak(k, x, 250.0 + aside_mm)) for k, x in ran]
            return path

        path, other = lost(10.0), lost(150.0)
        for one in (path, other):
            retrace(seen, times(13), [one], [("red", end)], Witness(hidden={k: one.last() for k in (3, 4, 5)}), RADIUS)
        assert frames_of(path) == [1, 2, *range(6, 13)]
        assert not {1, 6} <= set(frames_of(other)), "it would have passed 150 mm beside that way"

    @pytest.mark.parametrize("hidden", ["hand elsewhere", "hand beside it", "too long ago"])
    def test_the_only_one_that_can_have_run_there_did(self, hidden: str) -> None:
        """As seen in a dim room: gone under a hand, and seen again four frames later where another had turned it."""
        path, end = Path("red-1", "red", self.start, left=4, last_seen_at_rest=4), (310.0, 300.0)
        path.end, path.points = end, [PathPoint(5, 70.0, 60.0, None)]
        since = 22 if hidden == "too long ago" else 9
        way = [(300.0, 345.0), (302.0, 330.0), (305.0, 318.0), (308.0, 309.0), (309.0, 303.0), end, end]
        seen: list[list[Streak]] = [[] for _ in range(since)] + [[streak(since + k, *p)] for k, p in enumerate(way)]
        hand = {since + k: way[k] for k in range(3)} if hidden == "hand beside it" else {}
        witness = Witness({self.start: 5}, hidden=hand)
        retrace(seen, times(len(seen)), [path], [("red", end)], witness, RADIUS)
        assert (frames_of(path) == list(range(since, since + len(way)))) is (hidden == "hand elsewhere")

    def test_one_that_comes_from_elsewhere_is_not_taken_for_it(self) -> None:
        path = self.lost()
        aside = [[streak(s.frame, s.x_mm, s.y_mm + 3.0 * (420 - s.x_mm) - 330) for s in seen] for seen in self.seen()]
        retrace(aside, times(9), [path], [("red", self.end)], Witness({self.start: 1}), RADIUS)
        assert [p.place for p in path.points] == [(92.0, 60.0)]

    def test_a_path_that_leads_to_its_end_is_left_alone(self) -> None:
        path = Path("red-1", "red", self.start)
        witness = Witness({self.start: 1})
        link(self.seen(), times(9), [path], witness, RADIUS)
        before = list(path.points)
        retrace(self.seen(), times(9), [path], [("red", self.end)], witness, RADIUS)
        assert path.points == before


@pytest.mark.parametrize(("way", "end", "runs"), [
    pytest.param([(279, 61), (297, 42), (312, 27), (325, 15)], (326, 13), True, id="seen on its way until now"),
    pytest.param([(297, 42), (312, 27), (318, 22), (318, 22)], (318, 22), False, id="stopped a frame ago"),
    pytest.param([(279, 61), (280, 63), (279, 61), (281, 62)], (280, 62), False, id="at rest in a noisy picture"),
    pytest.param([(290, 30), (296, 30), (290, 30), (296, 30)], (293, 30), False, id="flickers between two places"),
    pytest.param([(279, 61), (297, 42), (312, 27), (325, 15)], (366, 53), False, id="lost, and lies elsewhere"),
    pytest.param([(312, 27), (325, 15)], (326, 13), False, id="seen in two frames only"),
])  # fmt: skip
def test_a_puck_that_was_seen_to_run_until_now_is_not_at_rest(
    way: list[tuple[float, float]], end: tuple[float, float], runs: bool
) -> None:
    points = [PathPoint(10 + k, *place, None) for k, place in enumerate(way)]
    path = Path("red-5", "red", (266.0, 74.0), left=9, points=points, end=end)
    assert still_runs(path, 10 + len(way)) == runs
    assert not still_runs(path, 12 + len(way)), "it was not seen in the last two frames"


@pytest.mark.parametrize(("way", "end", "lies_there"), [
    pytest.param([(297, 42), (318, 22), (318, 22), (318, 22)], (318, 22), True, id="stopped two frames ago"),
    pytest.param([(297, 42), (317, 22), (318, 23), (318, 22)], (317, 21), True, id="in a noisy picture"),
    pytest.param([(297, 42), (318, 22), (318, 22)], (318, 22), True, id="stopped a frame ago"),
    pytest.param([(318, 25), (318, 23), (318, 22.5)], (318, 22), True, id="slowed down a frame ago"),
    pytest.param([(318, 25), (318, 23.3), (318, 22)], (318, 22), False, id="slows down"),
    pytest.param([(310, 30), (318, 24), (318, 22.6), (318, 21.4)], (318, 21), False, id="creeps on"),
    pytest.param([(284, 52), (297, 42), (302, 38)], (302, 38), False, id="creeps still"),
    pytest.param([(318, 22), (318, 22), (318, 22)], (330, 20), False, id="lies elsewhere than it is seen"),
    pytest.param([(318, 22)], (318, 22), False, id="seen in one frame only"),
    pytest.param([(318, 22), (318, 22), (318, 22)], None, False, id="nowhere"),
])  # fmt: skip
def test_a_puck_lies_where_it_is_seen_in_the_last_frames(
    way: list[tuple[float, float]], end: tuple[float, float] | None, lies_there: bool
) -> None:
    points = [PathPoint(10 + k, *place, None) for k, place in enumerate(way)]
    path = Path("red-5", "red", (266.0, 74.0), left=9, points=points, end=end)
    assert rests(path, times(10 + len(way))) == lies_there
    assert not rests(path, times(11 + len(way))), "it was not seen in the last frame"


@pytest.mark.parametrize(("fps", "lies_there"), [(30, True), (60, False), (120, False)])
def test_a_puck_lies_in_its_place_for_as_long_at_every_rate_of_frames(fps: int, lies_there: bool) -> None:
    """It goes 0.8 mm from frame to frame: at 30 a second that is as good as rest, at 60 and more it runs."""
    points = [PathPoint(k, 300.0 + 0.8 * k, 100.0, None) for k in range(12)]
    path = Path("red-5", "red", (266.0, 74.0), left=0, points=points, end=points[-1].place)
    assert rests(path, [k / fps for k in range(12)]) is lies_there


@pytest.mark.parametrize("lies", [True, False])
def test_an_outline_that_the_puck_beside_draws_off_does_not_move_a_puck_that_lies_as_it_lay(lies: bool) -> None:
    """As seen in a film: 4 mm and 5 mm off, while the place looked just as before."""
    home = (138.0, 325.0)
    one = Path("p1", "red", home)
    seen = [[], *([streak(k, x, 325.0)] for k, x in enumerate((139.0, 142.0, 143.0, 155.0), 1))]
    witness = Witness(clear={(k, home) for k in (1, 2, 3)} if lies else set())
    link(seen, times(5), [one], witness, RADIUS)
    off = [home, home] if lies else [(142.0, 325.0), (143.0, 325.0)]
    assert [p.place for p in one.near] == [(139.0, 325.0), *off]
