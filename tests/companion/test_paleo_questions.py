"""Questions: reviews, shots that wait behind them, shots entered by hand, and answers that are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.fusion import UNKNOWN
from companion.games import GAMES, paleo
from companion.games.base import Action, IllegalMove, MalformedAction
from tests.companion.paleo_table import CENTRE, SHEET, PaleoTable

OPEN = (325.0, 480.0)
NORTH = "green-north-east"


def under_review(**what: Any) -> PaleoTable:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", needs_review=True, reasons=("a hand hid the touch",), **what)
    return table


def test_a_shot_that_the_camera_is_not_certain_of_is_asked_about_with_its_reasons() -> None:
    table = under_review(touched=["green-4"])
    assert table.asked == "review"
    shown = paleo.GAME.view(table.state)["question"]
    assert shown["reasons"] == ["a hand hid the touch"]
    assert shown["seen"] == {"flicked": "red-8", "touched": ["green-4"], "doors": [], "exits": [], "on_gate": []}
    assert {c["value"] for c in shown["choices"]} == {"as_seen", "replay", "ignore"}
    assert table.captured() == set()


def test_a_review_says_what_the_camera_saw() -> None:
    table = under_review(touched=["green-4", "red-3"], doors=[("red-8", NORTH)], exits=["green-4"], on_gate=["red-3"])
    assert paleo.GAME.view(table.state)["question"]["account"] == {
        "en": "The camera saw: red Mercenary 8 was flicked; it touched green Explorer 4, then red Explorer 3; red "
        "Mercenary 8 entered the green north-east Sanctuary; green Explorer 4 left the board; red Explorer 3 lies on "
        "the gate.",
        "fr": "La caméra a vu : le Mercenaire rouge 8 a été joué ; il a touché l’Explorateur vert 4, puis "
        "l’Explorateur rouge 3 ; le Mercenaire rouge 8 est entré dans le Sanctuaire vert nord-est ; l’Explorateur "
        "vert 4 a quitté le plateau ; l’Explorateur rouge 3 est sur la porte de la cité.",
    }


def test_a_review_names_a_puck_whose_number_is_unread_by_no_number() -> None:
    table = PaleoTable()
    table.unread |= {k for k in table.places if k.startswith("red-")}
    table.start()
    table.shot("red-8", needs_review=True, pushed=True, passed=["red-8"])
    assert paleo.GAME.view(table.state)["question"]["account"]["en"] == (
        "The camera saw: red pawn ? was pushed; it touched nobody; red pawn ? slid over the gate."
    )


def test_a_review_of_a_shot_of_which_nothing_was_seen_says_nothing_of_it() -> None:
    table = PaleoTable().start()
    table.apply("shot", **{**table.account("red-8", needs_review=True).to_json(), "flicked": UNKNOWN})
    shown = paleo.GAME.view(table.state)["question"]
    assert (shown["kind"], shown["account"]) == ("review", None)


def test_as_seen_lets_the_cameras_account_stand() -> None:
    table = under_review(touched=["green-4"])
    table.answer("as_seen")
    assert table.captured() == {"green-4"}
    assert table.state.turn == "green"


def test_players_say_what_happened_instead() -> None:
    table = under_review()
    table.answer({"flicked": "red-8", "touched": ["green-4", "green-5"], "doors": [["red-8", NORTH]],
                  "exits": [], "on_gate": []})  # fmt: skip
    assert table.captured() == {"green-4", "green-5"}
    assert table.state.to_place == ("red-8",)


def test_players_word_may_name_another_flicked_pawn() -> None:
    table = under_review()
    table.answer({"flicked": "red-3", "doors": [{"puck": "red-3", "door": NORTH}]})
    assert table.state.keys_of("red") == (NORTH,)


def test_a_told_order_of_touches_decides_who_was_first_in_the_camp() -> None:
    table = under_review()
    table.answer({"flicked": "red-8", "touched": ["green-2", "green-1"]})
    assert table.captured() == {"green-2"}


def test_players_may_say_that_an_explorer_rests_on_the_door() -> None:
    table = PaleoTable()
    table.apply("as_it_lies", turn="red", keys={"red": [NORTH, "green-south-east"]}, pucks=table.pucks())
    table.shot("red-4", after={"red-4": CENTRE}, needs_review=True)
    table.answer({"flicked": "red-4", "on_gate": ["red-4"]})
    assert table.state.points["red"] == 2


@pytest.mark.parametrize(
    "choice",
    [
        "perhaps",
        None,
        7,
        {},
        {"flicked": "red-9"},
        {"flicked": "red-8", "touched": "green-4"},
        {"flicked": "red-8", "touched": ["red-8"]},
        {"flicked": "red-8", "doors": [["red-8", "nowhere"]]},
        {"flicked": "red-8", "doors": ["red-8"]},
        {"flicked": "red-8", "wish": True},
    ],
)
def test_an_answer_that_is_none_is_refused_and_changes_nothing(choice: object) -> None:
    table = under_review(touched=["green-4"])
    before = table.state
    with pytest.raises(MalformedAction):
        table.answer(choice)
    assert table.state is before


def test_an_answer_to_another_question_is_refused() -> None:
    table = under_review()
    with pytest.raises(IllegalMove, match="not open"):
        table.apply("answer", question="1:review:shot", choice="as_seen")


def test_an_answer_without_a_question_is_refused() -> None:
    with pytest.raises(IllegalMove, match="no question"):
        PaleoTable().start().apply("answer", question="1", choice="none")


def test_shots_played_while_a_question_is_open_wait_and_are_ruled_after_it() -> None:
    table = under_review(touched=["green-4"])
    table.shot("green-3", doors=[("green-3", "red-north-west")])
    assert table.state.keys == {}
    table.answer("as_seen")
    assert table.captured() == {"green-4"}
    assert table.asked == "exchange", "green lost a pawn in the first shot, so it may exchange in the second"
    table.answer("none")
    assert table.state.keys == {"red-north-west": "green"}
    assert table.state.turn == "red"


def test_shots_that_wait_when_the_round_ends_are_dropped() -> None:
    table = PaleoTable()
    table.apply("as_it_lies", turn="red", keys={"red": [NORTH, "green-south-east"]}, pucks=table.pucks())
    table.shot("red-4", after={"red-4": CENTRE}, on_gate=["red-4"], needs_review=True)
    table.shot("green-3")
    table.answer("as_seen")
    assert table.state.phase == "round_over"
    assert table.state.waiting == ()


def test_a_shot_can_be_entered_in_words() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.apply("shot_by_hand", flicked="red-8", touched=["green-4"], by="table")
    assert table.captured() == {"green-4"}
    assert table.state.turn == "green"
    table.lift("green-4")
    table.shot("green-3")
    assert table.asked is None


def test_a_shot_in_words_by_the_wrong_side_is_asked_about() -> None:
    table = PaleoTable().start()
    table.apply("shot_by_hand", flicked="green-8", touched=[])
    assert table.asked == "wrong_side"


def test_a_shot_in_words_needs_a_round() -> None:
    with pytest.raises(IllegalMove, match="P7"):
        PaleoTable().apply("shot_by_hand", flicked="red-8")


def test_while_paused_shots_do_not_count() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.apply("pause")
    table.shot("red-8", touched=["green-4"])
    assert table.captured() == set()
    table.apply("resume")
    table.shot("red-8", touched=["green-4"])
    assert table.captured() == {"green-4"}
    with pytest.raises(IllegalMove, match="not paused"):
        table.apply("resume")


def test_a_shot_lost_with_the_camera_is_told() -> None:
    table = PaleoTable().start()
    table.apply("camera", what="shot_lost", reason="unplugged")
    assert table.said("camera was lost during a shot")


@pytest.mark.parametrize(
    "setup",
    [
        {"players": {"blue": "Ann"}},
        {"players": {"red": " "}},
        {"options": {"speed": "fast"}},
        {"options": {"immunity": "for_ever"}},
        {"options": {"points_to_win": -1}},
        {"options": {"touch_tie_ms": "five"}},
    ],
)
def test_a_match_is_not_begun_with_what_is_unknown(setup: dict[str, Any]) -> None:
    with pytest.raises(MalformedAction):
        paleo.start({"sheet": SHEET, **setup})


def test_legal_says_what_apply_would_raise() -> None:
    state = PaleoTable().state
    for action in (Action("start_round", {"begins": "blue"}), Action("dance", {}), Action("answer", {})):
        error = GAMES["paleo"].legal(state, action)
        assert error is not None
        with pytest.raises(type(error), match=str(error)[:20].replace("(", ".")):
            GAMES["paleo"].apply(state, action)
    assert GAMES["paleo"].legal(state, Action("start_round", {"begins": "red"})) is None


def test_every_option_has_a_default_among_its_choices_and_a_reason() -> None:
    from dataclasses import fields

    from companion.games.paleo_options import PaleoOptions, options_from_json

    for option in fields(PaleoOptions):
        assert option.metadata["why"].endswith(".")
        assert option.metadata["rule"].startswith("P")
        if "choices" in option.metadata:
            assert option.default in option.metadata["choices"]
    assert options_from_json(json.loads(json.dumps(PaleoOptions().to_json()))) == PaleoOptions()


def test_what_is_shown_is_json_in_both_languages() -> None:
    table = PaleoTable(green_4=OPEN).start()
    table.shot("red-8", touched=["green-4"])
    view = json.loads(json.dumps(paleo.GAME.view(table.state)))
    assert view["players"][0]["captured"] == [{"puck": "green-4", "team": "green", "number": 4}]
    assert view["log"][-1]["en"].startswith("Green Explorer 4 captured")
    assert view["log"][-1]["fr"].startswith("L’Explorateur vert 4 capturé : touché directement par le Mercenaire")
