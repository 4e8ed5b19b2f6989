"""Logged-in people: an opaque token in a cookie, its SHA-256 in the database, so that a stolen database opens nothing.

Pure but for the randomness of a new token: times are arguments. The one invariant: a session that is idle for too
long, or too old, or of an account that is gone, is no session.
"""

import hashlib
import secrets

from server.store.people import SessionRow

IDLE_MS = 12 * 3_600_000
"""A session ends after so long without a request: a tournament day."""
ABSOLUTE_MS = 4 * 24 * 3_600_000
"""And after so long in any case: the longest event is a long week-end."""
TOUCH_MS = 5 * 60_000
"""How often at most a session's last use is written down: reading a page must not mean writing to the disk."""
TOKEN_BYTES = 32
LONGEST = 128
"""Characters of a cookie that are looked at at all."""


def new_token() -> str:
    """256 random bits as text for a cookie."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(token: str) -> str | None:
    """What the database knows of a token; None for what cannot be one."""
    if not token or len(token) > LONGEST or not token.isascii():
        return None
    return hashlib.sha256(token.encode("ascii")).hexdigest()


def is_alive(session: SessionRow, *, now: int) -> bool:
    """Whether the session still counts."""
    return now - session.used <= IDLE_MS and now - session.created <= ABSOLUTE_MS


def needs_touch(session: SessionRow, *, now: int) -> bool:
    """Whether its last use is worth writing down."""
    return now - session.used >= TOUCH_MS


def cookie_name(*, secure: bool) -> str:
    """`__Host-` ties the cookie to this very host and to https; plain http in a hall cannot have it."""
    return "__Host-inlane" if secure else "inlane"
