"""What is wrong with a Vector board or with hearing it, as malfunction signals: each raised once, cleared once.

Here: causes, and the signal each belongs to. One signal may have several causes: it is over with the last of them.
Invariant: the detail is the board's own words, or one line of ours. The codes: warped-pinball/vector, faults.py.
"""

from capture import hints as h

MOST_FAULTS = 32
MOST_WORDS = 160

BOARD = "board "
"""Before the code of a fault that is the board's own."""
POWER = BOARD + "HDWR02"
"""No bus activity when the board started: the machine is off, or its CPU is dead."""
_SIGNALS = {
    "HDWR02": "power-lost",
}
"""By code; any other is `data-garbled`: the board, or what it reads, is not as it should be. None of them is a sign of
another device, nor of silence."""
_DISTRUST = ("HDWR00", "HDWR01", "CONF", "DUNO")
"""With these the scores may be wrong without looking it: an official has to see each."""


class Troubles:
    """The causes that hold now."""

    def __init__(self) -> None:
        self._causes: dict[str, str] = {}
        self._told: tuple[str, ...] = ()
        self._before: dict[str, str] = {}
        """Of an earlier conversation: not over, but to be said again where they are so in this one."""

    def __contains__(self, cause: str) -> bool:
        return cause in self._causes

    @property
    def trusted(self) -> bool:
        """The board sees nothing wrong with what it reads."""
        return not any(cause.removeprefix(BOARD).startswith(_DISTRUST) for cause in self._causes)

    def renew(self) -> None:
        """A new conversation begins, perhaps with another device: what is wrong with it is said anew."""
        for cause in [cause for cause in self._causes if not cause.startswith(BOARD)]:
            self._before[cause] = self._causes.pop(cause)

    def begin(self, cause: str, fault: str, at: int, detail: str) -> list[h.Hint]:
        """Something is wrong: said where no other cause has said so already."""
        if cause in self._causes:
            return []
        known = fault in self._causes.values()
        self._causes[cause] = fault
        return [] if known else [h.Trouble(at=at, fault=fault, detail=detail)]

    def end(self, cause: str, at: int) -> list[h.Hint]:
        """It is right again."""
        fault, before = self._causes.pop(cause, None), self._before.pop(cause, None)
        fault = fault or before
        if fault is None or fault in {*self._causes.values(), *self._before.values()}:
            return []
        return [h.Relief(at=at, fault=fault)]

    def board(self, told: tuple[str, ...], at: int) -> list[h.Hint]:
        """What the board says of itself now, all of it: what it says no more is over."""
        if told == self._told:
            return []
        self._told = told
        by_code = {words[:6].upper(): words for words in told}
        gone = [cause for cause in self._causes if cause.startswith(BOARD) and cause[len(BOARD) :] not in by_code]
        hints = [hint for cause in gone for hint in self.end(cause, at)]
        for code, words in by_code.items():
            hints += self.begin(BOARD + code, _SIGNALS.get(code, "data-garbled"), at, f"the board says: {words}")
        return hints


def read_faults(told: object) -> tuple[str, ...] | None:
    """The answer of `/api/fault`: a list of texts, plain or under `faults`. None where it is neither."""
    if isinstance(told, dict):
        told = told.get("faults")
    if not isinstance(told, list) or not all(isinstance(words, str) for words in told):
        return None
    return tuple(" ".join(words.split())[:MOST_WORDS] for words in told[:MOST_FAULTS] if words.strip())
