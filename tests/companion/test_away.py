"""A camera that comes back: what lies elsewhere is asked about at once, not taken in silently nor told as a shot."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app import Companion
from companion.away import AWAY, ELSEWHERE_MM, MOST_TOLD, STILL_S, changes, reasons
from companion.games.paleo_state import PaleoState
from tests.companion.fed_companion import TableInView, companion_for, first_round
from vision.events import PuckMoved, PuckSeen, SourceBack, SourceLost
from vision.pipeline import LiveView
from vision.worker_messages import EventMessage, LiveMessage, StatusMessage

A, B = PuckSeen("a", "red", 8, 100.0, 100.0), PuckSeen("b", "red", None, 200.0, 100.0)


@pytest.fixture
def view() -> TableInView:
    return TableInView()


def playing(tmp_path: Path, view: TableInView) -> Companion:
    companion = first_round(tmp_path, view)
    companion.take(view.live())
    return companion


def moved(view: TableInView, key: str, x_mm: float, y_mm: float) -> None:
    view.pucks = [p._replace(x_mm=x_mm, y_mm=y_mm) if p.puck == view.ids[key] else p for p in view.pucks]


def place_of(view: TableInView, key: str) -> tuple[float, float]:
    return next((p.x_mm, p.y_mm) for p in view.pucks if p.puck == view.ids[key])


def lost(companion: Companion, view: TableInView) -> None:
    companion.take(EventMessage(SourceLost(view.time_s, "the camera gave no picture for 10 s")))
    companion.take(StatusMessage("lost"))


def back(companion: Companion, view: TableInView, *, number: bool = True) -> None:
    """Vision begins anew, gives ids that it never gave, and has a look."""
    companion.take(EventMessage(SourceBack(view.time_s, "pictures again")))
    names = {p.puck: f"p{100 - n}" for n, p in enumerate(view.pucks)}
    view.pucks = [p._replace(puck=names[p.puck], number=p.number if number else None) for p in view.pucks]
    view.ids = {key: names[puck] for key, puck in view.ids.items() if puck in names}
    for _ in range(round(STILL_S / 0.25) + 2):
        view.time_s += 0.25
        companion.take(view.live())


def state_of(companion: Companion) -> PaleoState:
    state = companion._keeper.score.state
    assert isinstance(state, PaleoState)
    return state


@pytest.mark.parametrize("number", [True, False], ids=["numbers read", "not yet"])
def test_a_puck_that_lies_elsewhere_when_the_camera_is_back_is_asked_about_at_once(
    tmp_path: Path, view: TableInView, number: bool
) -> None:
    companion = playing(tmp_path, view)
    x, y = place_of(view, "red-8")
    lost(companion, view)
    moved(view, "red-8", x + 90.0, y)
    back(companion, view, number=number)
    question = companion.scoreboard()["question"]
    assert question["kind"] == "review"
    assert question["text"]["en"].startswith("Please look: pawns lie elsewhere than before the camera was away.")
    assert question["text"]["fr"].startswith("Regardez bien : des pions ne sont plus où ils étaient")
    assert question["why"][1]["en"] == "Red Mercenary 8 lies 90 mm to the east of where it lay."
    assert question["why"][1]["fr"] == "Le Mercenaire rouge 8 se trouve à 90 mm de sa place d’avant, direction est."
    assert {c["value"] for c in question["choices"]} == {"replay", "ignore"}
    assert companion.scoreboard()["turn"] == "red", "nothing is told as a shot"
    companion.command("answer", {"question": question["id"], "choice": "ignore"})
    state = state_of(companion)
    assert state.turn == "red"
    assert state.places["red-8"] == (x + 90.0, y)
    assert state.seen_as[view.ids["red-8"]] == "red-8"
    assert companion.scoreboard()["question"] is None
    view.time_s += 5.0
    companion.take(view.live())
    assert companion.scoreboard()["question"] is None, "it is asked once"


def test_players_can_tell_the_shot_that_nobody_saw(tmp_path: Path, view: TableInView) -> None:
    companion = playing(tmp_path, view)
    lost(companion, view)
    moved(view, "red-8", *(v + 60.0 for v in place_of(view, "red-8")))
    back(companion, view)
    question = companion.scoreboard()["question"]
    companion.command("answer", {"question": question["id"], "choice": {"flicked": "red-8", "touched": []}})
    assert companion.scoreboard()["turn"] == "green"


def test_a_board_that_lies_as_it_lay_is_not_asked_about(tmp_path: Path, view: TableInView) -> None:
    companion = playing(tmp_path, view)
    lost(companion, view)
    for key in view.ids:
        x, y = place_of(view, key)
        moved(view, key, x + 0.6 * ELSEWHERE_MM, y)
    back(companion, view)
    assert companion.scoreboard()["question"] is None


def test_a_puck_that_is_gone_is_asked_about_and_lifted_where_it_was_no_shot(tmp_path: Path, view: TableInView) -> None:
    companion = playing(tmp_path, view)
    lost(companion, view)
    view.pucks = [p for p in view.pucks if p.puck != view.ids["green-3"]]
    back(companion, view)
    question = companion.scoreboard()["question"]
    assert [w["en"] for w in question["why"]][1:] == ["Green Explorer 3 does not lie on the board any more."]
    companion.command("answer", {"question": question["id"], "choice": "ignore"})
    assert "green-3" not in state_of(companion).places
    assert "green-3" in state_of(companion).lifted


def test_hands_that_did_what_they_were_to_do_meanwhile_are_not_asked_about(tmp_path: Path, view: TableInView) -> None:
    companion = playing(tmp_path, view)
    for message in view.shot("red-8", touched=["green-4"]):
        companion.take(message)
    companion.take(view.live())
    assert [job["do"] for job in companion.scoreboard()["todo"]] == ["remove"]
    lost(companion, view)
    view.pucks = [p for p in view.pucks if p.puck != view.ids["green-4"]]
    back(companion, view)
    assert companion.scoreboard()["question"] is None
    assert companion.scoreboard()["todo"] == []
    assert "green-4" not in state_of(companion).places


def test_a_shot_right_after_the_camera_is_back_comes_after_the_question(tmp_path: Path, view: TableInView) -> None:
    companion = playing(tmp_path, view)
    lost(companion, view)
    moved(view, "green-3", *(v + 60.0 for v in place_of(view, "green-3")))
    companion.take(EventMessage(SourceBack(view.time_s, "pictures again")))
    companion.take(view.live())
    for message in view.shot("red-8"):
        companion.take(message)
    kinds = [e.data["reasons"] for e in companion.entries_after(0) if e.type == "shot"]
    assert [AWAY in told for told in kinds] == [True, False]
    question = companion.scoreboard()["question"]
    companion.command("answer", {"question": question["id"], "choice": "ignore"})
    assert companion.scoreboard()["turn"] == "green"


def test_what_a_hand_does_right_after_the_camera_is_back_is_told_of_a_board_that_was_compared(
    tmp_path: Path, view: TableInView
) -> None:
    companion = playing(tmp_path, view)
    lost(companion, view)
    companion.take(EventMessage(SourceBack(view.time_s, "pictures again")))
    companion.take(view.live())
    puck = view.ids["red-8"]
    x, y = place_of(view, "red-8")
    companion.take(EventMessage(PuckMoved(view.time_s, puck, x + 90.0, y, "red", 8)))
    moved(view, "red-8", x + 90.0, y)
    back(companion, view)
    assert companion.scoreboard()["question"] is None


def test_a_shot_that_the_camera_lost_is_asked_about_once(tmp_path: Path, view: TableInView) -> None:
    companion = playing(tmp_path, view)
    companion.take(view.live("shot"))
    lost(companion, view)
    moved(view, "red-8", *(v + 60.0 for v in place_of(view, "red-8")))
    back(companion, view)
    assert sum(e.type == "shot" for e in companion.entries_after(0)) == 1


def test_a_camera_that_is_lost_twice_before_it_sees_the_board_is_compared_with_the_first_time(
    tmp_path: Path, view: TableInView
) -> None:
    companion = playing(tmp_path, view)
    lost(companion, view)
    companion.take(LiveMessage(LiveView(view.time_s, "searching", False, ())))
    lost(companion, view)
    moved(view, "red-8", *(v + 60.0 for v in place_of(view, "red-8")))
    back(companion, view)
    assert companion.scoreboard()["question"] is not None


def test_before_a_match_nothing_is_asked(tmp_path: Path, view: TableInView) -> None:
    companion, _ = companion_for(tmp_path)
    companion.take(view.live())
    lost(companion, view)
    moved(view, "red-8", 50.0, 50.0)
    back(companion, view)
    assert not [e for e in companion.entries_after(0) if e.type == "shot"]


def test_pucks_are_paired_by_number_then_by_place_and_never_across_sides() -> None:
    now = [PuckSeen("n1", "red", None, 100.5, 100.0), PuckSeen("n2", "red", 8, 300.0, 300.0)]
    assert changes([A, B], now, ELSEWHERE_MM) == [(A, now[1]), (B, now[0])], "the unread one lies where the 8 lay"
    unread = [p._replace(number=None) for p in now]
    assert changes([A, B], unread, ELSEWHERE_MM) == [(B, unread[1])]
    green = A._replace(team="green", number=None)
    assert changes([A], [green], ELSEWHERE_MM) == [(A, None), (None, green)]


def test_a_board_that_was_cleared_is_told_briefly() -> None:
    lay = [puck_of(n) for n in range(12)]
    told = reasons(changes(lay, [], ELSEWHERE_MM))
    assert len(told) == MOST_TOLD + 2
    assert told[-1] == "pucks that lie elsewhere beside these: 7"


def puck_of(n: int) -> PuckSeen:
    return PuckSeen(f"p{n}", "red", n, 40.0 * n, 100.0)
