"""The whole ledger as JSON lines: what the tournament file leaves out, with who and when.

Undone steps, readings, malfunctions, captures and quarantined entries are all in it, in the order in which they were
committed. It is for reading and for archives; `backup` is what a server is restored from. The invariant: a line is a
record as the ledger has it, and nothing is left out but other tournaments where one is named.
"""

import json
from collections.abc import Iterator

from server.core.venue.times import moment
from server.store.database import Store

PAGE = 500


def ledger_lines(store: Store, tournament: str | None = None) -> Iterator[str]:
    """One JSON object a line: `position`, `at` (RFC 3339 UTC), `at_ms`, `kind`, `who`, `tournament`, `body`, and
    `stream` and `seq` of an agent's fact. With a tournament, what belongs to another one is left out.

    Reads pages of its own, so that a long download holds nothing open; what comes meanwhile is at the end.
    """
    after = 0
    while records := store.records(after, PAGE):
        for record in records:
            if tournament is not None and record.tournament not in {None, tournament}:
                continue
            line = {
                "position": record.position,
                "at": moment(record.at),
                "at_ms": record.at,
                "kind": record.kind,
                "who": record.who,
                "tournament": record.tournament,
                "body": record.body,
                "stream": record.stream,
                "seq": record.seq,
            }
            yield json.dumps({key: value for key, value in line.items() if value is not None}) + "\n"
        after = records[-1].position
