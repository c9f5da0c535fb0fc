"""`paleo label`: from a recording's folder to its truth, by the players' word."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from companion.atomic import writing
from companion.explain_words import drawn_in
from companion.label import Ask, Conversation, Paused
from companion.label_answers import Answers, Item, decided
from companion.label_by_hand import shots_by_hand, take_by_hand
from companion.label_facts import facts_seen, names_of
from companion.label_passages import Span, passages
from companion.label_renewed import building, passage, put_passages, settle_passages
from companion.label_seen import Seen, look
from companion.label_sound import put_truth
from companion.label_truth import truth_of
from companion.label_verdicts import take_verdicts
from companion.label_words import Said
from companion.recorded import BOARD, CLIP, LENS, TRUTH, finish
from companion.tracking import Progress
from vision.film_file import RecordError, copy_film, key_frames, rate

SHOW_EVERY = 30  # pictures between two showings of progress


def label(folder: Path, language: str, ask: Ask, again: int | None = None) -> str:
    """Asks what is not known yet, and writes the truth once it is; gives the last sentence.

    Raises RecordError, OutputError, BoardNotSeen and what tracking may raise.
    """
    said = Said(language)
    finish(folder)
    settle_passages(folder)
    seen = look(folder, _progress(said), partial(drawn_in, language))
    names, answers = names_of(seen), Answers(folder)
    take_verdicts(folder, seen, names, answers)
    by_hand = shots_by_hand(folder, seen)
    take_by_hand(by_hand, seen, names, answers)
    print(said("hello", shots=said.shots(len(seen.shots)), seconds=seen.seconds), flush=True)
    try:
        Conversation(folder, seen, answers, said, ask, by_hand).run(again)
    except (Paused, KeyboardInterrupt):
        return said("paused", folder=shlex.quote(str(folder)))
    return _write(folder, seen, answers, said)


def _write(folder: Path, seen: Seen, answers: Answers, said: Said) -> str:
    every = answers.about(Item("all", seen.seconds))
    if every is None or every["said"] != "right":
        _forget(folder)
        return said("open", folder=shlex.quote(str(folder)))
    names = names_of(seen)
    spans = passages(seen, answers, key_frames(folder / CLIP))
    if not spans or not (folder / LENS).exists():  # without any shot the lens was never told either
        none = not seen.shots and not answers.missed()
        _forget(folder)
        return said("no shot" if none else "nothing", folder=folder)
    whole = spans == [Span(0, seen.frames - 1)]
    try:
        _renew(folder, seen, answers, [] if whole else spans)
    except RecordError:  # by what players say today the one from before does not hold
        _forget(folder)
        raise
    kept = [(shot, facts) for shot, t, facts in decided(seen, answers)
            if facts is not None and any(span.holds(t, seen.fps) for span in spans)]  # fmt: skip
    right = sum(shot is not None and facts_seen(shot, names) == facts for shot, facts in kept)
    files = str(folder / TRUTH) if whole else ", ".join(str(folder / passage(n)) for n in range(1, len(spans) + 1))
    done = said("done", folder=folder, shots=said.shots(len(kept)), files=files, right=right)
    return done if whole else f"{done} {said('cut')}"


def _renew(folder: Path, seen: Seen, answers: Answers, cut: Sequence[Span]) -> None:
    """Writes the truth, that of the whole film where it is not cut; the one from before goes when it is written."""
    if not cut:
        put_truth(folder / TRUTH, truth_of(seen, names_of(seen), answers))
        put_passages(folder, 0)
        return
    with building(folder) as new:
        for n, span in enumerate(cut, 1):
            _cut(folder, new / passage(n), seen, answers, span)
    put_passages(folder, len(cut))


def _cut(folder: Path, out: Path, seen: Seen, answers: Answers, span: Span) -> None:
    """Writes a part of a recording as a recording of its own."""
    with writing(out):
        out.mkdir()
        for name in (BOARD, LENS):
            shutil.copyfile(folder / name, out / name)
    copy_film([(folder / CLIP, None)], out / CLIP, rate(seen.fps), span.first, span.last)
    truth = truth_of(seen, names_of(seen), answers, span.first, span.last)
    put_truth(out / TRUTH, truth, named=folder / out.name / TRUTH)


def _forget(folder: Path) -> None:
    """Removes the truth that was written from earlier answers: by those of today there is none."""
    with writing(folder):
        (folder / TRUTH).unlink(missing_ok=True)
    put_passages(folder, 0)


def _progress(said: Said) -> Progress:
    def show(done: int, total: int | None) -> None:
        if sys.stderr.isatty() and done % SHOW_EVERY == 0:
            sys.stderr.write("\r" + said("progress", done=done, total=total or "?") + "\033[K")
            sys.stderr.flush()

    return show
