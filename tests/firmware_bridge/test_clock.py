"""The board's time as the host's, under drift, jitter and outliers."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from firmware_bridge.clock import Clock
from firmware_bridge.protocol import MICROS
from firmware_bridge.session import FIRST_PING_S, FIRST_PINGS, PING_S

Jitter = Callable[[random.Random], float]
JITTERS: dict[str, Jitter] = {
    "a chip that hands over every 16 ms": lambda rng: rng.uniform(0, 0.016),
    "a busy machine": lambda rng: 0.001 + rng.expovariate(1 / 0.005),
    "now and then a fifth of a second": lambda rng: rng.uniform(0, 0.004) + (rng.random() < 0.1) * rng.uniform(0, 0.2),
}
GOAL_S = 0.002


def errors(seed: int, drift_ppm: float, jitter: Jitter, start_us: int = 5) -> list[float]:
    """Sorted errors of events at random moments of half a minute, each told when it has just happened."""
    rng = random.Random(seed)
    clock, offset, out = Clock(), 1000 + rng.random(), []
    moments = sorted(rng.uniform(0.1, 30) for _ in range(600))
    t, n = 0.0, 0
    while t < 30:
        n += 1
        t += FIRST_PING_S if n < FIRST_PINGS else PING_S
        while moments and moments[0] < t:
            m = moments.pop(0)
            host_s = clock.host_s((int(m * 1e6) + start_us) % MICROS)
            out.append(abs(host_s - (offset + m * (1 + drift_ppm * 1e-6))))
        clock.add((int(t * 1e6) + start_us) % MICROS, offset + t * (1 + drift_ppm * 1e-6) + jitter(rng))
    return sorted(out)


@pytest.mark.parametrize("drift_ppm", [-100, 100])
@pytest.mark.parametrize("name", sorted(JITTERS))
def test_board_time_is_host_time_within_two_milliseconds(name: str, drift_ppm: float) -> None:
    for seed in range(4):
        found = errors(seed, drift_ppm, JITTERS[name])
        assert found[int(0.95 * len(found))] < GOAL_S


def test_the_boards_clock_may_wrap() -> None:
    found = errors(1, 100, JITTERS["a busy machine"], start_us=MICROS - 9_000_000)
    assert found[int(0.95 * len(found))] < GOAL_S


def test_a_ceramic_resonator_is_followed() -> None:
    found = errors(1, 4000, JITTERS["a busy machine"])
    assert found[int(0.95 * len(found))] < 0.01


def test_an_impossible_heartbeat_is_refused() -> None:
    clock = Clock()
    for i in range(100):
        clock.add(i * 50_000, 500 + i * 0.05)
    clock.add(5_000_000, 504.0)  # a second before it was sent
    assert clock.refused == 1
    assert abs(clock.host_s(5_000_000) - 505.0) < 0.001


def test_a_host_that_has_slept_finds_the_time_again() -> None:
    clock = Clock()
    for i in range(200):
        clock.add(i * 50_000, 500 + i * 0.05 - (100 if i >= 100 else 0))
    assert abs(clock.host_s(10_000_000) - 410.0) < 0.001
