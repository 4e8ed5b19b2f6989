"""How the store is opened: SQLite in WAL with full synchronisation, or another database by its URL.

A writing transaction on SQLite begins with BEGIN IMMEDIATE: a deferred one that comes to write too late fails in a way
that no waiting mends (SQLITE_BUSY_SNAPSHOT). Use `writing` and `reading`; a commit that returned is on disk.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from server.errors import StoreUnavailable
from server.store.schema import metadata

BUSY_MS = 10_000
"""How long a connection waits for another's write to end."""


def make_engine(url: str) -> Engine:
    """Open the store at a database URL, or at a path (which means SQLite there), and create the tables it lacks.

    Raises StoreUnavailable: the text names the place and what is wrong with it.
    """
    address = url if "://" in url else f"sqlite:///{Path(url)}"
    try:
        engine = create_engine(address)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _prepare)
            event.listen(engine, "begin", _begin)
        with writing(engine) as connection:
            metadata.create_all(connection)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise StoreUnavailable(f"database {shown(url)}: not an address of a database that is installed") from error
    except DBAPIError as error:
        raise StoreUnavailable(f"database {shown(url)}: {str(error.orig).splitlines()[0]}") from error
    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One writing transaction: committed when the block ends, rolled back when it raises."""
    with engine.connect().execution_options(write=True) as connection, connection.begin():
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One reading transaction: a snapshot that later writes do not disturb."""
    with engine.connect() as connection, connection.begin():
        yield connection


def _prepare(connection: Any, record: object) -> None:  # noqa: ANN401, ARG001  (a DB-API connection)
    connection.isolation_level = None  # SQLAlchemy's begin event says how a transaction begins, not the driver
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_MS}", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def told(error: Exception) -> str | None:
    """The database's own words in one line, or None where the error is none of the database's."""
    if not isinstance(error, SQLAlchemyError):
        return None
    inner = getattr(error, "orig", None) or error
    return str(inner).splitlines()[0] if str(inner) else type(inner).__name__


def shown(url: str) -> str:
    """The address without a password."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"
