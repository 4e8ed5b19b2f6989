"""The store as the rest of the server sees it: one object that reads, and one kind of transaction that writes.

No other package knows sqlalchemy, so its errors are told apart here. The invariant: a `writing` block that ended
without an error is on disk.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from bridge.wire.control import Ack
from bridge.wire.frame import Frame
from server.errors import StoreUnavailable
from server.store import inbox, incarnation, ledger, people, version
from server.store.engine import make_engine, reading, shown, told, writing
from server.store.inbox import Taken
from server.store.ledger import Record


@dataclass(slots=True)
class Writing:
    """An open writing transaction."""

    connection: Connection
    store: "Store"

    @property
    def incarnation(self) -> int:
        """The incarnation under which acknowledgements go out."""
        return self.store.incarnation

    def take(self, agent: str, frame: Frame, received_at: int) -> Taken:
        """What a frame brings."""
        return inbox.take(self.connection, agent, frame, received_at)

    def append(self, records: Sequence[Record], last: int) -> None:
        """Append to the ledger; `last` is the position that the writer counted for the last of them."""
        placed = ledger.append(self.connection, records)
        if placed and placed[-1].position != last:
            raise StoreUnavailable("another program writes this ledger: only one server may run on a database")

    def begin(self, now: int, above: int) -> int:
        """A new incarnation."""
        return incarnation.begin(self.connection, now, above=above)


PAGE = 1000
"""Rows fetched together when the whole ledger is read."""
_ALL = "SELECT position, at, kind, who, body, stream, seq FROM ledger ORDER BY position"
TABLES = people.account.metadata
"""All tables of the store: importing them here is what makes them known when a database is opened."""


class Store:
    """A database that is open."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.incarnation = 0

    @classmethod
    def open(cls, url: str) -> "Store":
        """Open the database at a URL or path, with its tables. Raises StoreUnavailable."""
        engine = make_engine(url)
        try:
            version.check(engine)
        except StoreUnavailable as error:
            engine.dispose()
            raise StoreUnavailable(f"database {shown(url)}: {error}") from None
        return cls(engine)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """One writing transaction."""
        with writing(self.engine) as connection:
            yield Writing(connection, self)

    def records(self, after: int, limit: int) -> list[Record]:
        """Records beyond a position."""
        with reading(self.engine) as connection:
            return ledger.read(connection, after, limit)

    def records_at(self, positions: Sequence[int]) -> list[Record]:
        """The records at these positions, in their order."""
        with reading(self.engine) as connection:
            return ledger.read_at(connection, positions)

    def check(self) -> str | None:
        """What is wrong with the database, in its own words; None if it can be read."""
        try:
            with reading(self.engine) as connection:
                ledger.tail(connection)
        except SQLAlchemyError as error:
            return told(error)
        return None

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The whole ledger in order, in one reading transaction: position, at, kind, who, body, stream, seq.

        The body is a fresh dict. Quicker than pages of `records`, which is felt at each start.
        """
        with reading(self.engine) as connection:
            found = connection.execution_options(yield_per=PAGE).exec_driver_sql(_ALL)
            for page in found.partitions(PAGE):
                bodies = json.loads(f"[{','.join([row[4] for row in page])}]")  # one call for all: half the time
                for (position, at, kind, who, _, stream, seq), body in zip(page, bodies, strict=True):
                    yield position, at, kind, who, body, stream, seq

    def cursor(self, stream: str) -> Ack:
        """How far a stream is committed."""
        with reading(self.engine) as connection:
            return inbox.standing(connection, stream, self.incarnation)

    def close(self) -> None:
        """Give the database back."""
        self.engine.dispose()
