"""Films of the virtual table's play whose pictures a path tracer makes.

    python -m benchmarks.traced OUT [--seed 1] [--shots 8] [--light LIGHT] [--tier standard]
        [--random-board] [--threads 2] [--blender-python PYTHON] [--keep]

What our own renderer gets wrong of real light, the tracker may have learned to rely on. So the same hands and the same
physics are filmed by another: soft shadows, gloss, light from wall to wall, rounded edges, hands that have a shape.
Blender's module works for some minutes on a shot; it wants an environment of its own (pip install bpy), whose
interpreter --blender-python names. OUT then holds clip.mp4, board.toml, lens.json and truth.json, which the scorer
reads. What was traced is kept in OUT/.traced until the film is done, so that a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, default_board_path, load_board
from calibration.lens import Lens
from calibration.pose import Pose
from vision.boxes import Box, merged
from vision.frames import Image
from vision.virtual_table.art import bgr, paint_rim, paint_surface, paint_table, paint_top
from vision.virtual_table.boards import random_board_text
from vision.virtual_table.camera import make_pose
from vision.virtual_table.director import Director
from vision.virtual_table.film import open_writer
from vision.virtual_table.handart import HandSeen
from vision.virtual_table.looks import Look, look_for
from vision.virtual_table.renderer import Moving, Renderer, View
from vision.virtual_table.scene import QUIET_ZONE, TABLE_DROP_MM, WHERE_IT_WAS, WHITE_REEF
from vision.virtual_table.setup import puck_keys
from vision.virtual_table.table import VirtualTable

SIZE, FPS = (1280, 720), 30.0
HALF_VIEW_DEG = (33.0, 37.0)
FINGER_MM = 4.0  # a fingertip's middle is so much higher than the hand that the virtual table tells of
SHADOW_MM = 45.0  # around what moves the picture is traced anew, as soft shadows reach so far
WAYS = 5  # moments of an exposure
STILL_MM = 0.02
WHOLE_SAMPLES, PART_SAMPLES = 32, 8
TOP_TEXELS = 256
MARKER_TEXELS = 25  # a cell
MARKER_LEVELS = (20, 235)
LEAST_PX = 2  # a part of a picture that is narrower shows nothing: it is of what is out of sight
SIDE_TONE = 0.95  # of the paint of a puck's top
BRIGHT = 105.0  # grey levels: how bright the board is to come out on the whole
ROUNDED_MM = (0.6, 1.6)  # a puck's upper edge

# name: lamps (size mm, place against the board's middle mm, watts, colour), the room's light, the film's curve
LIGHTS: dict[str, dict[str, Any]] = {
    "window": {"lamps": [((1500, 1100), (-1900, -500, 1300), 900.0, (0.85, 0.93, 1.0))], "room": 0.35},
    "ceiling": {"lamps": [((600, 600), (350, -300, 1900), 500.0, (1.0, 0.92, 0.8))], "room": 0.2},
    "desk lamp": {"lamps": [((110, 110), (620, -380, 800), 90.0, (1.0, 0.82, 0.6))], "room": 0.25},
    "two lamps": {"lamps": [((200, 200), (-900, 500, 1300), 160.0, (1.0, 0.85, 0.65)),
                            ((1200, 900), (1900, -200, 1200), 380.0, (0.85, 0.93, 1.0))], "room": 0.2},
    "spots": {"lamps": [((60, 60), (-350, -500, 1700), 110.0, (1.0, 0.9, 0.75)),
                        ((60, 60), (450, 300, 1700), 110.0, (1.0, 0.9, 0.75))], "room": 0.15},
}  # fmt: skip
SKINS = ("#e0b79a", "#c99873", "#a87553", "#6f4a33", "#f0cdb6")
SLEEVES = ("#2e3a52", "#8a2622", "#96968f", "#2f5a3c", "#1d1d1f", "#b08a3e", "#e8e4da")


@dataclass
class _Seen:
    """A renderer that only notes what there is to see, in the place of the virtual table's own."""

    views: list[View] = field(default_factory=list)
    struck_s: list[float] = field(default_factory=list)

    def see_from(self, pose: Pose, laid: NDArray[np.float64] = WHERE_IT_WAS) -> None:
        """Films are traced from one place."""

    def render(self, view: View) -> Image:
        """Notes a view."""
        self.views.append(view)
        return np.zeros((1, 1, 3), np.uint8)


