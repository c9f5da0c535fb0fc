"""A board file that is opened as a drawing and saved again means what it meant, and what was not changed stays."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import Any

import pytest

from calibration.board import BoardFileError, default_board_path, parse_board
from calibration.drawn_board import judge_drawing
from calibration.redrawn import drawing_from_text, unknown_fields
from companion.dashboard.board_models import Drawing
from vision.virtual_table.boards import random_board_text

SHIPPED = default_board_path().read_text(encoding="utf-8")
ODD = """format = 1  # the first
name = "Odd \\"board\\""
size = [500.5, 400.25]
[puck]
diameter = 20.125
height = 5
weight = 11  # grams
[[team]]
name = "One"
colour = "#AABBCC"
[[zone]]
name = "anywhere"
kind = "base_camp"
team = "One"
circle = [100.05, 100, 40]
[[zone]]
name = "odd island"
kind = "island"
team = "One"
polygon = [[200, 200], [240, 200], [220.123, 240]]
# a box that comes and goes
[[obstacle]]
kind = "reef"
height = 7.5
fixed = false
polygon = [
  [300, 300], # the corner
  [320, 300],
  [320, 320],
]
[[marker]]
dictionary = "DICT_5X5_100"
id = 17
size = 25.0
centre = [-20.5, 30]
[[marker]]
dictionary = "DICT_5X5_100"
id = 4
size = 20.0
centre = [520.5, 300]
z = 3
[maker]
who = "the club"
"""


def _sent(text: str) -> dict[str, Any]:
    """What the page sends for a board that was opened and not changed."""
    drawing = drawing_from_text(text, "board")
    m = drawing["measures"]
    reef = {key: m[f"reef_{key}"] for key in ("length", "width", "height")}
    body = {
        "name": m["name"], "size": [m["width"], m["height"]], "markers": m["markers"],
        "puck": {"diameter": m["puck_diameter"], "height": m["puck_height"]},
        "rim": {"width": m["rim_width"], "height": m["rim_height"]}, "reef": reef if m["reef_length"] else None,
        **{key: drawing[key] for key in ("source", "keep_markers", "mirror", "teams", "shapes")},
    }  # fmt: skip
    return Drawing.model_validate(body).model_dump(exclude_none=True)


def text_of(board: str | int) -> str:
    """A board file's text, or that of a made-up board by its seed."""
    return random_board_text(board) if isinstance(board, int) else board


@pytest.mark.parametrize("board", [SHIPPED, ODD, *range(30)])
def test_a_board_that_was_not_changed_is_saved_as_it_was_to_the_letter(board: str | int) -> None:
    text = text_of(board)
    drawn = judge_drawing(_sent(text))
    assert drawn.text == text
    assert parse_board(drawn.text) == parse_board(text)
    assert drawn.usable


@pytest.mark.parametrize("board", [SHIPPED, ODD, 7])
def test_a_form_that_cannot_be_mended_by_pieces_still_means_the_same(board: str | int) -> None:
    text = text_of(board)
    puck = tomllib.loads(text)["puck"]
    fields = ", ".join(f"{key} = {value}" for key, value in puck.items())
    inline = f"puck = {{ {fields} }}\n" + re.sub(r"\[puck\]\n(\w.*\n)+", "", text)
    drawn = judge_drawing(_sent(inline) | {"name": "Other"})
    assert replace(parse_board(drawn.text), warnings=()) == replace(parse_board(inline), name="Other", warnings=())


def test_one_change_changes_one_line_and_remarks_stay() -> None:
    sent = _sent(ODD)
    sent["puck"]["diameter"] = 21.0
    shape = next(s for s in sent["shapes"] if s["kind"] == "base_camp")
    shape["circle"] = [101.0, 100.0, 40.0]
    text = judge_drawing(sent).text
    lines = [(a, b) for a, b in zip(ODD.split("\n"), text.split("\n"), strict=True) if a != b]
    assert lines == [
        ("diameter = 20.125", "diameter = 21.0"),
        ("circle = [100.05, 100, 40]", "circle = [101.0, 100.0, 40.0]"),
    ]


