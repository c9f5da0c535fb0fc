"""Paper Tales from its rule text (T1-T19) and its cards: phases, draft, deployment, war, building, age and the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.base import Action, MalformedAction
from companion.games.paper_tales import GAME, affordable
from companion.games.paper_tales_age import t10_ageing, t10_begin, t11_outcome
from companion.games.paper_tales_build import t9_price
from companion.games.paper_tales_cards import CARDS, TYPE_OF, UNITS
from companion.games.paper_tales_realm import income, resources, strength, t7_force
from companion.games.paper_tales_recruit import t5_direction
from companion.games.paper_tales_state import Kingdom, PaperTalesState, Unit
from companion.games.paper_tales_war import t7_wars, t8_incomes
from tests.companion.table_games import act, play_golden, refused

NAMES = ("ann", "ben", "cid", "dan", "eve")


def table(seats: int = 2, **options: str) -> PaperTalesState:
    return GAME.start({"players": {n: n.title() for n in NAMES[:seats]}, "options": options, "seed": 3})


def paper(seats: int = 2, **options: str) -> PaperTalesState:
    """A match with the table's own cards, in the deployment."""
    state = table(seats, cards="table", **options)
    for n in NAMES[:seats]:
        state = act(GAME, state, n, "ready")
    return state


def kingdom(front: str = "", back: str = "", gold: int = 3, **buildings: int) -> Kingdom:
    """A kingdom of units such as 'knight archer:1', where the number is the age; the first card of each type."""
    count: dict[str, int] = {}
    units = []
    for names, at_front in ((front, True), (back, False)):
        for item in names.split():
            name, _, age = item.partition(":")
            count[name] = count.get(name, 0) + 1
            units.append(Unit(f"{name}-{count[name]}", int(age or 0), at_front))
    return Kingdom(gold=gold, units=tuple(units), buildings=buildings)


def at_war(*kingdoms: Kingdom, **options: str) -> PaperTalesState:
    return t7_wars(replace(table(len(kingdoms), **options), kingdoms=kingdoms))


def revealed(front: list[str], back: list[str] | None = None, before: Kingdom | None = None) -> PaperTalesState:
    """Ann lays these with the table's own cards, Ben lays nothing."""
    state = paper()
    if before is not None:
        state = replace(state, kingdoms=(before, state.kingdoms[1]))
    state = act(GAME, state, "ann", "deploy", front=front, back=back or [], keep=None)
    return act(GAME, state, "ben", "deploy", front=[], back=[], keep=None)


def aged(one: Kingdom, **options: str) -> Kingdom:
    """The kingdom after the sixth phase."""
    return t10_ageing(replace(table(2, **options), kingdoms=(one, Kingdom()), phase="age")).kingdoms[0]


def ages(one: Kingdom) -> dict[str, int]:
    return {u.card: u.age for u in one.units}


# -- set-up and cards (T1-T3, T16, T18) -----------------------------------------------------------------------


def test_the_golden_game_goes_as_worked_out_by_hand() -> None:
    play_golden(GAME, "paper_tales")


def test_t16_42_types_make_81_cards() -> None:
    assert len(UNITS) == 42
    assert len(CARDS) == 81
    assert sorted(u.copies for u in UNITS.values()) == [1] * 16 + [2] * 13 + [3] * 13


def test_t2_everybody_begins_with_three_gold_and_no_points() -> None:
    assert {(k.gold, k.score, len(k.buildings)) for k in table(5).kingdoms} == {(3, 0, 0)}


@pytest.mark.parametrize("count", [1, 6])
def test_t18_two_to_five_players(count: int) -> None:
    with pytest.raises(MalformedAction, match="T18"):
        GAME.start({"players": {f"p{n}": "x" for n in range(count)}})


# -- recruiting (T5) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "cards"), [(2, 9), (3, 5), (5, 5)])
def test_t5_five_cards_each_nine_at_two_players(seats: int, cards: int) -> None:
    assert {len(k.packet) for k in table(seats).kingdoms} == {cards}


def test_t5_at_two_players_one_is_kept_and_one_discarded_until_five_are_held() -> None:
    state = table()
    for left in (9, 7, 5, 3):
        assert [len(k.packet) for k in state.kingdoms] == [left, left]
        for n in ("ann", "ben"):
            packet = state.kingdoms[NAMES.index(n)].packet
            state = act(GAME, state, n, "keep", card=packet[0], discard=packet[1])
    assert state.phase == "deploy"
    assert [len(k.hand) for k in state.kingdoms] == [5, 5]
    assert len(state.discard) == 8


