"""How rightly the check tells the shutter.

    python -m benchmarks.shutter [FOLDERS ...] [--seeded] [--fresh 12] [--keep FOLDER]

FOLDERS: films with clip.mp4, board.toml, lens.json and truth.json; the shutter that they should have is their tier's;
of films by `paleo film`, whose names end in their seed, the tier's as the seed varies it (--seeded). --fresh: so many
films of the virtual table are rendered as well, with short and long shutters that are known exactly.
Prints a line a film; exit code 1 where a range is told that does not hold the true shutter.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.calibration import told
from calibration.board import default_board_path, load_board
from calibration.commands import calibrate_check
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.director import Director
from vision.virtual_table.film import open_writer
from vision.virtual_table.looks import TIERS, look_for
from vision.virtual_table.table import VirtualTable

FRESH = (  # tier, seed, one over shutter in seconds, shots; an odd seed of the last ones: a made-up board
    ("standard", 31, 30, 5), ("standard", 32, 60, 4), ("standard", 33, 500, 4), ("sharp", 34, 350, 4),
    ("sharp", 35, 80, 4), ("easy", 36, 160, 4), ("easy", 37, 400, 4), ("vga", 38, 45, 4), ("vga", 39, 200, 4),
    ("dim", 40, 60, 5), ("lights", 41, 140, 4), ("slant", 42, 100, 4), ("pinch", 43, 300, 4), ("bump", 44, 50, 4),
    ("standard", 47, 150, 1), ("easy", 48, 250, 5),
)  # fmt: skip
MADE_UP = (("standard", 45, 90, 4), ("standard", 46, 250, 4))
MOST_FRAMES = 1200
TOLERANCE = 1.3  # what is most likely lies within this factor of the truth


@dataclass(frozen=True, slots=True)
class Film:
    """A folder with a film whose shutter is known (None: is not)."""

    folder: Path
    shutter_s: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """What the check said: key of its finding; seconds, shortest and longest where told."""

    key: str
    shutter_s: float | None
    shortest_s: float
    longest_s: float | None


def main() -> None:
    """Reads the arguments and prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shutter", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--seeded", action="store_true", help="the folders' names end in the seeds of their looks")
    parser.add_argument("--fresh", type=int, default=0, help="how many films are rendered as well")
    parser.add_argument("--keep", type=Path, help="where rendered films are kept, and found again")
    arguments = parser.parse_args()
    good = True
    if arguments.folders:
        good &= judged(Film(folder, _tier_shutter(folder, arguments.seeded)) for folder in arguments.folders)
    if arguments.fresh:
        with tempfile.TemporaryDirectory() as spare:
            good &= judged(fresh_films(arguments.keep or Path(spare), arguments.fresh))
    raise SystemExit(0 if good else 1)


def judged(films: Iterable[Film]) -> bool:
    """Prints what is told of each film, and how often rightly."""
    count = wrong = ranges = far = 0
    for film in films:
        count += 1
        found = shutter_of(film.folder)
        line = f"{film.folder.name}: {_seconds(film.shutter_s)} s, {found.key}"
        if found.longest_s is None:
            print(line, flush=True)
            continue
        ranges += 1
        line += f" {_seconds(found.shutter_s)} ({_seconds(found.shortest_s)} to {_seconds(found.longest_s)}) s"
        if film.shutter_s is not None:
            out = not found.shortest_s <= film.shutter_s <= found.longest_s
            share = found.shutter_s / film.shutter_s if found.shutter_s else 1.0
            wrong, far = wrong + out, far + (not 1 / TOLERANCE <= share <= TOLERANCE)
            line += (f", {share:.2f} times the truth" if found.shutter_s else "") + (", OUTSIDE" if out else "")
        print(line, flush=True)
    print(f"told in {ranges} of {count} films, {far} of them more than {TOLERANCE:g} times off")
    return told("films whose range does not hold the true shutter", wrong, 0, "")


def shutter_of(folder: Path) -> Told:
    """What `paleo calibrate check` says of a film."""
    report = calibrate_check(folder / "clip.mp4", folder / "board.toml", folder / "lens.json")
    finding = next(f for f in report.check.findings if f.key.startswith("shutter"))
    said = {name: float(text.removeprefix("1/")) for name, text in finding.figures.items() if text.startswith("1/")}
    shutter, shortest, longest = (said.get(name) for name in ("shutter", "shortest", "longest"))
    return Told(finding.key, 1 / shutter if shutter else None, 1 / shortest if shortest else 0.0,
                1 / longest if longest else None)  # fmt: skip


def fresh_films(folder: Path, count: int) -> Iterator[Film]:
    """Films of the virtual table, rendered one by one; those that are there already are taken as they are."""
    for spec in (*FRESH, *MADE_UP)[:count]:
        tier, seed, inverse, shots = spec
        film = folder / f"{tier}-x{inverse}-{seed}"
        if not (film / "truth.json").exists():
            _render(film, tier, seed, 1 / inverse, shots, made_up=spec in MADE_UP)
        yield Film(film, 1 / inverse)


def _render(folder: Path, tier: str, seed: int, shutter_s: float, shots: int, made_up: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = random_board_text(seed) if made_up else default_board_path().read_text(encoding="utf-8")
    (folder / "board.toml").write_text(text, encoding="utf-8")
    table = VirtualTable(
        load_board(folder / "board.toml"), seed=seed, look=replace(look_for(tier, seed), exposure_s=shutter_s),
        layout="scattered", tidy=False,
    )  # fmt: skip
    director, writer = Director(table, shots, seed), open_writer(folder / "clip.mp4", table.size, table.fps)
    for frame in table.frames():
        director.step()
        writer.write(frame.image)
        if director.done() or frame.index >= MOST_FRAMES:
            break
    writer.close()
    (folder / "lens.json").write_text(json.dumps(table.lens.to_json()), encoding="utf-8")
    (folder / "truth.json").write_text(json.dumps(table.truth()), encoding="utf-8")


def _tier_shutter(folder: Path, seeded: bool) -> float | None:
    """The shutter of a recording's tier; None for a tier that is not the virtual table's."""
    tier = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["tier"]
    if tier not in TIERS:
        return None
    return look_for(tier, int(folder.name.rpartition("-")[2])).exposure_s if seeded else TIERS[tier].exposure_s


def _seconds(value: float | None) -> str:
    return "?" if value is None else "0" if value == 0 else f"1/{1 / value:.0f}"


if __name__ == "__main__":
    main()
