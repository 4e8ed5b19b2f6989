"""Reading what can still be read of a damaged outbox. It works on a copy: the damaged file itself is not touched.

Rows are read from the front until the damage and from the back until the damage; a row that is no proper entry is left
out. Nothing is guessed.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.errors import WireInvalid
from bridge.wire.frame import Entry

_ROWS = "SELECT seq, id, kind, machine, at, body, sum FROM entry ORDER BY seq "


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What was read: entries in the order of their old seq."""

    entries: tuple[Entry, ...] = ()
    stream: str | None = None
    incarnation: int = 0

    def missing(self, *, through: int) -> int:
        """How many facts are known to be missing between the first that was read and the last that ever was."""
        if not self.entries:
            return through
        return max(through, self.entries[-1].seq) - self.entries[0].seq + 1 - len(self.entries)


def salvage(path: Path, entry_of: Callable[[tuple[Any, ...]], Entry]) -> Saved:
    """Read what can be read of the database at this path and its write-ahead log. Raises OSError for a full disk."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".salvage-") as folder:
        copy = Path(folder) / "copy"
        shutil.copyfile(path, copy)
        log = path.with_name(path.name + "-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name("copy-wal"))
        db = sqlite3.connect(copy, isolation_level=None)
        try:
            meta = dict(_readable(db, "SELECT name, value FROM meta"))
            found = {}
            for order in ("ASC", "DESC"):
                for row in _readable(db, _ROWS + order):
                    entry = _entry(row, entry_of)
                    if entry is not None:
                        found[entry.seq] = entry
        finally:
            db.close()
    incarnation = str(meta.get("incarnation", ""))
    return Saved(
        entries=tuple(found[seq] for seq in sorted(found)),
        stream=meta.get("stream"),
        incarnation=int(incarnation) if incarnation.isdecimal() and len(incarnation) < 17 else 0,
    )


def _readable(db: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...]]:
    try:
        yield from db.execute(query)
    except (sqlite3.Error, UnicodeDecodeError):
        return


def _entry(row: tuple[Any, ...], entry_of: Callable[[tuple[Any, ...]], Entry]) -> Entry | None:
    try:
        return entry_of(row)
    except (WireInvalid, ValueError, TypeError, RecursionError):
        return None
