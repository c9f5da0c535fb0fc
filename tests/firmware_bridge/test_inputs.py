"""What is wired, by the names that people give it."""

from __future__ import annotations

import pytest

from firmware_bridge.inputs import ALL_INPUTS, GATE, INPUTS, KNOCK, OUTER, WIRED, beam, fitted_of, label

DOORS = ("north", "south", "east", "west")


@pytest.mark.parametrize(("text", "bits"), [
    ("all", ALL_INPUTS),
    ("none", 0),
    ("north", 0b11),
    ("doors, gate", 0xFF | 1 << GATE),
    ("south outer beam,gate", 1 << beam(1, OUTER) | 1 << GATE),
    (" west , knock, turn button ", 0b11 << 6 | 1 << KNOCK | 1 << 10),
])  # fmt: skip
def test_sensors_are_named_with_commas_between(text: str, bits: int) -> None:
    assert fitted_of(text, DOORS) == bits


def test_every_label_names_its_own_input() -> None:
    for doors in (DOORS, DOORS[:2], ()):
        assert [fitted_of(label(w.number, doors), doors) for w in WIRED] == [1 << n for n in range(INPUTS)]


@pytest.mark.parametrize("text", ["bell", "", "north,,gate"])
def test_what_is_no_sensor_is_told_with_what_may_be_named(text: str) -> None:
    with pytest.raises(ValueError, match="is no sensor; give some of these, with commas between: north outer beam"):
        fitted_of(text, DOORS)
