"""The outbox's file: born whole, locked to one process, checked at opening, and never simply thrown away.

Beside `outbox.db` lie `-wal` (SQLite's), `.lock`, and `.seen`: the last seq that was ever durable, written after each
commit. A database that knows less than `.seen` lost its tail. A swap after damage passes through `.ready`, so that a
power cut at any moment of it leaves either the old file or the new one with all that could be saved.
"""

import fcntl
import json
import os
import sqlite3
import time
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from bridge.errors import BridgeError, OutboxBusy, OutboxDamaged, OutboxFull, WireInvalid
from bridge.outbox_salvage import Saved, salvage
from bridge.wire.frame import Entry, check_body
from bridge.wire.ids import new_id

PUT = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entry (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, machine TEXT, at TEXT NOT NULL,
                    body TEXT NOT NULL, sum INTEGER NOT NULL, aged INTEGER);
"""
INSERT = "INSERT INTO entry (seq, id, kind, machine, at, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?)"
_ROWS = "SELECT seq, id, kind, machine, at, body, sum FROM entry"
_SCARCE = 256 * 1024
"""Bytes free below which an input-output error is the full disk's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """What happened to a file: where it is kept and one line for a person."""

    aside: str
    saved: int
    told: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """From the text that `meta` keeps."""
        return cls(**json.loads(text))


class OutboxFile:
    """An open, locked, healthy file."""

    def __init__(self, path: Path, db: sqlite3.Connection, lock: int) -> None:
        self.path = path
        self.db = db
        self._lock = lock
        self._seen = os.open(_beside(path, ".seen"), os.O_RDWR | os.O_CREAT, 0o600)

    def witness(self, stream: str, head: int) -> None:
        """Note that this much is durable. Not synchronised: it may know less than the database, never more."""
        os.pwrite(self._seen, f"{stream} {head:020d}\n".encode(), 0)

    def size(self) -> int:
        """Bytes in use."""
        pages, free, size = (
            self.db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)

    def close(self) -> None:
        """Let go of everything."""
        self.db.close()
        for descriptor in (self._seen, self._lock):
            if descriptor >= 0:
                os.close(descriptor)
        self._seen = self._lock = -1


def open_file(path: Path) -> OutboxFile:
    """Open the outbox at this path, making it where there is none and saving what can be read where it is damaged."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _locked(path)
    except OSError as error:
        raise BridgeError(f"{path}: {error.strerror}") from error
    try:
        db = _opened(path)
    except sqlite3.Error as error:
        os.close(lock)
        raise explained(path, error) from error
    except OSError as error:
        os.close(lock)
        raise _of_system(path, error) from error
    except BaseException:
        os.close(lock)
        raise
    return OutboxFile(path, db, lock)


def entry_of(row: tuple[Any, ...]) -> Entry:
    """The entry that a row holds; raises ValueError or WireInvalid where its text is not what was written."""
    seq, name, kind, machine, at, body, written = row
    if checksum(name, kind, machine, at, body) != written:
        raise ValueError(f"fact {seq} is damaged")
    return Entry.read(
        {"seq": seq, "id": name, "kind": kind, "machine": machine, "at": json.loads(at), "body": json.loads(body)}
    )


def row_of(entry: Entry) -> tuple[int, str, str, str | None, str, str, int]:
    """The row that holds an entry; raises WireInvalid for a body that could not be sent."""
    at, body = entry.at.model_dump_json(), check_body(entry.body)
    return (
        *(entry.seq, entry.id, entry.kind, entry.machine, at, body),
        checksum(entry.id, entry.kind, entry.machine, at, body),
    )


def checksum(*texts: str | None) -> int:
    """SQLite does not notice a changed digit within a row; this does."""
    return zlib.crc32("\x1f".join(text or "" for text in texts).encode())


def explained(path: Path, error: sqlite3.Error) -> BridgeError:
    """The error that says whose fault it is and what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _free(path) < _SCARCE):
        return OutboxFull(f"{path}: the disk is full; nothing was written: free some space")
    if code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY}:
        return BridgeError(f"{path}: {error}: another program or its permissions are in the way")
    return OutboxDamaged(f"{path}: {error}: start the agent again, which saves what can be read")


def _opened(path: Path) -> sqlite3.Connection:
    ready = _beside(path, ".ready")
    if ready.exists():
        _swap(path, ready)
    if not path.exists():
        seen = _seen(path)
        why = f"the file is gone, of which {seen[1]} facts were known" if seen and seen[1] else None
        _replace(path, Saved(), why) if why else _build(path, Saved(), None)
    db, why = _checked(path)
    if why is not None:
        _replace(path, salvage(path, entry_of), why)
        db, why = _checked(path)
    if db is None or why is not None:
        raise OutboxDamaged(f"{path}: {why}; a new file fails too: is the disk failing?")
    return db


