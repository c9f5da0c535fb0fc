"""What players said of a recording, kept as they say it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.label_facts import Facts, facts_from_json
from companion.label_seen import Seen, SeenShot
from companion.recorded import whole_lines
from vision.film_file import RecordError

ANSWERS = "answers.jsonl"
SAME_S = 0.5  # an answer belongs to the shot nearest to it, within this time
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Item:
    """Something to be asked: about is shot, by_hand, hands, reefs or all; number: the shot's, or the next one's."""

    about: str
    t: float
    number: int = 0


class Answers:
    """What players said of a recording, kept line by line; of two lines about one thing the later counts."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / ANSWERS
        # what else stands there, as a line that a kill cut short, is left out: what it said is asked again
        self._lines: list[Json] = [line for line in whole_lines(self._path) if {"about", "t", "said"} <= line.keys()]

    def add(self, about: str, t: float, said: str, by: str = "label", **more: Any) -> None:
        """Keeps an answer: it is on the disk when this returns. Raises RecordError."""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        line = {"about": about, "t": round(t, 4), "said": said, **more, "by": by, "at": now}
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(("\n" if self._cut_short() else "") + json.dumps(line, ensure_ascii=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise RecordError(f"{self._path}: cannot be written ({error.strerror}); free some room") from None
        self._lines.append(line)

    def about(self, item: Item) -> Json | None:
        """What was last said about something."""
        near = [a for a in self._lines if a["about"] == item.about and abs(a["t"] - item.t) < SAME_S]
        return near[-1] if near else None

    def said_about(self, about: str) -> list[Json]:
        """What was last said about each thing of a kind, in order of time."""
        last: dict[float, Json] = {}
        for answer in (a for a in self._lines if a["about"] == about):
            last[next((t for t in last if abs(t - answer["t"]) < SAME_S), answer["t"])] = answer
        return [last[t] for t in sorted(last)]

    def number(self, name: str, number: int | None) -> None:
        """Keeps the number of a puck that the camera never read; None where players cannot tell either."""
        self.add("number", 0.0, "otherwise" if number is not None else "unknown", puck=name, number=number)

    def numbers(self) -> dict[str, int | None]:
        """The numbers that players told, by the puck's name."""
        return {a["puck"]: a["number"] for a in self._lines if a["about"] == "number"}

    def missed(self) -> list[Json]:
        """Shots that players say were played and the camera did not tell, in order of time."""
        last = {a["t"]: a for a in self._lines if a["about"] == "missed"}
        last |= {a["played"]: {**a, "t": a["played"]} for a in self.said_about("by_hand") if a["said"] == "missed"}
        return [last[t] for t in sorted(last)]

    def _cut_short(self) -> bool:
        if not self._path.exists() or not self._path.stat().st_size:
            return False
        with self._path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"


def decided(seen: Seen, answers: Answers) -> Iterator[tuple[SeenShot | None, float, Facts | None]]:
    """Every shot that players spoke of, in order: as it was seen (None: it was missed), when, and what they said of it.

    Facts are None where nobody could tell; what was no shot is left out.
    """
    found: list[tuple[SeenShot | None, float, Facts | None]] = []
    for shot in seen.shots:
        answer = answers.about(Item("shot", shot.t))
        if answer is None or answer["said"] != "no shot":
            facts = facts_from_json(answer["facts"]) if answer is not None and "facts" in answer else None
            found.append((shot, shot.t, facts))
    found += [(None, a["t"], facts_from_json(a["facts"])) for a in answers.missed()]
    yield from sorted(found, key=lambda one: one[1])


def happened(seen: Seen, answers: Answers, deed: Json) -> bool | None:
    """Whether players say that a deed which the tracker told was done; None where they have not spoken of it."""
    following = min((s.t for s in seen.shots if s.t > deed["t"]), default=seen.seconds)
    answer = answers.about(Item("hands", following))
    return None if answer is None or "deeds" not in answer else deed in answer["deeds"]
