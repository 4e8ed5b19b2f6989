"""From bytes to text: by the mark at the file's beginning, else UTF-8, else as the person says.

Nothing is guessed: a wrong guess makes MÃ¼ller of Müller in every list that follows. Invariant: the text is what the
bytes say in that encoding, to the last one, or an error names the line.
"""

import codecs
from collections.abc import Callable

ENCODINGS = (
    "utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "cp1250", "cp1251", "latin-1", "iso-8859-15", "cp850",
    "mac-roman",
)  # fmt: skip
"""Encodings that a person may name."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_BINARY = {
    b"PK\x03\x04": "an Excel workbook, or another archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF",
}
"""What people take for a table, by its first bytes (PKWARE APPNOTE 4.3.7; MS-CFB 2.2; ISO 32000-1 7.5.2)."""

_SAY = "name its encoding (--encoding cp1252 for an old Windows program)"

Fail = Callable[[str, int | None, str], Exception]


def decode(data: bytes, *, name: str, encoding: str | None, fail: Fail) -> str:
    """The text in the bytes, without its mark. `fail(name, line, reason)` makes the error that is raised."""
    said = None if encoding is None else _known(encoding)
    if encoding is not None and said is None:
        raise fail(name, None, f"encoding {encoding[:40]!r} is unknown; there are {', '.join(ENCODINGS)}")
    binary = _BINARY.get(data[:4])
    if binary is not None:
        raise fail(name, None, f"this is {binary}: save the table as CSV, UTF-8")
    marked, body = _mark(data)
    if marked is not None:
        if said is not None and said not in {marked, marked.removesuffix("-le").removesuffix("-be")}:
            raise fail(name, 1, f"its first bytes say that this is {marked}, not {said}: leave the encoding out")
        return _strict(body, marked, name, fail)
    if said is None:
        if b"\0" in data[:4000]:
            raise fail(name, 1, "this is UTF-16 without its mark, or no text: save it as UTF-8")
        return _strict(data, "utf-8", name, fail)
    if said == "utf-16":
        raise fail(name, 1, "UTF-16 needs its mark at the beginning: say utf-16-le or utf-16-be")
    if not said.startswith("utf") and _is_utf8(data):
        raise fail(name, None, f"this is UTF-8, not {said}: leave the encoding out")
    return _strict(data, said, name, fail)


def _known(encoding: str) -> str | None:
    """The name as it stands in the list: `windows-1252` and `CP1252` are the same."""
    try:
        wanted = codecs.lookup(encoding.strip()[:40]).name
    except (LookupError, ValueError):
        return None
    return next((one for one in ENCODINGS if codecs.lookup(one).name == wanted), None)


def _mark(data: bytes) -> tuple[str | None, bytes]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, data[len(mark) :]
    return None, data


def _is_utf8(data: bytes) -> bool:
    """Whether there is more than ASCII in it and all of it is UTF-8, which no other encoding is by chance."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not data.isascii()


def _strict(data: bytes, encoding: str, name: str, fail: Fail) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "ignore")
        line = before.count("\n") + 1 if "\n" in before else before.count("\r") + 1
        odd = data[error.start]
        way = f": save it as UTF-8, or {_SAY}" if encoding == "utf-8" else ""
        raise fail(name, line, f"this is not {encoding.upper()} (byte {odd:#04x}){way}") from None
