"""What a command prints or ends with is told in French where French is spoken, by every command."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import calibration
import companion
import firmware_bridge
import vision
from calibration.board import default_board_path
from companion import doctor
from companion.cli import ERRORS
from companion.cli_french import line_told, warning_told
from companion.export import to_json
from companion.journal import NO_FILE, OTHER_FILE, START_AGAIN, WHILE_IT_RUNS, _remedy
from companion.play import Session
from companion.sensor_words import TROUBLES_FR
from companion.tracking import PROGRESS_EVERY, terminal_progress
from companion.troubles import error_in_french, in_french, line_in_french, lines_in_french
from companion.words import NO_BREAK
from firmware_bridge.inputs import WIRED
from firmware_bridge.ports import no_answer
from firmware_bridge.transport import PortError
from tests.cli.test_usage import in_one_line, paleo
from tests.dashboard.test_troubles_in_french import COMPOSED, written
from vision.virtual_table.film import progress_on

BOARD = str(default_board_path())
PACKAGES = (calibration, companion, firmware_bridge, vision)
TOLD_ELSEWHERE = ("BackupError", "PortError")  # by refusals.json, and by the kind of trouble with a port
RAISED = {name for _, name in ERRORS} - {*TOLD_ELSEWHERE} | {"CalibrationError", "ImportFileError", "self._end"}
ENGLISH = re.compile(r"\b(expected|found|should|the|is|are|of|nothing|or|and|cannot|not|give|again)\b")
ROOT = Path(companion.__file__).parents[1]
WORDS = re.compile("[a-z]{3,} |^7: 7$")
TOO_LONG = 300 * "n"  # no file system has such names
COMMANDS = ("paleo calibrate camera",)  # what is to be typed
PRINTED_BY = {
    "companion/cli.py": ("_say",),
    "companion/tracking.py": ("show",),
    "companion/serving.py": ("serve_companion", "_welcome", "_first_code"),
    "companion/transfer.py": ("import_journal",),
    "companion/camera_lock.py": ("lock_camera", "_size_line", "_rate_line"),
    "companion/record.py": ("__str__", "show"),
    "companion/doctor.py": ("show", *(name for name in vars(doctor) if name.startswith("look_at_"))),
    "calibration/commands.py": ("__str__", "_sure", "write_sheets"),
    "calibration/board_commands.py": ("new_board",),
    "vision/camera_settings.py": ("__str__", "_shown"),
}
OF_A_CAMERA = (
    "7: no such camera, or it is in use; plug it in, or see `paleo doctor`",
    "7: opened but gives no picture; close other programs that use it",
    "7: it stopped giving pictures; check its cable",
    "7: the same picture for 7 s; check its cable",
)
IN_PARTS = {  # sentences that are put together from parts, and one of what they come to
    **COMPOSED,
    **{told: f"camera {told}" for told in OF_A_CAMERA},
    "7: the data folder cannot be written (7); 7": "7: the data folder cannot be written (7); "
    "give another one with --data",
    "7: found 7, expected 7 of at most 7": "7: 7: found 7, expected 3 numbers of at most 7",
    "the journal 7 7: 7; 7": f"the journal 7 cannot be written: database is locked; {_remedy('locked', START_AGAIN)}",
    "7: 7": "7: 7 entries",
    "7 added": "7 entries were added",
    "The 7's code, told this once: 7": "The referee's code, told this once: 7",
    "7: 7 s, 7 pictures at 7 a second, 7 MB; 7 lost7. No sound is kept. Next: paleo label 7":
        "7: 7 s, 7 pictures at 7 a second, 7 MB; 7 lost. No sound is kept. Next: paleo label 7",
    ", 7 shown again where the camera gave none":
        "7: 7 s, 7 pictures at 7 a second, 7 MB; 7 lost, 7 shown again where the camera gave none. No sound is kept. "
        "Next: paleo label 7",
    "7: 7 in it left out, as this journal has them already":
        "7: 7 matches in it left out, as this journal has them already",
    "7: 7 left out, of a match whose beginning is not in it":
        "7: 7 entries left out, of a match whose beginning is not in it",
}  # fmt: skip


def ended(folder: Path, *words: str, language: str = "fr_FR.UTF-8") -> str:
    """The one line that a command ends with, on a machine that speaks French."""
    named = [word.replace("HERE", str(folder)).replace("LONG", TOO_LONG) for word in words]
    done = paleo(*named, LANG=language)
    assert (done.returncode, done.stdout) == (1, b""), done
    assert done.stderr.count(b"\n") == 1
    return in_one_line(done.stderr).replace(str(folder), "HERE").replace(TOO_LONG, "LONG")


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
        ("sheets HERE/LONG.pdf", "le fichier des feuilles ne peut pas être écrit (ce nom est trop long)"),
        ("film HERE/LONG.mp4 --shots 0", "HERE/LONG.mp4 : inaccessible (ce nom est trop long) ; vérifiez le chemin"),
        ("board new HERE/LONG", "HERE/LONG : inaccessible (ce nom est trop long)"),
        ("run --data HERE/LONG", "HERE/LONG : inaccessible (ce nom est trop long)"),
        ("export HERE/out.json --data HERE/LONG", "HERE/LONG : inaccessible (ce nom est trop long)"),
        ("calibrate check HERE/LONG", "HERE/LONG : inaccessible (ce nom est trop long)"),
        ("film HERE/out.mp4 --tier none", "--tier none : attendu l’un de easy,"),
    ],
)  # fmt: skip
def test_what_a_command_ends_with_is_told_in_french(tmp_path: Path, words: str, told: str) -> None:
    (tmp_path / "empty.mp4").touch()
    line = ended(tmp_path, *words.split())
    assert line.startswith("paleo: ")
    assert told in line


CLOSED = """
import errno, sys
from pathlib import Path
from companion import cli

