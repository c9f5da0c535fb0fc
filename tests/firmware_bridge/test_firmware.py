"""The real firmware on simavr: edges, bursts, glitches, commands, settings, watchdog, memory."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_bridge.inputs import INPUTS, KNOCK, beam
from firmware_bridge.protocol import (
    FIRST_SEQUENCE,
    RESTART_WORD,
    Answer,
    Damaged,
    Edge,
    Heartbeat,
    Hello,
    Overflow,
    Reader,
    command,
)
from tests.firmware_bridge.hearing import MS, S, edges, messages, of, told
from tests.firmware_bridge.simulator.board import SimulatedBoard
from tests.firmware_bridge.simulator.build import Built
from tests.firmware_bridge.soak import plan, soak

RAM_BYTES, FLASH_BYTES = 2048, 32256
RAM_MOST = 0.75


def test_a_board_that_is_switched_on_says_hello(board: SimulatedBoard) -> None:
    hello = of(Hello, messages(board, 100 * MS))[0]
    assert (hello.version, hello.board, hello.boot, hello.first) == (1, 0, 1, FIRST_SEQUENCE)


def test_a_pulse_of_three_milliseconds_is_always_seen(board: SimulatedBoard) -> None:
    """A puck's edge at 3 m/s in a beam, at every input and at every phase of the board's millisecond."""
    rng = random.Random(3)
    starts = [100 * MS + i * 17 * MS + rng.randrange(1000) for i in range(10 * INPUTS)]
    want = [(i % INPUTS, active) for i in range(10 * INPUTS) for active in (True, False)]
    for i, start in enumerate(starts):
        board.pins([(start, i % INPUTS, True), (start + 3 * MS, i % INPUTS, False)])
    board.run(90 * MS)
    got = [(e.input, e.active) for e in told(board)[0]]
    assert got == want


def test_a_glitch_of_200_microseconds_is_never_seen(board: SimulatedBoard) -> None:
    rng = random.Random(4)
    at = 100 * MS
    for i in range(300):
        board.pins([(at, i % INPUTS, True), (at + 200, i % INPUTS, False)])
        at += 200 + rng.randrange(300, 3000)
    assert edges(board, 1500 * MS) == []


def test_a_gap_of_200_microseconds_in_a_broken_beam_is_never_seen(board: SimulatedBoard) -> None:
    board.pins([(100 * MS, 0, True), (150 * MS, 0, False), (150 * MS + 200, 0, True), (200 * MS, 0, False)])
    assert edges(board, 400 * MS) == [(0, True), (0, False)]


def test_an_edge_is_stamped_with_the_moment_it_began(board: SimulatedBoard) -> None:
    moments = [100 * MS + i * 7_777 for i in range(60)]
    board.pins([(at, beam(1, "outer"), i % 2 == 0) for i, at in enumerate(moments)])
    stamps = [e.micros for e in told(board)[0]]
    offset = moments[0] - stamps[0]  # the board counts from its own start
    worst = max(abs(at - offset - stamp) for at, stamp in zip(moments, stamps, strict=True))
    assert worst < 100, f"{worst} us"


@pytest.mark.parametrize("seed", range(5))
def test_of_a_burst_of_200_edges_in_30_ms_each_is_told_or_counted(board: SimulatedBoard, seed: int) -> None:
    """At least 1 ms for each level, over all inputs, while nobody listens: more than the board can keep."""
    rng = random.Random(seed)
    planned = [
        (100 * MS + round(k * 30 * MS / 19) + rng.randrange(300), number, k % 2 == 0)
        for number in range(INPUTS)
        for k in range(200 // INPUTS + (number < 200 % INPUTS))
    ]
    planned.sort()
    assert len(planned) == 200
    board.pins(planned)
    board.run(150 * MS)
    seen, lost = told(board)
    assert len(seen) + sum(g.count for g in lost) == 200
    assert len(seen) >= 120
    stamps = [e.micros for e in seen]
    assert stamps == sorted(stamps), "edges are numbered in the order of time"
    left = {(number, active) for _, number, active in planned}
    assert {(e.input, e.active) for e in seen} <= left


def test_fifty_commands_in_one_write_are_all_carried_out(board: SimulatedBoard) -> None:
    board.run(100 * MS)
    board.pins([(110 * MS + i * 1500, i % INPUTS, i // INPUTS % 2 == 0) for i in range(40)])
    board.write(b"".join(command("L", i + 1, i % 2, i % 4) for i in range(50)))
    heard = messages(board, 400 * MS)
    assert not of(Damaged, heard)
    assert (of(Answer, heard)[-1].number, of(Answer, heard)[-1].done) == (50, 50)
    assert {e.sequence for e in of(Edge, heard)} == {(FIRST_SEQUENCE + i) % 65536 for i in range(40)}


def test_a_command_is_carried_out_once_however_often_it_comes(board: SimulatedBoard) -> None:
    board.run(100 * MS)
    for _ in range(5):
        board.write(command("L", 7, 1, 1))
    assert of(Answer, messages(board, 200 * MS))[-1].done == 1
    assert board.lights() == (0, 1)


def test_the_next_hosts_command_of_the_same_number_is_carried_out_too(board: SimulatedBoard) -> None:
    """Each host counts from 1."""
    board.run(100 * MS)
    for side in (0, 1):
        board.write(command("L", 1, side, 1))
    assert of(Answer, messages(board, 200 * MS))[-1].done == 2
    assert board.lights() == (1, 1)


def test_a_command_out_of_range_is_refused_with_its_reason(board: SimulatedBoard) -> None:
    board.run(100 * MS)
    board.write(command("S", 1, ord("H"), 100_000))
    answer = of(Answer, messages(board, 100 * MS))[-1]
    assert (answer.done, answer.refused, answer.why) == (0, 1, 3)


def test_settings_and_the_count_of_boots_outlive_a_power_cut(tools: None, eeprom: Path) -> None:
    eeprom.write_bytes(b"\xff" * 1024)
    for boot in (1, 2):
        board = SimulatedBoard(eeprom=eeprom)
        hello = of(Hello, messages(board, 200 * MS))[0]
        assert hello.boot == boot
        if boot == 1:
            board.write(command("S", 1, ord("I"), 0xCAFE) + command("S", 2, ord("F"), 0x0103))
            board.run(400 * MS)
        board.close()
    assert (hello.board, hello.fitted) == (0xCAFE, 0x0103)


def test_damaged_settings_give_way_to_the_defaults(tools: None, eeprom: Path) -> None:
    eeprom.write_bytes(b"\xff" * 1024)
    board = SimulatedBoard(eeprom=eeprom)
    board.run(100 * MS)
    board.write(command("S", 1, ord("I"), 0xCAFE))
    board.run(400 * MS)
    board.close()
    kept = bytearray(eeprom.read_bytes())
    kept[1] ^= 0x10
    eeprom.write_bytes(kept)
    board = SimulatedBoard(eeprom=eeprom)
    assert of(Hello, messages(board, 100 * MS))[0].board == 0
    board.close()


def test_an_input_that_is_not_fitted_says_nothing(board: SimulatedBoard) -> None:
    board.run(100 * MS)
    board.write(command("S", 1, ord("F"), 0x0001))
    board.run(100 * MS)
    board.pins([(250 * MS, 0, True), (260 * MS, 1, True), (270 * MS, KNOCK, True)])
    assert edges(board, 300 * MS) == [(0, True)]


def test_a_board_that_hangs_is_restarted_by_its_watchdog(board: SimulatedBoard) -> None:
    board.run(100 * MS)
    board.read()
    board.write(command("R", 1, RESTART_WORD))
    hello = of(Hello, messages(board, 2 * S))[-1]
    assert hello.boot == 2
    assert hello.cause & 8, "the watchdog"


def test_a_beam_that_is_broken_at_the_start_is_told(board: SimulatedBoard) -> None:
    board.pins([(1, 3, True)])
    assert edges(board, 100 * MS) == [(3, True)]
    assert of(Heartbeat, messages(board, 500 * MS))[-1].levels == 1 << 3


@pytest.mark.parametrize(("count", "a_second", "rate", "most_ms"), [(500, 20, 0.01, 300), (50, 2, 0.05, 3000)])
def test_nothing_is_lost_on_a_bad_line(board: SimulatedBoard, count: int, a_second: float, rate: float,
                                       most_ms: float) -> None:  # fmt: skip
    rng = random.Random(5)
    planned = plan(count, a_second, rng)
    done = soak(board, planned, rate, rng)
    assert done.events == [(number, active) for _, number, active in planned]
    assert not done.gaps
    assert done.percentile_ms(0.99) < most_ms


@pytest.mark.long
@pytest.mark.parametrize(("count", "a_second", "rate", "most_ms"), [(10_000, 20, 0.01, 300), (2_000, 2, 0.05, 3000)])
def test_nothing_is_lost_on_a_bad_line_for_a_long_time(board: SimulatedBoard, count: int, a_second: float,
                                                       rate: float, most_ms: float) -> None:  # fmt: skip
    test_nothing_is_lost_on_a_bad_line(board, count, a_second, rate, most_ms)


def fuzz(board: SimulatedBoard, seconds: int, rng: random.Random) -> None:
    """Random and mutated commands in bursts; afterwards the board must answer as ever, with no edge told."""
    known = [command("L", 1, 0, 1), command("A", 1, 0xFF80), command("Q", 1), command("P"), command("N")]
    seen: list[object] = []
    reader = Reader()
    for _ in range(seconds):
        data = bytearray()
        while len(data) < 2000:
            if rng.random() < 0.3:
                data += rng.randbytes(rng.randrange(1, 60))
            else:
                line = bytearray(rng.choice(known))
                for _ in range(rng.randrange(1, 4)):
                    line[rng.randrange(len(line))] = rng.randrange(256)
                data += line[: rng.randrange(1, len(line) + 1)]
        board.write(bytes(data))
        board.run(S)
        seen += [m for m in reader.read(board.read()) if isinstance(m, Edge | Overflow | Hello | Damaged)]
    board.write(b"\n" + command("Q", 1))
    hello = of(Hello, messages(board, 300 * MS))
    assert hello
    assert hello[-1].boot == 1, "it has never crashed"
    assert not of(Edge, seen)
    assert not of(Overflow, seen)
    assert not of(Damaged, seen)


def test_random_bytes_do_not_disturb_the_board(board: SimulatedBoard) -> None:
    fuzz(board, 20, random.Random(6))


@pytest.mark.long
def test_random_bytes_do_not_disturb_the_board_for_an_hour(board: SimulatedBoard) -> None:
    fuzz(board, 3600, random.Random(7))


def test_flash_and_ram_have_room_to_spare(board: SimulatedBoard, built: Built) -> None:
    """RAM with the deepest stack that a burst, commands and settings at once have reached."""
    board.pins([(100 * MS + i * 211, i % INPUTS, i // INPUTS % 2 == 0) for i in range(400)])
    board.run(101 * MS)
    board.write(b"".join(command("S", i + 1, ord("HB"[i % 2]), (500, 250)[i % 2]) for i in range(50)))
    board.run(500 * MS)
    used = 1 - board.untouched_ram() / RAM_BYTES
    print(f"\nfirmware: {built.sizes}; RAM with stack {used:.1%}")
    assert used < RAM_MOST
    assert int(built.sizes.split()[1]) < FLASH_BYTES / 2
