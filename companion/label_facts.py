"""What players say of a shot: pucks by name, such as red-7, and how such names are read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from calibration.board import Board
from companion.games.paleo_words import FRENCH_COLOURS, FRENCH_WINDS
from companion.label_seen import Seen, SeenShot

Json = dict[str, Any]
NOBODY = ("-", "none", "nobody", "aucun", "aucune", "personne")
SEPARATORS = re.compile(r"[,;+]|\b(?:and|then|et|puis)\b")
SMALL = frozenset(
    [
        "the",
        "a",
        "le",
        "la",
        "les",
        "by",
        "through",
        "in",
        "into",
        "par",
        "dans",
        "via",
        "door",
        "porte",
        "pawn",
        "puck",
    ]
    + ["pion", "palet", "of", "de", "du"]
)
ENGLISH = {french: english for english, french in (*FRENCH_COLOURS.items(), *FRENCH_WINDS.items())}


class NotUnderstood(ValueError):
    """An answer cannot be read; the message says what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One shot. touched: by the flicked puck, in order; others: pairs that touched besides; doors: (puck, door)."""

    flicked: str
    touched: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    doors: tuple[tuple[str, str], ...] = ()
    exits: tuple[str, ...] = ()
    on_gate: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    pushed: bool = False

    def to_json(self) -> Json:
        """The form in which answers are kept."""
        return {"flicked": self.flicked, "touched": list(self.touched), "others": [list(p) for p in self.others],
                "doors": [list(d) for d in self.doors], "exits": list(self.exits), "on_gate": list(self.on_gate),
                "passed": list(self.passed), "pushed": self.pushed}  # fmt: skip

    def named(self) -> set[str]:
        """Every puck that is named."""
        pairs = [*self.others, *((puck, puck) for puck, _ in self.doors)]
        paired = {puck for pair in pairs for puck in pair}
        return {self.flicked, *self.touched, *self.exits, *self.on_gate, *self.passed} | paired


def facts_from_json(data: Mapping[str, Any]) -> Facts:
    """The reverse of Facts.to_json; what is not said is nothing. Raises KeyError without `flicked`."""
    return Facts(
        data["flicked"], tuple(data.get("touched", ())), tuple((a, b) for a, b in data.get("others", ())),
        tuple((p, d) for p, d in data.get("doors", ())), tuple(data.get("exits", ())), tuple(data.get("on_gate", ())),
        tuple(data.get("passed", ())), bool(data.get("pushed")),
    )  # fmt: skip


def names_of(seen: Seen) -> dict[str, str]:
    """The name of each id: team and number; team and id where the number was never read, or is another puck's.

    A puck that a hand took and put back bears another id, and the same name.
    """
    look: dict[str, tuple[str, int | None]] = {}
    for puck in seen.pucks():
        number = puck["number"] if puck["number"] is not None else look.get(puck["puck"], ("", None))[1]
        look[puck["puck"]] = (puck["team"], number)
    beside = together(seen)
    names: dict[str, str] = {}
    for one, (team, number) in look.items():
        name = f"{team}-{number}"
        taken = number is None or name in {names.get(other) for other in beside.get(one, ())}
        names[one] = f"{team}-{one}" if taken else name
    return names


def together(seen: Seen) -> dict[str, set[str]]:
    """For each id those that were on the board at the same moment."""
    beside: dict[str, set[str]] = {}
    for event in (e for s in seen.shots for e in (s.start, s.end)):
        ids = {p["puck"] for p in event["pucks"]}
        for one in ids:
            beside.setdefault(one, set()).update(ids - {one})
    return beside


def without(facts: Facts, flicked: str) -> Facts:
    """What is left of the touches that were told of a shot where it was another puck that was flicked."""
    others = tuple(pair for pair in facts.others if flicked not in pair)
    return replace(facts, touched=tuple(p for p in facts.touched if p != flicked), others=others)


def facts_seen(shot: SeenShot, names: Mapping[str, str]) -> Facts:
    """A shot as the tracker told it."""
    flicked = shot.start["puck"]
    contacts = [(c["puck"], c["other"]) for c in shot.of("contact")]
    touched = [b if a == flicked else a for a, b in contacts if flicked in (a, b)]
    others = [(names[a], names[b]) for a, b in contacts if flicked not in (a, b)]
    doors = [(names[c["puck"]], c["door"]) for c in shot.of("door_crossed") if c["direction"] == "in"]
    lay = {p["puck"]: (p["x_mm"], p["y_mm"]) for p in shot.start["pucks"]}
    came = [p["puck"] for p in shot.end["pucks"] if p["puck"] in shot.end["on_gate"]
            and (p["puck"] in shot.paths or p["puck"] not in lay)]  # fmt: skip
    return Facts(
        names[flicked], _once(names[p] for p in touched), tuple(dict.fromkeys(others)), tuple(dict.fromkeys(doors)),
        _once(names[e["puck"]] for e in shot.of("left_board")), _once(names[p] for p in came),
        _once(names[e["puck"]] for e in shot.of("gate_passed")), bool(shot.start["pushed"]),
    )  # fmt: skip


def read_pucks(text: str, known: Collection[str]) -> tuple[str, ...]:
    """A list of pucks: 'red 7, green 3', 'rouge 7 et 3', '-' for none. Raises NotUnderstood."""
    return _once(read_puck(part, known) for part in _parts(text))


def read_puck(text: str, known: Collection[str]) -> str:
    """One puck by colour and number, or by its number where only one has it. Raises NotUnderstood."""
    word = _plain(text)
    found = [k for k in known if k.lower() == word] or [k for k in known if k.lower().rpartition("-")[2] == word]
    if len(found) != 1:
        raise NotUnderstood(f"{text.strip()!r}: {', '.join(sorted(found or known))} ?")
    return found[0]


def read_pairs(text: str, known: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of pucks: 'red 7 / green 3, green 3 / green 5'. Raises NotUnderstood."""
    pairs = [tuple(read_puck(p, known) for p in part.split("/")) for part in _parts(text)]
    if any(len(pair) != 2 for pair in pairs):
        raise NotUnderstood(f"{text.strip()!r}: red 7 / green 3, green 3 / green 5 ?")
    return tuple({frozenset(pair): (pair[0], pair[1]) for pair in reversed(pairs)}.values())[::-1]


