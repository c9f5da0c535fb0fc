"""How well a board is drawn by hand.

    python -m benchmarks.drawn_board RECORDING OUT.toml [--seed 0] [--error 1.5] [--screenshot PICTURE.png]

Draws the board of a recording (clip.mp4, board.toml, lens.json, truth.json) in a real Chromium, by clicks with an error
of so many pixels; colours are picked from pucks. Says in how many clicks, and how far doors and gate lie from their
true places.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import cv2
from playwright.sync_api import sync_playwright

from calibration.board import load_board
from calibration.pictures import read_still_frames
from companion.board_desk import BoardDesk
from tests.dashboard.conftest import BROWSERS, QUIET
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import serving
from tests.dashboard.sketcher import Sketcher, door_error_mm, draw, gate_error_mm


def main() -> None:
    """Reads the arguments, draws, prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drawn_board", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("recording", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--error", type=float, default=1.5, help="pixels, standard deviation of each coordinate")
    parser.add_argument("--screenshot", type=Path)
    arguments = parser.parse_args()
    true = load_board(arguments.recording / "board.toml")
    picture = read_still_frames(arguments.recording / "clip.mp4", 1)[0].image
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    with tempfile.TemporaryDirectory() as folder:
        desk = BoardDesk(Path(folder), lambda: jpeg, arguments.recording / "lens.json")
        chromium = next(found for name in BROWSERS if (found := shutil.which(name)))
        with serving(FakeCompanion(), desk=desk) as served, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(f"{served.url}/boards")
            hand = Sketcher(page, arguments.error, arguments.seed)
            draw(hand, true)
            for index, team in enumerate(true.teams):
                x, y = puck_of(arguments.recording, team.name)
                beside_mm = 0.7 * true.puck.radius_mm  # where no number is printed
                place = (x + beside_mm, y)
                found = hand.pick(f"#team-{index}-colour-pick", place, true.puck.height_mm)
                print(f"{team.name}: picked {found}, painted {team.colour}")
            page.wait_for_selector("#mistakes li.fine", timeout=10_000)
            hand.press("#save")
            page.wait_for_selector("#saved:has-text('paleo run --board')")
            if arguments.screenshot is not None:
                page.evaluate("document.getElementById('zoom-all').click()")
                page.screenshot(path=arguments.screenshot)
            browser.close()
        drawn_file = next(Path(folder).glob("*.toml"))
        drawn = load_board(drawn_file)
        shutil.copy(drawn_file, arguments.out)
    gate = f", gate {gate_error_mm(drawn, true):.2f} mm" if true.gates else ""
    print(f"{arguments.out}: {hand.clicks} clicks, doors {door_error_mm(drawn, true):.2f} mm{gate}")


def puck_of(recording: Path, team: str) -> tuple[float, float]:
    """Where a puck of a team lies in the first frame."""
    positions = json.loads((recording / "truth.json").read_text())["positions"]
    number = next(i for i, key in enumerate(positions["keys"]) if key.startswith(team))
    x, y = positions["mm10"][0][number]
    return x / 10, y / 10


if __name__ == "__main__":
    main()
