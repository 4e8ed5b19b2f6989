"""Tables as spreadsheets write and read them: bytes in, rows with their lines out, and back.

Nothing here knows what a column means. Sizes are bounded before anything is built. Invariant: a cell that is written
and read again is the same text, and no spreadsheet runs it as a formula.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from server.errors import FileInvalid
from server.exchange.encodings import decode

MAX_BYTES = 8 * 2**20
MAX_ROWS = 10_000
MAX_COLUMNS = 100
MAX_CELL = 4000
EXACT_DIGITS = 15
"""Digits that a spreadsheet keeps of a number (IEEE 754 doubles); it rounds a longer one without a word."""
SEPARATORS = ",;\t|"
_SEPARATOR_SAID = re.compile(r"sep=(.)(?:\r\n|\r|\n|\Z)", re.IGNORECASE)
# OWASP, "CSV injection": cells that begin with one of these are formulas, and a cell begins wherever another program
# sees a separator or a quote. Full-width forms are taken for the plain ones by East Asian versions.
_DANGER = r"(?=[\s']*[=+\-@\t\r＝＋－＠])"
_BEGINNING = r"(^|[,;|\t\r\n\"])"
_TO_PROTECT = re.compile(_BEGINNING + _DANGER)
_PROTECTED = re.compile(_BEGINNING + "'" + _DANGER)

Cell = str | int | bool | None


class SheetInvalid(FileInvalid):
    """A table cannot be understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: the line of the file on which it begins, and its cells, stripped."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table: the first row that is not empty is the header; each of the others has as many cells as it."""

    name: str
    header: Row
    rows: tuple[Row, ...]


def read_sheet(data: bytes, *, name: str, known: Collection[str], encoding: str | None = None) -> Sheet:
    """Read a table. `known` are the headers (as `plain_header` gives them) by which its separator is told.

    Raises SheetInvalid for what is no table, for another encoding than the one said, and for what is too large.
    """
    if len(data) > MAX_BYTES:
        raise SheetInvalid(name, None, f"is larger than {MAX_BYTES // 2**20} MiB")
    text = decode(data, name=name, encoding=encoding, fail=SheetInvalid)
    text = text.rstrip("\x1a")  # the end of a file, as DOS wrote it
    said = _SEPARATOR_SAID.match(text)
    lines_before = 1 if said else 0
    separator = said[1] if said else _separator(text, known)
    rows = list(_rows(text[said.end() :] if said else text, separator, name, lines_before))
    if not rows:
        raise SheetInvalid(name, 1, "there is nothing in it: a first line with the columns' names is needed")
    width = len(rows[0].cells)
    return Sheet(name=name, header=rows[0], rows=tuple(_fitted(row, width, name) for row in rows[1:]))


def write_sheet(header: Sequence[str], rows: Iterable[Sequence[Cell]], *, bom: bool = True) -> bytes:
    """Write a table as UTF-8, lines ended by CR LF (RFC 4180).

    With `bom` it is for spreadsheets: a byte-order mark, and whole numbers of more than 15 digits as text behind an
    apostrophe, since a spreadsheet would round them. Without, it is for programs. Formulas are harmless in both.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([protect(name) for name in header])
    for row in rows:
        writer.writerow([_written(cell, spreadsheet=bom) for cell in row])
    return out.getvalue().encode("utf-8-sig" if bom else "utf-8")


def plain_header(text: str) -> str:
    """A column's name without case, spaces and signs: `IFPA #` and `ifpa` are the same column."""
    return "".join(character for character in text.casefold() if character.isalnum())


def protect(text: str) -> str:
    """A text that no spreadsheet runs: an apostrophe before what begins like a formula, wherever a cell may begin."""
    return _TO_PROTECT.sub(r"\1'", text)


def unprotect(text: str) -> str:
    """The text as it was before `protect`."""
    return _PROTECTED.sub(r"\1", text)


def _written(cell: Cell, *, spreadsheet: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int):
        return f"'{cell}" if spreadsheet and abs(cell) >= 10**EXACT_DIGITS else str(cell)
    return protect(cell)


def _separator(text: str, known: Collection[str]) -> str:
    """The separator by which the first line has the most columns that are known."""
    first = next((line for line in text[: MAX_CELL * 4].splitlines() if line.strip(SEPARATORS + " ")), "")

    def found(separator: str) -> tuple[int, int]:
        cells = next(csv.reader([first], delimiter=separator), [])
        return sum(plain_header(cell) in known for cell in cells), len(cells)

    return max(SEPARATORS, key=found)


def _rows(text: str, separator: str, name: str, line: int) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    count = 0
    while True:
        begins = line + reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise SheetInvalid(name, begins, _problem(error)) from None
        if cells is None:
            return
        if not any(_stripped(cell).strip() for cell in cells):
            continue
        count += 1
        if count > MAX_ROWS + 1:
            raise SheetInvalid(name, begins, f"more than {MAX_ROWS} rows")
        if len(cells) > MAX_COLUMNS:
            raise SheetInvalid(name, begins, f"more than {MAX_COLUMNS} columns")
        if any(len(cell) > MAX_CELL for cell in cells):
            raise SheetInvalid(name, begins, f"a cell of more than {MAX_CELL} characters: is a quote not closed?")
        if any("\0" in cell for cell in cells):
            raise SheetInvalid(name, begins, "a NUL character: this is no text")
        yield Row(line=begins, cells=tuple(_stripped(cell) for cell in cells))


def _stripped(cell: str) -> str:
    return unprotect(cell.strip(" \u00a0"))


def _problem(error: csv.Error) -> str:
    if "end of data" in str(error):
        return "a quote is opened here and never closed"
    if "field larger" in str(error):
        return "a cell is far too long: is a quote not closed?"
    return "a quote within a cell is not doubled, or a quoted cell goes on after its closing quote"


def _fitted(row: Row, width: int, name: str) -> Row:
    if any(row.cells[width:]):
        raise SheetInvalid(name, row.line, f"{len(row.cells)} cells, but the first line names {width} columns")
    return Row(line=row.line, cells=(*row.cells, *("",) * (width - len(row.cells)))[:width])
