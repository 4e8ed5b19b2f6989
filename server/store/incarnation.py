"""The server's incarnation: a number born with each opening of the ledger, so that agents notice a restored backup.

It must rise at every opening, also when the file that is opened is an older copy which has forgotten later numbers.
So it is the time in milliseconds, or more where the database, or anyone met since (a retained status, an agent that
remembers), knows a higher one. A clock that was set back costs one more birth, never a stall.
"""

from sqlalchemy import Connection, func, insert, select

from bridge.wire.strict import WHOLE_LIMIT
from server.store.schema import incarnation

BELIEVED = WHOLE_LIMIT // 2
"""A number above this was made up: numbers start as milliseconds since 1970 and rise by one."""


def begin(connection: Connection, now: int, *, above: int = 0) -> int:
    """Record a new incarnation and return it. `now` in ms since the Unix epoch; `above`: a number met elsewhere."""
    known = connection.execute(select(func.coalesce(func.max(incarnation.c.number), 0))).scalar_one()
    met = above if above <= BELIEVED else 0
    number = max(known + 1, now, met + 1)
    connection.execute(insert(incarnation), {"number": number, "opened_at": now})
    return int(number)
