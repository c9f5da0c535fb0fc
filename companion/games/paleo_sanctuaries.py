"""Sanctuaries, keys and exchange (P17-P20), one function a rule."""

from __future__ import annotations

from companion.games.fast import replace
from companion.games.paleo_case import Case, Happening, capture_pawn, say, send_to_camp
from companion.games.paleo_door import p22_explorer_already_on_the_door
from companion.games.paleo_moments import PawnEntry
from companion.games.paleo_questions import Asked, exchange_question
from companion.games.paleo_state import PaleoState, changed, may_take_keys
from companion.games.paleo_words import both, sanctuary_text


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


def enter_sanctuary(case: Case, state: PaleoState, entry: Happening) -> PaleoState:
    """What an entry brings: P19 in the own Sanctuary, P18 and P22 in an opposing one; P20 where an enemy pushed."""
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
    return say(send_to_camp(state, entry.key), case.entry, text, "P17", "P19", *pushed)


def p18_key(case: Case, state: PaleoState, entry: Happening, pushed: tuple[str, ...]) -> PaleoState:
    """P18: an Explorer that enters an opposing Sanctuary takes the key that is there; a Mercenary takes none."""
    place = sanctuary_text(entry.door)
    there = entry.door not in state.keys
    takes = there and may_take_keys(case.role(entry.key))
    if takes:
        team = state.pawns[entry.key].team
        state = changed(state, keys={**state.keys, entry.door: team})
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
    """P18, P34: its owner may exchange the pawn for one of his that was captured; that one or it goes to a circle.

    Raises Asked where he has not said whether he does.
    """
    team = state.pawns[entry.key].team
    held = [k for k in state.captured(team) if k != entry.key and _may_come_back(state, k, entry.door)]
    if not held or state.options.exchange == "never":
        return _goes_home(case, state, entry.key, pushed)
    answer = case.answers.get(f"exchange:{entry.key}")
    if answer is None or (answer != "none" and answer not in held):
        raise Asked(exchange_question(state, entry.key, held))
    if answer == "none":
        return _goes_home(case, state, entry.key, pushed)
    back = str(answer)
    state = capture_pawn(case, state, entry.key, by=state.captor_of(back))
    pawns = {**state.pawns, back: replace(state.pawns[back], captured=False, captor="")}
    removing = tuple(k for k in state.to_remove if k != back)
    state = send_to_camp(changed(state, pawns=pawns, to_remove=removing), back)
    text = both(
        "{pawn} is exchanged: {back} comes back to a circle of its base camp.",
        "{pawn} est échangé : {back} revient sur un cercle de son camp de base.",
        pawn=case.name(entry.key),
        back=case.name(back),
    )
    return say(state, case.entry, text, "P18", *pushed)


def _may_come_back(state: PaleoState, key: str, door: str) -> bool:
    """P18: with more than two camps, whether a pawn's captor matters for the exchange."""
    sanctuary = state.sheet.door(door)
    free = len(state.sheet.teams) == 2 or state.options.exchange_from == "any_captor"
    return free or (sanctuary is not None and state.captor_of(key) == sanctuary.team)


def _goes_home(case: Case, state: PaleoState, key: str, pushed: tuple[str, ...]) -> PaleoState:
    text = both(
        "{pawn} goes back to a circle of its base camp.",
        "{pawn} est replacé sur un cercle de son camp de base.",
        pawn=case.name(key),
    )
    return say(send_to_camp(state, key), case.entry, text, "P18", *pushed)
