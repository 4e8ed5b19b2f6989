"""People and agents that may come in: passwords by argon2, opaque session and agent tokens by their SHA-256.

Times are arguments. A password check takes a fifth of a second on purpose: call it in a worker thread. The invariant:
whoever steals the database can log in as nobody.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from bridge.wire.topics import ID_PATTERN
from server.core.venue.outcomes import ROLES, Actor
from server.errors import InputInvalid
from server.store import people
from server.store.database import Store
from server.store.people import AccountRow, SessionRow

NAME = re.compile(r"[^\s:\x00-\x1f\x7f](?:[^:\x00-\x1f\x7f]{0,38}[^\s:\x00-\x1f\x7f])?")
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 200
TOKEN_BYTES = 32
LONGEST_TOKEN = 128
LONGEST_PLAYER = 40
SESSIONS_KEPT_MS = 30 * 24 * 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A person who may log in; `player` is the id by which tournaments know them, where they play themselves."""

    name: str
    roles: frozenset[str]
    player: str | None = None

    @property
    def actor(self) -> Actor:
        """The person as the core knows them."""
        return Actor(name=self.name, roles=self.roles, player=self.player)


class Accounts:
    """Everybody who may come in. Any thread may ask."""

    def __init__(self, store: Store, *, cheap: bool = False) -> None:
        """`cheap` makes hashes that are quick and weak: for tests and the demo only."""
        hasher = Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1) if cheap else Argon2Hasher()
        self._engine = store.engine
        self._hash = PasswordHash((hasher,))
        self._nobody = self._hash.hash("nobody has this password")

    def add_user(
        self, name: str, roles: frozenset[str], password: str, *, now: int, player: str | None = None
    ) -> Account:
        """Add a person. Raises InputInvalid for a bad name, role, player or password, and where the name is taken."""
        if not NAME.fullmatch(name) or name == "server":
            raise InputInvalid(f"{name!r} is no name: 1 to 40 characters without a colon, no spaces at the ends")
        if not roles or not roles <= set(ROLES):
            raise InputInvalid(
                f"role {' '.join(sorted(roles - set(ROLES)))!r} is unknown: there are {', '.join(ROLES)}"
            )
        _check_password(password)
        _check_player(player)
        kept = " ".join(sorted(roles))
        row = AccountRow(name=name, roles=kept, password=self._hash.hash(password), created=now, player=player)
        if not people.add_account(self._engine, row):
            raise InputInvalid(f"there is a user {name} already")
        return Account(name=name, roles=roles, player=player)

    def set_player(self, name: str, player: str | None) -> None:
        """Say which player a person is, or that they are none. Raises InputInvalid."""
        _check_player(player)
        if self.find(name) is None:
            raise InputInvalid(f"there is no user {name}")
        people.set_player(self._engine, name, player)

    def set_password(self, name: str, password: str) -> None:
        """A new password; every session of the person ends."""
        _check_password(password)
        if self.find(name) is None:
            raise InputInvalid(f"there is no user {name}")
        people.set_password(self._engine, name, self._hash.hash(password))

    def find(self, name: str) -> Account | None:
        """The person of that name."""
        row = people.find_account(self._engine, name[:LONGEST_TOKEN])
        return None if row is None else _account(row)

    def users(self) -> list[Account]:
        """Everybody, by name."""
        return [_account(row) for row in people.all_accounts(self._engine)]

    def verify(self, name: str, password: str) -> Account | None:
        """The person, if the password is theirs. Takes as long for a name that nobody has."""
        row = people.find_account(self._engine, name[:LONGEST_TOKEN])
        known = self._hash.verify(password[:LONGEST_PASSWORD], self._nobody if row is None else row.password)
        return _account(row) if known and row is not None else None

    def keep_session(self, digest: str, name: str, *, now: int) -> None:
        """Begin a session; `digest` is the SHA-256 of its token. Very old ones are forgotten."""
        people.forget_sessions(self._engine, now - SESSIONS_KEPT_MS)
        people.add_session(self._engine, SessionRow(digest=digest, account=name, created=now, used=now))

    def session(self, digest: str) -> tuple[SessionRow, Account] | None:
        """A session and its person; whether it is still alive is the caller's to judge."""
        found = people.find_session(self._engine, digest)
        return None if found is None else (found[0], _account(found[1]))

    def touch_session(self, digest: str, *, now: int) -> None:
        """Write down its last use."""
        people.touch_session(self._engine, digest, now)

    def end_session(self, digest: str) -> None:
        """Log out."""
        people.end_sessions(self._engine, digest=digest)

    def end_sessions(self, name: str) -> None:
        """Log a person out everywhere."""
        people.end_sessions(self._engine, account_name=name)

    def add_agent(self, name: str, *, now: int, renew: bool = False) -> str:
        """Add an agent (or give it a new token) and return its token: shown once. Raises InputInvalid."""
        if not re.fullmatch(ID_PATTERN, name):
            raise InputInvalid(f"{name!r} is no agent's name: 1 to 40 small letters, digits or hyphens")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        if renew:
            if not people.renew_agent(self._engine, name, _digest(token)):
                raise InputInvalid(f"there is no agent {name}: add it without --renew")
        elif not people.add_agent(self._engine, name, _digest(token), now):
            raise InputInvalid(f"there is an agent {name} already: --renew gives it a new token")
        return token

    def agent(self, token: str) -> str | None:
        """The agent with this token."""
        if not token or len(token) > LONGEST_TOKEN or not token.isascii():
            return None
        return people.find_agent(self._engine, _digest(token))

    def agents(self) -> list[str]:
        """The agents that were added."""
        return list(people.all_agents(self._engine))


def _account(row: AccountRow) -> Account:
    return Account(name=row.name, roles=frozenset(row.roles.split()), player=row.player)


def _check_player(player: str | None) -> None:
    if player is not None and not 1 <= len(player) <= LONGEST_PLAYER:
        raise InputInvalid(f"a player's id has 1 to {LONGEST_PLAYER} characters, as in the tournament file")


def _check_password(password: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise InputInvalid(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("ascii")).hexdigest()