def read_doors(text: str, known: Collection[str], board: Board) -> tuple[tuple[str, str], ...]:
    """Who went in through which door: 'red 7 green north-east, 3 north-west'. Raises NotUnderstood."""
    return tuple(dict.fromkeys(_read_door(part, known, board) for part in _parts(text)))


def _read_door(text: str, known: Collection[str], board: Board) -> tuple[str, str]:
    word = _plain(text)
    names = sorted((d.name for d in board.doors), key=len, reverse=True)
    for fits in (lambda door: [door.lower()], _short):
        ends = [(door, short) for door in names for short in fits(door) if word.endswith(f"-{short}")]
        if len(ends) == 1:
            return read_puck(word.removesuffix(f"-{ends[0][1]}"), known), ends[0][0]
    raise NotUnderstood(f"{text.strip()!r}: {', '.join(names)} ?")


def _short(door: str) -> list[str]:
    """A door's name without its team's colour: north-east."""
    winds = [part for part in door.lower().split("-") if part in FRENCH_WINDS]
    return ["-".join(winds)] if winds else []


def _parts(text: str) -> list[str]:
    if text.strip().lower() in NOBODY:
        return []
    return [part for part in SEPARATORS.split(text.lower()) if part.strip()]


def _plain(text: str) -> str:
    """Words in English, without small ones, joined as names are: red-7."""
    words = re.split(r"[\s\-]+", text.strip().lower())
    return "-".join(ENGLISH.get(w, w) for w in words if w and w not in SMALL)


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
