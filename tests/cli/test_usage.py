"""Help, and what is wrong with a command line, are told in the language of whoever typed it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, get_type_hints

import pytest
import typer

from companion.cli import app
from companion.cli_french import HELPS, help_in_french, told_language, usage_in_french
from companion.words import NO_BREAK

PATIENCE_S = 60


def paleo(*words: str, **variables: str) -> Any:
    """A command line, typed on a machine that speaks as the variables say."""
    spoken = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    return subprocess.run(
        [sys.executable, "-m", "companion.cli", *words],
        input=b"", capture_output=True, timeout=PATIENCE_S, check=False, env={**spoken, "COLUMNS": "200", **variables},
    )  # fmt: skip


def in_one_line(told: bytes) -> str:
    return " ".join(told.decode().replace(NO_BREAK, " ").replace("│", " ").split())


def refused(*words: str, **variables: str) -> str:
    """What a command line is refused with, in one line."""
    done = paleo(*words, **variables)
    assert (done.returncode, done.stdout) == (2, b"")
    return in_one_line(done.stderr)


def helped(*words: str, **variables: str) -> str:
    """What help says, in one line."""
    done = paleo(*words, **variables)
    assert done.returncode == 0 or not words
    return in_one_line(done.stdout + done.stderr)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("plya", "La commande 'plya' n’existe pas."),
        ("board nwe", "La commande 'nwe' n’existe pas."),
        ("run --prt 3", "L’option --prt n’existe pas."),
        ("play armadora --seed", "Après l’option '--seed' il faut une valeur."),
        ("run --lan=3", "L’option '--lan' ne prend pas de valeur."),
        ("play armadora more", "de trop : more"),
        ("track", "Il manque l’argument 'CLIP'."),
        ("track film.mp4", "Il manque l’option '--board'."),
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
        ("No such option: --sed Did you mean --seed?", "L’option --sed n’existe pas. Vouliez-vous dire --seed ?"),
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
    assert "Il manque l’argument 'GAME'." in refused("play", LANG="fr_FR.UTF-8")


def said_in_help(command: Any) -> Iterator[str]:
    """All that the help of a command says, and that of the commands in it."""
    context = typer.Context(command)
    for one in (command, *command.get_params(context)):
        yield from (told for name in HELPS if (told := getattr(one, name, None)))
    for inner in getattr(command, "commands", {}).values():
        yield from said_in_help(inner)


def test_all_that_help_says_has_its_french_and_nothing_else_has() -> None:
    same = {"Films"}
    assert set(said_in_help(typer.main.get_command(app))) - same == set(help_in_french())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--help", ("Installation", "Remettre une sauvegarde", "Commencez par paleo run")),
        ("", ("Regarder une table, arbitrer la partie",)),
        ("calibrate --help", ("Commandes", "Mesurer l’objectif")),
        ("run -h", ("Le port à écouter.", "[par défaut : 8000]", "Montrer cette aide")),
        ("board new -h", ("Faire un fichier de plateau", "[nécessaire]")),
    ],
)
def test_help_is_french_where_french_is_spoken(words: str, told: tuple[str, ...]) -> None:
    shown = helped(*words.split(), LANG="fr_FR.UTF-8")
    assert [one for one in told if one not in shown] == []


def test_help_stays_english_elsewhere() -> None:
    assert "Watch a table, referee the match" in helped("--help", LANG="de_DE.UTF-8")
    assert "The data folder." in helped("backup", "--help", LANG="C")


def test_whether_a_file_may_be_read_is_said_by_whoever_reads_it() -> None:
    """In one line and with exit code 1, as where it is missing; the command line's own look made it a usage error."""
    groups = (app, *(group.typer_instance for group in app.registered_groups))
    commands = [command.callback for group in groups if group is not None for command in group.registered_commands]
    told = [get_type_hints(command, include_extras=True).values() for command in commands if command is not None]
    parameters = [one for hints in told for hint in hints for one in getattr(hint, "__metadata__", ())]
    assert len(parameters) > 60
    assert [one for one in parameters if one.readable] == []
