"""The rules of Paleo that a shot can trigger, one function a rule; each cites its id.

Order of events in one shot (P36): by their times. A rule that needs a player's word raises Asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.base import Text
from companion.games.paleo_questions import Asked, exchange_question, first_touched_question, which_pawn_question
from companion.games.paleo_shot import PawnEntry, PawnShot, PawnTouch
from companion.games.paleo_state import (
    LOG_LINES,
    LogLine,
    PaleoState,
    Place,
    RoundResult,
    SheetTeam,
    distance,
    may_capture,
    may_take_keys,
    role_of,
)
from companion.games.paleo_words import both, listed, pawn_text, sanctuary_text, team_text

POINTS_FOR_DOOR = 2  # P23
POINTS_FOR_CAPTURES = 1  # P23


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing in a shot that a rule speaks of: capture, entry or door, at its time."""

    t: float
    order: int
    what: str
    key: str
    door: str = ""
    rules: tuple[str, ...] = ()
    because: Text | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A shot to be ruled: the state before it, the shot in pawns, the answers given so far, its journal entry."""

    state: PaleoState
    shot: PawnShot
    answers: Mapping[str, Any]
    entry: int

    @property
    def side(self) -> str:
        return self.state.pawns[self.shot.flicked].team

    def name(self, key: str) -> Text:
        pawn = self.state.pawns[key]
        known = pawn.sure or key in self.shot.told or not self.state.sheet.team(pawn.team).numbered
        return pawn_text(pawn.team, pawn.label if known else "?", self.shot.role(self.state, key))

    def role(self, key: str) -> str:
        """The pawn's role, asked for where it is not known (P6)."""
        role = self.shot.role(self.state, key)
        if role is not None:
            return role
        raise Asked(which_pawn_question(self.state, key, self.shot.ids.get(key, key)))


def rule_shot(case: Case) -> PaleoState:
    """The state after the shot: captures, Sanctuaries, keys, the city's door, points and whose turn it is.

    Raises Asked where a player's word is needed first.
    """
    happenings = sorted(
        [*p13_captures(case), *p16_expelled(case), *p17_entries(case), *p22_door_at_rest(case)],
        key=lambda h: (h.t, h.order),
    )
    state = log_lines(replace(case.state, immune=frozenset()), case.entry, _untaken_lines(case))
    quiet = state
    for happening in happenings:
        if state.phase != "playing":
            break
        state = _apply(case, state, happening, happenings)
    if state is quiet:
        state = say(
            state,
            case.entry,
            both(
                "{pawn} was played; nothing was captured.",
                "{pawn} a été joué ; rien n'est capturé.",
                pawn=case.name(case.shot.flicked),
            ),
            "P11",
        )
    state = replace(state, places=_places_after(case), shots=state.shots + 1)
    state = p21_immunity_ends(case, state)
    return p11_next_turn(case, state)


def _apply(case: Case, state: PaleoState, happening: Happening, all_of_them: list[Happening]) -> PaleoState:
    if happening.what == "capture" and state.pawns[happening.key].captured:
        return state
    if happening.what == "capture":
        state = _capture(state, happening.key)
        assert happening.because is not None
        state = say(state, case.entry, happening.because, *happening.rules)
        return p23_last_pawn_captured(case, state, happening, all_of_them)
    if happening.what == "returns":
        state = _to_camp(state, happening.key)
        assert happening.because is not None
        return say(state, case.entry, happening.because, *happening.rules)
    if happening.what == "entry":
        return _entry(case, state, happening)
    return p23_door_opened(case, state, happening)


# -- captures ------------------------------------------------------------------------------------------


def p15_direct_touches(case: Case) -> tuple[PawnTouch, ...]:
    """P15: only direct touches of the pawn that is played, on opponents still in play, count."""
    pawns = case.state.pawns
    return tuple(t for t in case.shot.direct if pawns[t.key].team != case.side and not pawns[t.key].captured)


