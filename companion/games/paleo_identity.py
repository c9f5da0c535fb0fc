"""Which pawn is which puck: vision's ids, numbers as they are read, and places, brought together with care.

A pawn whose number is unread holds its place in the state under a provisional label; labels of unsure pawns of one
side are exchangeable and are swapped when a number is read or told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.fast import replace
from companion.games.paleo_moments import Place
from companion.games.paleo_state import PaleoState, Pawn, changed, distance
from vision.events import PuckSeen

NEAR_MM = 25.0  # a puck this close to where a pawn lay is that pawn; less than one diameter of the usual pawn
ID_SURE = -5000.0  # an id that vision kept weighs more than one reading of a number
ID_UNSURE = -2000.0  # as long as the number was never read, a reading weighs more than the id
NUMBER_AGREES = -3000.0  # one reading; all are costs beside the millimetres from where a pawn lay
NUMBER_DIFFERS = 3000.0
FAR_MM = 1000.0  # a pawn with no known place: as far as nothing on the board


def recognise(state: PaleoState, seen: Sequence[PuckSeen], partly: bool = False) -> PaleoState:
    """The state with the seen pucks' ids, places and numbers taken in; pawns that are not seen stay as they were.

    partly: only some of the board's pucks are told, so that pawns known by another id are not for the taking.
    """
    if not seen:
        return state
    known = _all_known(state, seen)
    if known is not None:
        return changed(state, places={**state.places, **known})
    for team in state.sheet.names:
        mine = [p for p in seen if p.team == team]
        if mine:
            state = _recognise_team(state, team, mine, partly)
    return state


def _all_known(state: PaleoState, seen: Sequence[PuckSeen]) -> dict[str, Place] | None:
    """Where the pucks' pawns lie, if each is known by its id and nothing speaks against it; None if not."""
    seen_as, pawns, places = state.seen_as, state.pawns, {}
    for puck_id, team, number, x_mm, y_mm in seen:
        key = seen_as.get(puck_id)
        if key is None:
            return None
        pawn = pawns[key]
        if pawn.team != team or (number is not None and not (pawn.sure and pawn.label == str(number))):
            return None
        places[key] = (x_mm, y_mm)
    return places


def _recognise_team(state: PaleoState, team: str, seen: list[PuckSeen], partly: bool) -> PaleoState:
    state = _take_read_numbers(state, team, seen)
    pairs = _pair(state, team, seen, partly)
    seen_as = {i: k for i, k in state.seen_as.items() if state.pawns[k].team != team}
    gone = {p.puck for p in seen} | set(seen_as)
    kept = {i: k for i, k in state.seen_as.items() if i not in gone and k not in pairs.values()}
    places, pawns = dict(state.places), dict(state.pawns)
    free = [k for k in _expected(state, team) if k not in state.places]
    for puck in seen:
        key = pairs.get(puck.puck)
        if key is None:
            continue
        sure = _still_sure(state, puck, key, only=free == [key])
        if sure != pawns[key].sure:
            pawns[key] = replace(pawns[key], sure=sure)
        places[key] = (puck.x_mm, puck.y_mm)
        seen_as[puck.puck] = key
    state = changed(state, seen_as={**kept, **seen_as}, places=places, pawns=pawns)
    return settle(state, team)


def _expected(state: PaleoState, team: str) -> list[str]:
    """Pawns that may lie on the board: those not captured, and captured ones that nobody has lifted yet."""
    return [k for k, p in state.pawns.items() if p.team == team and (not p.captured or k in state.places)]


def _pair(state: PaleoState, team: str, seen: list[PuckSeen], partly: bool) -> dict[str, str]:
    """Pairs ids with pawns, the best evidence first."""
    ids = {p.puck for p in seen}
    elsewhere = {k for i, k in state.seen_as.items() if partly and i not in ids}
    free = [k for k in _expected(state, team) if k not in elsewhere]
    scored = sorted(
        (_cost(state, puck, key), n, m, puck.puck, key) for n, puck in enumerate(seen) for m, key in enumerate(free)
    )
    pairs: dict[str, str] = {}
    taken: set[str] = set()
    for _, _, _, puck_id, key in scored:
        if puck_id not in pairs and key not in taken:
            pairs[puck_id] = key
            taken.add(key)
    return pairs