look = Path.stat

def refuse(path, **how):
    if "theirs" in path.parts[:-1]:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))
    return look(path, **how)

Path.stat = refuse
cli.main()
"""


def test_a_path_through_a_folder_that_is_closed_to_us_is_told_in_a_line(tmp_path: Path) -> None:
    """Whoever is root may look into every folder: so the system's answer is given by the test."""
    closed = tmp_path / "theirs" / "games"
    words = ("export", str(tmp_path / "out.json"), "--data", str(closed))
    done = subprocess.run([sys.executable, "-c", CLOSED, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "LANG": "C", "LC_ALL": "C"}, timeout=60)  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"paleo: {closed}: cannot be reached (Permission denied); check the path and its rights, or name another\n"
    )


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
        f"paleo: {told}door red-north-west : la porte fait 1,8 mm, un palet 1 mm : il ne passe pas"
    )
    assert "no board: error: door red-north-west: the door is 1.8 mm" in ended(tmp_path, *typed, language="C")


def said(*words: str, language: str = "fr_FR.UTF-8") -> str:
    """What a command prints that ends well, in one line."""
    done = paleo(*words, LANG=language)
    assert (done.returncode, done.stderr) == (0, b""), done
    return in_one_line(done.stdout)


def test_what_becomes_of_a_journal_is_told_in_french(tmp_path: Path) -> None:
    match, out, kept = tmp_path / "match.json", tmp_path / "out.json", tmp_path / "kept.zip"
    played = Session("armadora", {"players": {"ann": "Ann", "ben": "Ben"}, "seed": 1}, list[str]().append)
    played.take("warrior square=a1 value=3")
    match.write_text(to_json(played.entries))
    own = ("--data", str(tmp_path / "own"))
    assert said("import", str(match), *own) == "2 entrées ajoutées"
    assert said("export", str(out), *own) == f"{out} : 2 entrées"
    assert said("export", str(out), *own, language="C") == f"{out}: 2 entries"
    assert said("backup", str(kept), *own).startswith(f"{kept} : 2 entrées du journal et ")
    other = tmp_path / "other"
    restored = said("restore", str(kept), "--data", str(other))
    assert restored.startswith(f"{other} : 2 entrées du journal et ")
    assert re.search(r", du \d{4}-\d\d-\d\d \d\d:\d\d$", restored)
    assert said("code", "referee", *own).startswith("Le code de l’arbitre, donné cette seule fois : ")


def test_what_works_on_this_machine_is_told_in_french(tmp_path: Path) -> None:
    done = paleo("doctor", "--data", str(tmp_path), LANG="fr_FR.UTF-8")
    told = in_one_line(done.stdout)
    for one in ("Paleo Companion sur cette machine", "Dossier des données", "Mio libres", "Bibliothèques",
                "tout est là", "À faire", "Prêt : `paleo run` fera son travail ici."):  # fmt: skip
        assert one in told
    assert [word for word in ("Seen", "all there", "Ready", "free") if word in told] == []


def test_what_is_made_for_a_board_is_told_in_french(tmp_path: Path) -> None:
    film, out, board, pdf = (str(tmp_path / name) for name in ("clip.mp4", "cal.json", "b.toml", "s.pdf"))
    assert said("board", "new", board).startswith(f"{board} : un plateau pour commencer ; ")
    assert "imprimez à la taille réelle" in said("sheets", pdf)
    assert "print at full size" in said("sheets", pdf, "--language", "en")
    made = said("film", film, "--shots", "0", "--seconds", "1", "--tier", "vga")
    assert made == f"{film} est fait ; le plateau, l’objectif et la vérité sont à côté"
    told = said("calibrate", "pose", film, "--board", BOARD, "--out", out)
    assert told.startswith(f"{out} : pose d’après les repères 0, 1")
    assert "attention : pas de fichier d’objectif" in told


