"""Zargo's Lords from its rule text (Z1-Z19): set-up, calendar, movement, engagements, escorts, sieges, the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.base import Action, MalformedAction
from companion.games.zargo import GAME
from companion.games.zargo_map import default_map, distance, names_of, read_map
from companion.games.zargo_moves import z13_radius
from companion.games.zargo_state import FORCES, OFF, ZargoState, z1_counters
from companion.games.zargo_tables import Tables, combat_row, read_tables
from companion.games.zargo_turns import z16_cities
from tests.companion.table_games import act, play_golden, refused

TERRAIN = [
    "~~~~~~~~~~~~",
    "~....~.....~",
    "~..^.~.....~",
    "~..^.......~",
    "~.w...o....~",
    "~.w........~",
    "~..........~",
    "~~~~~~~~~~~~",
]
CONTINENTS = ["000000000000"] + ["011110333330"] * 2 + ["011113333330"] + ["022224444440"] * 3 + ["000000000000"]
MAP = {"terrain": TERRAIN, "continents": CONTINENTS, "bridges": [["0503", "0703"], ["0703", "0802"]]}
WORLD = read_map(MAP)
NAMES = names_of(WORLD)
FEW = {"knights": {"knight": 3, "infantry": 3, "sorcerer": 1, "archer": 2},
       "dragons": {"dragon": 2, "infantry": 3, "flamethrower": 2, "serpent": 2},
       "winged": {"winged": 2, "falcon": 2, "infantry": 3, "archer": 2},
       "monks": {"monk": 2, "infantry": 3, "rider": 2, "illusionist": 1}}  # fmt: skip


def begun(*peoples: str, options: dict[str, str] | None = None, **setup: Any) -> ZargoState:
    """A match on the small map in its set-up."""
    names = {p: p.title() for p in peoples or ("knights", "monks")}
    return GAME.start({"players": names, "map": MAP, "forces": FEW, "options": options or {}, **setup})


def field(
    *peoples: str, phase: str = "moves", turn: str | None = None, options: dict[str, str] | None = None,
    cities: dict[str, str] | None = None, tables: Any = None, **places: str,
) -> ZargoState:  # fmt: skip
    """A month in its middle: knight_1='0404' places knights-knight-1; knights__infantry_1 the Knights' infantry."""
    state = begun(*peoples, options=options, tables=tables)
    counters = dict(state.counters)
    for told, hex_name in places.items():
        kind, number = told.rsplit("_", 1)
        name = next(n for n in counters if n.endswith(f"{kind.replace('__', '-')}-{number}"))
        counters[name] = replace(counters[name], place=NAMES[hex_name])
    where = cities or {}
    standing = {n: replace(c, place=NAMES[where[n]]) if n in where else c for n, c in state.cities.items()}
    turn_number = state.seats.index(turn) if turn else 0
    return replace(state, counters=counters, cities=standing, phase=phase, month=1, turn=turn_number)


def go(state: ZargoState, counter: str, *path: str, **more: Any) -> ZargoState:
    people = counter.split("-")[0]
    moved: ZargoState = act(GAME, state, people, "move", counter=counter, path=list(path), **more)
    return moved


def no(state: ZargoState, counter: str, *path: str, **more: Any) -> str | None:
    people = counter.split("-")[0]
    return refused(GAME, state, people, "move", counter=counter, path=list(path), **more).rule


def on(state: ZargoState, counter: str) -> str | None:
    place = state.counters[counter].place
    return None if place == OFF else WORLD.name(place)


def nexts(state: ZargoState, count: int) -> ZargoState:
    for _ in range(count):
        state = act(GAME, state, state.people, "next")
    return state


# -- set-up (Z1-Z4) ---------------------------------------------------------------------------------------------


def test_the_golden_game_goes_as_worked_out_by_hand() -> None:
    play_golden(GAME, "zargo")


@pytest.mark.parametrize(("people", "count"), [("knights", 54), ("winged", 59), ("dragons", 66), ("monks", 61)])
def test_z1_the_boxs_counters(people: str, count: int) -> None:
    """With four cities each; the monks' seven 'vanished' markers make their 68."""
    assert len(z1_counters({}, (people,))) + 4 == count


def test_z3_two_continents_each_at_two_players_and_one_each_above() -> None:
    assert begun("knights", "monks").continents == {"knights": (1, 2), "monks": (3, 4)}
    assert begun("knights", "monks", "winged").continents == {"knights": (1,), "winged": (2,), "monks": (3,)}


@pytest.mark.parametrize("players", [{"knights": "A"}, {"knights": "A", "orcs": "B"}, "knights"])
def test_z3_two_to_four_peoples(players: Any) -> None:
    with pytest.raises(MalformedAction, match="Z3"):
        GAME.start({"players": players})


def test_z5_the_order_of_the_peoples_is_fixed() -> None:
    assert begun("monks", "winged", "dragons", "knights").seats == ("knights", "dragons", "winged", "monks")


def test_z4_cities_lie_inland_on_the_own_continent() -> None:
    state = begun()
    assert refused(GAME, state, "knights", "city", city="knights-city-1", hex="0202").rule == "Z4"
    assert refused(GAME, state, "knights", "city", city="knights-city-1", hex="0903").rule == "Z4"
    assert refused(GAME, state, "knights", "city", city="monks-city-1", hex="0303").rule == "Z1"
    state = act(GAME, state, "knights", "city", city="knights-city-1", hex="0303")
    assert refused(GAME, state, "knights", "city", city="knights-city-2", hex="0303").rule == "Z4"
    assert refused(GAME, state, "knights", "ready").rule == "Z4"


def garrisoned() -> ZargoState:
    state = replace(begun(), phase="garrisons")
    first = {n: c for n, c in state.cities.items() if n.endswith("-1")}
    where = {"knights": NAMES["0303"], "monks": NAMES["0904"]}
    return replace(state, cities={n: replace(c, place=where[c.people]) for n, c in first.items()})


def test_z4_a_garrison_is_at_most_four_counters_and_known_to_its_owner_only() -> None:
    state = garrisoned()
    five = [f"knights-{k}" for k in ("knight-1", "knight-2", "knight-3", "archer-1", "archer-2")]
    assert refused(GAME, state, "knights", "garrison", city="knights-city-1", counters=five).rule == "Z4"
    state = act(GAME, state, "knights", "garrison", city="knights-city-1", counters=five[:4])
    shown = {seat: [c["counter"] for c in GAME.seen_by(state, seat)["counters"]] for seat in ("knights", "monks", None)}
    assert shown == {"knights": five[:4], "monks": [], None: []}
    assert "to_place" not in GAME.view(state)["players"][0]
    assert GAME.view_for is not None
    assert GAME.view_for(state, "knights")["cities"][0]["garrison"] == 4
    assert GAME.view(state)["cities"][0]["garrison"] is None
    shown = replace(state, options={**state.options, "garrison_size": "shown"})
    assert GAME.view(shown)["cities"][0]["garrison"] == 4


