"""Matches of teams as pages show them: by stage and week with their points, those to be played, and who is of a team.

Shaped from the rules' output and the tournament's head; nothing is decided. The one invariant: teams stand home first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from server.core import rules
from server.core.venue.state import Tournament
from server.web.views.matches import Match, to_play
from server.web.views.names import people, stage_name
from server.web.views.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatch:
    """A match. `points` are home's and away's; `winner` is an id. `status`: `scheduled`, `open`, `final`."""

    id: str
    home: str
    away: str
    home_id: str
    away_id: str
    points: tuple[int, int]
    winner: str | None
    status: str
    venue: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """The matches of one week of a stage, or of a stage that knows no weeks; `fresh` where people look for it now."""

    title: str
    matches: tuple[TeamMatch, ...]
    fresh: bool = True


def weeks_of(scene: Scene, outcome: Mapping[str, Any] | None) -> tuple[Week, ...]:
    """All matches of the running tournament by week, what people look for now first."""
    if scene.tournament is None or outcome is None:
        return ()
    names = people(scene.tournament)
    found: dict[str, list[TeamMatch]] = {}
    for match in outcome.get("matches") or ():
        week = match.get("week")
        title = stage_name(str(match["stage"])) + (f", week {week}" if week is not None else "")
        found.setdefault(title, []).append(shown(match, names))
    return tuple(_ordered([Week(title=title, matches=tuple(matches)) for title, matches in found.items()]))


def _ordered(weeks: Sequence[Week]) -> Iterable[Week]:
    """What is played now and next, what was played last, and then, folded, what follows and what was before."""
    over = [week for week in reversed(weeks) if all(match.status == "final" for match in week.matches)]
    left = [week for week in weeks if week not in over]
    coming = [week for week in left if all(match.status == "scheduled" for match in week.matches)]
    yield from (week for week in left if week not in coming[1:])
    yield from over[:1]
    yield from (replace(week, fresh=False) for week in (*coming[1:], *over[1:]))


def shown(match: Mapping[str, Any], names: Mapping[str, str]) -> TeamMatch:
    """A match of the rules' output with its teams by name."""
    home, away, winner = str(match["home"]), str(match["away"]), match.get("winner")
    return TeamMatch(
        id=str(match["id"]),
        home=names.get(home, home),
        away=names.get(away, away),
        home_id=home,
        away_id=away,
        points=(match["points"][home], match["points"][away]),
        winner=str(winner) if winner is not None else None,
        status=str(match["status"]),
        venue=match.get("venue"),
    )


def team_games(scene: Scene, stage: Mapping[str, Any], outcome: Mapping[str, Any]) -> list[Match]:
    """The matches of a stage that are not over, as `/rounds` and the board show them; of weeks only the first such.

    Where a match is one game of two teams (UT2), it is put on a machine as it stands; a game of a league by its round
    and its number, as the line-ups say (PC7).
    """
    if stage["status"] != "open":
        return []
    found = [match for match in outcome["matches"] if match["stage"] == stage["id"] and match["status"] != "final"]
    weeks = [match["week"] for match in found if match.get("week") is not None]
    found = [match for match in found if match.get("week") in {None, min(weeks, default=None)}]
    return [_to_play(scene, match, str(outcome["preset"])) for match in found]


def _to_play(scene: Scene, match: Mapping[str, Any], preset: str) -> Match:
    week = f"Week {match['week']}, match" if match.get("week") is not None else "Match"
    points = " to ".join(str(match["points"][match[side]]) for side in ("home", "away"))
    venue = f"at {match['venue']}" if match.get("venue") else ""
    note = ", ".join(part for part in (venue, f"{points} so far" if match["status"] == "open" else "") if part)
    whole = "match_points" in rules.PRESETS[preset].settings
    fields = {"stage": str(match["stage"]), "match": str(match["id"])}
    found = to_play(
        scene, f"{week} {match['id']}", (match["home"], match["away"]), fields, note=note or None, playable=whole
    )
    there = _machines_at(scene, match.get("venue"))
    return replace(found, of_teams=True, slots=rules.PRESETS[preset].first == "season", there=there)


def _machines_at(scene: Scene, venue: object) -> frozenset[str] | None:
    """Give the machines that may stand at a venue; None where none is known to be there."""
    rows = scene.tournament.head.get("machines") if scene.tournament is not None and venue is not None else None
    known = [row for row in rows or () if isinstance(row, Mapping)]
    if not any(row.get("venue") == venue for row in known):
        return None
    return frozenset(str(row["id"]) for row in known if row.get("venue") in {None, venue})


def members_of(scene: Scene, team: str) -> tuple[tuple[str, str], ...]:
    """Who the head lists in a team's roster, id and name; nobody where it is no team."""
    if scene.tournament is None:
        return ()
    names = people(scene.tournament)
    row = next((row for row in _teams(scene.tournament) if str(row.get("id")) == team), None)
    roster = row.get("roster") if row is not None else None
    return tuple((str(one["id"]), names.get(str(one["id"]), str(one["id"]))) for one in roster or ())


def _teams(tournament: Tournament) -> Iterable[Mapping[str, Any]]:
    return [row for row in tournament.head.get("teams") or () if isinstance(row, Mapping)]