def p13_captures(case: Case) -> list[Happening]:
    """P13: a played Mercenary captures the opponents that it touches; Explorers never capture."""
    touched = [t for t in p15_direct_touches(case) if not p21_immune(case, t.key)]
    if not touched or not may_capture(case.role(case.shot.flicked)):
        return []
    if p37_captures_are_lost(case):
        return []
    saved = p20_saved(case)
    inside = [t for t in touched if p33_in_own_camp(case, t)]
    first = p14_first_in_camp(case, inside)
    mercenary = case.name(case.shot.flicked)
    found = []
    for touch in touched:
        if touch.key in saved or (touch in inside and touch.key != first):
            continue
        found.append(_capture_by_touch(case, touch, touch in inside, len(inside), mercenary))
    return found


def _capture_by_touch(case: Case, touch: PawnTouch, inside: bool, how_many: int, mercenary: Text) -> Happening:
    name = case.name(touch.key)
    if inside and how_many > 1:
        text = both(
            "{pawn} captured: of those touched in their base camp by {by}, the first.",
            "{pawn} capturé : le premier touché dans son camp de base par {by}.",
            pawn=name,
            by=mercenary,
        )
        return Happening(touch.t, 0, "capture", touch.key, rules=("P13", "P14", "P15"), because=text)
    where = (
        Text("in its base camp, alone", "dans son camp de base, seul")
        if inside
        else Text("outside its camp", "hors de son camp")
    )
    text = both(
        "{pawn} captured: touched directly by {by}, {where}.",
        "{pawn} capturé : touché directement par {by}, {where}.",
        pawn=name,
        by=mercenary,
        where=where,
    )
    return Happening(touch.t, 0, "capture", touch.key, rules=("P13", "P15"), because=text)


def p14_first_in_camp(case: Case, inside: list[PawnTouch]) -> str | None:
    """P14: of several touched in their base camp only the first is captured; where the order cannot be told, the
    one nearest to the Mercenary after the shot."""
    if not inside:
        return None
    tie_s = case.state.options.touch_tie_ms / 1000
    tied = [t for t in inside if t.t - inside[0].t < tie_s]
    if len(tied) == 1:
        return inside[0].key
    answer = case.answers.get(f"first_touched:{case.shot.flicked}")
    if answer in [t.key for t in tied]:
        return str(answer)
    mercenary = case.shot.after.get(case.shot.flicked)
    near = [
        (distance(mercenary, case.shot.after[t.key]), t.key) for t in tied if t.key in case.shot.after and mercenary
    ]
    if not near:
        raise Asked(first_touched_question(case.state, case.shot.flicked, [t.key for t in tied]))
    return min(near)[1]


def p33_in_own_camp(case: Case, touch: PawnTouch) -> bool:
    """P33, house choice: whether a pawn counts as in its base camp, judged before the shot or where it was touched."""
    before = case.shot.before.get(touch.key, case.state.places.get(touch.key))
    place = touch.place if case.state.options.camp_judged == "touch" else before
    if place is None:
        return False
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
    """P20, P21: a pawn that entered a Sanctuary in this shot is saved, whoever pushed it in, before or after a touch."""
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
        text = both(
            "{pawn} left the board: captured by its opponent.",
            "{pawn} a quitté le plateau : capturé par l'adversaire.",
            pawn=name,
        )
        found.append(Happening(leaving.t, 2, "capture", leaving.key, rules=("P16",), because=text))
    return found


def _untaken_lines(case: Case) -> list[tuple[Text, tuple[str, ...]]]:
    """Sentences for touches that captured nothing, so that nobody wonders."""
    lines: list[tuple[Text, tuple[str, ...]]] = []
    touches = p15_direct_touches(case)
    if not touches:
        return lines
    if not may_capture(case.shot.role(case.state, case.shot.flicked)):
        text = both(
            "{pawn} touched {others}: Explorers do not capture.",
            "{pawn} a touché {others} : les Explorateurs ne capturent pas.",
            pawn=case.name(case.shot.flicked),
            others=listed([case.name(t.key) for t in touches]),
        )
        return [(text, ("P13",))] if case.shot.role(case.state, case.shot.flicked) == "explorer" else lines
    inside = [t for t in touches if p33_in_own_camp(case, t) and not p21_immune(case, t.key)]
    first = p14_first_in_camp(case, inside)
    for touch in touches:
        name = case.name(touch.key)
        if p21_immune(case, touch.key):
            lines.append(
                (
                    both(
                        "{pawn} was touched, but was just put back in its camp: nothing happens.",
                        "{pawn} a été touché, mais vient d'être replacé dans son camp : il ne se passe rien.",
                        pawn=name,
                    ),
                    ("P21",),
                )
            )
        elif touch.key in p20_saved(case):
            lines.append(
                (
                    both(
                        "{pawn} was touched, but entered a Sanctuary: it is saved.",
                        "{pawn} a été touché, mais est entré dans un Sanctuaire : il est sauvé.",
                        pawn=name,
                    ),
                    ("P20",),
                )
            )
        elif touch in inside and touch.key != first:
            lines.append(
                (
                    both(
                        "{pawn} stays: in its base camp only the first pawn touched is captured.",
                        "{pawn} reste : dans son camp de base, seul le premier pion touché est capturé.",
                        pawn=name,
                    ),
                    ("P14",),
                )
            )
    return lines


