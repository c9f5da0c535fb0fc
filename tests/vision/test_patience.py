"""When the board is looked at, and how often a verdict waits."""

from __future__ import annotations

import pytest

from vision.contacts import ContactGraph
from vision.patience import LAID_S, LOST_S, PUT_OFF_MOST, QUIET_S, STUCK_S, UNSEEN_MOST, Patience, calm
from vision.shots import Episode, Shot

FRAME_S = 1 / 30
SHOT = Shot("p1", 0.9, 1.1, ContactGraph("p1", (), ()), (), (), (), (), False, ())


def quiet_for(seconds: float) -> Patience:
    patience = Patience()
    patience.saw(moving=False, dt=seconds)
    return patience


def test_the_board_rests_once_nothing_has_stirred_for_as_long_as_it_takes_to_half_a_frame() -> None:
    patience = Patience()
    seen = []
    for _ in range(4):
        patience.saw(moving=False, dt=FRAME_S)
        seen.append(patience.rests(FRAME_S))
    assert seen == [False, False, True, True]
    patience.saw(moving=True, dt=FRAME_S)
    assert not patience.rests(FRAME_S)


def test_where_it_shows_late_that_nothing_has_stirred_for_long_the_board_rests_at_once() -> None:
    patience = Patience()
    patience.saw(moving=True, dt=FRAME_S)
    patience.saw(moving=False, dt=FRAME_S, still_s=STUCK_S)
    assert patience.rests(FRAME_S)
    assert patience.due(hand=True, doubted=False)


def test_without_a_hand_it_is_looked_at_at_once_and_with_one_after_a_while() -> None:
    assert quiet_for(QUIET_S).due(hand=False, doubted=False)
    assert not quiet_for(STUCK_S - 0.01).due(hand=True, doubted=False)
    assert quiet_for(STUCK_S).due(hand=True, doubted=False)


def test_a_hand_that_was_looked_past_in_vain_is_only_looked_past_again_once_it_is_none() -> None:
    patience = quiet_for(STUCK_S)
    patience.looked()
    patience.saw(moving=False, dt=1.0)
    assert not patience.due(hand=True, doubted=False)
    patience.saw(moving=False, dt=LAID_S)
    assert patience.due(hand=True, doubted=False)
    assert patience.laid


def test_the_pauses_between_looks_double_while_a_hand_may_have_been_there_at_first() -> None:
    patience = quiet_for(0.4)
    patience.looked()
    patience.saw(moving=False, dt=0.39)
    assert not patience.due(hand=True, doubted=True)
    patience.saw(moving=False, dt=0.02)
    assert patience.due(hand=True, doubted=True)


@pytest.mark.parametrize(("running", "most"), [(True, PUT_OFF_MOST), (False, UNSEEN_MOST)])
def test_a_verdict_waits_for_a_puck_that_runs_on_or_is_not_seen_to_lie_but_not_for_ever(
    running: bool, most: int
) -> None:
    patience = quiet_for(1.0)
    episode = Episode(shot=SHOT, running=running, rests=False)
    waited = 0
    while patience.goes_on(episode, 5.0, beside_hand=False, looked_long=False):
        waited += 1
        assert patience.quiet_s == 0.0, "it is looked at again once nothing has stirred anew"
        assert waited < 100
    assert waited == most
    patience.new_shot()
    assert patience.goes_on(episode, 5.0, beside_hand=False, looked_long=False)


def test_a_verdict_after_many_frames_does_not_wait_for_a_puck_that_is_not_seen_to_lie() -> None:
    episode = Episode(shot=SHOT, rests=False)
    assert not quiet_for(1.0).goes_on(episode, 5.0, beside_hand=False, looked_long=True)
    assert not quiet_for(1.0).goes_on(Episode(shot=SHOT, rests=True), 5.0, beside_hand=False, looked_long=False)


def test_beside_a_hand_waiting_is_not_counted() -> None:
    episode = Episode(shot=SHOT, running=True)
    patience = quiet_for(1.0)
    waits = [patience.goes_on(episode, 5.0, beside_hand=True, looked_long=False) for _ in range(2 * PUT_OFF_MOST)]
    assert all(waits)
    assert patience.quiet_s == 1.0


def test_a_puck_out_of_sight_is_waited_for_as_long_as_one_can_run() -> None:
    patience = quiet_for(0.2)
    patience.looked()
    episode = Episode(lost_s=4.0)
    assert patience.goes_on(episode, 4.0 + LOST_S - 0.1, beside_hand=False, looked_long=False)
    assert not patience.due(hand=False, doubted=False)
    patience.saw(moving=False, dt=0.11)
    assert patience.due(hand=False, doubted=False), "just when it cannot run any more"
    assert not patience.goes_on(episode, 4.0 + LOST_S, beside_hand=False, looked_long=False)


@pytest.mark.parametrize(("fps", "frames"), [(15, 2), (30, 2), (60, 4)])
def test_two_frames_at_the_least_are_calm_before_a_look_beside_a_hand(fps: int, frames: int) -> None:
    calm_after = next(n for n in range(1, 20) if calm(n / fps, 1 / fps))
    assert calm_after == frames


def test_what_may_be_a_puck_at_the_border_is_looked_at_ever_more_rarely_also_while_another_is_waited_for() -> None:
    patience, looks = Patience(), list[float]()
    for k in range(1, 31):
        patience.saw(moving=False, dt=1 / 30)
        if patience.rests(1 / 30) and patience.due_at_edge:
            looks.append(k / 30)
            patience.looked()
            patience.goes_on(Episode(lost_s=0.0), k / 30, beside_hand=False, looked_long=False)
    assert 2 <= len(looks) <= 6


def test_a_look_in_vain_at_the_border_does_not_put_off_the_one_past_a_hand() -> None:
    patience = Patience()
    patience.saw(moving=False, dt=0.2)
    patience.looked(at_edge=True)
    patience.saw(moving=False, dt=0.1)
    assert not patience.due_at_edge
    patience.saw(moving=False, dt=0.3)
    assert patience.due_at_edge
    assert patience.due(hand=True, doubted=False)
