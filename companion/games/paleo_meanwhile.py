"""What became of the board while the camera was away: hands did what they were to do, or players say what happened."""

from __future__ import annotations

from companion.away import ELSEWHERE_MM, Change, changes
from companion.fusion import ShotAccount, puck_to_json
from companion.games.fast import without
from companion.games.paleo_hands import apply_hand
from companion.games.paleo_identity import recognise
from companion.games.paleo_state import PaleoState, changed


def as_hands_were_to_do(state: PaleoState, entry: int, account: ShotAccount) -> PaleoState | None:
    """P13, P18: the state where hands only lifted captured pawns meanwhile, and put back those to be returned.

    None where players are to be asked: also while a shot waits for an answer, which may tell what hands were to do.
    """
    if state.waiting:
        return None
    seen = recognise(state, account.before)
    found = changes(account.before, account.after, ELSEWHERE_MM)
    placed = [change.lies for change in found if change.lay is None and change.lies is not None]
    lifted = [change.lay for change in found if change.lies is None and change.lay is not None]
    free = [seen.pawns[key].team for key in seen.to_place]
    for puck in placed:
        if puck.team not in free:
            return None
        free.remove(puck.team)
    if len(placed) + len(lifted) < len(found) or any(seen.seen_as.get(p.puck) not in seen.to_remove for p in lifted):
        return None
    for did, pucks in (("puck_removed", lifted), ("puck_placed", placed)):
        for puck in pucks:
            seen = apply_hand(seen, entry, {"did": did, **puck_to_json(puck)})
    return recognise(seen, account.after)


def taken_as_it_lies(state: PaleoState, account: ShotAccount) -> PaleoState:
    """Players say that there was no shot: pucks lie where they are seen, and those that are not seen were lifted."""
    gone = [change for change in changes(account.before, account.after, ELSEWHERE_MM) if change.lies is None]
    return recognise(_lifted(state, gone), account.after)


def _lifted(state: PaleoState, gone: list[Change]) -> PaleoState:
    """Without the pawns that lie there no more; those that are not captured are told before the next shot."""
    for lay, _ in gone:
        key = state.seen_as.get(lay.puck) if lay is not None else None
        if lay is None or key is None or key not in state.places:
            continue
        lifted = {} if state.pawns[key].captured else {key: state.places[key]}
        state = changed(
            state,
            places=without(state.places, key),
            lifted={**state.lifted, **lifted},
            seen_as={i: k for i, k in state.seen_as.items() if k != key},
            to_remove=tuple(k for k in state.to_remove if k != key),
        )
    return state
