"""Draws docs/wiring.svg: what is wired to which pin. Run: python -m docs.draw_wiring"""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.inputs import WIRED, Input

OUT = Path(__file__).resolve().parent / "wiring.svg"
WIDTH, ROW, TOP = 900, 44, 130
BOARD_X, BOARD_W, PART_X = 60, 190, 470
KNOCK_H = 170
LED = "220 Ω to LED to GND"
OUTPUTS = (("D10", "LED of the first side", LED), ("D11", "LED of the second side", LED))
PARTS = {
    "beam": "break-beam receiver: white to the pin, black GND, red 5 V; its emitter: 5 V and GND",
    "gate": "reflective sensor with comparator (TCRT5000 module): its DO to the pin, 5 V, GND",
    "knock": "piezo disc and peak holder, drawn below",
    "button": "push button to GND; the chip pulls the pin up",
}
COLOURS = {"beam": "#c8342a", "gate": "#2f6f8f", "knock": "#8f6f2f", "button": "#2f8f4e", "light": "#7a4fa0"}


def name_of(wired: Input) -> str:
    """An input as the drawing calls it."""
    if wired.door is None:
        return {"gate": "gate", "knock": "knock", "button": "turn button"}[wired.kind]
    return f"door {wired.door + 1}, {wired.side} beam"


def rows() -> list[tuple[str, str, str, str]]:
    """(pin, name, part, kind) of everything that is wired."""
    inputs = [(w.pin, name_of(w), PARTS[w.kind], w.kind) for w in WIRED]
    return inputs + [(pin, name, part, "light") for pin, name, part in OUTPUTS]


def drawing() -> str:
    """The whole SVG."""
    lines = rows()
    height = TOP + ROW * len(lines) + KNOCK_H + 90
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        'font-size="14" role="img" aria-labelledby="title">',
        '<title id="title">Wiring of the sensor board</title>',
        f'<rect width="{WIDTH}" height="{height}" fill="#fbfaf6"/>',
        f'<text x="{BOARD_X}" y="40" font-size="22" font-weight="bold">Wiring of the sensor board</text>',
        f'<text x="{BOARD_X}" y="66" fill="#555">Arduino Nano or Uno (ATmega328P). All grounds joined; 5 V from its '
        "5V pin; USB feeds everything.</text>",
        f'<rect x="{BOARD_X}" y="{TOP - 30}" width="{BOARD_W}" height="{ROW * len(lines) + 50}" rx="10" '
        'fill="#1d5e63"/>',
        f'<text x="{BOARD_X + 16}" y="{TOP - 6}" fill="#fff" font-weight="bold">Nano / Uno</text>',
    ]
    for i, row in enumerate(lines):
        out += draw_row(TOP + 22 + i * ROW, *row)
    out += draw_knock(TOP + ROW * len(lines) + 60)
    out += [
        f'<text x="{BOARD_X}" y="{height - 30}" fill="#555">Beams: emitters of the outer and the inner beam on '
        "opposite sides of the doorway, so that neither lights the other's receiver.</text>",
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def draw_row(y: float, pin: str, name: str, part: str, kind: str) -> list[str]:
    """A pin, its wire and what hangs on it."""
    right, colour = BOARD_X + BOARD_W, COLOURS[kind]
    return [
        f'<circle cx="{right - 14}" cy="{y}" r="6" fill="#e8c55a"/>',
        f'<text x="{right - 30}" y="{y + 5}" fill="#fff" text-anchor="end">{pin}</text>',
        f'<path d="M {right - 8} {y} H {PART_X - 20}" stroke="{colour}" stroke-width="3" fill="none"/>',
        f'<rect x="{PART_X - 20}" y="{y - 18}" width="{WIDTH - PART_X - 10}" height="36" rx="6" fill="#fff" '
        f'stroke="{colour}"/>',
        f'<text x="{PART_X - 10}" y="{y - 2}" font-weight="bold">{name}</text>',
        f'<text x="{PART_X - 10}" y="{y + 13}" font-size="9.5" fill="#444">{part}</text>',
    ]


def draw_knock(top: float) -> list[str]:
    """The knock sensor's circuit: the piezo charges the capacitor through the diode, the resistor empties it."""
    ink = f'stroke="{COLOURS["knock"]}" stroke-width="2.5" fill="none"'
    live, ground, piezo, node = top + 50, top + 130, BOARD_X + 50, BOARD_X + 260
    out = [
        f'<text x="{BOARD_X}" y="{top + 8}" font-weight="bold">The knock sensor\'s circuit</text>',
        f'<circle cx="{piezo}" cy="{(live + ground) / 2}" r="20" {ink}/>',
        f'<circle cx="{piezo}" cy="{(live + ground) / 2}" r="12" {ink}/>',
        f'<text x="{piezo - 28}" y="{(live + ground) / 2 + 5}" text-anchor="end" font-size="12">piezo</text>',
        f'<path d="M {piezo} {live + 20} V {live} H {node - 130} M {piezo} {ground - 20} V {ground}" {ink}/>',
        # the diode: its ring towards the pin
        f'<path d="M {node - 130} {live - 10} l 20 10 l -20 10 z M {node - 110} {live - 10} v 20" {ink}/>',
        f'<text x="{node - 120}" y="{live - 18}" text-anchor="middle" font-size="12">1N5819, ring to A1</text>',
        f'<path d="M {node - 110} {live} H {node + 330} M {piezo} {ground} H {node + 330}" {ink}/>',
        f'<text x="{node + 342}" y="{live + 5}">pin A1</text><text x="{node + 342}" y="{ground + 5}">GND</text>',
    ]
    middle = (live + ground) / 2
    for x, name, symbol in (
        (node, "22 nF", f"M {node - 12} {middle - 4} h 24 M {node - 12} {middle + 4} h 24"),
        (node + 110, "1 MΩ", f"M {node + 103} {middle - 16} h 14 v 32 h -14 z"),
        (node + 220, "Zener 5.1 V, ring to A1",
         f"M {node + 210} {middle + 10} l 10 -20 l 10 20 z M {node + 206} {middle - 6} l 4 -4 h 20 l 4 -4"),
    ):  # fmt: skip
        half = {"22 nF": 4, "1 MΩ": 16}.get(name, 10)
        out += [
            f'<path d="M {x} {live} V {middle - half} M {x} {middle + half} V {ground} {symbol}" {ink}/>',
            f'<circle cx="{x}" cy="{live}" r="4" fill="{COLOURS["knock"]}"/>',
            f'<circle cx="{x}" cy="{ground}" r="4" fill="{COLOURS["knock"]}"/>',
            f'<text x="{x + 20}" y="{middle + 5}" font-size="12">{name}</text>',
        ]
    return out


if __name__ == "__main__":
    OUT.write_text(drawing(), encoding="utf-8")