# -- Sanctuaries ---------------------------------------------------------------------------------------


def p17_entries(case: Case) -> list[Happening]:
    """P17: a pawn enters where it crosses the door completely, also when it bounces out; the first entry counts."""
    seen: dict[str, PawnEntry] = {}
    for entry in case.shot.entries:
        expelled = any(e.key == entry.key for e in case.shot.exits)
        if case.state.pawns[entry.key].captured:
            continue
        if expelled and case.state.options.entered_then_expelled == "captured":
            continue
        seen.setdefault(entry.key, entry)
    return [Happening(e.t, 1, "entry", e.key, e.door) for e in seen.values()]


def _entry(case: Case, state: PaleoState, entry: Happening) -> PaleoState:
    door = state.sheet.door(entry.door)
    assert door is not None
    team = state.pawns[entry.key].team
    pushed = ("P20",) if team != case.side else ()
    if door.team == team:
        return p19_own_sanctuary(case, state, entry, pushed)
    state = p18_key(case, state, entry, pushed)
    state = p22_explorer_already_on_the_door(case, state, team, entry.t)
    if state.phase != "playing":
        return state
    return p18_exchange(case, state, entry, pushed)


def p19_own_sanctuary(case: Case, state: PaleoState, entry: Happening, pushed: tuple[str, ...]) -> PaleoState:
    """P19: from its own side's Sanctuary a pawn goes back to a circle of its base camp; no exchange, no key."""
    text = both(
        "{pawn} entered the {place} of its own side: it goes back to a circle of its base camp.",
        "{pawn} est entré dans le {place} de son camp : il est replacé sur un cercle de son camp de base.",
        pawn=case.name(entry.key),
        place=sanctuary_text(entry.door),
    )
    return say(_to_camp(state, entry.key), case.entry, text, "P17", "P19", *pushed)


def p18_key(case: Case, state: PaleoState, entry: Happening, pushed: tuple[str, ...]) -> PaleoState:
    """P18: an Explorer that enters an opposing Sanctuary takes the key that is there; a Mercenary takes none."""
    place = sanctuary_text(entry.door)
    there = entry.door not in state.keys
    takes = there and may_take_keys(case.role(entry.key))
    if takes:
        team = state.pawns[entry.key].team
        state = replace(state, keys={**state.keys, entry.door: team})
        text = both(
            "{pawn} entered the {place} and takes its key.",
            "{pawn} est entré dans le {place} et prend sa clé.",
            pawn=case.name(entry.key),
            place=place,
        )
        return say(state, case.entry, text, "P17", "P18", *pushed)
    text = both(
        "{pawn} entered the {place}; no key for it.",
        "{pawn} est entré dans le {place} ; pas de clé pour lui.",
        pawn=case.name(entry.key),
        place=place,
    )
    return say(state, case.entry, text, "P17", "P18", *pushed)


