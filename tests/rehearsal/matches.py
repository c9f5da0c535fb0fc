"""One rehearsed match, judged; a module of its own so that other processes can play it."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.rehearsal_match import Rehearsal
from tests.rehearsal.judging import Finding, Judge

FAULTS = ("rules",)  # outcomes that are never the camera's doing


@dataclass(frozen=True, slots=True)
class Task:
    """One match to be rehearsed."""

    seed: int
    board: Path
    shots: int
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Result:
    """How it went. took_s: processor time; played_s: the match's own time."""

    seed: int
    ended: str
    winner: str | None
    points: dict[str, int]
    rounds: int
    findings: tuple[Finding, ...]
    played_s: float
    took_s: float

    @property
    def counts(self) -> Counter[str]:
        return Counter(f.outcome for f in self.findings)

    @property
    def reviewed(self) -> int:
        return sum(f.reviewed for f in self.findings)

    @property
    def failed(self) -> bool:
        return self.ended == "stuck" or any(self.counts[f] for f in FAULTS)


def rehearse(task: Task) -> Result:
    """Plays and judges one match."""
    cv2.setNumThreads(1)
    began = time.process_time()
    judge = Judge(task.board)
    with tempfile.TemporaryDirectory() as folder:
        rehearsal = Rehearsal(Path(folder), task.board, seed=task.seed, size=task.size, watch=judge)
        report = rehearsal.play(task.shots)
    judge.finish(report.truth["shots"])
    return Result(task.seed, report.ended, report.winner, report.points, len(report.scoreboard["rounds"]),
                  tuple(judge.findings), report.seconds, time.process_time() - began)  # fmt: skip
