"""The board file: every field is read, and every mistake named with file, table, field, found and expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.board import BoardFileError, default_board_path, load_board, parse_board

LEAST = """
format = 1
name = "Table"
size = [400.0, 300]
[puck]
diameter = 28
height = 9.0
[[team]]
name = "red"
colour = "#C8342A"
"""
WHOLE = """
format = 1
name = "Whole"
size = [400.0, 300.0]
[rim]
width = 40.0
height = 12.0
[puck]
diameter = 28.0
height = 9.0
[reef]
length = 42.0
width = 12.0
height = 14.0
[[team]]
name = "red"
colour = "#c8342a"
digit_colour = "#f5f1e6"
reef_colour = "#e8e4da"
mercenaries = [1, 2]
explorers = [3]
start_circles = [[88.0, 125.0], [138, 125]]
[[zone]]
name = "camp"
kind = "base_camp"
team = "red"
circle = [88.0, 125.0, 74.0]
[[zone]]
name = "north sanctuary"
kind = "sanctuary"
team = "red"
polygon = [[0, 0], [100, 0], [0, 100]]
[[door]]
name = "north"
team = "red"
line = [[100, 0], [0, 100]]
inside = [20, 20]
[[gate]]
name = "city"
circle = [200, 150, 26]
[[obstacle]]
kind = "facade"
team = "red"
height = 24
polygon = [[0, 50], [5, 50], [5, 60]]
[[marker]]
dictionary = "DICT_4X4_50"
id = 7
size = 34
centre = [-20, -20]
z = 12
"""


def refused(text: str) -> str:
    with pytest.raises(BoardFileError) as caught:
        parse_board(text, "club.toml")
    message = str(caught.value)
    assert message.startswith("club.toml: ")
    assert "\n" not in message
    return message


def changed(old: str, new: str, text: str = WHOLE) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_the_shipped_board_is_read_without_a_warning() -> None:
    board = load_board(default_board_path())
    assert board.size == (650.0, 650.0)
    assert len(board.doors) == 4
    assert [m.id for m in board.markers] == [0, 1, 2, 3]
    assert board.warnings == ()


def test_every_field_is_read() -> None:
    board = parse_board(WHOLE)
    assert (board.name, board.size) == ("Whole", (400.0, 300.0))
    assert board.rim is not None
    assert (board.rim.width_mm, board.rim.height_mm) == (40.0, 12.0)
    assert (board.puck.diameter_mm, board.puck.height_mm, board.puck.radius_mm) == (28.0, 9.0, 14.0)
    assert board.reef is not None
    assert (board.reef.length_mm, board.reef.width_mm, board.reef.height_mm) == (42.0, 12.0, 14.0)
    team = board.team("red")
    assert (team.colour, team.digit_colour, team.reef_colour) == ("#c8342a", "#f5f1e6", "#e8e4da")
    assert (team.mercenaries, team.explorers, team.numbers) == ((1, 2), (3,), (1, 2, 3))
    assert team.start_circles == ((88.0, 125.0), (138.0, 125.0))
    camp, sanctuary = board.zones
    assert (camp.kind, camp.team, camp.circle, camp.polygon) == ("base_camp", "red", (88.0, 125.0, 74.0), None)
    assert sanctuary.polygon == ((0.0, 0.0), (100.0, 0.0), (0.0, 100.0))
    (door,) = board.doors
    assert (door.line, door.inside, door.zone_name) == (((100.0, 0.0), (0.0, 100.0)), (20.0, 20.0), "north sanctuary")
    assert board.gates[0].circle == (200.0, 150.0, 26.0)
    (wall,) = board.obstacles
    assert (wall.kind, wall.team, wall.height_mm, wall.fixed) == ("facade", "red", 24.0, True)
    (marker,) = board.markers
    assert (marker.dictionary, marker.id, marker.size_mm, marker.z_mm) == ("DICT_4X4_50", 7, 34.0, 12.0)
    assert marker.corners_mm()[0].tolist() == [-37.0, -37.0, 12.0]


def test_the_least_board_has_nothing_else() -> None:
    board = parse_board(LEAST)
    assert board.team("red").colour == "#c8342a"
    assert not board.numbered
    assert (board.rim, board.reef, board.zones, board.doors, board.gates) == (None, None, (), (), ())
    assert (board.obstacles, board.markers) == ((), ())


@pytest.mark.parametrize(
    "line",
    ["format = 1", 'name = "Table"', "size = [400.0, 300]", "diameter = 28", "height = 9.0", 'colour = "#C8342A"',
     'name = "red"'],
)  # fmt: skip
def test_a_required_field_that_is_missing_is_named(line: str) -> None:
    message = refused(changed(line + "\n", "", LEAST))
    assert line.split(" = ")[0] in message
    assert "found nothing, expected" in message


@pytest.mark.parametrize(
    ("old", "new", "table", "field", "found"),
    [
        ("format = 1", "format = 2", "", "format", "2"),
        ('name = "Whole"', "name = 3", "", "name", "3"),
        ("size = [400.0, 300.0]", "size = [400.0]", "", "size", "[400.0]"),
        ("size = [400.0, 300.0]", "size = [400.0, -3]", "", "size", "[400.0, -3]"),
        ("width = 40.0", "width = -1", "[rim]", "width", "-1"),
        ("width = 40.0", 'width = "wide"', "[rim]", "width", "'wide'"),
        ("diameter = 28.0", "diameter = 0", "[puck]", "diameter", "0"),
        ("diameter = 28.0", "diameter = true", "[puck]", "diameter", "True"),
        ("diameter = 28.0", "diameter = nan", "[puck]", "diameter", "nan"),
        ("length = 42.0", "length = 0", "[reef]", "length", "0"),
        ('colour = "#c8342a"', 'colour = "red"', "[team] red", "colour", "'red'"),
        ('digit_colour = "#f5f1e6"', "digit_colour = 5", "[team] red", "digit_colour", "5"),
        ("mercenaries = [1, 2]", "mercenaries = [1, 1]", "[team] red", "mercenaries", "[1, 1]"),
        ("explorers = [3]", "explorers = [2]", "[team] red", "explorers", "[2]"),
        ("[138, 125]", "[138]", "[team] red", "start_circles[1]", "[138]"),
        ('kind = "base_camp"', 'kind = "bay"', "[zone] camp", "kind", "'bay'"),
        ("74.0]", "0]", "[zone] camp", "circle", "0]"),
        ("polygon = [[0, 0], [100, 0], [0, 100]]", "polygon = [[0, 0], [1, 0]]", "[zone] north", "polygon", "[[0, 0]"),
        ("polygon = [[0, 0], [100, 0], [0, 100]]", "", "[zone] north sanctuary", "circle or polygon", "nothing"),
        ("line = [[100, 0], [0, 100]]", "line = [[100, 0], [100, 0]]", "[door] north", "line", "[[100, 0]"),
        ("inside = [20, 20]", "inside = [50, 50]", "[door] north", "inside", "[50, 50]"),
        ('name = "north"', 'name = "south"', "[door] south", "name", "'south'"),
        ("circle = [200, 150, 26]", "circle = [200, 150]", "[gate] city", "circle", "[200, 150]"),
        ('kind = "facade"', 'kind = "wall"', "[obstacle] 1", "kind", "'wall'"),
        ("height = 24", "height = 24\nfixed = 1", "[obstacle] 1", "fixed", "1"),
        ('dictionary = "DICT_4X4_50"', 'dictionary = "ArUco"', "[marker] 1", "dictionary", "'ArUco'"),
        ('dictionary = "DICT_4X4_50"', 'dictionary = "DICT_9X9_50"', "[marker] 1", "dictionary", "'DICT_9X9_50'"),
        ("id = 7", "id = -7", "[marker] 1", "id", "-7"),
        ("id = 7", "id = 50", "[marker] 1", "id", "50"),
        ("id = 7", "id = 7.5", "[marker] 1", "id", "7.5"),
        ("size = 34", "size = 0", "[marker] 1", "size", "0"),
    ],
)
def test_a_wrong_field_is_named_with_what_was_found_and_expected(
    old: str, new: str, table: str, field: str, found: str
) -> None:
    message = refused(changed(old, new))
    assert table in message
    assert f"{field}: found " in message
    assert found in message.split(": found ")[1].split(", expected ")[0]
    assert ", expected " in message


@pytest.mark.parametrize("table", ["zone", "door", "obstacle"])
def test_a_team_that_is_not_there_is_refused(table: str) -> None:
    start = WHOLE.index(f"[[{table}]]")
    text = WHOLE[:start] + WHOLE[start:].replace('team = "red"', 'team = "blue"', 1)
    message = refused(text)
    assert f"[{table}]" in message
    assert "team: found 'blue', expected the name of a team: red" in message


@pytest.mark.parametrize(
    "text",
    [f"size = [{'9' * 5000}, 300]", "name = " + "[" * 3000 + "]" * 3000],
    ids=["endless number", "deep brackets"],
)
def test_what_no_toml_reader_takes_is_refused_in_one_line(text: str) -> None:
    message = refused(text)
    assert "expected a TOML file" in message
    assert "\n" not in message


def test_a_board_file_that_a_windows_editor_marked_as_utf_8_is_read(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(WHOLE, encoding="utf-8-sig")
    assert load_board(path) == parse_board(WHOLE)


def test_a_marker_id_used_twice_is_refused_in_one_dictionary_only() -> None:
    again = '[[marker]]\ndictionary = "DICT_4X4_50"\nid = 7\nsize = 34\ncentre = [500, 500]\n'
    assert "used twice" in refused(WHOLE + again)
    assert len(parse_board(WHOLE + again.replace("4X4", "5X5")).markers) == 2


def test_no_team_at_all_is_refused() -> None:
    message = refused(LEAST[: LEAST.index("[[team]]")])
    assert "at least 1 table written [[team]]" in message


def test_an_unknown_field_is_a_warning() -> None:
    board = parse_board(changed("width = 40.0", "width = 40.0\nwood = 1"), "club.toml")
    assert board.warnings == ("club.toml: [rim] wood: unknown field, ignored",)


def test_what_is_no_toml_is_refused() -> None:
    assert "not valid TOML" in refused("size = [")


def test_a_mark_that_editors_put_before_the_text_is_no_mistake() -> None:
    assert parse_board("\ufeff" + LEAST) == parse_board(LEAST)


def test_a_number_with_a_comma_is_told_how_it_is_written() -> None:
    with pytest.raises(BoardFileError, match=r"not valid TOML: .*; 28,5 is written 28\.5 here, with a point"):
        parse_board(LEAST.replace("diameter = 28", "diameter = 28,5"))


@pytest.mark.parametrize("name", ["two\\nlines", "\\u001b[31mred"])
def test_a_name_is_of_one_line(name: str) -> None:
    with pytest.raises(BoardFileError, match="expected a text of one line"):
        parse_board(LEAST.replace('name = "Table"', f'name = "{name}"'))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match=r"none\.toml: the board file does not exist"):
        load_board(tmp_path / "none.toml")
    with pytest.raises(BoardFileError, match="is a folder"):
        load_board(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(BoardFileError, match="not UTF-8"):
        load_board(tmp_path / "latin.toml")


def test_a_door_knows_its_depth() -> None:
    (door,) = parse_board(WHOLE).doors
    assert door.depth_mm(0, 0) == pytest.approx(50 * 2**0.5)
    assert door.depth_mm(100, 100) == pytest.approx(-50 * 2**0.5)
    assert door.depth_mm(50, 50) == pytest.approx(0)


def test_a_zone_knows_what_lies_in_it() -> None:
    camp, sanctuary = parse_board(WHOLE).zones
    assert camp.contains(88, 125)
    assert not camp.contains(88, 200)
    assert sanctuary.contains(20, 20)
    assert not sanctuary.contains(80, 80)
