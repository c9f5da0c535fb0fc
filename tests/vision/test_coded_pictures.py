"""Bytes that no coded picture holds."""

from __future__ import annotations

import pytest

from vision.coded_pictures import breaks_rules


@pytest.mark.parametrize(
    "coded",
    [
        b"\0\0\0\1\x67abc\0\0\1\x65def",
        b"\0\0\0\1\x65abc\0\0\3\0\0\3\1def",
        b"\0\0\0\1\x65abc\0\0\0\0\0\1\x41def",
        b"\0\0\0\1\x65abc\0\0\0\0\0\0",
        b"",
    ],
    ids=["start codes", "zeros kept apart", "zeros before a start code", "zeros at the end", "nothing"],
)
def test_what_coders_write_is_whole(coded: bytes) -> None:
    assert not breaks_rules(coded)


@pytest.mark.parametrize(
    "coded",
    [b"\0\0\0\1\x65abc\0\0\0def", b"\0\0\0\1\x65abc" + bytes(500) + b"def", b"\0\0\0\1\x65ab\0\0\2c"],
    ids=["three zeros", "a block of zeros", "what is never written"],
)
def test_what_no_coder_writes_is_damage(coded: bytes) -> None:
    assert breaks_rules(coded)
