"""Many events over a bad line, in the board's time: what came into the journal, and how late."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.inputs import INPUTS
from firmware_bridge.session import Gap, Item, SensorEvent, Session
from tests.firmware_bridge.noise import NoisyLine
from tests.firmware_bridge.simulator.board import SimulatedBoard

COMMIT_US = 20_000  # a slow memory card's journal
STEP_US = 5_000  # the host looks at the line this often, or whenever a whole line has come
LAST_US = 20_000_000  # the longest wait for what is still on its way at the end

Planned = tuple[int, int, bool]  # the microsecond, the input, whether it becomes active


@dataclass(frozen=True, slots=True)
class Soak:
    """planned: (microsecond, input, active) as the pins did; journal: items with the microsecond of their commit."""

    planned: Sequence[Planned]
    journal: Sequence[tuple[int, Item]]
    session: Session

    @property
    def events(self) -> list[tuple[int, bool]]:
        """What the journal says happened, in its order."""
        return [(i.input, i.active) for _, i in self.journal if isinstance(i, SensorEvent)]

    @property
    def gaps(self) -> list[Gap]:
        return [i for _, i in self.journal if isinstance(i, Gap)]

    @property
    def latencies_ms(self) -> list[float]:
        """From edge to journal, sorted. Only for a soak that lost nothing."""
        came = [(t, i) for t, i in self.journal if isinstance(i, SensorEvent)]
        return sorted((t - at) / 1000 for (t, _), (at, _, _) in zip(came, self.planned, strict=True))

    def percentile_ms(self, share: float) -> float:
        """Of the latencies."""
        times = self.latencies_ms
        return times[min(int(share * len(times)), len(times) - 1)]


def plan(count: int, a_second: float, rng: random.Random, *, start_us: int = 500_000) -> list[Planned]:
    """Edges at random inputs, on average so many a second, each level held for a millisecond or more."""
    active, last = [False] * INPUTS, [0] * INPUTS
    out: list[Planned] = []
    at = start_us
    while len(out) < count:
        at += max(1000, round(rng.expovariate(a_second) * 1e6))
        number = rng.randrange(INPUTS)
        if at - last[number] < 1000:
            continue
        active[number], last[number] = not active[number], at
        out.append((at, number, active[number]))
    return out


def told(journal: Sequence[tuple[int, Item]]) -> int:
    """Edges that the journal tells or counts as lost."""
    return sum(1 if isinstance(i, SensorEvent) else i.count or 0 for _, i in journal)


def soak(board: SimulatedBoard, planned: Sequence[Planned], rate: float, rng: random.Random,
         *, commit_us: int = COMMIT_US) -> Soak:  # fmt: skip
    """Lets the board see what is planned, with a host that takes so long to commit, over a line of that error rate."""
    up, down = NoisyLine(rate, rng), NoisyLine(rate, rng)
    session = Session(new_id=0x5EED)
    writing: deque[tuple[int, Item]] = deque()
    journal: list[tuple[int, Item]] = []
    board.pins(planned)
    end_us = planned[-1][0]
    while board.now_us < end_us or (told(journal) < len(planned) and board.now_us < end_us + LAST_US + 3 * commit_us):
        board.run(STEP_US, to_line=True)
        now = board.now_us
        writing.extend((now + commit_us, i) for i in session.receive(up.pass_on(board.read()), now * 1e-6))
        while writing and writing[0][0] <= now:
            journal.append((now, writing[0][1]))
            session.committed(writing.popleft()[1])
        if out := session.outgoing(now * 1e-6):
            board.write(down.pass_on(out))
    return Soak(planned, journal, session)
