"""From a recording's folder to the last sentence of `paleo label`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.board import default_board_path
from companion import labelling
from companion.atomic import OutputError
from companion.label_answers import ANSWERS
from companion.label_seen import EVENTS, FOLDER, SHOTS, Seen
from companion.labelling import label
from companion.recorded import BOARD, CLIP, LENS, TRUTH, begin
from tests.companion.two_shots import seen_film
from tests.films import film
from vision.film_file import RecordError


def recording(folder: Path, seen: Seen) -> Path:
    """A recording of which this was seen."""
    begin(folder, {"source": "film"}, default_board_path(), None, None)
    assert (folder / BOARD).exists()
    film(folder / CLIP)
    (folder / FOLDER).mkdir()
    body = {"fps": seen.fps, "frames": seen.frames, "size": list(seen.size), "cameras": list(seen.cameras),
            "shots": {str(s.number): {"paths": s.paths, "speed_mm_s": s.speed_mm_s} for s in seen.shots}}  # fmt: skip
    events = [*seen.between, *(e for s in seen.shots for e in (s.start, *s.middle, s.end))]
    (folder / FOLDER / SHOTS).write_text(json.dumps(body))
    (folder / FOLDER / EVENTS).write_text("".join(json.dumps(e) + "\n" for e in events))
    return folder


def last_sentence(folder: Path, lines: Iterable[str], language: str = "en") -> str:
    answer = iter(lines)
    return label(folder, language, lambda question: next(answer, None))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", ["evening", "Spiel höhe é 1", "it's"])
def test_the_command_to_go_on_with_can_be_pasted(tmp_path: Path, name: str, language: str) -> None:
    folder = recording(tmp_path / name, seen_film())
    for lines in ("y", "yyy?"):
        _, _, command = last_sentence(folder, lines, language).rpartition(": " if language == "en" else " : ")
        assert shlex.split(command) == ["paleo", "label", str(folder)]


@pytest.mark.parametrize(("language", "told"), [("en", "no shot was seen"), ("fr", "aucun coup n’a été vu")])
def test_a_film_in_which_no_shot_was_seen_is_said_to_be_so(tmp_path: Path, language: str, told: str) -> None:
    folder = recording(tmp_path / "evening", replace(seen_film(), shots=(), between=(), cameras=()))
    assert told in last_sentence(folder, ["y"], language)
    assert not (folder / "truth.json").exists()


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [("en", ", 1 shot seen in it.", ", 2 shots seen in it."), ("fr", "voit 1 coup.", "voit 2 coups.")],
)
def test_one_shot_is_told_as_one(
    tmp_path: Path, language: str, one: str, two: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = seen_film()
    for told, shots in ((one, seen.shots[:1]), (two, seen.shots[:2])):
        last_sentence(recording(tmp_path / str(len(shots)), replace(seen, shots=shots)), [], language)
        assert told in capsys.readouterr().out


def test_a_film_whose_shots_nobody_could_tell_leaves_nothing(tmp_path: Path) -> None:
    folder = recording(tmp_path / "evening", seen_film())
    assert "no shot that players told stands alone" in last_sentence(folder, "y?y?y")


def test_what_cannot_be_written_is_told_with_the_folders_name(tmp_path: Path) -> None:
    folder = recording(tmp_path / "evening", seen_film())
    (folder / "passage-1").write_text("no folder")
    with pytest.raises(OutputError, match=r"evening: cannot be written \(Not a directory\)"):
        last_sentence(folder, "y?y?y")


@pytest.mark.parametrize("lost", [SHOTS, EVENTS])
def test_what_was_seen_and_lost_a_file_is_told_with_what_to_do(tmp_path: Path, lost: str) -> None:
    """The film was looked at for minutes, and then "cannot be written; free some room"."""
    folder = recording(tmp_path / "evening", seen_film())
    (folder / FOLDER / lost).unlink()
    with pytest.raises(RecordError, match="seen: what the tracker saw is damaged; delete that folder, and label again"):
        last_sentence(folder, ["y"])


def labelled(folder: Path) -> Path:
    """A recording whose film was told to its end."""
    recording(folder, seen_film())
    (folder / LENS).write_text("{}")
    assert "truth.json" in last_sentence(folder, "y" * 9)
    return folder


def test_a_truth_that_cannot_be_written_leaves_the_one_from_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = labelled(tmp_path / "evening")
    before = (folder / TRUTH).read_text()

    def full(path: Path, *_: object, **__: object) -> None:
        raise OutputError(f"{path}: cannot be written (No space left on device)")

    monkeypatch.setattr(labelling, "put_truth", full)
    with pytest.raises(OutputError, match="No space left"):
        last_sentence(folder, [])
    assert (folder / TRUTH).read_text() == before


def test_a_truth_that_what_players_say_contradicts_does_not_stay(tmp_path: Path) -> None:
    folder = labelled(tmp_path / "evening")
    answer = iter("y?")  # the shot as it was; whether these were all, nobody knows any more
    (folder / ANSWERS).write_text("".join(line for line in (folder / ANSWERS).read_text().splitlines(True)
                                          if '"about": "all"' not in line))  # fmt: skip
    label(folder, "en", lambda question: next(answer, None), 1)
    assert not (folder / TRUTH).exists()
