"""What every shot of a truth has to hold to, so that whoever reads it finds what it looks for."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.atomic import atomic_text
from vision.film_file import RecordError

Json = Mapping[str, Any]


def named_in(shot: Json) -> set[str]:
    """Every puck that a shot of a truth tells something of."""
    touched = {c[end] for c in shot["contacts"] for end in ("a", "b")}
    did = {e["puck"] for of in ("crossings", "exits", "gate_passed") for e in shot[of]}
    return {shot["puck"], *touched, *did, *shot["on_gate"]}


def faults(shot: Json) -> list[str]:
    """What is wrong with a shot of a truth; nothing where it can be read."""
    start, end, gone = shot["start"], shot["end"], {e["puck"] for e in shot["exits"]}
    passed, on_gate = {e["puck"] for e in shot["gate_passed"]}, set(shot["on_gate"])
    found = [f"nobody knows where {p} lay before it" for p in sorted((named_in(shot) | end.keys()) - start.keys())]
    found += [f"{p} left the board, and lies on it after" for p in sorted(gone & (end.keys() | on_gate))]
    found += [f"{p} lies on the gate, and slid over it" for p in sorted(passed & on_gate)]
    found += [f"{c['a']} touched itself" for c in shot["contacts"] if c["a"] == c["b"]]
    found += [f"{p} lies nowhere" for places in (start, end) for p, place in places.items() if not _finite(place)]
    return found


def put_truth(path: Path, truth: Json, named: Path | None = None) -> None:
    """Writes a truth, whole or not at all; named: where it will be found, if elsewhere.

    Raises RecordError where a shot in it could not be read.
    """
    for shot in truth["shots"]:
        found = faults(shot) + [f"{p} is unknown" for p in sorted(shot["start"].keys() - truth["pucks"].keys())]
        if found:
            where = f"shot {shot['shot']} at {shot['t_start']:.1f} s"
            raise RecordError(
                f"{named or path}: not written; {where}: {'; '.join(found)}; tell it again, or answer ? there"
            )
    with atomic_text(path) as file:
        json.dump(truth, file, ensure_ascii=False, allow_nan=False)


def _finite(place: tuple[float, float]) -> bool:
    return len(place) == 2 and all(math.isfinite(v) for v in place)
