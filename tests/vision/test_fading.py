"""Light that goes on or off, told from light that flickers."""

from __future__ import annotations

import itertools
import math

import pytest

from vision.fading import FRAMES, STEP, Fading


@pytest.mark.parametrize("way", [1, -1], ids=["on", "off"])
def test_light_that_goes_in_some_frames_is_seen_while_it_goes(way: int) -> None:
    fading = Fading()
    assert [fading.look(math.exp(way * 1.2 * STEP)) for _ in range(FRAMES + 2)] == [False] * (FRAMES - 1) + [True] * 3
    assert not fading.look(1.0)


def test_lamps_that_flicker_and_light_that_jumps_once_do_not_go() -> None:
    for share, hertz in ((0.12, 11.3), (0.2, 8.0), (0.12, 2.0), (0.3, 15.0)):
        fading, light = Fading(), [1 + share * math.sin(2 * math.pi * hertz * k / 30) for k in range(90)]
        assert not any(fading.look(b / a) for a, b in itertools.pairwise(light)), (share, hertz)
    fading = Fading()
    assert not any(fading.look(gain) for gain in (1.0, 1.0, 0.4, 1.0, 1.0, 2.5, 1.0))
