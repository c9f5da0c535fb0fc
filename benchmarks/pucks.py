"""What more pucks cost.

    python -m benchmarks.pucks [--few 16] [--many 64] [--seeds 3] [--rounds 1]

Films the same seeds on the box's board with few and with many pucks, each number once in a team and all of them
scattered over the board, and counts the pipeline's time per frame. With more pucks about, a shot also touches more.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.costs import Cost
from benchmarks.vision import alone
from calibration.board import default_board_path
from vision.virtual_table.film import make_film

SHOTS = 4
GOAL = 1.3


def board_text(pucks: int) -> str:
    """The box's board with so many pucks, half of them each team's, and no circles for them to begin on."""
    numbers = ", ".join(str(n) for n in range(1, pucks // 2 + 1))
    text = default_board_path().read_text(encoding="utf-8")
    text = re.sub(r"^mercenaries = .*$", "mercenaries = []", text, flags=re.MULTILINE)
    text = re.sub(r"^explorers = .*$", f"explorers = [{numbers}]", text, flags=re.MULTILINE)
    return re.sub(r"^start_circles = .*\n", "", text, flags=re.MULTILINE)


def cost_with(pucks: int, seeds: Sequence[int], folder: Path, rounds: int) -> list[Cost]:
    """The pipeline over a film of each seed with so many pucks."""
    board = folder / f"{pucks}.toml"
    board.write_text(board_text(pucks), encoding="utf-8")
    costs = []
    for seed in seeds:
        film = folder / f"{pucks}-{seed}"
        make_film(film / "clip.mp4", board_path=board, seed=seed, shots=SHOTS)
        costs.append(alone("pipeline", film, rounds))
    return costs


def mean_ms(costs: Sequence[Cost]) -> tuple[float, float]:
    """Per frame, on the wall and on the cores."""
    frames = sum(c.frames for c in costs)
    return 1000 * sum(c.seconds for c in costs) / frames, 1000 * sum(c.cpu_s for c in costs) / frames


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pucks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--few", type=int, default=16)
    parser.add_argument("--many", type=int, default=64)
    parser.add_argument("--seeds", type=int, default=3, help=f"films of {SHOTS} shots with each number of pucks")
    parser.add_argument("--rounds", type=int, default=1, help="the quickest of so many counts")
    told = parser.parse_args()
    seeds = range(1, told.seeds + 1)
    with tempfile.TemporaryDirectory(prefix="paleo-pucks-") as name:
        few, many = (mean_ms(cost_with(n, seeds, Path(name), told.rounds)) for n in (told.few, told.many))
    for pucks, (wall, cpu) in ((told.few, few), (told.many, many)):
        print(f"{pucks:3d} pucks: {wall:5.1f} ms a frame, {cpu:5.1f} on all cores")
    print(f"{many[0] / few[0]:.2f} times, {many[1] / few[1]:.2f} on all cores (goal {GOAL}); "
          f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")  # fmt: skip


if __name__ == "__main__":
    main()