def _cost(state: PaleoState, puck: PuckSeen, key: str) -> float:
    pawn = state.pawns[key]
    place = state.places.get(key)
    cost = min(distance(place, (puck.x_mm, puck.y_mm)), FAR_MM) if place else FAR_MM
    if state.seen_as.get(puck.puck) == key:
        cost += ID_SURE if pawn.sure else ID_UNSURE
    if puck.number is not None:
        cost += NUMBER_AGREES if pawn.label == str(puck.number) else NUMBER_DIFFERS if pawn.sure else 0.0
    return cost


def _still_sure(state: PaleoState, puck: PuckSeen, key: str, only: bool) -> bool:
    """Whether we may say that this puck is this pawn: number read, or carried over from when it was certain."""
    pawn = state.pawns[key]
    if puck.number is not None and pawn.label == str(puck.number):
        return True
    if not pawn.sure or state.seen_as.get(puck.puck) == key:
        return pawn.sure
    place = state.places.get(key)
    return only if place is None else distance(place, (puck.x_mm, puck.y_mm)) <= NEAR_MM


def _take_read_numbers(state: PaleoState, team: str, seen: list[PuckSeen]) -> PaleoState:
    """A number read on a puck gives it that label, where both it and the label's present holder are unsure."""
    for puck in seen:
        key = f"{team}-{puck.number}"
        if puck.number is None or key not in state.pawns or state.pawns[key].sure:
            continue
        expected = _expected(state, team)
        here = state.seen_as.get(puck.puck)
        if here is None or state.pawns[here].sure or state.pawns[here].team != team:
            spare = [k for k in expected if not state.pawns[k].sure and k not in state.seen_as.values()]
            here = spare[0] if spare and key not in expected else None
        if here is not None:
            state = swap_labels(state, here, key)
    return state


def settle(state: PaleoState, team: str) -> PaleoState:
    """The last unread number of a numbered side is known by elimination."""
    if not state.sheet.team(team).numbered:
        return state
    unsure = [k for k, p in state.pawns.items() if p.team == team and not p.sure]
    if len(unsure) != 1:
        return state
    return changed(state, pawns={**state.pawns, unsure[0]: replace(state.pawns[unsure[0]], sure=True)})


def swap_labels(state: PaleoState, a: str, b: str) -> PaleoState:
    """Two unsure pawns of one side change labels: all that is known of the one is now said of the other."""
    if a == b:
        return state
    turn = {a: b, b: a}
    pawns = dict(state.pawns)
    pawns[a], pawns[b] = _relabel(state.pawns[b], state.pawns[a]), _relabel(state.pawns[a], state.pawns[b])
    places: dict[str, Place] = {turn.get(k, k): p for k, p in state.places.items()}
    return changed(
        state,
        pawns=pawns,
        places=places,
        seen_as={i: turn.get(k, k) for i, k in state.seen_as.items()},
        to_place=_turned(state.to_place, turn),
        to_remove=_turned(state.to_remove, turn),
        immune=frozenset(_turned(state.immune, turn)),
        resting=frozenset(_turned(state.resting, turn)),
        lifted={turn.get(k, k): p for k, p in state.lifted.items()},
    )


def _relabel(what: Pawn, label_of: Pawn) -> Pawn:
    return replace(what, label=label_of.label)


def _turned(keys: Iterable[str], turn: dict[str, str]) -> tuple[str, ...]:
    return tuple(turn.get(k, k) for k in keys)


def pin(state: PaleoState, puck_id: str, key: str) -> PaleoState:
    """The puck with this id is said to be this pawn: labels are swapped where needed, and it is sure from now on."""
    now = state.seen_as.get(puck_id)
    if now is not None and now != key:
        state = swap_labels(state, now, key)
    pawns = {**state.pawns, key: replace(state.pawns[key], sure=True)}
    return settle(changed(state, pawns=pawns, seen_as={**state.seen_as, puck_id: key}), state.pawns[key].team)


def forget_ids(state: PaleoState) -> PaleoState:
    """Vision began anew and gives ids afresh: pawns are found again by number and place."""
    return changed(state, seen_as={})
