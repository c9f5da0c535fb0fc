"""The film of a match, kept while it is played: `paleo run --record`; and what its players say of the shots."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from companion.config import CompanionConfig
from companion.journal import Entry
from companion.recorded import BY_HAND, KEPT, SAID, about_camera, begin, new_name
from vision.film_file import need_pyav


class MatchFilm:
    """A recording that begins now, in a folder of its own. Raises RecordError where it cannot be made."""

    def __init__(self, config: CompanionConfig) -> None:
        assert config.record is not None
        need_pyav()
        self.folder = new_name(config.record, datetime.now())
        about = about_camera(config.camera, config.resolution)
        begin(self.folder, about, config.board_path, config.lens_path, config.calibration_path)

    def note(self, entries: Iterable[Entry], time_s: float) -> None:
        """Takes down what belongs to shots, of what was just journalled: neither names nor other games.

        time_s: of the newest picture that was seen, by the source's clock; a shot told by hand has no other time.
        """
        lines = [json.dumps({"id": e.id, "type": e.type, "data": _nameless(e.data),
                             **({"t": time_s} if e.type == BY_HAND else {})}, ensure_ascii=False)
                 for e in entries if e.type in KEPT]  # fmt: skip
        if not lines:
            return
        try:
            with (self.folder / SAID).open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
        except OSError:  # as with films: a full disk costs the notes, never the score
            return


def _nameless(data: dict[str, object]) -> dict[str, object]:
    """An entry without who said it."""
    return {key: value for key, value in data.items() if key not in ("by", "seat")}
