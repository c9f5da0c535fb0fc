"""What a command ends with is told in French where French is spoken, by every command."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import calibration
import companion
import firmware_bridge
import vision
from calibration.board import default_board_path
from companion.cli import ERRORS
from companion.cli_french import warning_told
from companion.journal import START_AGAIN, _remedy
from companion.sensor_words import TROUBLES_FR
from companion.troubles import in_french, line_in_french
from companion.words import NO_BREAK
from tests.cli.test_usage import in_one_line, paleo
from tests.dashboard.test_troubles_in_french import COMPOSED, written

BOARD = str(default_board_path())
PACKAGES = (calibration, companion, firmware_bridge, vision)
TOLD_ELSEWHERE = ("BackupError", "PortError")  # by refusals.json, and by the kind of trouble with a port
RAISED = {name for _, name in ERRORS} - {*TOLD_ELSEWHERE} | {"CalibrationError", "ImportFileError"}
ENGLISH = re.compile(r"\b(expected|found|should|the|is|are|of|nothing|or|and|cannot|not|give|again)\b")
OF_A_CAMERA = (
    "7: no such camera, or it is in use; plug it in, or see `paleo doctor`",
    "7: opened but gives no picture; close other programs that use it",
    "7: it stopped giving pictures; check its cable",
    "7: the same picture for 7 s; check its cable",
)
IN_PARTS = {
    **COMPOSED,
    **{told: f"camera {told}" for told in OF_A_CAMERA},
    "7: the data folder cannot be written (7); 7": "7: the data folder cannot be written (7); "
    "give another one with --data",
    "7: found 7, expected 7 of at most 7": "7: 7: found 7, expected 3 numbers of at most 7",
    "the journal 7 7: 7; 7": f"the journal 7 cannot be written: database is locked; {_remedy('locked', START_AGAIN)}",
}  # fmt: skip
"""Sentences that are put together from parts, and one of what they come to."""


def ended(folder: Path, *words: str, language: str = "fr_FR.UTF-8") -> str:
    """The one line that a command ends with, on a machine that speaks French."""
    named = [word.replace("HERE", str(folder)) for word in words]
    done = paleo(*named, LANG=language)
    assert (done.returncode, done.stdout) == (1, b""), done
    assert done.stderr.count(b"\n") == 1
    return in_one_line(done.stderr).replace(str(folder), "HERE")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"track HERE/none.mp4 --board {BOARD} --events HERE/out", "HERE/none.mp4 : ce fichier n’existe pas ; "),
        (f"track HERE/empty.mp4 --board {BOARD} --events HERE/out", "HERE/empty.mp4 : ce fichier est vide ; recopiez"),
        ("track HERE/x.mp4 --board HERE/none.toml --events HERE/out", "HERE/none.toml : le fichier de plateau"),
        ("run --data HERE/data --camera HERE/none.mp4", "HERE/none.mp4 : ce fichier n’existe pas"),
        ("run --data HERE/empty.mp4", "HERE/empty.mp4 : c’est un fichier, il faut le dossier des données"),
        ("run --data HERE/data --sensors HERE/ttyX", "HERE/ttyX : ce port n’existe pas ; branchez la carte"),
        ("run --size 3x3", "--size 3x3 : attendu LARGEURxHAUTEUR d’au moins 160x120, telles que 1280x720"),
        ("record HERE --source virtual --data HERE/data", "HERE : il y a déjà quelque chose, qui n’est pas écrasé"),
        ("label HERE", "HERE : il n’y a pas d’enregistrement (recording.json manque ou est abîmé)"),
        ("calibrate lens HERE/none --pattern chessboard:9x6:25 --out HERE/lens.json", "HERE/none : n’existe pas"),
        (f"calibrate pose HERE/none.png --board {BOARD} --out HERE/cal.json", "HERE/none.png : n’existe pas ; attendu"),
        ("calibrate check HERE/empty.mp4", "HERE/empty.mp4 : ce fichier est vide ; attendu une image ou un film"),
        ("calibrate camera 97 --exposure fast", "exposition 'fast' : attendu des secondes, telles que 1/250"),
        ("board check HERE/none.toml", "HERE/none.toml : le fichier de plateau n’existe pas"),
        (f"board new {BOARD}", "ce fichier existe déjà ; donnez un autre nom, ou déplacez-le"),
        ("sheets HERE/a.pdf --paper a3", "papier 'a3' : attendu l’un de a4, letter"),
        ("sensors --sensors HERE/ttyX", "HERE/ttyX : ce port n’existe pas"),
        ("backup HERE/out.zip --data HERE/none", "HERE/none : ce dossier de données n’existe pas"),
        ("import HERE/none.json --data HERE/data", "ne peut pas être lu (ce fichier ou ce dossier n’existe pas : "),
        ("export HERE/out.json --data HERE/none", "HERE/none : ce dossier n’existe pas, attendu un dossier dont"),
        ("code king", "king : attendu owner ou referee"),
        ("film HERE/out.mp4 --tier none", "--tier none : attendu l’un de easy,"),
    ],
)  # fmt: skip
def test_what_a_command_ends_with_is_told_in_french(tmp_path: Path, words: str, told: str) -> None:
    (tmp_path / "empty.mp4").touch()
    line = ended(tmp_path, *words.split())
    assert line.startswith("paleo: ")
    assert told in line


def test_why_a_film_ends_before_it_was_to_is_told_in_french(tmp_path: Path) -> None:
    """The command goes on and says what was kept; this line stands before it."""
    out = tmp_path / "kept"
    done = paleo("record", str(out), "--source", "virtual", "--gigabytes", "0.01", "--data", str(tmp_path),
                 "--seconds", "60", LANG="fr_FR.UTF-8")  # fmt: skip
    assert "c’était la limite ; il s’arrête là" in in_one_line(done.stderr)


def test_warnings_are_told_in_french() -> None:
    told = warning_told("film.mp4: the film breaks off after 9 of 30 frames (0.3 s of 1.0 s); only that much was used",
                        ("track", "--language", "fr"))  # fmt: skip
    assert told.replace(NO_BREAK, " ").startswith("attention : film.mp4 : le film s’arrête après 9 images sur 30")
    assert warning_told("film.mp4: it hums", ("track", "--language", "en")) == "warning: film.mp4: it hums"


def test_the_language_that_is_asked_for_counts_before_the_machines(tmp_path: Path) -> None:
    assert "no recording is there" in ended(tmp_path, "label", "HERE", "--language", "en")
    assert "il n’y a pas d’enregistrement" in ended(tmp_path, "label", "HERE", "--langue=fr", language="de_DE.UTF-8")
    assert "no recording is there" in ended(tmp_path, "label", "HERE", language="de_DE.UTF-8")


def test_a_board_is_checked_in_the_language_of_the_machine() -> None:
    assert "tout va ensemble" in in_one_line(paleo("board", "check", BOARD, LANG="fr_FR.UTF-8").stdout)
    assert "all fits together" in in_one_line(paleo("board", "check", BOARD, LANG="C").stdout)


def test_why_measures_make_no_board_is_told_in_the_language_of_the_machine(tmp_path: Path) -> None:
    typed = ("board", "new", "HERE/b.toml", "--puck", "1x0")
    told = "HERE/b.toml : ces mesures ne font pas un plateau : erreur : "
    assert ended(tmp_path, *typed) == (
        f"paleo: {told}door red-north-west : la porte fait 1.8 mm, un palet 1 mm : il ne passe pas"
    )
    assert "no board: error: door red-north-west: the door is 1.8 mm" in ended(tmp_path, *typed, language="C")


def raised() -> Iterator[tuple[str, str]]:
    """Where a sentence is raised that a command may end with, and what it says; those made elsewhere are left out."""
    for package in PACKAGES:
        for path in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                called = ast.unparse(node.func) if isinstance(node, ast.Call) and node.args else ""
                if isinstance(node, ast.Call) and called in RAISED:
                    told = written(node.args[0]) or ""
                    told = f"7: {told}" if called == "ImportFileError" else told
                    if set(told) - set("7-:; ") and not told.startswith(("7: 7;", "--fitted: 7", "7: 77")):
                        yield f"{path.name}:{node.lineno}", told


def test_every_sentence_that_a_command_may_end_with_has_its_french() -> None:
    said = {where: IN_PARTS.get(told, told) for where, told in raised()}
    assert len(said) > 130
    french = {told: in_french(told) for told in said.values()}
    missing = {where: told for where, told in said.items() if french[told] == told or ENGLISH.search(french[told])}
    assert missing == {}


@pytest.mark.parametrize("what", ["opened", "written", "read"])
@pytest.mark.parametrize(
    "reason",
    ["unable to open database file", "database or disk is full", "database is locked", "file is not a database",
     "attempt to write a readonly database", "database disk image is malformed"],
)  # fmt: skip
def test_what_is_wrong_with_the_journal_has_its_french(what: str, reason: str) -> None:
    told = f"the journal /my games/journal.sqlite3 cannot be {what}: {reason}; {_remedy(reason, START_AGAIN)}"
    french = in_french(told)
    assert french.startswith("le journal /my games/journal.sqlite3 ne peut pas être ")
    assert not ENGLISH.search(french)


def test_a_sentence_that_has_no_french_stays_whole() -> None:
    """An "or" in it made two choices of it, with "ou" between."""
    told = "film.mp4: it hums; close the lid, or wait"
    assert line_in_french(told) == told


def test_what_follows_a_files_name_is_told_in_french() -> None:
    told = line_in_french("here/film.mp4: found 2 of the board's markers, expected at least 3")
    assert told.replace(NO_BREAK, " ").startswith("here/film.mp4 : ")
    assert not ENGLISH.search(told)


def test_every_trouble_with_a_port_has_its_french() -> None:
    kinds = {
        node.args[0].value
        for path in sorted(Path(str(firmware_bridge.__file__)).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Trouble" and isinstance(node.args[0], ast.Constant)
    }
    assert kinds <= set(TROUBLES_FR)