def _checked(path: Path) -> tuple[sqlite3.Connection | None, str | None]:
    """The open database, or why it cannot be trusted."""
    if path.stat().st_size == 0:
        return None, "the file is empty"
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        why = _trouble(path, db)
    except sqlite3.DatabaseError as error:
        db.close()
        if isinstance(explained(path, error), OutboxDamaged):
            return None, str(error)
        raise
    if why is not None:
        db.close()
        return None, why
    return db, None


def _trouble(path: Path, db: sqlite3.Connection) -> str | None:
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    if path.stat().st_size % db.execute("PRAGMA page_size").fetchone()[0]:
        return "the file was cut"
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        return str(found)
    try:
        for row in db.execute(_ROWS):
            entry_of(row)
    except (ValueError, WireInvalid) as error:
        return str(error)
    meta = dict(db.execute("SELECT name, value FROM meta"))
    if "stream" not in meta:
        return "the file holds no stream"
    head = max(int(meta["head"]), db.execute("SELECT max(seq) FROM entry").fetchone()[0] or 0)
    seen = _seen(path)
    if seen and seen[0] == meta["stream"] and seen[1] > head:
        return f"the file was set back: it ends at fact {head}, but {seen[1]} had been kept"
    if seen and seen[0] not in {meta["stream"], meta.get("previous")}:
        return "the file was set back: it holds an earlier stream"
    return None


def _replace(path: Path, saved: Saved, why: str) -> None:
    """Put a new file in the place of a damaged one, which is kept; whatever moment the power fails, nothing is lost."""
    aside = f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}"
    while path.with_name(aside).exists():
        aside += "x"
    seen = _seen(path)
    missing = saved.missing(through=seen[1] if seen and seen[0] == saved.stream else 0)
    lost = f"{missing} are missing" if missing else "some may be missing"
    told = f"outbox damaged: {why}; {len(saved.entries)} facts saved, {lost}: check this agent's games; kept: {aside}"
    _build(_beside(path, ".ready"), saved, Damage(aside=aside, saved=len(saved.entries), told=told))
    _swap(path, _beside(path, ".ready"))


def _build(target: Path, saved: Saved, damage: Damage | None) -> None:
    """Make a whole file elsewhere, then give it its name at once."""
    new = _beside(target, ".new")
    for old in (new, _beside(new, "-journal")):
        old.unlink(missing_ok=True)
    db = sqlite3.connect(new, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous=FULL")
        db.executescript(f"BEGIN; {_SCHEMA}")
        meta = {
            "stream": new_id(),
            "head": len(saved.entries),
            "acked": 0,
            "incarnation": saved.incarnation,
            "session": 0,
        }
        if damage is not None:
            meta["damage"] = json.dumps(asdict(damage))
        db.executemany(PUT, [(name, str(value)) for name, value in meta.items()])
        rows = (entry.model_copy(update={"seq": seq}) for seq, entry in enumerate(saved.entries, 1))
        db.executemany(INSERT, [row_of(entry) for entry in rows])
        db.execute("COMMIT")
    finally:
        db.close()
    new.rename(target)
    _sync(target.parent)


def _swap(path: Path, ready: Path) -> None:
    db = sqlite3.connect(ready)
    try:
        told = db.execute("SELECT value FROM meta WHERE name = 'damage'").fetchone()[0]
    finally:
        db.close()
    aside = path.with_name(Damage.parse(told).aside)
    for suffix in ("-wal", "-shm", ".seen", ""):
        if _beside(path, suffix).exists():
            _beside(path, suffix).rename(_beside(aside, suffix))
    ready.rename(path)
    _sync(path.parent)


def _seen(path: Path) -> tuple[str, int] | None:
    try:
        stream, head = _beside(path, ".seen").read_bytes()[:64].decode("ascii").split()
        return stream, int(head)
    except (OSError, ValueError):
        return None


def _locked(path: Path) -> int:
    lock = os.open(_beside(path, ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise OutboxBusy(f"{path}: another agent uses this outbox: stop it, or give this one its own") from error
    return lock


def _of_system(path: Path, error: OSError) -> BridgeError:
    if _free(path) < _SCARCE:
        return OutboxFull(f"{path}: the disk is full; nothing was written: free some space")
    return BridgeError(f"{path}: {error.strerror}")


def _free(path: Path) -> int:
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return 0
    return disk.f_bavail * disk.f_frsize


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
