"""What a page was made for: it is loaded anew where the companion comes back with another board, journal or version."""

from __future__ import annotations

import hashlib
import json

from companion.dashboard.geometry import board_json
from companion.dashboard.protocol import CompanionLike

MARK_CONFIG = "PALEO_TABLE_MARK"  # where the application keeps it
MARK_HEADER = "X-Paleo-Table"  # of the live stream's answer
MARK_DIGITS = 16


def table_mark(companion: CompanionLike, version: str) -> str:
    """The same after a restart, as long as board, journal and version are the same: by the journal's first entry one is
    told from another. Empty where that has none yet. Raises JournalError."""
    first = [(entry.type, entry.time) for entry in companion.entries_after(0, 1)]
    if not first:
        return ""
    made_for = json.dumps([version, board_json(companion.board), first])
    return hashlib.sha256(made_for.encode()).hexdigest()[:MARK_DIGITS]
