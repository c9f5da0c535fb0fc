"""How right lens and pose are.

    python -m benchmarks.calibration RECORDINGS [--lenses REAL] [--draws 5] [--only NAME]

RECORDINGS: folders with clip.mp4, board.toml, lens.json and truth.json, whose `cameras` are the true poses. REAL: the
folder with pictures of patterns, lens-chessboard-9x6 and lens-charuco-4x4. Prints a line for each claim.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, load_board
from calibration.commands import POSE_FRAMES, find_pose_in
from calibration.lens import CalibrationError, load_lens
from calibration.lens_fit import fit_lens, view_rms_px
from calibration.lens_views import View, Views, gather_views
from calibration.patterns import parse_pattern
from calibration.pictures import read_pictures, read_still_frames
from calibration.pose import Pose
from calibration.pose_fit import fit_pose_from_corners, surface_corners_mm

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

LENSES = (  # folder, pattern, most rms px, focal length px or None
    ("lens-chessboard-9x6", "chessboard:9x6:25", 0.20, 533.0),
    ("lens-charuco-4x4", "charuco:4x4:45:30:DICT_5X5_100:legacy", 0.13, None),
)
MAX_FOCAL_PART = 0.005
SPLITS = 20
MAX_HELD_OUT = 1.3
MAX_PX_AT_720P = 0.35
MAX_MM = 0.4
CLICK_PX = 2.0  # length of a click's error at 720 lines, root mean square
MAX_CLICKED_MM = 0.8
MAX_BARE_SIGMAS = 2.0  # decision 0016: the error that is told covers what the lens may do
MAX_OUTLINE_MM = 0.8
GRID = 9


def main() -> None:
    """Reads the arguments and prints the figures; exit code 1 where one is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("recordings", type=Path)
    parser.add_argument("--lenses", type=Path, help="folder with the pictures of patterns")
    parser.add_argument("--draws", type=int, default=5, help="how often the corners of a recording are clicked")
    parser.add_argument("--only", default="", help="recordings whose name holds this")
    arguments = parser.parse_args()
    good = lenses(arguments.lenses) if arguments.lenses else True
    folders = [p.parent for p in sorted(arguments.recordings.glob("*/truth.json")) if arguments.only in p.parent.name]
    good &= poses(folders, arguments.draws)
    raise SystemExit(0 if good else 1)


def lenses(folder: Path) -> bool:
    """Each lens from its pictures: rms, focal length, and half of the views foretold by the others."""
    good = True
    for name, pattern, most_px, focal_px in LENSES:
        views = gather_views(read_pictures(folder / name), parse_pattern(pattern))
        fit = fit_lens(views)
        rms = fit.lens.rms_px or float("inf")
        good &= told(f"{name}: rms over {fit.lens.views} kept views", rms, most_px, "px")
        print(f"  model {fit.model}, focal length {fit.lens.focal_px:.1f} ± {fit.focal_error_px:.1f} px")
        for view, why in fit.dropped:
            print(f"  left out {view}: {why}")
        if focal_px is not None:
            apart = abs(fit.lens.focal_px / focal_px - 1)
            good &= told(f"{name}: focal length from {focal_px:g} px", 100 * apart, 100 * MAX_FOCAL_PART, "%")
            dropped = {n for n, _ in fit.dropped}
            kept = Views(tuple(v for v in views.kept if v.name not in dropped), (), ())
            good &= told(f"{name}: held-out rms / fitted, {SPLITS} splits", half_splits(kept), MAX_HELD_OUT, "")
    return good


def half_splits(views: Views) -> float:
    """Mean over random halves: rms of the other half under the lens of one, divided by that half's own rms."""
    ratios = []
    for seed in range(SPLITS):
        shuffled = list(views.kept)
        random.Random(seed).shuffle(shuffled)
        half = len(shuffled) // 2 + len(shuffled) % 2
        fit = fit_lens(Views(tuple(shuffled[:half]), (), ()))
        ratios.append(_rms(shuffled[half:], fit.lens) / (fit.lens.rms_px or float("nan")))
    return float(np.mean(ratios))


def _rms(views: Iterable[View], lens: Any) -> float:
    return float(np.sqrt(np.mean([view_rms_px(v, lens.camera_matrix, lens.distortion) ** 2 for v in views])))


