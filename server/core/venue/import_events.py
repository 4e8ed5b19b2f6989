"""What an import adds to the ledger: entries of a tournament file, many in one event.

Nothing here decides or folds. The invariant: the entries stand in the event exactly as the rules will read them, in
the order of the file.
"""

from dataclasses import dataclass

from server.core.venue.codec import event
from server.core.venue.values import Json


@event("tournament.imported")
@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesImported:
    """Entries of a tournament file: `first` is the number of the first of them, the others follow.

    `despite` names those that the rules refused when the file was read, each with the reason: (number, why). Entries
    of one file are several events, so that no record of the ledger grows without bound.
    """

    tournament: str
    first: int
    entries: tuple[Json, ...]
    despite: tuple[tuple[int, str], ...] = ()
