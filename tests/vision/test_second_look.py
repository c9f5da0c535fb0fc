"""Pucks that are lost in one frame's noise are found in the mean of many, as soon as the board has lain still."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import vision.camera_watch
import vision.doubtful
import vision.patience
import vision.pipeline
from calibration.board import default_board_path, load_board
from tests.vision.grain import noisy
from tests.vision.painted_board import Place, Scene, camera_over
from tests.vision.test_resting import SCATTERED, right
from vision.events import PuckSeen, ReefsSeen
from vision.frames import Frame, Image
from vision.palette import Palette
from vision.pipeline import Tracker
from vision.reefs import find_reefs
from vision.resting import SeenDisc, first_look
from vision.second_look import FRAMES, SOME, SecondLook, faint_pucks, numberless, reefs_among
from vision.view import TopView, make_view

BOARD = load_board(default_board_path())
POSE = camera_over(BOARD)
VIEW = make_view(BOARD, POSE, POSE.lens.image_size)
NOISE = 6.0  # grey levels: as much as parts the green pucks from the sea
FPS = 30.0


def in_the_dark(count: int, reefs: Sequence[tuple[str, Place]] = (), light: float = 0.28) -> Iterator[Image]:
    """Frames of green and red pucks on a dark green sea in a dim room, each with noise of its own."""
    scene = Scene(BOARD, POSE, list(reefs), list(SCATTERED), sea=(92, 112, 45), light=(light,) * 3, noise=0.0)
    clean, rng = scene.picture().astype(np.float32), np.random.default_rng(3)
    for _ in range(count):
        yield noisy(clean, NOISE, rng)


def test_pucks_that_one_frame_hides_are_found_in_the_mean_of_many() -> None:
    look, mean = SecondLook(), None
    frames = list(in_the_dark(FRAMES))
    first, palette = first_look(frames[0], VIEW)
    seen = [disc for disc in first if right([disc], SCATTERED)]  # in such noise now and then one lies 2 mm off
    assert 10 <= len(seen) <= len(first) < 16
    for k, frame in enumerate(frames):
        mean = look.add(frame)
        assert (mean is None) == (k < FRAMES - 1)
    assert mean is not None
    found, shown = faint_pucks(mean, VIEW, palette, [*(d.place for d in seen), (330.0, 40.0)])
    assert shown == [*(True for _ in seen), False]
    assert right([*seen, *found], SCATTERED) == len(seen) + len(found) == 16
    x, y = found[0].place
    block = np.array([(x - 21, y + 1), (x + 21, y + 1), (x + 21, y + 13), (x - 21, y + 13)])
    others, _ = faint_pucks(mean, VIEW, palette, [d.place for d in seen], [block])
    assert [d.place for d in others] == [d.place for d in found[1:]]


def test_the_mean_is_told_once_and_kept() -> None:
    look = SecondLook()
    means = [look.add(np.full((4, 6, 3), 100, np.uint8)) for _ in range(2 * FRAMES)]
    assert sum(mean is not None for mean in means) == 1
    for _ in range(3):
        look.add(np.full((4, 6, 3), 200, np.uint8))
    kept = look.so_far()
    assert kept is not None
    assert (kept == 100).all()


def test_the_mean_is_that_of_the_frames_since_something_last_stirred() -> None:
    look = SecondLook()
    for _ in range(FRAMES - 1):
        assert look.add(np.full((4, 6, 3), 250, np.uint8)) is None
    look.restart()
    levels = [k % 5 for k in range(FRAMES)]
    means = [look.add(np.full((4, 6, 3), 100 + level, np.uint8)) for level in levels]
    assert means[:-1] == [None] * (FRAMES - 1)
    assert means[-1] is not None
    assert means[-1].shape == (4, 6, 3)
    assert np.abs(means[-1] - (100 + np.mean(levels))).max() <= 0.5


def test_the_mean_until_now_is_of_a_few_frames_at_least() -> None:
    look = SecondLook()
    assert look.so_far() is None
    for k in range(SOME):
        assert look.so_far() is None
        look.add(np.full((4, 6, 3), 100 + k, np.uint8))
    mean = look.so_far()
    assert mean is not None
    assert np.abs(mean - (100 + (SOME - 1) / 2)).max() <= 0.5
    look.restart()
    assert look.so_far() is None


def test_a_board_that_lies_still_shows_all_its_pucks_within_a_second() -> None:
    tracker = Tracker(BOARD, frame_size=POSE.lens.image_size, fps=FPS, pose=POSE)
    counts = []
    for k, image in enumerate(in_the_dark(round(1.1 * FPS))):
        assert not [e for e in tracker.update(Frame(k, k / FPS, image)) if type(e).__name__ == "PuckPlaced"]
        counts.append(len(tracker.live().pucks))
    assert 0 < counts[8] < 16
    assert counts[-1] == 16
    lying = {p.puck: (p.x_mm, p.y_mm) for p in tracker.live().pucks}
    assert len(lying) == 16
    assert all(min(math.dist(place, (x, y)) for _, _, (x, y, _) in SCATTERED) < 1.0 for place in lying.values())


@pytest.mark.parametrize(("fps", "light"), [(30.0, 0.2), (30.0, 0.24), (60.0, 0.2), (10.0, 0.2)])
def test_reefs_that_one_frame_hides_are_found_in_the_mean_of_some(fps: float, light: float) -> None:
    reefs: list[tuple[str, Place]] = [
        ("red", (230.0, 480.0, 140.0)), ("green", (290.0, 560.0, 90.0)), ("green", (470.0, 440.0, 160.0)),
    ]  # fmt: skip
    frames = list(in_the_dark(round(1.3 * fps), reefs, light=light))
    pucks = [PuckSeen(f"{t}-{n}", t, n, x, y) for t, n, (x, y, _) in SCATTERED]
    assert min(len(find_reefs(frame, POSE, BOARD, pucks)) for frame in frames[::8]) < len(reefs)
    tracker = Tracker(BOARD, frame_size=POSE.lens.image_size, fps=fps, pose=POSE)
    told = [e for k, f in enumerate(frames) for e in tracker.update(Frame(k, k / fps, f)) if isinstance(e, ReefsSeen)]
    assert len(told) == 1
    assert len(told[0].reefs) == len(reefs)
    for team, (x, y, _) in reefs:
        assert any(r.team == team and math.dist((r.x_mm, r.y_mm), (x, y)) < 1.0 for r in told[0].reefs)


@pytest.mark.parametrize(("score", "shown", "stays"), [(0.68, 16, False), (0.9, 16, True), (0.68, 9, True)])
def test_what_the_first_look_only_made_up_is_struck_out(
    score: float, shown: int, stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a black reef in the dark, with its shadow. What was surely seen stays: something may lie on it for a while.

    shown: how many of the other pucks the second look shows; in another light it does not show all that lie there.
    """
    made_up = SeenDisc("green", 330.0, 40.0, score, (20.0, 20.0, 20.0))

    def look(image: Image, view: TopView) -> tuple[list[SeenDisc], Palette]:
        seen, palette = first_look(image, view)
        return [*seen, made_up], palette

    def second(
        _mean: Image, _view: object, _palette: object, known: list[object], _reefs: object
    ) -> tuple[list[SeenDisc], list[bool]]:
        real = iter([True] * shown + [False] * 16)
        return [], [place != made_up.place and next(real) for place in known]

    monkeypatch.setattr(vision.pipeline, "first_look", look)
    monkeypatch.setattr(vision.doubtful, "faint_pucks", second)
    tracker = Tracker(BOARD, frame_size=POSE.lens.image_size, fps=FPS, pose=POSE)
    image = Scene(BOARD, POSE, pucks=list(SCATTERED), noise=1.0).picture()
    counts = []
    for k in range(FRAMES + 10):
        assert not [e for e in tracker.update(Frame(k, k / FPS, image)) if type(e).__name__.startswith("Puck")]
        counts.append(len(tracker.live().pucks))
    assert counts[8] == 17
    assert counts[-1] == (17 if stays else 16)


