"""Boards that somebody might have made at home, as text of a board file: other sizes, pucks, colours and things."""

from __future__ import annotations

import math
import random

COLOURS = {"red": "#c8342a", "green": "#2f8f4e", "blue": "#2c58b8", "yellow": "#e0b020",
           "white": "#ece8dc", "black": "#26282c", "orange": "#dd7420", "purple": "#7a3f9d", "pink": "#d9628f",
           "teal": "#1f8f8f"}  # fmt: skip
PALE = ("white", "yellow", "pink")
DARK, LIGHT = "#1d1f22", "#f5f1e6"


def random_board_text(seed: int) -> str:
    """The text of a valid board file, drawn by seed."""
    rng = random.Random(f"board {seed}")
    w = float(rng.choice((560, 600, 650, 700, 760)))
    h = w if rng.random() < 0.6 else float(rng.choice((500, 540, 600)))
    diameter, height = float(rng.choice((22, 24, 26, 28, 30))), float(rng.choice((6, 7, 8, 9)))
    rim_width, rim_height = float(rng.choice((38, 40, 44, 48))), float(rng.choice((10, 12, 14)))
    numbered = rng.random() < 0.8
    first, second = rng.sample(sorted(COLOURS), 2)
    parts = [f'format = 1\nname = "Home board {seed}"\nsize = [{w}, {h}]\n',
             f"[rim]\nwidth = {rim_width}\nheight = {rim_height}\n",
             f"[puck]\ndiameter = {diameter}\nheight = {height}\n"]  # fmt: skip
    if rng.random() < 0.8:
        parts.append(f"[reef]\nlength = {rng.choice((36.0, 42.0, 48.0))}\nwidth = 12.0\nheight = 14.0\n")
    ring = diameter * 2.05
    for name, x, reef in ((first, ring + diameter * 1.3, "#e8e4da"), (second, w - ring - diameter * 1.3, "#23262a")):
        parts.append(_team(name, x, h / 2, ring, reef, numbered))
        camp = ring + diameter * 0.95
        parts.append(_zone(f"{name} base camp", "base_camp", name, f"circle = [{x:.1f}, {h / 2:.1f}, {camp:.1f}]"))
    gate = rng.random() < 0.75
    parts.append(_zone("middle island", "island", None, f"circle = [{w / 2:.1f}, {h / 2:.1f}, {diameter * 2.6:.1f}]"))
    for index, (name, x0) in enumerate(((first, 0.0), (second, w))):
        for side, y0 in (("north", 0.0), ("south", h)):
            parts += _sanctuary(name, side, x0, y0, diameter, index)
    if gate:
        parts.append(
            f'[[gate]]\nname = "middle"\ncircle = [{w / 2:.1f}, {h / 2:.1f}, {diameter * rng.uniform(0.9, 1.1):.1f}]\n'
        )
    size, centre = rim_width * 0.76, rim_width / 2
    places = ((-centre, -centre), (w + centre, -centre), (w + centre, h + centre), (-centre, h + centre))
    for i, (x, y) in enumerate(places):
        parts.append(
            f'[[marker]]\ndictionary = "DICT_4X4_50"\nid = {i}\nsize = {size:.1f}\n'
            f"centre = [{x:.1f}, {y:.1f}]\nz = {rim_height}\n"
        )
    return "\n".join(parts)


def _team(name: str, x: float, y: float, ring: float, reef: str, numbered: bool) -> str:
    circles = [(x, y)] + [
        (x + ring * math.cos(2 * math.pi * i / 7), y + ring * math.sin(2 * math.pi * i / 7)) for i in range(7)
    ]
    shown = ", ".join(f"[{cx:.1f}, {cy:.1f}]" for cx, cy in circles)
    roles = ("[1, 2, 8]", "[3, 4, 5, 6, 7]") if numbered else ("[]", "[]")
    digit = DARK if name in PALE else LIGHT
    return (f'[[team]]\nname = "{name}"\ncolour = "{COLOURS[name]}"\ndigit_colour = "{digit}"\n'
            f"mercenaries = {roles[0]}\n"
            f'explorers = {roles[1]}\nstart_circles = [{shown}]\nreef_colour = "{reef}"\n')  # fmt: skip


def _zone(name: str, kind: str, team: str | None, shape: str) -> str:
    owner = f'team = "{team}"\n' if team else ""
    return f'[[zone]]\nname = "{name}"\nkind = "{kind}"\n{owner}{shape}\n'


def _sanctuary(team: str, side: str, x0: float, y0: float, diameter: float, index: int) -> list[str]:
    """A corner cut off by a slanting door between two facades."""
    name = f"{team}-{side}-{'west' if index == 0 else 'east'}"
    sx, sy = (1 if x0 == 0 else -1), (1 if y0 == 0 else -1)
    far, near, wall = round(diameter * 3.7), round(diameter * 2.3), 5.0

    def at(x: float, y: float) -> str:
        return f"[{x0 + sx * x:.1f}, {y0 + sy * y:.1f}]"

    def shape(*points: tuple[float, float]) -> str:
        return "[" + ", ".join(at(*p) for p in points) + "]"

    corner = shape((0, 0), (far, 0), (far, near), (near, far), (0, far))
    facade = f'[[obstacle]]\nkind = "facade"\nteam = "{team}"\nheight = 24.0\npolygon = '
    return [
        _zone(f"{name} sanctuary", "sanctuary", team, f"polygon = {corner}"),
        f'[[door]]\nname = "{name}"\nteam = "{team}"\n'
        f"line = [{at(far, near)}, {at(near, far)}]\ninside = {at(near / 2, near / 2)}\n",
        facade + shape((far - wall, 0), (far, 0), (far, near), (far - wall, near)) + "\n",
        facade + shape((0, far - wall), (near, far - wall), (near, far), (0, far)) + "\n",
    ]
