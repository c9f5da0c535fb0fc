"""What does not fit on a board is told where it is, in both languages; sound boards are left in peace."""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path

import pytest

from calibration.board import BoardFileError, default_board_path, load_board, parse_board
from calibration.board_commands import check_board, new_board
from calibration.board_problems import PROBLEMS, board_problems
from calibration.board_text import board_text
from calibration.drawing import tables_from_drawing
from calibration.drawing_shapes import MIRRORS
from calibration.drawn_board import judge_drawing
from vision.virtual_table.boards import random_board_text

SHIPPED = default_board_path().read_text(encoding="utf-8")


def told(text: str) -> dict[str, str]:
    """Where -> what, of everything that is wrong."""
    return {p.where: p.key for p in board_problems(parse_board(text))}


def changed(old: str, new: str) -> str:
    assert old in SHIPPED
    return SHIPPED.replace(old, new, 1)


def test_the_shipped_board_and_the_virtual_ones_are_sound() -> None:
    assert told(SHIPPED) == {}
    for seed in range(8):
        assert not any(p.severity == "error" for p in board_problems(parse_board(random_board_text(seed))))


@pytest.mark.parametrize(
    ("old", "new", "where", "key"),
    [
        ("line = [[104.0, 66.0], [66.0, 104.0]]", "line = [[204.0, 166.0], [166.0, 204.0]]",
         "door red-north-west", "door.off"),
        ("line = [[104.0, 66.0], [66.0, 104.0]]", "line = [[94.0, 76.0], [76.0, 94.0]]",
         "door red-north-west", "door.narrow"),
        ("inside = [36.4, 36.4]", "inside = [120.0, 120.0]", "door red-north-west", "door.inside"),
        ('name = "red-north-west"\nteam = "red"\nline', 'name = "red-north-west"\nteam = "green"\nline',
         "door red-north-west", "door.team"),
        ("circle = [325.0, 325.0, 26.0]", "circle = [325.0, 325.0, 13.0]", "gate paleo", "gate.small"),
        ("circle = [325.0, 60.0, 46.0]", "circle = [325.0, 40.0, 46.0]", "zone north advanced camp", "outside"),
        ("polygon = [[260.0, 269.0], [274.0, 269.0], [274.0, 305.0], [260.0, 305.0]]",
         "polygon = [[260.0, 269.0], [274.0, 305.0], [274.0, 269.0], [260.0, 305.0]]", "obstacle 1", "crossed"),
        ("centre = [-22.0, -22.0]", "centre = [0.0, 0.0]", "marker 1", "marker.on_surface"),
        ("[88.0, 325.0], [138.0, 325.0], ", "", "team red", "starts.few"),
        ("[88.0, 325.0], [138.0, 325.0]", "[88.0, 325.0], [98.0, 325.0]", "team red", "starts.close"),
        ('colour = "#2f8f4e"', 'colour = "#c83a30"', "team green", "colours.alike"),
        ('kind = "base_camp"\nteam = "red"', 'kind = "island"\nteam = "red"', "team red", "none.base_camp"),
        ('dictionary = "DICT_4X4_50"\nid = 3', 'dictionary = "DICT_5X5_50"\nid = 0', "marker 4", "marker.same_id"),
        ("centre = [672.0, -22.0]", "centre = [0.0, -22.0]", "marker 2", "marker.overlap"),
        ("centre = [672.0, -22.0]", "centre = [772.0, -22.0]", "marker 2", "marker.off_rim"),
        ("z = 12.0", "z = -120.0", "marker 1", "marker.high"),
        ("polygon = [[260.0, 269.0], [274.0, 269.0], [274.0, 305.0], [260.0, 305.0]]",
         "polygon = [[260.0, 269.0], [260.0, 305.0], [260.0, 280.0]]", "obstacle 1", "flat"),
        ("[88.0, 325.0], [138.0, 325.0]", "[265.0, 300.0], [138.0, 325.0]", "team red", "starts.wall"),
        ("[562.0, 325.0], [612.0, 325.0]", "[138.0, 330.0], [612.0, 325.0]", "team green", "starts.shared"),
        ("mercenaries = [1, 2, 8]", "mercenaries = [1, 2, 108]", "team red", "numbers.beyond"),
        ("diameter = 28.0\nheight = 9.0", "diameter = 2.8\nheight = 0.9", "puck", "puck.small"),
        ('digit_colour = "#f5f1e6"', 'digit_colour = "#c23830"', "team red", "digits.alike"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_where_it_is(old: str, new: str, where: str, key: str) -> None:
    assert told(changed(old, new)) == {where: key}


@pytest.mark.parametrize(
    ("wide", "high", "fits"), [(27, 200, False), (200, 27, False), (28.5, 200, True), (200, 28.5, True)]
)
def test_a_sanctuary_narrower_than_a_puck_is_told_however_long_it_is(wide: float, high: float, fits: bool) -> None:
    """The room was measured to two of its four sides: 15 mm were enough for a puck of 28."""
    begin = SHIPPED.index('name = "red-north-west sanctuary"')
    polygon = f"polygon = [[0.0, 0.0], [{wide}, 0.0], [{wide}, {high}], [0.0, {high}]]"
    found = board_problems(parse_board(SHIPPED[:begin] + re.sub("polygon = .*", polygon, SHIPPED[begin:], count=1)))
    small = [p.where for p in found if p.key == "sanctuary.small"]
    assert small == ([] if fits else ["zone red-north-west sanctuary"])


@pytest.mark.parametrize(("radius_mm", "fits"), [(13.8, False), (14.3, True)])
def test_a_round_sanctuary_is_measured_to_a_part_of_a_millimetre(radius_mm: float, fits: bool) -> None:
    begin = SHIPPED.index('name = "red-north-west sanctuary"')
    at = [(60.3 + radius_mm * math.cos(k / 50), 60.4 + radius_mm * math.sin(k / 50)) for k in range(0, 314, 3)]
    polygon = "polygon = [" + ", ".join(f"[{x:.2f}, {y:.2f}]" for x, y in at) + "]"
    found = board_problems(parse_board(SHIPPED[:begin] + re.sub("polygon = .*", polygon, SHIPPED[begin:], count=1)))
    assert ("sanctuary.small" not in {p.key for p in found}) is fits


def test_one_marker_alone_is_told_to_be_too_few() -> None:
    begin = SHIPPED.index("[[marker]]", SHIPPED.index("[[marker]]") + 1)
    assert told(SHIPPED[:begin]) == {"marker": "marker.alone"}


def test_a_board_measured_in_centimetres_is_told() -> None:
    board = 'format = 1\nname = "Club"\nsize = [65, 65]\n[puck]\ndiameter = 2.8\nheight = 0.9\n'
    assert told(board + '[[team]]\nname = "red"\ncolour = "#c8342a"\n')["size"] == "size.small"


def test_a_sanctuary_without_a_door_is_told() -> None:
    begin = SHIPPED.index('[[door]]\nname = "red-north-west"')
    end = SHIPPED.index("[[door]]", begin + 1)
    assert told(SHIPPED[:begin] + SHIPPED[end:]) == {"zone red-north-west sanctuary": "sanctuary.closed"}


def test_every_problem_is_told_in_both_languages_with_the_same_gaps() -> None:
    for said in PROBLEMS.values():
        gaps = [sorted(part.split("}")[0] for part in said[lang].split("{")[1:]) for lang in ("en", "fr")]
        assert gaps[0] == gaps[1]


def test_the_text_of_a_board_is_read_back_as_it_was() -> None:
    tables = tomllib.loads(SHIPPED)
    assert tomllib.loads(board_text(tables, {"rim": "measured", "team.colour": "picked"})) == tables
    odd = {**tables, "name": 'A "board"\\ of\nours é'}
    assert tomllib.loads(board_text(odd))["name"] == odd["name"]


@pytest.mark.parametrize(
    ("size", "puck", "rim"),
    [((650, 650), (28, 9), (44, 12)), ((900, 600), (24, 7), (30, 10)), ((500, 500), (20, 5), (0, 0))],
)
def test_a_board_to_begin_with_is_sound_and_says_how_to_measure(
    tmp_path: Path, size: tuple[float, float], puck: tuple[float, float], rim: tuple[float, float]
) -> None:
    out = tmp_path / "ours.toml"
    new_board(out, "Ours", size, puck, rim)
    board = load_board(out)
    assert (board.size, board.puck.diameter_mm, len(board.doors)) == (size, puck[0], 4)
    assert len(board.markers) == (4 if rim[0] else 0)
    assert out.read_text(encoding="utf-8").count("# estimate: ") == 4
    assert check_board(out).sound


def test_a_new_board_overwrites_nothing_and_leaves_nothing_that_is_no_board(tmp_path: Path) -> None:
    out = tmp_path / "ours.toml"
    out.write_text("mine")
    with pytest.raises(BoardFileError, match="there already"):
        new_board(out, "Ours", (650, 650), (28, 9), (44, 12))
    assert out.read_text() == "mine"
    with pytest.raises(BoardFileError):
        new_board(tmp_path / "small.toml", "Ours", (100, 100), (28, 9), (44, 12))
    assert not (tmp_path / "small.toml").exists()


@pytest.mark.parametrize("diameter", [20.0, 28.0, 60.0])
def test_the_least_surface_for_pucks_of_a_size_makes_a_board_and_a_smaller_one_is_refused_with_it(
    tmp_path: Path, diameter: float
) -> None:
    with pytest.raises(BoardFileError, match="no room for camps and doors") as refused:
        new_board(tmp_path / "small.toml", "Ours", (120.0, 900.0), (diameter, 9), (44, 12))
    told = re.search(r"at least (\d+) x (\d+) mm", str(refused.value))
    assert told is not None
    least = (float(told[1]), float(told[2]))
    with pytest.raises(BoardFileError, match=rf"at least {told[1]} x {told[2]} mm"):
        new_board(tmp_path / "small.toml", "Ours", (least[0], least[1] - 2), (diameter, 9), (44, 12))
    new_board(tmp_path / "least.toml", "Ours", least, (diameter, 9), (44, 12))
    assert check_board(tmp_path / "least.toml").sound
    assert not (tmp_path / "small.toml").exists()


TEAM = {"colour": "#c8342a", "digit_colour": "#f5f1e6", "mercenaries": [1], "explorers": [2, 3]}


def drawing(*shapes: dict[str, object], mirror: str = "both") -> dict[str, object]:
    return {
        "name": "Drawn", "size": [700, 500], "rim": {"width": 40, "height": 12}, "puck": {"diameter": 24, "height": 7},
        "reef": None, "mirror": mirror, "markers": 30.0,
        "teams": [{"name": "blue", **TEAM}, {"name": "red", **TEAM, "colour": "#2c58b8"}],
        "shapes": [{"id": str(n), "team": None, **shape} for n, shape in enumerate(shapes, 1)],
    }  # fmt: skip


def test_one_corner_is_drawn_and_the_rest_mirrored_with_the_other_sides_team() -> None:
    outline = [[0, 0], [90, 0], [90, 70], [0, 70]]
    tables, origin = tables_from_drawing(drawing(
        {"kind": "sanctuary", "team": 0, "points": outline},
        {"kind": "door", "team": 0, "points": [[90, 10], [90, 60]]},
        {"kind": "gate", "circle": [350, 250, 20]}, {"kind": "reef", "team": 0, "swap": "diagonal",
                                                     "points": [[300, 200], [310, 200], [310, 230], [300, 230]]},
    ))  # fmt: skip
    teams = {zone["name"]: zone["team"] for zone in tables["zone"]}
    assert teams == {
        "blue-north-west sanctuary": "blue", "blue-south-west sanctuary": "blue",
        "red-north-east sanctuary": "red", "red-south-east sanctuary": "red",
    }  # fmt: skip
    assert {d["name"]: d["line"][0] for d in tables["door"]}["red-south-east"] == [610, 490]
    assert len(tables["gate"]) == 1
    reefs = {(o["polygon"][0][0], o["polygon"][0][1]): o["team"] for o in tables["obstacle"]}
    assert reefs == {(300, 200): "blue", (400, 200): "red", (300, 300): "red", (400, 300): "blue"}
    assert origin["door red-south-east"] == "2"


@pytest.mark.parametrize(("mirror", "count"), [("none", 1), ("sides", 2), ("ends", 2), ("turn", 2), ("both", 4)])
def test_each_symmetry_makes_its_copies(mirror: str, count: int) -> None:
    tables, _ = tables_from_drawing(drawing({"kind": "advanced_camp", "circle": [100, 100, 40]}, mirror=mirror))
    assert len(tables["zone"]) == count == len(MIRRORS[mirror])


def test_start_circles_are_laid_out_in_the_base_camp_where_none_are_drawn() -> None:
    camp = {"kind": "base_camp", "team": 0, "circle": [88, 250, 72]}
    tables, _ = tables_from_drawing(drawing(camp))
    assert [len(t["start_circles"]) for t in tables["team"]] == [3, 3]
    assert tables["team"][0]["start_circles"][:2] == [[88, 250], [136, 250]]
    own, _ = tables_from_drawing(drawing(camp, {"kind": "start", "team": 0, "points": [[70, 230]]}, mirror="sides"))
    assert [t["start_circles"] for t in own["team"]] == [[[70, 230]], [[630, 230]]]


def test_mistakes_of_a_drawing_name_their_shape_once() -> None:
    small = judge_drawing(drawing({"kind": "gate", "circle": [100, 100, 8]}))
    assert [(m.shape, m.error) for m in small.mistakes if m.error] == [("1", True)]
    assert not small.usable
    lonely = judge_drawing(drawing({"kind": "door", "team": 0, "points": [[90, 10], [90, 60]]}, mirror="none"))
    assert [m.shape for m in lonely.mistakes] == ["1"]
    assert "draw the sanctuary" in lonely.mistakes[0].texts["en"]
    twice = judge_drawing({**drawing(), "teams": [{"name": "blue", **TEAM}, {"name": "blue", **TEAM}]})
    assert [(m.shape, m.error) for m in twice.mistakes] == [("", True)]
    assert "used twice" in twice.mistakes[0].texts["en"]
