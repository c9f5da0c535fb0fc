"""Reefs as the camera sees them, held against the rules of placing (P8, P25-P28): gentle notices, never a block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from companion.games.base import Json, Text, counted
from companion.games.paleo_case import say
from companion.games.paleo_moments import Place
from companion.games.paleo_outlines import Gap, Outline, between, corners, depth_in, to_edge
from companion.games.paleo_state import PaleoState, ReefNotice, ReefSheet, changed, distance
from companion.games.paleo_words import both, listed, team_text

REEFS_A_SIDE = 5  # P6
GAP_PAWNS = 1.5  # P26
OWN_HALF = 2  # P27
SEEN_MM = 3.0  # a camera sees a reef to about a millimetre and two degrees: what is closer to the limit is let be
MOVED_MM = 12.0  # a reef this far from where it lay has been moved: its own width, well beyond the camera's error
EDGE = -1  # the board's edge, among the numbers of reefs
ORDER_AT_TWO = Text("1-2-2-2-2-1", "1-2-2-2-2-1")  # P8
ORDER_AT_MORE = Text("1, then 2 each in turn", "1, puis 2 chacun à tour de rôle")  # P8, P39
PERMANENT = Text("a permanent one", "un récif permanent")

Reef = Mapping[str, Any]


def see_reefs(state: PaleoState, reefs: Sequence[Reef], entry: int = 0) -> PaleoState:
    """The state with the reefs that were seen, and what is amiss with them."""
    state = changed(state, reefs=tuple(reefs))
    if len(reefs) <= 1:
        state = changed(state, first_reef=str(reefs[0]["team"]) if reefs else None)
    if state.phase == "playing":
        state = p8_stay(state, entry)
    return changed(state, reef_notices=tuple(_notices(state)))


def _notices(state: PaleoState) -> Iterator[ReefNotice]:
    """What is amiss with the reefs that lie on the board, each with its rules; nothing on a board without reefs."""
    sheet = state.sheet.reefs
    if sheet is None or not state.reefs:
        return
    yield from p8_order(state)
    yield from p25_zones(state, sheet)
    yield from p26_gaps(state, sheet)
    yield from p27_own_half(state)


def p8_turns(state: PaleoState, first: str) -> list[tuple[str, int]]:
    """P8: who places how many in turn: 1-2-2-2-2-1 at two; with more camps the first 1, then everybody 2 in turn."""
    names, at = state.sheet.names, state.sheet.names.index(first)
    order = [*names[at:], *names[:at]]
    left = dict.fromkeys(order, REEFS_A_SIDE)
    turns = [(first, 1)]
    left[first] -= 1
    while any(left.values()):
        who = order[len(turns) % len(order)]
        turns.append((who, min(left[who], 2)))
        left[who] -= turns[-1][1]
    return turns


def _reached(state: PaleoState, first: str) -> int | None:
    """How many turns of placing are complete where `first` began; None where no order gives what lies there."""
    counts = dict.fromkeys(state.sheet.names, 0)
    found = {team: _count(state, team) for team in state.sheet.names}
    for n, (who, many) in enumerate(p8_turns(state, first)):
        if counts == found:
            return n
        if counts[who] < found[who] < counts[who] + many and all(
            found[t] == counts[t] for t in state.sheet.names if t != who
        ):
            return n
        counts[who] += many
    return len(p8_turns(state, first)) if counts == found else None


def p8_next(state: PaleoState) -> Json | None:
    """P8: whose turn it is to place reefs, and how many, while some are still to come; None where that is not known."""
    if state.sheet.reefs is None or state.phase not in ("placing", "round_over") or not state.reefs:
        return None
    begun = [team for team in state.sheet.names if _reached(state, team) is not None]
    if state.first_reef in begun:
        begun = [str(state.first_reef)]
    nexts = set()
    for first in begun:
        turns, reached = p8_turns(state, first), _reached(state, first)
        assert reached is not None
        if reached < len(turns):
            who, many = turns[reached]
            placed = sum(n for t, n in turns[:reached] if t == who)
            nexts.add((who, placed + many - _count(state, who)))
    if len(nexts) != 1:
        return None
    ((who, many),) = nexts
    text = both(f"{{team}} places {many} more.", f"{{team}} en pose encore {many}.", team=team_text(who))
    return {"team": who, "reefs": many, **text.to_json()}


def p8_order(state: PaleoState) -> Iterator[ReefNotice]:
    """P6, P8: reefs are placed 1-2-2-2-2-1, five a side; whoever begins. P39: with more camps one, then two in turn."""
    if any(_reached(state, first) is not None for first in state.sheet.names):
        return
    counts = [
        both(f"{{team}} {_count(state, t)}", f"{{team}} {_count(state, t)}", team=team_text(t))
        for t in state.sheet.names
    ]
    order = ORDER_AT_TWO if len(state.sheet.names) == 2 else ORDER_AT_MORE
    text = both(
        "Reefs placed: {counts}. The order is {order}, five a side.",
        "Récifs posés : {counts}. L’ordre est {order}, cinq par camp.",
        counts=listed(counts),
        order=order,
    )
    yield ReefNotice(text, ("P6", "P8"))


def p8_stay(state: PaleoState, entry: int) -> PaleoState:
    """P8: reefs keep their places all round; one that was moved is told, once."""
    moved = _moved(state.laid, state.reefs)
    if not moved:
        return state
    text = both(
        "A reef of {team} was moved during the round; reefs stay where they are.",
        "Un récif de {team} a été déplacé pendant la manche ; les récifs ne bougent pas.",
        team=team_text(str(moved[0]["team"])),
    )
    return say(changed(state, laid=state.reefs), entry, text, "P8")


def p30_kept_or_moved(state: PaleoState, entry: int) -> PaleoState:
    """P9, P30: whether reefs are kept between rounds is the players' choice, unless the table chose beforehand."""
    how, again = state.options.reefs_kept, bool(state.results) and bool(state.laid) and bool(state.reefs)
    moved = _moved(state.laid, state.reefs) if again else []
    if again and how == "kept" and moved:
        text = Text(
            "The table keeps its reefs between rounds, but one was moved.",
            "La table garde ses récifs d’une manche à l’autre, mais l’un d’eux a bougé.",
        )
        return say(state, entry, text, "P9", "P30")
    if again and how == "moved" and not moved:
        text = Text(
            "The table places its reefs anew in every round, but they lie as before.",
            "La table repose ses récifs à chaque manche, mais ils n’ont pas bougé.",
        )
        return say(state, entry, text, "P8", "P30")
    return state


