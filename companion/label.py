"""`paleo label`: players say, shot by shot, what truly happened in a recording; their word makes its truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from calibration.board import Team
from companion.label_answers import SAME_S, Answers, Item
from companion.label_by_hand import ByHand
from companion.label_facts import (
    Facts,
    NotUnderstood,
    facts_seen,
    names_of,
    read_doors,
    read_pairs,
    read_puck,
    read_pucks,
    without,
)
from companion.label_passages import nameless, numbers_beside
from companion.label_seen import HANDS, Seen, SeenShot, picture_of
from companion.label_sense import Sense
from companion.label_verdicts import with_unasked
from companion.label_words import Said
from vision.film_file import RecordError

YES = ("y", "yes", "o", "oui")
NO = ("n", "no", "non")
UNKNOWN = "?"
Json = dict[str, Any]
Ask = Callable[[str], str | None]  # shows a question, gives the answer's line; None where there are no more


class Paused(Exception):
    """There are no more answers for now."""


class Back(Exception):
    """The question before is to be asked again."""


def items_of(seen: Seen, by_hand: Iterable[ByHand] = ()) -> list[Item]:
    """Everything that is asked about a film, in order; of what was told by hand before the shots that came after it."""
    found = [Item("reefs", 0.0)] if reefs_before(seen) else []
    since = 0.0
    for shot in seen.shots:
        if deeds(seen, since, shot.t):
            found.append(Item("hands", shot.t, shot.number))
        found.append(Item("shot", shot.t, shot.number))
        since = shot.t
    if deeds(seen, since, seen.seconds + 1):
        found.append(Item("hands", seen.seconds, 0))
    found.append(Item("all", seen.seconds))
    for one in by_hand:
        at = next((n for n, item in enumerate(found) if item.t > one.since), len(found) - 1)
        found.insert(at, Item("by_hand", one.t))
    return found


def deeds(seen: Seen, after_s: float, before_s: float) -> list[Json]:
    """What hands did, and knocks of the camera, in a span of time."""
    return sorted([*seen.hands(after_s, before_s), *seen.knocks(after_s, before_s)], key=lambda e: float(e["t"]))


def reefs_before(seen: Seen) -> list[Json]:
    """The reefs as they lay before the first shot."""
    first = min((s.t for s in seen.shots), default=seen.seconds)
    told = [e for e in seen.between if e["type"] == "reefs_seen" and e["t"] <= first]
    return list(told[-1]["reefs"]) if told else []


class Conversation:
    """Asks what was not answered yet. by_hand: what was told by hand in the match."""

    def __init__(
        self, folder: Path, seen: Seen, answers: Answers, said: Said, ask: Ask, by_hand: Sequence[ByHand] = ()
    ) -> None:
        self._folder, self._seen, self._answers, self._said, self._ask_line = folder, seen, answers, said, ask
        self._sense = Sense(said)
        self.names = names_of(seen)
        self._shots = {s.number: s for s in seen.shots}
        self._by_hand = {one.t: one for one in by_hand}

    def run(self, again: int | None = None) -> None:
        """Asks until all is answered. Raises Paused where there are no more lines, RecordError for an unknown shot."""
        items = items_of(self._seen, self._by_hand.values())
        if again is not None and again not in self._shots:
            raise RecordError(f"{self._folder}: shot {again}: expected 1 to {len(self._shots)}")
        at, back = 0, False
        while at < len(items):
            item = items[at]
            wanted = item.about == "shot" and item.number == again
            if self._answers.about(item) is not None and not back and not wanted:
                at += 1
                continue
            try:
                self._ask(item)
                back, again = False, None if wanted else again
                at += 1
            except Back:
                back, at = True, max(0, at - 1)

    def _ask(self, item: Item) -> None:
        asking = {"shot": self._ask_shot, "by_hand": self._ask_by_hand, "hands": self._ask_hands,
                  "reefs": self._ask_reefs, "all": self._ask_all}  # fmt: skip
        asking[item.about](item)

    def _ask_shot(self, item: Item) -> None:
        shot = self._shots[item.number]
        facts = facts_seen(shot, self.names)
        picture, time = picture_of(self._folder, shot.number), self._said.time(shot.t)
        head = [self._said("shot", n=item.number, total=len(self._shots), time=time, picture=picture),
                f"  {self._said.shot(facts)}"]  # fmt: skip
        if shot.end["needs_review"]:
            head.append(self._said("unsure", reasons=self._said.reasons(shot.end["reasons"], self.names)))
        while True:
            word = self._word("\n".join([*head, self._said("right?")]), (*YES, *NO, "x", "m", UNKNOWN))
            with suppress(Back):  # then the shot is asked about anew
                if word == "m":
                    self._ask_missed(before=shot)
                    continue
                if word in (*YES, *NO):
                    told = facts if word in YES else self._tell(facts, self._here(shot))
                    self._ask_numbers(told)
                    self._answers.add("shot", item.t, "right" if told == facts else "otherwise", facts=told.to_json())
                else:
                    self._answers.add("shot", item.t, "no shot" if word == "x" else "unknown")
                return

    def _ask_by_hand(self, item: Item) -> None:
        """Asks when a shot was played that was told in the match, and what the match did not ask about it."""
        one = self._by_hand[item.t]
        meanwhile = [self._said("meanwhile", n=s.number, time=self._said.time(s.t))
                     for s in self._seen.shots if one.fits(s)]  # fmt: skip
        question = "\n".join([self._said("by hand", time=self._said.time(one.t), shot=self._said.shot(one.facts)),
                              *meanwhile, self._said("by hand?")])  # fmt: skip
        while True:
            word = self._line(question).strip().lower()
            if word == "b":
                raise Back
            if word in ("x", UNKNOWN):
                self._answers.add("by_hand", one.t, "no shot" if word == "x" else "unknown", since=one.since)
                return
            try:
                t = _second(word, one.t)
            except NotUnderstood as error:
                self._show(self._said("not understood", found=error))
                continue
            with suppress(Back):  # then it is asked anew when it was
                self._tell_by_hand(one, t)
                return

    def _tell_by_hand(self, one: ByHand, t: float) -> None:
        """Takes a shot that was told by hand as that which was seen at a moment, or as one that was missed then."""
        shot = next((s for s in self._seen.shots if s.t - SAME_S <= t <= s.t_rest), None)
        here = self._here(shot) if shot is not None else sorted(set(self.names.values()))
        known = one.facts if one.facts.named() <= set(here) else None
        if shot is not None and known is not None:
            known = with_unasked(known, facts_seen(shot, self.names))
        told = self._tell(known, here)
        self._ask_numbers(told)
        if shot is None:
            self._answers.add("by_hand", one.t, "missed", played=round(t, 4), facts=told.to_json())
            return
        right = told == facts_seen(shot, self.names)
        self._answers.add("shot", shot.t, "right" if right else "otherwise", facts=told.to_json())
        self._answers.add("by_hand", one.t, "seen")

    def _ask_numbers(self, facts: Facts) -> None:
        """Asks for the numbers of pucks that the shot names, and whose number the camera never read."""
        for name in sorted(facts.named()):
            if not nameless(self._seen, name, self._answers):
                continue
            team = self._seen.board.team(name.rpartition("-")[0])
            question = self._said("number?", puck=self._said.puck(name), numbers=", ".join(map(str, team.numbers)))
            borne = numbers_beside(self._seen, self.names, name, self._answers)
            self._answers.number(name, self._read(question, partial(self._number, team=team, borne=borne)))

    def _number(self, text: str, team: Team, borne: Collection[int]) -> int | None:
        return self._sense.number(_number(text, team.numbers), team.name, team.numbers, borne)

    def _ask_hands(self, item: Item) -> None:
        since = max((s.t for s in self._seen.shots if s.t < item.t - SAME_S / 2), default=0.0)
        done = deeds(self._seen, since, item.t if item.number else self._seen.seconds + 1)
        told = "; ".join(self._deed(n, e) for n, e in enumerate(done, 1))
        head = self._said("hands" if item.number else "hands at the end", n=item.number, deeds=told)
        while True:
            word = self._word(f"{head}\n{self._said('hands right?')}", (*YES, *NO, UNKNOWN))
            wrong: list[int] = []
            with suppress(Back):  # then the hands are asked about anew
                if word in NO:
                    wrong = self._read(self._said("which wrong?"), lambda text: _numbers(text, len(done)))
                break
        kept = [e for n, e in enumerate(done, 1) if n not in wrong]
        if word == UNKNOWN:
            self._answers.add("hands", item.t, "unknown")
        else:
            self._answers.add("hands", item.t, "otherwise" if wrong else "right", deeds=kept)

    def _deed(self, n: int, event: Json) -> str:
        what, time = HANDS.get(event["type"], "knocked"), self._said.time(event["t"])
        puck = self._said.puck(self.names[event["puck"]]) if "puck" in event else ""
        return self._said(what, n=n, time=time, puck=puck)

    def _ask_reefs(self, item: Item) -> None:
        reefs = reefs_before(self._seen)
        counts = self._said.reefs(Counter(str(r["team"]) for r in reefs))
        picture = picture_of(self._folder, self._seen.shots[0].number) if self._seen.shots else "-"
        head = self._said("reefs", reefs=counts, picture=picture)
        word = self._word(f"{head}\n{self._said('hands right?')}", (*YES, *NO, UNKNOWN))
        self._answers.add("reefs", item.t, "right" if word in YES else "unknown", reefs=reefs if word in YES else [])

    def _ask_all(self, item: Item) -> None:
        while True:
            word = self._word(self._said("all?"), (*YES, "m", UNKNOWN))
            if word != "m":
                self._answers.add("all", item.t, "right" if word in YES else "unknown")
                return
            with suppress(Back):  # then it is asked anew whether these were all
                self._ask_missed(before=None)

    def _ask_missed(self, before: SeenShot | None) -> None:
        latest = before.t if before is not None else self._seen.seconds
        t = self._read(self._said("when?"), lambda text: _second(text, latest))
        told = self._tell(None, sorted(set(self.names.values())))  # who left in it is in no list after it
        self._ask_numbers(told)
        self._answers.add("missed", t, "otherwise", facts=told.to_json())

    def _here(self, shot: SeenShot) -> list[str]:
        """The names of the pucks that were on the board at a shot."""
        return sorted({self.names[p["puck"]] for e in (shot.start, shot.end) for p in e["pucks"]})

    def _tell(self, facts: Facts | None, here: Sequence[str]) -> Facts:
        """A shot told part by part; what was seen of it stands in brackets."""
        said, now = self._said, facts or Facts("")
        self._show(said("keep"))
        flicked = self._part("flicked?", said.pucks([now.flicked] if facts else []), now.flicked,
                             lambda text: read_puck(text, here))  # fmt: skip
        kept = without(now, flicked)
        touched = self._part("touched?", said.pucks(kept.touched), kept.touched,
                             lambda text: self._sense.touched(read_pucks(text, here), flicked))  # fmt: skip
        others = self._part("others?", ", ".join(said.pucks(pair, " / ") for pair in kept.others), kept.others,
                            lambda text: self._sense.others(read_pairs(text, here), flicked))  # fmt: skip
        doors, board = now.doors, self._seen.board
        if board.doors:
            told = ", ".join(f"{said.puck(p)} {said.door(d)}" for p, d in now.doors)
            doors = self._part("doors?", told, doors, lambda text: read_doors(text, here, board))
        exits = self._part("exits?", said.pucks(now.exits), now.exits, lambda text: read_pucks(text, here))
        on_gate, passed = now.on_gate, now.passed
        if board.gates:
            on_gate = tuple(p for p in on_gate if p not in exits)
            on_gate = self._part("on_gate?", said.pucks(on_gate), on_gate,
                                 lambda text: self._sense.on_gate(read_pucks(text, here), exits))  # fmt: skip
            passed = tuple(p for p in passed if p not in on_gate)
            passed = self._part("passed?", said.pucks(passed), passed,
                                lambda text: self._sense.passed(read_pucks(text, here), on_gate))  # fmt: skip
        pushed = self._part("pushed?", said("yes" if now.pushed else "no"), now.pushed, _yes_or_no)
        return Facts(flicked, touched, others, doors, exits, on_gate, passed, pushed)

    def _part(self, what: str, shown: str, now: Any, read: Callable[[str], Any]) -> Any:
        def keep_or_read(text: str) -> Any:
            if text.strip() or not now:
                return read(text.strip() or ("" if what == "flicked?" else "-"))
            return now

        return self._read(self._said(what, now=shown or "-"), keep_or_read)

    def _word(self, question: str, known: Sequence[str]) -> str:
        """One of the words that are known; asks again until it is one."""
        while True:
            word = self._line(question).strip().lower()
            if word == "b":
                raise Back
            if word in known:
                return word
            self._show(self._said("not understood", found=f"{word or '-'} ({', '.join(known)})"))

    def _read(self, question: str, read: Callable[[str], Any]) -> Any:
        while True:
            line = self._line(question)
            if line.strip().lower() == "b":
                raise Back
            try:
                return read(line)
            except NotUnderstood as error:
                self._show(self._said("not understood", found=error))

    def _line(self, question: str) -> str:
        line = self._ask_line(question)
        if line is None:
            raise Paused
        return line

    def _show(self, text: str) -> None:
        print(text, flush=True)


def _yes_or_no(text: str) -> bool:
    word = text.strip().lower()
    if word not in (*YES, *NO, "-"):
        raise NotUnderstood(f"{word} (y, n)")
    return word in YES


def _numbers(text: str, most: int) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and 1 <= int(part) <= most for part in parts):
        raise NotUnderstood(f"{text.strip() or '-'} (1 … {most})")
    return [int(part) for part in parts]


def _number(text: str, known: Sequence[int]) -> int | None:
    if text.strip() and text.strip() not in map(str, known):
        raise NotUnderstood(f"{text.strip()} ({', '.join(map(str, known))})")
    return int(text) if text.strip() else None


def _second(text: str, latest: float) -> float:
    """A moment of the film in seconds: 62.4 or 1:02.4"""
    minutes, _, rest = text.strip().rpartition(":")
    try:
        t = float(rest.replace(",", ".")) + 60 * int(minutes or 0)
    except ValueError:
        t = -1.0
    if not 0 <= t <= latest:
        raise NotUnderstood(f"{text.strip() or '-'} (0 … {latest:.1f})")
    return t
