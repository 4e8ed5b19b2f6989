"""The rule book of each tournament as the rules see it, kept by version: parsed once, evaluated when asked.

A cache beside the state: all of it can be thrown away (`forget`) and comes back the same. The invariant: what it
answers is what the rules say of exactly the entries that count.
"""

from dataclasses import dataclass, replace
from typing import Any

from server.core import rules
from server.core.venue.state import State
from server.core.venue.values import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A tournament at one version. `numbers` maps the rules' entry numbers (from 1) to the desk's."""

    version: int
    entries: int
    tournament: rules.Tournament
    numbers: tuple[int, ...]
    outcome: dict[str, Any] | None = None


class Book:
    """Answers of the rules about the tournaments of a state."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}

    def page(self, state: State, tournament: str) -> Page:
        """The tournament as the rules see it now. Raises rules.TournamentInvalid where they cannot read it."""
        found = state.tournaments[tournament]
        kept = self._pages.get(tournament)
        if kept is not None and kept.version == found.version:
            return kept
        if kept is not None and found.disturbed <= kept.version < found.version:
            page = self._grown(state, kept, tournament)
        else:
            page = self._read(state, tournament)
        self._pages[tournament] = page
        return page

    def objection(self, state: State, tournament: str, entry: Json) -> str | None:
        """What the rules have against recording this entry now, or None."""
        try:
            return rules.refusal(self.page(state, tournament).tournament, entry)
        except rules.TournamentInvalid as error:
            return str(error)

    def keep(self, tournament: str, page: Page, outcome: dict[str, Any]) -> None:
        """Remember what the rules gave for a page, if it is still the newest one."""
        if self._pages.get(tournament) is page:
            self._pages[tournament] = replace(page, outcome=outcome)

    def forget(self) -> None:
        """Throw everything away: after a draft was dropped, its versions mean nothing."""
        self._pages.clear()

    @staticmethod
    def _read(state: State, tournament: str) -> Page:
        found = state.tournaments[tournament]
        entries = state.seen_by_rules(tournament)
        return Page(
            version=found.version,
            entries=found.entries,
            tournament=rules.parse({**found.head, "inlane": 1, "log": [dict(e.entry) for e in entries]}),
            numbers=tuple(entry.number for entry in entries),
        )

    @staticmethod
    def _grown(state: State, kept: Page, tournament: str) -> Page:
        found = state.tournaments[tournament]
        grown, numbers = kept.tournament, list(kept.numbers)
        for number in range(kept.entries + 1, found.entries + 1):
            grown = rules.with_entry(grown, state.entries[tournament, number].entry)
            numbers.append(number)
        return Page(version=found.version, entries=found.entries, tournament=grown, numbers=tuple(numbers))