def p18_exchange(case: Case, state: PaleoState, entry: Happening, pushed: tuple[str, ...]) -> PaleoState:
    """P18, P34: its owner may exchange the pawn for one of his that was captured; that one or it goes to a circle."""
    team = state.pawns[entry.key].team
    held = [k for k in state.captured(team) if k != entry.key]
    if not held or state.options.exchange == "never":
        return _goes_home(case, state, entry.key, pushed)
    answer = case.answers.get(f"exchange:{entry.key}")
    if answer is None or (answer != "none" and answer not in held):
        raise Asked(exchange_question(state, entry.key, held))
    if answer == "none":
        return _goes_home(case, state, entry.key, pushed)
    back = str(answer)
    state = _capture(state, entry.key)
    pawns = {**state.pawns, back: replace(state.pawns[back], captured=False)}
    removing = tuple(k for k in state.to_remove if k != back)
    state = _to_camp(replace(state, pawns=pawns, to_remove=removing), back)
    text = both(
        "{pawn} is exchanged: {back} comes back to a circle of its base camp.",
        "{pawn} est échangé : {back} revient sur un cercle de son camp de base.",
        pawn=case.name(entry.key),
        back=case.name(back),
    )
    return say(state, case.entry, text, "P18", *pushed)


def _goes_home(case: Case, state: PaleoState, key: str, pushed: tuple[str, ...]) -> PaleoState:
    text = both(
        "{pawn} goes back to a circle of its base camp.",
        "{pawn} est replacé sur un cercle de son camp de base.",
        pawn=case.name(key),
    )
    return say(_to_camp(state, key), case.entry, text, "P18", *pushed)


def _to_camp(state: PaleoState, key: str) -> PaleoState:
    to_place = (*(k for k in state.to_place if k != key), key)
    return replace(state, to_place=to_place, immune=state.immune | {key})


def _capture(state: PaleoState, key: str) -> PaleoState:
    pawns = {**state.pawns, key: replace(state.pawns[key], captured=True)}
    waiting = tuple(k for k in state.to_place if k != key)
    return replace(state, pawns=pawns, to_place=waiting, to_remove=(*state.to_remove, key), immune=state.immune - {key})


# -- the city's door, points, turns --------------------------------------------------------------------


def has_both_keys(state: PaleoState, team: str) -> bool:
    """P22: whether a side holds the keys of all opposing Sanctuaries."""
    needed = state.sheet.opposing_doors(team)
    return bool(needed) and all(state.keys.get(d) == team for d in needed)


def whole_on_gate(state: PaleoState, place: Place | None) -> bool:
    """P22: whether a pawn at this place lies entirely within the round door."""
    if state.sheet.gate is None or place is None:
        return False
    x, y, r = state.sheet.gate
    return distance((x, y), place) + state.sheet.puck_mm / 2 <= r


def p22_explorer_already_on_the_door(case: Case, state: PaleoState, team: str, t: float) -> PaleoState:
    """P22: an Explorer that lies on the door when its side takes the last key opens it."""
    if not has_both_keys(state, team):
        return state
    shot = case.shot
    for key in state.on_board(team):
        lying = (
            whole_on_gate(state, shot.before.get(key, state.places.get(key))) and shot.stirred.get(key, shot.t_end) > t
        )
        if lying and key not in p20_saved(case) and may_take_keys(case.role(key)):
            return p23_door_opened(case, state, Happening(t, 3, "door", key))
    return state


def p22_door_at_rest(case: Case) -> list[Happening]:
    """P22, P35: Explorers that lie entirely on the round door when the shot is over (or passed it, if so chosen)."""
    shot, options = case.shot, case.state.options
    keys = list(shot.on_gate) + (list(shot.passed) if options.door_opens == "passing" else [])
    mine = [k for k in dict.fromkeys(keys) if k not in p20_saved(case) and not case.state.pawns[k].captured]
    mine.sort(key=lambda k: case.state.pawns[k].team != case.side)
    return [Happening(shot.t_end, 3, "door", key) for key in mine]


def p23_door_opened(case: Case, state: PaleoState, door: Happening) -> PaleoState:
    """P23: both keys and an Explorer on the door win the round: 2 points. Mercenaries cannot open (P22)."""
    pawn = state.pawns[door.key]
    if pawn.captured or not has_both_keys(state, pawn.team) or not may_take_keys(case.role(door.key)):
        return state
    if pawn.team != case.side and state.options.door_pushed_by_enemy == "does_not_open":
        before = case.shot.before.get(door.key, state.places.get(door.key))
        if not whole_on_gate(state, before):
            return state
    text = both(
        "{pawn} opens the door of Paleo: {team} wins the round, 2 points.",
        "{pawn} ouvre la porte de Paleo : {team} gagne la manche, 2 points.",
        pawn=case.name(door.key),
        team=team_text(pawn.team),
    )
    return win_round(say(state, case.entry, text, "P22", "P23"), case.entry, pawn.team, POINTS_FOR_DOOR, "door")


