"""Lines on the wire: whole, damaged, random; and the table in hardware.md that both twins follow."""

from __future__ import annotations

import random
import re
from dataclasses import fields
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocol import (
    COMMANDS,
    FIRST_SEQUENCE,
    LAYOUT,
    LINE_MAX,
    PROTOCOL_VERSION,
    Damaged,
    Edge,
    Heartbeat,
    Hello,
    Message,
    OtherVersion,
    Overflow,
    Reader,
    after,
    command,
    frame,
    message_bytes,
)
from tests.firmware_bridge.noise import NoisyLine

HARDWARE = Path(__file__).resolve().parents[2] / "hardware.md"
EDGE = Edge(0x1A2B3C4D, 7, FIRST_SEQUENCE, 12_345_678, 3, True)
SAMPLES: list[Message] = [
    EDGE,
    Overflow(1, 2, 3, 4, 72),
    Heartbeat(1, 2, 3, 4, 5, 0x7FF),
    Hello(1, 2, 3, 4, 5, 6, 0x100, 0x7FF, 0x5FF, 500, 250, 1),
]


def table_of_lines() -> dict[str, list[tuple[str, int]]]:
    """hardware.md's table of the protocol: a line's letter, and its fields with their digits."""
    rows = re.findall(r"^\| `([A-Z])` \|[^|]*\| ([^|]*) \|", HARDWARE.read_text(encoding="utf-8"), re.M)
    out = {}
    for letter, text in rows:
        parts = [] if text.strip() == "none" else [part.strip(" `").split(":") for part in text.split(",")]
        out[letter] = [(name, int(digits)) for name, digits in parts]
    return out


def test_the_table_in_the_manual_is_what_the_board_says() -> None:
    table = table_of_lines()
    for letter, (type_, digits) in LAYOUT.items():
        assert table[letter] == list(zip([f.name for f in fields(type_)], digits, strict=True)), letter


def test_the_table_in_the_manual_is_what_the_host_says() -> None:
    table = table_of_lines()
    for letter, digits in COMMANDS.items():
        assert tuple(width for _, width in table[letter]) == digits, letter
    assert set(table) == set(LAYOUT) | set(COMMANDS)


@pytest.mark.parametrize("message", SAMPLES)
def test_what_is_written_is_what_is_read(message: Message) -> None:
    assert Reader().read(message_bytes(message)) == [message]


@given(st.binary(max_size=400), st.integers(1, 50))
def test_any_bytes_in_any_pieces_are_survived(data: bytes, piece: int) -> None:
    reader = Reader()
    heard = [m for i in range(0, len(data), piece) for m in reader.read(data[i : i + piece])]
    assert all(isinstance(m, Damaged) for m in heard)


@given(st.integers(0, 45), st.integers(1, 255))
def test_a_line_with_a_changed_byte_is_not_understood(at: int, change: int) -> None:
    line = bytearray(message_bytes(EDGE))
    line[at] ^= change
    heard = Reader().read(bytes(line) + b"\n")
    assert not [m for m in heard if not isinstance(m, Damaged)] or at == len(line) - 1


@pytest.mark.parametrize("message", SAMPLES)
def test_no_change_of_one_byte_is_taken_for_a_message(message: Message) -> None:
    """Every byte of the line, and every other value that it could have."""
    line = message_bytes(message)
    for at in range(len(line) - 1):
        for change in range(1, 256):
            forged = bytes((*line[:at], line[at] ^ change, *line[at + 1 :]))
            heard = Reader().read(forged)
            assert all(isinstance(m, Damaged) for m in heard), forged


@pytest.mark.parametrize("message", SAMPLES)
def test_no_change_of_two_bytes_leaves_the_checksum_right(message: Message) -> None:
    """All of them, by the CRC's linearity: what a change does to it depends on its place and bits only.

    Two changes cancel where both do the same to the CRC; one is forged where it does what a change of the digits does.
    """
    body = message_bytes(message)[:-9]
    right = crc32(body)
    done = {
        crc32(bytes((*body[:at], body[at] ^ change, *body[at + 1 :]))) ^ right
        for at in range(len(body))
        for change in range(1, 256)
    }
    assert len(done) == len(body) * 255, "no two changes of one byte do the same"
    assert 0 not in done
    digits = {value << 4 * place for place in range(8) for value in range(1, 16)}
    assert not done & digits, "nor does any what another digit of the checksum undoes"


def test_bytes_that_change_places_are_not_understood() -> None:
    line = message_bytes(EDGE)
    for a in range(len(line) - 1):
        for b in range(a + 1, len(line) - 1):
            if line[a] != line[b]:
                forged = bytearray(line)
                forged[a], forged[b] = line[b], line[a]
                assert not [m for m in Reader().read(bytes(forged)) if not isinstance(m, Damaged)], forged


def test_a_lost_newline_costs_no_line() -> None:
    line = message_bytes(EDGE)
    assert Reader().read(line[:-1] + line) == [EDGE, EDGE]


def test_an_endless_line_takes_no_memory() -> None:
    reader = Reader()
    for _ in range(1000):
        reader.read(b"x" * 1000)
    assert len(reader._held) <= LINE_MAX
    assert reader.read(b"\n" + message_bytes(EDGE))[-1] == EDGE


def test_a_board_of_another_version_is_told_not_guessed() -> None:
    line = frame("H", (PROTOCOL_VERSION + 1, 5), (2, 3))
    assert Reader().read(line) == [OtherVersion(PROTOCOL_VERSION + 1)]


@pytest.mark.parametrize(("late", "early", "by"), [(0, 0xFFFF, 1), (5, 0xFFF0, 21), (0xFFF0, 5, -21), (9, 9, 0)])
def test_sequences_wrap(late: int, early: int, by: int) -> None:
    assert after(late, early) == by


def test_a_command_that_does_not_fit_its_digits_is_a_mistake_here() -> None:
    with pytest.raises(ValueError, match="expected 0 to 65535"):
        command("A", 70_000, 1)


def fuzz(lines: int, rng: random.Random) -> None:
    """Random and mutated lines into one reader; no event comes out that did not go in."""
    reader, valid = Reader(), [message_bytes(m) for m in SAMPLES]
    known = set(SAMPLES)
    for start in range(0, lines, 1000):
        data = bytearray()
        for _ in range(min(1000, lines - start)):
            if rng.random() < 0.2:
                data += rng.randbytes(rng.randrange(60)) + b"\n"
                continue
            line = bytearray(valid[rng.randrange(len(valid))])
            kind = rng.randrange(4)
            at = rng.randrange(len(line))
            if kind == 0:
                line[at] = rng.randrange(256)
            elif kind == 1:
                del line[at]
            elif kind == 2:
                line.insert(at, line[at])
            else:
                line[at:] = valid[rng.randrange(len(valid))][at:]
            data += line
        for message in reader.read(bytes(data)):
            assert isinstance(message, Damaged) or message in known, message


def test_a_million_mutated_lines_bring_no_false_event() -> None:
    fuzz(1_000_000, random.Random(1))


@pytest.mark.long
def test_ten_million_mutated_lines_bring_no_false_event() -> None:
    fuzz(10_000_000, random.Random(2))


def test_a_noisy_line_passes_most_short_lines() -> None:
    line = NoisyLine(0.01, random.Random(1))
    reader = Reader()
    good = sum(m == EDGE for _ in range(2000) for m in reader.read(line.pass_on(message_bytes(EDGE))))
    assert 0.55 < good / 2000 < 0.72  # 0.99 to the power of 46 is 0.63
