"""Why the camera is not certain of a shot, in the players' words and both languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from companion.games.base import Text
from companion.games.paleo_questions import name_of
from companion.games.paleo_state import PaleoState
from companion.games.paleo_words import FRENCH_COLOURS, FRENCH_WINDS

# What vision says (English, with its own ids) and how players are told; {0}, {1} are the groups, pawns by name.
KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        r"the camera was lost during the shot",
        "The camera was lost during the shot.",
        "La caméra a été perdue pendant le coup.",
    ),
    (
        r"pucks lie elsewhere than before the camera was lost",
        "The camera was away, and pawns lie elsewhere now.",
        "La caméra était absente, et des pions se trouvent ailleurs.",
    ),
    (
        r"(\S+) lies (\d+) mm to the (\S+) of where it lay",
        "{0} lies {1} mm to the {2} of where it lay.",
        "{0} se trouve à {1} mm de sa place d’avant, direction {2}.",
    ),
    (
        r"(\S+) does not lie on the board any more",
        "{0} does not lie on the board any more.",
        "{0} n’est plus sur le plateau.",
    ),
    (
        r"a puck of (.+) lies on the board that did not before",
        "A pawn of {0} lies on the board that did not before.",
        "Un pion de {0} est sur le plateau et n’y était pas avant.",
    ),
    (
        r"pucks that lie elsewhere beside these: (\d+)",
        "Pawns that lie elsewhere beside these: {0}.",
        "Pions qui se trouvent ailleurs en plus de ceux-ci : {0}.",
    ),
    (
        r"the camera was knocked during the shot",
        "The camera was knocked during the shot.",
        "La caméra a été heurtée pendant le coup.",
    ),
    (
        r"the light changed by too much during the shot",
        "The light changed too much during the shot.",
        "La lumière a trop changé pendant le coup.",
    ),
    (
        r"the board was not to be seen during the shot",
        "The board could not be seen during the shot.",
        "On ne voyait plus le plateau pendant le coup.",
    ),
    (
        r"(\S+) may have been moved before the shot, while the board was not to be seen",
        "{0} may have been moved before the shot, while the board could not be seen.",
        "{0} a peut-être été déplacé avant le coup, pendant qu’on ne voyait plus le plateau.",
    ),
    (
        r"there was little light during the shot",
        "There was little light during the shot.",
        "Il y avait peu de lumière pendant le coup.",
    ),
    (
        r"another shot began before this one had ended",
        "Another shot began before this one had ended.",
        "Un autre coup a commencé avant la fin de celui-ci.",
    ),
    (
        r"a puck changed its place, and neither its way nor a hand on it was seen",
        "A pawn lies elsewhere, and neither its way nor a hand on it was seen.",
        "Un pion se trouve ailleurs, sans qu’on ait vu son trajet ni une main dessus.",
    ),
    (
        r"a puck was seen to run, and it is not clear which one it was",
        "A pawn was seen to run, and it is not clear which one it was.",
        "On a vu un pion filer, sans savoir au juste lequel.",
    ),
    (
        r"a puck moved by less than its own size, as by a short flick or a nudge",
        "A pawn moved by less than its own size: it was flicked shortly, or somebody nudged it.",
        "Un pion a bougé de moins que sa taille : il a été joué très court, ou quelqu’un l’a poussé.",
    ),
    (
        r"a puck was faster beside a hand than hands slide one",
        "A pawn was faster beside a hand than a hand slides one: it was flicked shortly, or slid with a jerk.",
        "Un pion allait plus vite, près d’une main, qu’une main ne le glisse : joué très court, ou glissé d’un coup.",
    ),
    (
        r"a puck went no further than hands slide one, and something lay on it before",
        "A pawn went no further than hands slide one, and something lay on it before (a finger?).",
        "Un pion n’est pas allé plus loin qu’une main ne le glisse, et quelque chose était dessus (un doigt ?).",
    ),
    (
        r"the shot passed where a hand had put a puck before",
        "The shot passed where a hand had put a pawn, before it was seen where that one lay.",
        "Le coup est passé là où une main avait posé un pion, avant qu’on ait vu où il se trouvait.",
    ),
    (
        r"(\S+) was lost from sight (\d+) mm from where it lies",
        "{0} was lost from sight {1} mm from where it lies.",
        "{0} a été perdu de vue à {1} mm de l’endroit où il se trouve.",
    ),
    (
        r"(\S+) was lost from sight on the board",
        "{0} was lost from sight on the board.",
        "{0} a été perdu de vue sur le plateau.",
    ),
    (
        r"(\S+) may lie under an arm that rests on the board",
        "{0} was not seen again: it may lie under an arm that rests on the board.",
        "{0} n’a pas été revu : il est peut-être sous un bras posé sur le plateau.",
    ),
    (
        r"(\S+) had come to rest before it left the board beside a hand",
        "{0} had come to rest before it left the board, beside a hand: it was flicked off, or taken away.",
        "{0} s’était arrêté avant de quitter le plateau, près d’une main : sorti par le coup, ou retiré.",
    ),
    (
        r"(\S+) was lost from sight before it reached the rim",
        "{0} was lost from sight before it reached the rim.",
        "{0} a été perdu de vue avant d’atteindre le bord.",
    ),
    (
        r"(\S+) was gone in a moment, and no hand lay on it",
        "{0} was gone in a moment, and no hand lay on it.",
        "{0} a disparu en un instant, sans qu’une main soit dessus.",
    ),
    (
        r"(\S+) was gone in a moment beside a hand that stayed there",
        "{0} was gone in a moment, beside a hand that stayed there.",
        "{0} a disparu en un instant, près d’une main restée là.",
    ),
    (
        r"a hand seems to have moved a puck while the shot ran",
        "A hand seems to have moved a pawn while the shot ran.",
        "Une main semble avoir déplacé un pion pendant le coup.",
    ),
    (
        r"a hand was over the board when it was looked at first, and pucks are not where they seemed to be under it",
        "A hand was over the board when the camera first saw it, and pawns are not where they seemed to be under it.",
        "Une main était au-dessus du plateau au premier regard, et des pions n’y sont pas où ils semblaient être.",
    ),
    (
        r"the pictures ended before the shot was surely over",
        "The pictures ended before the shot was surely over.",
        "Les images se sont arrêtées avant que le coup ne soit sûrement fini.",
    ),
    (
        r"what was seen of the shot fits no account of it well",
        "What was seen of the shot fits no account of it well.",
        "Ce qu’on a vu du coup ne s’explique bien d’aucune façon.",
    ),
    (
        r"it is hardly sure that (\S+) touched (\S+)",
        "It is hardly sure that {0} touched {1}.",
        "Il n’est guère sûr que {0} ait touché {1}.",
    ),
    (
        r"it is not clear whether (\S+) touched (\S+) or (\S+) first",
        "It is not clear whether {0} touched {1} or {2} first.",
        "On ne sait pas si {0} a d’abord touché {1} ou {2}.",
    ),
    (
        r"(\S+) would have run through (\S+), which lay in its way",
        "{0} would have run through {1}, which lay in its way.",
        "{0} aurait traversé {1}, qui se trouvait sur son chemin.",
    ),
    (
        r"pucks lost speed that nothing was seen to take up",
        "Pawns lost speed in a moment, and what they struck was not seen.",
        "Des pions ont perdu leur vitesse d’un coup, sans qu’on ait vu ce qu’ils ont touché.",
    ),
    (
        r"everything lay still for ([\d.]+) s while the shot ran: more than one shot may have been played",
        "Everything lay still for {0} s while the shot ran: more than one shot may have been played.",
        "Tout est resté immobile pendant {0} s au milieu du coup : plusieurs coups ont peut-être été joués.",
    ),
    (
        r"no hand came near (\S+), which seems to have been flicked",
        "No hand came near {0}, which seems to have been flicked.",
        "Aucune main ne s’est approchée de {0}, qui semble avoir été joué.",
    ),
    (
        r"(\S+) seems to have been flicked, and to have come back to where it lay",
        "{0} seems to have been flicked, and to have come back to where it lay.",
        "{0} semble avoir été joué, puis être revenu où il était.",
    ),
    (
        r"(\d+) frames are missing",
        "Pictures are missing: {0}.",
        "Il manque des images : {0}.",
    ),
    (
        r"(\d+) frames are missing or damaged",
        "Pictures are missing or damaged: {0}.",
        "Des images manquent ou sont abîmées : {0}.",
    ),
    (
        r"the picture has no colours, and in grey (.+) and (.+) look alike",
        "The camera gives pictures without colours, in which {0} and {1} look alike: add light, or switch its night "
        "vision off.",
        "La caméra donne des images sans couleurs, où {0} et {1} se confondent : ajoutez de la lumière, ou coupez sa "
        "vision nocturne.",
    ),
    (
        r"only (\d+) pictures a second came",
        "The camera gives too few pictures to see who touched whom: {0} a second.",
        "La caméra donne trop peu d’images pour voir qui a touché qui : {0} par seconde.",
    ),
    (
        r"nothing was seen to strike (\S+); (\S+) came nearest \(([\d.]+) mm off\)",
        "Nothing was seen to strike {0}; {1} came nearest, {2} mm off.",
        "On n’a rien vu heurter {0} ; le plus proche était {1}, à {2} mm.",
    ),
    (
        r"(\S+) lies ([\d.]+) mm from where it lay, and nothing was seen to touch it",
        "{0} lies {1} mm from where it lay, and nothing was seen to touch it.",
        "{0} se trouve à {1} mm de sa place, et on n’a rien vu le toucher.",
    ),
    (
        r"(\S+) does not bear the number that is seen where it seems to lie",
        "{0} does not bear the number that is seen where it seems to lie.",
        "{0} ne porte pas le numéro que l’on voit là où il semble se trouver.",
    ),
    (
        r"it is not clear whether (\S+) or (\S+) was flicked",
        "It is not clear which was flicked: {0} or {1}.",
        "On ne sait pas lequel a été joué : {0} ou {1}.",
    ),
    (
        r"(\S+) lies at the gate's edge, and it is not clear whether it lies wholly on the gate",
        "{0} lies at the gate's edge, and it is not clear whether it lies wholly on the gate.",
        "{0} est au bord de la porte de la cité, et on ne voit pas s’il est entièrement dessus.",
    ),
    (
        r"(\S+) lay with its rim on a door's line, and it is not clear whether it went through",
        "{0} lay with its rim on the line of a Sanctuary's door, and it is not clear whether it went through.",
        "{0} touchait du bord la ligne d’entrée d’un Sanctuaire, et on ne voit pas s’il l’a franchie.",
    ),
    (
        r"(\S+) lies half over the board's edge, and it is not clear whether it has left the board",
        "{0} lies half over the board's edge, and it is not clear whether it has left the board.",
        "{0} dépasse à moitié du bord du plateau, et on ne sait pas s’il en est sorti.",
    ),
    (
        r"the camera saw (\S+) go in at (\S+), the beams there did not",
        "The camera saw {0} go in at {1}, the beams there did not.",
        "La caméra a vu {0} entrer à {1}, les faisceaux non.",
    ),
    (
        r"the beams at (\S+) felt (\d+) pucks? go in, the camera saw (\d+)",
        "Pawns that went in at {0}: {1} by the beams, {2} by the camera.",
        "Pions entrés à {0} : {1} selon les faisceaux, {2} selon la caméra.",
    ),
    (
        r"the gate's sensor feels a puck, the camera sees none there",
        "The gate's sensor feels a pawn on it, the camera sees none there.",
        "Le capteur de la porte de la cité sent un pion, la caméra n’y en voit aucun.",
    ),
    (
        r"the camera sees a puck on the gate, the sensor there feels none",
        "The camera sees a pawn on the gate, the sensor there feels none.",
        "La caméra voit un pion sur la porte de la cité, le capteur n’en sent aucun.",
    ),
)
WORDS = {**FRENCH_COLOURS, **FRENCH_WINDS, "north-east": "nord-est", "north-west": "nord-ouest",
         "south-east": "sud-est", "south-west": "sud-ouest"}  # fmt: skip
PATTERNS = tuple((re.compile(pattern), en, fr) for pattern, en, fr in KNOWN)


def reasons_in_words(state: PaleoState, reasons: Sequence[str], ids: Mapping[str, str]) -> tuple[Text, ...]:
    """The reasons for players, each once. ids: vision's id -> pawn; a reason not known here is told as it came."""

    def called(word: str) -> Text | None:
        return name_of(state, ids[word]) if word in ids else None

    return tuple(dict.fromkeys(in_words(reason, called) for reason in reasons))


def in_words(reason: str, called: Callable[[str], Text | None]) -> Text:
    """A reason in both languages. called: what a puck is called, by vision's id; None for what is no such id"""
    for pattern, en, fr in PATTERNS:
        found = pattern.fullmatch(reason)
        if found:
            words = [
                called(group) or Text(group, WORDS.get(group, group.replace(".", ","))) for group in found.groups()
            ]
            return Text(_sentence(en.format(*(w.en for w in words))), _sentence(fr.format(*(w.fr for w in words))))
    return Text(_sentence(reason), f"La caméra signale : {reason}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
