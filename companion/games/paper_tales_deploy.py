"""Paper Tales' second phase (T6, T16): face-down plans, the common reveal, its costs and its effects."""

from __future__ import annotations

from companion.games.base import Action, IllegalMove, MalformedAction, Text
from companion.games.fast import replace
from companion.games.paper_tales_cards import CARDS, FOOD, TYPE_OF
from companion.games.paper_tales_realm import kind, resources
from companion.games.paper_tales_state import (
    Kingdom,
    PaperTalesState,
    Plan,
    Unit,
    all_done,
    drawn,
    fresh_phase,
    gained,
    with_kingdom,
)
from companion.games.setup import known_fields, logged, word, words

ROW = 2  # T6: spots in each of the two rows
CHEAP = 3  # Shapeshifter: the first unit of at most this cost
AGES_SELF = ("cave_spirit", "demon", "veteran")
AGES_OTHERS = ("kraken", "necromancer")
EVERY_DEPLOYMENT = "master_alchemist"  # what it does in this phase it does in each, not only when revealed
ORDER = {
    "golem": 0,
    EVERY_DEPLOYMENT: 2,
}  # of effects, 1 for all others: levels before they count, food when all have it


def t6_spots(state: PaperTalesState, kingdom: Kingdom) -> tuple[int, int, int]:
    """T6, T15: spots at the front, at the back, and in all; a level-2 building gives the fifth."""
    fifth = 2 in kingdom.buildings.values()
    either = fifth and state.options["fifth_spot"] == "either"
    return ROW + fifth, ROW + either, 2 * ROW + fifth


def t6_deploy(state: PaperTalesState, action: Action, n: int) -> PaperTalesState:
    """T6, T12: the cards of both rows, face down, and at most one card kept; units in play not named are discarded.

    Raises IllegalMove where the seat has laid its cards, or they cannot be laid, paid or kept so.
    """
    known_fields(action, "front", "back", "keep")
    kingdom = state.kingdoms[n]
    if kingdom.done:
        raise IllegalMove("{seat} has laid its cards; the others have not yet", "T6", seat=state.seats[n])
    front, back, keep = words(action, "front"), words(action, "back"), action.data.get("keep")
    if not state.dealt:
        front, back, keep = t16_own_copies(state, n, front, back, keep)
    _check_rows(state, kingdom, front, back)
    mine = {u.card for u in kingdom.units}
    for card in (*front, *back):
        if card not in mine:
            _check_owned(state, n, card)
    if keep is not None:
        if not isinstance(keep, str) or keep in (*front, *back) or keep in mine:
            raise IllegalMove("keep: found {keep!r}, expected one card that stays in the hand", "T6", keep=keep)
        _check_owned(state, n, keep)
    state = with_kingdom(state, n, replace(kingdom, plan=Plan(front, back, keep), done=True))
    return t6_reveal(state) if all_done(state) else state


def t16_own_copies(
    state: PaperTalesState, n: int, front: tuple[str, ...], back: tuple[str, ...], keep: object
) -> tuple[tuple[str, ...], tuple[str, ...], object]:
    """T16: cards of the table's own pack are known by their type: one whose copy lies elsewhere is another copy of it.

    So nobody learns from a refusal what somebody else has laid face down.
    """
    named = {c for c in (*front, *back, keep) if isinstance(c, str)}
    taken = {held for m in range(len(state.seats)) if m != n for held in _held(state.kingdoms[m])}

    def own(card: object) -> object:
        found = _own_copy(state.kingdoms[n], card, taken, named) if isinstance(card, str) else card
        if isinstance(found, str):
            named.add(found)
        return found

    return tuple(str(own(c)) for c in front), tuple(str(own(c)) for c in back), own(keep)


def _own_copy(kingdom: Kingdom, card: str, taken: set[str], named: set[str]) -> str:
    """The card, or another copy of it where it is taken; never one that is named, or in play in this kingdom."""
    mine = {u.card for u in kingdom.units}
    if card not in TYPE_OF or card not in taken or card in mine:
        return card
    free = (c for c in CARDS if TYPE_OF[c] is TYPE_OF[card] and c not in taken | mine | named)
    return next(free, card)


def _held(kingdom: Kingdom) -> tuple[str, ...]:
    """The cards that lie with a kingdom, face down or not."""
    return (*(u.card for u in kingdom.units), *_face_down(kingdom))


