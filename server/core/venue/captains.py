"""What a captain may record: for the own team, of now, within the rules (PC7, PC31, PC42, UT19).

Asked before the rules are. The invariant: a captain never speaks for another team, dates nothing, overrides nothing.
"""

from collections.abc import Callable, Mapping

from server.core.rules.state import State as RulesState
from server.core.rules.teams.confirmations import CONFIRMED
from server.core.rules.teams.rosters import NIGHT_ENDS, day_of, members_on
from server.core.rules.teams.state import TeamState
from server.core.venue import commands as c
from server.core.venue.book import Book
from server.core.venue.outcomes import Actor
from server.core.venue.state import State, Tournament
from server.core.venue.stops import forbid, refuse
from server.core.venue.teams import match_of, set_by, sides_of
from server.core.venue.times import to_time
from server.core.venue.values import Json, entry_kind

OFFICIALS_OWN = ("at", "started_at", "by")
"""Fields that only officials set: a roster's deadline and a challenge's hang on times."""


def player_of(state: State, tournament: Tournament, actor: Actor) -> str | None:
    """The player that somebody who logged in is, by an official's word for this tournament, else by the account."""
    said = state.entered.get((tournament.id, actor.name))
    if said is not None:
        return said
    return actor.player if actor.player is not None and tournament.knows(actor.player) else None


def captained(known: RulesState, who: str, at: int) -> frozenset[str]:
    """Whose captain somebody is: those that name him, and those of his that name nobody, on the roster now.

    Past midnight the evening's roster holds too: its match may still be played.
    """
    days = [day_of(known, to_time(moment)) for moment in (at, at - NIGHT_ENDS * 3_600_000)]
    return frozenset(
        name
        for name, team in known.teams.items()
        if (who in team.head.captains or not team.head.captains)
        and any(_is_in(team, who, members_on(team, day)) for day in days)
    )


def check_captain(state: State, command: c.RecordEntry, entry: Json, actor: Actor, at: int, book: Book) -> None:
    """Stop where a captain may not record this: 403 with what he may."""
    tournament = state.tournaments[command.tournament]
    kind = entry_kind(entry)
    who = player_of(state, tournament, actor)
    if who is None:
        forbid(f"nobody has said which player of {tournament.name} you are: an official does (officials/{actor.name})")
    teams = captained(book.rules_of(state, tournament.id), who, at)
    if not teams:
        forbid(f"{who} is captain of no team of {tournament.name}")
    if command.despite_rules or command.despite_open or command.despite_recusal:
        forbid("a captain records nothing against the rules: an official may")
    dated = next((name for name in OFFICIALS_OWN if command.entry.get(name) is not None), None)
    if dated is not None:
        forbid(f"{dated}: a captain's entries are of now and the own: an official records what was earlier")
    _OWN.get(kind, _of_the_match)(state, tournament, entry, teams)
    if kind == "end":
        _check_signed(state, tournament, str(entry["end"]), book)


def _check_own(_state: State, _tournament: Tournament, entry: Json, teams: frozenset[str]) -> None:
    """The entry names a team, which must be the own one."""
    kind = entry_kind(entry)
    team = entry["roster"] if kind == "roster" else entry.get("team")
    if team not in teams:
        forbid(f"you are captain of {_listed(teams)}, not of {team}: each captain speaks for the own team")


def _check_confirmed(state: State, tournament: Tournament, entry: Json, teams: frozenset[str]) -> None:
    if entry["decision"] != CONFIRMED:
        forbid(f"the decision on {entry['decision']} is an official's; captains confirm matches")
    _check_own(state, tournament, entry, teams)


def _check_terms(state: State, tournament: Tournament, entry: Json, teams: frozenset[str]) -> None:
    _of_the_match(state, tournament, entry, teams)
    fixture = set_by(state, tournament.id, str(entry["terms"])) or {}
    limits = entry.get("extra_balls") is not None or entry.get("balls") is not None
    if limits and fixture.get("home") not in teams:
        forbid(f"PC33: extra balls and balls are for the home team, {fixture.get('home')}, to say")


def _of_the_match(state: State, tournament: Tournament, entry: Json, teams: frozenset[str]) -> None:
    """The own team plays in the match of which the entry speaks."""
    match = match_of(state, tournament.id, entry)
    if match is None:
        forbid(f"a captain records games of the own matches: say which match ({_listed(teams)})")
    sides = sides_of(state, tournament.id, match)
    if not sides:
        refuse(f"there is no match {match}")
    if not sides & teams:
        forbid(f"you are captain of {_listed(teams)}, which does not play in {match}")


def _check_signed(state: State, tournament: Tournament, match: str, book: Book) -> None:
    """A captain ends a match that both sides have confirmed."""
    found = book.rules_of(state, tournament.id).matches.get(match)
    missing = [] if found is None else [team for team in found.teams if team not in found.confirmed]
    if missing:
        have = "have" if len(missing) > 1 else "has"
        refuse(
            f"{' and '.join(missing)} {have} not confirmed {match} as it is now:"
            " both captains confirm before one ends it"
        )


def _is_in(team: TeamState, who: str, members: Mapping[str, str]) -> bool:
    return who in members or (team.head.roster is None and who in team.head.captains)


def _listed(teams: frozenset[str]) -> str:
    return ", ".join(sorted(teams))


_OWN: Mapping[str, Callable[[State, Tournament, Json, frozenset[str]], None]] = {
    "lineup": _check_own,
    "forfeit": _check_own,
    "challenge": _check_own,
    "roster": _check_own,
    "decision": _check_confirmed,
    "terms": _check_terms,
}