def poses(folders: list[Path], draws: int) -> bool:
    """Each recording's pose by its markers, and by clicked corners where the markers are not known."""
    good, all_clicked, all_refined = True, [], []
    for folder in folders:
        board, lens = load_board(folder / "board.toml"), load_lens(folder / "lens.json")
        camera = json.loads((folder / "truth.json").read_text())["cameras"][0]
        true = Pose(lens, np.array(camera["rvec"]), np.array(camera["tvec"]))
        images = [p.image for p in read_still_frames(folder / "clip.mp4", POSE_FRAMES)]
        found = find_pose_in(images, board, lens, None).pose
        px = max(error_px(found, true, board, h) for h in (0.0, board.puck.height_mm)) * 720 / lens.image_size[1]
        mm = max(error_mm(found, true, board, h) for h in (0.0, board.puck.height_mm))
        good &= told(f"{folder.name}: markers, pixels at 720p", px, MAX_PX_AT_720P, "px")
        good &= told(f"{folder.name}: markers, millimetres", mm, MAX_MM, "mm")
        bare = find_pose_in(images, board, None, None).pose
        off, said = corner_errors_mm(bare, true, board), np.array(bare.corner_error_mm)
        what = f"{folder.name}: markers without a lens file ({rms(list(off)):.2f} mm at the corners), in errors told"
        good &= told(what, float((off / said).max()), MAX_BARE_SIGMAS, "sigma")
        good &= told(f"{folder.name}: by the outline alone", by_outline(images, board, true), MAX_OUTLINE_MM, "mm")
        clicked, refined = clicks(images, board, true, draws)
        all_clicked += clicked
        all_refined += refined
        good &= told(f"{folder.name}: clicked corners ({rms(clicked):.2f} mm alone), refined", rms(refined),
                     MAX_CLICKED_MM, "mm")  # fmt: skip
    told(f"all: clicked corners ({rms(all_clicked):.2f} mm alone), refined", rms(all_refined), MAX_CLICKED_MM, "mm")
    return good


def by_outline(images: list[Image], board: Board, true: Pose) -> float:
    """Error in mm of the pose by the board's own outline, without markers or clicks; also where it lies wrongly."""
    try:
        return error_mm(find_pose_in(images, replace(board, markers=()), true.lens, None).pose, true, board)
    except CalibrationError as error:
        print(f"  {error}")
        return float("inf")


def corner_errors_mm(found: Pose, true: Pose, board: Board) -> FloatArray:
    """(4,) how far off the surface's corners are read."""
    corners = surface_corners_mm(board)
    read = found.board_from_image(true.image_from_board(corners))
    return np.asarray(np.linalg.norm(read - corners[:, :2], axis=1), dtype=np.float64)


def clicks(images: list[Image], board: Board, true: Pose, draws: int) -> tuple[list[float], list[float]]:
    """Errors in mm of poses from corners clicked with CLICK_PX of error: alone, and refined on what the board shows."""
    bare = replace(board, markers=())
    corners = true.image_from_board(surface_corners_mm(board))
    sigma = CLICK_PX / np.sqrt(2) * true.lens.image_size[1] / 720
    alone, refined = [], []
    for seed in range(draws):
        at = corners + np.random.default_rng(seed).normal(0, sigma, (4, 2))
        try:
            alone.append(error_mm(fit_pose_from_corners(at, bare, true.lens.image_size, true.lens), true, board))
            refined.append(error_mm(find_pose_in(images, bare, true.lens, at).pose, true, board))
        except CalibrationError as error:
            print(f"  draw {seed}: {error}")
            refined.append(float("inf"))
    return alone, refined


def rms(values: list[float]) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def told(what: str, found: float, most: float, unit: str) -> bool:
    """Prints a figure beside its bound; True where it is kept."""
    kept = found <= most
    print(f"{'ok  ' if kept else 'MISS'} {what}: {found:.3f} {unit} (at most {most:g})", flush=True)
    return kept


def grid_mm(board: Board, height_mm: float) -> FloatArray:
    xs, ys = np.meshgrid(np.linspace(0, board.size[0], GRID), np.linspace(0, board.size[1], GRID))
    return np.column_stack([xs.ravel(), ys.ravel(), np.full(xs.size, height_mm)])


def error_px(found: Pose, true: Pose, board: Board, height_mm: float = 0.0) -> float:
    """Rms over the board of the distance between where a pose and the true one project its points."""
    points = grid_mm(board, height_mm)
    return float(np.sqrt(((found.image_from_board(points) - true.image_from_board(points)) ** 2).sum(1).mean()))


def error_mm(found: Pose, true: Pose, board: Board, height_mm: float = 0.0) -> float:
    """Rms over the board of the distance between millimetres read with a pose and the true ones."""
    points = grid_mm(board, height_mm)
    read = found.board_from_image(true.image_from_board(points), height_mm)
    return float(np.sqrt(((read - points[:, :2]) ** 2).sum(1).mean()))


if __name__ == "__main__":
    main()
