"""QR codes as rows of modules, which a page draws as one path."""

from __future__ import annotations

import io

import segno

LEVEL = "m"  # 15 % of a code may be hidden: a finger on the printout, a reflection on the screen


def modules(text: str) -> list[str]:
    """One text a row, 1 for a dark module, without the quiet zone: four modules on each side are left to the page."""
    code = segno.make(text, error=LEVEL, micro=False)
    return ["".join("1" if dark else "0" for dark in row) for row in code.matrix]


def terminal(text: str) -> str:
    """A code for a terminal, two rows of modules a line."""
    out = io.StringIO()
    segno.make(text, error=LEVEL, micro=False).terminal(out, compact=True)
    return out.getvalue()
