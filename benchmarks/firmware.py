"""How well the sensor board does: python -m benchmarks.firmware [--full] [--fuzz] [--blindfold N].

Runs the real firmware on simavr (needs gcc, avr-gcc and simavr) and prints, for each promise, the goal and what was
measured. --full takes the counts of the goals (some minutes); otherwise a tenth. --fuzz: also damaged lines into both
ends (with --full ten million lines and an hour of the board's time). --blindfold N: also N flicks at each door of the
virtual table, with the camera's view of that door covered.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from calibration.board import default_board_path, load_board
from firmware_bridge.bridge import Bridge
from firmware_bridge.inputs import INPUTS
from firmware_bridge.protocol import FIRST_SEQUENCE, Answer, Damaged, Edge, Overflow, Reader, command
from tests.companion.blindfold import tries
from tests.firmware_bridge.hearing import told
from tests.firmware_bridge.simulator.board import RealtimeBoard, SimulatedBoard
from tests.firmware_bridge.simulator.build import build, what_is_missing
from tests.firmware_bridge.soak import Planned, plan, soak
from tests.firmware_bridge.test_clock import JITTERS, errors
from tests.firmware_bridge.test_firmware import fuzz as fuzz_board
from tests.firmware_bridge.test_ports import Kept, until
from tests.firmware_bridge.test_protocol import fuzz as fuzz_host

RAM_BYTES = 2048
SEEDS = 20


def row(what: str, goal: str, measured: str) -> None:
    """One line of the result."""
    print(f"{what:<58} goal: {goal:<28} measured: {measured}", flush=True)


def bad_line(count: int, a_second: float, rate: float, goal_ms: float) -> None:
    """Events over a line that damages so many of its bytes."""
    board, rng = SimulatedBoard(), random.Random(5)
    planned = plan(count, a_second, rng)
    began = time.monotonic()
    done = soak(board, planned, rate, rng)
    exact = done.events == [(number, active) for _, number, active in planned] and not done.gaps
    late = ""
    if exact:
        p50, p99, most = (done.percentile_ms(share) for share in (0.5, 0.99, 1.0))
        late = f"p50 {p50:.0f}, p99 {p99:.0f}, most {most:.0f} ms"
    measured = f"all, in order; {late}" if exact else "NOT EXACT"
    row(f"{count} events at {a_second:g} a second, {rate:.0%} of bytes damaged",
        f"all, in order; p99 {goal_ms:g} ms", f"{measured} ({time.monotonic() - began:.0f} s)")  # fmt: skip
    board.close()


def burst(seeds: int) -> None:
    """200 edges in 30 ms, over all inputs, that nobody takes at first."""
    least, right = 200, True
    for seed in range(seeds):
        board, rng, reader = SimulatedBoard(), random.Random(seed), Reader()
        edges = sorted(
            (100_000 + round(k * 30_000 / 19) + rng.randrange(300), n, k % 2 == 0)
            for n in range(INPUTS)
            for k in range(200 // INPUTS + (n < 200 % INPUTS))
        )
        board.pins(edges)
        board.run(150_000)
        seen, lost, expected = 0, 0, FIRST_SEQUENCE
        for _ in range(600):
            board.run(5_000)
            for m in reader.read(board.read()):
                if isinstance(m, Edge | Overflow) and m.sequence == expected:
                    seen, lost = seen + isinstance(m, Edge), lost + (m.count if isinstance(m, Overflow) else 0)
                    expected = (expected + 1) % 65536
                    board.write(command("A", m.boot, m.sequence))
        right, least = right and seen + lost == 200, min(least, seen)
        board.close()
    measured = f"{'exact' if right else 'WRONG'}; at least {least} told"
    row("200 edges in 30 ms", "each told, or counted in a gap", measured)


def commands() -> None:
    """Fifty commands in one write."""
    board = SimulatedBoard()
    board.run(100_000)
    board.write(b"".join(command("L", i + 1, i % 2, i % 4) for i in range(50)))
    board.run(400_000)
    heard = Reader().read(board.read())
    done = [m for m in heard if isinstance(m, Answer)][-1].done
    row("50 commands in one write", "nothing garbled", f"{done} carried out, {count_of(heard)} lines damaged")
    board.close()


def count_of(heard: Iterable[object]) -> int:
    return sum(isinstance(m, Damaged) for m in heard)


def clock() -> None:
    """Board time to host time, by three kinds of jitter."""
    for name, jitter in JITTERS.items():
        found = [errors(seed, ppm, jitter) for seed in range(SEEDS) for ppm in (-100, 100)]
        worst = max(e[int(0.95 * len(e))] for e in found) * 1000
        row(f"time under jitter: {name}", "p95 2 ms", f"p95 {worst:.2f} ms in the worst of {len(found)} runs")


def pulses(count: int) -> None:
    """Pulses of 3 ms at all inputs, and glitches of 200 us."""
    board, rng = SimulatedBoard(), random.Random(3)
    at, seen, reader = 100_000, set[int](), Reader()
    for i in range(count):
        at += rng.randrange(8_000, 40_000)
        board.pins([(at, i % INPUTS, True), (at + 3_000, i % INPUTS, False)])
        at += 4_000
        board.pins([(at, (i + 5) % INPUTS, True), (at + 200, (i + 5) % INPUTS, False)])
    while board.now_us < at + 500_000:
        board.run(5_000)
        for m in reader.read(board.read()):
            if isinstance(m, Edge):
                seen.add(m.micros)
                board.write(command("A", m.boot, m.sequence))
    goal = f"{2 * count} edges, none of glitches"
    row(f"{count} pulses of 3 ms, {count} glitches of 200 us", goal, f"{len(seen)} edges")
    board.close()


def size() -> None:
    """Flash, RAM and the deepest stack."""
    board = SimulatedBoard()
    board.pins([(100_000 + i * 211, i % INPUTS, i // INPUTS % 2 == 0) for i in range(400)])
    board.run(101_000)
    board.write(b"".join(command("S", i + 1, ord("HB"[i % 2]), (500, 250)[i % 2]) for i in range(50)))
    board.run(500_000)
    row("size", "RAM with stack below 75 %", f"{build().sizes}; with stack {1 - board.untouched_ram() / RAM_BYTES:.1%}")
    board.close()


def glitches_beside(rounds: int) -> None:
    """Glitches of 200 us at one input at every moment of the others' all changing at once."""
    board, changes, others = SimulatedBoard(), list[Planned](), range(INPUTS - 1)
    for k in range(rounds):
        at = 100_000 + k * 100_000
        glitch = at + k * 700 // rounds
        changes += [(at, n, k % 2 == 0) for n in others]
        changes += [(glitch, INPUTS - 1, True), (glitch + 200, INPUTS - 1, False)]
    board.pins(sorted(changes))
    seen, _ = told(board, until_us=changes[-1][0] + 100_000)
    false = sum(e.input == INPUTS - 1 for e in seen)
    row(f"{rounds} glitches beside ten edges at once", "none seen", f"{false} seen, {len(seen)} edges told")
    board.close()


