"""The tables of the spine and the one MetaData that all tables of the store join. No queries here.

The ledger is only ever appended to. `fact` knows each fact's name for ever, which is why none counts twice; `stream`
holds the cursors; `parked` keeps what came too early; `incarnation` counts the openings of this database.
"""

import json
from typing import Any

from sqlalchemy import BigInteger, Column, Dialect, Index, Integer, MetaData, String, Table, Text, TypeDecorator

metadata = MetaData()
Big = BigInteger().with_variant(Integer, "sqlite")


class Json(TypeDecorator[Any]):
    """JSON as text in plain ASCII: whatever JSON can hold any database can store, surrogates and NUL too."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any | None, dialect: Dialect) -> str | None:  # noqa: ANN401, ARG002
        """To text."""
        return None if value is None else json.dumps(value, allow_nan=False, separators=(",", ":"))

    def process_result_value(self, value: Any | None, dialect: Dialect) -> Any:  # noqa: ANN401, ARG002
        """And back."""
        return None if value is None else json.loads(value)


ledger = Table(
    "ledger",
    metadata,
    Column("position", Big, primary_key=True, autoincrement=False),
    Column("at", Big, nullable=False),
    Column("kind", String(60), nullable=False),
    Column("who", String(120), nullable=False),
    Column("tournament", String(60)),
    Column("body", Json, nullable=False),
    Column("stream", String(36)),
    Column("seq", Big),
    Index("ledger_by_kind", "kind", "position"),
    Index("ledger_by_tournament", "tournament", "position"),
)

fact = Table(
    "fact",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("stream", String(36), nullable=False),
    Column("seq", Big, nullable=False),
    Index("fact_by_seq", "stream", "seq"),
    sqlite_with_rowid=False,
)

stream = Table(
    "stream",
    metadata,
    Column("stream", String(36), primary_key=True),
    Column("agent", String(40), nullable=False),
    Column("through", Big, nullable=False),
    Column("entry", String(36)),
    Column("first_at", Big, nullable=False),
    Column("last_at", Big, nullable=False),
)

parked = Table(
    "parked",
    metadata,
    Column("stream", String(36), primary_key=True),
    Column("seq", Big, primary_key=True, autoincrement=False),
    Column("entry", Json, nullable=False),
    Column("sent", Json, nullable=False),
    Column("received_at", Big, nullable=False),
)

incarnation = Table(
    "incarnation",
    metadata,
    Column("number", Big, primary_key=True, autoincrement=False),
    Column("opened_at", Big, nullable=False),
)
