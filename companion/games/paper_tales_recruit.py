"""Paper Tales' first phase (T5): everybody keeps one card at a time and passes the rest on."""

from __future__ import annotations

from companion.games.base import Action, IllegalMove
from companion.games.fast import replace
from companion.games.paper_tales_state import PaperTalesState, all_done, fresh_phase, with_kingdom
from companion.games.setup import known_fields, word


def t5_keep(state: PaperTalesState, action: Action, n: int) -> PaperTalesState:
    """T5: one card is kept, and at two players another one discarded, before the rest is passed on.

    Until everybody has chosen nothing is passed on, and whoever has changed their mind chooses another one. Raises
    IllegalMove where cards are dealt by hand, or the card is none of the seat's, or chosen already.
    """
    known_fields(action, "card", "discard")
    kingdom = state.kingdoms[n]
    if not state.dealt:
        raise IllegalMove("the table's own cards are dealt by hand; say 'ready' when all have recruited", "T5")
    card = word(action, "card")
    if card not in kingdom.packet:
        raise IllegalMove("{card} is not among the cards of {seat}", "T5", card=card, seat=state.seats[n])
    choice = (card, *_discarded(state, action, n, card))
    if choice == kingdom.choice:
        raise IllegalMove(
            "{seat} has chosen so already; choose otherwise, or wait for the others", "T5", seat=state.seats[n]
        )
    state = with_kingdom(state, n, replace(kingdom, choice=choice))
    return _passed_on(state) if all(k.choice for k in state.kingdoms) else state


def _discarded(state: PaperTalesState, action: Action, n: int, card: str) -> tuple[str, ...]:
    packet = state.kingdoms[n].packet
    if len(state.seats) != 2 or len(packet) == 1:
        if action.data.get("discard") is not None:
            raise IllegalMove("nothing is discarded here; that is for two players", "T5")
        return ()
    discard = word(action, "discard")
    if discard not in packet or discard == card:
        raise IllegalMove(
            "discard: {discard} is not another of the cards of {seat}", "T5", discard=discard, seat=state.seats[n]
        )
    return (discard,)


def t5_direction(round: int) -> int:
    """T5: cards go clockwise in rounds 1 and 3, the other way in 2 and 4 (as the turn spaces of the board show)."""
    return 1 if round % 2 else -1


def _passed_on(state: PaperTalesState) -> PaperTalesState:
    count, step = len(state.seats), t5_direction(state.round)
    rest = [tuple(c for c in k.packet if c not in k.choice) for k in state.kingdoms]
    kingdoms = tuple(
        replace(k, packet=rest[(n - step) % count], chosen=(*k.chosen, k.choice[0]), choice=())
        for n, k in enumerate(state.kingdoms)
    )
    discard = (*state.discard, *(c for k in state.kingdoms for c in k.choice[1:]))
    state = replace(state, kingdoms=kingdoms, discard=discard)
    if len(kingdoms[0].packet) == 1:  # the last card is no choice
        kingdoms = tuple(replace(k, packet=(), chosen=(*k.chosen, *k.packet)) for k in kingdoms)
        state = replace(state, kingdoms=kingdoms)
    return state if state.kingdoms[0].packet else hands_taken(state)


def hands_taken(state: PaperTalesState) -> PaperTalesState:
    """T5: the cards taken and the one kept from the round before are the hand; then the deployment begins."""
    kingdoms = tuple(
        replace(k, hand=(*k.chosen, *((k.kept,) if k.kept else ())), chosen=(), kept=None) for k in state.kingdoms
    )
    return fresh_phase(replace(state, kingdoms=kingdoms), "deploy")


def t5_ready(state: PaperTalesState, n: int) -> PaperTalesState:
    """T5: with the table's own cards, a player says that its hand is complete.

    Raises IllegalMove where the cards are dealt here.
    """
    if state.dealt:
        raise IllegalMove("recruiting goes on until everybody has five cards", "T5")
    state = with_kingdom(state, n, replace(state.kingdoms[n], done=True))
    return fresh_phase(state, "deploy") if all_done(state) else state
