"""What `paleo label` says, in English and French."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.games.base import Text, counted
from companion.games.paleo_reasons import in_words
from companion.games.paleo_words import FRENCH_COLOURS, FRENCH_WINDS, SHOT_WORDS
from companion.label_facts import Facts

LANGUAGES = ("en", "fr")
POINTS = (".", ",")  # before the tenths of a second
FRENCH_THINGS = ("orange", "crème", "turquoise")  # colours named after things are the same for several
WORDS: dict[str, tuple[str, str]] = {
    "hello": (
        "{seconds:.0f} s of film, {shots} seen in it. Look at the picture of each, and say what truly happened. "
        "Answers are kept at once; Ctrl-C pauses.",
        "{seconds:.0f} s de film, on y voit {shots}. Regardez l’image de chacun, et dites ce qui s’est "
        "vraiment passé. Les réponses sont gardées aussitôt ; Ctrl-C fait une pause.",
    ),
    "progress": ("Looking at the film: {done} of {total} pictures", "Examen du film : {done} images sur {total}"),
    "shot": ("Shot {n} of {total}, at {time} ({picture})", "Coup {n} sur {total}, à {time} ({picture})"),
    "unsure": ("  The camera is not certain: {reasons}", "  La caméra n’est pas certaine : {reasons}"),
    "right?": (
        "  Right?  y = yes  n = no, tell it otherwise  x = it was no shot  m = a shot before it is missing  "
        "? = I cannot tell, or two pucks were taken for each other  b = back : ",
        "  Exact ?  o = oui  n = non, raconter autrement  x = ce n’était pas un coup  m = il manque un coup avant  "
        "? = je ne sais pas, ou deux palets ont été confondus  b = retour : ",
    ),
    "by hand": (
        "In the match a shot was told by hand, by {time}: {shot}",
        "Pendant la partie, un coup a été raconté à la main, avant {time} : {shot}",
    ),
    "meanwhile": (
        "  Seen in that time: shot {n}, at {time}",
        "  Vu pendant ce temps : le coup {n}, à {time}",
    ),
    "by hand?": (
        "  At which second of the film was it flicked?  x = it is not in the film, or none of its own  "
        "? = I cannot tell  b = back : ",
        "  À quelle seconde du film a-t-il été joué ?  x = il n’est pas dans le film, ou n’est pas un coup à part  "
        "? = je ne sais pas  b = retour : ",
    ),
    "hands": ("Hands before shot {n}: {deeds}", "Mains avant le coup {n} : {deeds}"),
    "hands at the end": ("Hands after the last shot: {deeds}", "Mains après le dernier coup : {deeds}"),
    "removed": ("{n}: took {puck} at {time}", "{n} : {puck} retiré à {time}"),
    "placed": ("{n}: put {puck} down at {time}", "{n} : {puck} posé à {time}"),
    "slid": ("{n}: moved {puck} at {time}", "{n} : {puck} déplacé à {time}"),
    "knocked": ("{n}: the camera was knocked at {time}", "{n} : la caméra a été heurtée à {time}"),
    "hands right?": (
        "  Right?  y = yes  n = no  ? = I cannot tell  b = back : ",
        "  Exact ?  o = oui  n = non  ? = je ne sais pas  b = retour : ",
    ),
    "which wrong?": (
        "  Which of them did not happen? Their numbers, with commas between; b = back : ",
        "  Lesquels n’ont pas eu lieu ? Leurs numéros, séparés par des virgules ; b = retour : ",
    ),
    "reefs": (
        "The reefs on the board: {reefs}. Drawn in {picture}.",
        "Les récifs sur le plateau : {reefs}. Dessinés dans {picture}.",
    ),
    "all?": (
        "Were these all the shots of the film?  y = yes  m = one is missing  ? = I cannot tell  b = back : ",
        "Étaient-ce tous les coups du film ?  o = oui  m = il en manque un  ? = je ne sais pas  b = retour : ",
    ),
    "when?": (
        "  At which second of the film was it?  b = back : ",
        "  À quelle seconde du film était-ce ?  b = retour : ",
    ),
    "flicked?": ("  Who was flicked? [{now}] : ", "  Qui a été joué ? [{now}] : "),
    "touched?": (
        "  Whom did it touch itself, in order? [{now}] : ",
        "  Qui a-t-il touché lui-même, dans l’ordre ? [{now}] : ",
    ),
    "number?": (
        "  Which number does {puck} bear? One of {numbers}; Enter = I cannot tell, and the shot is cut out : ",
        "  Quel numéro porte {puck} ? Un de {numbers} ; Entrée = je ne sais pas, et le coup est coupé : ",
    ),
    "others?": (
        "  Which others touched each other? Such as red 7 / green 3 [{now}] : ",
        "  Quels autres se sont touchés ? Par exemple rouge 7 / vert 3 [{now}] : ",
    ),
    "doors?": (
        "  Who went in through which door, wholly? Such as red 7 green north-east [{now}] : ",
        "  Qui est entré par quelle porte, entièrement ? Par exemple rouge 7 vert nord-est [{now}] : ",
    ),
    "exits?": ("  Who left the board? [{now}] : ", "  Qui a quitté le plateau ? [{now}] : "),
    "on_gate?": (
        "  Who came to rest wholly on the gate? [{now}] : ",
        "  Qui s’est arrêté entièrement sur la porte de la cité ? [{now}] : ",
    ),
    "passed?": (
        "  Who slid wholly over the gate and did not stop there? [{now}] : ",
        "  Qui a glissé entièrement sur la porte de la cité sans s’y arrêter ? [{now}] : ",
    ),
    "pushed?": (
        "  Was it pushed along rather than flicked? y / n [{now}] : ",
        "  A-t-il été poussé plutôt que joué d’une pichenette ? o / n [{now}] : ",
    ),
    "yes": ("y", "o"),
    "no": ("n", "n"),
    "keep": (
        "  Enter keeps what stands in brackets; - means nobody; b goes back to the shot's question.",
        "  Entrée garde ce qui est entre crochets ; - veut dire personne ; b revient à la question du coup.",
    ),
    "not understood": ("  Not understood: {found}", "  Pas compris : {found}"),
    "itself": (
        "{puck} cannot touch itself; two different pucks were expected",
        "{puck} ne peut pas se toucher lui-même ; deux palets différents étaient attendus",
    ),
    "it was flicked": (
        "{puck} was flicked, and whom it touched was asked before; two others were expected",
        "{puck} a été joué, et qui il a touché était la question d’avant ; deux autres étaient attendus",
    ),
    "it left": (
        "{puck} left the board, as was said before; one that stayed on it was expected",
        "{puck} a quitté le plateau, comme dit avant ; un palet qui y est resté était attendu",
    ),
    "it stopped there": (
        "{puck} came to rest on the gate, as was said before; one that did not stop there was expected",
        "{puck} s’est arrêté sur la porte de la cité, comme dit avant ; un autre, qui ne s’y est pas arrêté, était "
        "attendu",
    ),
    "it is borne": (
        "{puck} lay on the board with it; another number was expected: {free}",
        "{puck} était avec lui sur le plateau ; un autre numéro était attendu : {free}",
    ),
    **SHOT_WORDS,
    "others": ("{a} touched {b}", "{a} a touché {b}"),
    "door": ("{puck} went in through {door}", "{puck} est entré par {door}"),
    "paused": (
        "Kept. Go on with: paleo label {folder}",
        "C’est gardé. Pour continuer : paleo label {folder}",
    ),
    "open": (
        "No truth was written: it is not known whether these are all the shots. Go on with: paleo label {folder}",
        "Aucune vérité n’a été écrite : on ne sait pas si ce sont tous les coups. Pour continuer : "
        "paleo label {folder}",
    ),
    "done": (
        "{folder}: {shots}, as players told them, in {files}; told so by the camera itself: {right}.",
        "{folder} : {shots}, selon les joueurs, dans {files} ; racontés ainsi par la caméra elle-même : {right}.",
    ),
    "cut": (
        "What nobody could tell was cut out.",
        "Ce que personne n’a pu dire a été coupé.",
    ),
    "no shot": (
        "{folder}: no shot was seen in this film, and none was told; nothing is kept. Look whether the board is in the "
        "picture, and pucks are flicked on it.",
        "{folder} : aucun coup n’a été vu dans ce film, ni raconté ; rien n’est gardé. Regardez si le plateau est dans "
        "l’image, et si des palets y sont joués.",
    ),
    "nothing": (
        "{folder}: nothing is left to be kept; no shot that players told stands alone for long enough.",
        "{folder} : il ne reste rien à garder ; aucun coup raconté n’est isolé assez longtemps.",
    ),
}  # fmt: skip


class Said:
    """Sentences in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._n = LANGUAGES.index(language)

    def __call__(self, what: str, **values: Any) -> str:
        return WORDS[what][self._n].format(**values)

    def shots(self, count: int) -> str:
        """So many shots: 1 shot, 2 coups."""
        told = counted(count, ("shot", "shots"), ("coup", "coups"))
        return told.fr if self._n else told.en

    def puck(self, name: str) -> str:
        """A puck: red 7, rouge 7."""
        team, _, label = name.rpartition("-")
        return f"{self._colour(team)} {label}"

    def pucks(self, names: Iterable[str], between: str = ", ") -> str:
        return between.join(self.puck(name) for name in names)

    def door(self, name: str) -> str:
        """A door: green north-east, vert nord-est."""
        words = name.split("-")
        winds = [FRENCH_WINDS[w] if self._n else w for w in words if w in FRENCH_WINDS]
        return " ".join([*(self._colour(w) for w in words if w not in FRENCH_WINDS), "-".join(winds)]).strip()

    def shot(self, facts: Facts) -> str:
        """A shot in one sentence."""
        told = [self("pushed" if facts.pushed else "flicked", puck=self.puck(facts.flicked))]
        touched = self.pucks(facts.touched, self("then"))
        told.append(self("touched", pucks=touched) if touched else self("nobody"))
        told += [self("others", a=self.puck(a), b=self.puck(b)) for a, b in facts.others]
        told += [self("door", puck=self.puck(p), door=self.door(d)) for p, d in facts.doors]
        told += [self("exit", puck=self.puck(p)) for p in facts.exits]
        told += [self("on_gate", puck=self.puck(p)) for p in facts.on_gate]
        told += [self("passed", puck=self.puck(p)) for p in facts.passed]
        return (" ; " if self._n else "; ").join(told) + "."

    def reasons(self, reasons: Iterable[str], names: Mapping[str, str]) -> str:
        """Why the camera is not certain. names: the pucks', by its own ids"""

        def called(word: str) -> Text | None:
            return Text(*(Said(language).puck(names[word]) for language in LANGUAGES)) if word in names else None

        return " ".join(in_words(reason, called)[self._n] for reason in reasons)

    def reefs(self, counts: Mapping[str, int]) -> str:
        """How many reefs of each colour."""
        return ", ".join(f"{n} {self._colours(team) if n > 1 else self._colour(team)}" for team, n in counts.items())

    def time(self, seconds: float) -> str:
        """A moment of the film: 1:02.4"""
        minutes, rest = divmod(round(seconds, 1), 60)
        return f"{minutes:.0f}:{rest:04.1f}".replace(".", POINTS[self._n])

    def _colours(self, word: str) -> str:
        """The colour of several: in French with an s, but for things, for two words, and for what ends in one."""
        one = self._colour(word)
        same = not self._n or word not in FRENCH_COLOURS or one in FRENCH_THINGS or " " in one or one.endswith("s")
        return one if same else f"{one}s"

    def _colour(self, word: str) -> str:
        return FRENCH_COLOURS.get(word, word) if self._n else word
