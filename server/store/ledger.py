"""The ledger: records appended once and never edited, read in the order of their positions.

All functions work inside the caller's open transaction. Positions are 1, 2, 3… without holes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, func, insert, select

from server.store.schema import ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One event of the ledger."""

    position: int = 0
    """0 until it is appended."""
    at: int
    """Milliseconds since the Unix epoch, by the server."""
    kind: str
    who: str
    """`user:NAME`, `agent:ID` or `server`."""
    tournament: str | None = None
    body: Mapping[str, Any]
    stream: str | None = None
    """With `seq`: where the fact came from."""
    seq: int | None = None


def append(connection: Connection, records: Sequence[Record]) -> list[Record]:
    """Append in this order and return the records with their positions. The transaction must be a writing one."""
    if not records:
        return []
    next_position = tail(connection) + 1
    placed = [replace(record, position=next_position + number) for number, record in enumerate(records)]
    connection.execute(
        insert(ledger),
        [
            {
                "position": record.position,
                "at": record.at,
                "kind": record.kind,
                "who": record.who,
                "tournament": record.tournament,
                "body": dict(record.body),
                "stream": record.stream,
                "seq": record.seq,
            }
            for record in placed
        ],
    )
    return placed


def read(connection: Connection, after: int = 0, limit: int = 1000) -> list[Record]:
    """The next records beyond a position, at most `limit`."""
    found = connection.execute(select(ledger).where(ledger.c.position > after).order_by(ledger.c.position).limit(limit))
    return [Record(**row._mapping) for row in found]  # noqa: SLF001  (a public attribute of SQLAlchemy's)


def read_at(connection: Connection, positions: Sequence[int]) -> list[Record]:
    """The records at these positions, in the ledger's order."""
    found = connection.execute(select(ledger).where(ledger.c.position.in_(positions)).order_by(ledger.c.position))
    return [Record(**row._mapping) for row in found]  # noqa: SLF001  (a public attribute of SQLAlchemy's)


def tail(connection: Connection) -> int:
    """The last position; 0 in an empty ledger."""
    return int(connection.execute(select(func.coalesce(func.max(ledger.c.position), 0))).scalar_one())
