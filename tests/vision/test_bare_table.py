"""Films as real tables give them: hands there from the start, slow pucks, pucks over the border, vivid colours."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import pytest

import vision.camera_watch
import vision.doubtful
import vision.paths
import vision.patience
import vision.pipeline
import vision.settling
import vision.shots
from tests.vision.bare_table import FPS, SKIN, VIVID_RED, WHITE, D, Film, Place, hand_that_flicks, lies, runs, seen_in
from vision.events import Contact, Event, LeftBoard, PuckMoved, PuckPlaced, PuckRemoved, ShotEnded, ShotStarted
from vision.momentum import LOST
from vision.paths import Path, PathPoint, link, rests
from vision.records import Record
from vision.resting import SeenDisc, look_again
from vision.runners import STRAY
from vision.scene import Scene
from vision.shots import Episode, solve
from vision.streaks import Streak

RED_AS_BRIGHT_AS_CLOTH = (20, 20, 212)  # the same grey: only its colour tells it from the cloth
Told = TypeVar("Told")


def of(events: list[Event], kind: type[Told]) -> list[Told]:
    return [e for e in events if isinstance(e, kind)]


def test_a_puck_that_is_struck_gently_and_slides_out_of_the_picture_was_touched() -> None:
    """It runs at 80 mm a second, more slowly than a hand slides a puck; no hand was near."""
    meets = (260.0 - D, 150.0)
    film = Film(
        7.0,
        [(WHITE, runs((60.0, 150.0), meets, 1.0, 1.7)), (WHITE, runs((260.0, 150.0), (580.0, 190.0), 1.7, 5.7))],
        hand=hand_that_flicks((60.0, 150.0), 1.0, 1.6),
    )
    events = seen_in(film)
    (start,), (touch,) = of(events, ShotStarted), of(events, Contact)
    assert math.dist(_place(start, start.puck), (60.0, 150.0)) < 1.0
    assert touch.t == pytest.approx(1.7, abs=1 / FPS)
    assert [e.puck for e in of(events, LeftBoard)] == [touch.other]
    assert not of(events, PuckRemoved)


def test_a_flick_right_after_the_film_began_is_seen_although_the_hand_never_held_still() -> None:
    film = Film(
        3.0,
        [(WHITE, runs((120.0, 200.0), (420.0, 230.0), 0.6, 1.3)), (VIVID_RED, lies(300.0, 80.0))],
        hand=hand_that_flicks((120.0, 200.0), 0.6, 1.5),
    )
    events = seen_in(film)
    (start,), (end,) = of(events, ShotStarted), of(events, ShotEnded)
    assert start.t == pytest.approx(0.6, abs=0.05)
    assert math.dist(_place(end, start.puck), (420.0, 230.0)) < 1.0
    assert {p.team for p in end.pucks} == {"white", "red"}


def test_a_puck_as_bright_as_the_board_is_followed_by_its_colour() -> None:
    film = Film(
        4.0,
        [(RED_AS_BRIGHT_AS_CLOTH, runs((120.0, 300.0), (460.0, 120.0), 1.0, 1.75)), (WHITE, lies(420.0, 300.0))],
        hand=hand_that_flicks((120.0, 300.0), 1.0, 1.9),
    )
    events = seen_in(film)
    (start,), (end,) = of(events, ShotStarted), of(events, ShotEnded)
    assert math.dist(_place(start, start.puck), (120.0, 300.0)) < 1.0
    assert math.dist(_place(end, start.puck), (460.0, 120.0)) < 1.0
    assert (end.needs_review, end.reasons) == (False, ())


def test_a_puck_that_stops_dead_in_the_open_is_asked_about_as_something_was_struck_unseen() -> None:
    film = Film(
        3.0,
        [(VIVID_RED, runs((120.0, 300.0), (460.0, 120.0), 1.0, 1.35)), (WHITE, lies(420.0, 300.0))],
        hand=hand_that_flicks((120.0, 300.0), 1.0, 1.9),
    )
    (end,) = of(seen_in(film), ShotEnded)
    assert (end.needs_review, end.reasons) == (True, (LOST,))


def test_a_puck_that_was_followed_to_its_rest_lies_there_although_its_outline_is_not_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rests = (420.0, 230.0)

    def blind_there(*args: Any, **how: Any) -> list[SeenDisc]:
        return [disc for disc in look_again(*args, **how) if math.dist(disc.place, rests) > D]

    monkeypatch.setattr(vision.settling, "look_again", blind_there)
    film = Film(
        4.0,
        [(VIVID_RED, runs((120.0, 200.0), rests, 1.0, 1.7)), (WHITE, lies(300.0, 80.0))],
        hand=hand_that_flicks((120.0, 200.0), 1.0, 1.9),
    )
    events = seen_in(film)
    (end,) = of(events, ShotEnded)
    assert not end.needs_review
    assert [p.team for p in end.pucks if math.dist((p.x_mm, p.y_mm), rests) < 1.5] == ["red"]


@pytest.mark.parametrize(("far_mm", "faint", "patch"), [
    (130.0, True, False), (130.0, False, False), (130.0, False, True), (17.0, True, False),
])  # fmt: skip
def test_a_puck_hardly_other_than_the_ground_is_looked_for_in_the_mean_of_many_frames_before_it_is_called_gone(
    monkeypatch: pytest.MonkeyPatch, far_mm: float, faint: bool, patch: bool
) -> None:
    """Neither its way nor its outline where it lies shows in any single frame, but for a patch of its paint, if at all;
    nor does it go far, at times."""
    start_mm, rests_mm = (130.0, 150.0), (130.0 + far_mm, 150.0)

    def unseen(time_s: float) -> Place:
        return start_mm if time_s < 1.0 else (-200.0, 150.0) if time_s < 1.13 else rests_mm

    def blind_there(*args: Any, **how: Any) -> list[SeenDisc]:
        return [disc for disc in look_again(*args, **how) if math.dist(disc.place, rests_mm) > D]

    monkeypatch.setattr(vision.settling, "look_again", blind_there)
    monkeypatch.setattr(vision.shots, "link", lambda *_: None)  # so that nothing is seen of it on its way
    monkeypatch.setattr(vision.doubtful, "faint_paints", lambda ground, paints: list(paints) if faint else [])
    if not patch:
        monkeypatch.setattr(vision.shots, "_seen_to_lie", lambda *_: None)
    film = Film(4.0, [(WHITE, unseen), (VIVID_RED, lies(420.0, 300.0))], hand=hand_that_flicks(start_mm, 1.0, 1.9))
    events = seen_in(film)
    shots, gone = of(events, ShotEnded), of(events, PuckRemoved) + of(events, LeftBoard)
    if faint or patch:
        (end,) = shots
        assert end.needs_review
        assert [p.team for p in end.pucks if math.dist((p.x_mm, p.y_mm), rests_mm) < 1.5] == ["white"]
        assert not gone
    else:
        assert len(gone) == 1


def test_a_print_where_a_puck_hardly_other_than_the_ground_lay_is_not_it(monkeypatch: pytest.MonkeyPatch) -> None:
    start_mm = (130.0, 150.0)
    printed = SeenDisc("white", start_mm[0] + 2.0, start_mm[1], 0.8, (200.0, 200.0, 200.0))
    monkeypatch.setattr(vision.doubtful, "faint_pucks", lambda *a: ([printed], [True for _ in a[3]]))
    monkeypatch.setattr(vision.doubtful, "faint_paints", lambda ground, paints: list(paints))
    gone = [(WHITE, lambda time_s: start_mm if time_s < 1.3 else (-200.0, 150.0)), (VIVID_RED, lies(420.0, 300.0))]
    events = seen_in(Film(4.0, gone, hand=hand_that_flicks(start_mm, 1.0, 1.9)))
    assert len(of(events, PuckRemoved) + of(events, LeftBoard)) == 1


def test_a_puck_flicked_from_over_the_border_beside_a_finger_that_lay_there_first_is_no_hand() -> None:
    """The finger lay still when the board was first seen, and is gone afterwards."""
    meets = (260.0 - D, 150.0)

    def tip(time_s: float) -> Place | None:
        return (16.0, 178.0) if time_s < 1.1 else None

    film = Film(
        7.0,
        [(WHITE, runs((11.0, 150.0), meets, 1.0, 1.6)), (WHITE, runs((260.0, 150.0), (500.0, 150.0), 1.6, 3.0))],
        hand=tip,
    )
    events = seen_in(film)
    (start,), (touch,) = of(events, ShotStarted), of(events, Contact)
    assert math.dist(_place(start, start.puck), (11.0, 150.0)) < 1.0
    assert touch.puck == start.puck


def test_a_hand_that_rests_on_the_board_costs_a_few_looks_and_not_one_for_every_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[int] = []

    def counted(scene: Scene) -> Episode:
        looks.append(len(scene.records))
        return solve(scene)

    monkeypatch.setattr(vision.settling, "solve", counted)

    def tip(time_s: float) -> Place | None:
        return None if time_s < 0.8 else (min(40.0 + 300 * (time_s - 0.8), 230.0), 150.0)

    seen_in(Film(8.0, [(WHITE, runs((150.0, 300.0), (180.0, 300.0), 1.5, 1.9)), (WHITE, lies(420.0, 150.0))], hand=tip))
    assert 1 <= len(looks) <= 10


@pytest.mark.parametrize("unseen", [1, 2, 100])
def test_a_verdict_waits_a_little_for_a_puck_that_is_not_seen_to_lie_where_it_is_found(
    monkeypatch: pytest.MonkeyPatch, unseen: int
) -> None:
    """One that runs on where it is hardly other than the ground makes no stir, and is found further on each time."""
    looks: list[float] = []

    def not_at_once(path: Path, times: Sequence[float]) -> bool:
        looks.append(times[-1])
        return len(looks) > unseen and rests(path, times)

    monkeypatch.setattr(vision.shots, "rests", not_at_once)
    monkeypatch.setattr(vision.pipeline, "calm", lambda *_: False)  # only looks at a board at rest
    hand = hand_that_flicks((120.0, 200.0), 1.0, 1.15)
    film = Film(4.0, [(WHITE, runs((120.0, 200.0), (420.0, 230.0), 1.0, 1.8)), (WHITE, lies(300.0, 80.0))], hand=hand)
    events = seen_in(film)
    (end,) = of(events, ShotEnded)
    assert math.dist(_place(end, of(events, ShotStarted)[0].puck), (420.0, 230.0)) < 1.0
    assert len(looks) == 1 + min(unseen, vision.patience.UNSEEN_MOST)
    assert all(b - a > 0.05 for a, b in itertools.pairwise(looks))


def _place(event: ShotStarted | ShotEnded, puck: str) -> Place:
    return next((p.x_mm, p.y_mm) for p in event.pucks if p.puck == puck)


def test_a_puck_that_a_hand_snatches_from_the_board_was_not_shot() -> None:
    """The hand goes off with it faster than pucks run, so that it is seen once more, far from its place."""

    def tip(time_s: float) -> Place | None:
        reach = min(max(time_s - 0.8, 0.0) * 400, 110.0) - max(time_s - 1.6, 0.0) * 1800
        return (reach, 150.0) if time_s > 0.8 and reach > -40 else None

    def puck(time_s: float) -> Place:
        hand = tip(time_s)
        return (100.0, 150.0) if time_s < 1.6 else (-200.0, 150.0) if hand is None else (hand[0] - 2, 150.0)

    events = seen_in(Film(4.0, [(WHITE, puck), (WHITE, lies(420.0, 150.0))], hand=tip))
    assert not of(events, ShotStarted)
    (gone,) = of(events, PuckRemoved)
    assert math.dist((gone.x_mm, gone.y_mm), (100.0, 150.0)) < 1.0


def test_a_puck_flicked_over_the_near_border_is_out_although_it_was_seen_only_once() -> None:
    film = Film(
        3.0,
        [(WHITE, runs((480.0, 150.0), (720.0, 150.0), 1.0, 1.2)), (WHITE, lies(420.0, 300.0))],
        hand=hand_that_flicks((480.0, 150.0), 1.0, 1.9),
    )
    events = seen_in(film)
    (start,) = of(events, ShotStarted)
    assert math.dist(_place(start, start.puck), (480.0, 150.0)) < 1.0
    assert [e.puck for e in of(events, LeftBoard)] == [start.puck]


@pytest.mark.parametrize(("way_mm", "asked"), [(4.0, True), (1.0, False)])
def test_a_puck_that_only_stirred_under_a_finger_is_asked_about(way_mm: float, asked: bool) -> None:
    """A flick as short as that cannot be told from a hand that brushed it; less is a hand's shadow, or no matter."""
    film = Film(
        3.0,
        [(WHITE, runs((300.0, 150.0), (300.0 + way_mm, 150.0), 1.0, 1.06)), (WHITE, lies(420.0, 300.0))],
        hand=hand_that_flicks((300.0, 150.0), 1.0, 1.9),
    )
    events = seen_in(film)
    told = [(e.needs_review, len(e.reasons)) for e in of(events, ShotEnded)]
    assert told == ([(True, 1)] if asked else [])
    if asked:
        (ended,) = of(events, ShotEnded)
        assert min(math.dist((p.x_mm, p.y_mm), (304.0, 150.0)) for p in ended.pucks) < 1.0
    assert not of(events, PuckMoved)


