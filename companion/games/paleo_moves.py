"""What may be done now in Paleo kept by taps: who is waited for, actions to choose from, and random ones."""

from __future__ import annotations

from random import Random

from companion.games.base import Action, Json
from companion.games.paleo_state import PaleoState

TRIES = 8  # random pawns that are tried before all of a side are listed
EVERY = 2  # of the pawns on the board that a random shot touches, at most
CHANCE_OF_DOOR, CHANCE_OF_EXIT, CHANCE_OF_GATE, CHANCE_OF_FOUL = 0.25, 0.1, 0.4, 0.02


def waiting(state: PaleoState) -> tuple[str, ...]:
    """P11: the side that plays, or that a question is for; everybody before a round and where all may answer."""
    if state.phase == "match_over":
        return ()
    if state.question is not None:
        return (state.question.team,) if state.question.team else state.sheet.names
    return (state.turn,) if state.phase == "playing" and state.turn else state.sheet.names


def moves(state: PaleoState, seat: str) -> list[Action]:
    """P7, P11: the open question's answers, who may begin a round, or each own pawn with each pawn that it may touch.

    What else a shot may bring (doors, the rim, several touches) is told by the sentence or the page.
    """
    if seat not in waiting(state):
        return []
    if state.question is not None:
        return [Action("answer", _answer(state, choice.value)) for choice in state.question.choices]
    if state.phase != "playing":
        return [Action("start_round", {"begins": team}) for team in state.sheet.names]
    others = [k for k, p in state.pawns.items() if p.team != seat and not p.captured]
    found = [{"flicked": k, "touched": [t] if t else []} for k in state.on_board(seat) for t in ("", *others)]
    return [Action("shot_by_hand", facts) for facts in found]


def _answer(state: PaleoState, choice: str) -> Json:
    assert state.question is not None
    return {"question": state.question.id_for(state.waiting[0].entry), "choice": choice}


def pick(state: PaleoState, rng: Random) -> Action | None:
    """A random legal action: a shot told by hand, an answer, or the start of a round; None after the end."""
    if state.phase == "match_over":
        return None
    if state.question is not None:
        choices = [c.value for c in state.question.choices if c.value not in ("replay", "ignore")]
        return Action("answer", _answer(state, rng.choice(choices or [c.value for c in state.question.choices])))
    if state.phase != "playing":
        return Action("start_round", {"begins": rng.choice(state.sheet.names)})
    return Action("shot_by_hand", _random_shot(state, rng))


def _random_pawn(state: PaleoState, keys: list[str], rng: Random) -> str | None:
    """A pawn of the side in turn, found without listing all; None where tries ran out."""
    for _ in range(TRIES):
        key = keys[int(rng.random() * len(keys))]
        pawn = state.pawns[key]
        if pawn.team == state.turn and not pawn.captured:
            return key
    return None


def _random_shot(state: PaleoState, rng: Random) -> Json:
    assert state.turn is not None
    keys = list(state.pawns)
    flicked = _random_pawn(state, keys, rng) or rng.choice(state.on_board(state.turn))
    touched = []
    for _ in range(int(rng.random() * (EVERY + 1))):
        key = keys[int(rng.random() * len(keys))]
        if key != flicked and key not in touched and not state.pawns[key].captured:
            touched.append(key)
    facts: Json = {"flicked": flicked, "touched": touched}
    if state.sheet.doors and rng.random() < CHANCE_OF_DOOR:
        facts["doors"] = [{"puck": rng.choice([flicked, *touched]), "door": rng.choice(state.sheet.doors).name}]
    if rng.random() < CHANCE_OF_EXIT:
        facts["exits"] = [rng.choice([flicked, *touched])]
    elif state.sheet.gate and rng.random() < CHANCE_OF_GATE:
        facts["on_gate"] = [flicked]
    if rng.random() < CHANCE_OF_FOUL:
        facts["fouls"] = ["pushed"]
    if rng.random() < 0.5:
        facts["in_camp"] = [k for k in touched if rng.random() < 0.5]
    return facts
