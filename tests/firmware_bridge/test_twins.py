"""The protocol's two ends hear the same: the firmware's reader, with sanitizers, beside the one in Python."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.protocol import Damaged, Splitter, command
from tests.firmware_bridge.simulator.build import FIRMWARE, HERE, run

LINES = 100_000
COMMANDS = [
    command("A", 7, 0xFF80), command("Q", 1), command("P"), command("N"), command("L", 12, 1, 3),
    command("S", 13, ord("I"), 0x1A2B3C4D), command("R", 14, 0xB007),
]  # fmt: skip


@pytest.fixture(scope="module")
def ear(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """protocol.c for this computer; out-of-bounds access and undefined behaviour end it."""
    if shutil.which("gcc") is None:
        pytest.skip("the firmware's reader cannot be built here, for want of gcc")
    out = tmp_path_factory.mktemp("ear") / "listen"
    run("gcc", "-O1", "-g", "-Wall", "-Wextra", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o",
        str(out), str(HERE / "listen.c"), str(FIRMWARE / "protocol.c"), "-I", str(FIRMWARE))  # fmt: skip
    return out


def mutated(rng: random.Random) -> bytes:
    """Whole, damaged and random lines in a stream."""
    data = bytearray()
    for _ in range(LINES):
        chance = rng.random()
        if chance < 0.15:
            data += rng.randbytes(rng.randrange(120))
            continue
        line = bytearray(rng.choice(COMMANDS))
        if chance < 0.7:
            at = rng.randrange(len(line))
            line[at : at + rng.randrange(2)] = rng.randbytes(rng.randrange(3))
        data += line
    return bytes(data)


def test_both_ends_understand_the_same_lines_of_a_damaged_stream(ear: Path) -> None:
    data = mutated(random.Random(8))
    heard = subprocess.run([ear], input=data, capture_output=True, check=False, timeout=120)
    assert heard.returncode == 0, heard.stderr.decode()
    ours = [item for item in Splitter().feed(data) if not isinstance(item, Damaged)]
    theirs = heard.stdout.decode().splitlines()[:-1]
    assert len(ours) > LINES / 4
    assert theirs == [" ".join([kind, *(f"{int(field, 16):X}" for field in fields)]) for kind, fields in ours]


def test_the_boards_end_takes_no_command_with_a_changed_byte(ear: Path) -> None:
    """Every byte of each command, and every other value that it could have."""
    data = bytearray()
    for line in COMMANDS:
        for at in range(len(line) - 1):
            for change in range(1, 256):
                data += bytes((*line[:at], line[at] ^ change, *line[at + 1 :]))
    heard = subprocess.run([ear], input=bytes(data), capture_output=True, check=False, timeout=120)
    assert heard.returncode == 0, heard.stderr.decode()
    assert len(heard.stdout.decode().splitlines()) == 1, "nothing but the count of damaged lines"