def test_what_is_made_of_a_lens_is_told_in_french() -> None:
    told = (
        "lens.json: rms 0.231 px over 12 views, focal length 812.3 ± 1.2 px, model k1 (held-out rms 0.240 px)\n"
        "  a.png: 0.211 px\n  left out b.png: blurred: edges of 7.1 px, expected below 5.0\n"
        "warning: only 5 views: take 10 to 20 for a lens to rely on"
    )
    assert lines_in_french(told).replace(NO_BREAK, " ").split("\n") == [
        "lens.json : écart 0,231 px sur 12 vues, focale 812,3 ± 1,2 px, modèle k1 (écart 0,240 px sur des vues mises "
        "de côté)",
        "  a.png: 0,211 px",
        "  écartée, b.png : floue : bords de 7,1 px, attendu moins de 5,0 px",
        "attention : 5 vues seulement : prenez-en 10 à 20 pour un objectif sûr",
    ]


def test_sensors_are_shown_and_tested_in_french_where_that_is_spoken() -> None:
    text = said("sensors", "--sensors", "virtual", "--seconds", "3")
    for one in ("Capteurs", "Broche", "Maintenant", "faisceau extérieur de red-north-west", "porte de la cité",
                "relâché", "reliée ; son horloge s’écarte de", "événements : ", "bouton de tour"):  # fmt: skip
        assert one in text
    assert re.search(r"il y a \d,\d s", text)
    assert not re.search(r"\b(ago|pin|now|free|up|beam|gate|quiet|connected|events|lines|clock)\b", text, re.IGNORECASE)
    text = said("sensors", "--sensors", "virtual", "--test")
    assert "Coupez le faisceau extérieur de red-north-west, puis libérez-le (broche D2" in text
    assert text.count("… fonctionne") == len(WIRED)
    assert text.endswith("Tous les capteurs fonctionnent.")


@pytest.mark.parametrize("named", ["red-north-west, porte de la cité", "red-north-west,gate"])
def test_sensors_are_named_to_the_board_as_they_are_shown_in_french_or_in_english(named: str) -> None:
    text = said("sensors", "--sensors", "virtual", "--fitted", named)
    assert text == (
        "La carte a maintenant : faisceau extérieur de red-north-west, faisceau intérieur de red-north-west, porte de "
        "la cité."
    )


def test_what_is_no_sensor_is_told_with_their_names_in_french() -> None:
    line = ended(Path(), "sensors", "--sensors", "virtual", "--fitted", "cloche")
    listed = "intérieur de green-south-east, porte de la cité, chocs, bouton de tour, tous, aucun, portes, red-"
    assert listed in line
    assert " beam" not in line


class Screen(io.StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self) -> bool:
        return True


def test_how_far_a_film_is_is_told_in_french() -> None:
    screen = Screen()
    show = terminal_progress(screen, lambda line: line_told(line, ("--language", "fr")))
    show(PROGRESS_EVERY, 4 * PROGRESS_EVERY)
    show(PROGRESS_EVERY, None)
    progress_on(lambda line: line_told(line, ("--language", "fr")), screen)(2.0, 8.0)
    shown = screen.getvalue().replace(NO_BREAK, " ").split("\r")[1:]
    assert [line.removesuffix("\033[K") for line in shown] == [
        "25 % du film, 30 images", "images jusqu’ici : 30", "film : 2 sur 8",
    ]  # fmt: skip


@pytest.mark.parametrize("command", ["track", "film"])
def test_a_command_shows_on_a_french_terminal_how_far_it_is_in_french(tmp_path: Path, command: str) -> None:
    film = tmp_path / "clip.mp4"
    words = ["film", str(film), "--shots", "0", "--seconds", "2", "--tier", "vga"]
    if command == "track":
        assert paleo(*words).returncode == 0
        words = ["track", str(film), "--board", BOARD, "--events", str(tmp_path / "out.jsonl")]
    shown = on_a_terminal(*words)
    assert ("du film, 30 images" if command == "track" else "film : 0 sur 2") in shown
    assert not re.search(r"frames|film: | of ", shown)


