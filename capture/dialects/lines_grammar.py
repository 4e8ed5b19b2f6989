"""One line of Inlane's own line format: text to word and values. docs/lines.md describes the format.

Here no line is understood beyond its shape. Invariants: a line is either understood whole or refused whole
(`LineGarbled`), no digit is mended or guessed; and no word is the end of another or of a whole line, so that the rest
of a line whose beginning was lost is never a line of its own.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from capture.errors import LineGarbled
from capture.hints import Hint
from capture.states import MachineState

MOST_PLAYERS = 16
MOST_SCORE = 10**18
LONGEST_LINE = 512
"""Bytes; a longer line is dropped."""

_BOM = b"\xef\xbb\xbf"
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_SEQUENCE = re.compile(r"@(\d{1,10}) +", re.ASCII)
_CHECKSUM = re.compile(rb"\*([0-9A-Fa-f]{2})[ \t]*\Z")
_WORD = re.compile(r"[A-Z][A-Z_]{1,19}\Z", re.ASCII)
_TOKEN = re.compile(r'([a-z0-9_]{1,20})=(?:"([^"]*)"|([^\s"]*))(?=\s|\Z)|([A-Za-z0-9_?-]+)(?=\s|\Z)', re.ASCII)
_DIGITS = re.compile(r"\d{1,20}\Z", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line that has a good shape."""

    word: str
    """In capitals."""
    plain: tuple[str, ...] = ()
    """What stands without a key, in order."""
    values: dict[str, str] = field(default_factory=dict)
    sequence: int | None = None
    signed: bool = False
    """It had a checksum, and that was right."""

    def number(self, place: int, least: int, most: int) -> int:
        """The plain number at a place. Raises LineGarbled."""
        if place >= len(self.plain):
            raise LineGarbled(f"{self.word}: a number is missing")
        return whole(self.plain[place], least, most)

    def value(self, key: str, least: int, most: int) -> int | None:
        """The number under a key; None where there is none. Raises LineGarbled."""
        text = self.values.get(key)
        return None if text is None else whole(text, least, most)

    def takes(self, *counts: int) -> list[Hint]:
        """There are so many plain parts. Raises LineGarbled; says nothing."""
        if len(self.plain) not in counts:
            raise LineGarbled(f"{self.word}: too much or too little")
        return []

    def flag(self) -> bool:
        """The one plain part, 0 or 1. Raises LineGarbled."""
        self.takes(1)
        return self.number(0, 0, 1) == 1

    def truth(self, key: str) -> bool | None:
        """0 or 1 under a key; None where there is none. Raises LineGarbled."""
        number = self.value(key, 0, 1)
        return None if number is None else number == 1

    def scores(self) -> dict[int, int]:
        """`1=… 2=…`: by player. Raises LineGarbled."""
        found = {}
        for key, text in self.values.items():
            if key.isdecimal():
                found[whole(key, 1, MOST_PLAYERS)] = whole(text, 0, MOST_SCORE)
        return found


def parse_line(data: bytes) -> Line:
    """Understand the shape of one line, given without its line end. Raises LineGarbled."""
    data = data.removeprefix(_BOM)
    text, signed = _take_checksum(data)
    if _CONTROL.search(text):
        raise LineGarbled("a control character")
    text = text.strip(" \t")
    sequence = None
    if text.startswith("@"):
        found = _SEQUENCE.match(text)
        if not found:
            raise LineGarbled("no number after @")
        sequence, text = int(found[1]), text[found.end() :]
    word, _, rest = text.partition(" ")
    word = word.upper()
    if not _WORD.match(word):
        raise LineGarbled("no word")
    plain, values = _take_tokens(rest)
    return Line(word=word, plain=plain, values=values, sequence=sequence, signed=signed)


def state_of(line: Line, at: int) -> MachineState:
    """What a STATE line says of its moment. Raises LineGarbled."""
    line.takes(0)
    scores = line.scores()
    return MachineState(
        at=at,
        playing=line.truth("playing"),
        players=line.value("players", 0, MOST_PLAYERS),
        player=line.value("player", 0, MOST_PLAYERS),
        ball=line.value("ball", 0, 99),
        balls=line.value("balls", 1, 99),
        scores=tuple(scores.get(player) for player in range(1, max(scores, default=0) + 1)),
        tilted=line.truth("tilt"),
        slam_tilted=line.truth("slam"),
        warnings=line.value("warnings", 0, 99),
        credits=line.value("credits", 0, 9999),
        service=line.truth("service"),
        number=line.value("game", 0, MOST_SCORE),
    )


def is_near(word: str, words: Iterable[str]) -> bool:
    """The word may be one of these, damaged on the way."""
    return bool(difflib.get_close_matches(word, words, n=1, cutoff=0.7))


def sign(text: str) -> str:
    """The line with its checksum: the exclusive or of all bytes before the `*`, in two hexadecimal digits.

    The space before it keeps its digits from becoming a score's, should the `*` be lost.
    """
    return f"{text} *{checksum(f'{text} '.encode()):02X}"


def checksum(data: bytes) -> int:
    """The exclusive or of all bytes."""
    total = 0
    for byte in data:
        total ^= byte
    return total


def whole(text: str, least: int, most: int) -> int:
    """A number of decimal digits alone, noughts before it allowed. Raises LineGarbled."""
    if not _DIGITS.match(text):
        raise LineGarbled("no whole number")
    number = int(text)
    if not least <= number <= most:
        raise LineGarbled(f"a number that is not within {least} to {most}")
    return number


def _take_checksum(data: bytes) -> tuple[str, bool]:
    found = _CHECKSUM.search(data)
    body = data[: found.start()] if found else data
    if b"*" in body or (found and checksum(body) != int(found[1], 16)):
        raise LineGarbled("the checksum is wrong")
    try:
        return body.decode("utf-8"), bool(found)
    except UnicodeDecodeError:
        raise LineGarbled("not UTF-8") from None


def _take_tokens(text: str) -> tuple[tuple[str, ...], dict[str, str]]:
    plain: list[str] = []
    values: dict[str, str] = {}
    place = 0
    while place < len(text):
        if text[place] in " \t":
            place += 1
            continue
        found = _TOKEN.match(text, place)
        if not found:
            raise LineGarbled("neither a number nor key=value")
        if found[4] is not None:
            plain.append(found[4])
        elif found[1] in values:
            raise LineGarbled(f"{found[1]} twice")
        else:
            values[found[1]] = found[2] if found[2] is not None else found[3]
        place = found.end()
    return tuple(plain), values