def test_z4_no_view_depends_on_who_stands_in_another_peoples_garrison() -> None:
    state = garrisoned()
    one = act(GAME, state, "knights", "garrison", city="knights-city-1", counters=["knights-knight-1"])
    other = act(GAME, state, "knights", "garrison", city="knights-city-1", counters=["knights-archer-1"])
    for seat in ("monks", None):
        assert GAME.seen_by(one, seat) == GAME.seen_by(other, seat)
    action = Action("garrison", {"seat": "knights", "city": "knights-city-1", "counters": ["knights-knight-1"]})
    assert "counters" not in GAME.told(action, "monks")
    assert GAME.told(action, "knights") == action.data


def test_z4_the_rest_stands_anywhere_on_the_own_continents_one_on_a_hex() -> None:
    state = replace(begun(), phase="rest")
    for hexes, rule in (({"knights-knight-1": "0903"}, "Z4"), ({"monks-monk-1": "0303"}, "Z1"),
                        ({"knights-knight-1": "0404", "knights-knight-2": "0404"}, "Z8")):  # fmt: skip
        assert refused(GAME, state, "knights", "place", counters=hexes).rule == rule
    state = act(GAME, state, "knights", "place", counters={"knights-knight-1": "0404"})
    assert on(state, "knights-knight-1") == "0404"
    assert refused(GAME, state, "knights", "ready").rule == "Z4"
    state = act(GAME, act(GAME, state, "knights", "place_rest"), "knights", "ready")
    state = act(GAME, act(GAME, state, "monks", "place_rest"), "monks", "ready")
    assert (state.phase, state.month) == ("alliances", 1)


def test_z4_nobody_moves_during_the_set_up() -> None:
    assert refused(GAME, begun(), "knights", "next").rule == "Z4"


# -- calendar and phases (Z5-Z7) -----------------------------------------------------------------------------------


def test_z6_three_phases_then_the_next_people() -> None:
    state = field(phase="alliances", knight_1="0404", monk_1="0904")
    seen = []
    for _ in range(6):
        seen.append((state.people, state.phase))
        state = nexts(state, 1)
    assert seen == [(p, f) for p in ("knights", "monks") for f in ("alliances", "moves", "engagements")]
    assert state.month == 2


def test_z7_a_month_is_struck_before_the_knights_turn_and_announced() -> None:
    state = nexts(field(phase="engagements", turn="monks", knight_1="0404", monk_1="0904"), 1)
    assert state.log[-1].text.en == "Knights strikes month 2 of 25."


def test_z16_after_25_months_the_year_is_over() -> None:
    state = replace(field(phase="engagements", turn="monks", knight_1="0404", monk_1="0904"), month=25)
    assert nexts(state, 1).phase == "over"
    assert refused(GAME, nexts(state, 1), "knights", "next").rule == "Z16"


def test_z6_nobody_elses_counters_move() -> None:
    state = field(knight_1="0404", monk_1="0904")
    assert refused(GAME, state, "monks", "move", counter="monks-monk-1", path=["0903"]).rule == "Z5"
    assert refused(GAME, state, "knights", "move", counter="monks-monk-1", path=["0903"]).rule == "Z1"
    assert refused(GAME, state, "knights", "combat", attackers=[], target="monks-monk-1").rule == "Z6"
    assert refused(GAME, state, "orcs", "next").rule == "Z3"


def test_z6_an_alliance_is_proposed_and_accepted_and_can_be_left() -> None:
    state = field(phase="alliances", knight_1="0404", monk_1="0904")
    assert refused(GAME, state, "monks", "accept", **{"with": "knights"}).rule == "Z6"
    state = act(GAME, state, "knights", "propose", **{"with": "monks"})
    state = act(GAME, state, "monks", "accept", **{"with": "knights"})
    assert state.friends("knights", "monks")
    assert not act(GAME, state, "knights", "break", **{"with": "monks"}).friends("knights", "monks")


def test_z6_an_offer_that_one_has_taken_still_stands_for_another() -> None:
    state = field("knights", "dragons", "monks", phase="alliances", knight_1="0404", dragon_1="0704", monk_1="0904")
    for other in ("dragons", "monks"):
        state = act(GAME, state, "knights", "propose", **{"with": other})
    state = act(GAME, state, "dragons", "accept", **{"with": "knights"})
    assert GAME.waiting is not None
    assert GAME.waiting(state) == ("knights", "monks")
    assert refused(GAME, state, "dragons", "accept", **{"with": "knights"}).rule == "Z6"
    state = act(GAME, state, "monks", "accept", **{"with": "knights"})
    assert state.friends("knights", "dragons")
    assert state.friends("knights", "monks")
    assert not state.friends("dragons", "monks")


# -- movement (Z8-Z10) -----------------------------------------------------------------------------------------------


def test_z8_up_to_the_movement_factor_and_once_a_turn() -> None:
    state = field(knight_1="0207", monk_1="1102")
    assert no(state, "knights-knight-1", "0307", "0407", "0507", "0607", "0707", "0807") == "Z8"
    state = go(state, "knights-knight-1", "0307", "0407", "0507", "0607", "0707")
    assert on(state, "knights-knight-1") == "0707"
    assert no(state, "knights-knight-1", "0807") == "Z8"


def test_z8_through_friends_not_onto_them_and_not_through_enemies() -> None:
    state = field(knight_1="0207", knight_2="0307", monk_1="1102")
    assert on(go(state, "knights-knight-1", "0307", "0407"), "knights-knight-1") == "0407"
    assert no(state, "knights-knight-1", "0307") == "Z8"
    enemy = field(knight_1="0207", monk_1="0307")
    assert no(enemy, "knights-knight-1", "0307", "0407") == "Z8"


def test_z8_hexes_are_neighbours() -> None:
    assert no(field(knight_1="0207", monk_1="1102"), "knights-knight-1", "0407") == "Z8"


def test_z9_the_sea_is_crossed_by_bridges_only() -> None:
    state = field(knight_1="0503", monk_1="1107")
    assert no(state, "knights-knight-1", "0602") == "Z9"
    assert on(go(state, "knights-knight-1", "0703"), "knights-knight-1") == "0703"


