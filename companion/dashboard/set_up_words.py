"""The words of the pages /boards and /calibration, from one catalogue of both languages."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources


@cache
def set_up_words() -> dict[str, dict[str, str]]:
    """All words: key -> language -> text."""
    path = resources.files("companion.dashboard") / "translations" / "set_up.json"
    words: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return words


def words_in(lang: str) -> dict[str, str]:
    """The words in one language."""
    return {key: word[lang] for key, word in set_up_words().items()}
