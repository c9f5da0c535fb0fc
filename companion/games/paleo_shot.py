"""A shot told in pawns: from the account in vision's ids, or from what players said had happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from companion.games.base import MalformedAction, one_of
from companion.games.fast import without
from companion.games.paleo_identity import pin
from companion.games.paleo_moments import PawnEntry, PawnExit, PawnShot, PawnTouch
from companion.games.paleo_state import PaleoState, WaitingShot, changed, could_be

PARTS = ("flicked", "touched", "doors", "exits", "on_gate", "in_camp", "fouls")
KNOWN = frozenset((*PARTS, "by"))
FOULS = ("pushed", "moved")  # P11: not flicked but pushed; P12: more moved by hand than the pawn that was played
TOLD_STEP_S = 0.02  # players tell an order, not times: so far apart, and twice as far as what counts as a tie (P14)


def shot_in_pawns(state: PaleoState, waiting: WaitingShot) -> PawnShot | None:
    """The account with ids turned into pawns, or None where the one flicked is no known pawn.

    The state knows the ids already; other ids that are no pawn, and doors that the match's board has not, are left out.
    """
    account, name = waiting.account, state.seen_as
    if account.flicked not in name:
        return None
    direct: dict[str, PawnTouch] = {}
    stirred: dict[str, float] = {name[account.flicked]: account.t_start}
    for touch in account.touches:
        for puck in (touch.puck, touch.other):
            stirred.setdefault(name.get(puck, ""), touch.t)
        if account.flicked in (touch.puck, touch.other):
            other = name.get(touch.other if touch.puck == account.flicked else touch.puck)
            if other is not None:
                at = state.places.get(other) if stirred[other] == touch.t else (touch.x_mm, touch.y_mm)
                direct.setdefault(other, PawnTouch(touch.t, other, at))
    entries: dict[str, PawnEntry] = {}
    for e in account.doors_in:
        if e.puck in name and state.sheet.door(e.door) is not None:
            entries.setdefault(name[e.puck], PawnEntry(e.t, name[e.puck], e.door))
    return PawnShot(
        flicked=name[account.flicked],
        t_start=account.t_start,
        t_end=account.t_end,
        direct=tuple(direct.values()),
        entries=tuple(entries.values()),
        exits=tuple(PawnExit(m.t, name[m.puck]) for m in account.exits if m.puck in name),
        passed=tuple(name[m.puck] for m in account.passed if m.puck in name),
        on_gate=tuple(name[p] for p in account.on_gate if p in name),
        before={name[puck]: (x, y) for puck, _, _, x, y in account.before if puck in name},
        after={name[puck]: (x, y) for puck, _, _, x, y in account.after if puck in name},
        stirred=stirred,
        ids=dict(zip(name.values(), name, strict=True)),
    )


@dataclass(frozen=True, slots=True)
class Facts:
    """What players say of a shot: pawns by key, touches in order of time; in_camp: None where they do not say it."""

    flicked: str
    touched: tuple[str, ...]
    doors: tuple[tuple[str, str], ...]
    exits: tuple[str, ...]
    on_gate: tuple[str, ...]
    in_camp: tuple[str, ...] | None = None
    fouls: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        more: dict[str, Any] = {} if self.in_camp is None else {"in_camp": list(self.in_camp)}
        return {
            **more,
            **({"fouls": list(self.fouls)} if self.fouls else {}),
            "flicked": self.flicked,
            "touched": list(self.touched),
            "doors": [{"puck": p, "door": d} for p, d in self.doors],
            "exits": list(self.exits),
            "on_gate": list(self.on_gate),
        }


def facts_seen(shot: PawnShot) -> Facts:
    """A shot as the camera saw it, in the form in which players would tell it."""
    return Facts(
        shot.flicked,
        tuple(t.key for t in shot.direct),
        tuple((e.key, e.door) for e in shot.entries),
        tuple(e.key for e in shot.exits),
        shot.on_gate,
        None if shot.in_camp is None else tuple(sorted(shot.in_camp)),
        tuple(sorted(shot.fouls)),
    )


def facts_from_json(state: PaleoState, data: object) -> Facts:
    """Reads what players said; pawns by key or vision's id. Raises MalformedAction naming what is wrong."""
    if not isinstance(data, Mapping):
        raise MalformedAction(
            "the shot's facts: found {data!r}, expected an object with flicked, touched, doors, exits", data=data
        )
    unknown = data.keys() - KNOWN
    if unknown:
        raise MalformedAction(
            "the shot's facts: unknown field {unknown!r}, expected {expected}",
            unknown=min(unknown),
            expected=", ".join(PARTS),
        )
    flicked = _pawn(state, data.get("flicked"), "flicked")
    touched = _pawns(state, data, "touched")
    if flicked in touched:
        raise MalformedAction(
            "the shot's facts: {flicked} cannot touch itself; correct touched", "P15", flicked=flicked
        )
    doors = tuple(dict.fromkeys([_door(state, v) for v in _list(data, "doors")]))
    exits, gate = _pawns(state, data, "exits"), _pawns(state, data, "on_gate")
    camp = None if data.get("in_camp") is None else _pawns(state, data, "in_camp")
    fouls = _list(data, "fouls")
    if not all(isinstance(foul, str) and foul in FOULS for foul in fouls):
        raise MalformedAction(
            "the shot's facts, fouls: found {fouls!r}, expected {expected}",
            "P32",
            fouls=list(fouls),
            expected=one_of(FOULS),
        )
    return Facts(flicked, touched, doors, exits, gate, camp, tuple(dict.fromkeys(fouls)))


