"""Whether what a peer says makes sense, as dialects count it: silence, noise, and that both are over.

Here: counting, and the moment of silence. Not here: what is known of one protocol (the modules `…_sense`), and what a
line says. Invariant: noise is said once until it is over, and is over, in this conversation or a later one, when enough
makes sense again.
"""

from capture import hints as h

GARBLED_LINES = 5
"""So many senseless lines in a row are a fault and no accident."""
CLEAN_LINES = 10
"""So many good lines in a row end it."""


class PeerSense:
    """What the lines of one conversation, and then of the next, say of the peer.

    `doubts`: a senseless line may have been a score. `remark`: what is said of noise to a person, after the count.
    """

    def __init__(
        self,
        *,
        silence_ms: int,
        doubts: bool = False,
        remark: str = "",
        garbled: int = GARBLED_LINES,
        clean: int = CLEAN_LINES,
    ) -> None:
        self._silence_ms, self._doubts, self._remark = silence_ms, doubts, remark
        self._limit, self._clean = garbled, clean
        self.heard = False
        """What is ours has come in this conversation."""
        self.garbled = 0
        """Senseless lines so far, in all conversations."""
        self._mute = True
        self._bad = self._good = 0
        self._silent_at: int | None = None

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins; who cannot be asked may be silent."""
        self.heard, self._mute = False, True
        self._bad = self._good = 0
        self._silent_at = None if passive else at + self._silence_ms

    def close(self) -> None:
        """The conversation is over: its silence means nothing."""
        self._silent_at = None

    def bytes_came(self) -> None:
        """It says something."""
        self._mute = False

    def reject(self, at: int) -> list[h.Hint]:
        """A line was senseless."""
        doubts: list[h.Hint] = [h.ScoresDoubted(at=at)] if self._doubts and self.heard else []
        return doubts + (self._noise(at, f"{self.garbled} senseless lines so far") if self._counts_noise() else [])

    def swamp(self, at: int) -> list[h.Hint]:
        """A line does not end: said once, and no less than many senseless ones."""
        self._good = 0
        if self._bad >= self._limit:
            return []
        self._bad = self._limit
        doubts: list[h.Hint] = [h.ScoresDoubted(at=at)] if self._doubts else []
        return doubts + self._noise(at, "bytes without a line end")

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return self._silent_at

    # --- for the sense of one protocol -----------------------------------------------------------------

    def _counts_clean(self) -> bool:
        """Count something that made sense; whether noise is over with it."""
        self._good += 1
        if self._good != self._clean:
            return False
        self._bad = 0
        return True

    def _counts_noise(self) -> bool:
        """Count something senseless; whether it is noise with it."""
        self.garbled += 1
        self._bad, self._good = self._bad + 1, 0
        return self._bad == self._limit

    def _falls_silent(self, now: int) -> bool:
        """Whether the moment of silence has come; once."""
        if self._silent_at is None or now < self._silent_at:
            return False
        self._silent_at = None
        return True

    def _noise(self, at: int, detail: str) -> list[h.Hint]:
        fault = "data-garbled" if self.heard else "wrong-device"
        return [h.Trouble(at=at, fault=fault, detail=detail + self._remark)]


def begin(at: int, detail: str | None, *, over: tuple[str, ...] = ("no-data", "wrong-device")) -> list[h.Hint]:
    """It is heard, and what was wrong with hearing it is over."""
    return [*(h.Relief(at=at, fault=fault) for fault in over), h.Heard(at=at, detail=detail)]
