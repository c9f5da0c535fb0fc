"""`paleo board` and `paleo sheets` from the command line."""

from __future__ import annotations

from pathlib import Path

from calibration.board import load_board
from tests.cli.test_cli import BOARD, paleo, refused


def test_a_new_board_is_made_and_found_sound(tmp_path: Path) -> None:
    out = tmp_path / "club.toml"
    made = paleo("board", "new", out, "--name", "Club", "--size", "760x500", "--puck", "24,5x7", "--rim", "40x12")
    assert made.returncode == 0, made.stderr
    assert (load_board(out).size, load_board(out).puck.diameter_mm) == ((760.0, 500.0), 24.5)
    assert "all fits together" in paleo("board", "check", out).stdout
    assert "there already" in refused("board", "new", out)


def test_what_is_wrong_with_a_board_is_told_with_exit_code_1(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(Path(BOARD).read_text().replace("325.0, 26.0]", "325.0, 13.0]"))
    done = paleo("board", "check", wrong)
    assert (done.returncode, done.stderr) == (1, "")
    assert "gate paleo: the gate is 26.0 mm wide, a puck 28 mm" in done.stdout
    twice = tmp_path / "twice.toml"
    twice.write_text(Path(BOARD).read_text().replace("id = 1\n", "id = 0\n"))
    assert "this one is used twice" in refused("board", "check", twice)


def test_what_is_wrong_with_a_board_names_known_colours_in_french(tmp_path: Path) -> None:
    alike = tmp_path / "alike.toml"
    alike.write_text(Path(BOARD).read_text().replace('colour = "#2f8f4e"', 'colour = "#c8342b"'))
    told = paleo("board", "check", alike, "--language", "fr").stdout.replace("\N{NO-BREAK SPACE}", " ")
    assert told == "attention : team green : les couleurs de Rouge et Vert se ressemblent trop\n"
    assert "the colours of Red and Green are too alike" in paleo("board", "check", alike).stdout
    assert "tout va ensemble" in paleo("board", "check", BOARD, "--language", "fr").stdout


def test_a_field_that_nobody_knows_is_told_in_french(tmp_path: Path) -> None:
    board = tmp_path / "more.toml"
    board.write_text(Path(BOARD).read_text().replace("format = 1", 'format = 1\nmaker = "Ada"'))
    told = paleo("board", "check", board, "--language", "fr").stdout.replace("\N{NO-BREAK SPACE}", " ")
    assert told == f"attention : {board} : maker : champ inconnu, ignoré\n"
    assert paleo("board", "check", board).stdout == f"warning: {board}: maker: unknown field, ignored\n"


def test_a_size_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "--size 65cm: expected two measures" in refused("board", "new", tmp_path / "a.toml", "--size", "65cm")


def test_what_is_to_be_typed_next_can_be_typed_as_it_stands(tmp_path: Path) -> None:
    out = tmp_path / "our board.toml"
    assert paleo("board", "new", out).stdout.rstrip().endswith(f"then: paleo board check '{out}'")


def test_sheets_are_made_and_a_wrong_paper_refused(tmp_path: Path) -> None:
    out = tmp_path / "sheets.pdf"
    assert paleo("sheets", out, "--paper", "letter", "--measured", "98.5").returncode == 0
    assert out.read_bytes().startswith(b"%PDF")
    assert "expected one of a4, letter" in refused("sheets", tmp_path / "b.pdf", "--paper", "a3")
    assert not (tmp_path / "b.pdf").exists()


def test_sheets_of_a_board_file_in_another_unit_say_so(tmp_path: Path) -> None:
    """Its markers are a tenth as large as they should be, and the paper is wasted."""
    board = tmp_path / "centimetres.toml"
    head = "format = 1\nname = 'Club'\nsize = [65, 65]\n[puck]\ndiameter = 2.8\nheight = 0.9\n"
    team = "[[team]]\nname = 'red'\ncolour = '#c8342a'\ndigit_colour = '#f5f1e6'\nmercenaries = []\nexplorers = []\n"
    marker = "[[marker]]\ndictionary = 'DICT_4X4_50'\nid = 0\nsize = 3.4\ncentre = [-2.2, -2.2]\nz = 1.2\n"
    board.write_text(head + team + marker)
    done = paleo("sheets", tmp_path / "sheets.pdf", "--board", board)
    assert done.returncode == 0
    assert "\nwarning: by its file the board is 65 x 65 mm and a puck 2.8 mm wide" in done.stdout
    told = paleo("sheets", tmp_path / "sheets.pdf", "--board", board, "--language", "fr").stdout
    assert "attention : selon son fichier, le plateau fait 65 x 65 mm" in told.replace("\N{NO-BREAK SPACE}", " ")


def test_a_camera_that_is_not_there_is_refused_before_anything_is_kept(tmp_path: Path) -> None:
    assert "camera 97" in refused("calibrate", "camera", "97", "--exposure", "1/250", "--data", tmp_path / "data")
    assert "such as 1/250" in refused("calibrate", "camera", "97", "--exposure", "fast", "--data", tmp_path / "data")
    assert not (tmp_path / "data").exists()
