"""What players say of a shot: pucks by name, such as red-7, and how such names are read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from calibration.board import Board
from companion.games.paleo_words import FRENCH_COLOURS, FRENCH_WINDS, unaccented
from companion.label_seen import Seen, SeenShot

Json = dict[str, Any]
NOBODY = ("-", "none", "nobody", "aucun", "aucune", "personne")
SEPARATORS = re.compile(r"[,;+]|(?:^|(?<=\s))(?:and|then|et|puis)(?=\s|$)")
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
FRENCH = {**FRENCH_COLOURS, **FRENCH_WINDS}


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
    return _once(read_puck(part, known) for part in _parts(text, known))


def read_puck(text: str, known: Collection[str]) -> str:
    """One puck by colour and number, or by its number where only one has it. Raises NotUnderstood."""
    for spelt in (_spelt, _plain):  # a name may have small words of its own
        word = spelt(text)
        found = [k for k in known if k.lower().rpartition("-")[2] == word] or [k for k in known if spelt(k) == word]
        if len(found) == 1:
            return found[0]
    raise NotUnderstood(f"{text.strip()!r}: {', '.join(sorted(found or known))} ?")


def read_pairs(text: str, known: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of pucks: 'red 7 / green 3, green 3 / green 5'. Raises NotUnderstood."""
    pairs = [tuple(read_puck(p, known) for p in part.split("/")) for part in _parts(text, known)]
    if any(len(pair) != 2 for pair in pairs):
        raise NotUnderstood(f"{text.strip()!r}: red 7 / green 3, green 3 / green 5 ?")
    return tuple({frozenset(pair): (pair[0], pair[1]) for pair in reversed(pairs)}.values())[::-1]


def read_doors(text: str, known: Collection[str], board: Board) -> tuple[tuple[str, str], ...]:
    """Who went in through which door: 'red 7 green north-east, 3 north-west'. Raises NotUnderstood."""
    names = [*known, *(door.name for door in board.doors)]
    return tuple(dict.fromkeys(_read_door(part, known, board) for part in _parts(text, names)))


def _read_door(text: str, known: Collection[str], board: Board) -> tuple[str, str]:
    names = sorted((d.name for d in board.doors), key=len, reverse=True)
    for spelt in (_spelt, _plain):
        word = spelt(text)
        for fits in (lambda door: [door], _short):
            ends = [(door, end) for door in names for end in map(spelt, fits(door)) if word.endswith(f"-{end}")]
            if len(ends) == 1:
                return read_puck(word.removesuffix(f"-{ends[0][1]}"), known), ends[0][0]
    raise NotUnderstood(f"{text.strip()!r}: {', '.join(names)} ?")


def _short(door: str) -> list[str]:
    """A door's name without its team's colour: north-east."""
    winds = [part for part in door.lower().split("-") if part in FRENCH_WINDS]
    return ["-".join(winds)] if winds else []


def _parts(text: str, names: Iterable[str]) -> list[str]:
    """What stands between commas and words such as "and"; one that is within a name parts nothing."""
    line = text.lower()
    if line.strip() in NOBODY:
        return []
    for name in {part for n in names for part in (n.lower(), n.lower().rpartition("-")[0])} - {""}:
        line = line.replace(name, "-".join(name.split()))
    return [part for part in SEPARATORS.split(line) if part.strip()]


def _spelt(text: str) -> str:
    """Words in French, which has one for purple and violet, joined as names are and without accents: rouge-7."""
    words = re.split(r"[\s\-]+", text.strip().lower())
    return unaccented("-".join("-".join(FRENCH.get(w, w).split()) for w in words if w))


def _plain(text: str) -> str:
    """The same without small words."""
    return "-".join(w for w in _spelt(text).split("-") if w not in SMALL)


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
