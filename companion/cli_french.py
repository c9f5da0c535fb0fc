"""The help of a command, and what is wrong with a command line, in the language of whoever asks."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

LANGUAGE_OPTIONS = ("--language", "--langue")
TOLD = "paleo.language"  # where a context keeps what the command line says of it
VALUE = re.compile(r"\\\{(\w+)\\\}")  # a value's place in a sentence, as re.escape() writes it
HELPS = ("help", "epilog", "rich_help_panel")  # what is read in the help of a command or a parameter
NESTED = "why"  # a value that is a sentence of its own
Function = TypeVar("Function", bound=Callable[..., Any])
UsageError: Any = typer.BadParameter.__base__  # its module is another one from version to version


def help_of(kind: type[TyperCommand | TyperGroup]) -> Any:
    """The method that shows a command's help, or a group's: in French where that is spoken, else as its kind does."""

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        if not _show_french_help(self, ctx):
            kind.format_help(self, ctx, formatter)

    return format_help


class InBothLanguages(TyperCommand):
    """A command whose help is French where the machine is, or where --language says so; its texts are help.json."""

    format_help = help_of(TyperCommand)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keeps the language for the help, which is shown before any other option is looked at."""
        ctx.meta[TOLD] = told_language(args)
        return super().parse_args(ctx, args)


class GroupInBothLanguages(TyperGroup):
    """Commands that are listed in French where the machine is."""

    format_help = help_of(TyperGroup)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keeps the language for the help, as a command does."""
        ctx.meta[TOLD] = told_language(args) or ctx.meta.get(TOLD)
        return super().parse_args(ctx, args)


class Commands(typer.Typer):
    """A program's commands, or a group of them, all with their help in both languages."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"cls": GroupInBothLanguages, **settings})

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        register = super().command(name, cls=InBothLanguages, **settings)
        return lambda function: register(left_to_who_reads(function))


def left_to_who_reads(function: Function) -> Function:
    """A command of which whoever opens its files says whether they may be read, in one line and with exit code 1.

    Looked at before, a file that may not be was a wrong command line; and so was one that is only to be written.
    """
    function.__annotations__ = get_type_hints(function, include_extras=True)  # as text they were read again each time
    for hint in function.__annotations__.values():
        for parameter in getattr(hint, "__metadata__", ()):
            parameter.readable = False
    return function


class RefusedInBothLanguages(GroupInBothLanguages):
    """All commands: what is wrong with a command line is French where the machine is, or where --language says so."""

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Keeps the language, as the words that say it are used up when the commands are called."""
        told = told_language(args)
        with _refusing(told):
            ctx = super().make_context(info_name, args, parent, **extra)
        ctx.meta[TOLD] = told
        return ctx

    def invoke(self, ctx: Any) -> Any:
        """Runs the command. Raises UsageError in the language that is spoken."""
        with _refusing(ctx.meta.get(TOLD)):
            return super().invoke(ctx)


def _show_french_help(command: Any, ctx: Any) -> bool:
    """Shows the help of a command or a group in French; False where it is not French that is spoken."""
    from typer import rich_utils  # brings all of rich along

    from companion.play_words import terminal_texts
    from companion.words import LANGUAGES

    language = _spoken(ctx.meta.get(TOLD))
    if language == LANGUAGES[0]:
        return False
    shown = _in_french(command)
    params = [_in_french(param) for param in command.get_params(ctx)]
    shown.get_params = lambda ctx: params
    if isinstance(command, TyperGroup):
        shown.get_command = lambda ctx, name: _in_french(command.get_command(ctx, name))
    rich_utils.DEFAULT_STRING = terminal_texts()["help.default"][language]
    rich_utils.REQUIRED_LONG_STRING = terminal_texts()["help.required"][language]
    rich_utils.COMMANDS_PANEL_TITLE = terminal_texts()["help.commands"][language]
    rich_utils.rich_format_help(obj=shown, ctx=ctx, markup_mode="rich")
    return True


def _in_french(one: Any) -> Any:
    """A command or parameter with what its help says in French, where there is French for it."""
    from companion.words import typeset

    shown = copy.copy(one)
    for name in HELPS:
        if english := getattr(one, name, None):
            setattr(shown, name, typeset(help_in_french().get(english, english)))
    return shown


@cache
def help_in_french() -> dict[str, str]:
    """What help says, in English, and the same in French."""
    from companion.words import kept

    texts: dict[str, str] = kept("help.json")
    return texts


@contextmanager
def _refusing(told: str | None) -> Iterator[None]:
    """What a command line is refused for is told in the language that is spoken. Raises UsageError."""
    try:
        yield
    except UsageError as error:
        from companion.words import LANGUAGES  # not before: it takes a while

        french = usage_in_french(error.format_message()) if _spoken(told) != LANGUAGES[0] else None
        if french is None:
            raise
        from typer import rich_utils

        from companion.play_words import terminal_texts

        rich_utils.RICH_HELP = terminal_texts()["usage.help"]["fr"]
        rich_utils.ERRORS_PANEL_TITLE = terminal_texts()["usage.error"]["fr"]
        raise UsageError(french, error.ctx) from None


def usage_in_french(told: str) -> str | None:
    """What is wrong with a command line, in French; None where there is none for it."""
    from companion.words import typeset

    for pattern, french in _usage():
        if found := pattern.fullmatch(told):
            values = found.groupdict()
            if NESTED in values:
                values[NESTED] = usage_in_french(values[NESTED]) or values[NESTED]
            return typeset(french.format(**values))
    return None


@cache
def _usage() -> list[tuple[re.Pattern[str], str]]:
    """Sentences of a refused command line, with their values' places named, and the same in French."""
    from companion.words import kept

    return [
        (re.compile(VALUE.sub(r"(?P<\1>.+)", re.escape(english)), re.DOTALL), french)
        for english, french in kept("usage.json").items()
    ]


def error_told(error: BaseException, words: Sequence[str]) -> str:
    """What a command ends with, in one language: the one that its command line names, or the machine's."""
    return str(error) if not _is_french(words) else _troubles().error_in_french(error)


def line_told(told: str, words: Sequence[str]) -> str:
    """A line that a command says beside its work, in the language of error_told()."""
    return told if not _is_french(words) else _troubles().line_in_french(told)


def lines_told(told: str, words: Sequence[str]) -> str:
    """What a command prints when all is well, in that language."""
    return told if not _is_french(words) else str(_troubles().lines_in_french(told))


def warning_told(warning: str, words: Sequence[str]) -> str:
    """A warning of a command, in that language."""
    return f"{'attention :' if _is_french(words) else 'warning:'} {line_told(warning, words)}"


def _is_french(words: Sequence[str]) -> bool:
    return _spoken(told_language(words)) == "fr"


def _troubles() -> Any:
    from companion import troubles  # not before something went wrong: it takes a while

    return troubles


def _spoken(told: str | None) -> str:
    """The language told, where it is one of ours; else the machine's."""
    from companion.words import LANGUAGES, language_of

    return told if told in LANGUAGES else language_of(os.environ)


def told_language(words: Sequence[str]) -> str | None:
    """What the words of a command line say of the language; None where they say nothing."""
    for n, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in LANGUAGE_OPTIONS:
            return value if equals else next(iter(words[n + 1 :]), "")
    return None
