"""Judges a journal by what truly happened: nothing invented, doubled or out of order; what is missing lies in a gap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from firmware_bridge.session import Gap, Item, SensorEvent

Truth = TypeVar("Truth")


def faults(truth: Sequence[Truth], journal: Sequence[Item], same: Callable[[Truth, SensorEvent], bool],
           *, extra: Callable[[SensorEvent], bool] = lambda event: False) -> list[str]:  # fmt: skip
    """What the journal says wrongly. same: whether an event tells of that truth; extra: events that tell none anew."""
    out, at, gaps = list[str](), 0, list[Gap]()
    for item in journal:
        if isinstance(item, Gap):
            gaps.append(item)
            continue
        found = next((i for i in range(at, len(truth)) if same(truth[i], item)), None)
        if found is None:
            if not extra(item):
                out.append(f"invented, doubled or out of order: {item}")
            continue
        out += missing(truth[at:found], gaps)
        at, gaps = found + 1, []
    return out + missing(truth[at:], gaps)


def missing(lost: Sequence[object], gaps: Sequence[Gap]) -> list[str]:
    """What is wrong with gaps between two events for those that were lost there."""
    counted = [g.count for g in gaps if g.count is not None]
    if lost and not gaps:
        return [f"lost without a word: {lost[0]} and {len(lost) - 1} more"]
    if gaps and len(counted) == len(gaps) and sum(counted) != len(lost):
        return [f"{len(lost)} were lost, the gaps count {counted}"]
    return []
