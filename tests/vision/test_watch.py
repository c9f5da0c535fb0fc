"""What is seen and is none of the pucks: far outside of the surface, or a part of another one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

import vision.settling
import vision.sighted
from calibration.board import default_board_path, load_board
from tests.vision.bare_table import VIVID_RED, D, Film, hand_that_flicks, runs, seen_in
from vision.frames import Image
from vision.scene import Scene
from vision.shots import Episode, solve
from vision.streaks import Streak
from vision.watch import Watch, flew_on, part_of

BOARD = load_board(default_board_path())
RADIUS = BOARD.puck.radius_mm


def seen_at(x: float, y: float) -> Streak:
    """A red puck that is seen whole."""
    return Streak(7, "red", x, y, 1.0, RADIUS * 0.8, RADIUS / 2, 0.0, (0, 0, 30, 30))


FLYING, OUTSIDE = seen_at(5.0, 297.0), seen_at(-48.0, 293.0)  # in successive frames, at 1.6 m/s


def test_a_puck_that_flies_over_the_edge_is_seen_beyond_it() -> None:
    assert flew_on([seen_at(300.0, 200.0), FLYING], OUTSIDE, BOARD)


@pytest.mark.parametrize("before", [
    [],
    [replace(FLYING, team="green")],
    [replace(FLYING, x_mm=29.0)],  # from further inside a hand may have carried it
    [replace(FLYING, x_mm=-30.0)],  # so slowly that a hand may have
    [replace(FLYING, y_mm=420.0)],  # faster than pucks are
    [replace(FLYING, mass=0.4)],  # a part of something
    [replace(FLYING, across_mm=RADIUS)],  # broader than a puck
])  # fmt: skip
def test_what_did_not_come_from_the_edge_is_no_puck(before: list[Streak]) -> None:
    assert not flew_on(before, OUTSIDE, BOARD)


@pytest.mark.parametrize(("x_mm", "flew"), [(61.0, True), (120.0, False)])
def test_at_15_frames_a_second_a_puck_flies_over_the_edge_from_further_inside(x_mm: float, flew: bool) -> None:
    """At 1.6 m/s, as seen in a film; and from where it would have come at 2.5 m/s, as a hand may have carried it."""
    inside = replace(FLYING, x_mm=x_mm)
    assert flew_on([inside], OUTSIDE, BOARD, slow=2.0) is flew
    assert not flew_on([inside], OUTSIDE, BOARD)


def test_a_part_of_something_outside_is_no_puck() -> None:
    assert not flew_on([FLYING], replace(OUTSIDE, mass=1.9), BOARD)


def test_what_shows_little_of_its_paint_where_another_teams_puck_is_seen_is_a_part_of_that() -> None:
    orange = replace(seen_at(300.0, 200.0), team="orange", mass=1.07)
    part = replace(seen_at(301.0, 202.0), team="yellow", mass=0.64)
    assert part_of(part, orange, RADIUS)
    assert not part_of(orange, part, RADIUS)
    for other in (replace(part, team="orange"), replace(part, mass=0.9), replace(part, x_mm=310.0)):
        assert not part_of(other, orange, RADIUS)


@cache
def a_flick() -> Scene:
    """What the solver looks at after a flick beside a hand."""
    scenes: list[Scene] = []

    def kept(scene: Scene) -> Episode:
        scenes.append(replace(scene, earlier=None))
        return solve(scene)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.settling, "solve", kept)
        way = runs((120.0, 200.0), (320.0, 200.0), 1.0, 1.5)
        seen_in(Film(3.0, [(VIVID_RED, way)], hand=hand_that_flicks((120.0, 200.0), 1.0, 1.9)))
    return scenes[-1]


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The frames that are looked at for streaks."""
    frames: list[int] = []
    find: Callable[..., Any] = vision.sighted.find_streaks
    monkeypatch.setattr(vision.sighted, "find_streaks", lambda frame, *rest: frames.append(frame) or find(frame, *rest))
    return frames


def test_a_second_look_at_an_episode_looks_at_the_new_frames_only(looked_at: list[int]) -> None:
    """The oldest may have been forgotten meanwhile."""
    scene = replace(a_flick(), records=a_flick().records[2:])
    anew = Watch(scene)
    earlier = Watch(replace(a_flick(), records=a_flick().records[:-4])).seen
    earlier.put_by()
    looked_at.clear()
    again = Watch(replace(scene, earlier=earlier))
    assert sorted(looked_at) == list(range(len(scene.records) - 4, len(scene.records)))
    assert again.scene.earlier is None  # nor is what was seen before that kept any longer
    assert (again.first, again.streaks) == (anew.first, anew.streaks)
    assert any(again.streaks)
    for mine, its in ((again.hands, anew.hands), (again.busy, anew.busy)):
        assert all(np.array_equal(a, b) for a, b in zip(mine, its, strict=True))
    assert any(mask.any() for mask in again.hands)