def _face_down(kingdom: Kingdom) -> tuple[str, ...]:
    """The cards that a kingdom has kept or laid, and nobody else may know."""
    plan = (*kingdom.plan.front, *kingdom.plan.back, kingdom.plan.keep) if kingdom.plan is not None else ()
    return tuple(card for card in (kingdom.kept, *plan) if card)


def _check_rows(state: PaperTalesState, kingdom: Kingdom, front: tuple[str, ...], back: tuple[str, ...]) -> None:
    most_front, most_back, most = t6_spots(state, kingdom)
    if len(front) > most_front or len(back) > most_back or len(front) + len(back) > most:
        raise IllegalMove(
            "found {front} at the front and {back} at the back, "
            "expected at most {most_front} and {most_back}, {most} in all",
            "T12",
            front=len(front),
            back=len(back),
            most_front=most_front,
            most_back=most_back,
            most=most,
        )
    if len({*front, *back}) != len(front) + len(back):
        raise MalformedAction("a card is named twice", "T6")


def _check_owned(state: PaperTalesState, n: int, card: str) -> None:
    _check_known(card)
    if state.dealt:
        if card not in state.kingdoms[n].hand:
            raise IllegalMove("{seat} does not hold {card}", "T6", seat=state.seats[n], card=card)
        return
    _check_not_in_play(state, card)
    if any(card in _face_down(other) for m, other in enumerate(state.kingdoms) if m != n):
        raise IllegalMove("no copy of {card} is left; name the cards as they lie before you", "T6", card=card)


def _check_known(card: str) -> None:
    if card not in TYPE_OF:
        raise MalformedAction("card: found {card!r}, expected one such as archer-1", "T16", card=card)


def _check_not_in_play(state: PaperTalesState, card: str) -> None:
    for seat, kingdom in zip(state.seats, state.kingdoms, strict=True):
        if card in {u.card for u in kingdom.units}:
            raise IllegalMove("{card} lies with {seat}; take another card of that type", "T6", card=card, seat=seat)


def order_of_seats(state: PaperTalesState) -> list[int]:
    """T6: who goes first where simultaneity matters: highest score, then least gold (public: rules.dized.com)."""
    return sorted(range(len(state.seats)), key=lambda n: (-state.kingdoms[n].score, state.kingdoms[n].gold, n))


def t6_reveal(state: PaperTalesState) -> PaperTalesState:
    """T6: all plans are turned over: paid, and what cannot be paid is discarded; then the effects of revealing."""
    order = order_of_seats(state)
    fresh: dict[int, list[str]] = {}
    for n in order:
        state, fresh[n] = _paid(state, n)
    for n in order:
        lasting = [u.card for u in state.kingdoms[n].units if kind(u) == EVERY_DEPLOYMENT and u.card not in fresh[n]]
        state = _effects(state, n, sorted([*fresh[n], *lasting], key=lambda card: ORDER.get(TYPE_OF[card].key, 1)))
    return fresh_phase(state, "choose")


def _paid(state: PaperTalesState, n: int) -> tuple[PaperTalesState, list[str]]:
    kingdom, plan = state.kingdoms[n], state.kingdoms[n].plan
    assert plan is not None
    old = {u.card: u.age for u in kingdom.units}
    new = [c for c in (*plan.front, *plan.back) if c not in old]
    gold, refused = kingdom.gold, []
    for card in sorted(new, key=lambda c: TYPE_OF[c].cost >= 0):  # a Monkey's gold can pay for the others
        cost = TYPE_OF[card].cost
        if cost > gold:
            refused.append(card)
        else:
            gold -= cost
    units = tuple(Unit(c, old.get(c, 0), c in plan.front) for c in (*plan.front, *plan.back) if c not in refused)
    laid = {*plan.front, *plan.back}
    gone = [c for c in old if c not in laid] + [c for c in kingdom.hand if c not in laid and c != plan.keep] + refused
    kingdom = replace(kingdom, gold=gold, units=units, hand=(), kept=plan.keep, plan=None)
    log = state.log
    for card in refused:
        name, who = TYPE_OF[card].name, state.names[n]
        log = logged(
            log, 0, f"{who} cannot pay {name.en}: discarded.", f"{who} ne peut payer {name.fr} : défaussé.", "T6"
        )
    state = with_kingdom(replace(state, discard=(*state.discard, *gone), log=log), n, kingdom)
    return state, [c for c in new if c not in refused]


