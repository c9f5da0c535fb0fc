"""A line that damages what goes over it."""

from __future__ import annotations

import random


class NoisyLine:
    """Each byte, by chance: corrupted, dropped or doubled, a third of `rate` each."""

    def __init__(self, rate: float, rng: random.Random) -> None:
        self._rate, self._rng = rate, rng
        self.damaged = 0

    def pass_on(self, data: bytes) -> bytes:
        """What arrives of the bytes."""
        if not self._rate:
            return data
        out = bytearray()
        for byte in data:
            if self._rng.random() >= self._rate:
                out.append(byte)
                continue
            self.damaged += 1
            kind = self._rng.randrange(3)
            if kind == 0:
                out.append(byte ^ self._rng.randrange(1, 256))
            elif kind == 1:
                out += bytes((byte, byte))
        return bytes(out)
