"""A game's view as lines of text: boards as grids, players with what they have."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.base import Json


def lines_of(view: Json) -> Iterator[str]:
    """What a terminal shows of a view: the phase, the board where there is one, and every player."""
    yield f"-- {view['game']}: {view['phase']}, {view.get('round', 0)}"
    boards = {"armadora": _armadora, "sacrifice": _sacrifice, "zargo": _zargo, "paper_tales": _paper_tales}
    if view["game"] in boards:
        yield from boards[view["game"]](view)
    for player in view["players"]:
        known = ("points", "gold", "character", "warriors_left", "stock", "powers", "force", "income", "walls_left",
                 "on_board", "graveyard", "counters_left", "passed", "ready", "pawns_on_board", "keys")  # fmt: skip
        told = [f"{k} {player[k]}" for k in known if player.get(k) not in (None, [], False, 0) or k == "points"]
        yield f"   {player['team']} ({player['name']}): {', '.join(told)}"


def _armadora(view: Json) -> Iterator[str]:
    laid, columns = set(view["palisades"]), "abcdefgh"
    yield "     " + "   ".join(columns)
    for row in range(1, 6):
        cells, below = "", ""
        for n, column in enumerate(columns):
            here = f"{column}{row}"
            cells += f"{_square(view, here):>3}" + ("|" if f"{here}-{columns[n + 1 : n + 2]}{row}" in laid else " ")
            below += ("---" if f"{here}-{column}{row + 1}" in laid else "   ") + " "
        yield f"  {row} {cells}"
        if row < 5:
            yield f"    {below}"
    for n, area in enumerate(view["territories"], 1):
        if len(view["territories"]) > 1:
            shares = ", ".join(f"{k} {v}" for k, v in (area["shares"] or {}).items()) or area["how"]
            what = f"{area['squares'][0]}…, {len(area['squares'])} squares, gold {area['gold']}"
            yield f"   territory {n}: {what}: {shares}"


def _square(view: Json, name: str) -> str:
    if name in view["mines"]:
        return f"${view['mines'][name]}"
    warrior = view["warriors"].get(name)
    return f"{warrior['team'][:1].upper()}{warrior['value'] or '?'}" if warrior else "."


def _sacrifice(view: Json) -> Iterator[str]:
    board = view["board"]
    letters = "abcdefghijklmnop"[: board["columns"]]
    pieces = {p["square"]: p for p in view["pieces"] if p["square"]}
    minerals = {m["square"]: m for m in view["minerals"]}
    first = view["players"][0]["team"]
    yield "     " + "  ".join(letters)
    for row in range(1, board["rows"] + 1):
        cells = []
        for column in letters:
            here = f"{column}{row}"
            piece = pieces.get(here)
            mark = piece["kind"][:2] if piece else " ."
            mark = mark.upper() if piece and piece["team"] == first else mark
            cells.append(mark + ("*" if here in minerals else " "))
        yield f"  {row:2d} {''.join(cells)} {board['zones'][f'a{row}']}"
    if view["walls"]:
        yield "   walls " + ", ".join(view["walls"])
    if view["question"]:
        yield f"   {view['question']['team']}: {view['question']['text']['en']}"
    yield f"   points left: {view['movement_points']}"


def _zargo(view: Json) -> Iterator[str]:
    for city in view["cities"]:
        if city["hex"]:
            garrison = "?" if city["garrison"] is None else city["garrison"]
            yield f"   {city['city']} at {city['hex']}: {city['owner'] or 'nobody'}, garrison {garrison}"
    places: dict[str, list[str]] = {}
    for counter in view["counters"]:
        places.setdefault(counter["team"], []).append(f"{counter['counter'].partition('-')[2]} {counter['hex']}")
    for people, where in places.items():
        yield f"   {people}: {', '.join(where)}"


def _paper_tales(view: Json) -> Iterator[str]:
    for player in view["players"]:
        for row, front in (("front", True), ("back", False)):
            cards = [f"{u['card']}({u['age']})" for u in player["units"] if u["front"] is front]
            yield f"   {player['team']} {row}: {', '.join(cards) or '-'}"
        built = ", ".join(f"{name} {level}" for name, level in player["buildings"].items())
        yield f"   {player['team']} buildings: {built or '-'}"
        own = player.get("own")
        if own:
            for name in ("packet", "chosen", "hand"):
                yield f"   {name}: {', '.join(c['card'] for c in own[name]) or '-'}"
