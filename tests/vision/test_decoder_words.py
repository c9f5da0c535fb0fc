"""Which lines of FFmpeg's log tell of damage."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from vision import decoder_words
from vision.decoder_words import CONTAINER, DECODER, ERROR, INFO, WARNING, DecoderWords, tells_damage


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


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_while_the_decoder_speaks_is_not_lost_and_leaves_no_traceback(
    kind: type[BaseException], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Python raises it as soon as FFmpeg calls: there nobody can catch it."""
    said: list[Any] = []
    library = SimpleNamespace(
        av_log_set_callback=said.append, av_log_set_level=said.append, av_log_default_callback=None
    )
    monkeypatch.setattr(decoder_words, "_library", lambda: library)
    monkeypatch.setattr(decoder_words.atexit, "register", lambda _: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    words = DecoderWords()

    def breaks_in(*_: object) -> bytes:
        raise kind

    monkeypatch.setattr(decoder_words, "_name", breaks_in)
    words.listen()
    said[0](None, ERROR, b"concealing", None)  # as FFmpeg calls it
    assert capfd.readouterr().err == ""
    with pytest.raises(kind):
        words.left_out()
    assert words.complaints() == 0  # it is raised once


def test_any_other_error_while_the_decoder_speaks_is_told_as_ever(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    said: list[Any] = []
    monkeypatch.setattr(decoder_words, "_library", lambda: SimpleNamespace(
        av_log_set_callback=said.append, av_log_set_level=said.append, av_log_default_callback=None))  # fmt: skip
    monkeypatch.setattr(decoder_words.atexit, "register", lambda _: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    words = DecoderWords()

    def fails(*_: object) -> bytes:
        raise ValueError("who says so?")

    monkeypatch.setattr(decoder_words, "_name", fails)
    words.listen()
    said[0](None, ERROR, b"concealing", None)
    assert "who says so?" in capfd.readouterr().err
    assert words.complaints() == 0


@pytest.mark.parametrize("another", [False, True])
def test_when_python_ends_errors_go_where_they_went_before(monkeypatch: pytest.MonkeyPatch, another: bool) -> None:
    at_the_end: list[Any] = []
    monkeypatch.setattr(decoder_words, "_library", lambda: SimpleNamespace(
        av_log_set_callback=lambda _: None, av_log_set_level=lambda _: None, av_log_default_callback=None))  # fmt: skip
    monkeypatch.setattr(decoder_words.atexit, "register", at_the_end.append)
    before = [].append
    monkeypatch.setattr(sys, "unraisablehook", before)
    DecoderWords().listen()
    assert sys.unraisablehook is not before
    if another:
        sys.unraisablehook = [].append
    now = sys.unraisablehook
    at_the_end[0]()
    assert sys.unraisablehook is (now if another else before)
