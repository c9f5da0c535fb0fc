"""Pucks that a hand took away, or had brought, while the board did not come to rest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from tests.vision.virtual_table.tables import plain_board
from vision.contacts import ContactGraph
from vision.paths import Path, PathPoint
from vision.resting import SeenDisc
from vision.scene import Scene
from vision.shots import (
    PASSED_MM,
    VEILED,
    Episode,
    Handled,
    Shot,
    _seen_to_lie,
    handled_meanwhile,
    let_lie,
    passed_what_was_put,
)
from vision.streaks import Streak
from vision.taken import left_by, moved_on_by_hand, shifted_by, taken_from, there_before
from vision.watch import HAND_FAR_MM, Watch

BOARD = replace(plain_board(), size=(700.0, 500.0))
HOME, RESTED = (630.0, 397.0), (621.0, 429.0)
LEFT, CAME, GONE = 10, 14, 30  # frames: the last in its place, the first where it came to rest, when a hand takes it
SCENE = cast(Scene, SimpleNamespace(palette=SimpleNamespace(bgr=lambda team: (200.0, 90.0, 40.0))))


@dataclass
class Frames:
    """What 40 frames, 30 a second, show of the place where a puck came to rest. over: a hand lies on it; near_mm: how
    far the hand is when it comes there; taken: whether it is gone in the end; lay: while it is seen just as it lay."""

    over: range = range(GONE, GONE + 4)
    near_mm: float = HAND_FAR_MM
    taken: bool = True
    lay: range = range(0)
    scene: Scene = field(default_factory=lambda: cast(Scene, SimpleNamespace(board=BOARD)))
    streaks: list[list[Streak]] = field(default_factory=lambda: [[] for _ in range(40)])

    @property
    def times(self) -> list[float]:
        return [k / 30 for k in range(40)]

    def covered(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.over

    def bare(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return self.taken and frame >= GONE

    def unchanged(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return False

    def lies(self, frame: int, x_mm: float, y_mm: float) -> bool:
        return frame in self.lay

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        return self.near_mm

    def watch(self) -> Watch:
        return cast(Watch, self)


def struck(until: int = GONE, creeps_mm: float = 0.0) -> Path:
    """A puck that was struck, and seen where it came to rest until a frame; then on the hand that takes it."""
    out = Path("p8", "blue", HOME, left=LEFT, last_seen_at_rest=LEFT)
    way = [(LEFT + 1, 609.0, 436.0), (LEFT + 2, 598.0, 470.0), (LEFT + 3, 611.0, 450.0)]
    way += [(k, RESTED[0] + creeps_mm * (k - CAME), RESTED[1]) for k in range(CAME, until)]
    way.append((until + 1, 660.0, 480.0))
    out.points = [PathPoint(k, x, y, None) for k, x, y in way]
    return out


def test_a_puck_that_lay_still_before_a_hand_took_it_away_had_come_to_rest() -> None:
    taken = taken_from(struck(), SCENE, Frames().watch())
    assert taken is not None
    disc, time_s = taken
    assert (disc.team, *disc.place) == ("blue", *RESTED)
    assert time_s == pytest.approx((GONE + 1.5) / 30)


@pytest.mark.parametrize(("path", "frames"), [
    pytest.param(struck(CAME + 4), Frames(over=range(CAME + 4, CAME + 8)), id="seen there too shortly"),
    pytest.param(struck(creeps_mm=1.2), Frames(), id="it crept on"),
    pytest.param(struck(), Frames(over=range(0)), id="no hand came"),
    pytest.param(struck(), Frames(over=range(GONE + 9, GONE + 10)), id="gone long before a hand came"),
    pytest.param(struck(), Frames(near_mm=8.0), id="a hand had put it there"),
    pytest.param(struck(), Frames(taken=False), id="something lies there in the end"),
])  # fmt: skip
def test_what_else_is_lost_is_not_said_to_have_been_taken(path: Path, frames: Frames) -> None:
    assert taken_from(path, SCENE, frames.watch()) is None


@dataclass
class Dragged(Frames):
    """A hand that comes only once the puck has lain still. hand_mm: how far it is from then on"""

    hand_mm: float = 20.0

    def hand_distance_mm(self, frame: int, x_mm: float, y_mm: float) -> float:
        return self.near_mm if frame <= CAME + 3 else self.hand_mm


@pytest.mark.parametrize(("path", "frames", "moved"), [
    pytest.param(struck(), Dragged(), True, id="a hand took it along in sight"),
    pytest.param(struck(), Dragged(hand_mm=HAND_FAR_MM), False, id="it was struck again, far from any hand"),
    pytest.param(struck(CAME + 4), Dragged(), False, id="it had not come to rest"),
    pytest.param(struck(), Dragged(near_mm=8.0), False, id="a hand had put it there"),
])  # fmt: skip
def test_a_puck_that_had_come_to_rest_and_moved_on_beside_a_hand_is_told(
    path: Path, frames: Frames, moved: bool
) -> None:
    assert moved_on_by_hand(path, frames.watch()) == moved


def test_one_that_lies_somewhere_in_the_end_was_not_taken() -> None:
    path = struck()
    path.end = RESTED
    assert taken_from(path, SCENE, Frames().watch()) is None


def test_a_disc_that_lay_there_while_the_puck_still_lay_in_its_place_is_another_one() -> None:
    disc = SeenDisc("blue", 78.0, 297.0, 0.9, (200.0, 90.0, 40.0))

    def seen(frames: range, team: str = "blue") -> Watch:
        out = Frames()
        for k in frames:
            out.streaks[k].append(Streak(k, team, 78.5, 296.0, 1.0, 7.0, 7.0, 0.0, (0, 0, 1, 1)))
        return out.watch()

    assert there_before(struck(), disc, seen(range(5, 40)))
    assert not there_before(struck(), disc, seen(range(LEFT, 40))), "it had come only just before, as a hand might seem"
    assert not there_before(struck(), disc, seen(range(LEFT + 1, 40)))
    assert not there_before(struck(), disc, seen(range(5, 40), team="yellow"))
    faint = Path("p8", "blue", HOME, last_seen_at_rest=39)
    assert not there_before(faint, disc, seen(range(5, 40))), "it was not seen to leave: it is of the ground's colour"


@pytest.mark.parametrize(("came", "left"), [(30, 25), (39, 34)])
def test_a_puck_that_was_not_seen_to_leave_had_left_before_it_was_seen_where_it_lies(came: int, left: int) -> None:
    """It went 33 mm, for which friction takes it 0.15 s; it seems to lie in both places to the end."""
    frames = Frames()
    for k in range(came, 40):
        frames.streaks[k].append(Streak(k, "blue", *RESTED, 1.0, 7.0, 7.0, 0.0, (0, 0, 1, 1)))
    near = [PathPoint(k, *HOME, None) for k in range(40)]
    path = Path("p8", "blue", HOME, last_seen_at_rest=39, near=near)
    left_by(path, SeenDisc("blue", *RESTED, 0.9, (200.0, 90.0, 40.0)), frames.watch())
    assert path.last_seen_at_rest == left
    assert path.near[-1].frame == left
    path.last_seen_at_rest = 20
    left_by(path, SeenDisc("blue", *RESTED, 0.9, (200.0, 90.0, 40.0)), frames.watch())
    assert path.last_seen_at_rest == 20, "it was seen to leave"


@pytest.mark.parametrize(("beside_mm", "seen", "left"), [
    pytest.param(9.5, 13, 12, id="seen where it lies"),
    pytest.param(9.5, None, 39, id="never seen there"),
    pytest.param(3.0, 13, 39, id="too near to tell the two places apart"),
])  # fmt: skip
def test_a_puck_whose_two_places_overlap_had_left_when_it_was_first_seen_where_it_lies(
    beside_mm: float, seen: int | None, left: int
) -> None:
    """As seen: from the end on it shows in the middle between both, as the ground under it was never seen."""
    end = (HOME[0] + beside_mm, HOME[1])
    frames = Frames(lay=range(12))
    for k in range(40):
        x = HOME[0] if k < 12 else end[0] - 1.0 if k == seen else HOME[0] + beside_mm / 2 - 1.0
        frames.streaks[k].append(Streak(k, "blue", x, HOME[1], 1.0, 7.0, 7.0, 0.0, (0, 0, 1, 1)))
    near = [PathPoint(k, HOME[0] + 3.0, HOME[1], None) for k in range(40)]
    path = Path("p8", "blue", HOME, last_seen_at_rest=39, near=near)
    shifted_by(path, SeenDisc("blue", *end, 0.9, (200.0, 90.0, 40.0)), frames.watch())
    assert path.last_seen_at_rest == left
    if seen is not None and left < 39:
        assert path.near[-1].frame == seen
        assert path.near[-1].place == (end[0] - 1.0, HOME[1])


@pytest.mark.parametrize(("time_s", "meanwhile"), [(9.6, False), (9.7, True), (10.25, True), (10.5, False)])
def test_what_a_hand_is_said_to_have_done_while_a_shot_ran_is_asked_about(time_s: float, meanwhile: bool) -> None:
    """As seen in a dim room: the puck that was flicked told as slid, and the one that it struck as flicked."""
    shot = cast(Shot, SimpleNamespace(start_s=9.76, rest_s=9.92))
    assert handled_meanwhile(shot, [Handled("moved", time_s, "p1", None, (443.0, 62.0))]) is meanwhile
    assert not handled_meanwhile(shot, [])


def test_a_puck_that_lay_beside_the_board_before_a_hand_took_it_had_not_come_to_rest_on_it() -> None:
    small = cast(Scene, SimpleNamespace(board=replace(BOARD, size=(600.0, 400.0))))
    assert taken_from(struck(), SCENE, Frames(scene=small).watch()) is None


@pytest.mark.parametrize(
    ("kind", "time_s", "puck", "place", "asked"),
    [
        ("moved", 22.6, "p2", (465.0, 40.0), True),  # 39 mm from the way of p9, which turned between two frames
        ("placed", 22.6, None, (465.0, 40.0), True),
        ("removed", 22.6, "p2", (465.0, 40.0), False),
        ("moved", 22.6, "p9", (465.0, 40.0), False),  # the flicked one itself
        ("moved", 22.6, "p2", (465.0, 120.0), False),
        ("moved", 26.0, "p2", (465.0, 40.0), False),  # after the shot
        ("moved", 22.6, "p2", (333.0, 72.0), False),  # behind the flicked one
    ],
)
def test_a_shot_that_passed_what_a_hand_had_just_put_there_is_asked_about(
    kind: str, time_s: float, puck: str | None, place: tuple[float, float], asked: bool
) -> None:
    ran = SimpleNamespace(puck="p9", places_mm=np.array([(371.0, 63.0), (429.0, 55.0), (427.0, 53.0), (410.0, 54.0)]))
    shot = cast(Shot, SimpleNamespace(start_s=24.5, rest_s=24.9, motions=(ran,)))
    assert BOARD.puck.diameter_mm + PASSED_MM + 29.0 < 70.0
    assert passed_what_was_put(shot, [Handled(kind, time_s, puck, None, place)], BOARD) is asked


@pytest.mark.parametrize(("handled", "lies", "asked"), [
    ([], (500.0, 60.0), False),
    ([Handled("moved", 1.0, "p2", None, (400.0, 60.0))], (500.0, 60.0), False),
    ([Handled("removed", 1.0, "p2", None, (100.0, 60.0))], (500.0, 60.0), True),  # or it was flicked
    ([Handled("placed", 1.0, None, None, (100.0, 60.0))], (500.0, 60.0), True),
    ([], (100.0, 60.0), True),  # or it lay there, under the hand
    ([Handled("removed", 1.0, "p3", None, (100.0, 60.0))], (500.0, 60.0), True),  # that surely was a puck
])  # fmt: skip
def test_what_a_hand_hid_at_first_is_no_hands_doing_and_makes_a_shot_doubtful(
    handled: list[Handled], lies: tuple[float, float], asked: bool
) -> None:
    scene = cast(Scene, SimpleNamespace(veil=True, veiled=lambda place: place[0] < 200.0, sure={"p3"}))
    shot = Shot("p1", 0.9, 1.1, ContactGraph("p1", (), ()), (), (), (), (), False, ())
    gone = {h.puck for h in handled if h.kind == "removed" and h.puck is not None}
    kept = gone & {"p3"}
    episode = Episode(shot, list(handled), {"p1": SeenDisc("red", *lies, 0.9, (0.0, 0.0, 0.0))}, set(gone))
    let_lie(episode, scene)
    assert episode.shot is not None
    assert episode.shot.reasons == ((VEILED,) if asked else ())
    assert episode.handled == [h for h in handled if h.place[0] >= 200.0 or h.puck in kept]
    assert (episode.made_up, episode.gone) == (gone - kept, kept)  # it leaves no number behind that others cannot bear


@pytest.mark.parametrize(("seen_from", "hand_mm", "was_there", "home", "lies"), [
    (6, HAND_FAR_MM, False, False, True),
    (7, HAND_FAR_MM, False, False, False),  # in too few frames
    (6, 50.0, False, False, False),  # it may be a part of the hand
    (6, HAND_FAR_MM, True, False, False),  # it is seen there all the time: no puck came there
    (6, HAND_FAR_MM, False, True, False),  # another one lay there, or lies there now
])
def test_a_puck_that_was_not_followed_lies_where_a_whole_one_of_its_team_is_seen_at_last(
    seen_from: int, hand_mm: float, was_there: bool, home: bool, lies: bool
) -> None:
    """In the dark its outline may not be found."""
    there = Streak(0, "red", 20.0, 59.0, 0.6, 8.0, 7.0, 0.0, (0, 0, 1, 1))
    frames = [[replace(there, x_mm=20.0 + 0.4 * (k % 2))] if k >= seen_from or (was_there and k < 3) else []
              for k in range(10)]  # fmt: skip
    watch = SimpleNamespace(
        times=[k / 30 for k in range(10)], streaks=frames, hand_distance_mm=lambda *asked: hand_mm,
        seen=SimpleNamespace(homes=[("red", (300.0, 60.0)), *([("red", (25.0, 62.0))] if home else [])]),
    )  # fmt: skip
    scene = SimpleNamespace(board=BOARD, palette=SimpleNamespace(bgr=lambda team: (1.0, 2.0, 3.0)))
    path = Path("p8", "red", (300.0, 60.0), left=3, last_seen_at_rest=3)
    disc = _seen_to_lie(path, cast(Scene, scene), cast(Watch, watch))
    assert (disc is not None) is lies
    if disc is not None:
        assert (disc.team, disc.y_mm) == ("red", 59.0)
    path.points.append(PathPoint(5, 200.0, 60.0, None))  # one that was followed lies where that led
    assert _seen_to_lie(path, cast(Scene, scene), cast(Watch, watch)) is None
