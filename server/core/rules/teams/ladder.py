"""The order of a league's teams by their matches (PC37): record, points, and the matches among who is level.

Pure functions over what matches have come to. Invariant: no result depends on names, nor on the order of the matches.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

from server.core.rules.ranking import classes
from server.core.rules.teams.state import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A match that counts in the table: its points by team, who has won it, who has lost it (PC24: both may)."""

    id: str
    points: Mapping[str, int]
    winner: str | None
    losers: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Record:
    """What the counted matches of a team come to."""

    points: int = 0
    wins: int = 0
    losses: int = 0

    @property
    def played(self) -> int:
        """Matches won and lost."""
        return self.wins + self.losses


def counted_in(outcomes: Mapping[str, Outcome]) -> list[Counted]:
    """Give the matches that count, of some by id: those that are over."""
    return [
        Counted(id=name, points=outcome.points, winner=outcome.winner, losers=outcome.losers)
        for name, outcome in outcomes.items()
        if outcome.status == "final"
    ]


def records_of(teams: Iterable[str], matches: Iterable[Counted]) -> dict[str, Record]:
    """Add up the matches of each team."""
    found = {team: Record() for team in teams}
    for match in matches:
        for team, points in match.points.items():
            if team in found:
                found[team].points += points
        if match.winner in found:
            found[match.winner].wins += 1
        for team in match.losers:
            if team in found:
                found[team].losses += 1
    return found


def ranked_by_record(records: Mapping[str, Record], matches: Sequence[Counted]) -> list[list[str]]:
    """PC37: give the teams best first, those level to the last rung together.

    (1) win percentage, which is 0 before the first match; (2) points; (3) wins and (4) points in the matches among the
    level. A rung that splits them leaves parts, each of which starts again with its own matches.
    """
    of_team: dict[str, list[Counted]] = {}
    for match in matches:
        for team in match.points:
            of_team.setdefault(team, []).append(match)
    return [
        part
        for by_percentage in classes(_percentages(records))
        for by_points in classes({team: records[team].points for team in by_percentage})
        for part in _among(by_points, of_team)
    ]


def _percentages(records: Mapping[str, Record]) -> dict[str, int]:
    """Give win percentages as whole numbers of one common measure, so that nothing is rounded."""
    measure = lcm(*{record.played for record in records.values() if record.played})
    return {team: record.wins * measure // record.played if record.played else 0 for team, record in records.items()}


def _among(level: list[str], of_team: Mapping[str, Sequence[Counted]]) -> list[list[str]]:
    """Split teams of equal record and points by the matches among them, (3) and (4)."""
    waiting, found = [level], []
    while waiting:
        part = waiting.pop()
        split = _split(part, of_team) if len(part) > 1 else [part]
        if len(split) == 1:
            found.append(part)
        else:
            waiting += reversed(split)
    return found


def _split(level: list[str], of_team: Mapping[str, Sequence[Counted]]) -> list[list[str]]:
    inside = set(level)
    played = {match.id: match for team in level for match in of_team.get(team, ()) if match.points.keys() <= inside}
    records = records_of(level, played.values())
    by_wins = classes({team: record.wins for team, record in records.items()})
    return by_wins if len(by_wins) > 1 else classes({team: record.points for team, record in records.items()})
