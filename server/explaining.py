"""Explanations on request: carried on from version to version, told with the desk's own entry numbers.

Readers only. The invariant: whoever is not logged in reads no official's name, nothing that one wrote, and of nobody's
conduct.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from server.core.explain.explanations import Explanations
from server.core.explain.lines import Line, rewritten, walk
from server.core.explain.settings import Told, tell_settings
from server.core.rules.tournament import Head
from server.core.venue.book import Page
from server.core.venue.records import LogEntry
from server.standings import Reading, Standings

CONDUCT = frozenset({"penalty"})
"""What only the logged in are told of a player: offences. Where one has changed a score, the score says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Lines about one version of a tournament. `positions` gives the ledger's position of each entry that is named."""

    tournament: str
    version: int
    lines: tuple[Line, ...]
    positions: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules that a tournament is played by."""

    tournament: str
    version: int
    preset: str
    title: str
    settings: tuple[Told, ...]


@dataclass(slots=True, kw_only=True)
class _Kept:
    """What was folded last for a tournament, and the turn of those who ask it."""

    turn: threading.Lock
    page: Page | None = None
    explanations: Explanations | None = None


class Explaining:
    """The explanations of the venue's tournaments. Any thread may ask; those about one tournament take turns."""

    def __init__(self, standings: Standings, reading: Reading) -> None:
        self._standings, self._reading = standings, reading
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}

    def about(
        self,
        tournament: str,
        *,
        who: str | None = None,
        stage: str | None = None,
        machine: str | None = None,
        match: str | None = None,
        names: bool = False,
    ) -> Explained | None:
        """Explain a player or team, a machine, a stage, a match, or what there is as a whole; `names` tells who decided
        and why.

        None where there is no such tournament; raises NotThere where it has no such player, stage, machine or match. Of
        a stage as a whole only the ranks and totals are told. Blocks while the log is walked.
        """
        page = self._standings.page(tournament)
        if page is None:
            return None
        kept = self._of(tournament)
        with kept.turn:
            if kept.explanations is None:
                kept.explanations = Explanations(page.tournament)
            elif kept.page is not page:
                kept.explanations.carry_on(page.tournament)
            kept.page = page
            if match is not None:
                lines = kept.explanations.match(match)
            elif who is None and machine is None and stage is None:
                lines = kept.explanations.overview()
            else:
                lines = kept.explanations.about(who=who, stage=stage, machine=machine)
        if who is None and machine is None and match is None:
            lines = [_shortened(line, 2) for line in lines]
        told = [
            rewritten(line if names else _discreet(line), lambda entry: page.numbers[entry - 1], names=names)
            for line in lines
            if names or line.what not in CONDUCT
        ]
        return self._told(tournament, page, told, names=names)

    def rules(self, tournament: str) -> Rules | None:
        """Tell the rules of a tournament, None where there is none of that name."""
        page = self._standings.page(tournament)
        if page is None:
            return None
        head: Head = page.tournament.head
        return Rules(
            tournament=tournament,
            version=page.version,
            preset=head.preset.name,
            title=head.preset.title,
            settings=tuple(tell_settings(head)),
        )

    def _of(self, tournament: str) -> _Kept:
        with self._lock:
            return self._kept.setdefault(tournament, _Kept(turn=threading.Lock()))

    def _told(self, tournament: str, page: Page, lines: Sequence[Line], *, names: bool) -> Explained:
        """Add what the ledger knows of the entries that are named."""
        wanted = {entry for line in walk(lines) for entry in line.entries}
        with self._reading() as state:
            found = {
                number: entry for number in wanted if (entry := state.entries.get((tournament, number))) is not None
            }
        if names:
            lines = [_signed(line, found) for line in lines]
        positions = {number: found[number].position for number in sorted(found)}
        return Explained(tournament=tournament, version=page.version, lines=tuple(lines), positions=positions)


def _signed(line: Line, entries: Mapping[int, LogEntry]) -> Line:
    """Give a line with who decided and why, as the ledger has it where the entry itself does not say."""
    entry = entries.get(line.noted) if line.noted is not None else None
    parts = tuple(_signed(part, entries) for part in line.parts)
    if entry is None:
        return replace(line, parts=parts)
    return replace(line, by=line.by or entry.who, reason=line.reason or entry.why, parts=parts)


def _discreet(line: Line) -> Line:
    """Give a line without what is told of conduct among its parts."""
    if not line.parts:
        return line
    return replace(line, parts=tuple(_discreet(part) for part in line.parts if part.what not in CONDUCT))


def _shortened(line: Line, depth: int) -> Line:
    """Give a line with so many levels only."""
    parts: Iterable[Line] = line.parts if depth > 1 else ()
    return replace(line, parts=tuple(_shortened(part, depth - 1) for part in parts))
