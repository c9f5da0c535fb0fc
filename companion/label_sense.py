"""What cannot be true of a shot is refused while it is told: what was said, and what was expected."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.label_facts import NotUnderstood
from companion.label_words import Said

Pairs = tuple[tuple[str, str], ...]


class Sense:
    """Gives back what can be, and raises NotUnderstood for the rest.

    A puck may go in through several doors in one shot, as one that bounces out again has been in (P17), and may leave
    the board after it touched, went in or slid over the gate.
    """

    def __init__(self, said: Said) -> None:
        self._said = said

    def touched(self, pucks: tuple[str, ...], flicked: str) -> tuple[str, ...]:
        """Whom the flicked puck touched: not itself."""
        return self._but(pucks, [flicked], "itself")

    def others(self, pairs: Pairs, flicked: str) -> Pairs:
        """Who else touched: two different pucks, neither of them the flicked one."""
        self._but(tuple(a for a, b in pairs if a == b), [a for a, _ in pairs], "itself")
        self._but(tuple(puck for pair in pairs for puck in pair), [flicked], "it was flicked")
        return pairs

    def on_gate(self, pucks: tuple[str, ...], exits: Collection[str]) -> tuple[str, ...]:
        """Who came to rest on the gate: none that left the board."""
        return self._but(pucks, exits, "it left")

    def passed(self, pucks: tuple[str, ...], on_gate: Collection[str]) -> tuple[str, ...]:
        """Who slid over the gate: none that came to rest on it."""
        return self._but(pucks, on_gate, "it stopped there")

    def number(self, number: int | None, team: str, known: Sequence[int], borne: Collection[int]) -> int | None:
        """A puck's number; borne: by others of its team that lay there with it.

        Raises NotUnderstood where one of these bears it.
        """
        if number in borne:
            free = ", ".join(str(n) for n in known if n not in borne)
            raise NotUnderstood(self._said("it is borne", puck=self._said.puck(f"{team}-{number}"), free=free or "-"))
        return number

    def _but(self, pucks: tuple[str, ...], never: Collection[str], why: str) -> tuple[str, ...]:
        for puck in pucks:
            if puck in never:
                raise NotUnderstood(self._said(why, puck=self._said.puck(puck)))
        return pucks
