"""A second evaluator of the Pinball Chicago League: the table, who goes on, and who may play in the playoffs.

Written from the rule page alone. Invariant: every question is answered from all matches anew.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from tests.properties import league_book as book
from tests.properties import league_outcome as outcomes
from tests.properties.by_the_book import Entry
from tests.properties.league_book import League
from tests.properties.league_outcome import Outcome

EITHER = "either"


def season(league: League) -> dict[str, Outcome]:
    """Every match of the season that the table counts."""
    key = ("season", len(league.log))
    if key not in league.answers:
        found = {
            entry["match"]: outcomes.outcome(league, entry["match"])
            for entry in league.about("match")
            if "stage" not in entry and not entry.get("tiebreak")
        }
        league.answers[key] = {name: outcome for name, outcome in found.items() if outcome.counts}
    return dict(league.answers[key])


def record(matches: Iterable[Outcome], team: str) -> tuple[int, int, int]:
    """Wins, losses and match points of a team in some matches."""
    mine = [match for match in matches if team in match.points]
    wins = sum(match.winner == team for match in mine)
    return wins, sum(team in match.losers for match in mine), sum(match.points[team] for match in mine)


def percentage(matches: Iterable[Outcome], team: str) -> Fraction:
    """PC37: the part of the matches that was won."""
    wins, losses, _points = record(matches, team)
    return Fraction(wins, wins + losses) if wins + losses else Fraction(0)


def split(teams: Sequence[str], key: Callable[[str], object]) -> list[list[str]]:
    """The teams in groups of an equal key, best first."""
    values = sorted({key(team) for team in teams}, reverse=True)  # type: ignore[type-var]
    return [[team for team in teams if key(team) == value] for value in values]


def ladder(matches: Sequence[Outcome], teams: Sequence[str]) -> list[list[str]]:
    """PC37: rungs 1 to 4; teams that stay level are in one group."""
    order: list[list[str]] = []
    for same in split(teams, lambda team: (percentage(matches, team), record(matches, team)[2])):
        order += meetings(matches, same)
    return order


def meetings(matches: Sequence[Outcome], teams: list[str]) -> list[list[str]]:
    """PC37, rungs 3 and 4: wins, then points, in the matches among level teams; each part begins again."""
    if len(teams) < 2:
        return [teams]
    among = [match for match in matches if set(match.points) <= set(teams)]
    for rung in (0, 2):
        parts = split(teams, lambda team, rung=rung: record(among, team)[rung])  # type: ignore[misc]
        if len(parts) > 1:
            return [group for part in parts for group in meetings(matches, part)]
    return [teams]


def conferences(league: League) -> dict[str | None, list[str]]:
    """PC39: the teams of each conference."""
    found: dict[str | None, list[str]] = {}
    for team in league.document["teams"]:
        found.setdefault(team.get("division"), []).append(team["id"])
    return found


def cut_at(league: League) -> int:
    """PC39: how many of each conference go on."""
    closes = league.about("close", close="season")
    return int(next((entry["qualifiers"] for entry in closes if "qualifiers" in entry), league.rule("qualifiers")))


def table(league: League, teams: Sequence[str]) -> list[list[str]]:
    """PC37, PC38: the order, with a tie over the cut decided by its tie-break match."""
    order = ladder(list(season(league).values()), teams)
    if not league.about("close", close="season"):
        return order
    decided: list[list[str]] = []
    for group in order:
        above = sum(map(len, decided))
        beaten = [played_off(league, group)] if above < cut_at(league) < above + len(group) else [None]
        if len(group) == 2 and beaten[0] in group:
            decided += [[team for team in group if team != beaten[0]], [team for team in group if team == beaten[0]]]
        else:
            decided.append(group)
    return decided


def played_off(league: League, group: Sequence[str]) -> str | None:
    """PC38: who lost the tie-break match of a level pair."""
    for entry in league.about("match", tiebreak=True):
        if {entry["home"], entry["away"]} == set(group):
            found = outcomes.outcome(league, entry["match"])
            if found.winner is not None:
                return next(team for team in group if team != found.winner)
    return None


def going_on(league: League, teams: Sequence[str]) -> tuple[list[str], list[tuple[str, tuple[str, ...], int]]]:
    """PC38, PC39: who goes on for certain in seed order, and the ties: reason, teams, first place."""
    through: list[str] = []
    ties: list[tuple[str, tuple[str, ...], int]] = []
    above, cut = 0, cut_at(league)
    for group in table(league, teams):
        if above < cut and len(group) == 1:
            through += group
        elif above < cut:
            reason = "cut" if above + len(group) > cut else "seed"
            ties.append((reason, tuple(sorted(group)), above + 1))
        above += len(group)
    return through, ties


def playoff_problem(league: League, entry: Entry) -> str | None:
    """PC39: the season is closed, both are in, none is beaten, the higher seed is at home."""
    if not league.about("close", close="season"):
        return "PC39"
    seeds: list[str] = []
    for teams in conferences(league).values():
        through, ties = going_on(league, teams)
        if ties:
            return EITHER
        if {entry["home"], entry["away"]} <= set(teams):
            seeds = through
        elif {entry["home"], entry["away"]} & set(teams):
            return EITHER
    if not {entry["home"], entry["away"]} <= set(seeds):
        return "PC39"
    for other in league.about("match", stage="playoffs"):
        if {entry["home"], entry["away"]} & outcomes.outcome(league, other["match"]).losers:
            return "PC39"
        if not outcomes.outcome(league, other["match"]).counts and {other["home"], other["away"]} & {
            entry["home"],
            entry["away"],
        }:
            return EITHER
    return "PC39" if seeds.index(entry["home"]) > seeds.index(entry["away"]) else None


def playoff_player_problem(league: League, everybody: Iterable[str]) -> str | None:
    """PC5, PC40: only who has a game of the season, and is on no second team that is in these playoffs."""
    in_season = {
        entry["match"] for entry in league.about("match") if "stage" not in entry and not entry.get("tiebreak")
    }
    played = {
        who
        for game in league.about("game")
        if game.get("match") in in_season and not book.is_void(league, game)
        for who in game["scores"]
    }
    for who in everybody:
        if who not in played:
            return "PC40"
        for teams in conferences(league).values():
            through, ties = going_on(league, teams)
            names = [*through, *(team for tie in ties for team in tie[1])]
            if sum(who in (book.roster(league, team, None) or {}) for team in names) > 1:
                return EITHER if ties else "PC5"
    return None
