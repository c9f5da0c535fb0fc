"""Random set-ups of every game, and what must hold in every position that random legal play reaches."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from companion.games import GAMES
from companion.games.armadora_board import territories
from companion.games.armadora_score import a8_account
from companion.games.armadora_state import PALISADES, ArmadoraState
from companion.games.paleo_state import PaleoState
from companion.games.paper_tales_cards import CARDS
from companion.games.paper_tales_deploy import t6_spots
from companion.games.paper_tales_state import PaperTalesState
from companion.games.sacrifice_board import elevation_of
from companion.games.sacrifice_state import DEAD, SacrificeState
from companion.games.sacrifice_walls import _touched
from companion.games.zargo_map import SEA
from companion.games.zargo_state import GARRISON, OFF, PEOPLES, ZargoState
from companion.games.zargo_tables import RESULTS
from tests.companion.paleo_table import SHEET, sheet_of_camps

SEATS = ("ann", "ben", "cid", "dan", "eve")
BY_TAPS = ("armadora", "paper_tales", "sacrifice", "zargo")
ALL_GAMES = ("paleo", *BY_TAPS)
CAP = {
    "paleo": 400,
    "armadora": 400,
    "paper_tales": 500,
    "sacrifice": 260,
    "zargo": 260,
}  # actions; longer matches are cut off
ARENA = {
    "terrain": ["~~~~~~~~~~~~", "~....~.....~", "~..^.~.....~", "~..^.......~", "~.w...o....~", "~.w........~",
                "~..........~", "~~~~~~~~~~~~"],
    "continents": ["000000000000", "011110333330", "011110333330", "011113333330", "022224444440", "022224444440",
                   "022224444440", "000000000000"],
    "bridges": [["0503", "0703"], ["0703", "0802"]],
}  # fmt: skip
FEW = {
    "knights": {"knight": 4, "infantry": 3, "sorcerer": 1, "archer": 2},
    "dragons": {"dragon": 2, "infantry": 3, "flamethrower": 2, "serpent": 3},
    "winged": {"winged": 2, "falcon": 2, "infantry": 3, "archer": 2},
    "monks": {"monk": 3, "infantry": 3, "rider": 3, "illusionist": 1},
}


def random_setup(name: str, seed: int) -> dict[str, Any]:
    """A set-up with everything that may vary drawn at random."""
    rng, game = Random(seed), GAMES[name]
    options = {o.name: rng.choice(o.choices) for o in game.options if rng.random() < 0.5}
    least, most = game.players
    if name == "paleo":
        return _random_paleo(rng, {**options, "kept_by": "taps"})
    if name == "zargo":
        seats = rng.sample(PEOPLES, rng.randint(2, 4))
        rows = {str(d): [rng.choice(RESULTS) for _ in range(6)] for d in range(-3, 9)}
        shots = {
            w: {str(d): [rng.random() for _ in range(6)] for d in range(1, 9)} for w in ("arrows", "flames", "visions")
        }
        more: dict[str, Any] = {"map": ARENA, "forces": FEW, "months": 6, "tables": {"combats": rows, **shots}}
        options.pop("cities_at_two", None)
    else:
        seats, more = list(SEATS[: rng.randint(least, most)]), {}
    if options.get("mines") == "own":
        more["mines"] = ["a1", "h1", "a5", "h5", "c3", "f3", "d2", "e4"]
    return {"players": {s: s.title() for s in seats}, "seed": seed, "options": options, **more}


def _random_paleo(rng: Random, options: dict[str, Any]) -> dict[str, Any]:
    """Two camps with one or two players each, or a board with three or four."""
    camps = rng.choice((2, 2, 2, 3, 4))
    sheet = SHEET if camps == 2 else sheet_of_camps(camps)
    names = {t["name"]: t["name"].title() for t in sheet["teams"]}
    players: dict[str, Any] = {t: [n, f"{n} II"] if camps == 2 and rng.random() < 0.4 else n for t, n in names.items()}
    return {"sheet": sheet, "players": players, "options": options}


def check_paleo(state: PaleoState) -> None:
    """P6, P22-P24, P28: 8 pawns a side, keys from opposing Sanctuaries, points by rounds only, immunity and turn."""
    for team in state.sheet.names:
        assert len(state.on_board(team)) + len(state.captured(team)) == 8
        assert set(state.keys_of(team)) <= set(state.sheet.opposing_doors(team))
        assert state.points[team] == sum(r.points for r in state.results if r.winner == team)
        assert not set(state.held_by(team)) & {k for k, p in state.pawns.items() if p.team == team}
    assert sum(len(state.held_by(team)) for team in state.sheet.names) == sum(p.captured for p in state.pawns.values())
    assert all((r.how, r.points) in {("door", 2), ("captures", 1)} for r in state.results)
    assert not any(state.pawns[k].captured for k in (*state.immune, *state.to_place, *state.resting))
    most = max(state.points.values())
    assert (state.winner is not None) == (most >= state.options.points_to_win) == (state.phase == "match_over")
    assert (state.turn is None) == (state.phase != "playing")
    assert state.turn is None or state.on_board(state.turn)


def check_armadora(state: ArmadoraState) -> None:
    """A6, A8, A17: territories of at least four squares, stocks that add up, and 40 gold at every moment."""
    areas = territories(state.east, state.south)
    if state.options["orc_palisade"] == "obeys_four":
        assert min(a.bit_count() for a in areas) >= 4
    assert sum(a.bit_count() for a in areas) == 40
    assert state.east.bit_count() + state.south.bit_count() == PALISADES - state.palisades
    assert not set(state.warriors) & set(state.gold)
    account = a8_account(state)
    assert sum(t.gold for t in account) == 40
    assert sum(sum(t.shares.values()) + t.left for t in account) == 40
    for t in account:
        assert sum(t.shares.values()) + t.left == t.gold
        assert sum(1 for s, w in state.warriors.items() if t.squares >> s & 1 and w.reinforced) <= 1 or state.advanced


def check_paper_tales(state: PaperTalesState) -> None:
    """T6, T11, T12: spots, gold, the explained score, and every card in one place."""
    for kingdom in state.kingdoms:
        assert kingdom.gold >= 0
        assert kingdom.score == sum(g.points for g in kingdom.gains) >= 0
        assert set(kingdom.buildings.values()) <= {1, 2}
        assert len(kingdom.units) <= t6_spots(state, kingdom)[2]
        assert all(u.age >= 0 for u in kingdom.units)
    if state.dealt:
        held = [c for k in state.kingdoms for c in (*k.packet, *k.chosen, *k.hand, *((k.kept,) if k.kept else ()),
                                                    *(u.card for u in k.units))]  # fmt: skip
        assert Counter([*held, *state.pile, *state.discard]) == Counter(CARDS)


def check_sacrifice(state: SacrificeState) -> None:
    """S5, S7, S9, S15, S19, S23: equal counts, one character a square, no three walls, two minerals, points."""
    if state.pending is None:
        assert len(state.alive(0)) == len(state.alive(1))
    squares = [p.square for p in state.pieces.values() if p.square != DEAD]
    assert len(squares) == len(set(squares))
    for piece in state.pieces.values():
        assert piece.square not in elevation_of(state.board, piece.side)
        assert piece.elevated == (piece.square in elevation_of(state.board, 1 - piece.side))
    assert max(Counter(m.square for m in state.minerals.values()).values()) <= 2
    assert 0 <= state.points <= 4
    assert all(len(_touched(state, line)) <= 1 for line in state.walls)
    assert len(state.walls) == 6 - sum(state.walls_left)


def check_zargo(state: ZargoState) -> None:
    """Z4, Z7-Z9, Z14-Z16: garrisons, stacks of escorts only, land, months, and cities that never get lost."""
    stacks: dict[int, list[str]] = {}
    for name, counter in state.counters.items():
        if counter.place != OFF:
            assert state.world.at(counter.place) != SEA
            assert not counter.out
            assert not counter.hidden or state.city_at(counter.place) is not None
            if not counter.vanished:
                stacks.setdefault(counter.place, []).append(name)
    for place, names in stacks.items():
        if state.city_at(place) is not None:
            assert len(names) <= GARRISON
        elif len(names) > 1:
            one, other = names
            assert other == state.counters[one].escorts or one == state.counters[other].escorts
    assert 0 <= state.month <= state.months
    assert all(c.owner in ("", *state.seats) for c in state.cities.values())
    assert all(0 <= c.stuck <= 3 for c in state.counters.values())


CHECKS: dict[str, Any] = {
    "paleo": check_paleo,
    "armadora": check_armadora,
    "paper_tales": check_paper_tales,
    "sacrifice": check_sacrifice,
    "zargo": check_zargo,
}
