"""The LISY/APC protocol from host to board: a byte stream into commands, from anywhere in it and through garbage.

Here: lengths. What a display shows is `lisy_displays`, what it means `lisy`. Sources: MPF 0.81.0,
mpf/platforms/lisy/{lisy,defines}.py; bontango's lisy_api.h (API 0.08 and 0.11); mpf-docs, hardware/lisy/protocol.rst.
Since API 0.9 a display's text has its length before it, until then a nought byte behind it. A host may put each
command's length after it (MPF's `send_length_after_command`). Neither is said in this direction: both are found out.
Invariant: a command is handed out whole or not at all, and no more than one is kept.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from hardware.wires.lisy import LisyTable

RESET, WATCHDOG, CHANGED = 100, 101, 41
DISPLAYS = range(30, 37)
MOST_CELLS = 80
"""Bytes of a display's text; 40 cells of two bytes are the widest that there are."""
_STRINGS = {52: 2, 53: 2}
"""Commands that end with a nought byte, and the bytes before their text (one less before API 0.9)."""
_FADE = 13
_LENGTHS = {
    **dict.fromkeys((0, 1, 2, 3, 4, 5, 6, 8, 9, 19, CHANGED, RESET, WATCHDOG, 102), 0),
    **dict.fromkeys((7, 10, 11, 12, 20, 21, 22, 23, 40, 51, 64), 1),
    **dict.fromkeys((24, 25, 37, 50, 54), 2),
    60: 10,
}
_OLD_LENGTHS = _LENGTHS | {7: 0, 50: 1, 51: 0, 54: 1}
_SURE = 3
"""So many more signs for one way than for the other."""
_TEXT = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ .,-")


class Command(NamedTuple):
    """One command; `clear`: nothing near it was damaged, and its bytes can be read in one way alone."""

    code: int
    data: bytes
    clear: bool


@dataclass(slots=True)
class Commands:
    """Splits one conversation's bytes. `skipped` counts bytes that fit nowhere."""

    table: LisyTable
    skipped: int = 0
    _held: bytearray = field(default_factory=bytearray)
    _old: int = 0
    """Signs for a nought byte behind a display's text, less those for a length before it."""
    _counted: int = 0
    """Signs for a length after each command, less those against it."""
    _good: int = _SURE
    """Commands since the last byte that fitted nowhere."""

    def reset(self) -> None:
        """A new conversation: nothing of the one before holds."""
        self._held.clear()
        self._old = self._counted = 0
        self._good = _SURE

    def feed(self, data: bytes) -> list[Command]:
        """Take bytes; return the commands that are whole."""
        self._held += data
        found: list[Command] = []
        place = 0
        while place < len(self._held):
            taken = self._take(place)
            if taken is None:
                break
            length, command = taken
            if command is None:
                self.skipped += 1
                self._good = 0
                place += 1
                continue
            self._good += 1
            place += length
            found.append(command)
        del self._held[:place]
        return found

    @property
    def counted(self) -> bool:
        """Each command is followed by its length, as far as is known."""
        return self._counted > 0 if self.table.counted is None else self.table.counted

    def _take(self, place: int) -> tuple[int, Command | None] | None:
        """The length of what stands there, and the command if it is one; None: more bytes are needed."""
        code = self._held[place]
        if code in DISPLAYS:
            return self._take_display(code, place)
        if code in _STRINGS:
            return self._take_string(code, place)
        if code != _FADE and code not in _LENGTHS:
            return 1, None
        start = place + 1
        if code in {CHANGED, WATCHDOG} and self.table.counted is None:
            if start >= len(self._held):
                return None
            self._counted = _vote(self._counted, 1 if self._held[start] == 0 else -1)
        length = self._length_of(code, start)
        if length is None:
            return None
        if self.counted:
            if self._held[start] != length:
                return 1, None
            start += 1
        if start + length > len(self._held):
            return None
        return start + length - place, self._command(code, start, start + length)

    def _take_display(self, code: int, place: int) -> tuple[int, Command | None] | None:
        start = place + 1
        if start >= len(self._held):
            return None
        looks_old = self._looks_old(start)
        if looks_old is None:
            return None
        if looks_old:
            end = self._held.find(0, start, start + MOST_CELLS + 1)
            if end < 0:
                return (1, None) if len(self._held) > start + MOST_CELLS else None
            if not _TEXT.issuperset(bytes(self._held[start:end]).upper()):
                return 1, None
            self._old = _vote(self._old, end > start)
            return end + 1 - place, self._command(code, start, end)
        length = self._held[start]
        if length > MOST_CELLS + 1:
            return 1, None
        end = start + 1 + length
        if end > len(self._held):
            return None
        self._old = _vote(self._old, -(length > 0))
        inner, clear = start + 1, True
        if length and self._held[inner] == length - 1:
            inner += self.counted  # the text's own length follows that of the command
            clear = self.table.counted is not None or abs(self._counted) >= _SURE
        elif self.table.counted is None and length:
            self._counted = min(self._counted, -_SURE)  # with a length after each command, this could not be
        return end - place, self._command(code, inner, end, clear=clear)

    def _looks_old(self, start: int) -> bool | None:
        """The text ends with a nought byte; None: more bytes are needed."""
        if self.table.framing != "auto":
            return self.table.framing == "text"
        first = self._held[start]
        if first < 0x20:  # no sign of a text: a length, or no text at all
            return self._old > 0 and first == 0
        end = self._held.find(0, start, start + MOST_CELLS)
        if end < 0 and len(self._held) <= start + min(first, MOST_CELLS):
            return None
        text = bytes(self._held[start : end if end >= 0 else start + MOST_CELLS])
        if first > MOST_CELLS or not _TEXT.issuperset(text.upper()):
            return first > MOST_CELLS
        return len(text) > 1 or self._old > 0

    def _take_string(self, code: int, place: int) -> tuple[int, Command | None] | None:
        start = place + 1 + _STRINGS[code] - (self._old > 0 or self.table.framing == "text")
        end = self._held.find(0, start, start + MOST_CELLS)
        if end >= 0:
            return end + 1 - place, self._command(code, start, end)
        return (1, None) if len(self._held) >= start + MOST_CELLS else None

    def _length_of(self, code: int, start: int) -> int | None:
        """Bytes of what belongs to a command; None: more are needed to tell."""
        counts = start + self.counted
        if code == _FADE:
            return 5 + self._held[counts + 4] if counts + 5 <= len(self._held) else None
        if counts > len(self._held):
            return None
        return (_OLD_LENGTHS if self._old > 0 or self.table.framing == "text" else _LENGTHS)[code]

    def _command(self, code: int, start: int, end: int, *, clear: bool = True) -> Command:
        return Command(code, bytes(self._held[start:end]), clear and self._good >= _SURE)


def _vote(votes: int, vote: int) -> int:
    """Count a sign; more than a few of one kind count no more, so that a mistake is mended soon."""
    return max(-2 * _SURE, min(2 * _SURE, votes + vote))
