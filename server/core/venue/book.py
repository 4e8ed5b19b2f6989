"""The rule book of each tournament as the rules see it, kept by version: parsed once, grown entry by entry.

A cache beside the state: all of it can be thrown away (`forget`) and comes back the same. The invariant: what it
answers is what the rules say of exactly the entries that count.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from server.core import rules
from server.core.rules.state import State as RulesState
from server.core.venue.state import State
from server.core.venue.times import to_ms
from server.core.venue.values import Json, entry_kind

_NAMED = re.compile(r"\(entry (\d{1,9})\b")
"""How the rules name an earlier entry in what they say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """The entry that closes a stage, and from when on it is closed (ms since 1970 UTC; None where it does not say)."""

    number: int
    at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A tournament at one version. `numbers` maps the rules' entry numbers (from 1) to the desk's."""

    version: int
    entries: int
    tournament: rules.Tournament
    numbers: tuple[int, ...]
    closes: Mapping[str, Close]


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
            closes = _closes(numbers, tournament.log)
        else:
            fresh = tuple(_parsed(base.tournament, entry) for _, entry in look.log)
            closes = {**_closes(numbers, fresh), **base.closes}
            longer = base.tournament.log + fresh  # one copy; unpacking would make two, at every game
            tournament, numbers = replace(base.tournament, log=longer), base.numbers + numbers
        page = Page(version=look.version, entries=look.entries, tournament=tournament, numbers=numbers, closes=closes)
        self._pages[look.tournament] = page
        return page

    def page(self, state: State, tournament: str) -> Page:
        """The tournament as the rules see it now."""
        return self.read(self.look(state, tournament))

    def warm(self, state: State, tournament: str) -> Page:
        """Do now what the first question would have to wait for: read and walk the whole log."""
        page = self.page(state, tournament)
        self._running.setdefault(tournament, rules.Running()).evaluate(page.tournament)
        return page

    def adopt(self, tournament: str, page: Page) -> None:
        """Take over a page that another book has read."""
        self._pages[tournament] = page

    def objection(self, state: State, tournament: str, entry: Json) -> Objection | None:
        """What the rules have against recording this entry now, or None."""
        page = self.page(state, tournament)
        try:
            text = self._running.setdefault(tournament, rules.Running()).refusal(page.tournament, entry)
        except rules.TournamentInvalid as error:
            return Objection(text=str(error), malformed=True)
        return None if text is None else Objection(text=renumbered(text, page.numbers))

    def written(self, state: State, tournament: str, entry: Json) -> Json | Objection:
        """An entry as the log has it, its ids texts; or why it is none."""
        try:
            return _parsed(self.page(state, tournament).tournament, entry).written
        except rules.TournamentInvalid as error:
            return Objection(text=str(error), malformed=True)

    def rules_of(self, state: State, tournament: str) -> RulesState:
        """What the rules keep after the log as it is now: to be read, never changed."""
        page = self.page(state, tournament)
        return self._running.setdefault(tournament, rules.Running()).state_after(page.tournament)

    def span_of(self, page: Page, entry: Json) -> tuple[int | None, int | None]:
        """When the game that an entry records began and ended, as it says; venue time where it has no offset."""
        parsed = _parsed(page.tournament, entry)
        started = getattr(parsed.act, "started_at", None)
        return None if started is None else to_ms(started), None if parsed.at is None else to_ms(parsed.at)

    def time_of(self, page: Page, entry: Json) -> int | None:
        """The time that an entry says (ms since 1970 UTC), venue time where it has no offset."""
        at = _parsed(page.tournament, entry).at
        return None if at is None else to_ms(at)

    def objection_without(self, state: State, tournament: str, entry: Json, number: int) -> Objection | None:
        """The same if the entry of that number had never been recorded. Walks the whole log."""
        page = self.page(state, tournament)
        kept = [(n, one) for n, one in zip(page.numbers, page.tournament.log, strict=True) if n != number]
        text = rules.refusal(replace(page.tournament, log=tuple(one for _, one in kept)), entry)
        return None if text is None else Objection(text=renumbered(text, [n for n, _ in kept]))

    def exchange(
        self, state: State, tournament: str, entries: Mapping[int, Json], gone: AbstractSet[int]
    ) -> tuple[Objection, ...]:
        """What the rules would newly refuse with these entries in the place of those of their numbers, and without
        those that are `gone`. Walks the whole log.
        """
        page = self.page(state, tournament)
        log: list[rules.Entry] = []
        numbers: list[int] = []
        try:
            for number, old in zip(page.numbers, page.tournament.log, strict=True):
                if number not in gone:
                    log.append(_parsed(page.tournament, entries[number]) if number in entries else old)
                    numbers.append(number)
        except rules.TournamentInvalid as error:
            return (Objection(text=str(error), malformed=True),)
        now = self._running.setdefault(tournament, rules.Running()).evaluate(page.tournament)
        before = {page.numbers[entry - 1] for entry, _ in _refused(now)}
        after = _refused(rules.evaluate(replace(page.tournament, log=tuple(log))))
        fresh = [
            (numbers[entry - 1], renumbered(why, numbers)) for entry, why in after if numbers[entry - 1] not in before
        ]
        return tuple(Objection(text=why if n in entries else f"entry {n} would be refused: {why}") for n, why in fresh)

    def forget(self) -> None:
        """Throw everything away: after a draft was dropped, its versions mean nothing."""
        self._pages.clear()
        self._running.clear()


def renumbered(text: str, numbers: Sequence[int]) -> str:
    """What the rules say with the desk's numbers of the entries that it names: they differ once one was undone."""

    def desk(found: re.Match[str]) -> str:
        entry = int(found[1])
        return f"(entry {numbers[entry - 1]}" if 1 <= entry <= len(numbers) else found[0]

    return _NAMED.sub(desk, text)


def _parsed(tournament: rules.Tournament, entry: Json) -> rules.Entry:
    """One entry read, without making the whole log anew for it."""
    return rules.with_entry(replace(tournament, log=()), entry).log[0]


def _closes(numbers: Sequence[int], log: Sequence[rules.Entry]) -> dict[str, Close]:
    found: dict[str, Close] = {}
    for number, entry in zip(numbers, log, strict=True):
        if entry_kind(entry.written) == "close":
            close = Close(number=number, at=None if entry.at is None else to_ms(entry.at))
            found.setdefault(str(entry.written["close"]), close)
    return found


def _refused(outcome: Mapping[str, Any]) -> list[tuple[int, str]]:
    return [(refused["entry"], refused["why"]) for refused in outcome["refused"]]
