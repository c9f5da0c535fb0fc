"""Which parts of a film can be kept: those in which players told every shot and every hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.label_answers import SAME_S, Answers, Item, decided
from companion.label_facts import names_of, together
from companion.label_seen import Seen
from companion.label_sound import faults
from companion.label_truth import shots_told
from vision.virtual_table.truth import SETTLE_S

LEAD_S = 1.0  # a board lies still for so long before the first shot of a passage, and is found in it
TRAIL_S = 0.6  # and so long after the last one


@dataclass(frozen=True, slots=True)
class Span:
    """Pictures of a film, both included."""

    first: int
    last: int

    def holds(self, t: float, fps: float) -> bool:
        return self.first <= t * fps < self.last + 1


def passages(seen: Seen, answers: Answers, keys: Sequence[int]) -> list[Span]:
    """The whole film where all was told; else its longest parts between what was not. keys: pictures at which a copy
    can begin."""
    gaps = _unknown(seen, answers)
    if not gaps:
        return [Span(0, seen.frames - 1)] if seen.frames else []
    times = [t for _, t, facts in decided(seen, answers) if facts is not None]
    rests = {s.t: s.t_rest for s in seen.shots}
    edges = [(0.0, 0.0), *gaps, (seen.seconds, seen.seconds)]
    spans = []
    for (_, begin_s), (end_s, _) in pairwise(edges):
        inside = [t for t in times if begin_s < t < end_s]
        span = _span(inside, rests, begin_s, end_s, seen, keys)
        if span is not None:
            spans.append(span)
    return spans


def _unknown(seen: Seen, answers: Answers) -> list[tuple[float, float]]:
    """Spans of time, s, in which something happened that nobody could tell, in order."""
    gaps = [(s.t, s.t_rest + SETTLE_S) for s in seen.shots if _open(answers, Item("shot", s.t))]
    gaps += [(a["since"], a["t"]) for a in answers.said_about("by_hand") if a["said"] == "unknown"]
    gaps += [(t, (s.t_rest if s is not None else t) + SETTLE_S) for s, t, facts in decided(seen, answers)
             if facts is not None and any(nameless(seen, name, answers) for name in facts.named())]  # fmt: skip
    gaps += [(shot["t_start"] - (0.0 if shot["seen"] else SAME_S), shot["t_end"])
             for shot in shots_told(seen, names_of(seen), answers) if faults(shot)]  # fmt: skip
    since = 0.0
    for t in [*(s.t for s in seen.shots), seen.seconds]:
        if _open(answers, Item("hands", t)):
            gaps.append((since, t))
        since = next((s.t_rest for s in seen.shots if s.t == t), t)
    merged: list[tuple[float, float]] = []
    for begin_s, end_s in sorted(gaps):
        if merged and begin_s <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end_s, merged[-1][1]))
        else:
            merged.append((begin_s, end_s))
    return merged


def nameless(seen: Seen, name: str, answers: Answers) -> bool:
    """A puck that bears a number which neither the camera nor players could read: whoever reads it would be right."""
    team, _, label = name.rpartition("-")
    numbered = any(t.name == team and t.numbers for t in seen.board.teams)
    return numbered and not label.isdecimal() and answers.numbers().get(name) is None


def numbers_beside(seen: Seen, names: Mapping[str, str], name: str, answers: Answers) -> set[int]:
    """The numbers of the pucks of a puck's team that were on the board at the same moment."""
    team, beside = name.rpartition("-")[0], together(seen)
    others = {names[other] for puck, its in names.items() if its == name for other in beside.get(puck, ())} - {name}
    told = answers.numbers()
    numbers = [int(label) if label.isdecimal() else told.get(other)
               for other in others for of, _, label in [other.rpartition("-")] if of == team]  # fmt: skip
    return {n for n in numbers if n is not None}


def _open(answers: Answers, item: Item) -> bool:
    answer = answers.about(item)
    return answer is not None and answer["said"] == "unknown"


def _span(
    times: list[float], rests: dict[float, float], begin_s: float, end_s: float, seen: Seen, keys: Sequence[int]
) -> Span | None:
    """The longest part with stillness before its first shot and after its last; None where no shot is left."""
    while times:
        first = next((k for k in keys if k / seen.fps >= begin_s), None)
        if first is None:
            return None
        if times[0] - first / seen.fps >= LEAD_S or (first == 0 and begin_s == 0.0):
            break
        begin_s = rests.get(times[0], times[0] + LEAD_S) + SETTLE_S
        times = times[1:]
    while times and end_s < seen.seconds and end_s - rests.get(times[-1], times[-1] + LEAD_S) < TRAIL_S:
        end_s = times[-1]
        times = times[:-1]
    if not times or first is None:
        return None
    return Span(first, min(seen.frames - 1, int(end_s * seen.fps) - 1))