def _moved(before: Sequence[Reef], now: Sequence[Reef]) -> list[Reef]:
    """The reefs that lay elsewhere before; none of a side that has not as many as before, as hands may hide some."""
    found = []
    for team in dict.fromkeys(r["team"] for r in before):
        old = [(r["x_mm"], r["y_mm"]) for r in before if r["team"] == team]
        new = [r for r in now if r["team"] == team]
        if len(old) == len(new):
            found += [r for r in new if min(distance((r["x_mm"], r["y_mm"]), place) for place in old) > MOVED_MM]
    return found


def p25_zones(state: PaleoState, sheet: ReefSheet) -> Iterator[ReefNotice]:
    """P25: no reef inside the dark blue lines; P39: in an advanced camp as the option has it."""
    closed = list(sheet.closed)
    if state.options.reefs_in_advanced_camps == "forbidden":
        closed += sheet.advanced
    for reef in state.reefs:
        outline = corners(reef, sheet)
        deep = max((depth_in(outline, circle, polygon) for circle, polygon in closed), default=0.0)
        if deep > SEEN_MM:
            text = both(
                f"A reef of {{team}} lies {deep:.0f} mm inside a line within which no reef may be placed.",
                f"Un récif de {{team}} est à {deep:.0f} mm à l’intérieur d’un trait où l’on ne peut pas en poser.",
                team=team_text(str(reef["team"])),
            )
            middle = (float(reef["x_mm"]), float(reef["y_mm"]))
            yield ReefNotice(text, ("P25",), (middle, middle), round(deep, 1), 0.0)


def p26_least(state: PaleoState) -> float:
    """P26, P38: a pawn and a half, mm."""
    pawn = state.sheet.puck_mm if state.options.reef_gap == "diameter" else state.sheet.puck_height_mm
    return GAP_PAWNS * pawn


def _outlines(state: PaleoState, sheet: ReefSheet) -> list[tuple[Text, Outline]]:
    placed = [(both("one of {team}", "un de {team}", team=team_text(str(r["team"]))), corners(r, sheet))
              for r in state.reefs]  # fmt: skip
    return placed + [(PERMANENT, polygon) for _, polygon in sheet.fixed if polygon]


