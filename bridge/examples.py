"""Labelled examples from files: a `labels.csv` with the pictures beside it, as one writes it or the server exports it.

Only names and labels are read here, and checked; pictures are opened by whoever wants to see them. Invariant: a file
that a label names lies below the label's own folder, and each label is a whole number or the line says what is wrong.

Columns: `file` (a picture, or a dump of dots) and `value` (its number; empty: shows none, passed over); if wanted
`player` and, for a dump, `at` (the frame's time in milliseconds, or as the dump writes it: 0x0001d4c0). Others are
not looked at.
"""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bridge.errors import InputInvalid

LABELS = "labels.csv"
MOST_LABELS = 20_000
_MOST_BYTES = 8 * 2**20
_SEPARATORS = str.maketrans("", "", ",.' \u2019\u00a0\u202f")
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One label. `name` is for people; `at` the time of a dump's frame; `player` whose number it is, if said."""

    name: str
    path: Path
    value: int
    player: int | None = None
    at: int | None = None


def load_examples(place: Path) -> list[Example]:
    """The labels of a folder (its labels.csv) or of a CSV file, in its order.

    Raises InputInvalid with one line: file, line and what is needed.
    """
    file = place / LABELS if place.is_dir() else place
    text = _read(file)
    lines = io.StringIO(text, newline=None)  # however its lines end
    rows = csv.DictReader(lines, delimiter=_delimiter(text), strict=True)
    try:
        names = [name.strip().lower() for name in rows.fieldnames or ()]
        if not {"file", "value"} <= set(names):
            raise InputInvalid(f"{file}: its first line must name the columns file and value (and player, at)")
        if twice := next((name for name in ("file", "value", "player", "at") if names.count(name) > 1), None):
            raise InputInvalid(f"{file}: its first line names the column {twice} twice")
        rows.fieldnames = names
        return list(_examples(rows, file))
    except csv.Error as error:
        raise InputInvalid(f"{file}, line {rows.line_num}: {error}") from None


def refuse_contradictions(examples: Iterable[Example]) -> None:
    """Raises InputInvalid where one picture is labelled with two numbers of one player."""
    seen: dict[tuple[Path, int | None, int | None], int] = {}
    for example in examples:
        before = seen.setdefault((example.path, example.at, example.player), example.value)
        if before != example.value:
            raise InputInvalid(
                f"{example.name} is labelled {before:,} and {example.value:,}: take the wrong label out, or say in a"
                " column player whose number each is"
            )


def _examples(rows: "csv.DictReader[str]", file: Path) -> Iterator[Example]:
    count = 0
    for row in rows:
        where = f"{file}, line {rows.line_num}"
        name, text = (row.get("file") or "").strip(), (row.get("value") or "").strip()
        if not name and not text:
            continue
        count += 1
        if count > MOST_LABELS:
            raise InputInvalid(f"{where}: more than {MOST_LABELS} labels: teach from a part of them")
        at = _number(row.get("at"), where, "at", 0, 2**40)
        if text:
            shown = name if at is None else f"{name} at {at}"
            yield Example(
                name=shown, path=_below(file.parent, name, where), value=_value(text, where),
                player=_number(row.get("player"), where, "player", 1, 16), at=at,
            )  # fmt: skip


def _below(folder: Path, name: str, where: str) -> Path:
    path = Path(name)
    if not name or path.is_absolute() or ".." in path.parts or not name.isprintable() or len(name) > 300:
        raise InputInvalid(f"{where}: a file must lie beside {LABELS} or below it, not {name[:60]!r}")
    return folder / path


def _value(text: str, where: str) -> int:
    digits = text.translate(_SEPARATORS)
    if not re.fullmatch(rf"[0-9]{{1,{_MOST_DIGITS}}}", digits):
        raise InputInvalid(f"{where}: a value is a whole number of at most {_MOST_DIGITS} digits, not {text[:40]!r}")
    return int(digits)


def _number(text: str | None, where: str, what: str, least: int, most: int) -> int | None:
    if text is None or not text.strip():
        return None
    try:
        value = int(text.strip(), 16 if text.strip().lower().startswith("0x") else 10)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise InputInvalid(f"{where}: {what} is a whole number from {least}, not {text[:40]!r}")
    return value


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = os.strerror(error.errno or 0) if isinstance(error, OSError) else str(error)
        hint = f"; a folder of examples holds a {LABELS} with the columns file and value" if file.name == LABELS else ""
        raise InputInvalid(f"cannot read {file}: {why}{hint}") from None
    if len(data) > _MOST_BYTES:
        raise InputInvalid(f"{file}: larger than {_MOST_BYTES >> 20} MB: these are no labels")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputInvalid(f"{file}: not text in UTF-8: save it as CSV in UTF-8") from None


def _delimiter(text: str) -> str:
    """What spreadsheets of some countries write in place of the comma."""
    first = (text.splitlines() or [""])[0]
    return ";" if ";" in first and "," not in first else ","
