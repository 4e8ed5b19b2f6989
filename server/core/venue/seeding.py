"""Who is in a later stage, who would be by the standings as they are now, and who would be next (C4, T8, E3.3).

The rules are asked about the log as if the stage had not begun, so that every format answers for itself. The
invariant: nothing is changed here; a field changes only by a decision in the log.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.core import rules
from server.core.venue.book import Page
from server.core.venue.teams import MATCH_KINDS
from server.core.venue.values import Json, entry_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """Somebody who could take a place, with his rank in the stage before."""

    who: str
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The players of a stage in order of seed, and those whom the standings give now (None: a tie or an open stage
    before keeps them from giving any). `next` are those who could take a place, in the order of the standings.
    """

    stage: str
    begun: bool
    who: tuple[str, ...]
    given: tuple[str, ...] | None
    next: tuple[Next, ...]

    @property
    def differs(self) -> bool:
        """Whether the standings give others, or in another order."""
        return self.given is not None and self.given != self.who


def field_in(page: Page, outcome: Json, stage: str, gone: Iterable[str] = ()) -> Field | None:
    """The field of a stage after the first; None where there is no such stage (yet). `gone` can take no place."""
    stages: list[Mapping[str, Any]] = list(outcome["stages"])
    place = next((n for n, one in enumerate(stages) if one["id"] == stage), None)
    if place is None:
        return None
    before = _before(stages, place)
    if before is None:
        return None
    who = _players(before, stages[place])
    later = {one["id"] for one in stages[place:] if _division(one["id"]) == _division(stage)}
    again: dict[str, Any] = rules.evaluate(_as_if_not_begun(page.tournament, later))
    then: list[Mapping[str, Any]] = list(again["stages"])
    there = next((n for n, one in enumerate(then) if one["id"] == stage), None)
    source = _before(then, there) if there is not None else None
    given = _players(source, then[there]) if there is not None and source is not None else None
    absent = {
        str(entry.written["absent"])
        for entry in page.tournament.log
        if entry_kind(entry.written) == "absent" and entry.written.get("stage") == stage
    }
    people = [*outcome["players"], *outcome.get("teams", ())]
    out = {one["id"] for one in people if one["status"] != "active"}
    further = {row["who"] for one in stages[place + 1 :] if one["id"] in later for row in one["standings"]}
    barred = {*who, *absent, *out, *gone, *further}
    waiting = tuple(Next(who=row["who"], rank=row["rank"]) for row in before["standings"] if row["who"] not in barred)
    return Field(stage=stage, begun=_begun(page, outcome, stage), who=who, given=given, next=waiting[:_NEXT])


_NEXT = 20


def _as_if_not_begun(tournament: rules.Tournament, stages: Iterable[str]) -> rules.Tournament:
    named = set(stages)

    matches = _matches_in(tournament, named)

    def stays(entry: rules.Entry) -> bool:
        kind = entry_kind(entry.written)
        if kind == "close":
            return entry.written["close"] not in named
        if _match(entry) in matches:
            return False
        decided = kind == "decision" and entry.written["decision"] == "field"
        return not ((kind == "game" or decided) and entry.written.get("stage") in named)

    return replace(tournament, log=tuple(entry for entry in tournament.log if stays(entry)))


def _matches_in(tournament: rules.Tournament, stages: set[str]) -> set[str | None]:
    """The matches of teams that were set in these stages."""
    return {
        str(entry.written["match"])
        for entry in tournament.log
        if entry_kind(entry.written) == "match" and entry.written.get("stage") in stages
    }


def _match(entry: rules.Entry) -> str | None:
    """The match that an entry sets or names."""
    written = entry.written
    named = written.get("match") or next((written[kind] for kind in MATCH_KINDS if kind in written), None)
    return None if named is None else str(named)


def _before(stages: list[Mapping[str, Any]], place: int) -> Mapping[str, Any] | None:
    """The stage that a stage's field comes from: of those before it in its division the last that has all of them."""
    field = {row["who"] for row in stages[place]["standings"]}
    before = [one for one in stages[:place] if _division(one["id"]) == _division(stages[place]["id"])]
    whole = [one for one in before if field <= {row["who"] for row in one["standings"]}]
    return whole[-1] if whole else (before[-1] if before else None)


def _players(before: Mapping[str, Any], stage: Mapping[str, Any]) -> tuple[str, ...]:
    """The players of a stage, in order of seed where the stage before says it, or its one group."""
    field = [row["who"] for row in stage["standings"]]
    groups: list[Mapping[str, Any]] = stage.get("groups") or []
    if set(field) <= set(before["advance"]):
        known = list(before["advance"])
    elif len(groups) == 1 and set(field) <= set(groups[0]["who"]):
        known = list(groups[0]["who"])
    else:
        known = [row["who"] for row in before["standings"]]
    order = {who: n for n, who in enumerate(known)}
    return tuple(sorted(field, key=lambda who: order.get(who, len(order) + field.index(who))))


def _division(stage: str) -> str:
    return stage.rpartition("/")[0]


def _begun(page: Page, outcome: Json, stage: str) -> bool:
    """Whether a game of the stage counts."""
    refused = {one["entry"] for one in outcome["refused"]}
    void = {
        str(entry.written["void"])
        for number, entry in enumerate(page.tournament.log, 1)
        if entry_kind(entry.written) == "void" and entry.written.get("who") is None and number not in refused
    }
    matches = _matches_in(page.tournament, {stage})
    return any(
        entry_kind(entry.written) == "game"
        and (entry.written.get("stage") == stage or _match(entry) in matches)
        and entry.written["game"] not in void
        and number not in refused
        for number, entry in enumerate(page.tournament.log, 1)
    )