def p23_last_pawn_captured(
    case: Case, state: PaleoState, capture: Happening, happenings: list[Happening]
) -> PaleoState:
    """P23: all opposing pawns captured win the round: 1 point. P16: an expelled one counts, unless chosen otherwise."""
    loser = state.pawns[capture.key].team
    if state.on_board(loser):
        return state
    by_rim = capture.rules == ("P16",)
    if by_rim and state.options.expelled_last_pawn == "goes_on":
        return state
    winner = state.sheet.other(loser)
    if state.options.last_pawn_and_door == "door":
        later = [h for h in happenings if h.what == "door" and state.pawns[h.key].team == winner]
        for door in later:
            opened = p23_door_opened(case, state, door)
            if opened.phase != "playing":
                return opened
    text = both(
        "All pawns of {loser} are captured: {winner} wins the round, 1 point.",
        "Tous les pions de {loser} sont capturés : {winner} gagne la manche, 1 point.",
        loser=team_text(loser),
        winner=team_text(winner),
    )
    rules = ("P16", "P23") if by_rim else ("P23",)
    return win_round(say(state, case.entry, text, *rules), case.entry, winner, POINTS_FOR_CAPTURES, "captures")


def win_round(state: PaleoState, entry: int, winner: str, points: int, how: str) -> PaleoState:
    """P23: the round's points; P24: whoever has 4 wins the match."""
    total = {**state.points, winner: state.points.get(winner, 0) + points}
    result = RoundResult(state.round, winner, points, how)
    state = replace(
        state,
        phase="round_over",
        points=total,
        results=(*state.results, result),
        turn=None,
        immune=frozenset(),
        to_place=(),
        to_remove=(),
    )
    if total[winner] < state.options.points_to_win:
        return state
    text = both(
        f"{{team}} has {total[winner]} points and wins the match.",
        f"{{team}} a {total[winner]} points et gagne la partie.",
        team=team_text(winner),
    )
    return say(replace(state, phase="match_over", winner=winner), entry, text, "P24")


def p21_immunity_ends(case: Case, state: PaleoState) -> PaleoState:
    """P21: when a pawn put back in camp may be captured again, an option; `state` names those put back in this shot."""
    if state.phase != "playing" or state.options.immunity == "same_shot":
        return replace(state, immune=frozenset())
    fresh = state.immune
    if state.options.immunity == "own_next_turn":
        return replace(state, immune=frozenset(k for k in fresh if state.pawns[k].team == case.side))
    waiting = frozenset(
        k for k in case.state.immune if state.pawns[k].team == case.side and not state.pawns[k].captured
    )
    return replace(state, immune=fresh | waiting)


def p11_next_turn(case: Case, state: PaleoState) -> PaleoState:
    """P11: the sides take turns; a side without pawns (P23 read so that the round goes on) is passed over."""
    if state.phase != "playing":
        return state
    following = state.sheet.other(case.side)
    return replace(state, turn=following if state.on_board(following) else case.side)


def _places_after(case: Case) -> dict[str, Place]:
    gone = {e.key for e in case.shot.exits}
    return {k: p for k, p in {**case.state.places, **case.shot.after}.items() if k not in gone}


# -- the log -------------------------------------------------------------------------------------------


def say(state: PaleoState, entry: int, text: Text, *rules: str) -> PaleoState:
    """The state with one more sentence in its log."""
    return replace(state, log=(*state.log[1 - LOG_LINES :], LogLine(entry, text, tuple(dict.fromkeys(rules)))))


def log_lines(state: PaleoState, entry: int, lines: list[tuple[Text, tuple[str, ...]]]) -> PaleoState:
    """The state with several sentences more."""
    for text, rules in lines:
        state = say(state, entry, text, *rules)
    return state


def shown_role(state: PaleoState, key: str) -> str | None:
    """The role that a screen shows; None while unknown or where there are none."""
    role = role_of(state, key)
    return None if role == "both" else role