def test_a_puck_that_is_seen_again_too_soon_for_a_hand_was_shot_whatever_was_followed_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the dark a dark puck is gone while it runs, and a finger is followed; what it strikes was not flicked."""
    start_mm, struck = (130.0, 150.0), (260.0 + D, 150.0)

    def unseen(time_s: float) -> Place:
        return start_mm if time_s < 1.0 else (-200.0, 150.0) if time_s < 1.13 else (260.0, 150.0)

    def finger_followed(
        streaks: Sequence[Sequence[Streak]], times: Sequence[float], paths: Sequence[Path], *more: Any
    ) -> None:
        link(streaks, times, paths, *more)
        for path in (p for p in paths if p.team == "red"):
            path.points = [PathPoint(path.last_seen_at_rest + k, 85.0 - 5 * k, 150.0, None) for k in (1, 4)]

    monkeypatch.setattr(vision.shots, "link", finger_followed)
    monkeypatch.setattr(vision.shots, "retrace", lambda *_: None)
    film = Film(
        4.0,
        [(VIVID_RED, unseen), (WHITE, runs(struck, (480.0, 150.0), 1.13, 2.0)), (WHITE, lies(420.0, 300.0))],
        hand=hand_that_flicks(start_mm, 1.0, 1.9),
    )
    events = seen_in(film)
    (start,), (touch,), (end,) = of(events, ShotStarted), of(events, Contact), of(events, ShotEnded)
    assert math.dist(_place(start, start.puck), start_mm) < 1.0
    assert touch.puck == start.puck
    assert math.dist(_place(start, touch.other), struck) < 1.0
    assert end.needs_review
    assert not of(events, PuckRemoved)
    assert not of(events, PuckPlaced)


def test_a_puck_that_runs_although_no_hand_came_near_it_is_asked_about() -> None:
    """Most likely something that was not seen struck it."""
    film = Film(
        4.0,
        [(WHITE, runs((200.0, 150.0), (430.0, 150.0), 1.0, 1.8)), (WHITE, lies(420.0, 320.0))],
        hand=lambda time_s: (40.0, 340.0) if 0.7 < time_s < 1.4 else None,
    )
    (end,) = of(seen_in(film), ShotEnded)
    assert end.needs_review
    assert "no hand came near" in end.reasons[0]


def test_a_puck_that_ran_over_the_edge_and_was_not_followed_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """A finger stays over its place, so that it is not seen to be gone in a moment either."""
    monkeypatch.setattr(vision.paths, "_share_out", lambda *_: None)
    start = (150.0, 150.0)
    flicks = hand_that_flicks(start, 1.0, 1.04)
    film = Film(
        4.0,
        [(WHITE, runs(start, (700.0, 150.0), 1.0, 1.4)), (VIVID_RED, lies(420.0, 300.0))],
        hand=lambda time_s: start if 1.03 < time_s < 1.7 else flicks(time_s),
    )
    (end,) = of(seen_in(film), ShotEnded)
    assert STRAY in end.reasons


def vanishing(gone_s: float) -> Callable[[float], Place]:
    """A puck that is flicked at 1.2 s, and is not to be seen from a moment on."""
    way = runs((120.0, 130.0), (320.0, 130.0), 1.2, 1.6)
    return lambda time_s: way(time_s) if time_s < gone_s else (-500.0, -500.0)


Hand = Callable[[float], Place | None]


def hands(second: Hand) -> Hand:
    """One that flicks the puck that vanishes, and from 2 s on another. It comes after the board was seen without."""
    first = hand_that_flicks((120.0, 130.0), 1.2, 1.7)
    return lambda time_s: (first(time_s) if time_s > 0.7 else None) if time_s < 2.0 else second(time_s)


def comes_by(stops: Sequence[tuple[float, float]], y: float, then: Hand) -> Hand:
    """A hand whose tip is at so many mm at such times, even in between, and which then goes on otherwise."""
    times, tips = zip(*stops, strict=True)

    def hand(time_s: float) -> Place | None:
        if time_s < times[0]:
            return None
        return (float(np.interp(time_s, times, tips)), y) if time_s < times[-1] else then(time_s)

    return hand


Early = list[tuple[float, list[Event]]]


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> Early:
    """When shots were told as the next hand came, and what."""
    told: Early = []
    await_no_longer = vision.settling.Settling.await_no_longer

    def noted(self: vision.settling.Settling, now: Record) -> list[Event]:
        told.append((now.time_s, await_no_longer(self, now)))
        return told[-1][1]

    monkeypatch.setattr(vision.settling.Settling, "await_no_longer", noted)
    return told


OTHER = (120.0, 290.0)


@pytest.mark.parametrize(("gone_s", "told"), [(1.5, True), (1.3, False)])
def test_a_shot_of_which_a_puck_is_lost_is_told_when_the_next_hand_comes_and_not_together_with_its_shot(
    gone_s: float, told: bool, early: Early
) -> None:
    """But not where none was seen to run: a hand may have taken it."""
    second = runs(OTHER, (330.0, 290.0), 2.5, 3.0)
    film = Film(
        4.8, [(VIVID_RED, vanishing(gone_s)), (WHITE, second), (WHITE, lies(430.0, 80.0))],
        hands(hand_that_flicks(OTHER, 2.5, 3.2)),
    )  # fmt: skip
    events = seen_in(film)
    assert bool(early) is told
    if told:
        assert [s.t for s in of(events, ShotStarted)] == pytest.approx([1.2, 2.5], abs=0.07)
        assert [e.needs_review for e in of(events, ShotEnded)] == [True, False]


def leans_in(time_s: float) -> Place:
    """Something small at the border, that is shifted every tenth of a second."""
    return (-10.0 + 5.0 * (round(time_s * FPS) // 3 % 2), 350.0) if 0.8 < time_s < 4.0 else (-500.0, 350.0)


@pytest.mark.parametrize(("beside", "stirs"), [([], True), ([(SKIN, leans_in)], False)])
def test_a_doubtful_shot_after_which_the_picture_never_rests_is_told_when_the_next_hand_comes(
    beside: list[tuple[tuple[int, int, int], Callable[[float], Place]]], stirs: bool, early: Early
) -> None:
    """Two of eight shots were taken for a part of the one before, by a camera with hard contrast, as a shadow went, and
    one while people leaned in over the rim."""
    first = hand_that_flicks((120.0, 130.0), 1.2, 1.7)
    second = comes_by([(2.6, -60.0), (2.9, 60.0)], OTHER[1], hand_that_flicks(OTHER, 3.2, 3.7))
    film = Film(
        5.2, [(WHITE, runs((120.0, 130.0), (460.0, 130.0), 1.2, 1.55)), (VIVID_RED, lies(430.0, 340.0)),
              (WHITE, runs(OTHER, (330.0, 290.0), 3.2, 3.7)), *beside],
        lambda t: (first(t) if t > 0.7 else None) if t < 2.5 else second(t), lambda t: stirs and 1.2 < t < 4.0,
    )  # fmt: skip
    events = seen_in(film)
    assert len(early) == 1
    assert [s.t for s in of(events, ShotStarted)] == pytest.approx([1.2, 3.2], abs=0.07)
    assert of(events, ShotEnded)[0].reasons == (LOST,)


def test_a_finger_that_halts_over_a_puck_on_its_way_in_leaves_it_where_it_is(early: Early) -> None:
    """What is told when it is a hand is how the board lay before: not how it looks with the finger on it."""
    at, beside = (200.0, 290.0), (40.0, 290.0)
    stops = [(2.15, -30.0), (2.3, 56.0), (2.36, 56.0), (2.7, at[0] - D / 2 - 4)]
    film = Film(
        5.0,
        [(VIVID_RED, vanishing(1.5)), (WHITE, lies(*beside)), (WHITE, runs(at, (430.0, 330.0), 3.1, 3.6)),
         (WHITE, lies(430.0, 80.0))],
        hands(comes_by(stops, at[1], hand_that_flicks(at, 3.1, 3.6))),
    )  # fmt: skip
    events = seen_in(film)
    assert len(early) == 1
    assert [s.t for s in of(events, ShotStarted)] == pytest.approx([1.2, 3.1], abs=0.07)
    assert not of(events, Contact) + of(events, LeftBoard) + of(events, PuckPlaced)


def test_what_a_slim_hand_flicks_before_it_is_a_hand_belongs_to_the_next_shot(early: Early) -> None:
    """It is told from its very beginning, although the shot before was still waited for then."""
    at = (48.0, 290.0)
    tip = at[0] - D / 2 - 4
    stops = [(2.15, -30.0), (2.45, tip), (2.6, tip + 1.0), (2.75, tip + 170.0), (3.0, tip + 170.0)]
    film = Film(
        5.0, [(VIVID_RED, vanishing(1.5)), (WHITE, runs(at, (430.0, 330.0), 2.5, 3.0)), (WHITE, lies(430.0, 80.0))],
        hands(comes_by(stops, at[1], lambda _: None)),
    )  # fmt: skip
    events = seen_in(film)
    assert len(early) == 1
    assert early[0][0] > 2.55  # its shot has begun
    assert [s.t for s in of(events, ShotStarted)] == pytest.approx([1.2, 2.5], abs=0.04)
    assert [e.needs_review for e in of(events, ShotEnded)] == [True, False]


def test_a_hand_that_halts_as_soon_as_it_is_seen_comes_all_the_same(early: Early) -> None:
    """While it holds still the board is looked at again; what is kept then is how it lay before."""
    stops = [(2.1, -10.0), (2.2, 50.0), (2.5, 50.0), (2.7, OTHER[0] - D / 2 - 4)]
    film = Film(
        5.0, [(VIVID_RED, vanishing(1.5)), (WHITE, runs(OTHER, (330.0, 290.0), 3.1, 3.6)), (WHITE, lies(430.0, 80.0))],
        hands(comes_by(stops, OTHER[1], hand_that_flicks(OTHER, 3.1, 3.7))),
    )  # fmt: skip
    events = seen_in(film)
    assert len(early) == 1
    assert [s.t for s in of(events, ShotStarted)] == pytest.approx([1.2, 3.1], abs=0.04)
    assert [e.needs_review for e in of(events, ShotEnded)] == [True, False]


def test_pucks_that_were_scattered_are_no_hand_when_the_lost_one_comes_to_light(early: Early) -> None:
    around = [(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)]
    lay = [(320.0, 200.0), *((320.0 + 31.4 * x, 200.0 + 31.4 * y) for x, y in around)]
    lie = [(380.0, 200.0), *((320.0 + 95.0 * x, 200.0 + 95.0 * y) for x, y in around)]

    def red(time_s: float) -> Place:
        if time_s < 1.32:
            return runs((120.0, 200.0), (258.0, 200.0), 1.2, 1.32)(time_s)
        if time_s < 1.42:
            return runs((258.0, 200.0), (200.0, 230.0), 1.32, 1.42)(time_s)
        return runs((190.0, 250.0), (150.0, 340.0), 2.0, 2.4)(time_s) if time_s > 2.0 else (-500.0, -500.0)

    first = hand_that_flicks((120.0, 200.0), 1.2, 1.7)
    whites = [(WHITE, runs(a, b, 1.32, 1.6)) for a, b in zip(lay, lie, strict=True)]
    events = seen_in(Film(4.0, [(VIVID_RED, red), *whites], lambda t: first(t) if t > 0.7 else None))
    assert not early
    [ended] = of(events, ShotEnded)
    assert [math.dist((p.x_mm, p.y_mm), (150.0, 340.0)) < 3.0 for p in ended.pucks if p.team == "red"] == [True]
