"""What a piece of work costs: frames, time on the wall and on the cores, memory; measured in a process of its own."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

KIB_IN_MIB = 1024  # Linux counts memory in KiB


@dataclass(frozen=True, slots=True)
class Cost:
    """seconds: on the wall; cpu_s: on all cores, which others' work changes less; peak_mib: the whole process's."""

    frames: int
    seconds: float
    cpu_s: float
    peak_mib: float
    made_with: str = ""

    @property
    def rate(self) -> float:
        """Frames a second."""
        return self.frames / self.seconds

    @property
    def frame_ms(self) -> float:
        return 1000 * self.seconds / self.frames

    @property
    def frame_cpu_ms(self) -> float:
        return 1000 * self.cpu_s / self.frames


def measured(work: Callable[[], int]) -> Cost:
    """Does a piece of work here and now. work: gives how many frames it has seen."""
    began, cpu = time.perf_counter(), time.process_time()
    frames = work()
    seconds, cpu_s = time.perf_counter() - began, time.process_time() - cpu
    return Cost(frames, seconds, cpu_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB_IN_MIB)


def tell(cost: Cost) -> None:
    """Prints it as the line that `of_child` reads."""
    print(json.dumps(asdict(cost)))


def of_child(arguments: Sequence[str], python: str = sys.executable, rounds: int = 1) -> Cost:
    """Runs `python ARGUMENTS`, which tells its cost in its last line; the quickest of so many rounds."""
    told = []
    for _ in range(rounds):
        done = subprocess.run([python, *arguments], stdout=subprocess.PIPE, text=True, check=True)
        told.append(Cost(**json.loads(done.stdout.splitlines()[-1])))
    return min(told, key=lambda cost: cost.seconds)