def test_z9_never_from_bridge_to_bridge() -> None:
    far = read_map({**MAP, "bridges": [["0503", "0703"], ["0703", "0902"]]})
    state = replace(field(knight_1="0503", monk_1="1107"), world=far)
    assert no(state, "knights-knight-1", "0703", "0902") == "Z9"


def test_z9_a_mountain_is_climbed_from_its_foot_and_left_the_turn_after() -> None:
    state = field(knight_1="0304", monk_1="1102")
    assert no(field(knight_1="0204", monk_1="1102"), "knights-knight-1", "0304", "0404") == "Z9"
    state = go(state, "knights-knight-1", "0404")
    state = replace(state, moved={})
    assert on(go(state, "knights-knight-1", "0505", "0506"), "knights-knight-1") == "0506"
    assert on(go(state, "knights-knight-1", "0403"), "knights-knight-1") == "0403", "lengthwise one hex a turn"
    assert no(state, "knights-knight-1", "0403", "0402") == "Z9"


def test_z9_wood_costs_two() -> None:
    state = field(knight_1="0307", knight_2="0407", monk_1="1102")
    state = replace(state, factors={**state.factors, "knights-knight": (2, 2)})
    assert on(go(state, "knights-knight-1", "0306"), "knights-knight-1") == "0306"
    assert no(state, "knights-knight-2", "0307", "0306") == "Z8", "one point is left, and wood needs two"


def test_z9_a_chasm_stops_and_paralyses_for_three_turns() -> None:
    state = field(knight_1="0605", knight_2="0207", monk_1="1102")
    assert no(state, "knights-knight-1", "0705", "0805") == "Z9"
    state = go(state, "knights-knight-1", "0705")
    held = []
    for _ in range(4):
        state = nexts(state, 6)
        held.append(state.counters["knights-knight-1"].stuck)
        if held[-1]:
            assert no(state, "knights-knight-1", "0605") == "Z9"
    assert held == [3, 2, 1, 0]
    assert on(go(state, "knights-knight-1", "0605"), "knights-knight-1") == "0605"


def test_z9_flyers_mind_chasms_and_seas_only() -> None:
    state = field("winged", "monks", winged_1="0304", monk_1="0204")
    assert on(go(state, "winged-winged-1", "0404", "0504"), "winged-winged-1") == "0504"
    assert on(go(state, "winged-winged-1", "0204", "0205", "0206"), "winged-winged-1") == "0206"
    assert no(field("winged", "monks", winged_1="0503", monk_1="0204"), "winged-winged-1", "0602") == "Z9"


def test_z10_a_zone_is_entered_only_to_attack() -> None:
    state = field(knight_1="0706", knight_2="0606", monk_1="0905", rider_1="0206")
    assert no(state, "knights-knight-1", "0805") == "Z10"
    assert no(state, "knights-knight-1", "0805", "0804") == "Z10"
    assert no(state, "knights-knight-1", "0805", target="monks-rider-1") == "Z10"
    assert on(go(state, "knights-knight-1", "0805", target="monks-monk-1"), "knights-knight-1") == "0805"


def test_z10_the_zone_is_gone_once_its_counter_is_attacked() -> None:
    state = field(knight_1="0706", knight_2="0707", monk_1="0905")
    assert no(state, "knights-knight-2", "0806", "0906", "1005") == "Z10"
    state = go(state, "knights-knight-1", "0805", target="monks-monk-1")
    assert on(go(state, "knights-knight-2", "0806", "0906", "1005"), "knights-knight-2") == "1005"


def test_z10_an_ally_has_no_zone() -> None:
    state = replace(field(knight_1="0706", monk_1="0905"), alliances=frozenset({("knights", "monks")}))
    assert on(go(state, "knights-knight-1", "0805", "0804"), "knights-knight-1") == "0804"


@pytest.mark.parametrize(("choice", "rule"), [("free", None), ("blocked", "Z18")])
def test_z18_whether_a_counter_may_leave_a_zone(choice: str, rule: str | None) -> None:
    state = field(options={"zones_while_leaving": choice}, knight_1="0805", monk_1="0905")
    if rule is None:
        assert on(go(state, "knights-knight-1", "0706"), "knights-knight-1") == "0706"
    else:
        assert no(state, "knights-knight-1", "0706") == rule


def test_z2_a_counter_that_leaves_the_map_comes_back_on_the_matching_edge() -> None:
    wrapped = read_map({**MAP, "bridges": [], "wraps": [["0205", "1105"]]})
    state = replace(field(knight_1="0205", monk_1="0904"), world=wrapped)
    assert on(go(state, "knights-knight-1", "1105"), "knights-knight-1") == "1105"


# -- escorts (Z14) and monks (Z13) ------------------------------------------------------------------------------------


def escorted() -> ZargoState:
    state = field(knights__infantry_1="0405", knight_1="0406", knights__infantry_2="0407", monk_1="1102")
    return go(state, "knights-infantry-1", "0406", escort=True)


def test_z14_infantry_escorts_one_other_counter_and_they_move_together() -> None:
    state = escorted()
    assert state.counters["knights-infantry-1"].escorts == "knights-knight-1"
    assert no(state, "knights-infantry-2", "0406", escort=True) == "Z14"
    state = go(replace(state, moved={}, escort_changes=frozenset()), "knights-infantry-1", "0506")
    assert (on(state, "knights-infantry-1"), on(state, "knights-knight-1")) == ("0506", "0506")


def test_z14_an_escort_is_joined_or_left_in_a_turn_not_both() -> None:
    state = escorted()
    assert no(state, "knights-knight-1", "0506") == "Z14"
    assert no(state, "knights-knight-1", "0506", leave=True) == "Z14"
    later = go(replace(state, moved={}, escort_changes=frozenset()), "knights-knight-1", "0506", leave=True)
    assert (on(later, "knights-infantry-1"), on(later, "knights-knight-1")) == ("0406", "0506")
    assert later.counters["knights-infantry-1"].escorts == ""


def test_z8_an_escort_takes_nobody_along_who_has_moved_this_turn() -> None:
    state = field(knights__infantry_1="0405", knight_1="0406", monk_1="1102")
    state = go(state, "knights-knight-1", "0405", escort=True)
    assert no(state, "knights-infantry-1", "0404") == "Z8"
    later = go(replace(state, moved={}, escort_changes=frozenset()), "knights-infantry-1", "0404")
    assert on(later, "knights-knight-1") == "0404"


