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


def after_a_hole(drift_ppm: float, hole_s: float, slept_s: float) -> tuple[Clock, Callable[[float], float]]:
    """A clock after a minute of heartbeats, a hole, and the first one behind it; and the host's time as it truly was.

    slept_s: of the hole, for which the host's clock stood still.
    """
    rng, clock, began_s, jitter = random.Random(3), Clock(), 60.0, JITTERS["a chip that hands over every 16 ms"]

    def host_s(board_s: float) -> float:
        slept = min(max(board_s - began_s, 0.0), slept_s)
        return 1000 + (board_s - slept) * (1 + drift_ppm * 1e-6)

    for n in range(240):
        t = (n + 1) * 0.25
        clock.add(int(t * 1e6), host_s(t) + jitter(rng))
    clock.add(int((began_s + hole_s) * 1e6), host_s(began_s + hole_s) + jitter(rng))
    return clock, host_s


@pytest.mark.parametrize("drift_ppm", [-500, 500])
@pytest.mark.parametrize("hole_s", [12.0, 60.0, 3600.0])
def test_what_happened_while_no_heartbeat_came_is_told_with_its_time(hole_s: float, drift_ppm: float) -> None:
    clock, host_s = after_a_hole(drift_ppm, hole_s, 0.0)
    for moment in (50.0, 60 + hole_s * 0.1, 60 + hole_s * 0.5, 60 + hole_s):
        assert abs(clock.host_s(int(moment * 1e6)) - host_s(moment)) < 0.016 + GOAL_S
    assert abs(clock.drift_ppm - drift_ppm) < 50


def test_what_happened_while_the_host_slept_is_never_put_before_it_slept() -> None:
    """Its clock stood still for three hours: a shot of before must not be given what happened meanwhile."""
    clock, host_s = after_a_hole(500, 3 * 3600.0, 3 * 3600.0 - 0.5)
    slept_at, woke_at = host_s(60.0), host_s(60 + 3 * 3600.0)
    told = [clock.host_s(int((60 + part * 3 * 3600) * 1e6)) for part in (0.0, 0.2, 0.5, 0.9, 1.0)]
    assert told == sorted(told)
    assert slept_at - GOAL_S < told[0] < told[-1] < woke_at + 0.016


def test_heartbeats_that_a_host_reads_all_at_once_are_late_and_make_no_new_time() -> None:
    """It was held up for seconds, as by a slow disk: what happened meanwhile happened when it did."""
    clock = Clock()
    for n in range(200):
        clock.add(n * 50_000, 500 + n * 0.05)
    for n in range(20):
        clock.add(10_000_000 + n * 250_000, 515.0)
    assert abs(clock.host_s(12_000_000) - 512.0) < 0.001


def test_a_board_that_has_started_anew_does_not_go_on_in_the_old_time() -> None:
    clock = Clock()
    assert not clock.goes_on(5)
    clock.add(MICROS - 1_000_000, 500.0)
    assert clock.goes_on(1_000_000)  # it has wrapped
    clock.add(1_000_000, 502.0)
    assert not clock.goes_on(900_000)
