"""The rule book of each tournament as the rules see it, kept by version: parsed once, grown entry by entry.

A cache beside the state: all of it can be thrown away (`forget`) and comes back the same. The invariant: what it
answers is what the rules say of exactly the entries that count.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
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
    outcome: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What was seen of a tournament in the state: a page that is kept, or what a new one is made of."""

    tournament: str
    version: int
    entries: int
    head: Json
    log: tuple[tuple[int, Json], ...]
    base: Page | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """What the rules have against an entry. A malformed one cannot be recorded at all, whoever wants it."""

    text: str
    malformed: bool = False


class Book:
    """Answers of the rules about the tournaments of a state."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}
        self._running: dict[str, rules.Running] = {}

    def look(self, state: State, tournament: str) -> Look:
        """Take what is needed out of the state; quick, so that it may be done while the writer waits."""
        found = state.tournaments[tournament]
        kept = self._pages.get(tournament)
        if kept is not None and found.disturbed <= kept.version <= found.version:
            fresh = [state.entries[tournament, n] for n in range(kept.entries + 1, found.entries + 1)]
        else:
            kept, fresh = None, state.seen_by_rules(tournament)
        return Look(
            tournament=tournament,
            version=found.version,
            entries=found.entries,
            head=found.head,
            log=tuple((entry.number, entry.entry) for entry in fresh),
            base=kept,
        )

    def read(self, look: Look) -> Page:
        """The page of what was looked at. Raises rules.TournamentInvalid where the rules cannot read it."""
        base = look.base
        if base is not None and base.version == look.version:
            return base
        numbers = tuple(number for number, _ in look.log)
        if base is None:
            tournament = rules.parse({**look.head, "inlane": 1, "log": [dict(entry) for _, entry in look.log]})
        else:
            tournament, numbers = base.tournament, (*base.numbers, *numbers)
            for _, entry in look.log:
                tournament = rules.with_entry(tournament, entry)
        page = Page(version=look.version, entries=look.entries, tournament=tournament, numbers=numbers)
        self._pages[look.tournament] = page
        return page

    def page(self, state: State, tournament: str) -> Page:
        """The tournament as the rules see it now."""
        return self.read(self.look(state, tournament))

    def objection(self, state: State, tournament: str, entry: Json) -> Objection | None:
        """What the rules have against recording this entry now, or None."""
        page = self.page(state, tournament)
        try:
            text = self._running.setdefault(tournament, rules.Running()).refusal(page.tournament, entry)
        except rules.TournamentInvalid as error:
            return Objection(text=str(error), malformed=True)
        return None if text is None else Objection(text=text)

    def exchange(self, state: State, tournament: str, entry: Json, gone: AbstractSet[int]) -> Objection | None:
        """What the rules have against this entry in the place of the first of those that are `gone`, or None."""
        log, place = [], None
        for old in state.seen_by_rules(tournament):
            if old.number not in gone:
                log.append(old.entry)
            elif place is None:
                log.append(entry)
                place = len(log)
        try:
            outcome: dict[str, Any] = rules.evaluate(
                rules.parse({**state.tournaments[tournament].head, "inlane": 1, "log": log})
            )
        except rules.TournamentInvalid as error:
            return Objection(text=str(error), malformed=True)
        refused = next((x for x in outcome["refused"] if x["entry"] == place), None)
        return None if refused is None else Objection(text=refused["why"])

    def keep(self, tournament: str, page: Page, outcome: Mapping[str, Any]) -> None:
        """Remember what the rules gave for a page, if it is still the newest one."""
        if self._pages.get(tournament) is page:
            self._pages[tournament] = replace(page, outcome=outcome)

    def forget(self) -> None:
        """Throw everything away: after a draft was dropped, its versions mean nothing."""
        self._pages.clear()
        self._running.clear()
