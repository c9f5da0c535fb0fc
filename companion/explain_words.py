"""What is written in the picture of a shot, in the language of whoever asked for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.label_words import Said
from vision.explain import Explained, draw_shot, sentences
from vision.frames import Image


def drawn_in(language: str, told: Explained) -> Image:
    """The picture of a shot, its words in this language."""
    if language != "fr":
        return draw_shot(told)
    french = replace(told, labels={puck: _called(label) for puck, label in told.labels.items()})
    return draw_shot(french, list(_in_french(told)))


def written_in(language: str, told: Explained) -> list[str]:
    """What is written below it, a line each."""
    return sentences(told) if language != "fr" else list(_in_french(told))


def _in_french(told: Explained) -> Iterator[str]:
    """The lines of vision.explain.sentences, in their order."""
    shot, since, said = told.shot, told.shot.start_s, Said("fr")

    def called(puck: str) -> str:
        return _called(told.labels[puck]) if puck in told.labels else puck

    def after(time_s: float) -> str:
        return f"après {1000 * (time_s - since):.0f} ms"

    yield (f"coup {told.number} à {_comma(since, 2)} s : {called(shot.flicked)} {'poussé' if shot.pushed else 'joué'}, "
           f"au repos {after(shot.rest_s)}")  # fmt: skip
    for order, t in enumerate(shot.graph.touches, 1):
        yield (f"{order} : {called(t.striker)} a touché {called(t.struck)} {after(t.time_s)}, "
               f"sûr à {100 * t.confidence:.0f} %")  # fmt: skip
    for c in shot.crossings:
        way = "est entré par" if c.direction == "in" else "est ressorti par"
        yield (f"{called(c.puck)} {way} {said.door(c.door)} {after(c.time_s)}, à {_comma(c.depth_mm, 1)} mm derrière "
               "sa ligne")  # fmt: skip
    for p in shot.passages:
        yield f"{called(p.puck)} a glissé sur la porte de la cité"
    for e in shot.exits:
        yield f"{called(e.puck)} est sorti par-dessus le bord {after(e.time_s)}"
    names = {puck: _name(label) for puck, label in told.labels.items()}
    for reason in shot.reasons:
        yield f"à vérifier : {said.reasons([reason], names)}"


def _called(label: str) -> str:
    """A puck as the French say it: "rouge 7" of "red 7"."""
    return Said("fr").puck(_name(label))


def _name(label: str) -> str:
    team, _, number = label.rpartition(" ")
    return f"{team}-{number}"


def _comma(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace(".", ",")
