"""A second evaluator of the Pinball Chicago League: games, matches, who was on which team when.

Written from the rule page alone, as plainly as can be: it shares nothing with the product but the preset's tables, and
counts everything anew for every question. What may be recorded is `league_checks`, the table is `league_ladder`.
Invariant: `log` holds only entries that were accepted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.properties import by_the_book
from tests.properties.by_the_book import Entry
from tests.properties.tournaments import Document


def kind(entry: Entry) -> str:
    """What an entry is."""
    return str(next(iter(entry)))


@dataclass(slots=True)
class League:
    """The head of a file and the entries that were accepted so far, numbered."""

    document: Document
    log: list[Entry]
    frozen: date | None = None
    seated: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    sorted_by_kind: dict[str, list[Entry]] = field(default_factory=dict)
    sorted_so_far: int = 0
    answers: dict[tuple[str, int], Any] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """Accept an entry; who of a game plays for whom is settled by the rosters of that moment."""
        match = self.match(entry.get("match")) if kind(entry) == "game" else None
        if match is not None:
            self.seated[entry["game"]] = sides(self, match, entry)
        if entry.get("for") == "practice" and (where := self.match(entry["match"])) is not None:
            team = side(self, where, entry["penalty"], day(self, entry.get("at"))) or ""
            self.seated[f"practice of {entry['penalty']} in {entry['match']}"] = {team: [entry["penalty"]]}
        self.log.append(entry)

    @property
    def book(self) -> by_the_book.Book:
        """The same, for the scores that C1 gives."""
        return by_the_book.Book(self.document, self.log)

    def rule(self, name: str) -> Any:  # noqa: ANN401 - of any type
        """A value of the tournament, else of the preset."""
        return self.book.settings[name]

    def about(self, what: str, **fields: object) -> list[Entry]:
        """The entries of one kind that say so."""
        for entry in self.log[self.sorted_so_far :]:
            self.sorted_by_kind.setdefault(kind(entry), []).append(entry)
        self.sorted_so_far = len(self.log)
        return [
            entry
            for entry in self.sorted_by_kind.get(what, ())
            if all(entry.get(key) == value for key, value in fields.items())
        ]

    def team(self, name: str) -> Entry:
        """One team of the head."""
        return next(team for team in self.document["teams"] if team["id"] == name)

    def match(self, name: object) -> Entry | None:
        """The entry that set a match."""
        return next(iter(self.about("match", match=name)), None)

    def evening(self, name: object) -> "League":
        """The same with what concerns one match only: smaller, and so quicker."""
        games = {entry["game"] for entry in self.log if kind(entry) == "game" and entry.get("match") in {name, None}}
        kept = [
            entry
            for entry in self.log
            if (entry.get("match") in {name, None} if kind(entry) == "game" else entry.get("match") == name)
            or kind(entry) in {"roster", "machine", "close"}
            or (kind(entry) in {"correct", "void", "ruling", "penalty", "challenge"} and about_game(entry) in games)
            or entry[kind(entry)] == name
        ]
        return League(self.document, kept, self.frozen or last_day(self), self.seated)


def last_day(league: "League") -> date | None:
    """PC40: the day of the last regular match, once the season is closed: no later change of a roster reaches on."""
    if not league.about("close", close="season"):
        return None
    regular = {entry["match"] for entry in league.about("match") if "stage" not in entry and not entry.get("tiebreak")}
    names = {"game": "match", "end": "end", "forfeit": "forfeit", "lineup": "lineup"}
    days = [day(league, entry.get("at")) for entry in league.log if entry.get(names.get(kind(entry), "")) in regular]
    return max((found for found in days if found is not None), default=None)


def about_game(entry: Entry) -> object:
    """The game that an entry is about."""
    return entry.get("game", entry[kind(entry)])


def local(league: League, at: str | None) -> datetime | None:
    """A time of the log by the clock of the venue."""
    if at is None:
        return None
    found = datetime.fromisoformat(at)
    zone = ZoneInfo(league.document.get("timezone", "UTC"))
    return found.replace(tzinfo=zone) if found.tzinfo is None else found.astimezone(zone)


def day(league: League, at: str | None) -> date | None:
    """The day of a time."""
    moment = local(league, at)
    return None if moment is None else moment.date()


def begins(league: League, change: Entry) -> date | None:
    """PC3: the day from which a change of a roster counts."""
    moment = local(league, change.get("at"))
    if moment is None:
        return None
    late = (moment.hour, moment.minute, moment.second) > (16, 0, 0)
    return moment.date() + timedelta(days=late)


def roster(league: League, team: str, on: date | None) -> dict[str, str] | None:
    """PC3: the members of a team on a day with their roles; None where a team has no roster."""
    listed = league.team(team).get("roster")
    if listed is None:
        return None
    members = {member["id"]: member.get("role", "starter") for member in listed}
    frozen = league.frozen or last_day(league)
    on = on if frozen is None else min(on or frozen, frozen)
    for change in league.about("roster", roster=team):
        start = begins(league, change)
        if on is not None and start is not None and start > on:
            continue
        members = changed(members, change)
    return members


def changed(members: Mapping[str, str], change: Entry) -> dict[str, str]:
    """The roster after one change."""
    after = dict(members)
    after.pop(change.get("drop"), None)
    if "set" in change:
        after[change["set"]] = change["role"]
    if "add" in change:
        after[change["add"]] = change.get("role", "starter")
    return after


def side(league: League, match: Entry, who: str, on: date | None) -> str | None:
    """The team of a match for which somebody plays."""
    for team in (match["home"], match["away"]):
        members = roster(league, team, on)
        if who == team or (members is not None and who in members):
            return str(team)
    return None


def sides(league: League, match: Entry, game: Entry) -> dict[str, list[str]]:
    """Who of a game plays for which team, in the order of play."""
    if game["game"] in league.seated:
        return league.seated[game["game"]]
    found: dict[str, list[str]] = {match["home"]: [], match["away"]: []}
    for who in game["scores"]:
        team = side(league, match, who, day(league, game.get("at")))
        if team is not None:
            found[team].append(who)
    return found


def slots_of(league: League, number: int) -> int:
    """PC6: how many games a round has."""
    return int(league.rule(f"{league.rule('rounds')[number - 1]}_games"))


def worth(league: League, number: int) -> int:
    """PC6: the points of a game of a round."""
    return int(league.rule(f"{league.rule('rounds')[number - 1]}_points"))


def is_doubles(league: League, number: int) -> bool:
    """Say whether a round is doubles."""
    return bool(league.rule("rounds")[number - 1] == "doubles")


def is_void(league: League, game: Entry) -> bool:
    """C1.6: the whole game is void."""
    return any("who" not in entry for entry in league.about("void", void=game["game"]))


def games_in(league: League, match: str, number: int | None = None, slot: object = None) -> list[Entry]:
    """The games of a match that stand, its tie-break games left out."""
    return [
        game
        for game in league.about("game", match=match)
        if "tiebreak" not in game
        and not is_void(league, game)
        and number in {None, game["round"]}
        and (slot is None or str(game["slot"]) == str(slot))
    ]


def lineup(league: League, match: str, number: int, team: str) -> dict[str, Entry]:
    """PC7, PC36: what a team declared for a round, slot by slot, as it stands."""
    found: dict[str, Entry] = {}
    for entry in league.about("lineup", lineup=match, round=number, team=team):
        for game in entry["games"]:
            found[str(game["slot"])] = {**found.get(str(game["slot"]), {}), **game}
    return found