def on_a_terminal(*words: str) -> str:
    """What a command writes to standard error, where that is a French terminal."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "companion.cli", *words]
    environment = {**os.environ, "LANG": "fr_FR.UTF-8", "LC_ALL": "", "LANGUAGE": ""}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=theirs) as running:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # as a terminal ends
            while part := os.read(ours, 4096):
                shown += part
        assert running.wait() == 0
    os.close(ours)
    return shown.decode().replace(NO_BREAK, " ")


def printed() -> Iterator[tuple[str, str]]:
    """Where a command makes a sentence that it prints when all is well, and what it says."""
    for name, makers in PRINTED_BY.items():
        for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            maker = node.name if isinstance(node, ast.FunctionDef) else ""
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "_say":
                maker = "_say"
            if maker in makers:
                yield from ((name, told) for told in sentences(node))


def sentences(node: ast.AST) -> Iterator[str]:
    """What is put into words below a node, with something in each gap; neither what it raises nor its docstring."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise) or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            continue
        told = written(child) if isinstance(child, ast.JoinedStr | ast.Constant) else None
        if told is None:
            yield from sentences(child)
        elif WORDS.search(told) and told not in COMMANDS:
            yield told


def test_every_sentence_that_a_command_prints_has_its_french() -> None:
    told = [(where, IN_PARTS.get(line, line)) for where, line in printed()]
    assert {where for where, _ in told} == set(PRINTED_BY)
    french = {line: lines_in_french(line) for _, line in told}
    assert [one for one in told if french[one[1]] == one[1] or ENGLISH.search(french[one[1]])] == []


def test_what_a_command_prints_goes_where_it_is_told_in_french() -> None:
    """All but what knows its language itself, and the version."""
    tree = ast.parse((ROOT / "companion/cli.py").read_text(encoding="utf-8"))
    echoed = [ast.unparse(node.args[0]) for node in ast.walk(tree)
              if isinstance(node, ast.Call) and ast.unparse(node.func) == "typer.echo"]  # fmt: skip
    others = [told for told in echoed if not told.startswith(("ask_and_write(", "lines_told(")) and told != "report"]
    assert len(others) == 1
    assert "installed_version" in others[0]


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


@pytest.mark.parametrize("then", [START_AGAIN, WHILE_IT_RUNS])
@pytest.mark.parametrize("what", ["opened", "written", "read"])
@pytest.mark.parametrize(
    "reason",
    ["unable to open database file", "database or disk is full", "database is locked", "file is not a database",
     "attempt to write a readonly database", "database disk image is malformed", "disk I/O error", NO_FILE, OTHER_FILE],
)  # fmt: skip
def test_what_is_wrong_with_the_journal_has_its_french(what: str, reason: str, then: str) -> None:
    told = f"the journal /my games/journal.sqlite3 cannot be {what}: {reason}; {_remedy(reason, then)}"
    french = in_french(told)
    assert french.startswith("le journal /my games/journal.sqlite3 ne peut pas être ")
    assert not ENGLISH.search(french)


def test_a_sentence_that_has_no_french_stays_whole() -> None:
    """An "or" in it made two choices of it, with "ou" between."""
    told = "film.mp4: it hums; close the lid, or wait"
    assert line_in_french(told) == told


@pytest.mark.parametrize(("told", "french"), [
    ("my.toml: not valid TOML: Expected '=' after a key in a key/value pair (at line 3, column 3)",
     "my.toml : pas du TOML valable, ligne 3, colonne 3"),
    ("my.toml: not valid TOML: Unterminated string (at end of document)",
     "my.toml : pas du TOML valable, à la fin du fichier"),
])  # fmt: skip
def test_where_a_board_file_cannot_be_read_says_which_file_and_why(told: str, french: str) -> None:
    assert line_in_french(told).replace("\N{NO-BREAK SPACE}", " ") == french


def test_what_follows_a_files_name_is_told_in_french() -> None:
    told = line_in_french("here/film.mp4: found 2 of the board's markers, expected at least 3")
    assert told.replace(NO_BREAK, " ").startswith("here/film.mp4 : ")
    assert not ENGLISH.search(told)


@pytest.mark.parametrize("heard", [0, 525])
def test_a_port_where_no_board_answers_is_told_in_french_by_a_command(heard: int) -> None:
    """It was told in English, but for the comma in 2,5 s."""
    told = error_in_french(PortError(no_answer("/dev/ttyUSB0", heard, 2.5))).replace(NO_BREAK, " ")
    assert told.startswith("/dev/ttyUSB0 : aucune carte de capteurs n’y répond")
    assert not ENGLISH.search(told)


def test_every_trouble_with_a_port_has_its_french() -> None:
    kinds = {
        node.args[0].value
        for path in sorted(Path(str(firmware_bridge.__file__)).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Trouble" and isinstance(node.args[0], ast.Constant)
    }
    assert kinds <= set(TROUBLES_FR)
