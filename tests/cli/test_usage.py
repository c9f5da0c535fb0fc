"""What is wrong with a command line is told in the language of whoever typed it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from companion.cli_french import told_language, usage_in_french
from companion.words import NO_BREAK

PATIENCE_S = 60


def refused(*words: str, **variables: str) -> str:
    """What a command line is refused with, in one line."""
    spoken = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", *words],
        input=b"", capture_output=True, timeout=PATIENCE_S, check=False, env={**spoken, "COLUMNS": "200", **variables},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, b"")
    return " ".join(done.stderr.decode().replace(NO_BREAK, " ").replace("│", " ").split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("plya", "La commande 'plya' n'existe pas."),
        ("board nwe", "La commande 'nwe' n'existe pas."),
        ("run --prt 3", "L'option --prt n'existe pas."),
        ("play armadora --seed", "Après l'option '--seed' il faut une valeur."),
        ("run --lan=3", "L'option '--lan' ne prend pas de valeur."),
        ("play armadora more", "de trop : more"),
        ("track", "Il manque l'argument 'CLIP'."),
        ("track film.mp4", "Il manque l'option '--board'."),
        ("run --port 99999", "La valeur de '--port' ne convient pas : "),
        ("run --fps fast", "La valeur de '--fps' ne convient pas : "),
    ],
)
def test_what_is_wrong_with_a_command_line_is_told_in_french_where_french_is_spoken(words: str, told: str) -> None:
    shown = refused(*words.split(), LANG="fr_FR.UTF-8")
    assert told in shown
    assert "attendu" in shown or "ne convient pas" not in shown
    assert "─ Erreur ─" in shown
    assert "Error" not in shown
    assert "for help" not in shown


def test_the_language_that_is_asked_for_counts_before_the_machines() -> None:
    assert "Il y a des mots de trop" in refused("play", "armadora", "more", "--langue", "fr", LANG="en_GB.UTF-8")
    assert "unexpected extra" in refused("play", "armadora", "more", "--language=en", LANG="fr_FR.UTF-8")


def test_what_is_wrong_stays_english_elsewhere() -> None:
    shown = refused("plya", LANG="de_DE.UTF-8")
    assert "No such command 'plya'." in shown
    assert "Try 'paleo -h' for help." in shown.replace("companion.cli", "paleo").replace("python -m ", "")


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("Invalid value for '--port': 'x' is not a valid integer range.",
         "La valeur de '--port' ne convient pas : trouvé 'x', attendu un nombre entier"),
        ("Invalid value for '--port': 99999 is not in the range 0<=x<=65535.",
         "La valeur de '--port' ne convient pas : trouvé 99999, attendu 0<=x<=65535"),
        ("No such option: --sed Did you mean --seed?", "L'option --sed n'existe pas. Vouliez-vous dire --seed ?"),
        ("Got unexpected extra argument (more)", "Il y a un mot de trop : more"),
    ],
)  # fmt: skip
def test_the_words_of_other_versions_are_known_too(english: str, french: str) -> None:
    assert (usage_in_french(english) or "").replace(NO_BREAK, " ") == french


def test_what_nobody_translated_stays_as_it_is() -> None:
    assert usage_in_french("Something else.") is None


@pytest.mark.parametrize(
    ("words", "told"),
    [([], None), (["--seed", "3"], None), (["--langue", "fr"], "fr"), (["x", "--language=fr"], "fr"),
     (["--language"], "")],
)  # fmt: skip
def test_what_a_command_line_says_of_the_language(words: list[str], told: str | None) -> None:
    assert told_language(words) == told


def test_play_without_a_game_says_that_one_is_missing() -> None:
    assert "Missing argument 'GAME'." in refused("play")
    assert "Il manque l'argument 'GAME'." in refused("play", LANG="fr_FR.UTF-8")
