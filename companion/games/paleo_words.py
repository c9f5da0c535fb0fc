"""Paleo in words: pawns, teams, doors and rulings in English and French."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from companion.games.base import Text, counted

KNOWN_WORDS = 500  # pawns, sides and Sanctuaries whose names are remembered: more than a board has
KNOWN_SENTENCES = 2000  # a match says the same of the same few pawns again and again

FRENCH_COLOURS = {
    "red": "rouge",
    "green": "vert",
    "blue": "bleu",
    "yellow": "jaune",
    "white": "blanc",
    "black": "noir",
    "orange": "orange",
    "purple": "violet",
    "violet": "violet",
    "brown": "brun",
    "grey": "gris",
    "gray": "gris",
    "pink": "rose",
    "navy": "bleu marine",
    "sky": "bleu ciel",
    "cream": "crème",
    "teal": "turquoise",
}
FRENCH_WINDS = {"north": "nord", "south": "sud", "east": "est", "west": "ouest"}
FRENCH_ROLES = {"mercenary": "le Mercenaire", "explorer": "l’Explorateur"}  # nouns with their articles
SHOT_WORDS: dict[str, Text] = {
    "flicked": Text("{puck} was flicked", "{puck} a été joué"),
    "pushed": Text("{puck} was pushed", "{puck} a été poussé"),
    "touched": Text("it touched {pucks}", "il a touché {pucks}"),
    "then": Text(", then ", ", puis "),
    "nobody": Text("it touched nobody", "il n’a touché personne"),
    "exit": Text("{puck} left the board", "{puck} a quitté le plateau"),
    "on_gate": Text("{puck} lies on the gate", "{puck} est sur la porte de la cité"),
    "passed": Text("{puck} slid over the gate", "{puck} a glissé sur la porte de la cité"),
}  # what may be told of a shot; each a part of one sentence


def unaccented(text: str) -> str:
    """The same without its accents, which not every keyboard and terminal has."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


@lru_cache(maxsize=KNOWN_WORDS)
def team_text(team: str) -> Text:
    """A side as a name: Red, les Rouges' colour in French."""
    return Text(team.capitalize(), FRENCH_COLOURS.get(team, team).capitalize())


@lru_cache(maxsize=KNOWN_WORDS)
def pawn_text(team: str, label: str, role: str | None) -> Text:
    """A pawn: 'red Mercenary 8'; 'red pawn b' where its role is unknown or the board has none."""
    colour = FRENCH_COLOURS.get(team, team)
    if role in FRENCH_ROLES:
        return Text(f"{team} {role.capitalize()} {label}", f"{FRENCH_ROLES[role]} {colour} {label}")
    return Text(f"{team} pawn {label}", f"le pion {colour} {label}")


@lru_cache(maxsize=KNOWN_WORDS)
def sanctuary_text(door: str) -> Text:
    """A sanctuary by its door's name: 'green north-east Sanctuary'."""
    words = door.split("-")
    winds = [w for w in words if w in FRENCH_WINDS]
    others = [w for w in words if w not in FRENCH_WINDS]
    french = " ".join(["Sanctuaire", *(FRENCH_COLOURS.get(w, w) for w in others)])
    if winds:
        french += " " + "-".join(FRENCH_WINDS[w] for w in winds)
    return Text(" ".join([*others, "-".join(winds)]).strip() + " Sanctuary", french)


def points_text(points: int) -> Text:
    """How many points, one being a point."""
    return counted(points, ("point", "points"), ("point", "points"))


@lru_cache(maxsize=KNOWN_SENTENCES)
def both(en: str, fr: str, **parts: Text) -> Text:
    """Fills the same named parts into an English and a French sentence, each beginning with a capital."""
    english = en.format_map({k: t.en for k, t in parts.items()})
    french = fr.format_map({k: t.fr for k, t in parts.items()})
    return Text(_capital(english), _capital(french))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def listed(parts: list[Text]) -> Text:
    """'a, b and c' in both languages."""
    return Text(_series([p.en for p in parts], "and"), _series([p.fr for p in parts], "et"))


def _series(parts: list[str], last: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"