def hexed(colour: Sequence[float]) -> str:
    """BGR levels as hex."""
    b, g, r = (int(np.clip(round(v), 0, 255)) for v in colour)
    return f"#{r:02x}{g:02x}{b:02x}"


def play(board: Board, seed: int, shots: int, look: Look) -> tuple[VirtualTable, list[View]]:
    """Plays on the virtual table, unfilmed."""
    rng = random.Random(f"traced camera {seed}")
    focal = SIZE[0] / 2 / math.tan(math.radians(rng.uniform(*HALF_VIEW_DEG)))
    matrix = np.array([[focal, 0, (SIZE[0] - 1) / 2], [0, focal, (SIZE[1] - 1) / 2], [0, 0, 1.0]])
    pose = make_pose(board, Lens(SIZE, matrix, np.zeros(5)), rng, tilt_deg=look.tilt_deg)
    table = VirtualTable(board, seed=seed, look=look, layout="scattered", pose=pose, seconds=600.0,
                         keep_positions=True, tidy=False)  # fmt: skip
    seen = _Seen()
    table.renderer = seen
    director, frames = Director(table, shots, seed), table.frames()
    while not director.done():
        director.step()
        next(frames)
    return table, seen.views


def scene_of(table: VirtualTable, seed: int, light: str, folder: Path, threads: int) -> dict[str, Any]:
    """All that Blender has to know of what stands still, its textures laid into a folder."""
    board, rng = table.board, random.Random(f"traced {seed}")
    (w, h), pose = board.size, table.pose
    surface, cloth = paint_surface(board, seed), paint_table(seed)
    wood = paint_rim(board, seed) if board.rim else None
    cv2.imwrite(str(folder / "surface.png"), surface.image)
    cv2.imwrite(str(folder / "table.png"), cloth.image)
    rim = None
    if board.rim and wood:
        cv2.imwrite(str(folder / "rim.png"), wood.image)
        tone = hexed(wood.image.mean(axis=(0, 1)))
        rim = {"width": board.rim.width_mm, "height": board.rim.height_mm, "colour": tone}
    reach, drop = 3000.0, TABLE_DROP_MM
    repeats = 2 * reach * cloth.texels_per_mm / cloth.image.shape[0]
    rotation = cv2.Rodrigues(pose.rvec)[0]
    middle = [w / 2, h / 2, 0.0]
    lamps = [{"size": size, "at": [w / 2 + x, h / 2 + y, z], "to": middle, "watts": watts, "colour": colour}
             for size, (x, y, z), watts, colour in LIGHTS[light]["lamps"]]  # fmt: skip
    skins, sleeves = rng.sample(SKINS, 2), rng.sample(SLEEVES, 2)
    return {
        "size": list(SIZE), "threads": threads, "denoise": True, "exposure": 0.0,
        "film": rng.choice(("Standard", "Filmic")),
        "board": {"size": list(board.size), "rim": rim, "roughness": rng.uniform(0.3, 0.6)},
        "table": {"box": [w / 2 - reach, h / 2 - reach, w / 2 + reach, h / 2 + reach], "z": drop,
                  "uv": [[0, repeats], [repeats, repeats], [repeats, 0], [0, 0]], "roughness": rng.uniform(0.4, 0.8)},
        "blocks": _blocks(table), "markers": _markers(board, folder), "pucks": _pucks(table, folder),
        "puck": {"radius": board.puck.radius_mm, "height": board.puck.height_mm, "rounded": rng.uniform(*ROUNDED_MM),
                 "roughness": rng.uniform(0.2, 0.5), "coat": rng.choice((0.0, 0.3, 0.6))},
        "hands": [{"skin": skin, "sleeve": sleeve, "slim": rng.uniform(0.85, 1.05), "rise": rng.uniform(0.08, 0.3)}
                  for skin, sleeve in zip(skins, sleeves, strict=True)],
        "lamps": lamps, "room": {"colour": [0.9, 0.95, 1.0], "strength": LIGHTS[light]["room"]},
        "props": props(board, rng, drop),
        "camera": {"focal_px": float(pose.lens.camera_matrix[0, 0]), "rotation": rotation.tolist(),
                   "tvec": np.asarray(pose.tvec).ravel().tolist()},
    }  # fmt: skip