def port() -> None:
    """Silence, and a plug that is pulled and put back, by the wall clock."""
    with tempfile.TemporaryDirectory() as folder:
        name, eeprom, kept = Path(folder) / "tty", Path(folder) / "eeprom", Kept()
        board = RealtimeBoard(eeprom=eeprom)
        name.symlink_to(board.port)
        bridge = Bridge(kept, find=lambda: str(name), new_id=1)
        until(bridge, lambda: bridge.state().board == 1, 5)
        board.freeze(True)
        silent = until(bridge, lambda: bridge.state().state == "silent", 5)
        board.freeze(False)
        until(bridge, lambda: bridge.state().state == "connected", 5)
        board.close()
        name.unlink()
        until(bridge, lambda: bridge.state().state == "searching", 5)
        board = RealtimeBoard(eeprom=eeprom)
        name.symlink_to(board.port)
        back = until(bridge, lambda: bridge.state().state == "connected", 5)
        bridge.stop()
        board.close()
    row("silence noticed; port back and working", "1.5 s; 2 s", f"{silent:.2f} s; {back:.2f} s")


def fuzz(lines: int, seconds: int) -> None:
    """Random and mutated lines into both ends; an assertion fails where one is taken for an event."""
    began = time.monotonic()
    fuzz_host(lines, random.Random(2))
    row(f"{lines} damaged lines into the host", "no crash, no false event", f"none ({time.monotonic() - began:.0f} s)")
    began, board = time.monotonic(), SimulatedBoard()
    fuzz_board(board, seconds, random.Random(7))
    board.close()
    row(f"{seconds} s of damaged lines into the board", "no crash, no false event",
        f"none, one boot ({time.monotonic() - began:.0f} s)")  # fmt: skip


def blindfold(count: int) -> None:
    """Flicks at each door with the camera's view of it covered, with and without sensors."""
    board = load_board(default_board_path())
    for with_sensors in (True, False):
        played = [t for door in range(4) for t in tries(board, door, count, seed=1000 * (door + 1),
                                                        with_sensors=with_sensors)]  # fmt: skip
        right = sum(t.told == t.true for t in played)
        asked = sum(t.review for t in played)
        went_in = sum(bool(t.true) for t in played)
        row(f"door decisions, camera blindfolded, {'with' if with_sensors else 'WITHOUT'} sensors", "100 %",
            f"{right} of {len(played)} ({went_in} went in; {asked} shots to review)")  # fmt: skip


def main() -> int:
    """Prints everything. 1 where the tools are missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.firmware", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--fuzz", action="store_true")
    parser.add_argument("--blindfold", type=int, default=0, metavar="N")
    options = parser.parse_args()
    if missing := what_is_missing():
        print(f"the firmware cannot run here, for want of {missing}", file=sys.stderr)
        return 1
    share = 1 if options.full else 10
    size()
    commands()
    burst(20 // share)
    pulses(2000 // share)
    glitches_beside(700 // share)
    clock()
    port()
    bad_line(10_000 // share, 20, 0.01, 300)
    bad_line(2_000 // share, 2, 0.05, 3000)
    if options.fuzz:
        fuzz(10_000_000 // share, 3600 // share)
    if options.blindfold:
        blindfold(options.blindfold)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
