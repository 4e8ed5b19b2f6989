"""The server's incarnation: a number born with each opening of the ledger, so that agents notice a restored backup.

It must rise at every opening, also when the file that is opened is an older copy which has forgotten later numbers.
So it is the time in microseconds, or more where the database, or anyone met since (a retained status, an agent that
remembers), knows a higher one; and up to a second is added by chance, so that two histories of one ledger do not come
to the same number even when the clock stood still. A clock that was set back costs one more birth, never a stall.
"""

import secrets
from collections.abc import Callable

from sqlalchemy import Connection, func, insert, select

from bridge.wire.strict import WHOLE_LIMIT
from server.store.schema import incarnation

BELIEVED = WHOLE_LIMIT // 2
"""A number above this was made up: as microseconds since 1970 it lies in the year 2112."""


def begin(connection: Connection, now: int, *, above: int = 0, chance: Callable[[int], int] = secrets.randbelow) -> int:
    """Record a new incarnation and return it. `now` in ms since the Unix epoch; `above`: a number met elsewhere."""
    known = connection.execute(select(func.coalesce(func.max(incarnation.c.number), 0))).scalar_one()
    met = above if above <= BELIEVED else 0
    number = max(known, now * 1000, met) + 1 + chance(1_000_000)
    connection.execute(insert(incarnation), {"number": number, "opened_at": now})
    return int(number)
