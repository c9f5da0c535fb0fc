"""What hands do between shots: captured pawns lifted, returned ones put on circles, others noticed gently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.fusion import puck_from_json
from companion.games.base import Text
from companion.games.fast import replace, without
from companion.games.paleo_case import say
from companion.games.paleo_fouls import NUDGE_MM
from companion.games.paleo_identity import recognise, swap_labels
from companion.games.paleo_moments import Place
from companion.games.paleo_questions import name_of
from companion.games.paleo_state import PaleoState, changed, distance
from companion.games.paleo_words import both
from vision.events import PuckSeen

HAND_MM = 8.0  # nobody frees a pawn to the millimetre; what is closer to the limit is let be
FURTHER = {"thickness": Text("thickness", "d’une épaisseur"), "diameter": Text("diameter", "d’un diamètre")}
CIRCLE_MM = 20.0  # a pawn put down this close to a circle's centre stands on it; circles are about one pawn wide


def apply_hand(state: PaleoState, entry: int, data: Mapping[str, Any]) -> PaleoState:
    """The state after a hand lifted, placed or moved a puck; whatever it did is accepted, with a notice at most."""
    puck = puck_from_json(data)
    if puck.team not in state.sheet.names:
        return state
    did = data["did"]
    if did == "puck_removed":
        return hand_lifted(state, puck)
    if did == "puck_placed":
        return hand_placed(state, entry, puck)
    return hand_moved(state, entry, puck)


def hand_lifted(state: PaleoState, puck: PuckSeen) -> PaleoState:
    """A puck was lifted: a captured pawn on its way to the rim (P13), one on its way to a circle (P18), or another.

    Another may be put back at once, so that nothing is said of it before the next shot (see still_lifted); where a shot
    did not count, that is where it lay before that shot.
    """
    taken_for, lay = state.seen_as.get(puck.puck), state.places
    if state.phase == "playing":
        state = recognise(state, [puck], partly=True)
    key = state.seen_as.get(puck.puck)
    if key is None:
        return state
    expected = [k for k in (*state.to_remove, *state.to_place) if state.pawns[k].team == puck.team]
    if key not in expected and not state.pawns[key].sure:
        known = set(state.seen_as.values())
        unsure = [k for k in expected if not state.pawns[k].sure and k not in known]
        if len(unsure) == 1:
            state, key = swap_labels(state, key, unsure[0]), unsure[0]
    if state.phase == "playing" and key not in expected and not state.pawns[key].captured and key in state.places:
        place = lay[key] if taken_for == key and key in lay else state.places[key]
        state = changed(state, lifted={**state.lifted, key: place})
    return changed(
        state,
        places=without(state.places, key),
        seen_as={i: k for i, k in state.seen_as.items() if k != key},
        to_remove=tuple([k for k in state.to_remove if k != key]),
        resting=state.resting - {key},
    )


def hand_placed(state: PaleoState, entry: int, puck: PuckSeen) -> PaleoState:
    """A puck was put down: the returned pawn that was waited for (P18, P19), a lifted one, or one of the captured."""
    if state.phase != "playing":
        return _laid_out(state, puck)
    key = _which_was_placed(state, puck)
    if key is None:
        return recognise(state, [puck], partly=True)
    pawns = state.pawns
    if puck.number is not None and pawns[key].label == str(puck.number) and not pawns[key].sure:
        pawns = {**pawns, key: replace(pawns[key], sure=True)}
    state = changed(
        state,
        pawns=pawns,
        places={**state.places, key: (puck.x_mm, puck.y_mm)},
        seen_as={**{i: k for i, k in state.seen_as.items() if k != key}, puck.puck: key},
    )
    if state.pawns[key].captured:
        text = both(
            "{pawn} was put on the board, although it is captured.",
            "{pawn} a été posé sur le plateau, bien qu’il soit capturé.",
            pawn=name_of(state, key),
        )
        return say(changed(state, to_remove=(*(k for k in state.to_remove if k != key), key)), entry, text, "P13")
    if key not in state.to_place:
        return _put_back(state, entry, key)
    state = changed(state, to_place=tuple(k for k in state.to_place if k != key))
    if on_a_circle(state, key):
        return state
    text = both(
        "{pawn} should stand on a circle of its base camp.",
        "{pawn} devrait être sur un cercle de son camp de base.",
        pawn=name_of(state, key),
    )
    return say(state, entry, text, "P18")


def _put_back(state: PaleoState, entry: int, key: str) -> PaleoState:
    """A pawn that was taken up unasked lies on the board again: told only where it lies elsewhere now (P12)."""
    before = state.lifted.get(key)
    if before is None:
        return state
    state = changed(state, lifted=without(state.lifted, key))
    return _moved_far(state, entry, key, before)


def _moved_far(state: PaleoState, entry: int, key: str, before: Place) -> PaleoState:
    """The notice where a hand moved a pawn further than P12 allows."""
    far = distance(before, state.places[key])
    if far > NUDGE_MM:
        state = changed(state, nudged=state.nudged | {key}, resting=state.resting - {key})
    if far <= p12_reach_mm(state):
        return state
    text = both(
        "{pawn} was moved by hand further than a pawn's {what}.",
        "{pawn} a été déplacé à la main de plus {what} de pion.",
        pawn=name_of(state, key),
        what=FURTHER[state.options.unstick_by],
    )
    return say(state, entry, text, "P12")


def p12_reach_mm(state: PaleoState) -> float:
    """P12: how far a pawn may be moved off a rim or reef, with what hands and camera may err by."""
    thick = state.options.unstick_by == "thickness"
    return (state.sheet.puck_height_mm if thick else state.sheet.puck_mm) + HAND_MM


def still_lifted(state: PaleoState, entry: int, seen: Sequence[PuckSeen]) -> PaleoState:
    """The notice before a shot about pawns that were taken up unasked and are not back; told once."""
    if not state.lifted:
        return state
    there = {state.seen_as.get(p.puck) for p in seen}
    for key in state.lifted:
        if key not in there and not state.pawns[key].captured and key not in state.to_place:
            text = both(
                "{pawn} was lifted off the board, although it is not captured.",
                "{pawn} a été enlevé du plateau, bien qu’il ne soit pas capturé.",
                pawn=name_of(state, key),
            )
            state = say(state, entry, text)
    return changed(state, lifted={})


def _laid_out(state: PaleoState, puck: PuckSeen) -> PaleoState:
    """Between rounds pawns are put where players like; only what is certain is taken in."""
    key = state.seen_as.get(puck.puck) or f"{puck.team}-{puck.number}"
    if key not in state.pawns or (state.pawns[key].label != str(puck.number) and puck.puck not in state.seen_as):
        return state
    pawns = {**state.pawns, key: replace(state.pawns[key], sure=state.pawns[key].sure or puck.number is not None)}
    others = {i: k for i, k in state.seen_as.items() if k != key}
    places = {**state.places, key: (puck.x_mm, puck.y_mm)}
    return changed(state, pawns=pawns, places=places, seen_as={**others, puck.puck: key})


def hand_moved(state: PaleoState, entry: int, puck: PuckSeen) -> PaleoState:
    """A puck was slid: free of a rim or reef by a pawn's thickness before it is played (P12), or onto its circle."""
    if state.phase != "playing":
        return _laid_out(state, puck)
    known = state.seen_as.get(puck.puck)
    before = state.places.get(known) if known is not None else None
    state = recognise(state, [puck], partly=True)
    key = state.seen_as.get(puck.puck)
    if key is None:
        return state
    if key in state.to_place and on_a_circle(state, key):
        return changed(state, to_place=tuple(k for k in state.to_place if k != key))
    if before is None or key in state.to_place:
        return state
    return _moved_far(state, entry, key, before)


