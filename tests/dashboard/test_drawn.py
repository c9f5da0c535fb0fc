"""From a camera's frame to the puck drawn on a page, through a companion in its own processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.drawn import FLICKS, Way, delays_on, film_of_flicks, measure

MOST_P95_MS = 200.0
LONGEST_TASK_MS = 100.0
SEED = 1
PERIOD_MS = 100 / 3


@pytest.mark.browser
@pytest.mark.long
def test_what_the_camera_sees_is_drawn_within_200_ms_and_glides(chromium: Any, tmp_path: Path) -> None:
    found = measure(chromium, film_of_flicks(SEED), tmp_path)
    assert found.ways >= 0.8 * FLICKS
    assert len(found.delays_ms) >= 5 * FLICKS
    assert float(np.percentile(found.delays_ms, 95)) <= MOST_P95_MS
    assert [t for t in found.tasks_ms if t > LONGEST_TASK_MS] == []


def test_the_delay_is_from_the_moment_at_which_a_puck_was_filmed_where_it_is_drawn() -> None:
    """A puck goes 20 mm a frame from the third frame on; drawn half-way between two of them 70 ms after that moment."""
    way = Way(2, np.array([[100.0 + 20 * n, 50.0] for n in range(6)]))
    given = [1000 + PERIOD_MS * n for n in range(12)]
    filmed = given[2] + 1.5 * PERIOD_MS
    assert delays_on(way, [("red-1", 130.0, 51.0, filmed + 70)], given) == pytest.approx([70])


def test_a_puck_that_is_drawn_elsewhere_or_not_yet_under_way_says_nothing() -> None:
    way = Way(2, np.array([[100.0 + 20 * n, 50.0] for n in range(6)]))
    given = [1000 + PERIOD_MS * n for n in range(12)]
    elsewhere, still, before = (150.0, 80.0, 1200.0), (101.0, 50.0, 1200.0), (150.0, 50.0, 1000.0)
    drawn = [("red-1", *place) for place in (elsewhere, still, before)]
    assert len(delays_on(way, drawn, given)) == 0
