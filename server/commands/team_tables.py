"""What the tables for people say of teams: the matches, what became of teams, and players' offences.

Only printing what the rules' output has. Invariant: a tournament of single players prints nothing of this.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from server.commands.tables import person

Json = Mapping[str, Any]


def team_tables(state: Json, names: Mapping[str, str]) -> Iterator[str]:
    """Give the lines about teams and conduct that stand between the stages and the machines."""
    yield from _matches(state, names)
    yield from _teams(state, names)
    yield from _conduct(state, names)


def _matches(state: Json, names: Mapping[str, str]) -> Iterator[str]:
    stage = week = None
    for match in state.get("matches", ()):
        if (match["stage"], match.get("week")) != (stage, week) or stage is None:
            stage, week = match["stage"], match.get("week")
            yield ""
            yield f"Matches of {stage}" + (f", week {week}" if week is not None else "")
        yield f"  {_match(match, names)}"
        for game in match.get("games", ()):
            yield f"    {_game(game, names)}"


def _match(match: Json, names: Mapping[str, str]) -> str:
    home, away = match["home"], match["away"]
    points = match["points"]
    said = f"{match['id']}: {person(home, names)} {points[home]} - {points[away]} {person(away, names)}"
    where = f" at {match['venue']}" if match.get("venue") else ""
    won = f", won by {person(match['winner'], names)}" if match.get("winner") else ""
    return f"{said}{where} ({match['status']}{won})"


def _game(game: Json, names: Mapping[str, str]) -> str:
    place = ", ".join(f"{key} {game[key]}" for key in ("round", "slot") if game.get(key) is not None)
    scores = ", ".join(f"{person(who, names)} {score:,}" for who, score in game.get("scores", {}).items())
    points = " - ".join(str(earned) for earned in game["points"].values())
    return f"{place or 'game'}: {points}" + (f"  {scores}" if scores else "")


def _teams(state: Json, names: Mapping[str, str]) -> Iterator[str]:
    told = [team for team in state.get("teams", ()) if team["status"] != "active" or team.get("place") is not None]
    if told:
        yield ""
        yield "Teams"
    for team in sorted(told, key=lambda team: team.get("place") or len(told) + 1):
        place = f"place {team['place']}" if team.get("place") is not None else ""
        status = team["status"] if team["status"] != "active" else ""
        yield f"  {person(team['id'], names)}: {', '.join(part for part in (place, status) if part)}"


def _conduct(state: Json, names: Mapping[str, str]) -> Iterator[str]:
    told = [player for player in state["players"] if player.get("offences") or player["status"] == "suspended"]
    if told:
        yield ""
        yield "Offences"
    for player in told:
        out = f", {player['status']}" if player["status"] != "active" else ""
        yield f"  {person(player['id'], names)}: {player.get('offences', 0)}{out}"
