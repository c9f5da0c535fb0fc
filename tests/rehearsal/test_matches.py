"""A short rehearsal as `make rehearse` plays it: virtual table, camera, the whole of vision, both referees."""

from __future__ import annotations

import pytest

from calibration.board import default_board_path
from tests.rehearsal.__main__ import details, line, main, summary
from tests.rehearsal.judging import Finding
from tests.rehearsal.matches import Result, Task, rehearse

SHOTS = 14  # a minute of play
RIGHT = 0.7  # of so few shots; make rehearse counts hundreds


@pytest.fixture(scope="module")
def result() -> Result:
    return rehearse(Task(seed=3, board=default_board_path(), shots=SHOTS, size=(1280, 720)))


def test_what_the_camera_sees_is_ruled_as_the_second_referee_rules_it(result: Result) -> None:
    assert result.counts["rules"] == 0, details(result)


def test_most_shots_are_decided_as_they_truly_were(result: Result) -> None:
    assert len(result.findings) >= SHOTS - 2
    assert result.counts["right"] >= RIGHT * SHOTS, details(result)


def test_a_rehearsal_goes_on_to_its_cap(result: Result) -> None:
    assert result.ended in ("won", "too many shots")
    assert result.played_s > 20


def test_only_a_wrong_rule_or_a_standstill_fails_a_rehearsal() -> None:
    def ended(how: str, *outcomes: str) -> Result:
        return Result(1, how, None, {"red": 0}, 0, tuple(Finding(o, 1.0) for o in outcomes), 9.0, 3.0)

    assert not ended("won", "right", "wrong", "not seen").failed
    assert ended("won", "right", "rules").failed
    assert ended("stuck", "right").failed
    assert "1 wrong" in line(ended("won", "right", "wrong"))
    assert "2 right" in summary([ended("won", "right"), ended("won", "right", "wrong")])


def test_a_wrong_option_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--seeds", "many"])
    assert "--seeds" in capsys.readouterr().err.splitlines()[-1]
