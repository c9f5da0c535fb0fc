"""How films in number are counted, and how sure a count is."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.vision.film_score import decided, numbers_read, rest_errors, touch_errors
from tests.vision.many_shots import TIERS, at_most, judge_film, measure, summary, tier_of


@pytest.mark.parametrize(("bad", "of", "share"), [(0, 100, 0.0295), (0, 2000, 0.0015), (5, 100, 0.1023), (3, 3, 1.0)])
def test_what_was_seen_bounds_the_true_share(bad: int, of: int, share: float) -> None:
    """Against Clopper and Pearson's tables, one-sided 95 %; none of n is 1 - 0.05 ** (1 / n)."""
    assert at_most(bad, of) == pytest.approx(share, abs=0.0005)


def test_every_tier_comes_in_its_turn_on_boards_of_both_kinds() -> None:
    films = Counter((tier_of(seed), seed % 3 == 2) for seed in range(300))
    assert {tier for tier, _ in films} == {*TIERS, "easy"}
    assert all(films[tier, True] > 0 and films[tier, False] > 0 for tier, _ in films)


def test_a_table_counts_shots_by_verdict_and_rests_by_their_squares() -> None:
    result = {"seed": 1, "tier": "dim", "verdicts": ["right", "review", "unseen", "invented"], "rest_mm": [0.3, 0.4],
              "numbers": ["right", "wrong", "unread"]}  # fmt: skip
    *_, row, total, closing = summary([result])
    assert row == "| dim | 1, 3 | 1 | 1 | 0 | 1 | 1 | 0.35 mm | 1, 1 of 3 |"
    assert total == row.replace("dim", "all")
    assert closing.startswith("wrong or not seen: 1 of 3")


def shot(start: float, place: tuple[float, float], **more: object) -> dict[str, object]:
    return {"puck": "red-1", "t_start": start, "start": {"red-1": (100.0, 100.0)}, "end": {"red-1": place},
            "contacts": [], "crossings": [], "exits": [], "on_gate": [], "doubtful": [], **more}  # fmt: skip


def test_rests_and_numbers_are_those_of_the_shot_that_was_played() -> None:
    red = {"team": "red", "number": 7}
    truth = {"shots": [shot(1.0, (200.0, 100.0)), shot(5.0, (300.0, 100.0))], "pucks": {"red-1": red}, "fps": 30.0}
    seen = [{"puck": "p1", "team": "red", "x_mm": 100.0, "y_mm": 100.0, "number": 7}]
    at_rest: list[dict[str, Any]] = [{"puck": "p1", "team": "red", "x_mm": 203.0, "y_mm": 104.0, "number": 1}]
    events = [
        {"type": "shot_started", "t": 1.1, "shot": 1, "puck": "p1", "pucks": seen},
        {"type": "shot_ended", "t": 1.9, "shot": 1, "pucks": at_rest, "on_gate": [], "needs_review": False},
        {"type": "shot_started", "t": 3.0, "shot": 2, "puck": "p1", "pucks": seen},
        {"type": "shot_ended", "t": 3.5, "shot": 2, "pucks": at_rest, "on_gate": [], "needs_review": True},
    ]
    assert rest_errors(truth, events) == [5.0]
    assert numbers_read(truth, events) == ["wrong"]
    assert decided(truth, events) == ["wrong", "unseen", "invented"]
    at_rest[0]["number"] = None
    assert numbers_read(truth, events) == ["unread"]
    assert decided(truth, events) == ["right", "unseen", "invented"]
    at_rest[0]["x_mm"] = 216.0
    assert decided(truth, events)[0] == "wrong"
    at_rest[0] |= {"x_mm": 203.0, "team": "black"}
    assert decided(truth, events)[0] == "wrong"
    assert numbers_read({**truth, "pucks": {"red-1": {"number": None}}}, events) == []


@pytest.mark.parametrize(("apart_s", "verdict"), [(0.05, "wrong"), (0.03, "right")])
def test_touches_are_told_in_their_order_where_they_are_a_frame_apart(apart_s: float, verdict: str) -> None:
    places = {"red-1": (100.0, 100.0), "teal-2": (200.0, 100.0), "teal-3": (200.0, 140.0)}
    true = [
        {"t": t, "a": "red-1", "b": other, "slide": 9.0} for t, other in ((1.2, "teal-2"), (1.2 + apart_s, "teal-3"))
    ]
    played = {**shot(1.0, (200.0, 100.0)), "start": places, "end": places, "contacts": true}
    bare = {key: {"team": key.split("-")[0], "number": None} for key in places}
    truth = {"shots": [played], "pucks": bare, "fps": 30.0}
    pucks = [{"puck": f"p{key[-1]}", "team": key.split("-")[0], "x_mm": x, "y_mm": y} for key, (x, y) in places.items()]
    events = [
        {"type": "shot_started", "t": 1.0, "shot": 1, "puck": "p1", "pucks": pucks},
        {"type": "contact", "t": 1.3, "shot": 1, "puck": "p1", "other": "p2"},
        {"type": "contact", "t": 1.25, "shot": 1, "puck": "p1", "other": "p3"},
        {"type": "shot_ended", "t": 1.9, "shot": 1, "pucks": pucks, "on_gate": [], "needs_review": False},
    ]
    assert decided(truth, events) == [verdict]


def test_a_touch_is_as_far_off_as_the_first_that_was_told_of_its_pair() -> None:
    places = {"red-1": (100.0, 100.0), "green-1": (200.0, 100.0), "green-2": (300.0, 100.0)}
    true = [{"t": t, "a": a, "b": b, "slide": 9.0} for t, a, b in (
        (1.20, "red-1", "green-1"), (1.30, "red-1", "green-2"), (1.40, "green-1", "red-1"))]  # fmt: skip
    truth = {"shots": [{**shot(1.0, (200.0, 100.0)), "start": places, "contacts": true}]}
    pucks = [{"puck": f"p{i}", "x_mm": x, "y_mm": y} for i, (x, y) in enumerate(places.values(), 1)]
    events = [
        {"type": "shot_started", "t": 1.1, "shot": 1, "puck": "p1", "pucks": pucks},
        {"type": "contact", "t": 1.41, "shot": 1, "puck": "p2", "other": "p1"},
        {"type": "contact", "t": 1.204, "shot": 1, "puck": "p1", "other": "p2"},
        {"type": "contact", "t": 1.25, "shot": 1, "puck": "p2", "other": "p3"},
        {"type": "contact", "t": 1.30, "shot": 2, "puck": "p1", "other": "p3"},
    ]
    assert touch_errors(truth, events) == pytest.approx([0.004])


def test_what_was_measured_before_is_not_filmed_again(tmp_path: Path) -> None:
    out = tmp_path / "shots.jsonl"
    out.write_text('{"seed": 4, "tier": "bump"}\n{"seed": 5, "tier": "lights"}\n', encoding="utf-8")
    results = measure([5, 4], out, 1, partial(judge_film, keep=None), lambda seed: {"seed": seed})
    assert [r["tier"] for r in results] == ["lights", "bump"]
