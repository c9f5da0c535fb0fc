"""Play seen from a moment on: python -m tests.vision.late_start FOLDER [--only NAME] [--before S].

FOLDER holds recordings (clip.mp4, board.toml, lens.json, truth.json each). For each shot but the last, a tracker sees
the film only from S seconds before that shot on, when the hand that will flick is over the board already, and until
the next shot is over. Printed is what it told of that shot, of the next one, which nothing excuses, what shots it made
up, and what it said that hands did although they did not.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from calibration.board import load_board
from calibration.lens import load_lens
from tests.vision.film_score import decided
from vision.events import Event, event_to_line
from vision.frames import Frame
from vision.pipeline import Tracker
from vision.sources import open_film

AFTER_S = 1.2  # the film goes on for so long after the next shot's end
SAME_DEED_S = 1.0
Json = dict[str, Any]


def told_between(folder: Path, frames: Sequence[Frame], since_s: float, until_s: float) -> list[Json]:
    """What a tracker tells that sees some of a film's frames."""
    source = open_film(folder / "clip.mp4")
    source.close()
    tracker = Tracker(load_board(folder / "board.toml"), frame_size=source.size, fps=source.fps,
                      lens=load_lens(folder / "lens.json"))  # fmt: skip
    events: list[Event] = []
    for frame in frames:
        if since_s <= frame.time_s <= until_s:
            events += tracker.update(frame)
    return [json.loads(event_to_line(e)) for e in [*events, *tracker.finish()]]


def count(folder: Path, before_s: float) -> Counter[str]:
    """How often what was told of a recording's shots, from each of them on."""
    truth: Json = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    source = open_film(folder / "clip.mp4")
    frames = list(source.frames())
    source.close()
    out: Counter[str] = Counter()
    for shot, following in zip(truth["shots"], truth["shots"][1:], strict=False):
        since_s, until_s = shot["t_start"] - before_s, following["t_end"] + AFTER_S
        events = told_between(folder, frames, since_s, until_s)
        verdicts = decided({**truth, "shots": [shot, following]}, events)
        out.update((f"first {verdicts[0]}", f"second {verdicts[1]}"))
        out["invented"] += len(verdicts) - 2
        out["hands made up"] += sum(
            e["type"].startswith("puck_") and e["t"] < following["t_end"]
            and all(abs(e["t"] - deed["t"]) > SAME_DEED_S for deed in truth.get("hand", ())) for e in events
        )  # fmt: skip
    return out


def main() -> None:
    told_by = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m tests.vision.late_start", description=told_by)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="folders whose names hold this")
    parser.add_argument("--before", type=float, default=0.6, help="seconds before each shot")
    told = parser.parse_args()
    total: Counter[str] = Counter()
    for clip in sorted(told.folder.glob("*/clip.mp4")):
        if told.only in clip.parent.name:
            counted = count(clip.parent, told.before)
            print(f"{clip.parent.name:22s} {dict(sorted(counted.items()))}", flush=True)
            total += counted
    print(f"{'all':22s} {dict(sorted(total.items()))}")


if __name__ == "__main__":
    main()
