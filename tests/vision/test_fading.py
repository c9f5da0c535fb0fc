"""Light that goes on or off, told from light that flickers."""

from __future__ import annotations

import itertools
import math

import pytest

from vision.fading import FOLLOWED_S, FRAMES, STEP, Fading

DT = 1 / 30


@pytest.mark.parametrize("way", [1, -1], ids=["on", "off"])
def test_light_that_goes_in_some_frames_is_seen_while_it_goes(way: int) -> None:
    fading = Fading()
    goes = [fading.look(math.exp(way * 1.2 * STEP), DT) for _ in range(FRAMES + 2)]
    assert goes == [False] * (FRAMES - 1) + [True] * 3
    assert not fading.look(1.0, DT)


def test_lamps_that_flicker_and_light_that_jumps_once_do_not_go() -> None:
    for share, hertz in ((0.12, 11.3), (0.2, 8.0), (0.12, 2.0), (0.3, 15.0)):
        fading, light = Fading(), [1 + share * math.sin(2 * math.pi * hertz * k / 30) for k in range(90)]
        assert not any(fading.look(b / a, DT) for a, b in itertools.pairwise(light)), (share, hertz)
    fading = Fading()
    assert not any(fading.look(gain, DT) for gain in (1.0, 1.0, 0.4, 1.0, 1.0, 2.5, 1.0))


def test_an_exposure_that_follows_the_light_is_waited_for_but_not_a_television() -> None:
    fading, gains = Fading(), [math.exp(-0.6 * math.exp(-k / 15) / 15) for k in range(60)]  # over half a second
    follows = [not fading.look(gain, DT) and fading.follows for gain in gains]
    assert all(follows[3:15])
    assert not any(follows[45:])


@pytest.mark.parametrize("swing", [0.03, 0.05, 0.06, 0.12])
def test_the_light_of_a_television_is_not_waited_for_for_ever(swing: float) -> None:
    fading, follows = Fading(), list[bool]()
    for k in range(300):
        fading.look((1 + swing) ** (1 if k % 20 < 10 else -1), DT)
        follows.append(fading.follows)
    assert any(follows[: round(FOLLOWED_S / DT)])
    assert not any(follows[round(2.5 * FOLLOWED_S / DT):])