def test_z9_an_escort_takes_nobody_out_of_a_chasm_who_is_paralysed() -> None:
    state = field(knights__infantry_1="0705", knight_1="0705", monk_1="1102")
    pair = {"knights-infantry-1": {"escorts": "knights-knight-1"}, "knights-knight-1": {"stuck": 2}}
    stack = {n: replace(state.counters[n], **changes) for n, changes in pair.items()}
    state = replace(state, counters={**state.counters, **stack})
    assert no(state, "knights-infantry-1", "0605") == "Z9"
    left = go(state, "knights-infantry-1", "0605", leave=True)
    assert (on(left, "knights-infantry-1"), left.counters["knights-knight-1"].stuck) == ("0605", 2)


def test_z14_two_infantry_make_no_escort() -> None:
    state = field(knights__infantry_1="0406", knights__infantry_2="0407", monk_1="1102")
    assert no(state, "knights-infantry-2", "0406", escort=True) == "Z14"


def escorted_monk() -> ZargoState:
    state = field(phase="engagements", knight_1="0805", monks__infantry_1="0905", monk_1="0905")
    infantry = replace(state.counters["monks-infantry-1"], escorts="monks-monk-1")
    return replace(state, counters={**state.counters, "monks-infantry-1": infantry})


def fight(state: ZargoState, result: str, target: str = "monks-monk-1", *attackers: str, **more: Any) -> ZargoState:
    who = list(attackers or ("knights-knight-1",))
    fought: ZargoState = act(GAME, state, state.people, "combat", attackers=who, target=target, result=result, **more)
    return fought


def test_z14_the_escort_alone_suffers_attacks_and_the_escorted_then_retreats_its_full_movement() -> None:
    state = escorted_monk()
    error = refused(
        GAME, state, "knights", "combat", attackers=["knights-knight-1"], target="monks-monk-1", result="none"
    )
    assert error.rule == "Z14"
    state = fight(state, "defender_out", "monks-infantry-1")
    assert dict(state.retreats) == {"monks-monk-1": 5}
    assert refused(GAME, state, "knights", "next").rule == "Z14"
    assert refused(GAME, state, "monks", "retreat", counter="monks-monk-1", hex="0904").rule == "Z14"


def test_z14_the_escorted_follows_a_retreating_escort() -> None:
    state = fight(escorted_monk(), "defender_back", "monks-infantry-1")
    state = act(GAME, state, "monks", "retreat", counter="monks-infantry-1", hex="1005")
    assert (on(state, "monks-infantry-1"), on(state, "monks-monk-1")) == ("1005", "1005")


@pytest.mark.parametrize(("turn", "result"), [("knights", "defender_back"), ("monks", "attackers_back")])
def test_z9_who_falls_back_into_a_chasm_is_paralysed_for_its_next_three_turns(turn: str, result: str) -> None:
    state = field(phase="engagements", turn=turn, knight_1="0606", monk_1="0605")
    mine, other = ("monk", "knights-knight-1") if turn == "monks" else ("knight", "monks-monk-1")
    state = fight(state, result, other, f"{turn}-{mine}-1")
    state = act(GAME, state, "monks", "retreat", counter="monks-monk-1", hex="0705")
    held = [state.counters["monks-monk-1"].stuck]
    for _ in range(3):
        state = nexts(state, 1)
        while state.people != "monks":
            state = nexts(state, 1)
        held.append(state.counters["monks-monk-1"].stuck)
        state = nexts(state, 2)
    assert held == [3, 3, 2, 1]
    assert nexts(state, 1).counters["monks-monk-1"].stuck == 0


@pytest.mark.parametrize(("movement", "out"), [(1, False), (2, True)])
def test_z9_nobody_falls_back_on_through_a_chasm(movement: int, out: bool) -> None:
    """On a neck of land with a chasm in it: whoever must go further than the chasm is eliminated."""
    neck = read_map({**MAP, "terrain": ["~" * 12] * 4 + ["~~~~..o.~~~~"] + ["~" * 12] * 3, "bridges": []})
    state = field(phase="engagements", knight_1="0505", monks__infantry_1="0605", monk_1="0605")
    infantry = replace(state.counters["monks-infantry-1"], escorts="monks-monk-1")
    counters = {**state.counters, "monks-infantry-1": infantry}
    state = replace(state, counters=counters, world=neck, factors={**state.factors, "monks-monk": (movement, 2)})
    state = fight(state, "defender_out", "monks-infantry-1")
    assert (state.counters["monks-monk-1"].out, dict(state.retreats)) == (out, {} if out else {"monks-monk-1": 1})


def test_z14_who_cannot_fall_back_is_eliminated() -> None:
    round_about = {"knight_1": "0805", "knight_2": "1004", "knight_3": "1005", "archer_1": "0906", "archer_2": "0804",
                   "sorcerer_1": "0904"}  # fmt: skip
    state = fight(field(phase="engagements", monk_1="0905", **round_about), "defender_back")
    assert state.counters["monks-monk-1"].out


def test_z14_an_escorted_counter_has_no_power() -> None:
    state = field(phase="engagements", turn="monks", knight_1="0805", monks__infantry_1="0905", monk_1="0905")
    infantry = replace(state.counters["monks-infantry-1"], escorts="monks-monk-1")
    state = replace(state, counters={**state.counters, "monks-infantry-1": infantry})
    told = {"attackers": ["monks-monk-1"], "target": "knights-knight-1", "result": "none"}
    assert refused(GAME, state, "monks", "combat", **told).rule == "Z14"


def test_z13_a_monk_vanishes_for_a_turn_and_comes_back_within_its_movement() -> None:
    state = field(turn="monks", knight_1="0207", monk_1="0905", rider_1="0907")
    assert refused(GAME, state, "monks", "vanish", counter="monks-rider-1").rule == "Z13"
    state = act(GAME, state, "monks", "vanish", counter="monks-monk-1")
    assert refused(GAME, state, "monks", "reappear", counter="monks-monk-1", hex="0904").rule == "Z13"
    assert no(state, "monks-monk-1", "0904") == "Z8"
    state = nexts(state, 6)
    assert refused(GAME, state, "monks", "reappear", counter="monks-monk-1", hex="0207").rule == "Z13"
    assert refused(GAME, state, "monks", "reappear", counter="monks-monk-1", hex="0705").rule == "Z13"
    state = act(GAME, state, "monks", "reappear", counter="monks-monk-1", hex="0706")
    assert on(go(state, "monks-monk-1", "0606"), "monks-monk-1") == "0606"


def test_z13_the_vanished_do_not_cross_the_sea_without_a_bridge() -> None:
    state = field(turn="monks", knight_1="0207", monk_1="0703")
    state = replace(state, factors={**state.factors, "monks-monk": (1, 2)})
    assert NAMES["0503"] in z13_radius(state, "monks-monk-1")
    assert NAMES["0503"] not in z13_radius(replace(state, world=replace(WORLD, bridges=())), "monks-monk-1")