def test_frames_from_before_the_camera_was_knocked_are_not_added_to_those_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They show every puck in another place."""
    looked: list[Image] = []
    poses = [POSE, camera_over(BOARD, tilt_deg=7.5)]
    before, after = (Scene(BOARD, pose, pucks=list(SCATTERED), noise=1.0).picture() for pose in poses)

    class Knocked:
        """A watch on the camera that has seen the knock as soon as the second picture comes."""

        watches = False

        def __init__(self, *_: object) -> None:
            pass

        def check(self, image: Image, hold: bool = False) -> SimpleNamespace:
            pose = poses.pop() if image is after and len(poses) > 1 else None
            return SimpleNamespace(pose=pose, shift_px=20.0, moved=False, sagged=False)

        def shifts(self, _: Image) -> list[object]:
            return []

    def look(
        mean: Image, _view: object, _palette: object, known: list[object], _reefs: object
    ) -> tuple[list[SeenDisc], list[bool]]:
        looked.append(mean)
        return [], [True] * len(known)

    monkeypatch.setattr(vision.camera_watch, "DriftWatch", Knocked)
    monkeypatch.setattr(vision.doubtful, "faint_pucks", look)
    tracker = Tracker(BOARD, frame_size=POSE.lens.image_size, fps=FPS, pose=POSE)
    knocked_at = 2 * vision.camera_watch.DRIFT_EVERY
    assert knocked_at < FRAMES
    events = []
    for k in range(knocked_at + 3 * FRAMES):
        events += tracker.update(Frame(k, k / FPS, before if k < knocked_at else after))
    assert [type(e).__name__ for e in events].count("CameraMoved") == 1
    (mean,) = looked
    assert np.abs(mean.astype(int) - after).max() <= 1


@pytest.mark.parametrize(("vague", "struck_out"), [({"p1", "p3"}, {"p1"}), ({"p3"}, set()), (set(), set())])
def test_a_reef_that_was_taken_for_a_puck_is_told_by_its_shape(vague: set[str], struck_out: set[str]) -> None:
    """p1 was seen in the edges of a reef; p2 and p3 are pucks, of which one was not seen well."""
    pucks = [("red", 3, (200.0, 120.0, 0.0)), ("green", 4, (450.0, 470.0, 90.0))]
    picture = Scene(BOARD, POSE, reefs=[("red", (300.0, 300.0, 30.0))], pucks=pucks).picture()
    seen = [PuckSeen("p1", "red", None, 303.0, 302.0), PuckSeen("p2", "red", None, 200.0, 120.0),
            PuckSeen("p3", "green", None, 450.0, 470.0)]  # fmt: skip
    assert reefs_among(picture, VIEW, seen, vague) == struck_out


@pytest.mark.parametrize(("vague", "bare", "struck_out"), [
    ({"p4", "p5"}, False, {"p5"}),
    (set(), False, set()),
    ({"p3", "p4", "p5"}, False, set()),  # one that is surely seen does not tell that its team bears numbers
    ({"p4", "p5"}, True, set()),  # nor do pucks of another make, without numbers
])  # fmt: skip
def test_what_bears_no_number_among_pucks_that_do_is_no_puck(
    vague: set[str], bare: bool, struck_out: set[str]
) -> None:
    """p5 was seen in a block or a print."""
    pucks: list[tuple[str, int, Place]] = [
        ("red", 3, (200.0, 120.0, 0.0)), ("red", 4, (300.0, 120.0, 0.0)), ("red", 5, (400.0, 120.0, 0.0)),
    ]  # fmt: skip
    plain = replace(BOARD, teams=tuple(replace(t, digit_colour=t.colour) for t in BOARD.teams)) if bare else BOARD
    picture = Scene(plain, POSE, reefs=[("red", (300.0, 300.0, 0.0))], pucks=pucks).picture()
    _, palette = first_look(Scene(BOARD, POSE, pucks=list(SCATTERED)).picture(), VIEW)
    places = [*((x, y) for _, _, (x, y, _) in pucks), (300.0, 300.0)]
    names = ("p2", "p3", "p4", "p5")
    seen = [PuckSeen(name, "red", None, x, y) for name, (x, y) in zip(names, places, strict=True)]
    assert numberless(picture, VIEW, palette, seen, vague) == struck_out


def test_what_only_the_mean_shows_and_is_a_block_is_not_added(monkeypatch: pytest.MonkeyPatch) -> None:
    block = SeenDisc("red", 290.0, 302.0, 0.9, (30.0, 30.0, 30.0))
    monkeypatch.setattr(vision.doubtful, "faint_pucks", lambda *a: ([block], [True for _ in a[3]]))
    image = Scene(BOARD, POSE, reefs=[("red", (300.0, 300.0, 0.0))], pucks=list(SCATTERED), noise=1.0).picture()
    tracker = Tracker(BOARD, frame_size=POSE.lens.image_size, fps=FPS, pose=POSE)
    for k in range(FRAMES + 10):
        tracker.update(Frame(k, k / FPS, image))
    assert len(tracker.live().pucks) == 16
