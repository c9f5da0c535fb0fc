"""A game's view as lines of text: boards as grids, players with what they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import Any
from unicodedata import east_asian_width

from companion.games import GAMES
from companion.games.base import Json
from companion.play_words import Words

# what is shown of each player, where the game has it
OF_PLAYERS = ("points", "gold", "character", "warriors_left", "stock", "powers", "force", "income", "walls_left",
              "on_board", "graveyard", "counters_left", "passed", "ready", "pawns_on_board", "keys")  # fmt: skip
COUNTED = {"zargo": "cities"}  # what a game counts where it has no points of its own
NARROW = ("Na", "N", "A", "H")  # letters of one column
MARK = 3  # letters of a piece's kind: fewer would show a falcon and a fanatic alike


def lines_of(view: Json, words: Words) -> Iterator[str]:
    """What a terminal shows of a view: the phase, the board where there is one, and every player."""
    game, phase = view["game"], words.term(view["phase"])
    title = GAMES[game].title.fr if words.french and game in GAMES else game
    yield words("board.head", game=title, phase=phase, round=view.get("round", 0))
    boards = {"armadora": _armadora, "sacrifice": _sacrifice, "zargo": _zargo, "paper_tales": _paper_tales}
    if game in boards:
        yield from boards[game](view, words)
    for player in view["players"]:
        told = [_told(COUNTED.get(game, k) if k == "points" else k, player[k], words) for k in OF_PLAYERS
                if player.get(k) not in (None, [], False, 0) or k == "points"]  # fmt: skip
        seat = words.value(player["team"])
        yield "   " + words("board.player", seat=seat, name=player["name"], what=", ".join(told))


def _told(name: str, value: Any, words: Words) -> str:
    """One of a player's things; in French what is only so or not so is told by its name alone."""
    if words.french and value is True:
        return words.term(name)
    return f"{words.term(name)} {words.said(value)}"


def _armadora(view: Json, words: Words) -> Iterator[str]:
    laid, columns, marks = set(view["palisades"]), "abcdefgh", marks_of(view["players"])
    yield "     " + "   ".join(columns)
    for row in range(1, 6):
        cells, below = "", ""
        for n, column in enumerate(columns):
            here = f"{column}{row}"
            square = _square(view, here, marks)
            cells += f"{square:>3}" + ("|" if f"{here}-{columns[n + 1 : n + 2]}{row}" in laid else " ")
            below += ("---" if f"{here}-{column}{row + 1}" in laid else "   ") + " "
        yield f"  {row} {cells}"
        if row < 5:
            yield f"    {below}"
    if view["warriors"]:
        yield "   " + ", ".join(f"{mark} = {words.value(seat)}" for seat, mark in marks.items())
    for n, area in enumerate(view["territories"], 1):
        if len(view["territories"]) > 1:
            shares = ", ".join(f"{words.value(k)} {v}" for k, v in (area["shares"] or {}).items())
            told = {"n": n, "first": area["squares"][0], "count": len(area["squares"]), "gold": area["gold"]}
            yield "   " + words("board.territory", **told, shares=shares or words.term(area["how"]))


def marks_of(players: Sequence[Json]) -> dict[str, str]:
    """A letter for each seat, none twice: of the players' names, or else of their seats, or else from A on."""
    for field in ("name", "team"):
        letters = [str(player[field])[:1].upper() for player in players]
        plain = all(letter.isalpha() and len(letter) == 1 and east_asian_width(letter) in NARROW for letter in letters)
        if plain and len(set(letters)) == len(players):
            break
    else:
        letters = list(ascii_uppercase)
    return {player["team"]: letter for player, letter in zip(players, letters, strict=False)}


def _square(view: Json, name: str, marks: Mapping[str, str]) -> str:
    if name in view["mines"]:
        return f"${view['mines'][name]}"
    warrior = view["warriors"].get(name)
    return f"{marks[warrior['team']]}{warrior['value'] or '?'}" if warrior else "."


def _sacrifice(view: Json, words: Words) -> Iterator[str]:
    board = view["board"]
    letters = "abcdefghijklmnop"[: board["columns"]]
    pieces = {p["square"]: p for p in view["pieces"] if p["square"]}
    minerals = {m["square"]: m for m in view["minerals"]}
    first = view["players"][0]["team"]
    yield "     " + "   ".join(letters)
    for row in range(1, board["rows"] + 1):
        cells = []
        for column in letters:
            here = f"{column}{row}"
            piece = pieces.get(here)
            mark = words.term(piece["kind"])[:MARK] if piece else " . "
            mark = mark.upper() if piece and piece["team"] == first else mark
            cells.append(mark + ("*" if here in minerals else " "))
        yield f"  {row:2d} {''.join(cells)} {board['zones'][f'a{row}']}"
    if view["walls"]:
        yield "   " + words("board.walls", walls=", ".join(view["walls"]))
    if view["question"]:
        who, text = words.value(view["question"]["team"]), view["question"]["text"][words.language]
        yield "   " + words("board.question", who=who, text=words.spoken(text))
    yield "   " + words("board.points_left", points=view["movement_points"])


def _zargo(view: Json, words: Words) -> Iterator[str]:
    for city in view["cities"]:
        if city["hex"]:
            owner = words.value(city["owner"]) if city["owner"] else words("board.nobody")
            told = {"city": words.value(city["city"]), "hex": city["hex"], "owner": owner}
            yield "   " + words("board.city", **told, garrison="?" if city["garrison"] is None else city["garrison"])
    places: dict[str, list[str]] = {}
    for counter in view["counters"]:
        shown = words.value(counter["counter"])
        places.setdefault(counter["team"], []).append(f"{shown.partition('-')[2]} {counter['hex']}")
    for people, where in places.items():
        yield "   " + words("board.places", who=words.value(people), what=", ".join(where))


def _paper_tales(view: Json, words: Words) -> Iterator[str]:
    for player in view["players"]:
        who = words.value(player["team"])
        for row, front in (("front", True), ("back", False)):
            cards = [f"{words.value(u['card'])}({u['age']})" for u in player["units"] if u["front"] is front]
            yield "   " + words(f"board.{row}", who=who, what=", ".join(cards) or "-")
        built = ", ".join(f"{words.value(name)} {level}" for name, level in player["buildings"].items())
        yield "   " + words("board.buildings", who=who, what=built or "-")
        own = player.get("own")
        if own:
            for name in ("packet", "chosen", "hand"):
                cards = [words.value(c["card"]) for c in own[name]]
                yield "   " + words(f"board.{name}", what=", ".join(cards) or "-")
