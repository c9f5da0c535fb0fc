"""What players said is read again, however the file of it was left."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.label_answers import ANSWERS, Answers, Item
from companion.label_verdicts import read_said
from companion.recorded import SAID

WHOLE = b'{"about": "shot", "t": 2.0, "said": "right", "by": "label"}\n'
CUT = {
    "within a line": b'{"about": "shot", "t": 7.0, "sai',
    "within a letter": '{"about": "shot", "t": 7.0, "said": "x", "facts": {"doors": [["red-1", "Île'.encode()[:-3],
    "by zeros": WHOLE[:20] + bytes(40),
    "by what is no answer": b'5\n[1]\n{"about": "shot"}\n"said"',
}


@pytest.mark.parametrize("rest", CUT.values(), ids=CUT)
def test_what_a_kill_cut_short_is_asked_again_and_the_rest_stands(tmp_path: Path, rest: bytes) -> None:
    """Cut within a letter, the whole file was unreadable for ever."""
    (tmp_path / ANSWERS).write_bytes(WHOLE + rest)
    answers = Answers(tmp_path)
    assert (answers.about(Item("shot", 2.0)) or {})["said"] == "right"
    assert answers.about(Item("shot", 7.0)) is None
    answers.add("shot", 7.0, "unknown")
    again = Answers(tmp_path)
    assert [answer["said"] for answer in again.said_about("shot")] == ["right", "unknown"]


def test_a_name_with_a_line_separator_of_its_own_is_no_new_line(tmp_path: Path) -> None:
    Answers(tmp_path).add("shot", 2.0, "right", facts={"doors": [["red-1", "one\u2028two"]]})
    assert (Answers(tmp_path).about(Item("shot", 2.0)) or {})["facts"] == {"doors": [["red-1", "one\u2028two"]]}


@pytest.mark.parametrize("rest", CUT.values(), ids=CUT)
def test_what_was_said_in_a_match_is_read_up_to_where_it_was_cut_short(tmp_path: Path, rest: bytes) -> None:
    (tmp_path / SAID).write_bytes(b'{"id": 1, "type": "shot", "data": {"t_end": 3.0}}\n' + rest)
    assert [entry["id"] for entry in read_said(tmp_path / SAID)] == [1]
