"""The rules: a tournament goes in, its state comes out. Pure: no I/O (but the presets' data), no clock, no floats.

`parse` reads a document, `evaluate` gives the output of the tournament file's format; `with_entry`, `refusal` and
`Running`, which keeps what it knows from one question to the next, serve the live desk.
Invariant: the same tournament gives the same output, always.
"""

from collections.abc import Mapping

from server.core.rules.entries import Entry
from server.core.rules.errors import TournamentInvalid
from server.core.rules.output import describe
from server.core.rules.presets import PRESETS
from server.core.rules.running import Running
from server.core.rules.tournament import Tournament, parse, with_entry
from server.core.rules.walk import fold

__all__ = [
    "PRESETS",
    "Entry",
    "Running",
    "Tournament",
    "TournamentInvalid",
    "evaluate",
    "fold",
    "parse",
    "refusal",
    "with_entry",
]


def evaluate(tournament: Tournament) -> dict[str, object]:
    """Give the state after the last log entry, as the mapping that `standings --json` prints.

    Never fails on a parsed tournament: what is against the rules is listed under `refused`, with the reason.
    """
    return describe(fold(tournament), tournament.now)


def refusal(tournament: Tournament, entry: Entry | Mapping[str, object]) -> str | None:
    """Say why the rules would refuse an entry added to the log now, None where they take it.

    Raises TournamentInvalid where a mapping is no entry at all.
    """
    longer = with_entry(tournament, entry)
    return dict(fold(longer).refused).get(len(longer.log))
