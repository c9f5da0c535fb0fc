"""Paper Tales for two to five (T1-T19): four rounds of six simultaneous phases, with a ready-check."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.games.base import Action, Game, IllegalMove, Text, legal_by
from companion.games.fast import replace
from companion.games.paper_tales_age import savable, t10_ageing, t10_begin, t10_save, t11_outcome
from companion.games.paper_tales_build import t9_build, t9_price
from companion.games.paper_tales_cards import BUILDINGS, CARDS, TYPE_OF
from companion.games.paper_tales_deploy import CHEAP, t6_choose, t6_deploy, t6_spots
from companion.games.paper_tales_options import OPTIONS
from companion.games.paper_tales_recruit import t5_keep, t5_ready
from companion.games.paper_tales_state import PaperTalesState, all_done, fresh_phase, t1_start, with_kingdom
from companion.games.paper_tales_view import reveals, told, view, view_for
from companion.games.paper_tales_war import t7_wars, t8_incomes
from companion.games.setup import citing, known_fields, numbered, over, seat_of, unknown_action
from companion.games.wire import dump, load

TURNS: dict[str, tuple[str, Callable[[PaperTalesState, Action, int], PaperTalesState]]] = {
    "keep": ("recruit", t5_keep),
    "deploy": ("deploy", t6_deploy),
    "choose": ("choose", t6_choose),
    "build": ("build", t9_build),
    "save": ("age", t10_save),
}
ACTIONS = (*TURNS, "ready")
READY = ("recruit", "war", "income", "build")  # phases in which 'ready' says that a player has nothing left to do
RULE_OF = {"recruit": "T5", "deploy": "T6", "choose": "T6", "war": "T7", "income": "T8", "build": "T9", "age": "T10"}

# the rule that a malformed action of each kind is about
CITED = {"keep": "T5", "deploy": "T6", "choose": "T16", "build": "T9", "save": "T10"}


def apply(state: PaperTalesState, action: Action) -> PaperTalesState:
    """T4: the state after one player's part of the phase. Raises IllegalMove; nothing changes then."""
    try:
        return numbered(_apply(state, action), action.id)
    except IllegalMove as error:
        raise citing(CITED, "T4", action, error) from None


def _apply(state: PaperTalesState, action: Action) -> PaperTalesState:
    if action.type not in ACTIONS:
        raise unknown_action(action, ACTIONS)
    n = seat_of(state.seats, action, "T4")
    if state.phase == "over":
        raise over("T4")
    if action.type == "ready":
        return advanced(t4_ready(state, action, n))
    phase, play = TURNS[action.type]
    if phase != state.phase:
        raise IllegalMove(
            "{type} belongs to phase {phase}; it is phase {now}",
            RULE_OF[state.phase],
            type=action.type,
            phase=phase,
            now=state.phase,
        )
    return advanced(play(state, action, n))


def t4_ready(state: PaperTalesState, action: Action, n: int) -> PaperTalesState:
    """T4, T9: a player is done with this phase; in the fifth without building.

    Raises IllegalMove where the phase ends otherwise, or the player is ready already.
    """
    known_fields(action)
    if state.phase not in READY:
        raise IllegalMove(
            "phase {phase} ends when everybody has made its choices", RULE_OF[state.phase], phase=state.phase
        )
    if state.kingdoms[n].done:
        raise IllegalMove("{seat} is ready already", RULE_OF[state.phase], seat=state.seats[n])
    if state.phase == "recruit":
        return t5_ready(state, n)
    return with_kingdom(state, n, replace(state.kingdoms[n], done=True))


def advanced(state: PaperTalesState) -> PaperTalesState:
    """T4: goes on to the next phase as soon as nobody is waited for."""
    if state.phase == "choose" and not any(k.pending for k in state.kingdoms):
        return t7_wars(state)
    if state.phase == "war" and all_done(state):
        return t8_incomes(state)
    if state.phase == "income" and all_done(state):
        return fresh_phase(state, "build")
    if state.phase == "build" and all_done(state):
        state = t10_begin(state)
    if state.phase == "age" and not any(k.pending for k in state.kingdoms):
        return t10_ageing(state)
    return state


legal = legal_by(apply)


def waiting(state: PaperTalesState) -> tuple[str, ...]:
    """T4: the seats that the phase waits for."""
    if state.phase == "over":
        return ()
    if state.phase == "recruit" and state.dealt:
        return tuple(s for s, k in zip(state.seats, state.kingdoms, strict=True) if not k.choice)
    if state.phase in ("choose", "age"):
        return tuple(s for s, k in zip(state.seats, state.kingdoms, strict=True) if k.pending)
    return tuple(s for s, k in zip(state.seats, state.kingdoms, strict=True) if not k.done)


