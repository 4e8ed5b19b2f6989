"""Tables of who may come in: people with their password hashes and who they are at play, sessions, agents' tokens.

No secret is ever stored, only what cannot be turned back. All raise StoreUnavailable where the database does not do
it (a full disk, a lock that is not let go). The invariant: a name is there once.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Column, Connection, Engine, String, Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from server.errors import StoreUnavailable
from server.store import engine as store
from server.store.schema import Big, metadata

account = Table(
    "account",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("roles", String(120), nullable=False),
    Column("password", String(300), nullable=False),
    Column("created", Big, nullable=False),
)

playing = Table(
    "playing",
    metadata,
    Column("account", String(40), primary_key=True),
    Column("player", String(40), nullable=False),
)

session = Table(
    "session",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("account", String(40), nullable=False, index=True),
    Column("created", Big, nullable=False),
    Column("used", Big, nullable=False),
)

agent = Table(
    "agent",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),
    Column("created", Big, nullable=False),
)


_PEOPLE = select(account, playing.c.player).outerjoin_from(account, playing, account.c.name == playing.c.account)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountRow:
    """A person; `password` is an argon2 hash, `roles` are separated by spaces, `player` is who that is at play."""

    name: str
    roles: str
    password: str
    created: int
    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """A session by the SHA-256 of its token."""

    digest: str
    account: str
    created: int
    used: int


def add_account(engine: Engine, row: AccountRow) -> bool:
    """False where the name is taken."""
    try:
        with _writing(engine) as connection:
            connection.execute(
                insert(account),
                {"name": row.name, "roles": row.roles, "password": row.password, "created": row.created},
            )
            if row.player is not None:
                connection.execute(insert(playing), {"account": row.name, "player": row.player})
    except IntegrityError:
        return False
    return True


def set_password(engine: Engine, name: str, password: str) -> None:
    """A new hash; all sessions of the account end."""
    with _writing(engine) as connection:
        connection.execute(update(account).where(account.c.name == name).values(password=password))
        connection.execute(delete(session).where(session.c.account == name))


def find_account(engine: Engine, name: str) -> AccountRow | None:
    """The person of that name."""
    with _reading(engine) as connection:
        row = connection.execute(_PEOPLE.where(account.c.name == name)).one_or_none()
    return None if row is None else AccountRow(**row._mapping)  # noqa: SLF001 - public in SQLAlchemy


def set_player(engine: Engine, name: str, player: str | None) -> None:
    """Which player a person is; None takes it back."""
    with _writing(engine) as connection:
        connection.execute(delete(playing).where(playing.c.account == name))
        if player is not None:
            connection.execute(insert(playing), {"account": name, "player": player})


def all_accounts(engine: Engine) -> Sequence[AccountRow]:
    """Everybody, by name."""
    with _reading(engine) as connection:
        return [AccountRow(**row._mapping) for row in connection.execute(_PEOPLE.order_by(account.c.name))]  # noqa: SLF001


def add_session(engine: Engine, row: SessionRow) -> None:
    """Keep a session."""
    values = {"digest": row.digest, "account": row.account, "created": row.created, "used": row.used}
    with _writing(engine) as connection:
        connection.execute(insert(session), values)


def find_session(engine: Engine, digest: str) -> tuple[SessionRow, AccountRow] | None:
    """A session and its person, if both are there."""
    query = select(session).where(session.c.digest == digest)
    with _reading(engine) as connection:
        row = connection.execute(query).one_or_none()
        if row is None:
            return None
        found = SessionRow(**row._mapping)  # noqa: SLF001
        person = connection.execute(_PEOPLE.where(account.c.name == found.account)).one_or_none()
    return None if person is None else (found, AccountRow(**person._mapping))  # noqa: SLF001


def touch_session(engine: Engine, digest: str, used: int) -> None:
    """Write down its last use."""
    with _writing(engine) as connection:
        connection.execute(update(session).where(session.c.digest == digest).values(used=used))


def end_sessions(engine: Engine, *, digest: str | None = None, account_name: str | None = None) -> None:
    """End one session, or all of a person."""
    chosen = session.c.digest == digest if digest is not None else session.c.account == account_name
    with _writing(engine) as connection:
        connection.execute(delete(session).where(chosen))


def forget_sessions(engine: Engine, before: int) -> None:
    """Delete sessions that were made before a moment."""
    with _writing(engine) as connection:
        connection.execute(delete(session).where(session.c.created < before))


def add_agent(engine: Engine, name: str, token: str, created: int) -> bool:
    """False where the name is taken. `token` is the token's SHA-256."""
    try:
        with _writing(engine) as connection:
            connection.execute(insert(agent), {"name": name, "token": token, "created": created})
    except IntegrityError:
        return False
    return True


def renew_agent(engine: Engine, name: str, token: str) -> bool:
    """A new token for an agent; the old one opens nothing any more. False where there is no such agent."""
    with _writing(engine) as connection:
        done = connection.execute(update(agent).where(agent.c.name == name).values(token=token))
    return done.rowcount == 1


def find_agent(engine: Engine, token: str) -> str | None:
    """The agent whose token has this SHA-256."""
    with _reading(engine) as connection:
        found = connection.execute(select(agent.c.name).where(agent.c.token == token)).scalar()
    return None if found is None else str(found)


def all_agents(engine: Engine) -> Sequence[str]:
    """The agents' names."""
    with _reading(engine) as connection:
        return list(connection.scalars(select(agent.c.name).order_by(agent.c.name)))


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    with _plainly(), store.writing(engine) as connection:
        yield connection


@contextmanager
def _reading(engine: Engine) -> Iterator[Connection]:
    with _plainly(), store.reading(engine) as connection:
        yield connection


@contextmanager
def _plainly() -> Iterator[None]:
    try:
        yield
    except IntegrityError:
        raise
    except SQLAlchemyError as error:
        raise StoreUnavailable(f"the database does not take it: {store.told(error)}") from error
