"""Filmed flicks into pucks that touch: the one behind was flicked, and hardly any is told wrongly, unasked."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.vision.touching import COUNTS, play, verdicts

FILMS = 24
BOUNDS = {"pair": (0.85, 0.05), "row": (0.85, 0.05), "crowd": (0.75, 0.1)}  # shares: right at least, wrong at the most


@pytest.mark.parametrize("kind", COUNTS)
def test_flicks_into_pucks_that_touch_are_told_rightly_or_asked_about(kind: str) -> None:
    truth, events = play(kind, seed=1)
    told = verdicts(truth, events)
    assert len(truth["shots"]) == len(told) == 2
    assert "right" in told
    assert set(told) <= {"right", "review"}


@pytest.mark.long
@pytest.mark.parametrize("kind", COUNTS)
def test_flicks_into_clusters_of_many_seeds(kind: str) -> None:
    counts = Counter(v for seed in range(1, FILMS + 1) for v in verdicts(*play(kind, seed)))
    shots = sum(counts.values())
    right, wrong = BOUNDS[kind]
    assert counts["right"] >= right * shots, counts
    assert counts["wrong"] + counts["invented"] <= wrong * shots, counts
