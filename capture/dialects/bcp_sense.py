"""Whether a peer that should be Mission Pinball Framework makes sense: silence, noise, another program.

Here: the faults that follow from what is counted (`peer_sense`). No line is understood. Invariant: a fault of an
earlier conversation is over when this one makes sense, and not before.
"""

from capture import hints as h
from capture.dialects.peer_sense import PeerSense, begin

SILENCE_MS = 10_000
"""MPF greets at once: who says nothing for so long is no MPF."""


class Sense(PeerSense):
    """Of a program that should be MPF."""

    def __init__(self) -> None:
        super().__init__(silence_ms=SILENCE_MS, doubts=True)

    def accept(self, at: int, *, known: bool) -> list[h.Hint]:
        """A line was understood; `known`: it is a command that we listen for."""
        hints: list[h.Hint] = [h.Relief(at=at, fault="data-garbled")] if self._counts_clean() else []
        return hints + (self.greet(at) if known and not self.heard else [])

    def greet(self, at: int, greeting: str | None = None) -> list[h.Hint]:
        """It is MPF that talks."""
        self.heard, self._silent_at = True, None
        return begin(at, greeting)

    def tick(self, now: int) -> list[h.Hint]:
        """Nobody greets."""
        if not self._falls_silent(now):
            return []
        fault, what = ("no-data", "nothing") if self._mute else ("wrong-device", "nothing that is BCP")
        return [h.Trouble(at=now, fault=fault, detail=f"the peer accepts the connection but says {what}")]
