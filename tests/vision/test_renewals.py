"""A coder's renewals are told from what stirs by how long they go on and how little they change."""

from __future__ import annotations

import pytest

from vision.renewals import BOLD, BOLD_MOST, FAINT_S, LASTS_S, LEAST_MOST, Renewals, bold

FRAME_S = 1 / 30
FRAMES = round(FAINT_S / FRAME_S) + 1  # of faint stirs, after which they are the coder's
LEVEL = 60.0


def looked(*stretches: tuple[str, int]) -> Renewals:
    """After frames of which so many were faint, bold or calm."""
    renewals = Renewals()
    for kind, frames in stretches:
        for _ in range(frames):
            renewals.look(stirs=kind != "calm", boldly=kind == "bold", dt=FRAME_S)
    return renewals


def test_what_stirs_faintly_for_long_is_the_coder() -> None:
    seen = looked(("bold", 20), ("faint", FRAMES))
    assert seen.only
    assert seen.seen
    assert seen.still_s == pytest.approx(FRAMES * FRAME_S)


def test_what_stirs_faintly_for_less_or_boldly_now_and_then_is_none() -> None:
    assert not looked(("bold", 20), ("faint", FRAMES - 3)).only
    often = looked(*[("faint", FRAMES - 3), ("bold", 1)] * 9)
    assert not often.only
    assert not often.seen
    assert often.still_s == 0.0


def test_a_shadow_that_goes_before_a_hand_is_none_however_long_nothing_stirred_before_it() -> None:
    seen = looked(("bold", 5), ("calm", 300), ("faint", 3))
    assert not seen.only
    assert not seen.seen


def test_faint_stirs_far_apart_are_none() -> None:
    assert not looked(*[("faint", 2), ("calm", 3)] * 60).seen


def test_a_coder_that_pauses_now_and_then_is_found_out_as_well() -> None:
    assert looked(*[("faint", 4), ("calm", 1)] * 6).seen


def test_in_such_a_stream_less_is_no_change_until_it_has_not_renewed_for_long() -> None:
    none, seen = looked(("bold", 9)), looked(("faint", FRAMES), ("bold", 3))
    assert none.least(LEVEL) == 0.0
    assert 0.0 < seen.least(LEVEL / 2) < seen.least(LEVEL) <= seen.least(1e3) == LEAST_MOST
    long = round(LASTS_S / FRAME_S)
    assert looked(("faint", FRAMES), ("bold", long - 9)).seen
    assert not looked(("faint", FRAMES), ("bold", long + 9)).seen


def test_bold_is_more_where_there_is_more_light_and_never_less_than_noise() -> None:
    assert bold(LEVEL, 9.0) == pytest.approx(BOLD * LEVEL)
    assert bold(1e3, 9.0) == BOLD_MOST
    assert bold(LEVEL / 4, 12.0) == 12.0