def test_z13_a_monk_comes_back_into_a_city_of_its_people_that_has_room_and_hidden() -> None:
    """It was told that its own city was too far, or taken, and whoever had vanished in one had to say another place."""
    cities = {"monks-city-1": "0905", "knights-city-1": "0904"}
    state = field(turn="monks", knight_1="0207", monk_1="0905", rider_1="0905", cities=cities)
    state = nexts(act(GAME, state, "monks", "vanish", counter="monks-monk-1"), 6)
    assert refused(GAME, state, "monks", "reappear", counter="monks-monk-1", hex="0904").rule == "Z13"
    back = act(GAME, state, "monks", "reappear", counter="monks-monk-1", hex="0905")
    assert (on(back, "monks-monk-1"), back.counters["monks-monk-1"].hidden) == ("0905", True)
    unsaid = nexts(state, 1).counters["monks-monk-1"]
    assert (unsaid.place, unsaid.vanished, unsaid.hidden) == (NAMES["0905"], 0, True)
    four = [n for n, c in state.counters.items() if c.people == "monks" and n != "monks-monk-1"][:4]
    full = {n: replace(state.counters[n], place=NAMES["0905"]) for n in four}
    assert len(full) == 4
    state = replace(state, counters={**state.counters, **full})
    assert refused(GAME, state, "monks", "reappear", counter="monks-monk-1", hex="0905").rule == "Z13"


def test_z13_who_says_nothing_comes_back_where_it_vanished() -> None:
    state = field(turn="monks", knight_1="0207", monk_1="0905")
    state = nexts(act(GAME, state, "monks", "vanish", counter="monks-monk-1"), 7)
    assert (on(state, "monks-monk-1"), state.counters["monks-monk-1"].vanished) == ("0905", 0)


# -- engagements (Z6, Z10-Z12, Z15, Z18) ---------------------------------------------------------------------------


def shoot(state: ZargoState, target: str, *shooters: str, **more: Any) -> ZargoState:
    shot: ZargoState = act(GAME, state, state.people, "shoot", shooters=list(shooters), target=target, **more)
    return shot


def test_z6_shots_come_before_combats() -> None:
    state = field(phase="engagements", knight_1="0805", archer_1="0804", monk_1="0905", rider_1="1107")
    state = fight(state, "none")
    told = {"shooters": ["knights-archer-1"], "target": "monks-monk-1", "hit": True}
    assert refused(GAME, state, "knights", "shoot", **told).rule == "Z6"


def test_z6_a_counter_acts_once_a_turn() -> None:
    state = field(phase="engagements", archer_1="0804", monk_1="0905")
    state = shoot(state, "monks-monk-1", "knights-archer-1", hit=False)
    told = {"attackers": ["knights-archer-1"], "target": "monks-monk-1", "result": "none"}
    assert refused(GAME, state, "knights", "combat", **told).rule == "Z6"


def test_z10_an_attacker_stands_beside_its_enemy() -> None:
    state = field(phase="engagements", knight_1="0706", monk_1="0905")
    told = {"attackers": ["knights-knight-1"], "target": "monks-monk-1", "result": "none"}
    assert refused(GAME, state, "knights", "combat", **told).rule == "Z10"


def test_z9_who_is_paralysed_in_a_chasm_is_not_attacked_and_attacks_nobody() -> None:
    state = field(phase="engagements", knight_1="0605", monk_1="0705")
    stuck = replace(state.counters["monks-monk-1"], stuck=2)
    state = replace(state, counters={**state.counters, "monks-monk-1": stuck})
    told = {"attackers": ["knights-knight-1"], "target": "monks-monk-1", "result": "none"}
    assert refused(GAME, state, "knights", "combat", **told).rule == "Z9"


def test_z11_a_straight_charge_adds_three_at_the_front_and_one_at_the_side() -> None:
    table = {"combats": {"0": ["none"] * 6, "2": ["defender_back"] * 6, "3": ["defender_out"] * 6}}
    state = field(options={"combat_results": "table"}, tables=table, knight_1="0706", monk_1="0905")
    state = nexts(go(state, "knights-knight-1", "0805", target="monks-monk-1"), 1)
    for charges, out, back in (
        ({"knights-knight-1": "front"}, True, False),
        ({"knights-knight-1": "side"}, False, False),
    ):
        fought = act(GAME, state, "knights", "combat", attackers=["knights-knight-1"], target="monks-monk-1",
                     charges=charges, die=3)  # fmt: skip
        assert (fought.counters["monks-monk-1"].out, bool(fought.retreats)) == (out, back)


def test_z11_no_charge_without_a_straight_movement_and_by_nobody_but_knights() -> None:
    told: dict[str, Any] = {"attackers": ["knights-knight-1"], "target": "monks-monk-1", "result": "none"}
    still = field(phase="engagements", knight_1="0805", monk_1="0905")
    assert refused(GAME, still, "knights", "combat", **told, charges={"knights-knight-1": "front"}).rule == "Z11"
    assert refused(GAME, still, "knights", "combat", **told, charges={"knights-knight-1": "rear"}).rule == "Z11"


def dragons(**places: str) -> ZargoState:
    return field("knights", "dragons", turn="dragons", **places)


def test_z12_flames_reach_five_hexes_and_add_up() -> None:
    table = {"flames": {str(d): [0.5] * 6 for d in range(1, 6)}}
    options = {"combat_results": "table"}
    state = field("knights", "dragons", phase="engagements", turn="dragons", options=options, tables=table,
                  dragon_1="0303", flamethrower_1="0404", knight_1="0406", knight_2="0905")  # fmt: skip
    far = {"shooters": ["dragons-dragon-1"], "target": "knights-knight-2", "die": 1}
    assert refused(GAME, state, "dragons", "shoot", **far).rule == "Z12"
    assert not shoot(state, "knights-knight-1", "dragons-dragon-1", die=1).counters["knights-knight-1"].out
    together = shoot(state, "knights-knight-1", "dragons-dragon-1", "dragons-flamethrower-1", die=1)
    assert together.counters["knights-knight-1"].out


