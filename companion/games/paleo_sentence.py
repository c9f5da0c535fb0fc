"""A shot told in one sentence: 'flicked 3, touched 5 and 8, through north-east', in English or French."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from companion.games.base import AmbiguousAction, Json, MalformedAction, Text, all_of
from companion.games.paleo_state import PaleoState
from companion.games.paleo_words import FRENCH_COLOURS, FRENCH_WINDS, unaccented

PARTS = {
    "flicked": ("flicked", "flick", "played", "joué", "joue", "pichenette"),
    "touched": ("touched", "touches", "hit", "touché", "touche"),
    "doors": ("through", "entered", "door", "par", "entre", "entré"),
    "exits": ("off", "out", "left", "over", "dehors", "sorti", "expulsé"),
    "on_gate": ("gate", "city", "cité"),
    "in_camp": ("camp",),
    "pushed": ("pushed", "poussé"),
    "moved": ("moved", "déplacé"),
}
# the French word for each part that players are told of
FRENCH = {"flicked": "joué", "touched": "touché", "doors": "par", "exits": "dehors", "on_gate": "cité",
          "in_camp": "camp", "pushed": "poussé", "moved": "déplacé"}  # fmt: skip
PART_OF = {unaccented(word): part for part, words in PARTS.items() for word in words}
SILENT = frozenset(
    [
        "and",
        "et",
        ",",
        ";",
        ".",
        "the",
        "le",
        "la",
        "les",
        "a",
        "à",
        "on",
        "in",
        "dans",
        "sur",
        "au",
        "aux",
        "of",
        "de",
        "its",
        "son",
        "leur",
        "leurs",
        "was",
        "est",
        "pion",
        "pawn",
        "board",
        "plateau",
        "porte",
        "sanctuary",
        "sanctuaire",
    ]
)
WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)*|[,;]", re.UNICODE)


@dataclass(slots=True)
class _Told:
    """What has been read so far."""

    facts: Json = field(default_factory=dict)
    part: str = ""
    colour: str | None = None
    pawns: list[str] = field(default_factory=list)  # named since the last part, for what follows them


def is_sentence(text: str) -> bool:
    """Whether a line tells a shot: it begins with a word for flicking."""
    first = WORDS.match(unaccented(text).strip().lower())
    return first is not None and PART_OF.get(first.group()) == "flicked"


def read_sentence(state: PaleoState, text: str) -> Json:
    """The facts of a shot as shot_by_hand takes them. Raises MalformedAction or AmbiguousAction.

    A number without a colour is the side's that plays where it is flicked, and the opponent's elsewhere. A door is
    named by its end, such as north-east; whoever was named right before it, with no comma between, went through, else
    the flicked pawn.
    """
    told = _Told({"touched": [], "doors": [], "exits": [], "on_gate": [], "fouls": []})
    for word in WORDS.findall(unicodedata.normalize("NFC", text).lower()):
        _read(state, told, word)
    if "flicked" not in told.facts:
        raise MalformedAction(
            "found {text!r}, expected a shot such as: flicked 3, touched 5 and 8, off 8", "P11", text=text
        )
    return told.facts


def _read(state: PaleoState, told: _Told, word: str) -> None:
    if word in ",;":
        told.pawns = []
        return
    team = _team(state, word)
    if team is not None and not word.isdecimal():
        told.colour = team
    elif unaccented(word) in PART_OF:
        _turn_to(told, PART_OF[unaccented(word)])
    elif _label(state, word) or word.isdecimal():
        _name(state, told, word)
    elif door := _doors(state, word):
        _through(told, word, door)
    elif word not in SILENT:
        raise MalformedAction(
            "{word!r} is not understood here; expected pawns, doors or one of {expected}",
            "P11",
            word=word,
            expected=_known(),
        )


def _turn_to(told: _Told, part: str) -> None:
    """A new part of the sentence; 'in camp', 'on the gate' and 'off' also speak of the pawns named before them."""
    if part in ("pushed", "moved"):
        told.facts["fouls"].append(part)
        return
    if part == "in_camp":
        told.facts.setdefault("in_camp", []).extend(told.pawns or told.facts["touched"])
        return
    if part == "on_gate":
        told.facts["on_gate"] += told.pawns[-1:] or [told.facts[k] for k in ("flicked",) if k in told.facts]
    told.part, told.colour = part, None
    if part != "doors":
        told.pawns = []


def _name(state: PaleoState, told: _Told, word: str) -> None:
    key = f"{told.colour or _side(state, told)}-{word}"
    if key not in state.pawns:
        raise MalformedAction(
            "found pawn {key}, expected one of {expected} …", "P6", key=key, expected=", ".join(list(state.pawns)[:8])
        )
    told.pawns.append(key)
    if told.part in ("flicked", ""):
        if "flicked" in told.facts:
            raise AmbiguousAction(
                "both {first} and {key} are said to be flicked; one is", "P11", first=told.facts["flicked"], key=key
            )
        told.facts["flicked"] = key
    elif told.part in ("touched", "exits", "on_gate"):
        told.facts[told.part].append(key)


def _side(state: PaleoState, told: _Told) -> str:
    """Whose pawn a number without a colour is."""
    flicker = str(told.facts["flicked"]).rpartition("-")[0] if "flicked" in told.facts else state.turn
    if flicker is None:
        raise AmbiguousAction("nobody's turn is on; say the pawn's colour as well", "P11")
    if told.part in ("flicked", ""):
        return flicker
    others = [name for name in state.sheet.names if name != flicker]
    if len(others) > 1:
        raise AmbiguousAction("say the colour with the number: one of {expected}", "P6", expected=", ".join(others))
    return others[0]


def _through(told: _Told, word: str, doors: list[str]) -> None:
    """A door by its name or its end; of two that end alike the one of the colour that was said."""
    wanted = [d for d in doors if told.colour is None or d.startswith(f"{told.colour}-")] or doors
    if len(wanted) > 1:
        raise AmbiguousAction("{word} fits {all}; say which", "P17", word=word, all=all_of(wanted))
    pawn = told.pawns[-1] if told.pawns else told.facts.get("flicked")
    if pawn is None:
        raise MalformedAction("through {word}: expected who was flicked before it", "P17", word=word)
    told.facts["doors"].append({"puck": pawn, "door": wanted[0]})


def _doors(state: PaleoState, word: str) -> list[str]:
    winds = {french: english for english, french in FRENCH_WINDS.items()}
    english = "-".join(winds.get(part, part) for part in word.split("-"))
    return [d.name for d in state.sheet.doors if d.name == english or d.name.endswith(f"-{english}")]


def _team(state: PaleoState, word: str) -> str | None:
    known = {FRENCH_COLOURS.get(name, name): name for name in state.sheet.names}
    plural = word.removesuffix("s").removesuffix("e")
    return next(
        (name for form in (word, plural) for name in (known.get(form), form) if name in state.sheet.names), None
    )


def _label(state: PaleoState, word: str) -> bool:
    return any(word in team.labels for team in state.sheet.teams) and word not in SILENT


def _known() -> Text:
    """A word for each part of a sentence."""
    return Text(", ".join(words[0] for words in PARTS.values()), ", ".join(FRENCH.values()))