def test_t5_at_three_players_the_rest_goes_to_the_next_seat_in_round_one() -> None:
    state = table(3)
    packets = [k.packet for k in state.kingdoms]
    for n in NAMES[:3]:
        state = act(GAME, state, n, "keep", card=packets[NAMES.index(n)][0])
    assert [k.packet for k in state.kingdoms] == [packets[2][1:], packets[0][1:], packets[1][1:]]
    assert [t5_direction(r) for r in (1, 2, 3, 4)] == [1, -1, 1, -1]


def test_t5_nobodys_card_and_the_same_choice_once() -> None:
    state = table()
    mine, other = state.kingdoms[0].packet, state.kingdoms[1].packet
    assert refused(GAME, state, "ann", "keep", card=other[0], discard=mine[0]).rule == "T5"
    assert refused(GAME, state, "ann", "keep", card=mine[0], discard=mine[0]).rule == "T5"
    state = act(GAME, state, "ann", "keep", card=mine[0], discard=mine[1])
    assert refused(GAME, state, "ann", "keep", card=mine[0], discard=mine[1]).rule == "T5"
    assert refused(GAME, state, "ann", "keep", card=mine[2]).rule is not None


@pytest.mark.parametrize("seats", [2, 3])
def test_t5_until_everybody_has_chosen_a_choice_is_replaced(seats: int) -> None:
    """Nobody else learns what was chosen first or last; what is passed on is what is left by the last word."""
    state = table(seats)
    mine = state.kingdoms[0].packet

    def two(n: int) -> dict[str, str]:
        return {"discard": mine[n]} if seats == 2 else {}

    before = GAME.seen_by(state, "ben")
    state = act(GAME, state, "ann", "keep", card=mine[0], **two(1))
    once = GAME.seen_by(state, "ben")
    assert GAME.seen_by(state, "ann")["players"][0]["own"]["choice"]["card"] == mine[0]
    state = act(GAME, state, "ann", "keep", card=mine[2], **two(0))
    assert GAME.seen_by(state, "ben") == once != before
    assert "ann" not in GAME.waiting(state)
    assert GAME.moves(state, "ann") == []
    for n in NAMES[1:seats]:
        packet = state.kingdoms[NAMES.index(n)].packet
        state = act(GAME, state, n, "keep", card=packet[0], **({"discard": packet[1]} if seats == 2 else {}))
    assert state.kingdoms[0].chosen == (mine[2],)
    assert mine[2] not in state.kingdoms[1].packet
    assert (mine[0] in state.kingdoms[1].packet) == (seats == 3)
    assert state.discard[:1] == ((mine[0],) if seats == 2 else ())
    assert refused(GAME, state, "ann", "keep", card=mine[1], **two(3)).rule == "T5", "it has been passed on"


@pytest.mark.parametrize(("seats", "cards"), [(2, 18), (3, 15), (5, 25)])
def test_t3_a_pile_that_is_told_has_cards_for_everybody(seats: int, cards: int) -> None:
    players = {n: n.title() for n in NAMES[:seats]}
    assert GAME.start({"players": players, "pile": CARDS[:cards]}).pile == ()
    for few in (0, cards - 1):
        with pytest.raises(MalformedAction, match=f"found {few} cards.*at least {cards}.*T3"):
            GAME.start({"players": players, "pile": CARDS[:few]})


def test_t3_the_discarded_cards_make_a_new_pile_when_it_is_used_up() -> None:
    """Five players need 100 cards in four rounds; the pile has 81."""
    from random import Random

    state, rng = table(5), Random(1)
    while (action := GAME.pick(state, rng)) is not None:
        state = GAME.apply(state, action)
    assert state.shuffles >= 1
    held = [c for k in state.kingdoms for c in (*(u.card for u in k.units), *((k.kept,) if k.kept else ()))]
    assert sorted([*held, *state.pile, *state.discard]) == sorted(CARDS)