def test_z12_parts_of_flames_that_make_a_whole_one_are_one_whatever_computers_make_of_tenths() -> None:
    rows = {"1": [0.1] * 6, "2": [0.2] * 6, "3": [0.7] * 6}
    options = {"combat_results": "table"}
    state = field("knights", "dragons", phase="engagements", turn="dragons", options=options, tables={"flames": rows},
                  dragon_1="0403", dragon_2="0404", flamethrower_1="0405", knight_1="0406")  # fmt: skip
    three = [f"dragons-{one}" for one in ("dragon-1", "dragon-2", "flamethrower-1")]
    assert not shoot(state, "knights-knight-1", *three[:2], die=1).counters["knights-knight-1"].out
    assert shoot(state, "knights-knight-1", *three, die=1).counters["knights-knight-1"].out


def test_z12_flames_fly_over_the_maps_edge() -> None:
    wrapped = read_map({**MAP, "bridges": [], "wraps": [["0205", "1105"]]})
    state = dragons(dragon_1="0405", knight_1="1105")
    state = replace(state, world=wrapped, phase="engagements")
    assert shoot(state, "knights-knight-1", "dragons-dragon-1", hit=True).counters["knights-knight-1"].out
    assert distance(wrapped, NAMES["0405"], NAMES["1105"]) == distance(wrapped, NAMES["1105"], NAMES["0405"]) == 3


def test_z12_a_dragon_flames_before_or_after_moving_and_a_flamethrower_only_after() -> None:
    state = dragons(dragon_1="0303", flamethrower_1="0304", knight_1="0406")
    early = {"shooters": ["dragons-flamethrower-1"], "target": "knights-knight-1", "hit": True}
    assert refused(GAME, state, "dragons", "shoot", **early).rule == "Z12"
    state = shoot(state, "knights-knight-1", "dragons-dragon-1", hit=False)
    state = go(state, "dragons-dragon-1", "0302")
    again = {"shooters": ["dragons-dragon-1"], "target": "knights-knight-1", "hit": True}
    assert refused(GAME, nexts(state, 1), "dragons", "shoot", **again).rule == "Z6"


def test_z12_weapons_are_not_mixed_and_arrows_do_not_add_up() -> None:
    state = field(
        phase="engagements", archer_1="0804", archer_2="0904", sorcerer_1="0906", monk_1="0905", rider_1="1107"
    )
    both = {"target": "monks-monk-1", "hit": True}
    assert (
        refused(GAME, state, "knights", "shoot", shooters=["knights-archer-1", "knights-archer-2"], **both).rule
        == "Z12"
    )
    assert (
        refused(GAME, state, "knights", "shoot", shooters=["knights-archer-1", "knights-sorcerer-1"], **both).rule
        == "Z12"
    )
    infantry = {"shooters": ["knights-infantry-1"], "target": "monks-monk-1", "hit": True}
    refused(GAME, state, "knights", "shoot", **infantry)


def test_z12_a_serpent_goes_on_charging_along_its_line() -> None:
    state = dragons(serpent_1="1002", knight_1="1004", knight_2="1006", knight_3="0206")
    state = nexts(go(state, "dragons-serpent-1", "1003", target="knights-knight-1"), 1)
    onward: dict[str, Any] = {"counter": "dragons-serpent-1", "path": ["1004", "1005"], "target": "knights-knight-2"}
    assert refused(GAME, state, "dragons", "charge_on", **onward).rule == "Z12"
    state = fight(state, "defender_out", "knights-knight-1", "dragons-serpent-1")
    assert refused(GAME, state, "dragons", "charge_on", **{**onward, "path": ["0904"]}).rule == "Z12"
    state = act(GAME, state, "dragons", "charge_on", **onward)
    assert on(state, "dragons-serpent-1") == "1005"
    assert fight(state, "none", "knights-knight-2", "dragons-serpent-1").acted == {"dragons-serpent-1"}


def charging(*terrain: tuple[int, int, str], **places: str) -> ZargoState:
    """A serpent that came straight down the eastern edge to 1003 and won; some hexes of its line of another terrain."""
    places = {"serpent_1": "1002", "knight_1": "1004", "knight_2": "1007", "knight_3": "0206", **places}
    state = dragons(**places)
    state = nexts(go(state, "dragons-serpent-1", "1003", target="knights-knight-1"), 1)
    state = fight(state, "defender_out", "knights-knight-1", "dragons-serpent-1")
    rows = [list(row) for row in state.world.terrain]
    for column, row, kind in terrain:
        rows[row - 1][column - 1] = kind
    return replace(state, world=replace(state.world, terrain=tuple(map("".join, rows))))


ONWARD: dict[str, Any] = {"counter": "dragons-serpent-1", "path": ["1004", "1005", "1006"],
                          "target": "knights-knight-2"}  # fmt: skip


def test_z9_a_serpent_that_charges_on_minds_the_terrain() -> None:
    """Three hexes are what it has left of five after one and one more; a wood costs two of them."""
    assert act(GAME, charging(), "dragons", "charge_on", **ONWARD).moved["dragons-serpent-1"].spent == 4
    wood = charging((10, 5, "w"))
    assert act(GAME, wood, "dragons", "charge_on", **ONWARD).moved["dragons-serpent-1"].spent == 5
    assert refused(GAME, charging((10, 5, "w"), (10, 4, "w")), "dragons", "charge_on", **ONWARD).rule == "Z12"
    for kind in ("^", "o"):
        assert refused(GAME, charging((10, 5, kind)), "dragons", "charge_on", **ONWARD).rule == "Z9"


def test_z10_a_serpent_does_not_charge_on_through_a_zone_of_influence() -> None:
    watched = charging(knight_3="0905")
    assert refused(GAME, watched, "dragons", "charge_on", **ONWARD).rule == "Z10"
    nearer = {**ONWARD, "path": ["1004"], "target": "knights-knight-3"}
    assert on(act(GAME, watched, "dragons", "charge_on", **nearer), "dragons-serpent-1") == "1004"


def test_z10_a_zone_is_back_when_its_counters_combat_is_over() -> None:
    state = charging(knight_3="0905", serpent_2="0805")
    state = replace(state, targets={"dragons-serpent-2": "knights-knight-3"})
    assert on(act(GAME, state, "dragons", "charge_on", **ONWARD), "dragons-serpent-1") == "1006"
    state = fight(state, "none", "knights-knight-3", "dragons-serpent-2")
    assert refused(GAME, state, "dragons", "charge_on", **ONWARD).rule == "Z10"


def test_z9_who_is_paralysed_in_a_chasm_is_nobodys_target() -> None:
    state = field(knight_1="0802", monk_1="0705")
    stuck = replace(state.counters["monks-monk-1"], stuck=2)
    state = replace(state, counters={**state.counters, "monks-monk-1": stuck})
    assert no(state, "knights-knight-1", "0803", "0804", target="monks-monk-1") == "Z9"