def moves(state: PaperTalesState, seat: str) -> list[Action]:
    """The legal actions of a seat; for the deployment only laying the cards as they stand and keeping one."""
    if seat not in waiting(state):
        return []
    n = state.seats.index(seat)
    return [Action(type, {"seat": seat, **data}) for type, data in _moves(state, n)]


def _moves(state: PaperTalesState, n: int) -> list[tuple[str, dict[str, object]]]:
    kingdom = state.kingdoms[n]
    if state.phase == "recruit":
        if not state.dealt:
            return [("ready", {})]
        if len(state.seats) != 2:
            return [("keep", {"card": c}) for c in kingdom.packet]
        return [("keep", {"card": c, "discard": d}) for c in kingdom.packet for d in kingdom.packet if c != d]
    if state.phase == "deploy":
        rows = {
            "front": [u.card for u in kingdom.units if u.front],
            "back": [u.card for u in kingdom.units if not u.front],
        }
        return [("deploy", {**rows, "keep": keep}) for keep in (None, *kingdom.hand)]
    if state.phase == "choose":
        return [("choose", {"card": c, "target": t}) for c in kingdom.pending for t in _targets(state, n, c)]
    if state.phase == "age":
        return [("save", {"card": c, "target": t}) for c in kingdom.pending for t in (*savable(kingdom), None)]
    if state.phase == "build":
        return [("ready", {}), *(("build", {"building": b, "level": v}) for b, v in affordable(state, n))]
    return [("ready", {})]


def _targets(state: PaperTalesState, n: int, card: str) -> list[str]:
    if TYPE_OF[card].key == "shapeshifter":
        cheap = (c for c in CARDS if TYPE_OF[c].cost <= CHEAP)
        return [
            c
            for c in cheap
            if legal(state, Action("choose", {"seat": state.seats[n], "card": card, "target": c})) is None
        ]
    return [u.card for u in state.kingdoms[n].units]


def affordable(state: PaperTalesState, n: int) -> list[tuple[str, int]]:
    """T9: every building and level that a kingdom can pay for now."""
    kingdom, found = state.kingdoms[n], []
    for building in BUILDINGS:
        for level in range(kingdom.buildings.get(building, 0) + 1, 3):
            price = t9_price(state, kingdom, building, level)
            if price is not None and price <= kingdom.gold:
                found.append((building, level))
    return found


def pick(state: PaperTalesState, rng: Random) -> Action | None:
    """A random legal action of one of those who are waited for; deployments are drawn among all that fit."""
    who = waiting(state)
    if not who:
        return None
    n = state.seats.index(rng.choice(who))
    seat = {"seat": state.seats[n]}
    if state.phase == "deploy":
        return Action("deploy", {**seat, **_random_plan(state, n, rng)})
    if state.phase == "recruit" and state.dealt:
        cards = rng.sample(state.kingdoms[n].packet, 2)
        two = {"discard": cards[1]} if len(state.seats) == 2 else {}
        return Action("keep", {**seat, "card": cards[0], **two})
    type, data = rng.choice(_moves(state, n))
    return Action(type, {**seat, **data})


def _random_plan(state: PaperTalesState, n: int, rng: Random) -> dict[str, object]:
    kingdom = state.kingdoms[n]
    hand = list(kingdom.hand) if state.dealt else _free_cards(state, rng)
    front, back, most = t6_spots(state, kingdom)
    cards = [u.card for u in kingdom.units if rng.random() < 0.8] + hand
    rng.shuffle(cards)
    laid = cards[: rng.randint(0, most)]
    rest = [c for c in hand if c not in laid]
    at_front = min(len(laid), rng.randint(max(0, len(laid) - back), front))
    keep = rng.choice(rest) if rest and rng.random() < 0.7 else None
    return {"front": laid[:at_front], "back": laid[at_front:], "keep": keep}


def _free_cards(state: PaperTalesState, rng: Random) -> list[str]:
    taken = {u.card for k in state.kingdoms for u in k.units} | {k.kept for k in state.kingdoms if k.kept}
    for k in state.kingdoms:
        if k.plan is not None:
            taken |= {*k.plan.front, *k.plan.back, *((k.plan.keep,) if k.plan.keep else ())}
    return rng.sample([c for c in CARDS if c not in taken], 5)


GAME: Game[PaperTalesState] = Game(
    name="paper_tales",
    title=Text("Paper Tales", "Paper Tales"),
    start=t1_start,
    legal=legal,
    apply=apply,
    outcome=t11_outcome,
    view=view,
    players=(2, 5),
    options=OPTIONS,
    view_for=view_for,
    told=told,
    moves=moves,
    pick=pick,
    waiting=waiting,
    to_json=dump,
    from_json=lambda data: load(PaperTalesState, data),
    reveals=reveals,
    deeds=ACTIONS,
)
