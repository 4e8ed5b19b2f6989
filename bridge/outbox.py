"""The outbox: each fact is on disk here before anything else happens to it, and stays until the server has it.

SQLite, WAL, synchronous=FULL: when `append` returns, power may fail. A stream's id is born with the file; seq counts
1, 2, 3… A file that was damaged or set back is kept aside, and what can be read of it goes on in a new stream with
each fact's own id, by which the server knows what it already has: so nothing is lost twice or counted twice.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bridge import outbox_file
from bridge.errors import OutboxDamaged, OutboxFull, WireInvalid
from bridge.outbox_file import Damage
from bridge.wire.frame import At, Entry
from bridge.wire.ids import new_id

KEEP_MS = 7 * 24 * 3600 * 1000
"""Acknowledged facts are kept this long: the agents can refill a server that was restored from a backup."""
BYTES_LIMIT = 256 * 1024 * 1024
ROWS_LIMIT = 500_000


class Outbox:
    """One stream of facts on disk. Safe to use from several threads; one process only, which a lock enforces.

    Raises on opening: OutboxBusy where another process has it; OutboxFull where there is no room even to open it.
    """

    def __init__(self, path: str | Path, *, bytes_limit: int = BYTES_LIMIT, rows_limit: int = ROWS_LIMIT) -> None:
        self._lock = threading.RLock()
        self._limits = (bytes_limit, rows_limit)
        self._file = outbox_file.open_file(Path(path))
        self._db = self._file.db
        self._load()

    stream: str
    """The stream's id."""
    head: int
    """The last seq given; 0 in a new stream."""
    acked: int
    """The server has committed all up to here."""
    incarnation: int
    """The highest server incarnation met."""
    damage: Damage | None
    """What happened to the file before this one; None once `append_damage` has told it."""

    @property
    def floor(self) -> int:
        """The lowest seq still held; head + 1 where none is."""
        with self._lock:
            lowest = self._db.execute("SELECT min(seq) FROM entry").fetchone()[0]
        return self.head + 1 if lowest is None else int(lowest)

    @property
    def depth(self) -> int:
        """How many facts the server has not acknowledged."""
        return self.head - max(self.acked, self.floor - 1)

    @property
    def _rows(self) -> int:
        """How many facts are held: their seqs have no gaps, and counting them would read the whole file."""
        return self.head + 1 - self.floor

    def append(
        self, kind: str, machine: str | None, at: At, body: dict[str, Any], *, entry_id: str | None = None
    ) -> Entry:
        """Keep one fact; on disk when it returns. `entry_id`: a UUID of the caller's, else a new one.

        Raises WireInvalid for what could never be sent (ids, size), OutboxFull or OutboxDamaged: then nothing was
        written. A game's id had better not be made of a seq: a card that was set back gives the same seq again.
        """
        return self.append_many([(kind, machine, at, body)], ids=[entry_id or new_id()])[0]

    def append_many(
        self, facts: Sequence[tuple[str, str | None, At, dict[str, Any]]], *, ids: Sequence[str] | None = None
    ) -> list[Entry]:
        """Keep several facts in this order, all or none of them, with one synchronisation of the disk."""
        names = ids if ids is not None else [new_id() for _ in facts]
        with self._lock:
            entries = [
                Entry.read(
                    {"seq": self.head + number, "id": name, "kind": kind, "machine": machine, "at": at, "body": body}
                )
                for number, (name, (kind, machine, at, body)) in enumerate(zip(names, facts, strict=True), 1)
            ]
            rows = [outbox_file.row_of(entry) for entry in entries]
            with self._writing():
                self._make_room(sum(len(row[4]) + len(row[5]) for row in rows), len(rows))
                self._db.executemany(outbox_file.INSERT, rows)
            if entries:
                self.head = entries[-1].seq
                self._file.witness(self.stream, self.head)
        return entries

    def append_damage(self, at: At) -> Entry | None:
        """State once, as a fact, that the file before this one was damaged; None where there is nothing to tell."""
        with self._lock:
            if self.damage is None:
                return None
            body = {"fault": "outbox-damaged", "detail": self.damage.told[:500]}
            entry = Entry(seq=self.head + 1, id=new_id(), kind="fault.raised", machine=None, at=at, body=body)
            with self._writing():
                self._db.execute(outbox_file.INSERT, outbox_file.row_of(entry))
                self._db.execute("DELETE FROM meta WHERE name = 'damage'")
            self.damage = None
            self.head = entry.seq
            self._file.witness(self.stream, self.head)
        return entry

    def window(self, after: int, limit: int) -> list[Entry]:
        """The entries beyond this seq, in order, at most `limit`."""
        with self._lock:
            rows = self._db.execute(_WINDOW, (after, limit)).fetchall()
        try:
            return [outbox_file.entry_of(row) for row in rows]
        except (ValueError, WireInvalid) as error:
            raise OutboxDamaged(f"{self._file.path}: {error}: start the agent again, which saves the rest") from error

    def id_at(self, seq: int) -> str | None:
        """The id of the entry with this seq; None where none is held."""
        with self._lock:
            row = self._db.execute("SELECT id FROM entry WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else str(row[0])

    def mark(self, through: int, *, incarnation: int = 0, stream: str | None = None) -> None:
        """Remember the server's word that it has all up to `through`. A new incarnation may know less: it may fall.

        A word about another stream, or about more than there is, is ignored. It only spares sending again, so no fact
        waits for it to reach the disk: it gets there with the next fact.
        """
        with self._lock:
            if stream not in {None, self.stream} or through > self.head:
                return
            if (through, max(incarnation, self.incarnation)) == (self.acked, self.incarnation):
                return
            with self._writing(sync="NORMAL"):
                self._put(acked=str(through), incarnation=str(max(incarnation, self.incarnation)))
            self.acked, self.incarnation = through, max(incarnation, self.incarnation)

    def next_session(self) -> int:
        """The number of the next connection: 1, 2, 3… on disk when it returns."""
        with self._lock:
            number = int(self._get("session", "0")) + 1
            with self._writing():
                self._put(session=str(number))
        return number

    def prune(self, wall_ms: int, *, keep_ms: int = KEEP_MS) -> int:
        """Drop what is acknowledged and older than `keep_ms`, but the last fact; returns how many facts.

        The last one stays so that a server which forgot everything can be told, by the frame's floor, what is gone.
        Call it only when the wall clock (ms since the Unix epoch) is known to be set: a fact's age counts from the
        first call that sees it, so that no clock that was wrong can make it old.
        """
        with self._lock, self._writing():
            self._put(head=str(self.head))
            self._db.execute("UPDATE entry SET aged = ? WHERE aged IS NULL OR aged > ?", (wall_ms, wall_ms))
            old = (min(self.acked, self.head - 1), wall_ms - keep_ms)
            return self._db.execute("DELETE FROM entry WHERE seq <= ? AND aged <= ?", old).rowcount

    def renew(self) -> str:
        """Carry all that is held over into a new stream, in order and with each fact's id; returns the stream's id.

        For a card that was copied or set back: the server has met seqs of this stream that this file does not know.
        """
        with self._lock:
            rows = self._db.execute("SELECT seq FROM entry ORDER BY seq").fetchall()
            fresh = new_id()
            with self._writing():
                shift = self.head + len(rows) + 1  # first out of the way, so that no seq meets another
                self._db.execute("UPDATE entry SET seq = -(seq + ?)", (shift,))
                moves = [(number, -(row[0] + shift)) for number, row in enumerate(rows, 1)]
                self._db.executemany("UPDATE entry SET seq = ? WHERE seq = ?", moves)
                self._put(stream=fresh, previous=self.stream, acked="0", head=str(len(rows)), session="0")
            self._file.witness(fresh, len(rows))
            self._load()
        return fresh

    def close(self) -> None:
        """Let go of the file; once more does no harm."""
        with self._lock:
            self._file.close()

    def _load(self) -> None:
        self.stream = self._get("stream", "")
        highest = self._db.execute("SELECT max(seq) FROM entry").fetchone()[0] or 0
        self.head = max(int(self._get("head", "0")), highest)
        self.acked = int(self._get("acked", "0"))
        self.incarnation = int(self._get("incarnation", "0"))
        told = self._get("damage", "")
        self.damage = Damage.parse(told) if told else None

    def _get(self, name: str, default: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return default if row is None else str(row[0])

    def _put(self, **values: str) -> None:
        self._db.executemany(outbox_file.PUT, [*values.items()])

    def _make_room(self, size: int, count: int) -> None:
        """Within the limits, or OutboxFull; the oldest acknowledged facts give way, an unacknowledged one never."""
        most_bytes, most_rows = self._limits
        held_rows = self._rows
        if held_rows + count <= most_rows and self._file.size() + size <= most_bytes:
            return
        self._put(head=str(self.head))
        self._db.execute(
            "DELETE FROM entry WHERE seq IN (SELECT seq FROM entry WHERE seq <= ? ORDER BY seq LIMIT ?)",
            (min(self.acked, self.head - 1), max(count, held_rows // 10)),
        )
        if self._rows + count > most_rows or self._file.size() + size > most_bytes:
            raise OutboxFull(
                f"{self._file.path}: {self.depth} facts wait for the server and there is room for no more "
                f"(limits {most_rows} facts, {most_bytes} bytes): bring the server back"
            )

    @contextmanager
    def _writing(self, sync: str = "FULL") -> Iterator[None]:
        """One transaction. `sync`: FULL, on disk when it ends; NORMAL, with the next one that is FULL."""
        try:
            self._db.execute(f"PRAGMA synchronous = {sync}")
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._undo()
            raise outbox_file.explained(self._file.path, error) from error
        except BaseException:
            self._undo()
            raise

    def _undo(self) -> None:
        if self._db.in_transaction:
            try:
                self._db.execute("ROLLBACK")
            except sqlite3.Error as error:
                raise OutboxDamaged(f"{self._file.path}: {error}") from error


_WINDOW = "SELECT seq, id, kind, machine, at, body, sum FROM entry WHERE seq > ? ORDER BY seq LIMIT ?"