@pytest.mark.parametrize("then", ["a little further back", "nowhere yet"])
def test_a_puck_that_has_moved_on_since_an_earlier_look_is_looked_for_again_only_where_it_may_be_seen(
    then: str, looked_at: list[int]
) -> None:
    scene = a_flick()
    (disc,) = scene.appeared
    before = [] if then == "nowhere yet" else [replace(disc, x_mm=disc.x_mm - 1.5)]
    earlier = Watch(replace(scene, appeared=before)).seen
    earlier.put_by()
    anew = Watch(scene)
    looked_at.clear()
    again = Watch(replace(scene, earlier=earlier))
    assert again.streaks == anew.streaks
    ends = next(k for k, seen in enumerate(anew.streaks) if any(math.dist(s.place, disc.place) < D for s in seen))
    far = next(k for k, seen in enumerate(anew.streaks) if any(math.dist(s.place, disc.place) > 4 * D for s in seen))
    assert far < ends  # it came from where nothing of it is seen at its place yet
    assert set(range(ends, len(scene.records))) <= set(looked_at)
    assert not set(range(far + 1)) & set(looked_at)


@pytest.mark.parametrize("other", ["another puck", "another paint", "another place", "covered", "another board"])
def test_an_earlier_look_at_what_was_another_scene_is_worth_nothing(other: str, looked_at: list[int]) -> None:
    scene = a_flick()
    ((rest,), (disc,)) = scene.vacated, scene.appeared
    after = scene.after.copy()
    x, y = np.rint(scene.view.px_from_mm(np.array([rest.place]))[0]).astype(int)
    after[y - 4 : y + 4, x - 4 : x + 4] //= 2  # a finger is still there
    was = {
        "another puck": replace(scene, vacated=[replace(rest, puck="p77")]),
        "another paint": replace(scene, appeared=[replace(disc, team="white")]),
        "another place": replace(scene, vacated=[replace(rest, x_mm=rest.x_mm + 3.0)]),
        "covered": replace(scene, after=after),
        "another board": replace(scene, before=scene.before.copy()),
    }[other]
    earlier = Watch(was).seen
    earlier.put_by()
    anew = Watch(scene)
    looked_at.clear()
    again = Watch(replace(scene, earlier=earlier))
    assert len(looked_at) == sum(math.prod(r.size) > 0 for r in scene.records[again.first :])
    assert again.streaks == anew.streaks


def test_a_puck_hardly_other_than_the_ground_does_not_lie_where_the_ground_is_seen() -> None:
    """No pixel of its place differs by much whether it lies there or has left; all of them together do."""
    scene = a_flick()
    (rest,) = scene.vacated
    middle = tuple(int(v) for v in np.rint(scene.view.px_from_mm(np.array([rest.place]))[0]))
    radius = round(scene.view.radius_px)

    def with_faint_puck(top: Image, corner: tuple[int, int] = (0, 0)) -> Image:
        disc = np.zeros(top.shape, np.uint8)
        cv2.circle(disc, (middle[0] - corner[0], middle[1] - corner[1]), radius, (4, 9, 4), -1)
        return np.asarray(cv2.add(top, disc), dtype=np.uint8)

    bare = scene.after  # nothing lies there any more
    last = next(r for r in reversed(scene.records) if r.whole is not None and r.whole.size)
    (x, y), (w, h) = last.corner, last.size
    assert x < middle[0] - radius < middle[0] + radius < x + w
    shown = bare[y : y + h, x : x + w]
    frames = [replace(last, time_s=k / 30, whole=picture) for k, picture in enumerate(
        [with_faint_puck(shown, last.corner), shown])]  # fmt: skip
    watch = Watch(replace(scene, before=with_faint_puck(bare), records=frames, earlier=None))
    assert [watch.lies(k, *rest.place) for k in range(2)] == [True, False]
    alike = Watch(replace(scene, before=bare, records=frames, earlier=None))
    assert [alike.lies(k, *rest.place) for k in range(2)] == [True, True]  # nothing tells


def test_nothing_reaches_for_a_puck_beyond_all_that_has_changed() -> None:
    """A puck that was lost on its way out lay below the last row of what had changed: nothing can be cut out there."""
    scene = a_flick()
    watch = Watch(scene)
    told = 0
    for frame, mask in enumerate(watch.busy):
        (left, top), (high, wide) = scene.records[frame].corner, mask.shape
        for px in ((left + wide / 2, top + high + 400.0), (left + wide + 400.0, top + high / 2), (left - 400.0, top)):
            x, y = scene.view.mm_from_px(np.array([px]))[0]
            assert watch.beside_mm(frame, float(x), float(y)) == (0.0, 0.0)
            told += mask.size > 0
    assert told