def _pawns(state: PaleoState, data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The pawns of a list, each once, in the order in which they were told."""
    return tuple(dict.fromkeys([_pawn(state, v, name) for v in _list(data, name)]))


def _list(data: Mapping[str, Any], name: str) -> Sequence[Any]:
    value = data.get(name, ())
    if not isinstance(value, list | tuple):
        raise MalformedAction("the shot's facts, {name}: found {value!r}, expected a list", name=name, value=value)
    return value


def _pawn(state: PaleoState, value: object, name: str) -> str:
    if isinstance(value, str) and value in state.pawns:
        return value
    if isinstance(value, str) and value in state.seen_as:
        return state.seen_as[value]
    raise MalformedAction(
        "the shot's facts, {name}: found {value!r}, expected a pawn such as {pawn}",
        "P6",
        name=name,
        value=value,
        pawn=next(iter(state.pawns)),
    )


def _door(state: PaleoState, value: object) -> tuple[str, str]:
    if isinstance(value, Mapping):
        pawn, door = value.get("puck"), value.get("door")
    elif isinstance(value, list | tuple) and len(value) == 2:
        pawn, door = value
    else:
        raise MalformedAction(
            "the shot's facts, doors: found {value!r}, expected a pawn and a door", "P17", value=value
        )
    if not isinstance(door, str) or state.sheet.door(door) is None:
        names = ", ".join(d.name for d in state.sheet.doors)
        raise MalformedAction(
            "the shot's facts, doors: found door {door!r}, expected one of {names}", "P17", door=door, names=names
        )
    return _pawn(state, pawn, "doors"), door


def pin_told(state: PaleoState, waiting: WaitingShot, facts: Facts) -> PaleoState:
    """Players named pawns whose numbers are unread: where the camera's puck can only be that pawn, it is from now on.

    A named pawn that no puck of the account fits is no longer taken to be the puck that bore its label by chance.
    """
    shot = shot_in_pawns(state, waiting)
    if shot is None:
        return state
    seen = facts_seen(shot)
    ids = {k: i for i, k in state.seen_as.items()}
    used: set[str] = set()
    for told, candidates in _told_and_seen(facts, seen):
        if state.pawns[told].sure or told in used:
            continue
        fits = [ids[k] for k in candidates if k in ids and ids[k] not in used]
        fits = [i for i in fits if i in state.seen_as and told in could_be(state, state.seen_as[i])]
        state = pin(state, fits[0], told) if fits else _detached(state, told)
        used |= {told, *fits[:1]}
    return state


def _told_and_seen(facts: Facts, seen: Facts) -> list[tuple[str, tuple[str, ...]]]:
    """Each pawn told, with the pawns that the camera saw do the same."""
    pairs: list[tuple[str, tuple[str, ...]]] = [(facts.flicked, (seen.flicked,))]
    pairs += [(k, tuple(s for s, d in seen.doors if d == door)) for k, door in facts.doors]
    pairs += [(k, seen.exits) for k in facts.exits]
    pairs += [(k, seen.on_gate) for k in facts.on_gate]
    return pairs + [(k, seen.touched) for k in facts.touched]


def _detached(state: PaleoState, key: str) -> PaleoState:
    return changed(
        state,
        seen_as={i: k for i, k in state.seen_as.items() if k != key},
        places=without(state.places, key),
    )


def shot_as_told(state: PaleoState, facts: Facts, seen: PawnShot | None, t_start: float, t_end: float) -> PawnShot:
    """The shot as players told it; places from what was seen. Touches come before doors, doors before the rim."""
    moments = count(1)
    step_s = max(TOLD_STEP_S, 2 * state.options.touch_tie_ms / 1000)

    def moment() -> float:
        return t_start + step_s * next(moments)

    direct = tuple([PawnTouch(moment(), k, state.places.get(k)) for k in facts.touched])
    entries = tuple([PawnEntry(moment(), k, d) for k, d in facts.doors])
    exits = tuple([PawnExit(moment(), k) for k in facts.exits])
    named = {facts.flicked, *facts.touched, *facts.exits, *facts.on_gate, *[k for k, _ in facts.doors]}
    return PawnShot(
        flicked=facts.flicked,
        t_start=t_start,
        t_end=max(t_end, moment()),
        direct=direct,
        entries=entries,
        exits=exits,
        passed=(),
        on_gate=facts.on_gate,
        before=seen.before if seen else dict(state.places),
        after=seen.after if seen else dict(state.places),
        stirred={facts.flicked: t_start, **{d.key: d.t for d in direct}},
        ids=seen.ids if seen else {},
        told=frozenset(named),
        in_camp=None if facts.in_camp is None else frozenset(facts.in_camp),
        fouls=frozenset(facts.fouls),
    )