def _blocks(table: VirtualTable) -> list[dict[str, Any]]:
    """What stands on the board: walls, and the reefs that players placed."""
    board = table.board
    colours = {t.name: t.reef_colour or WHITE_REEF for t in board.teams}
    reef_mm = board.reef.height_mm if board.reef else 14.0
    standing = [(o.polygon, o.height_mm, o.team) for o in board.obstacles]
    standing += [(r.polygon, reef_mm, r.team) for r in table.reefs]
    return [{"polygon": [list(p) for p in polygon], "height": height, "colour": colours.get(team or "", WHITE_REEF)}
            for polygon, height, team in standing]  # fmt: skip


def _markers(board: Board, folder: Path) -> list[dict[str, Any]]:
    """The markers on their white paper, their pictures laid into a folder."""
    out = []
    for i, m in enumerate(board.markers):
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, m.dictionary))
        side = (dictionary.markerSize + 2) * MARKER_TEXELS
        code = np.clip(cv2.aruco.generateImageMarker(dictionary, m.id, side), *MARKER_LEVELS)
        quiet = round(side * (QUIET_ZONE - 1) / 2)
        paper = cv2.copyMakeBorder(code, *[quiet] * 4, cv2.BORDER_CONSTANT, value=(MARKER_LEVELS[1],))
        cv2.imwrite(str(folder / f"marker-{i}.png"), paper)
        side_mm = m.size_mm * (side + 2 * quiet) / side
        out.append({"centre": list(m.centre), "side": side_mm, "z": m.z_mm, "picture": f"marker-{i}.png"})
    return out


def _pucks(table: VirtualTable, folder: Path) -> dict[str, dict[str, str]]:
    """All pucks' tops, laid into a folder, and the colour of their sides."""
    out = {}
    for key, name, number in puck_keys(table.board):
        team = table.board.team(name)
        top = paint_top(team, number, TOP_TEXELS)
        cv2.imwrite(str(folder / f"top-{key}.png"), np.clip(top + 0.5, 0, 255).astype(np.uint8))
        out[key] = {"top": f"top-{key}.png", "colour": hexed(np.multiply(bgr(team.colour), SIDE_TONE))}
    return out


def props(board: Board, rng: random.Random, z: float) -> list[dict[str, Any]]:
    """What people leave beside a board."""
    (w, h), out = board.size, []
    margin = (board.rim.width_mm if board.rim else 0.0) + 75
    for kind in rng.sample(("mug", "book", "pencil", "box"), 3):
        x = rng.choice((-margin - rng.uniform(0, 110), w + margin + rng.uniform(0, 110)))
        thing = {"kind": kind, "at": [x, rng.uniform(0.1, 0.9) * h, z], "turn": rng.uniform(0, 3),
                 "colour": rng.choice(("#d8d4c8", "#5a6b7a", "#a8442e", "#37312b", "#3c7a55"))}  # fmt: skip
        thing["sides"] = {"book": [110, 150, 9], "pencil": [7, 140, 7], "box": [60, 85, 30]}.get(kind, [0, 0, 0])
        out.append(thing)
    return out