def p26_gaps(state: PaleoState, sheet: ReefSheet) -> Iterator[ReefNotice]:
    """P4, P26, P38: at least a pawn and a half between two reefs, permanent ones too, and between reef and edge."""
    asked, own = p26_least(state), len(state.reefs)
    outlines = _outlines(state, sheet)
    for (n, one), (_, other) in combinations(enumerate(outlines), 2):
        gap = between(one[1], other[1]) if n < own else None
        if gap is not None and gap.mm < asked - SEEN_MM:
            text = both(
                f"A reef of {{team}} and {{other}} are {gap.mm:.0f} mm apart; a pawn and a half is {asked:.0f} mm.",
                f"Un récif de {{team}} et {{other}} sont à {gap.mm:.0f} mm ; il faut {asked:.0f} mm, un pion et demi.",
                team=team_text(str(state.reefs[n]["team"])),
                other=Text(other[0].en[:1].lower() + other[0].en[1:], other[0].fr[:1].lower() + other[0].fr[1:]),
            )
            yield ReefNotice(text, ("P26",), (gap.start, gap.end), round(gap.mm, 1), asked)
    for reef, (_, outline) in zip(state.reefs, outlines, strict=False):
        gap = to_edge(outline, state.sheet.size)
        if gap.mm < asked - SEEN_MM:
            text = both(
                f"A reef of {{team}} is {gap.mm:.0f} mm from the board's edge; a pawn and a half is {asked:.0f} mm.",
                f"Un récif de {{team}} est à {gap.mm:.0f} mm du bord ; il faut {asked:.0f} mm, un pion et demi.",
                team=team_text(str(reef["team"])),
            )
            yield ReefNotice(text, ("P26",), (gap.start, gap.end), round(gap.mm, 1), asked)


def gaps(state: PaleoState) -> list[Json]:
    """P26: for every placed reef its narrowest gap, as the board's drawing shows it while reefs are placed."""
    sheet = state.sheet.reefs
    if sheet is None or state.phase not in ("placing", "round_over"):
        return []
    asked, outlines, size = p26_least(state), _outlines(state, sheet), state.sheet.size
    found: dict[frozenset[int], tuple[Gap, str]] = {}  # two reefs that are each other's nearest share one gap
    for n, reef in enumerate(state.reefs):
        own = outlines[n][1]
        ways = [(between(own, other), m) for m, (_, other) in enumerate(outlines) if m != n]
        gap, m = min([*ways, (to_edge(own, size), EDGE)], key=lambda way: way[0].mm)
        found.setdefault(frozenset({n, m}), (gap, str(reef["team"])))
    return [
        {"team": team, "line": [list(gap.start), list(gap.end)], "mm": round(gap.mm, 1), "least_mm": asked,
         "legal": gap.mm >= asked - SEEN_MM}
        for gap, team in found.values()
    ]  # fmt: skip


def p27_own_half(state: PaleoState) -> Iterator[ReefNotice]:
    """P27: at least two own reefs in the own half; told once all of a side's reefs lie.

    The half, or with more camps the part, is what lies nearer to the own camp than to any other.
    """
    camps = {team: camp for team in state.sheet.names if (camp := _camp(state, team)) is not None}
    if len(camps) != len(state.sheet.names):
        return
    for team, mine in camps.items():
        others = [camp for name, camp in camps.items() if name != team]
        places = [(r["x_mm"], r["y_mm"]) for r in state.reefs if r["team"] == team]
        own = sum(distance(p, mine) <= min(distance(p, other) for other in others) + SEEN_MM for p in places)
        if len(places) >= REEFS_A_SIDE and own < OWN_HALF:
            text = both(
                f"{{team}} has {{reefs}} in its own half; at least {OWN_HALF} belong there.",
                f"{{team}} a {{reefs}} dans sa moitié ; il en faut au moins {OWN_HALF}.",
                team=team_text(team),
                reefs=counted(own, ("reef", "reefs"), ("récif", "récifs")),
            )
            yield ReefNotice(text, ("P27",))


def _count(state: PaleoState, team: str) -> int:
    return sum(r["team"] == team for r in state.reefs)


def _camp(state: PaleoState, team: str) -> Place | None:
    """The middle of a side's base camp."""
    sheet = state.sheet.team(team)
    if sheet.camp_circle is not None:
        return sheet.camp_circle[:2]
    points = sheet.camp_polygon or sheet.circles
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)) if points else None
