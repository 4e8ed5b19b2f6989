"""What one segment display of a LISY or APC board shows, cell by cell, and the number that it stands for.

Encodings by display type, as the board tells its host and nobody tells us: BCD, seven segments (dp g f e a b c d),
fourteen segments (two bytes, APC's order), ASCII, each with the point in bit 7 or without. Source: MPF 0.81.0,
mpf/platforms/lisy/lisy.py and mpf/core/segment_mappings.py. Invariant: a number has a digit in every cell up to the
last; what is written in a way that is not certain shows nothing.
"""

import re
from dataclasses import dataclass

BLINK_MS = 1_500
"""A display that is dark for less than this blinks (MPF: half a second in a second)."""
UNKNOWN = "?"

_SEVEN = {0x3F: "0", 0x06: "1", 0x5D: "2", 0x4F: "3", 0x66: "4", 0x6B: "5", 0x7B: "6", 0x73: "6", 0x0E: "7", 0x2E: "7",
          0x7F: "8", 0x6F: "9", 0x6E: "9", 0x00: " "}  # fmt: skip
_LEFT = _SEVEN | {0x0F: "3", 0x69: "5"}
"""The first byte of a cell of fourteen segments: as seven, with the left half of the bar alone."""
_RIGHT = {"0": {0x00, 0x28}, "1": {0x00, 0x08}, "7": {0x00}, " ": {0x00}, "3": {0x04}, "5": {0x04, 0x80}}
"""What the second byte may hold beside a digit: the right half of its bar, or strokes."""
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+\Z", re.ASCII)
_DIGITS = frozenset("0123456789 .,")
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ.,-'")


def decode(data: bytes, encoding: str) -> str:
    """The text of a display, `?` for a cell that is neither digit, letter nor blank."""
    match encoding:
        case "ascii":
            return "".join(_ascii(byte) for byte in data)
        case "bcd":
            return "".join(_bcd(byte) for byte in data)
        case "seg7":
            return "".join(_SEVEN.get(byte & 0x7F, UNKNOWN) for byte in data)
        case _:
            pairs = zip(data[::2], data[1::2], strict=False)
            return "".join(_fourteen(left & 0x7F, right & 0xBF) for left, right in pairs) + UNKNOWN * (len(data) % 2)


def number_of(text: str) -> int | None:
    """The number that a text is: blanks before it alone; None where it is none."""
    text = text.lstrip(" ")
    if _GROUPED.match(text):
        text = text.replace(".", "").replace(",", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 19 else None


def written(data: bytes) -> list[str]:
    """The ways in which these bytes are digits and blanks, with one digit at least; one way alone is a proof."""
    texts = {way: decode(data, way) for way in ("ascii", "bcd", "seg7", "seg14")} if any(data) else {}
    return [way for way, text in texts.items() if text.strip() and _DIGITS.issuperset(text)]


@dataclass(slots=True)
class Display:
    """One display as it stands. `encoding` None: not known yet."""

    encoding: str | None = None
    fixed: bool = False
    """The profile says the encoding."""
    text: str | None = None
    """What stands; None: not known."""
    stale: bool = False
    """Something was damaged on the way: it may show another text by now."""
    raw: bytes | None = None
    """Noughts that were written before it was known how: dark cells, or the number."""
    rises: int = 0
    """How often in a row its number has grown."""
    _width: int = 0
    _other: int = 0
    """Another width, seen once."""
    _odd: int = 0
    """Texts in a row that do not fit the encoding."""
    _dark_at: int | None = None
    """It is dark since then, or shows noughts that may mean that it is."""
    _dark: str = ""

    def show(self, data: bytes, at: int, likely: str | None = None, *, may_blink: bool = True) -> bool:
        """Take new bytes. False: they cannot be what the display shows, and what it shows is not known.

        `likely` is how the board's other displays are written: it tells what is dark, and no digit. `may_blink`:
        noughts may be a display that blinks, where dark cells cannot be written.
        """
        self.raw = None
        if not self._fits(len(data)) or not self._decide(data):
            self.forget()
            return False
        text = decode(data, self.encoding or likely or "ascii")
        if self.encoding is None and text.strip():
            self.raw = None if any(data) else data
            return True
        if UNKNOWN in text:
            self.forget()
            return False
        dark = not text.strip() or (may_blink and self._may_be_dark(text))
        if self.text is not None and self.text.strip() and dark:
            self._dark_at, self._dark = at if self._dark_at is None else self._dark_at, text
            return True
        before, self.stale = self.number, False
        self.text, self._dark_at = text, None
        grown = before is not None and (self.number or 0) > before
        self.rises = min(9, self.rises + 1) if grown else self.rises if self.number == before else 0
        return True

    def learn(self, way: str) -> None:
        """The board's other displays are written so: then so are the noughts of this one."""
        if self.raw is not None:
            self.text, self.raw = decode(self.raw, way), None

    def tick(self, now: int) -> bool:
        """Time has passed. True: what it shows has changed, for it stayed dark."""
        due = self.deadline()
        if due is None or now < due:
            return False
        self.text, self._dark_at = self._dark, None
        self.rises = 0
        return True

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return None if self._dark_at is None else self._dark_at + BLINK_MS

    @property
    def dark_since(self) -> int | None:
        """It is dark since then, and blinks or is out: that is not known yet."""
        return self._dark_at

    @property
    def number(self) -> int | None:
        """The number that stands; None where none does, or it may be an old one."""
        return None if self.stale or self.text is None else number_of(self.text)

    def forget(self) -> None:
        """Nothing is known of what it shows."""
        self.text, self._dark_at, self.stale, self.rises, self.raw = None, None, False, 0, None

    def _may_be_dark(self, text: str) -> bool:
        """MPF has no blank in BCD: a dark display is full of noughts there."""
        return self.encoding == "bcd" and not text.strip("0") and number_of(self.text or "") not in {0, None}

    def _fits(self, width: int) -> bool:
        """A display has one width: with a cell less, a digit was lost. Another width counts when it comes twice."""
        if width in {0, self._width}:
            self._other = 0
            return True
        if not self._width or width == self._other:
            self._width, self._other = width, 0
            return True
        self._other = width
        return False

    def _decide(self, data: bytes) -> bool:
        """Find out how it is written. False: not as it was until now."""
        if self.fixed:
            return True
        ways = written(data)
        if self.encoding is None:
            self.encoding = ways[0] if len(ways) == 1 else None
            return True
        if len(ways) == 1 and self.encoding not in ways:
            self._odd += 1
            if self._odd < 3:
                return False
            self.encoding = ways[0]
        self._odd = 0
        return True


def _ascii(byte: int) -> str:
    sign = chr(byte & 0x7F)
    if sign == " ":
        return " "
    return sign if sign.isdecimal() or sign.upper() in _LETTERS else UNKNOWN


def _bcd(byte: int) -> str:
    value = byte & 0x7F
    return str(value) if value < 10 else " " if value == 15 else UNKNOWN


def _fourteen(left: int, right: int) -> str:
    digit = _LEFT.get(left, UNKNOWN)
    return digit if right in _RIGHT.get(digit, {0x04}) else UNKNOWN
