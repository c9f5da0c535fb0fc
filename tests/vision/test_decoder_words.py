"""Which lines of FFmpeg's log tell of damage."""

from __future__ import annotations

import pytest

from vision.decoder_words import CONTAINER, DECODER, ERROR, INFO, WARNING, tells_damage


@pytest.mark.parametrize(
    ("speaker", "level", "words"),
    [
        (DECODER, ERROR, b"error while decoding MB %d %d, bytestream %td\n"),
        (DECODER, INFO, b"concealing %d DC, %d AC, %d MV errors in %c frame\n"),
        (CONTAINER, WARNING, b"Packet corrupt (stream = %d, dts = %s)%s.\n"),
    ],
)
def test_pictures_made_up_and_packets_lost_are_damage(speaker: bytes, level: int, words: bytes) -> None:
    assert tells_damage(speaker, level, words)


@pytest.mark.parametrize(
    ("speaker", "level", "words"),
    [
        (DECODER, ERROR, b"co located POCs unavailable\n"),
        (DECODER, ERROR, b"mmco: unref short failure\n"),
        (DECODER, WARNING, b"Increasing reorder buffer to %d\n"),
        (CONTAINER, ERROR, b"Could not find codec parameters\n"),
        (b"SWScaler", WARNING, b"deprecated pixel format used\n"),
        (b"", ERROR, b"who says so?\n"),
    ],
)
def test_what_is_said_of_whole_films_too_is_none(speaker: bytes, level: int, words: bytes) -> None:
    assert not tells_damage(speaker, level, words)
