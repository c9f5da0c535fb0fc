"""Shots that players told by hand in a match before a camera: each was played somewhere in the film."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.label_answers import Answers, Item
from companion.label_facts import Facts, facts_seen
from companion.label_seen import Seen, SeenShot
from companion.label_verdicts import Json, facts_told, in_film, known_at, read_said, with_unasked
from companion.recorded import BY_HAND, SAID, clip_times


@dataclass(frozen=True, slots=True)
class ByHand:
    """A shot told by hand at `t`; by then it was played, and after `since`: seconds of the film."""

    t: float
    since: float
    facts: Facts

    def fits(self, shot: SeenShot) -> bool:
        """Whether a shot that was seen was played in that time."""
        return self.since < shot.t < self.t


def shots_by_hand(folder: Path, seen: Seen) -> list[ByHand]:
    """The shots that were told by hand while the film was running, in order."""
    times = clip_times(folder)
    found = []
    for told_s, since_s, facts in _told(read_said(folder / SAID)):
        t = in_film(told_s, times, seen.fps)
        if t is not None:
            found.append(ByHand(t, in_film(since_s, times, seen.fps) or 0.0, facts))
    return found


def _told(entries: Sequence[Json]) -> Iterator[tuple[float, float, Facts]]:
    """When each was told, since when it can have been played (source's seconds), and its facts as last corrected.

    It was played after what was journalled before it and counts still: what the camera told wrongly is undone first.
    """
    undone = {e["data"].get("undoes") for e in entries if e["type"] == "undo"}
    counting = [e for e in entries if e["id"] not in undone]
    last = {e["data"]["of"]: e["data"]["facts"] for e in counting if e["type"] == "correction"}
    since = float("-inf")
    for entry in counting:
        data = entry["data"]
        if entry["type"] == "shot":
            since = float(data["t_end"])
        elif entry["type"] == BY_HAND and "t" in entry:
            yield float(entry["t"]), since, facts_told(last.get(entry["id"]) or data)
            since = float(entry["t"])


def take_by_hand(told: Sequence[ByHand], seen: Seen, names: Mapping[str, str], answers: Answers) -> int:
    """Takes as answers what was told by hand of a shot that the film shows by itself; gives how many.

    That is so where it is the only one in its time, and of the same puck; of any other players are asked.
    """
    taken = 0
    for one in told:
        fitting = [shot for shot in seen.shots if one.fits(shot)]
        if answers.about(Item("by_hand", one.t)) is not None or len(fitting) != 1:
            continue
        (shot,) = fitting
        itself = facts_seen(shot, names)
        facts = with_unasked(one.facts, itself)
        if facts.flicked != itself.flicked or not facts.named() <= known_at(shot, seen, names, answers):
            continue
        if answers.about(Item("shot", shot.t)) is None:
            word = "right" if facts == itself else "otherwise"
            answers.add("shot", shot.t, word, by="match", facts=facts.to_json())
        answers.add("by_hand", one.t, "seen", by="match")
        taken += 1
    return taken