def test_z9_counters_are_not_placed_in_a_sea_that_belongs_to_a_continent() -> None:
    """Whoever draws a map may number a bay with the land around it."""
    bay = ["111111333333", *CONTINENTS[1:]]
    state = replace(GAME.start({"players": {"knights": "Ann", "monks": "Ben"}, "map": {**MAP, "continents": bay},
                                "forces": FEW}), phase="rest")  # fmt: skip
    state = act(GAME, state, "knights", "place_rest")
    placed = [c.place for c in state.counters.values() if c.place != OFF]
    assert placed
    assert all(state.world.at(place) != "~" for place in placed)


def besieged(*inside: str, options: dict[str, str] | None = None, tables: Any = None, **outside: str) -> ZargoState:
    """The monks' first city on 0904 with these counters of theirs in it, Knights outside."""
    places = {"knight_1": "0804", "knight_2": "0903", "rider_2": "1107", **outside}
    state = field(phase="engagements", cities={"monks-city-1": "0904"}, options=options, tables=tables, **places)
    held = {n: replace(state.counters[n], place=NAMES["0904"], hidden=True) for n in inside}
    return replace(state, counters={**state.counters, **held})


def siege(state: ZargoState, *attackers: str, **more: Any) -> ZargoState:
    done: ZargoState = act(GAME, state, "knights", "siege", attackers=list(attackers), city="monks-city-1", **more)
    return done


ONE, TWO = "knights-knight-1", "knights-knight-2"


def test_z15_an_empty_city_is_conquered_at_once() -> None:
    state = siege(besieged(), ONE)
    assert state.cities["monks-city-1"].owner == "knights"
    assert z16_cities(state) == {"knights": 5, "monks": 3}


def test_z15_as_many_besiegers_as_counters_in_the_city() -> None:
    state = besieged("monks-monk-1", "monks-rider-1", options={"garrison_size": "shown"})
    assert refused(GAME, state, "knights", "siege", attackers=[ONE], city="monks-city-1", result="none").rule == "Z15"
    assert siege(state, ONE, TWO, result="none").acted == {ONE, TWO}


def test_z15_too_few_besiegers_of_a_hidden_garrison_reveal_it_and_do_not_fight() -> None:
    """Nobody is told beforehand how many stand in the city, not even by a refusal."""
    state = besieged("monks-monk-1", "monks-rider-1")
    assert GAME.view(state)["cities"] == GAME.view(besieged("monks-monk-1"))["cities"]
    after = siege(state, ONE, result="defender_out")
    assert after.cities["monks-city-1"].owner == "monks"
    assert after.acted == {ONE}
    assert not any(after.counters[n].hidden for n in ("monks-monk-1", "monks-rider-1"))
    assert refused(GAME, after, "knights", "siege", attackers=[TWO], city="monks-city-1", result="none").rule == "Z15"


def test_z15_the_garrison_is_revealed_before_the_result_is_told() -> None:
    state = siege(besieged("monks-monk-1"), ONE)
    assert [c["counter"] for c in GAME.view(state)["counters"] if c["team"] == "monks"] == [
        "monks-monk-1",
        "monks-rider-2",
    ]
    assert state.acted == frozenset()
    state = siege(state, ONE, result="defender_out")
    assert state.counters["monks-monk-1"].out
    assert state.cities["monks-city-1"].owner == "knights"


def test_z15_besiegers_found_too_weak_are_eliminated() -> None:
    table = {"combats": {"0": ["none"] * 6}}
    state = besieged("monks-monk-1", options={"combat_results": "table"}, tables=table)
    state = replace(state, factors={**state.factors, "monks-monk": (5, 4)})
    assert siege(state, ONE, TWO, die=1).acted == {ONE, TWO}, "4 against 4 is in the table"
    weak = siege(state, ONE, die=1)
    assert weak.counters[ONE].out
    assert weak.cities["monks-city-1"].owner == "monks"


def test_z15_an_attack_below_the_tables_lowest_difference_is_forbidden() -> None:
    table = {"combats": {"1": ["none"] * 6}}
    state = field(
        phase="engagements", options={"combat_results": "table"}, tables=table, knight_1="0805", monk_1="0905"
    )
    told = {"attackers": [ONE], "target": "monks-monk-1", "die": 1}
    assert refused(GAME, state, "knights", "combat", **told).rule == "Z15"


def test_z15_shots_do_not_reach_into_a_city_but_out_of_it() -> None:
    state = besieged("monks-illusionist-1", archer_1="0905")
    told = {"shooters": ["knights-archer-1"], "target": "monks-illusionist-1", "hit": True}
    assert refused(GAME, state, "knights", "shoot", **told).rule == "Z15"
    mine = replace(state, turn=1)
    assert shoot(mine, ONE, "monks-illusionist-1", hit=True).counters[ONE].out


def test_z15_the_besieged_may_attack_some_of_the_besiegers() -> None:
    state = replace(besieged("monks-monk-1", "monks-rider-1"), turn=1)
    assert fight(state, "defender_out", ONE, "monks-monk-1").counters[ONE].out


def test_z15_an_enemys_city_is_no_way_and_an_own_one_holds_four() -> None:
    state = replace(besieged("monks-monk-1"), phase="moves")
    assert no(state, ONE, "0904") == "Z15"
    four = ("monks-monk-1", "monks-monk-2", "monks-rider-1", "monks-illusionist-1")
    mine = replace(besieged(*four, knight_1="0206", knight_2="0207", monks__infantry_1="0905"), phase="moves", turn=1)
    assert no(mine, "monks-infantry-1", "0904") == "Z4"
    three = replace(
        besieged(*four[:3], knight_1="0206", knight_2="0207", monks__infantry_1="0905"), phase="moves", turn=1
    )
    assert go(three, "monks-infantry-1", "0904").counters["monks-infantry-1"].hidden


def test_z4_a_counter_that_leaves_its_city_is_turned_over() -> None:
    mine = replace(besieged("monks-monk-1"), phase="moves", turn=1)
    assert not go(mine, "monks-monk-1", "1004").counters["monks-monk-1"].hidden


def test_z4_who_besieges_a_city_from_its_own_is_turned_over() -> None:
    state = besieged("monks-monk-1")
    own = replace(state.cities["knights-city-1"], place=NAMES["0804"])
    inside = replace(state.counters[ONE], hidden=True)
    state = replace(state, cities={**state.cities, "knights-city-1": own}, counters={**state.counters, ONE: inside})
    assert not siege(state, ONE, result="none").counters[ONE].hidden