def _way(moving: Moving) -> list[list[float]]:
    """Where a puck is at some moments of an exposure; once where it lies still."""
    k = np.linspace(0, len(moving.places) - 1, WAYS).round().astype(int)
    if float(np.ptp(moving.places, axis=0).max()) < STILL_MM:
        k = k[:1]
    turn = moving.puck.turn_rad
    return [[float(x), float(y), moving.lift_mm, turn] for x, y in moving.places[k]]


def _hand_way(hand: HandSeen) -> list[list[float]]:
    half, z = hand.blur_mm / 2, hand.height_mm + FINGER_MM
    steps = (-half, half) if hand.blur_mm > 0.2 else (0.0,)
    return [[hand.x_mm + s * math.cos(hand.angle_rad), hand.y_mm + s * math.sin(hand.angle_rad), z, hand.angle_rad]
            for s in steps]  # fmt: skip


def _box(pose: Pose, points: NDArray[np.float64]) -> Box:
    """The part of a picture that shows (N, 3) places and what lies around them."""
    around = np.concatenate([points + (dx, dy, 0) for dx in (-SHADOW_MM, SHADOW_MM) for dy in (-SHADOW_MM, SHADOW_MM)])
    px = pose.image_from_board(around)
    x0, y0 = np.clip(np.floor(px.min(axis=0)), 0, SIZE).astype(int)
    x1, y1 = np.clip(np.ceil(px.max(axis=0)), 0, SIZE).astype(int)
    return int(x0), int(y0), int(x1), int(y1)


def _hand_box(pose: Pose, hand: HandSeen) -> Box:
    """The same of a hand and as much of its arm as can be seen."""
    c, s = math.cos(hand.angle_rad), math.sin(hand.angle_rad)
    along = np.array([15.0, -100.0, -250.0, -400.0, -600.0, -800.0])
    points = []
    for a in along:
        for across in (-75.0, 75.0):
            for z in (0.0, 90.0 - 0.2 * a):
                points.append((hand.x_mm + a * c - across * s, hand.y_mm + a * s + across * c, min(z, 250.0)))
    return _box(pose, np.array(points))


@dataclass(frozen=True, slots=True)
class _Frame:
    """One picture of the film: a whole one, and parts laid over it."""

    whole: str
    parts: tuple[tuple[Box, str], ...]


def jobs_of(table: VirtualTable, views: list[View]) -> tuple[list[dict[str, Any]], list[_Frame]]:
    """What is to be traced, and how the film's pictures are laid together from it."""
    pose, renderer = table.pose, Renderer.__new__(Renderer)
    renderer.board = table.board
    jobs: list[dict[str, Any]] = []
    frames: list[_Frame] = []
    whole, laid = "", dict[str, list[list[float]]]()
    for n, view in enumerate(views):
        lying = {p.key: [[p.x_mm, p.y_mm, renderer._lift(p), p.turn_rad]] for p in view.resting}
        moving = {m.puck.key: _way(replace(m, lift_mm=m.lift_mm or renderer._lift(m.puck))) for m in view.moving}
        hands = {str(h.who % 2): _hand_way(h) for h in view.hands}
        pucks = lying | moving
        if not whole or (not hands and not moving and lying != laid):
            whole, laid = f"whole-{n:05d}.png", pucks
            jobs.append({"out": whole, "pucks": pucks, "hands": hands, "samples": WHOLE_SAMPLES, "seed": n})
            frames.append(_Frame(whole, ()))
            continue
        boxes = [_hand_box(pose, h) for h in view.hands]
        for key in pucks.keys() | laid.keys():
            if pucks.get(key) != laid.get(key):
                ways = [w for w in (pucks.get(key), laid.get(key)) if w is not None]
                boxes += [_box(pose, np.array([place[:3] for place in way])) for way in ways]
        parts = []
        in_sight = [box for box in boxes if min(box[2] - box[0], box[3] - box[1]) >= LEAST_PX]
        for i, box in enumerate(merged(in_sight)):
            out = f"part-{n:05d}-{i}.png"
            jobs.append({"out": out, "pucks": pucks, "hands": hands, "box": box, "samples": PART_SAMPLES, "seed": n})
            parts.append((box, out))
        frames.append(_Frame(whole, tuple(parts)))
    return jobs, frames


