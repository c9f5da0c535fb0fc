"""The board's time as the host's: offset and drift from heartbeats that come late by chance, but never early.

Source of the idea: the lower envelope of one-way delays (Moon, Skelly, Towsley 1999; Paxson 1998).
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from firmware_bridge.protocol import MICROS

WINDOW_S = 40.0  # of heartbeats: long enough for drift, short enough for a resonator that warms up
LEAST_SPAN_S = 2.0  # drift is not guessed from less
MOST_DRIFT = 0.01  # ceramic resonators are within 0.5 %; a steeper fit is noise
EARLY_S = 0.02  # once there are many heartbeats, one cannot be earlier than all of them by more: it is refused
MANY = 32  # heartbeats: 8 s of them
LEAST_STRETCHES, MOST_STRETCHES = 4, 12  # of the samples' time, a second each between these bounds
LATE_S = 0.3  # nor are all of them this late: then the host has slept
AT_ONCE_S = 0.001  # of two heartbeats that were read together, at most: on the line they take 4.5 ms each
REFUSED_IN_A_ROW = 8  # so many refused ones mean that the old fit is wrong: 2 s of heartbeats
HOLE_S = 10.0  # of the board's time without a heartbeat: what comes then is fitted anew, for the host may have slept
US = 1e-6  # seconds


@dataclass(frozen=True, slots=True)
class _Hole:
    """No heartbeat came between two moments of the board, seconds; fit: what was known before, offset and slope."""

    begin_s: float
    end_s: float
    fit: tuple[float, float]


class Clock:
    """Host seconds from a board's microseconds. One for each boot of a board, through all that its cable suffers."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float]] = deque()  # board s, host s minus board s
        self._micros: int | None = None
        self._turns = 0
        self._fit = (0.0, 0.0)
        self._hole: _Hole | None = None  # the last one
        self._early = self._late = 0
        self._late_at_s = -math.inf  # by the host: when the last late one was read
        self.refused = 0

    @property
    def ready(self) -> bool:
        """False before the first heartbeat."""
        return bool(self._samples)

    @property
    def drift_ppm(self) -> float:
        """How much faster the host's clock goes than the board's, millionths."""
        return self._fit[1] * 1e6

    def goes_on(self, micros: int) -> bool:
        """True where a board's time may be this clock's, later: one that has started anew begins at 0."""
        return self.ready and self._unwrapped(micros) > self._turns

    def add(self, micros: int, host_s: float) -> None:
        """A heartbeat: the board's time as it began to send, and the host's, less the time that the line takes."""
        board_s = self._unwrapped(micros, move=True) * US
        late_s = host_s - board_s
        if self._samples and board_s - self._samples[-1][0] > HOLE_S:
            self._begin_anew(board_s)
        if self._samples and not self._plausible(board_s, host_s):
            return
        self._samples.append((board_s, late_s))
        while self._samples[0][0] < board_s - WINDOW_S:
            self._samples.popleft()
        self._fit = fit(list(self._samples), self._fit[1])

    def host_s(self, micros: int) -> float:
        """When a moment of the board was by the host's clock. Needs at least one heartbeat.

        A moment in a hole lies between the heartbeats around it, in proportion, whatever the host's clock did
        meanwhile: that of a computer that slept has stood still, or not.
        """
        board_s, hole = self._unwrapped(micros) * US, self._hole
        if hole is None or board_s >= hole.end_s:
            return _at(self._fit, board_s)
        if board_s <= hole.begin_s:
            return _at(hole.fit, board_s)
        begin_s, end_s = _at(hole.fit, hole.begin_s), _at(self._fit, hole.end_s)
        return begin_s + (end_s - begin_s) * (board_s - hole.begin_s) / (hole.end_s - hole.begin_s)

    def _begin_anew(self, board_s: float) -> None:
        """What was known until now does not hold from here on, but for the drift."""
        last_s = self._samples[-1][0]
        self._hole = _Hole(last_s, board_s, self._fit) if board_s > last_s else None
        self._samples.clear()
        self._early = self._late = 0

    def _plausible(self, board_s: float, host_s: float) -> bool:
        """Late ones, and all that are read with one, count as one: it is the host that was held up, not its clock."""
        over = host_s - _at(self._fit, board_s)
        self._early = self._early + 1 if over < -EARLY_S and len(self._samples) >= MANY else 0
        with_a_late_one = host_s - self._late_at_s <= AT_ONCE_S
        if over > LATE_S and not with_a_late_one:
            self._late, self._late_at_s = self._late + 1, host_s
        elif not with_a_late_one:
            self._late = 0
        if max(self._early, self._late) >= REFUSED_IN_A_ROW:
            self._begin_anew(board_s)
            return True
        refused = self._early > 0 or self._late > 0
        self.refused += refused
        return not refused

    def _unwrapped(self, micros: int, move: bool = False) -> int:
        """The board's time without its wraps: the nearest to the last heartbeat."""
        if self._micros is None:
            self._micros = micros
        total = self._turns + (micros - self._turns + MICROS // 2) % MICROS - MICROS // 2
        if move:
            self._turns = total
        return total


def _at(line: tuple[float, float], board_s: float) -> float:
    """The host's seconds at a moment of the board, by an offset and a slope."""
    return board_s + line[0] + line[1] * board_s


def fit(samples: list[tuple[float, float]], known: float = 0.0) -> tuple[float, float]:
    """Offset and slope of a line that lies under all samples (x, y), x rising.

    The slope is that of the least late samples of some equal stretches of time, by least squares; `known`, where the
    samples span too little to tell.
    """
    x0, span = samples[0][0], samples[-1][0] - samples[0][0]
    if span < LEAST_SPAN_S:
        return min(y - known * x for x, y in samples), known
    stretches = min(max(int(span), LEAST_STRETCHES), MOST_STRETCHES)
    least: dict[int, tuple[float, float]] = {}
    for x, y in samples:
        stretch = min(int((x - x0) / span * stretches), stretches - 1)
        if stretch not in least or y < least[stretch][1]:
            least[stretch] = (x, y)
    slope = min(max(_slope(list(least.values())), -MOST_DRIFT), MOST_DRIFT)
    return min(y - slope * x for x, y in samples), slope


def _slope(points: list[tuple[float, float]]) -> float:
    x_mean = sum(x for x, _ in points) / len(points)
    y_mean = sum(y for _, y in points) / len(points)
    spread = sum((x - x_mean) ** 2 for x, _ in points)
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / spread if spread else 0.0