def test_a_remark_behind_a_changed_value_stays() -> None:
    sent = _sent(SHIPPED.replace("width = 44.0\n", 'width = 44.0 # "measured" # twice\n'))
    sent["rim"]["width"] = 45.0
    sent["markers"] = 0.0
    assert 'width = 45.0  # "measured" # twice\n' in judge_drawing(sent).text


def test_values_over_several_lines_are_written_anew_with_the_remarks_that_lead_to_them() -> None:
    sent = _sent(ODD)
    reef = next(s for s in sent["shapes"] if s["kind"] == "reef")
    reef["points"][0] = [301.0, 300.0]
    text = judge_drawing(sent).text
    thing = parse_board(text).obstacles[0]
    assert (thing.polygon[0], thing.height_mm, thing.fixed) == ((301.0, 300.0), 7.5, False)
    assert "# a box that comes and goes\n[[obstacle]]" in text
    assert tomllib.loads(text)["maker"] == {"who": "the club"}


def test_what_is_deleted_goes_and_what_is_new_stands_behind_its_like() -> None:
    sent = _sent(SHIPPED)
    before = parse_board(SHIPPED)
    sent["shapes"] = [s for s in sent["shapes"] if s.get("origin") != "zone 5"]
    sent["shapes"].append(
        {"id": "900", "kind": "no_reef", "points": [], "circle": [325.0, 60.0, 70.0], "swap": "sides"}
    )
    after = parse_board(judge_drawing({**sent, "mirror": "ends"}).text)
    assert [z.name for z in after.zones] == [
        *(z.name for z in before.zones if z.name != "north advanced camp"), "north no-reef line", "south no-reef line",
    ]  # fmt: skip
    assert (after.doors, after.obstacles, after.teams) == (before.doors, before.obstacles, before.teams)


def test_a_door_keeps_its_point_inside_as_long_as_that_is_inside() -> None:
    sent = _sent(SHIPPED)
    door = next(s for s in sent["shapes"] if s["kind"] == "door")
    door["points"] = [[103.0, 66.0], [66.0, 104.0]]
    assert parse_board(judge_drawing(sent).text).doors[0].inside == (36.4, 36.4)
    door["points"] = [[36.4, 0.0], [36.4, 104.0]]
    moved = parse_board(judge_drawing(sent).text).doors[0]
    assert moved.inside != (36.4, 36.4)
    assert parse_board(SHIPPED).zones[7].contains(*moved.inside)


def test_a_team_that_is_renamed_keeps_what_belongs_to_it() -> None:
    sent = _sent(SHIPPED)
    sent["teams"][0]["name"] = "blue"
    after = parse_board(judge_drawing(sent).text)
    assert [d.team for d in after.doors] == ["blue", "blue", "green", "green"]
    assert [o.team for o in after.obstacles].count("blue") == 6


def test_the_usual_markers_move_with_the_board_and_others_stay() -> None:
    sent = _sent(SHIPPED)
    sent["size"] = [660.0, 650.0]
    assert [m.centre[0] for m in parse_board(judge_drawing(sent).text).markers] == [-22.0, 682.0, 682.0, -22.0]
    odd = _sent(ODD)
    odd["size"] = [510.0, 400.25]
    assert parse_board(judge_drawing(odd).text).markers == parse_board(ODD).markers


def test_unknown_fields_are_named() -> None:
    assert unknown_fields(ODD) == ["maker", "[puck] weight"]


def test_what_is_no_board_file_is_refused_with_the_field() -> None:
    with pytest.raises(BoardFileError, match=r"\[puck\] diameter: found '28'"):
        drawing_from_text(SHIPPED.replace("diameter = 28.0", 'diameter = "28"'), "board")
    with pytest.raises(BoardFileError, match="not valid TOML"):
        judge_drawing({**_sent(SHIPPED), "source": "= 1"})