def trace(folder: Path, scene: dict[str, Any], jobs: list[dict[str, Any]], python: str) -> None:
    """Has Blender make the pictures that are not there yet."""
    (folder / "scene.json").write_text(json.dumps(scene))
    (folder / "jobs.jsonl").write_text("".join(json.dumps(job) + "\n" for job in jobs))
    script = Path(__file__).with_name("scene.py")
    subprocess.run([python, str(script), str(folder)], stdout=subprocess.DEVNULL, check=True)


def exposed(folder: Path, scene: dict[str, Any], jobs: list[dict[str, Any]], python: str) -> dict[str, Any]:
    """The scene with an exposure at which the board comes out neither dark nor bleached, by some trials."""
    if (kept := folder / "exposure.json").exists():
        return scene | {"exposure": json.loads(kept.read_text())}
    exposure = 0.0
    for k in range(3):
        trial = {**jobs[0], "out": f"trial-{k}.png", "samples": 4}
        trace(folder, scene | {"exposure": exposure, "denoise": False}, [trial], python)
        seen = cv2.imread(str(folder / trial["out"]))
        assert seen is not None
        exposure += 2.0 * math.log2(BRIGHT / max(float(seen[100:-100, 400:-400].mean()), 3.0))
    kept.write_text(json.dumps(exposure))
    return scene | {"exposure": exposure}


def film(out: Path, *, seed: int, shots: int, light: str, random_board: bool, tier: str, threads: int,
         python: str) -> None:  # fmt: skip
    """Plays, traces, and lays the film down with the truth beside it."""
    out.mkdir(parents=True, exist_ok=True)
    folder = out / ".traced"
    folder.mkdir(exist_ok=True)
    text = random_board_text(seed) if random_board else default_board_path().read_text(encoding="utf-8")
    (out / "board.toml").write_text(text, encoding="utf-8")
    board = load_board(out / "board.toml")
    look = replace(look_for(tier, seed), size=SIZE, fps=FPS, tier="photo", knock=False)
    table, views = play(board, seed, shots, look)
    jobs, frames = jobs_of(table, views)
    scene = exposed(folder, scene_of(table, seed, light, folder, threads), jobs, python)
    print(f"{len(frames)} pictures, {len(jobs)} to trace", flush=True)
    trace(folder, scene, jobs, python)
    camera = Renderer(board, table.reefs, table.pose, look, seed)
    camera.struck_s = table.renderer.struck_s
    writer = open_writer(out / "clip.mp4", SIZE, FPS)
    for frame, view in zip(frames, views, strict=True):
        picture = cv2.imread(str(folder / frame.whole))
        assert picture is not None
        for (x0, y0, _, _), name in frame.parts:
            part = cv2.imread(str(folder / name))
            assert part is not None
            picture[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]] = part
        writer.write(camera._camera(np.asarray(picture, np.uint8), view.time_s))
    writer.close()
    (out / "lens.json").write_text(json.dumps(table.lens.to_json()), encoding="utf-8")
    (out / "truth.json").write_text(json.dumps(table.truth()), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.traced", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="folder for the film and the truth")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shots", type=int, default=8)
    parser.add_argument("--light", choices=LIGHTS, default="window")
    parser.add_argument("--tier", default="standard", help="shutter, noise and tilt as in this tier")
    parser.add_argument("--random-board", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--blender-python", default=sys.executable, help="an interpreter that has Blender's bpy")
    parser.add_argument("--keep", action="store_true", help="keep what was traced")
    told = parser.parse_args()
    film(told.out, seed=told.seed, shots=told.shots, light=told.light, random_board=told.random_board,
         tier=told.tier, threads=told.threads, python=told.blender_python)  # fmt: skip
    if not told.keep:
        shutil.rmtree(told.out / ".traced")


if __name__ == "__main__":
    main()