@pytest.mark.parametrize(("seats", "cards"), [(2, 18), (3, 15), (5, 25)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_t3_a_match_with_a_short_pile_goes_on_to_its_end_with_the_packs_other_cards(
    seats: int, cards: int, seed: int
) -> None:
    """Of a pile for the first round alone too few cards come back: the second dealt nobody any, and the match stuck."""
    from random import Random

    players = {n: n.title() for n in NAMES[:seats]}
    state, rng = GAME.start({"players": players, "pile": CARDS[-cards:]}), Random(seed)
    for _ in range(1000):
        action = GAME.pick(state, rng)
        if action is None:
            break
        before, state = state, GAME.apply(state, action)
        if state.round > before.round:
            assert {len(k.packet) for k in state.kingdoms} == {9 if seats == 2 else 5}
    assert t11_outcome(state) is not None
    held = [c for k in state.kingdoms for c in (*(u.card for u in k.units), *((k.kept,) if k.kept else ()))]
    assert sorted([*held, *state.pile, *state.discard]) == sorted(CARDS), "each card of the pack once"


# -- deployment (T6, T12, T15) --------------------------------------------------------------------------------


def test_t6_a_plan_is_seen_by_nobody_else_until_all_are_laid() -> None:
    state = act(GAME, paper(), "ann", "deploy", front=["knight-1"], back=[], keep="ogre-1")
    text = [str(GAME.seen_by(state, seat)) for seat in ("ben", None)]
    assert all("knight-1" not in t and "ogre-1" not in t for t in text)
    action = Action("deploy", {"seat": "ann", "front": ["knight-1"], "back": [], "keep": "ogre-1"})
    assert GAME.told(action, "ben") == {"seat": "ann"}
    assert GAME.told(action, "ann")["keep"] == "ogre-1"


def test_t6_what_cannot_be_paid_is_discarded() -> None:
    state = revealed(["dragon-1", "knight-1"])
    assert ages(state.kingdoms[0]) == {"dragon-1": 0}
    assert state.kingdoms[0].gold == 0
    assert "knight-1" in state.discard


def test_t6_a_monkeys_gold_pays_for_units_of_the_same_turn() -> None:
    state = revealed(["dragon-1", "knight-1"], ["monkey-1"])
    assert set(ages(state.kingdoms[0])) == {"dragon-1", "knight-1", "monkey-1"}
    assert state.kingdoms[0].gold == 0


def test_t6_two_spots_a_row_and_five_with_a_level_two_building() -> None:
    state = paper()
    assert (
        refused(GAME, state, "ann", "deploy", front=["knight-1", "knight-2", "knight-3"], back=[], keep=None).rule
        == "T12"
    )
    state = replace(state, kingdoms=(kingdom(town=2), state.kingdoms[1]))
    five = {"front": ["knight-1", "veteran-1", "veteran-2"], "back": ["cook-1", "cook-2"]}
    assert act(GAME, state, "ann", "deploy", **five, keep=None).kingdoms[0].done
    back = {"front": ["knight-1", "veteran-1"], "back": ["cook-1", "cook-2", "miner-1"]}
    assert refused(GAME, state, "ann", "deploy", **back, keep=None).rule == "T12"


def test_t15_the_fifth_spot_can_be_agreed_to_be_in_either_row() -> None:
    state = replace(paper(fifth_spot="either"), kingdoms=(kingdom(town=2), Kingdom()))
    back = {"front": ["knight-1", "veteran-1"], "back": ["cook-1", "cook-2", "miner-1"]}
    assert act(GAME, state, "ann", "deploy", **back, keep=None).kingdoms[0].done


def test_t6_one_card_is_kept_and_joins_the_next_hand() -> None:
    state = table(3)
    while state.phase == "recruit":
        for n, k in zip(state.seats, state.kingdoms, strict=True):
            if not k.choice and state.phase == "recruit":
                state = act(GAME, state, n, "keep", card=k.packet[0])
    kept = state.kingdoms[0].hand[2]
    for n in NAMES[:3]:
        state = act(GAME, state, n, "deploy", front=[], back=[], keep=kept if n == "ann" else None)
    assert state.kingdoms[0].kept == kept
    assert state.kingdoms[0].hand == ()


def test_t6_units_that_are_not_named_leave_the_kingdom_and_others_keep_their_age() -> None:
    state = revealed(["knight-1"], ["cook-1"], before=kingdom("knight:1 cook"))
    assert ages(state.kingdoms[0]) == {"knight-1": 1, "cook-1": 0}
    state = revealed(["cook-1"], before=kingdom("knight:1 cook"))
    assert ages(state.kingdoms[0]) == {"cook-1": 0}
    assert "knight-1" in state.discard


def test_t6_a_card_of_somebody_else_or_none_cannot_be_laid() -> None:
    state = replace(paper(), kingdoms=(Kingdom(), kingdom("knight")))
    assert refused(GAME, state, "ann", "deploy", front=["wizard-1"], back=[], keep=None).rule == "T16"
    refused(GAME, state, "ann", "deploy", front=["knight-2", "knight-2"], back=[], keep=None)
    refused(GAME, state, "ann", "deploy", front="knight-2", back=[], keep=None)
    refused(GAME, state, "ann", "deploy", front=["knight-2"], back=[], keep="knight-2")


def test_t16_of_the_tables_own_cards_another_copy_is_taken_where_one_lies_elsewhere() -> None:
    """Ben has laid a Knight face down: Ann may lay one, too, and no refusal tells her what he has laid."""
    state = act(GAME, paper(), "ben", "deploy", front=["knight-1"], back=[], keep="archer-1")
    for front in (["knight-1", "knight-2"], ["knight-2", "knight-1"]):
        plan = act(GAME, paper_with(state), "ann", "deploy", front=front, back=[], keep="archer-1").kingdoms[0]
        assert sorted(u.card for u in plan.units) == ["knight-2", "knight-3"]
        assert plan.kept == "archer-2"
    three = {"front": ["knight-1", "knight-2"], "back": ["knight-3"], "keep": None}
    assert refused(GAME, state, "ann", "deploy", **three).rule == "T6", "there are three Knights in all"


def test_t16_whoever_lays_cards_of_the_tables_own_sees_all_types_to_name_them() -> None:
    state = paper()
    for seat in ("ann", "ben"):
        mine = next(p["own"] for p in GAME.seen_by(state, seat)["players"] if p["team"] == seat)
        assert sum(one["copies"] for one in mine["pack"]) == 81
        assert len(mine["pack"]) == 42
    dealt = next(p["own"] for p in GAME.seen_by(table(), "ann")["players"] if p["team"] == "ann")
    assert dealt["pack"] == []


def test_t6_a_new_copy_is_not_taken_for_the_unit_of_its_type_that_is_replaced() -> None:
    """Ann sets her aged Farmer aside and lays a second one; Ben has laid the third, which she named as hers."""
    state = replace(paper(), kingdoms=(kingdom("farmer:1"), Kingdom()))
    state = act(GAME, state, "ben", "deploy", front=["farmer-2"], back=[], keep=None)
    state = act(GAME, state, "ann", "deploy", front=["farmer-2"], back=[], keep=None)
    assert ages(state.kingdoms[0]) == {"farmer-3": 0}
    assert "farmer-1" in state.discard


@pytest.mark.parametrize("kept", ["knight-1", "dragon-1", None])
def test_t16_a_shapeshifters_unit_tells_nothing_of_what_others_have_kept(kept: str | None) -> None:
    state = act(GAME, paper(), "ann", "deploy", front=["shapeshifter-1"], back=[], keep=None)
    state = act(GAME, state, "ben", "deploy", front=[], back=[], keep=kept)
    listed = {a.data["target"].rpartition("-")[0] for a in GAME.moves(state, "ann")}
    assert listed == {key for key, unit in UNITS.items() if unit.cost <= 3 and key != "shapeshifter"}
    for name in ("knight", "dragon"):
        after = act(GAME, state, "ann", "choose", card="shapeshifter-1", target=f"{name}-1")
        assert [TYPE_OF[u.card].key for u in after.kingdoms[0].units] == [name]


def test_t16_a_shapeshifters_unit_is_another_copy_than_the_card_that_its_owner_has_kept() -> None:
    """Laid in the next round, the Knight that was kept is a second one, without age."""
    state = act(GAME, paper(), "ann", "deploy", front=["shapeshifter-1"], back=[], keep="knight-1")
    state = act(GAME, state, "ben", "deploy", front=[], back=[], keep=None)
    state = act(GAME, state, "ann", "choose", card="shapeshifter-1", target="knight-1")
    assert ages(state.kingdoms[0]) == {"knight-2": 1}
    assert state.kingdoms[0].kept == "knight-1"


def test_t6_no_refusal_tells_with_whom_a_card_lies_face_down() -> None:
    state = act(GAME, paper(3), "ben", "deploy", front=["dragon-1"], back=[], keep="kraken-1")
    for card in ("dragon-1", "kraken-1"):
        told = str(refused(GAME, state, "ann", "deploy", front=[card], back=[], keep=None))
        assert "ben" not in told
    open_to_all = replace(paper(3), kingdoms=(Kingdom(), kingdom("dragon"), Kingdom()))
    assert "ben" in str(refused(GAME, open_to_all, "ann", "deploy", front=["dragon-1"], back=[], keep=None))


def paper_with(state: PaperTalesState) -> PaperTalesState:
    """The same with gold enough for everybody's Knights."""
    return replace(state, kingdoms=tuple(replace(k, gold=9) for k in state.kingdoms))


# -- effects when revealed (T6, T16) --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cave_spirit", "demon", "veteran"])
def test_units_that_age_when_revealed(name: str) -> None:
    assert ages(revealed([f"{name}-1"]).kingdoms[0]) == {f"{name}-1": 1}


def test_the_necromancer_ages_every_other_unit() -> None:
    state = revealed(["necromancer-1", "knight-1"], ["cook-1"], before=kingdom("knight"))
    assert ages(state.kingdoms[0]) == {"necromancer-1": 0, "knight-1": 1, "cook-1": 1}


def test_the_golem_raises_all_buildings_before_the_kraken_counts_them() -> None:
    before = replace(kingdom(gold=8, town=1, mine=1), score=10)
    state = revealed(["kraken-1", "golem-1"], before=before)
    assert state.kingdoms[0].buildings == {"town": 2, "mine": 2}
    assert [(g.why, g.points) for g in state.kingdoms[0].gains if g.phase == "deploy"] == [("kraken-1", -6)]
    assert ages(state.kingdoms[0]) == {"kraken-1": 0, "golem-1": 1}


def test_the_krakens_price_never_takes_a_score_below_zero() -> None:
    state = revealed(["kraken-1"], before=replace(kingdom(gold=8, town=2), score=1))
    assert [(g.why, g.points) for g in state.kingdoms[0].gains if g.phase == "deploy"] == [("kraken-1", -1)]


def test_the_time_master_ages_one_own_unit_twice_maybe_herself() -> None:
    state = revealed(["time_master-1"])
    assert GAME.waiting is not None
    assert (state.phase, GAME.waiting(state)) == ("choose", ("ann",))
    assert refused(GAME, state, "ann", "choose", card="time_master-1", target="knight-1").rule == "T16"
    assert refused(GAME, state, "ben", "choose", card="time_master-1", target="time_master-1").rule == "T6"
    state = act(GAME, state, "ann", "choose", card="time_master-1", target="time_master-1")
    assert ages(state.kingdoms[0]) == {"time_master-1": 2}


def test_the_master_alchemist_ages_one_unit_once_per_food() -> None:
    state = revealed(["master_alchemist-1", "farmer-1"], ["treefolk-1"])
    state = act(GAME, state, "ann", "choose", card="master_alchemist-1", target="farmer-1")
    assert ages(state.kingdoms[0])["farmer-1"] == 2


def test_the_master_alchemist_ages_one_in_each_deployment_while_it_is_in_play() -> None:
    """Its card has that in the second phase, not when revealed: in its second round it had done nothing."""
    before = kingdom("master_alchemist:1 farmer:1", "salamander:1")
    state = revealed(["master_alchemist-1", "farmer-1"], ["salamander-1"], before=before)
    assert refused(GAME, state, "ann", "ready").rule == "T6"
    state = act(GAME, state, "ann", "choose", card="master_alchemist-1", target="salamander-1")
    assert ages(state.kingdoms[0]) == {"master_alchemist-1": 1, "farmer-1": 1, "salamander-1": 2}
    assert revealed(["farmer-1"], ["salamander-1"], before=before).phase == "war", "it was taken out of play"


def test_the_master_alchemist_counts_the_food_of_a_unit_that_was_turned_over_beside_it() -> None:
    unused = [c for c in CARDS if TYPE_OF[c].key not in ("shapeshifter", "farmer", "master_alchemist")]
    state = GAME.start({"players": {"ann": "A", "ben": "B"}, "pile": [*unused[:18], "farmer-1"]})
    hand = ("master_alchemist-1", "shapeshifter-1")
    kingdoms = (replace(state.kingdoms[0], hand=hand, packet=()), replace(state.kingdoms[1], packet=()))
    state = replace(state, phase="deploy", kingdoms=kingdoms)
    state = act(GAME, state, "ann", "deploy", front=list(hand), back=[], keep=None)
    state = act(GAME, state, "ben", "deploy", front=[], back=[], keep=None)
    state = act(GAME, state, "ann", "choose", card="master_alchemist-1", target="master_alchemist-1")
    assert ages(state.kingdoms[0]) == {"master_alchemist-1": 1, "farmer-1": 1}


def test_the_master_alchemist_without_food_chooses_nothing() -> None:
    assert revealed(["master_alchemist-1"]).phase == "war"


def test_the_shapeshifter_becomes_the_first_cheap_unit_of_the_pile() -> None:
    unused = [c for c in CARDS if TYPE_OF[c].key not in ("shapeshifter", "kraken", "veteran")]
    told = [*unused[:18], "kraken-1", "veteran-1"]
    state = GAME.start({"players": {"ann": "A", "ben": "B"}, "pile": told})
    kingdoms = (replace(state.kingdoms[0], hand=("shapeshifter-1",), packet=()), replace(state.kingdoms[1], packet=()))
    state = replace(state, phase="deploy", kingdoms=kingdoms)
    state = act(GAME, state, "ann", "deploy", front=["shapeshifter-1"], back=[], keep=None)
    state = act(GAME, state, "ben", "deploy", front=[], back=[], keep=None)
    assert ages(state.kingdoms[0]) == {"veteran-1": 2}, "one for the change, one for being revealed"
    assert {"kraken-1", "shapeshifter-1"} <= set(state.discard)


def test_with_paper_cards_the_shapeshifters_unit_is_told() -> None:
    state = revealed(["shapeshifter-1"])
    assert refused(GAME, state, "ann", "choose", card="shapeshifter-1", target="kraken-1").rule == "T16"
    state = act(GAME, state, "ann", "choose", card="shapeshifter-1", target="knight-1")
    assert ages(state.kingdoms[0]) == {"knight-1": 1}


# -- resources and strength (T7, T9, T16) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("front", "back", "buildings", "expected"),
    [
        ("woodcutter farmer", "miner", {}, "W1 F1 C1"),
        ("forest_child forest_spirit", "", {}, "W4 F1 C0"),
        ("hunter", "", {}, "W0 F1 C0"),
        ("", "hunter", {}, "W0 F0 C0"),
        ("adventurer:2", "cave_spirit:1", {}, "W0 F0 C3"),
        ("leviathan", "", {}, "W0 F0 C0"),
        ("leviathan:1", "", {}, "W0 F2 C0"),
        ("landlord peddler treefolk", "", {}, "W2 F1 C0"),
        ("", "", {"mine": 1, "town": 1}, "W1 F1 C1"),
        ("", "", {"mine": 2, "town": 2}, "W1 F1 C2"),
    ],
)
def test_what_a_kingdom_produces(front: str, back: str, buildings: dict[str, int], expected: str) -> None:
    got = resources(kingdom(front, back, **buildings))
    assert " ".join(f"{k}{v}" for k, v in got.items()) == expected


@pytest.mark.parametrize(
    ("units", "buildings", "force"),
    [
        ("knight veteran", {}, 7),
        ("cerberus", {}, 2),
        ("cerberus farmer", {}, 4),
        ("colossus", {}, 1),
        ("colossus:1", {}, 7),
        ("dragon", {}, 0),
        ("dragon miner", {}, 9),
        ("giant_snake", {}, 4),
        ("giant_snake:1", {}, 0),
        ("leviathan farmer", {}, 7),
        ("leviathan:1", {}, 0),
        ("manticore forest_child", {}, 5),
        ("militiaman:2", {}, 4),
        ("salamander:1", {}, 5),
        ("ogre", {}, 4),
        ("ogre blacksmith", {}, 6),
        ("strategist militiaman:2", {}, 7),
        ("shapeshifter", {}, 0),
        ("knight", {"barracks": 1, "town": 1}, 5),
    ],
)
def test_t7_strengths(units: str, buildings: dict[str, int], force: int) -> None:
    assert t7_force(kingdom(units, **buildings)) == force


def test_t7_only_the_front_fights_but_for_archers_and_strategists() -> None:
    assert t7_force(kingdom("", "knight archer")) == 2
    assert t7_force(kingdom("", "knight:1 strategist")) == 2


def test_t7_a_unit_at_the_back_still_has_its_strength() -> None:
    one = kingdom("", "knight")
    assert strength(one, one.units[0]) == 4


# -- war (T7, T14, T19) -----------------------------------------------------------------------------------------


def test_t7_three_points_for_each_neighbour_beaten() -> None:
    state = at_war(kingdom("knight"), kingdom("veteran"), kingdom("cook"), kingdom("archer"))
    assert [k.score for k in state.kingdoms] == [6, 3, 0, 3]


def test_t7_a_tie_gives_both_three_points() -> None:
    state = at_war(kingdom("knight"), kingdom("knight"), kingdom("knight"))
    assert [k.score for k in state.kingdoms] == [6, 6, 6]


@pytest.mark.parametrize(
    ("one", "other", "choice", "points"),
    [
        ("knight", "veteran", "at_least", [3, 0]),
        ("knight", "archer", "at_least", [6, 0]),
        ("knight", "cook", "at_least", [6, 0]),
        ("knight", "archer", "exactly", [6, 0]),
        ("knight", "cook", "exactly", [3, 0]),
        ("knight", "", "at_least", [6, 0]),
        ("knight", "knight", "at_least", [3, 3]),
        ("", "", "at_least", [3, 3]),
    ],
)
def test_t14_double_strength_at_two_players(one: str, other: str, choice: str, points: list[int]) -> None:
    state = at_war(kingdom(one), kingdom(other), double_strength=choice)
    assert [k.score for k in state.kingdoms] == points


def test_points_and_gold_for_wars_won() -> None:
    state = at_war(kingdom("commander rogue", "colossus"), kingdom("cook"), kingdom("cook"))
    assert state.kingdoms[0].score == 6 + 2 * 2
    assert state.kingdoms[0].gold == 3 + 2


def test_the_master_alchemists_crystals_count_for_each_war_won() -> None:
    state = at_war(kingdom("master_alchemist knight", "miner miner"), kingdom("cook"), kingdom("cook"))
    assert state.kingdoms[0].score == 6 + 2 * 2


@pytest.mark.parametrize(("choice", "points"), [("once", 7), ("twice", 8)])
def test_t19_effects_of_a_double_victory_count_once_by_default(choice: str, points: int) -> None:
    state = at_war(kingdom("commander"), kingdom("cook"), double_victory_effects=choice)
    assert state.kingdoms[0].score == points


@pytest.mark.parametrize(("choice", "points"), [("yes", 4), ("no", 3)])
def test_t7_a_tie_counts_as_won_for_effects_by_default(choice: str, points: int) -> None:
    state = at_war(kingdom("commander"), kingdom("knight"), tie_is_won=choice)
    assert state.kingdoms[0].score == points


@pytest.mark.parametrize(
    ("buildings", "points"),
    [
        ({"mine": 2}, 4),
        ({"mine": 1}, 0),
        ({"temple": 2}, 2),
        ({"barracks": 2}, 1),
        ({"tavern": 2}, 1),
        ({"town": 2}, 0),
    ],
)
def test_t7_level_two_buildings_give_points_in_the_war(buildings: dict[str, int], points: int) -> None:
    lost = kingdom("", "miner treefolk", **buildings)
    assert at_war(lost, kingdom("demon")).kingdoms[0].score == points


# -- income and building (T8, T9, T12, T13) -----------------------------------------------------------------------


def test_t8_two_gold_and_what_the_cards_bring() -> None:
    assert income(Kingdom()) == 2
    assert income(kingdom("blacksmith peddler", temple=1)) == 2 + 1 + 1 + 2
    assert income(kingdom("cook farmer", tavern=1)) == 2 + 1 + 1
    assert income(kingdom("giant_snake:1")) == 5
    assert income(kingdom("master_alchemist woodcutter")) == 3
    state = t8_incomes(replace(table(), kingdoms=(kingdom(), kingdom("blacksmith"))))
    assert [k.gold for k in state.kingdoms] == [5, 6]


def building(one: Kingdom, **options: str) -> PaperTalesState:
    return replace(table(2, **options), kingdoms=(one, Kingdom()), phase="build")


@pytest.mark.parametrize(
    ("one", "what", "level", "price"),
    [
        (kingdom("woodcutter"), "town", 1, 0),
        (kingdom("woodcutter", town=1, mine=1), "barracks", 1, 4),
        (kingdom("woodcutter landlord", town=1, mine=1), "barracks", 1, 0),
        (kingdom(), "town", 1, None),
        (kingdom("wood_merchant"), "town", 2, 3),
        (kingdom("grand_architect"), "mine", 2, 3),
        (kingdom(), "temple", 1, 2),
        (kingdom("miner"), "temple", 1, 0),
        (kingdom("miner"), "temple", 2, 3),
        (kingdom("miner miner"), "temple", 2, 2),
        (kingdom("miner miner miner"), "temple", 2, 0),
        (kingdom("forest_spirit", town=1), "town", 2, 0),
        (kingdom("forest_spirit"), "town", 2, 0),
        (kingdom("woodcutter woodcutter"), "town", 2, None),
    ],
)
def test_t9_prices(one: Kingdom, what: str, level: int, price: int | None) -> None:
    """Directly to level 2 the costs of both levels are met together: W + WW is three wood."""
    assert t9_price(building(one), one, what, level) == price


def test_t13_the_upgrade_costs_the_right_hand_side_unless_agreed_otherwise() -> None:
    one = kingdom("woodcutter", mine=1)
    assert t9_price(building(kingdom("", mine=1)), kingdom("", mine=1), "mine", 2) is None
    assert t9_price(building(one), one, "mine", 2) == 0
    assert t9_price(building(one, upgrade_cost="left"), one, "mine", 2) == 0


def test_t9_no_land_cost_for_an_upgrade() -> None:
    one = kingdom("woodcutter", mine=1, temple=1, tavern=1)
    assert t9_price(building(one), one, "mine", 2) == 0


def test_t9_one_construction_a_round() -> None:
    state = act(GAME, building(kingdom("woodcutter", gold=9)), "ann", "build", building="town", level=1)
    assert refused(GAME, state, "ann", "build", building="mine", level=1).rule == "T9"
    assert refused(GAME, state, "ann", "ready").rule == "T9"
    idle = act(GAME, building(kingdom("woodcutter", gold=9)), "ann", "ready")
    told = str(refused(GAME, idle, "ann", "build", building="town", level=1))
    assert told == "ann is done with building this round (rule T9)", "she has built nothing"


def test_t12_neither_gold_nor_resources_go_below_zero() -> None:
    state = building(kingdom("woodcutter", gold=1, town=1))
    assert refused(GAME, state, "ann", "build", building="mine", level=1).rule == "T12"
    assert refused(GAME, building(kingdom()), "ann", "build", building="tavern", level=1).rule == "T12"
    assert refused(GAME, state, "ann", "build", building="town", level=1).rule == "T9"
    assert ("mine", 1) not in affordable(state, 0)


# -- age and the end (T10, T11, T16, T17) -------------------------------------------------------------------------


def test_t10_those_with_an_age_die_before_the_others_get_one() -> None:
    assert ages(aged(kingdom("knight:1 cook veteran:2"))) == {"cook-1": 1}


def test_the_salamander_dies_at_two_and_the_relic_never() -> None:
    assert ages(aged(kingdom("salamander:1 relic_of_wisdom:3"))) == {"salamander-1": 2, "relic_of_wisdom-1": 4}
    assert ages(aged(kingdom("salamander:2"))) == {}


def test_what_dying_units_give() -> None:
    assert aged(kingdom("monkey:2", gold=0)).gold == 2
    assert aged(kingdom("sculptor:1")).score == 3
    assert aged(replace(kingdom("demon:1"), score=5)).score == 2
    assert aged(replace(kingdom("demon:2"), score=5)).score == 5
    assert aged(kingdom("palm_reader knight:1 cook:2")).score == 3
    assert aged(kingdom("kraken knight:1 cook:2")).score == 3


def test_the_healer_saves_one_unit_with_a_single_age() -> None:
    state = t10_begin(replace(table(), kingdoms=(kingdom("mystical_healer knight:1 cook:2"), Kingdom()), phase="build"))
    assert GAME.waiting is not None
    assert GAME.waiting(state) == ("ann",)
    assert refused(GAME, state, "ann", "save", card="mystical_healer-1", target="cook-1").rule == "T16"
    state = act(GAME, state, "ann", "save", card="mystical_healer-1", target="knight-1")
    assert ages(state.kingdoms[0]) == {"mystical_healer-1": 1, "knight-1": 2}
    assert state.round == 2


def test_t11_buildings_and_the_relic_give_points_at_the_end() -> None:
    one = kingdom("relic_of_wisdom:2", town=1, mine=2)
    state = t10_ageing(replace(table(), kingdoms=(one, Kingdom()), phase="age", round=4))
    assert state.phase == "over"
    assert state.kingdoms[0].score == 2 * 3 + 1 + 3


@pytest.mark.parametrize(
    ("scores", "gold", "winners"),
    [([5, 4], [0, 9], ("ann",)), ([5, 5], [1, 2], ("ben",)), ([5, 5], [2, 2], ("ann", "ben"))],
)
def test_t11_most_points_then_most_gold_then_shared(scores: list[int], gold: list[int], winners: Any) -> None:
    kingdoms = tuple(Kingdom(score=s, gold=g) for s, g in zip(scores, gold, strict=True))
    outcome = t11_outcome(replace(table(), kingdoms=kingdoms, phase="over"))
    assert outcome is not None
    assert outcome.winners == winners


def test_t17_the_table_may_let_nobody_win_a_full_tie() -> None:
    state = replace(table(tie_after_gold="nobody"), kingdoms=(Kingdom(), Kingdom()), phase="over")
    outcome = t11_outcome(state)
    assert outcome is not None
    assert outcome.winners == ()
    assert outcome.reason.en == "Equal in points and gold: nobody wins."


# -- phases and secrets (T4) ------------------------------------------------------------------------------------


@pytest.mark.parametrize("type", ["deploy", "choose", "build", "save", "ready"])
def test_t4_actions_of_another_phase_are_refused(type: str) -> None:
    assert refused(GAME, table(), "ann", type).rule == "T5"


def test_t4_a_forged_player_is_refused() -> None:
    assert refused(GAME, table(), "mallory", "ready").rule == "T4"


def test_t4_after_the_last_round_nothing_is_accepted() -> None:
    assert refused(GAME, replace(table(), phase="over"), "ann", "ready").rule == "T4"


@pytest.mark.parametrize("seat", ["ben", None])
def test_no_view_depends_on_cards_that_the_viewer_may_not_see(seat: str | None) -> None:
    """Ann's packet and the pile may be any cards; nobody else's screen changes."""
    state = table(3)
    ann = replace(state.kingdoms[0], packet=state.pile[:5], chosen=state.pile[5:6])
    other = replace(state, kingdoms=(ann, *state.kingdoms[1:]), pile=tuple(reversed(state.pile)))
    one = replace(state, kingdoms=(replace(state.kingdoms[0], chosen=state.pile[7:8]), *state.kingdoms[1:]))
    assert GAME.seen_by(one, seat) == GAME.seen_by(other, seat)
    assert GAME.seen_by(one, "ann") != GAME.seen_by(other, "ann")
