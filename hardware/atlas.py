"""A machine's digits, dot by dot, as data: fonts made of glyphs, and the text file that keeps them.

Here: the fields, the strict parser and the writer of the file. Not here: how dots are read by a font
(`capture.vision.atlas_read`) or a font is taught (`capture.vision.atlas_teach`). Invariant: what `format_atlas` writes,
`parse_atlas` reads as the same atlas; a file with one mistake is no atlas.

The file is text, for people and for `diff`:

    inlane-atlas 1
    machine comet-3
    display 128x32

    font 5a
    rows 5
    drop 1
    between 1-1
    before 0-0
    after 1-1

    glyph 7 seen 12
    ###
    ..#
    .#.
    .#.
    .#.

A dot is `.` dark, `-`, `+` or `#` brightest. `rows` is the height of a digit; a group mark (`glyph ,`) has `drop` rows
more, below the digits' feet. `between`, `before` and `after` are the dark columns that were seen between two digits,
before a mark and after it. Lines that begin with `# ` outside a glyph are notes.
"""

import re
from dataclasses import dataclass
from typing import NoReturn

from hardware.errors import ProfileInvalid

FORMAT = "inlane-atlas 1"
MARK = ","
"""Stands for a group mark of whatever shape."""
SIGNS = "0123456789" + MARK
LEVELS = ".-+#"
"""Brightness of a dot, in thirds."""
MOST_CHARACTERS = 256 * 1024
MOST_FONTS, MOST_GLYPHS = 16, 60
MOST_ROWS, MOST_WIDTH, MOST_DROP, MOST_GAP = 64, 64, 8, 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyph:
    """One sign as it is drawn: its dots by rows, without dark columns at its sides; `seen` so many times."""

    sign: str
    dots: tuple[str, ...]
    seen: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """Digits of one height. A digit may be drawn in more than one way, and some may be missing."""

    name: str
    rows: int
    drop: int = 0
    """Rows below the digits' feet into which group marks reach."""
    between: tuple[int, int] = (1, 1)
    """Fewest and most dark columns between two digits, as far as seen."""
    before: tuple[int, int] = (0, 0)
    after: tuple[int, int] = (0, 0)
    glyphs: tuple[Glyph, ...]

    @property
    def missing(self) -> str:
        """The digits that were never taught."""
        return "".join(sign for sign in SIGNS[:10] if sign not in {glyph.sign for glyph in self.glyphs})

    @property
    def marked(self) -> bool:
        """Whether it has a group mark."""
        return any(glyph.sign == MARK for glyph in self.glyphs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Atlas:
    """The fonts of one kind of machine, for a display of so many dots."""

    machine: str
    columns: int
    rows: int
    fonts: tuple[Font, ...]


def parse_atlas(text: str, *, file: str) -> Atlas:
    """Make an atlas of its text. Raises ProfileInvalid with one line: file, line and what is needed there."""
    if len(text) > MOST_CHARACTERS:
        raise ProfileInvalid(f"{file}: larger than {MOST_CHARACTERS // 1024} KB: this is no font atlas")
    return _Parser(text, file).parse()


def format_atlas(atlas: Atlas) -> str:
    """The file's text."""
    lines = [FORMAT, f"machine {atlas.machine}", f"display {atlas.columns}x{atlas.rows}"]
    for font in atlas.fonts:
        lines += ["", f"font {font.name}", f"rows {font.rows}", f"drop {font.drop}"]
        lines += [f"{key} {low}-{high}" for key, (low, high) in _gaps(font)]
        for glyph in font.glyphs:
            lines += ["", f"glyph {glyph.sign} seen {glyph.seen}", *glyph.dots]
    return "\n".join(lines) + "\n"


def _gaps(font: Font) -> tuple[tuple[str, tuple[int, int]], ...]:
    return (("between", font.between), ("before", font.before), ("after", font.after))


class _Parser:
    """Goes through the lines once, from the top to the bottom."""

    def __init__(self, text: str, file: str) -> None:
        self._file = file
        self._lines = [line.rstrip() for line in text.split("\n")]
        self._at = 0

    def parse(self) -> Atlas:
        if self._next() != FORMAT:
            self._fail(f"a font atlas begins with {FORMAT!r}")
        machine = self._field("machine", r"[a-z0-9-]{1,40}", "an id of a-z, 0-9 and -")
        columns, _, rows = self._field("display", r"\d{1,3}x\d{1,3}", "COLUMNSxROWS").partition("x")
        fonts: list[Font] = []
        while (line := self._next()) is not None:
            if not line.startswith("font "):
                self._fail("a line 'font NAME' is needed here")
            if len(fonts) == MOST_FONTS:
                self._fail(f"more than {MOST_FONTS} fonts")
            fonts.append(self._font(line.removeprefix("font ")))
            if len({font.name for font in fonts}) < len(fonts):
                self._fail(f"font {fonts[-1].name!r} stands here twice")
        if not fonts:
            self._fail("no font is in it")
        return Atlas(machine=machine, columns=int(columns), rows=int(rows), fonts=tuple(fonts))

    def _font(self, name: str) -> Font:
        if not re.fullmatch(r"[a-z0-9-]{1,20}", name):
            self._fail("a font's name is made of a-z, 0-9 and -")
        rows, drop = self._number("rows", 3, MOST_ROWS), self._number("drop", 0, MOST_DROP)
        between, before, after = (self._gap(key) for key in ("between", "before", "after"))
        glyphs: list[Glyph] = []
        while (line := self._peek()) is not None and line.startswith("glyph "):
            if len(glyphs) == MOST_GLYPHS:
                self._fail(f"more than {MOST_GLYPHS} glyphs in font {name!r}")
            glyphs.append(self._glyph(rows, drop))
        if not any(glyph.sign != MARK for glyph in glyphs):
            self._fail(f"font {name!r} has no digit: a line 'glyph DIGIT seen N' is needed here")
        return Font(
            name=name, rows=rows, drop=drop, between=between, before=before, after=after, glyphs=tuple(glyphs)
        )  # fmt: skip

    def _glyph(self, rows: int, drop: int) -> Glyph:
        found = re.fullmatch(r"glyph ([0-9,]) seen (\d{1,9})", self._next() or "")
        if found is None:
            self._fail("a glyph begins with 'glyph SIGN seen N', SIGN a digit or ','")
        sign, high = found[1], rows + (drop if found[1] == MARK else 0)
        dots = tuple(self._lines[self._at : self._at + high])
        for line in dots:
            self._at += 1
            if not re.fullmatch(r"[.#+-]{1,%d}" % MOST_WIDTH, line) or len(line) != len(dots[0]):  # noqa: UP031 - braces
                self._fail(f"glyph {sign!r} needs {high} rows of one width, 1 to {MOST_WIDTH} of . - + #")
        if len(dots) < high or all(set(line) <= {"."} for line in dots):
            self._fail(f"glyph {sign!r} needs {high} rows with something lit")
        if any(all(line[side] == "." for line in dots) for side in (0, -1)):
            self._fail(f"glyph {sign!r} has a dark column at its side: leave it out")
        return Glyph(sign=sign, dots=dots, seen=int(found[2]))

    def _number(self, key: str, least: int, most: int) -> int:
        value = int(self._field(key, r"\d{1,3}", f"a number from {least} to {most}"))
        if not least <= value <= most:
            self._fail(f"{key} must be {least} to {most}")
        return value

    def _gap(self, key: str) -> tuple[int, int]:
        low, _, high = self._field(key, r"\d{1,2}-\d{1,2}", "FEWEST-MOST").partition("-")
        if not int(low) <= int(high) <= MOST_GAP:
            self._fail(f"{key} must be FEWEST-MOST, up to {MOST_GAP}")
        return int(low), int(high)

    def _field(self, key: str, pattern: str, needed: str) -> str:
        word, _, value = (self._next() or "").partition(" ")
        if word != key or not re.fullmatch(pattern, value, re.ASCII):
            self._fail(f"a line '{key} …' with {needed} is needed here")
        return value

    def _peek(self) -> str | None:
        """The next line that says something."""
        while self._at < len(self._lines) and (not self._lines[self._at] or self._lines[self._at].startswith("# ")):
            self._at += 1
        return self._lines[self._at] if self._at < len(self._lines) else None

    def _next(self) -> str | None:
        line = self._peek()
        self._at += 1
        return line

    def _fail(self, why: str) -> NoReturn:
        raise ProfileInvalid(f"{self._file}, line {min(self._at, len(self._lines))}: {why}")
