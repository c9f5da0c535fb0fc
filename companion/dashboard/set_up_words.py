"""The words of the pages /boards and /calibration, from one catalogue of both languages."""

from __future__ import annotations

from functools import cache

from companion.words import kept


@cache
def set_up_words() -> dict[str, dict[str, str]]:
    """All words: key -> language -> text."""
    words: dict[str, dict[str, str]] = kept("set_up.json")
    return words


def words_in(lang: str) -> dict[str, str]:
    """The words in one language."""
    return {key: word[lang] for key, word in set_up_words().items()}