def _which_was_placed(state: PaleoState, puck: PuckSeen) -> str | None:
    """The pawn that was put down: by its number among those off the board, else the only one that is waited for."""
    off = [k for k, p in state.pawns.items() if p.team == puck.team and k not in state.places]
    waiting = [k for k in state.to_place if k in off]
    lifted = [k for k in off if not state.pawns[k].captured]
    if puck.number is not None:
        named = f"{puck.team}-{puck.number}"
        if named in off:
            return named
        unsure = [k for k in (waiting or lifted or off) if not state.pawns[k].sure]
        return unsure[0] if unsure else None
    for among in (waiting, lifted):
        if len(among) == 1:
            return among[0]
    return None


def on_a_circle(state: PaleoState, key: str) -> bool:
    """P10, P18: whether a pawn stands on a circle of its base camp; true on a board without circles."""
    circles = state.sheet.team(state.pawns[key].team).circles
    place = state.places.get(key)
    return not circles or (place is not None and any(distance(place, c) <= CIRCLE_MM for c in circles))


def choice_from_hand(state: PaleoState, data: Mapping[str, Any]) -> str | None:
    """The answer to a pending exchange that a hand has just given, where it is beyond doubt (P18).

    A captured pawn whose number is read and that is put on a circle of its camp is the exchange; the pawn that
    entered, on such a circle by its number or by the id that it kept, is none.
    """
    question = state.question
    if question is None or question.kind != "exchange" or data["did"] not in ("puck_placed", "puck_moved"):
        return None
    puck = puck_from_json(data)
    if puck.team != question.team or puck.team not in state.sheet.names:
        return None
    circles = state.sheet.team(puck.team).circles
    if not any(distance((puck.x_mm, puck.y_mm), c) <= CIRCLE_MM for c in circles):
        return None
    key = state.seen_as.get(puck.puck) if puck.number is None else f"{puck.team}-{puck.number}"
    if key in [c.value for c in question.choices]:
        return key
    return "none" if key == question.about else None


def todo(state: PaleoState) -> list[dict[str, Any]]:
    """What hands are to do now: lift captured pawns that still lie on the board, put returned ones on circles."""
    lying = [k for k in state.to_remove if k in state.places or state.by_taps]
    jobs = [("remove", k) for k in lying] + [("place", k) for k in state.to_place]
    return [{"do": do, "puck": k, "team": state.pawns[k].team, "at": _at(state, k)} for do, k in jobs]


def _at(state: PaleoState, key: str) -> list[float] | None:
    """Where the pawn lies now, board mm; None where it is off the board."""
    return list(state.places[key]) if key in state.places else None


def left_lying(state: PaleoState) -> Text | None:
    """The notice before a shot when captured pawns were left on the board (P13)."""
    lying = [k for k in state.to_remove if k in state.places]
    if not lying:
        return None
    return both(
        "{pawn} is captured but still lies on the board.",
        "{pawn} est capturé mais se trouve encore sur le plateau.",
        pawn=name_of(state, lying[0]),
    )
