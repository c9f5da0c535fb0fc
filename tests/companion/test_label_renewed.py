"""A labelled recording is never without its truth, wherever the plug is pulled while a new one is put in its place."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.label_renewed import READY, building, passage, put_passages, settle_passages
from companion.recorded import CLIP, TRUTH

MOST_STEPS = 60


class PlugPulled(BaseException):
    """From here on nothing is done any more."""


class Plug:
    """Is pulled at the given change of the disk, counted from one: that and all after it are not done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
        self._left = at
        for owner, name in ((Path, "mkdir"), (Path, "rename"), (Path, "unlink"), (Path, "rmdir"), (shutil, "rmtree")):
            monkeypatch.setattr(owner, name, self._or_pulled(getattr(owner, name)))

    def _or_pulled(self, change: Callable[..., Any]) -> Callable[..., Any]:
        def do(path: Path, *arguments: Any, **more: Any) -> Any:
            self._left -= 1
            if self._left > 0:
                return change(path, *arguments, **more)
            if change.__name__ == "rmtree" and self._left == 0:  # a folder goes file by file
                for file in list(path.glob(f"*/{CLIP}")) + list(path.glob(CLIP)):
                    file.unlink()
            raise PlugPulled

        return do


def put(out: Path, told: str) -> None:
    out.mkdir()
    (out / CLIP).write_text(told)
    (out / TRUTH).write_text(told)


def whole_ones(folder: Path) -> list[str]:
    """What the passages of a folder tell, those that are whole."""
    paths = [path for path in sorted(folder.glob("passage-*")) if (path / CLIP).exists()]
    return [told for path in paths if (told := (path / TRUTH).read_text()) == (path / CLIP).read_text()]


def renew(folder: Path, count: int) -> None:
    with building(folder) as new:
        for n in range(1, count + 1):
            put(new / passage(n), f"new {n}")
    put_passages(folder, count)


@pytest.mark.parametrize(("old", "new"), [(2, 3), (3, 1), (2, 2), (0, 2)])
def test_wherever_the_plug_is_pulled_one_set_of_passages_is_whole(tmp_path: Path, old: int, new: int) -> None:
    before, after = [f"old {n}" for n in range(1, old + 1)], [f"new {n}" for n in range(1, new + 1)]
    for at in range(1, MOST_STEPS):
        folder = tmp_path / str(at)
        folder.mkdir()
        for n in range(1, old + 1):
            put(folder / passage(n), f"old {n}")
        if not old:
            (folder / TRUTH).write_text("of the whole film")
        with pytest.MonkeyPatch.context() as patched:
            Plug(patched, at)
            try:
                renew(folder, new)
                ended = True
            except PlugPulled:
                ended = False
        begun = (folder / READY).exists()
        settle_passages(folder)
        assert whole_ones(folder) == (after if begun or ended else before), at
        assert begun or ended or old or (folder / TRUTH).read_text() == "of the whole film", at
        left = {path.name for path in folder.iterdir()} - {passage(n) for n in range(1, 4)}
        assert left <= ({TRUTH} if not old and not begun else set()), at
        if ended:
            return
    raise AssertionError("it never ended")


def test_what_goes_wrong_while_passages_are_built_leaves_those_from_before(tmp_path: Path) -> None:
    put(tmp_path / passage(1), "old 1")

    def fail() -> None:
        with building(tmp_path) as new:
            put(new / passage(1), "new 1")
            raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        fail()
    assert whole_ones(tmp_path) == ["old 1"]
    assert [path.name for path in tmp_path.iterdir()] == [passage(1)]


def test_a_folder_that_players_made_beside_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "passage-of-arms").mkdir()
    put(tmp_path / passage(1), "old 1")
    put_passages(tmp_path, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["passage-of-arms"]
