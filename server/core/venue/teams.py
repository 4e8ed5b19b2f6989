"""Teams as the desk sees them: whom a head names, of which match an entry speaks, and in which stage that is.

Pure questions; what a team may do is the rules' affair. The invariant: nobody is known here whom neither the head nor
an entry of the log names.
"""

from collections.abc import Iterable, Iterator, Mapping

from server.core import rules
from server.core.venue.state import State, Tournament
from server.core.venue.values import GAME_KINDS, Json, entry_kind

WHOLE = 4
"""A team of so many plays as a whole, one ball each; of a larger roster nobody knows who did."""
MATCH_KINDS = frozenset({"match", "lineup", "forfeit", "terms", "end"})
"""Entries whose subject is a match."""


def team_rows(head: Json) -> Iterator[Json]:
    """The teams of a head, each as the tournament file has it."""
    yield from (row for row in head.get("teams") or () if isinstance(row, Mapping))


def roster_ids(team: Json) -> tuple[str, ...]:
    """Those whom the head has on a team's roster."""
    return tuple(str(member["id"]) for member in team.get("roster") or () if isinstance(member, Mapping))


def named_in(head: Json) -> frozenset[str]:
    """Every team of a head and everybody on a roster of it."""
    rows = list(team_rows(head))
    return frozenset({*(str(row["id"]) for row in rows), *(who for row in rows for who in roster_ids(row))})


def joined_by(entries: Iterable[Json]) -> frozenset[str]:
    """Those whom entries of the log bring onto a roster."""
    return frozenset(str(one["add"]) for one in entries if entry_kind(one) == "roster" and one.get("add"))


def teams_of(state: State, tournament: str, who: str) -> frozenset[str]:
    """The teams on whose roster somebody is or has been, by the head and the log; a team itself is its own."""
    rows = list(team_rows(state.tournaments[tournament].head))
    found = {str(row["id"]) for row in rows if who in roster_ids(row) or str(row["id"]) == who}
    changes = (state.entries[tournament, number] for number in state.rosters.get(tournament, ()))
    return frozenset(
        found | {str(x.entry["roster"]) for x in changes if x.entry.get("add") == who and state.counts(x, tournament)}
    )


def match_of(state: State, tournament: str, entry: Json) -> str | None:
    """The match of which an entry speaks: by itself, or by the game that it is about."""
    kind = entry_kind(entry)
    if kind in MATCH_KINDS:
        return str(entry[kind])
    if entry.get("match"):
        return str(entry["match"])
    about = entry.get("tiebreak") if kind == "game" else entry[kind] if kind in GAME_KINDS else entry.get("game")
    number = state.posted.get((tournament, about)) if isinstance(about, str) else None
    found = state.entries.get((tournament, number or 0))
    named = None if found is None else found.entry.get("match")
    return None if named is None else str(named)


def members_of(tournament: Tournament, team: str) -> tuple[str, ...]:
    """Those whom the head has on the roster of a team; nobody where it is none."""
    return next((roster_ids(row) for row in team_rows(tournament.head) if str(row["id"]) == team), ())


def bodies_of(tournament: Tournament, who: str) -> tuple[str, ...]:
    """Under which names somebody may be at a machine: a team that plays as a whole is where its members are, and they
    where it is (UT2, EC4).
    """
    preset = rules.PRESETS.get(str(tournament.head.get("preset")))
    if preset is None or preset.first != "team_groups":
        return (who,)
    whole = [(str(row["id"]), roster_ids(row)) for row in team_rows(tournament.head)]
    whole = [(team, members) for team, members in whole if len(members) <= WHOLE]
    mine = next((members for team, members in whole if team == who), ())
    return (who, *mine, *(team for team, members in whole if who in members))


def set_by(state: State, tournament: str, match: str | None) -> Json | None:
    """The entry that set a match, where one that counts did."""
    number = state.fixtures.get((tournament, match)) if match is not None else None
    found = state.entries.get((tournament, number or 0))
    return found.entry if found is not None and state.counts(found, tournament) else None


def sides_of(state: State, tournament: str, match: str | None) -> frozenset[str]:
    """The two teams of a match; nobody where it is not set."""
    found = set_by(state, tournament, match)
    return frozenset() if found is None else frozenset({str(found["home"]), str(found["away"])})
