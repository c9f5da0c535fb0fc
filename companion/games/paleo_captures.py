"""Captures (P13-P16, P20, P21, P33, P37), one function a rule."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Text
from companion.games.paleo_case import Case, Happening, p16_captor
from companion.games.paleo_moments import PawnTouch, Place
from companion.games.paleo_questions import Asked, first_touched_question, in_camp_question
from companion.games.paleo_state import SheetTeam, distance, may_capture, role_in
from companion.games.paleo_words import both, listed, team_text

UNTAKEN = {  # by the rule for which a pawn that was touched is not captured
    "P13": (
        "{pawn} was touched, but is captured already: nothing happens.",
        "{pawn} a été touché, mais il est déjà capturé : il ne se passe rien.",
    ),
    "P21": (
        "{pawn} was touched, but was just put back in its camp: nothing happens.",
        "{pawn} a été touché, mais vient d’être replacé dans son camp : il ne se passe rien.",
    ),
    "P20": (
        "{pawn} was touched, but entered a Sanctuary: it is saved.",
        "{pawn} a été touché, mais est entré dans un Sanctuaire : il est sauvé.",
    ),
    "P14": (
        "{pawn} stays: in its base camp only the first pawn touched is captured.",
        "{pawn} reste : dans son camp de base, seul le premier pion touché est capturé.",
    ),
}


def p15_direct_touches(case: Case) -> tuple[PawnTouch, ...]:
    """P15: only direct touches of the pawn that is played, on opponents still in play, count."""
    pawns, side = case.state.pawns, case.side
    return tuple([t for t in case.shot.direct if pawns[t.key].team != side and not pawns[t.key].captured])


def p13_captures(case: Case) -> list[Happening]:
    """P13: a played Mercenary captures the opponents that it touches; Explorers never capture."""
    touched = [t for t in p15_direct_touches(case) if not p21_immune(case, t.key)]
    if not touched or not may_capture(case.role(case.shot.flicked)):
        return []
    if p37_captures_are_lost(case):
        return []
    saved = p20_saved(case)
    inside = p33_inside(case, touched)
    first = p14_first_in_camp(case, inside)
    mercenary = case.name(case.shot.flicked)
    found = []
    for touch in touched:
        if touch.key in saved or (touch in inside and touch.key not in first):
            continue
        found.append(_capture_by_touch(case, touch, inside, mercenary))
    return found


def _capture_by_touch(case: Case, touch: PawnTouch, inside: list[PawnTouch], mercenary: Text) -> Happening:
    name, pawns = case.name(touch.key), case.state.pawns
    if touch in inside and sum(pawns[t.key].team == pawns[touch.key].team for t in inside) > 1:
        text = both(
            "{pawn} captured: of those touched in their base camp by {by}, the first.",
            "{pawn} capturé : le premier touché dans son camp de base par {by}.",
            pawn=name,
            by=mercenary,
        )
        return Happening(touch.t, 0, "capture", touch.key, rules=("P13", "P14", "P15"), because=text)
    where = Text(", outside its camp", ", hors de son camp")
    if touch in inside:
        where = Text(", in its base camp, alone", ", dans son camp de base, seul")
    elif not place_known(case, touch):
        where = Text("", "")
    text = both(
        "{pawn} captured: touched directly by {by}{where}.",
        "{pawn} capturé : touché directement par {by}{where}.",
        pawn=name,
        by=mercenary,
        where=where,
    )
    return Happening(touch.t, 0, "capture", touch.key, rules=("P13", "P15"), because=text)


def p14_first_in_camp(case: Case, inside: list[PawnTouch]) -> set[str]:
    """P14: of several touched in their base camp only the first is captured, in each camp; where the order cannot be
    told, the one nearest to the Mercenary after the shot. Raises Asked where nobody knows that either."""
    pawns = case.state.pawns
    camps = dict.fromkeys(pawns[t.key].team for t in inside)
    return {_first_of(case, [t for t in inside if pawns[t.key].team == camp], camp) for camp in camps}


def _first_of(case: Case, inside: list[PawnTouch], camp: str) -> str:
    tie_s = case.state.options.touch_tie_ms / 1000
    tied = [t for t in inside if t.t == inside[0].t or t.t - inside[0].t < tie_s]
    if len(tied) == 1:
        return inside[0].key
    about = case.shot.flicked if len(case.state.sheet.teams) == 2 else camp
    answer = case.answers.get(f"first_touched:{about}")
    if answer in [t.key for t in tied]:
        return str(answer)
    mercenary = case.shot.after.get(case.shot.flicked)
    near = [
        (distance(mercenary, case.shot.after[t.key]), t.key) for t in tied if t.key in case.shot.after and mercenary
    ]
    if not near:
        raise Asked(first_touched_question(case.state, case.shot.flicked, [t.key for t in tied], about))
    return min(near)[1]


def p33_inside(case: Case, touched: list[PawnTouch]) -> list[PawnTouch]:
    """P14, P33: those of the touched that were in their base camp; asked where nothing was seen or said.

    Raises Asked, and only where it matters, with two of one side touched: of those in camp only the first is captured.
    """
    pawns = case.state.pawns
    sides = [pawns[t.key].team for t in touched]
    for touch in touched:
        slot = f"in_camp:{touch.key}"
        if sides.count(pawns[touch.key].team) > 1 and not place_known(case, touch) and slot not in case.answers:
            raise Asked(in_camp_question(case.state, touch.key))
    return [t for t in touched if p33_in_own_camp(case, t)]


def _place(case: Case, touch: PawnTouch) -> Place | None:
    before = case.shot.before.get(touch.key, case.state.places.get(touch.key))
    return touch.place if case.state.options.camp_judged == "touch" else before


def place_known(case: Case, touch: PawnTouch) -> bool:
    """Whether it was seen where the pawn lay, or said whether it lay in its camp."""
    return case.shot.in_camp is not None or _place(case, touch) is not None


def p33_in_own_camp(case: Case, touch: PawnTouch) -> bool:
    """P33, house choice: whether a pawn counts as in its base camp, judged before the shot or where it was touched."""
    if case.shot.in_camp is not None:
        return touch.key in case.shot.in_camp
    place = _place(case, touch)
    if place is None:
        return case.answers.get(f"in_camp:{touch.key}") == "inside"
    team = case.state.sheet.team(case.state.pawns[touch.key].team)
    radius = case.state.sheet.puck_mm / 2
    margin = {"centre": 0.0, "whole": -radius, "part": radius}[case.state.options.camp_edge]
    return _in_camp(team, place, margin)


def _in_camp(team: SheetTeam, place: Place, margin_mm: float) -> bool:
    if team.camp_circle is not None:
        x, y, r = team.camp_circle
        return distance((x, y), place) <= r + margin_mm
    if team.camp_polygon is None:
        return False
    return _depth_in_polygon(team.camp_polygon, place) >= -margin_mm


def _depth_in_polygon(polygon: tuple[Place, ...], place: Place) -> float:
    """How deep a point lies in a polygon, mm; negative outside."""
    inside, nearest = False, float("inf")
    x, y = place
    for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
        length2 = (bx - ax) ** 2 + (by - ay) ** 2
        along = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2)) if length2 else 0.0
        nearest = min(nearest, distance(place, (ax + along * (bx - ax), ay + along * (by - ay))))
    return nearest if inside else -nearest


def p20_saved(case: Case) -> set[str]:
    """P20, P21: a pawn that entered a Sanctuary in this shot is saved, whoever pushed it in and when."""
    return {e.key for e in case.shot.entries}


def p21_immune(case: Case, key: str) -> bool:
    """P21: a pawn just put back in its base camp cannot be captured; touching it does nothing."""
    return key in case.state.immune


def p37_captures_are_lost(case: Case) -> bool:
    """P37, house choice: whether a Mercenary that leaves the board in its shot keeps its captures."""
    left = any(e.key == case.shot.flicked for e in case.shot.exits)
    return left and case.state.options.expelled_mercenary == "loses_captures"


def p16_expelled(case: Case) -> list[Happening]:
    """P16: a pawn that leaves the board is captured by its opponent (P36 and P21 as the table's options say)."""
    found = []
    options = case.state.options
    for leaving in case.shot.exits:
        if case.state.pawns[leaving.key].captured:
            continue
        name = case.name(leaving.key)
        if leaving.key in p20_saved(case) and options.entered_then_expelled == "saved":
            continue
        if (
            p21_immune(case, leaving.key)
            and case.state.pawns[leaving.key].team != case.side
            and options.immune_expelled == "returns"
        ):
            text = both(
                "{pawn} left the board, but cannot be captured in this turn: it goes back to its camp.",
                "{pawn} est sorti du plateau mais ne peut pas être capturé ce tour-ci : il retourne à son camp.",
                pawn=name,
            )
            found.append(Happening(leaving.t, 2, "returns", leaving.key, rules=("P16", "P21"), because=text))
            continue
        text = _expelled_text(case, leaving.key)
        found.append(Happening(leaving.t, 2, "capture", leaving.key, rules=("P16",), because=text))
    return found


def _expelled_text(case: Case, key: str) -> Text:
    """P16: who takes a pawn that left the board: its opponent; with more than two camps that side by its name (P39)."""
    if len(case.state.sheet.teams) == 2:
        captor = Text("its opponent", "l’adversaire")
    else:
        captor = team_text(p16_captor(case, key))
    return both(
        "{pawn} left the board: captured by {captor}.",
        "{pawn} a quitté le plateau : capturé par {captor}.",
        pawn=case.name(key),
        captor=captor,
    )


def untaken_lines(case: Case) -> list[tuple[Text, tuple[str, ...]]]:
    """Sentences for touches that captured nothing, so that nobody wonders. Raises Asked where a capture would, too."""
    touches, gone = p15_direct_touches(case), _captured_before(case)
    if not touches and not gone:
        return []
    role = role_in(case.state, case.shot, case.shot.flicked)
    if not may_capture(role):
        return [(_explorer_touched(case, touches), ("P13",))] if role == "explorer" and touches else []
    inside = p33_inside(case, [t for t in touches if not p21_immune(case, t.key)])
    first, saved = p14_first_in_camp(case, inside), p20_saved(case)
    lines: list[tuple[Text, tuple[str, ...]]] = [
        (both(*UNTAKEN["P13"], pawn=case.name(touch.key)), ("P13",)) for touch in gone
    ]
    for touch in touches:
        if p21_immune(case, touch.key):
            rule = "P21"
        elif touch.key in saved:
            rule = "P20"
        elif touch in inside and touch.key not in first:
            rule = "P14"
        else:
            continue
        lines.append((both(*UNTAKEN[rule], pawn=case.name(touch.key)), (rule,)))
    return lines


def _captured_before(case: Case) -> list[PawnTouch]:
    """P13: touches of opponents that were captured before the shot: one is told wrongly, or was not taken away."""
    pawns = case.state.pawns
    return [t for t in case.shot.direct if pawns[t.key].team != case.side and pawns[t.key].captured]


def _explorer_touched(case: Case, touches: Sequence[PawnTouch]) -> Text:
    return both(
        "{pawn} touched {others}: Explorers do not capture.",
        "{pawn} a touché {others} : les Explorateurs ne capturent pas.",
        pawn=case.name(case.shot.flicked),
        others=listed([case.name(t.key) for t in touches]),
    )
