"""Games in a terminal in French: what is typed, shown and refused has the words of the French rules."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.base import Action
from companion.play import Session, split
from companion.play_words import folded, terminal_texts
from companion.terminal import readable
from companion.words import NO_BREAK, language_of
from tests.companion.paleo_table import SHEET
from tests.companion.random_setups import ALL_GAMES, random_setup

TWO = {"players": {"ann": "Ann", "ben": "Ben"}, "seed": 1}
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}  # a terminal that knows no accents
WAIT_S = 20.0  # for a line of a terminal, on a busy machine


def session(name: str = "armadora", **setup: Any) -> tuple[Session, list[str]]:
    lines: list[str] = []
    return Session(name, {**TWO, **setup}, lambda line: lines.append(line.replace(NO_BREAK, " ")), "fr"), lines


def paleo() -> tuple[Session, list[str]]:
    setup = {"sheet": SHEET, "players": {"red": "Ann", "green": "Ben"}, "options": {"kept_by": "taps"}}
    one, lines = session("paleo", **setup)
    one.take("commencer la manche commence=rouge")
    return one, lines


def typed_at_every_step(name: str, seed: int, steps: int) -> int:
    """A match played by the numbers of the list; how many of the actions that it could have gone on with were typed."""
    one, rng, typed = Session(name, random_setup(name, seed), lambda _: None, "fr"), Random(seed), 0
    for _ in range(steps):
        one.take("coups")
        if not one._listed:
            break
        for move in rng.sample(one._listed, min(12, len(one._listed))):
            all_ways_of_typing_mean(one, move)
            typed += 1
        one.take(str(rng.randint(1, len(one._listed))))
    return typed


def all_ways_of_typing_mean(one: Session, move: Action) -> None:
    """An action as it is shown, typed as it is and without accents or capitals, is that action."""
    meant = {name: list(v) if isinstance(v, tuple) else v for name, v in move.data.items()}
    for typed in (one.described(move), bare(one.described(move))):
        read = one._action(split(typed))
        assert (read.type, read.data) == (move.type, meant), typed


def bare(text: str) -> str:
    """The same without accents or capitals; what stands between its words stays."""
    return "".join(folded(sign) or sign for sign in text)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_every_action_that_is_shown_can_be_typed_with_or_without_accents(name: str) -> None:
    assert sum(typed_at_every_step(name, seed, 30) for seed in range(3)) > 100


def test_an_action_is_told_by_the_words_of_the_rules_or_by_a_part_of_them() -> None:
    one, lines = session()
    one.take("Guerrier case=a1 valeur=3")
    assert one.state.warriors[0].value == 3
    assert lines[-2:] == ["  Ann : un Guerrier en a1.", "  → ben"]
    one.take("palissade ligne=c1-c2")
    assert one.state.palisades == 34
    one.take("coups")
    assert any(line.startswith("  1  palissade siège=ben ligne=") for line in lines)
    one.take("une seule palissade")
    one.take("passer siège=ann")
    assert lines[-2] == "  Ann passe définitivement."
    one.take("warrior square=b1 value=1")
    assert lines[-2] == "  Ben : un Guerrier en b1.", "English is understood as well"


def test_a_name_with_an_apostrophe_needs_no_quotation_marks() -> None:
    people = {"players": {"knights": "Ann", "dragons": "Ben"}}
    one, _ = session("zargo", **people)
    one._learn()
    read = one._action(split("proposer l'alliance avec=dragons siège=chevaliers"))
    assert (read.type, dict(read.data)) == ("propose", {"with": "dragons", "seat": "knights"})
    read = one._action(split("accepter l’alliance avec=chevaliers siège=dragons"))
    assert (read.type, dict(read.data)) == ("accept", {"with": "knights", "seat": "dragons"})


def test_an_alliance_is_accepted_by_its_words_and_a_change_by_one() -> None:
    """'accept' alone is for a change that was shown; with a people it is an action, in English too."""
    lines: list[str] = []
    one = Session("zargo", {"players": {"knights": "Ann", "dragons": "Ben"}, "seed": 1}, lines.append)
    one.take("accept with=knights seat=dragons")
    assert lines[-1].startswith("! accept comes after the set-up")
    one.take("accept")
    assert lines[-1].startswith("! nothing is proposed")


@pytest.mark.parametrize(("language", "told"), [("en", "cities 4, counters_left"), ("fr", "villes 4, pions restants")])
def test_what_a_people_has_are_cities(language: str, told: str) -> None:
    """Z16: the game counts nothing else."""
    lines: list[str] = []
    Session("zargo", {"players": {"knights": "Ann", "dragons": "Ben"}, "seed": 1}, lines.append, language).show()
    shown = [line.replace(NO_BREAK, " ") for line in lines if "(Ann)" in line]
    assert len(shown) == 1
    assert f": {told}" in shown[0]


@pytest.mark.parametrize("text", ["1004", "0404"])
def test_a_hex_is_a_name_also_where_it_is_a_number(text: str) -> None:
    one, _ = session("zargo", players={"knights": "Ann", "dragons": "Ben"})
    assert one._action(["city", f"hex={text}"]).data["hex"] == text
    assert one._action(["move", f"path={text}"]).data["path"] == [text]


REFUSED = {
    "guerrier case=a1 valeur=9": "! « Guerrier » : valeur : trouvé 9, attendu de 1 à 5 (règle A5)",
    "guerrier a1": "! trouvé 'a1', attendu nom=valeur",
    "voler": "! action inconnue 'voler' ; attendu : Guerrier, palissade, une seule palissade, passer définitivement",
    "guerrier cas=a1": "! « Guerrier » : champ inconnu 'cas', attendu : case, valeur",
    "9": "! il n’y a pas de coup 9 dans la liste ; tapez d’abord « coups »",
    '"ouvert': "! un guillemet ou une barre oblique inverse reste ouvert",
    "moi": "! moi : attendu : ann, ben",
    "annuler": "! il n’y a rien à annuler",
    "annuler x": "! trouvé 'x', attendu le numéro d’une entrée ; tapez « entrées »",
    "accepter": "! rien n’est proposé ; tapez d’abord « annuler NUMÉRO »",
    "corriger": "! corriger : attendu le numéro d’une entrée",
}


@pytest.mark.parametrize("typed", REFUSED)
def test_what_is_refused_is_said_in_french(typed: str) -> None:
    one, lines = session()
    before = one.state
    one.take(typed)
    assert lines[-1].startswith(REFUSED[typed])
    assert one.state is before


def test_fields_and_things_in_refusals_and_in_the_log_have_their_french_names() -> None:
    one, lines = session("sacrifice")
    one.take("déplacer pièce=ann-faucon-9 chemin=a3")
    assert lines[-1].startswith("! « déplacer » : pièce : trouvé 'ann-faucon-9', attendu : ann-")
    assert "falcon" not in lines[-1]
    one.take("construire un mur ligne=zz")
    assert lines[-1].startswith("! mur : ligne : trouvé 'zz'")
    one.take("coups")
    one.take("1")
    one.take("journal")
    assert not [line for line in lines if "ann-falcon" in line or "ann-builder" in line]


def test_what_is_missing_is_told_and_an_action_with_its_field_is_named() -> None:
    one, lines = session("zargo", players={"knights": "Ann", "dragons": "Ben"})
    one.take("prêt")
    assert lines[-1] == "! siège : trouvé rien, attendu : chevaliers, dragons (règle Z3)"
    one.take("placer une ville siège=chevaliers ville=chevaliers-ville-1 hexagone=0000")
    assert lines[-1].startswith("! placer une ville : hexagone : trouvé '0000', attendu un hexagone comme 0103")


def test_a_sentence_of_paleo_needs_no_accents_and_its_refusal_names_french_words() -> None:
    one, lines = paleo()
    one.take("joue 8, touche 5, expulse 5")
    assert one.state.captured("green") == ("green-5",)
    one.take("joué 3 par la fenêtre")
    assert lines[-1].startswith("! 'fenêtre' ne se comprend pas ici ; attendu des pions, des portes ou : joué, touché")
    assert one.take("joué 3, expulsé 3 de l'île"), "an apostrophe is no quotation mark"
    assert "guillemet" not in lines[-1]


def test_an_answer_needs_no_question_and_says_what_it_means() -> None:
    one, lines = paleo()
    one.take("joué 8, touché 5 et 4")
    assert "  ? L’Explorateur vert 5 était-il dans son camp de base quand il a été touché ? (coups)" in lines
    one.take("coups")
    assert "  1  réponse choix=dedans  (Oui, dans son camp)" in lines
    assert "  2  réponse choix=dehors  (Non)" in lines
    before = one.game.view(one.state)["question"]["id"]
    one.take("reponse choix=DEHORS")
    assert (one.game.view(one.state)["question"] or {}).get("id") != before


def test_what_a_correction_would_change_is_shown_in_french() -> None:
    one, lines = session()
    one.take("guerrier case=a1 valeur=1")
    one.take("corriger 2 guerrier case=b1 valeur=2")
    assert "  ann · réserve : 10, 2, 1, 1, 1 → 11, 1, 1, 1, 1" in lines
    assert lines[-1] == "  « accepter » ?"
    one.take("accepter")
    assert one.state.warriors[1].value == 2


def test_options_have_french_names_beside_what_the_command_line_takes() -> None:
    one, lines = session("zargo", players={"knights": "Ann", "dragons": "Ben"})
    one.take("options")
    at = next(n for n, line in enumerate(lines) if line.startswith("  tie = shared"))
    assert lines[at + 1] == "      égalité : victoire partagée | personne"


def test_french_orders_are_no_english_ones() -> None:
    lines: list[str] = []
    one = Session("armadora", TWO, lines.append)
    one.take("annuler")
    assert lines[-1].startswith("! unknown action 'annuler'")


def test_every_word_of_the_terminal_is_there_in_both_languages() -> None:
    assert all(set(text) == {"en", "fr"} and all(text.values()) for text in terminal_texts().values())
    for kind in ("order", "field", "value"):
        words = [folded(text["fr"]) for key, text in terminal_texts().items() if key.startswith(f"{kind}.")]
        assert len(set(words)) == len(words), "each means one thing"


@pytest.mark.parametrize(
    ("environ", "language"),
    [({}, "en"), ({"LANG": "fr_FR.UTF-8"}, "fr"), ({"LANG": "fr"}, "fr"), ({"LANG": "de_DE.UTF-8"}, "en"),
     ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"), ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "fr_CH.UTF-8"}, "fr"),
     ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:fr:en"}, "fr"), ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "en"}, "en"),
     ({"LANG": "C.UTF-8", "LANGUAGE": "fr"}, "en"), ({"LC_ALL": "", "LANG": "fr_CA"}, "fr")],
)  # fmt: skip
def test_the_machine_says_which_language_it_speaks(environ: dict[str, str], language: str) -> None:
    assert language_of(environ) == language


def terminal(typed: bytes, *words: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    spoken = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    return subprocess.run(
        [sys.executable, "-m", "companion.cli", "play", *words],
        input=typed, capture_output=True, timeout=60, check=False, env={**spoken, **environ},
    )  # fmt: skip


def test_the_command_speaks_the_machines_language_or_the_one_that_is_asked_for() -> None:
    french = terminal(b"quitter\n", "armadora", LANG="fr_FR.UTF-8").stdout.decode().replace(NO_BREAK, " ")
    assert "À jouer : p1" in french
    assert "p1 (J1)" in french
    assert "To act: p1" in terminal(b"quit\n", "armadora", "--language", "en", LANG="fr_FR.UTF-8").stdout.decode()
    assert "To act: p1" in terminal(b"quit\n", "armadora", LANG="C.UTF-8").stdout.decode()
    assert "chevaliers (Chevaliers)" in terminal(b"", "zargo", "--language", "fr").stdout.decode()
    refused = terminal(b"", "armadora", "--language", "de")
    assert refused.stderr == b"paleo: --language de: expected en or fr\n"


def test_a_wrong_set_up_is_refused_in_french() -> None:
    refused = terminal(b"", "armadora", "--language", "fr", "--players", "a=A,a=B")
    assert refused.returncode == 1
    assert refused.stderr.decode().replace(NO_BREAK, " ") == "paleo: joueurs : le siège 'a' est nommé deux fois\n"
    assert "jeu 'dames' inconnu" in terminal(b"", "dames", "--language", "fr").stderr.decode()


NO_MATCH = '{"format": 1, "entries": [{"id": 1, "type": "%s", "time": "%s", "data": {}}]}'


@pytest.mark.parametrize(
    ("kept", "told"),
    [(b"{", "la ligne 1 n’est pas du JSON"), (b"\xff\xfe", "ce n’est pas du texte"), (b"[]", "attendu un objet avec"),
     (b'{"format": 1, "entries": [7]}', "entrée 1 : attendu les champs id, type, time, data"),
     ((NO_MATCH % ("undo", "hier")).encode(), "entrée 1 : time : trouvé 'hier', attendu une heure avec son fuseau"),
     *(((NO_MATCH % (type, "2026-05-01T20:15:00+00:00")).encode(), "ses entrées ne font pas une partie")
       for type in ("match_started", "undo", "warrior")), (None, "ne peut pas être lu (c’est un dossier)")],
)  # fmt: skip
def test_a_file_that_is_no_kept_match_is_refused_in_one_french_line(
    tmp_path: Path, kept: bytes | None, told: str
) -> None:
    file = tmp_path / "partie.json"
    file.mkdir() if kept is None else file.write_bytes(kept)
    done = terminal(b"guerrier case=a1 valeur=1\n", "armadora", "--language", "fr", "--file", str(file))
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1), done.stderr.decode()
    assert f"{file} : {told}" in done.stderr.decode().replace(NO_BREAK, " ")


def test_a_file_that_keeps_a_match_of_another_game_is_refused_in_one_french_line(tmp_path: Path) -> None:
    file = tmp_path / "partie.json"
    terminal(b"guerrier case=a1 valeur=1\n", "armadora", "--language", "fr", "--file", str(file))
    done = terminal(b"", "zargo", "--language", "fr", "--file", str(file))
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1), done.stderr.decode()
    told = done.stderr.decode().replace(NO_BREAK, " ")
    assert f"{file} : une partie de armadora est gardée ici, attendu une de zargo" in told


@pytest.mark.parametrize(
    ("words", "variables"),
    [(("--help",), {"LANG": "fr_FR.UTF-8"}), (("--help", "--language", "fr"), {}), (("--langue=fr", "-h"), {})],
)
def test_the_help_is_french_where_french_is_spoken(words: tuple[str, ...], variables: dict[str, str]) -> None:
    done = terminal(b"", *words, COLUMNS="200", **variables)
    shown = done.stdout.decode().replace(NO_BREAK, " ")
    assert (done.returncode, done.stderr) == (0, b"")
    for told in ("Jouer à un jeu dans ce terminal", "zargo ou paleo.", "[nécessaire]", "cartes et or sont tirés",
                 "--players,--joueurs", "Montrer cette aide"):  # fmt: skip
        assert told in shown
    assert "Show this message" not in shown


def test_the_help_stays_english_elsewhere() -> None:
    shown = terminal(b"", "--help").stdout.decode()
    assert "Play a game in this terminal" in shown
    assert "Show this message and exit." in shown


def test_options_have_french_names_and_a_language_that_is_none_is_refused_in_the_machines(tmp_path: Path) -> None:
    named = ("--langue", "fr", "--joueurs", "Élise,Zoé", "--graine", "3", "--fichier", str(tmp_path / "partie.json"))
    done = terminal(b"quitter\n", "armadora", *named)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Élise" in done.stdout.decode()
    refused = terminal(b"", "armadora", "--language", "de", LANG="fr_FR.UTF-8")
    assert "paleo: --language de : attendu en ou fr\n" in refused.stderr.decode().replace(NO_BREAK, " ")
    assert refused.returncode == 1


def test_a_match_that_cannot_be_kept_says_so_in_french(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "partie.json"
    done = terminal(b"guerrier case=a1 valeur=1\n", "armadora", "--language", "fr", "--file", str(file))
    assert f"{file} : ne peut pas être écrit" in done.stderr.decode().replace(NO_BREAK, " ")


def test_a_terminal_without_accents_is_written_to_without_them_and_understood() -> None:
    typed = "aide\nguerrier case=a1 valeur=9\nentrées\nentrees\n".encode() + b"guerrier case=\xe9\xff\nd\xe9placer\n"
    done = terminal(typed, "armadora", "--language", "fr", **PLAIN)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode("ascii")
    assert "A jouer : p1" in shown
    assert '! " Guerrier " : valeur : trouve 9, attendu de 1 a 5 (regle A5)' in shown
    assert "inconnue 'entr" not in shown, "accents that are typed all the same are read as what they are"
    refused = terminal(b"", "dames", "--language", "fr", "--players", "é", **PLAIN)
    assert refused.stderr.startswith(b"paleo: jeu 'dames' inconnu ; attendu")


def test_what_a_terminal_lacks_is_shown_by_what_is_nearest() -> None:
    shown = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    readable(io.TextIOWrapper(io.BytesIO(), encoding="ascii"), shown)
    shown.write("À → « l’œuf » … 字")
    shown.flush()
    assert shown.buffer.getvalue() == b'A -> " l\'oeuf " ... ?'  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("key", "told"), [(b"\x04", "\r\n"), (b"\x03", "Arrêté par une touche ; rien d’autre n’a été fait.\r\n")]
)
def test_the_keys_that_end_a_match_leave_no_traceback(tmp_path: Path, key: bytes, told: str) -> None:
    file = tmp_path / "partie.json"
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover
        words = ["play", "armadora", "--language", "fr", "--file", str(file)]
        os.execv(sys.executable, [sys.executable, "-m", "companion.cli", *words])
    heard = shown_until(terminal, "\n> ")
    os.write(terminal, b"guerrier case=a1 valeur=1\n")
    heard += shown_until(terminal, "→ p2\r\n> ")
    os.write(terminal, key)
    heard += shown_until(terminal, None)
    status = os.waitpid(pid, 0)[1]  # and then the terminal is closed, which hangs up on whatever runs in it
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0
    assert heard.endswith(told)
    assert "Traceback" not in heard
    assert '"warrior"' in file.read_text(encoding="utf-8")


def shown_until(terminal: int, end: str | None) -> str:
    """What a terminal shows until it ends with this, or for good."""
    heard = b""
    while select.select([terminal], [], [], WAIT_S)[0]:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        heard += more
        if not more or (end is not None and heard.decode("utf-8", "ignore").endswith(end)):
            break
    return heard.decode("utf-8").replace(NO_BREAK, " ")