def aged(kingdom: Kingdom, who: set[str], by: int = 1) -> Kingdom:
    """A kingdom some of whose units have got age tokens."""
    return replace(kingdom, units=tuple(replace(u, age=u.age + by) if u.card in who else u for u in kingdom.units))


def _effects(state: PaperTalesState, n: int, cards: list[str]) -> PaperTalesState:
    """T16: what units do when revealed, or in each deployment; the Golem before the Kraken, whose price counts level-2
    buildings."""
    for card in cards:
        state = _effect(state, n, card)
    return state


def _effect(state: PaperTalesState, n: int, card: str) -> PaperTalesState:
    kingdom, name = state.kingdoms[n], TYPE_OF[card].key
    if name == "shapeshifter" and state.dealt:
        return _shapeshifter(state, n, card)
    if name in AGES_SELF:
        kingdom = aged(kingdom, {card})
    elif name == "golem":
        kingdom = replace(kingdom, buildings=dict.fromkeys(kingdom.buildings, 2))
    elif name in ("time_master", "shapeshifter") or (name == EVERY_DEPLOYMENT and resources(kingdom)[FOOD]):
        kingdom = replace(kingdom, pending=(*kingdom.pending, card))
    if name in AGES_OTHERS:
        kingdom = aged(kingdom, {u.card for u in kingdom.units if u.card != card})
    if name == "kraken":
        grown = sum(1 for level in kingdom.buildings.values() if level == 2)
        kingdom = gained(kingdom, state.round, "deploy", card, -3 * grown)
    return with_kingdom(state, n, kingdom)


def _shapeshifter(state: PaperTalesState, n: int, card: str) -> PaperTalesState:
    """T16: cards are turned over until one costs at most 3; it takes the place, free, with an age token."""
    gone: list[str] = []
    while True:
        state, found = drawn(state, 1)
        if not found:
            return replace(state, discard=(*state.discard, *gone))
        if TYPE_OF[found[0]].cost <= CHEAP:
            break
        gone.append(found[0])
    state = replace(state, discard=(*state.discard, *gone))
    return _replaced(state, n, card, found[0])


def _replaced(state: PaperTalesState, n: int, card: str, by: str) -> PaperTalesState:
    kingdom = state.kingdoms[n]
    units = tuple(Unit(by, u.age + 1, u.front) if u.card == card else u for u in kingdom.units)
    state = with_kingdom(replace(state, discard=(*state.discard, card)), n, replace(kingdom, units=units))
    if state.options["shapeshifters_unit"] == "revealed":
        return _effect(state, n, by)
    return state


def _turned_over(state: PaperTalesState, n: int, card: str) -> str:
    """T16: the copy that a Shapeshifter's unit is; what others have kept bars none, as a refusal would tell of it."""
    _check_known(card)
    everybody = {held for kingdom in state.kingdoms for held in _held(kingdom)}
    found = _own_copy(state.kingdoms[n], card, everybody, set())
    _check_not_in_play(state, found)
    if found == state.kingdoms[n].kept:
        raise IllegalMove("no copy of {card} is left; name the cards as they lie before you", "T6", card=card)
    return found


def t6_choose(state: PaperTalesState, action: Action, n: int) -> PaperTalesState:
    """T6, T16: the choice of a Time Master, a Master Alchemist, or, with paper cards, of a Shapeshifter's unit.

    Raises IllegalMove where the card waits for no choice, or the target is none that it may have.
    """
    known_fields(action, "card", "target")
    kingdom = state.kingdoms[n]
    card = word(action, "card")
    if card not in kingdom.pending:
        waiting = ", ".join(kingdom.pending) or Text("nothing", "rien")
        raise IllegalMove("{card} waits for no choice; {waiting} does", "T6", card=card, waiting=waiting)
    target = word(action, "target")
    kingdom = replace(kingdom, pending=tuple(c for c in kingdom.pending if c != card))
    if TYPE_OF[card].key == "shapeshifter":
        target = _turned_over(state, n, target)
        if TYPE_OF[target].cost > CHEAP:
            raise IllegalMove("{target} costs more than {most}", "T16", target=target, most=CHEAP)
        return _replaced(with_kingdom(state, n, kingdom), n, card, target)
    if target not in {u.card for u in kingdom.units}:
        raise IllegalMove("{target} is no unit in the kingdom of {seat}", "T16", target=target, seat=state.seats[n])
    by = 2 if TYPE_OF[card].key == "time_master" else resources(kingdom)[FOOD]
    return with_kingdom(state, n, aged(kingdom, {target}, by))