def test_z19_where_agreed_an_emptied_city_must_be_entered() -> None:
    state = siege(besieged("monks-monk-1", options={"emptied_city": "must_be_entered"}), ONE, result="defender_out")
    assert state.cities["monks-city-1"].owner == ""
    state = go(replace(state, phase="moves", acted=frozenset()), ONE, "0904")
    assert state.cities["monks-city-1"].owner == "knights"


def test_z4_nobody_learns_by_walking_in_whether_somebody_stands_in_a_city() -> None:
    """A city that must be entered is one that a siege has found empty, or emptied."""
    agreed = {"emptied_city": "must_be_entered"}
    for inside in ((), ("monks-monk-1",)):
        state = replace(besieged(*inside, options=agreed), phase="moves")
        assert no(state, ONE, "0904") == "Z15"
        assert not any(m.data.get("path") == ["0904"] for m in GAME.moves(state, "knights"))
    found = siege(besieged(options=agreed), ONE)
    assert on(go(replace(found, phase="moves", acted=frozenset()), ONE, "0904"), ONE) == "0904"


def test_z15_a_garrison_that_the_table_sends_back_holds() -> None:
    """The die that was thrown counts: no other may be told until one pleases."""
    table = {"combats": {"-4": ["defender_back"] * 6}}
    held = siege(besieged("monks-monk-1", options={"combat_results": "table"}, tables=table), ONE, TWO, die=3)
    assert held.acted == {ONE, TWO}
    assert held.cities["monks-city-1"].owner == "monks"
    assert not held.retreats


def test_z18_a_siege_without_a_table_tells_nothing_of_the_garrison() -> None:
    for inside in ((), ("monks-monk-1",), ("monks-monk-1", "monks-rider-1")):
        state = besieged(*inside, options={"combat_results": "table"})
        assert refused(GAME, state, "knights", "siege", attackers=[ONE], city="monks-city-1", die=1).rule == "Z18"


# -- tables and map (Z2, Z18) ------------------------------------------------------------------------------------------


def test_z18_the_tables_are_empty_until_they_are_typed_in() -> None:
    assert read_tables(None) == Tables()
    state = field(phase="engagements", options={"combat_results": "table"}, knight_1="0805", monk_1="0905")
    told = {"attackers": [ONE], "target": "monks-monk-1", "die": 1}
    assert refused(GAME, state, "knights", "combat", **told).rule == "Z18"


def test_z18_tables_are_read_by_distance_and_by_difference_of_factors() -> None:
    told = {"arrows": {"1": [1, 1, 1, 0, 0, 0.5]}, "combats": {"-1": ["none"] * 6, "3": ["defender_out"] * 6}}
    combats = {-1: ("none",) * 6, 3: ("defender_out",) * 6}
    assert read_tables(told) == Tables({"arrows": {1: (1.0, 1.0, 1.0, 0.0, 0.0, 0.5)}}, combats)


@pytest.mark.parametrize("told", [[], {"spells": {}}, {"arrows": {"x": [1] * 6}},
                                  {"combats": {"--5": ["none"] * 6}}, {"arrows": {"1": [1] * 5}},
                                  {"arrows": {"1": [2] * 6}}, {"combats": {"1": ["win"] * 6}}])  # fmt: skip
def test_z18_wrong_tables_are_refused(told: Any) -> None:
    with pytest.raises(MalformedAction, match="Z18"):
        read_tables(told)


def test_z18_differences_beyond_the_table_use_its_last_row() -> None:
    tables = read_tables({"combats": {"0": ["none"] * 6, "2": ["defender_out"] * 6}})
    assert [combat_row(tables, d) is not None for d in (-1, 0, 1, 9)] == [False, True, True, True]


@pytest.mark.parametrize("told", [{}, {"terrain": ["xx"], "continents": ["00"]},
                                  {"terrain": ["..", "."], "continents": ["11", "1"]},
                                  {"terrain": [".."], "continents": ["1"]}, {**MAP, "bridges": [["0101", "0202"]]},
                                  {**MAP, "wraps": ["0202"]}, "hexes"])  # fmt: skip
def test_z2_a_wrong_map_is_refused(told: Any) -> None:
    with pytest.raises(MalformedAction):
        read_map(told)


def test_z18_the_house_map_has_room_for_every_people_on_one_continent() -> None:
    world = default_map()
    for number in (1, 2, 3, 4):
        land = sum(1 for n in range(world.hexes) if world.continent(n) == number)
        assert land >= max(sum(f.values()) for f in FORCES.values()) - 16 + 4


# -- the end (Z16, Z19) ------------------------------------------------------------------------------------------------


def ended(owners: dict[str, str], **options: str) -> ZargoState:
    state = field("knights", "dragons", "monks", options=options, knight_1="0404", monk_1="0904", dragon_1="0206")
    cities = {n: replace(c, owner=owners.get(n, c.owner)) for n, c in state.cities.items()}
    return replace(state, cities=cities, phase="over")


def winners(state: ZargoState) -> tuple[str, ...]:
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.winners


def test_z16_most_cities_win_whatever_counters_are_left() -> None:
    assert winners(ended({"monks-city-1": "knights"})) == ("knights",)


def test_z19_equal_cities_share_the_victory_or_nobody_wins() -> None:
    assert winners(ended({})) == ("knights", "dragons", "monks")
    nobody = ended({}, tie="nobody")
    assert winners(nobody) == ()
    outcome = GAME.outcome(nobody)
    assert outcome is not None
    assert outcome.reason.en.endswith("equal at 4 cities, nobody wins.")
    assert outcome.reason.fr.endswith("personne ne gagne.")


def test_z19_allies_win_together_only_where_agreed() -> None:
    for choice, expected in (("no", ("dragons",)), ("yes", ("knights", "monks"))):
        state = ended({"monks-city-1": "dragons"}, alliances_win_together=choice)
        assert winners(replace(state, alliances=frozenset({("knights", "monks")}))) == expected


def test_z19_a_people_without_counters_plays_no_turn_and_keeps_its_cities() -> None:
    state = field(phase="engagements", knight_1="0404", monk_1="0904")
    gone = {n: replace(c, out=True, place=OFF) if c.people == "monks" else c for n, c in state.counters.items()}
    state = nexts(replace(state, counters=gone), 1)
    assert (state.people, state.month) == ("knights", 2)
    assert z16_cities(state)["monks"] == 4
    loses = replace(state, options={**state.options, "eliminated_player": "loses_cities"})
    assert z16_cities(loses)["monks"] == 0


def test_z19_two_players_may_agree_on_eight_cities_each() -> None:
    assert len(begun(options={"cities_at_two": "eight"}).cities) == 16
