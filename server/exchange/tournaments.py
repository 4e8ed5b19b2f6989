"""Whole tournaments: the file that a state gives, and the command that a file gives.

A document is made and read here; text is `server.tournament_file`'s, meaning the rules'. Invariant: what is written,
taken in and written again is the same text, and every number of the rules is the same.
"""

from dataclasses import dataclass
from typing import Any

from server.collecting import without_collecting
from server.core import rules
from server.core.venue.commands import ImportTournament
from server.core.venue.state import LogEntry, State
from server.core.venue.values import Json
from server.exchange.ids import id_of
from server.tournament_file import TournamentFileInvalid, decoded, loads

LONGEST_ID = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A tournament file that was understood: the command that takes it in, and what the rules refused in it."""

    command: ImportTournament
    tournament: rules.Tournament

    def told(self) -> dict[str, Any]:
        """What a person should know of it: how much came, and each entry that the rules refuse, with the reason."""
        head = self.tournament.head
        return {
            "tournament": self.command.id,
            "name": head.name,
            "players": len(head.players),
            "machines": len(head.machines),
            "entries": len(self.command.entries),
            "refused": [{"entry": number, "why": why} for number, why in self.command.refused],
        }


def read_arrival(data: bytes, *, name: str, id: str | None = None, current: bool = False) -> Arrival:  # noqa: A002
    """Read a tournament file for import; without an id it gets one from its title. Blocks for seconds on a long file.

    Raises TournamentFileInvalid, naming the line, where it cannot be understood. What is only against the rules comes
    in, with the rules' objection beside it.
    """
    with without_collecting():
        tournament = loads(decoded(data, name), name=name)
        wanted = id or plain_id(tournament.head.name)
        if wanted is None:
            raise TournamentFileInvalid(name, None, "the tournament has no title to make an id of: name one")
        outcome: dict[str, Any] = rules.evaluate(tournament)
    command = ImportTournament(
        id=wanted,
        head=tournament.head.written,
        entries=tuple(entry.written for entry in tournament.log),
        refused=tuple((refused["entry"], refused["why"]) for refused in outcome["refused"]),
        current=current,
    )
    return Arrival(command=command, tournament=tournament)


def document_of(state: State, tournament: str) -> dict[str, Any]:
    """A tournament as a document of the file's format: the head, and the log that the rules see.

    What was undone or replaced is left out. A reason that was given beside an entry stands in it.
    """
    head = state.tournaments[tournament].head
    return {**head, "inlane": 1, "log": [_with_reason(entry) for entry in state.seen_by_rules(tournament)]}


def plain_id(title: str) -> str | None:
    """An id for a tournament of this title: `Toronto 2010` is toronto-2010. None where no letter or digit is in it."""
    found = id_of(title, LONGEST_ID)
    return f"{found}-1" if found == "current" else found or None


def _with_reason(entry: LogEntry) -> Json:
    if entry.why and not entry.entry.get("why"):
        return {**entry.entry, "why": entry.why}
    return entry.entry
