"""The help of a command in the language of whoever asks."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand

LANGUAGE_OPTIONS = ("--language", "--langue")
TOLD = "paleo.language"  # where a context keeps what the command line says of it


class InBothLanguages(TyperCommand):
    """A command whose help is French where the machine is, or where --language says so; its texts are terminal.json."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keeps the language for the help, which is shown before any other option is looked at."""
        ctx.meta[TOLD] = told_language(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from typer import rich_utils  # brings all of rich along

        from companion.play_words import terminal_texts
        from companion.words import LANGUAGES, language_of

        told = ctx.meta.get(TOLD)
        language = told if told in LANGUAGES else language_of(os.environ)
        if language == LANGUAGES[0]:
            super().format_help(ctx, formatter)
            return
        texts = {key: text[language] for key, text in terminal_texts().items()}
        shown = copy.copy(self)
        shown.help = texts["help"]
        params = [copy.copy(param) for param in self.get_params(ctx)]
        for param in params:
            param.help = texts[f"help.{param.name}"]  # type: ignore[attr-defined]
        shown.get_params = lambda ctx: params  # type: ignore[method-assign]
        rich_utils.DEFAULT_STRING = texts["help.default"]
        rich_utils.REQUIRED_LONG_STRING = texts["help.required"]
        rich_utils.rich_format_help(obj=shown, ctx=ctx, markup_mode="rich")


def told_language(words: Sequence[str]) -> str | None:
    """What the words of a command line say of the language; None where they say nothing."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in LANGUAGE_OPTIONS:
            return value if equals else following
    return None
