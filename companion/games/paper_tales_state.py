"""Paper Tales as a value (T1-T4): kingdoms, phases and the pile, and how a match begins and deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.games.base import MalformedAction, counted
from companion.games.fast import replace
from companion.games.paper_tales_cards import CARDS
from companion.games.paper_tales_options import OPTIONS
from companion.games.setup import Line, logged, read_options, read_seats, read_seed

ROUNDS = 4  # T4
GOLD = 3  # T2
DEAL, DEAL_AT_TWO = 5, 9  # T5
MOST = {"five": 5, "more": 7}
PHASES = ("recruit", "deploy", "choose", "war", "income", "build", "age", "over")


@dataclass(frozen=True)  # without slots, so that replace() is quick
class Unit:
    """A unit in play: its card, its age tokens, whether it stands at the front."""

    card: str
    age: int
    front: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a player has laid face down: cards of both rows, and the one card kept for the next round."""

    front: tuple[str, ...]
    back: tuple[str, ...]
    keep: str | None


@dataclass(frozen=True, slots=True)
class Gain:
    """One entry of the explained score: round, phase, why (a card, building or war), points."""

    round: int
    phase: str
    why: str
    points: int


@dataclass(frozen=True)  # without slots, so that replace() is quick
class Kingdom:
    """One seat's things. packet: the cards it chooses from; chosen: what it has taken this round; choice: card kept
    and card discarded while others still choose; kept: the card saved from the round before; pending: own cards whose
    effect waits for a choice; done: ready in this phase."""

    gold: int = GOLD
    score: int = 0
    packet: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    choice: tuple[str, ...] = ()
    kept: str | None = None
    hand: tuple[str, ...] = ()
    plan: Plan | None = None
    units: tuple[Unit, ...] = ()
    buildings: Mapping[str, int] = field(default_factory=dict)
    pending: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    done: bool = False
    gains: tuple[Gain, ...] = ()


@dataclass(frozen=True)  # without slots, so that replace() is quick
class PaperTalesState:
    """A match after any number of actions. pile, discard: cards; shuffles: how often the pile was made anew;
    strengths: by seat, of the last war."""

    seats: tuple[str, ...]
    names: tuple[str, ...]
    options: Mapping[str, str]
    seed: int
    kingdoms: tuple[Kingdom, ...]
    phase: str = "recruit"
    round: int = 1
    pile: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    shuffles: int = 0
    strengths: tuple[int, ...] = ()
    log: tuple[Line, ...] = ()

    @property
    def dealt(self) -> bool:
        return self.options["cards"] == "dealt"


def with_kingdom(state: PaperTalesState, n: int, kingdom: Kingdom) -> PaperTalesState:
    """The state with one kingdom replaced."""
    return replace(state, kingdoms=(*state.kingdoms[:n], kingdom, *state.kingdoms[n + 1 :]))


def gained(kingdom: Kingdom, round: int, phase: str, why: str, points: int) -> Kingdom:
    """A kingdom with points added and explained; a score never falls below 0 (public: rules.dized.com)."""
    points = max(points, -kingdom.score)
    if not points:
        return kingdom
    return replace(kingdom, score=kingdom.score + points, gains=(*kingdom.gains, Gain(round, phase, why, points)))


def t1_start(setup: Mapping[str, Any]) -> PaperTalesState:
    """T1-T3, T18: a new match. setup: players {seat: name} in clockwise order, and where wanted options, seed, pile
    (the cards in the order in which they are dealt). Raises MalformedAction."""
    options = read_options(OPTIONS, setup.get("options") or {})
    seats = read_seats(setup, 2, MOST[options["most_players"]], "T18")
    seed = read_seed(setup)
    state = PaperTalesState(
        seats=tuple(seats),
        names=tuple(seats.values()),
        options=options,
        seed=seed,
        kingdoms=(Kingdom(),) * len(seats),
        pile=_pile(setup, seed, _each(len(seats)) * len(seats)) if options["cards"] == "dealt" else (),
    )
    return t5_deal(state)


def _each(seats: int) -> int:
    """T5: how many cards everybody gets in a round."""
    return DEAL_AT_TWO if seats == 2 else DEAL


def _pile(setup: Mapping[str, Any], seed: int, least: int) -> tuple[str, ...]:
    told = setup.get("pile")
    if told is None:
        cards = list(CARDS)
        Random(seed).shuffle(cards)
        return tuple(cards)
    if not isinstance(told, list | tuple) or not set(map(str, told)) <= set(CARDS) or len(set(told)) != len(told):
        raise MalformedAction("pile: expected different cards such as archer-1, in the order of dealing", "T3")
    if len(told) < least:
        raise MalformedAction(
            "pile: found {found}, expected at least {least}: those of the first round", "T3",
            found=counted(len(told), ("card", "cards"), ("carte", "cartes")), least=least,
        )  # fmt: skip
    return tuple(told)


def drawn(state: PaperTalesState, count: int) -> tuple[PaperTalesState, tuple[str, ...]]:
    """T3: cards from the pile; where it is used up, the discarded ones are shuffled into a new pile."""
    if len(state.pile) < count and state.discard:
        fresh = list(state.discard)
        Random(state.seed * 1000 + state.shuffles + 1).shuffle(fresh)
        state = replace(state, pile=(*state.pile, *fresh), discard=(), shuffles=state.shuffles + 1)
    return replace(state, pile=state.pile[count:]), state.pile[:count]


def t3_completed(state: PaperTalesState, count: int) -> PaperTalesState:
    """T3, T16: where a pile that was told has too few of the pack's cards for a round, its other ones join them."""
    if len(state.pile) + len(state.discard) >= count:
        return state
    used = {*state.pile, *state.discard, *(k.kept for k in state.kingdoms)}
    used |= {u.card for k in state.kingdoms for u in k.units}
    return replace(state, discard=(*state.discard, *(c for c in CARDS if c not in used)))


def t5_deal(state: PaperTalesState) -> PaperTalesState:
    """T5: everybody gets 5 cards, 9 at two players; with paper cards the table deals."""
    log = logged(state.log, 0, f"Round {state.round}: recruiting.", f"Manche {state.round} : recrutement.", "T4", "T5")
    state = replace(state, phase="recruit", log=log)
    if not state.dealt:
        return state
    count = _each(len(state.seats))
    state = t3_completed(state, count * len(state.seats))
    for n, kingdom in enumerate(state.kingdoms):
        state, cards = drawn(state, count)
        state = with_kingdom(state, n, replace(kingdom, packet=cards, chosen=(), choice=()))
    return state


def fresh_phase(state: PaperTalesState, phase: str) -> PaperTalesState:
    """The state at the beginning of a phase: nobody is ready yet."""
    return replace(state, phase=phase, kingdoms=tuple(replace(k, done=False) for k in state.kingdoms))


def all_done(state: PaperTalesState) -> bool:
    """Whether everybody is ready."""
    return all(k.done for k in state.kingdoms)
