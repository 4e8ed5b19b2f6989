"""What a match and the bonus game of teams in groups are made of, and by what level teams are in order (UT, EC).

Numbers are those of `rules.teams.group_matches` and `rules.teams.bonus`. Invariant: the parts of a match's points add
up to them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from server.core.explain.grounds import Grounds, count, number
from server.core.explain.lines import Line
from server.core.explain.scores import explain_score
from server.core.explain.ties import played_off
from server.core.rules.results import GroupResult, StageResult
from server.core.rules.state import Game
from server.core.rules.teams.bonus import Bonus, rank_bonus
from server.core.rules.teams.group_matches import MatchGame, games_of, is_complete, place_points
from server.core.rules.teams.group_seats import had_left, play_of, seats
from server.core.rules.teams.state import Match, Outcome

COUNTED_BACK = {"matches": "the matches among them", "places": "their first places in games, then the second ones"}
"""EC15: by what teams are ordered that are level behind the places that are played off, by the setting."""


def group_parts(grounds: Grounds, match: Match, team: str, outcome: Outcome) -> list[Line]:
    """Give the lines that a team's points in a match are made of: its games, or what put a team out of it."""
    state = grounds.state
    gone = [each for each in match.teams if match.stage.form is None and had_left(state, each)]
    if gone:
        absent = match.stage.absent
        because = f"{grounds.people(gone)} did not come: the match gives nobody points"
        entries = [absent[each] for each in gone if each in absent]
        return [grounds.line("absent", because, 0, who=team, match=match.id, entries=entries)]
    if match.lost:
        because = f"{count(outcome.points.get(team, 0), 'point')}: {grounds.people([*match.lost])} out of this match"
        value, entries = outcome.points.get(team, 0), list(match.lost.values())
        return [grounds.line("out-of-match", because, value, who=team, match=match.id, entries=entries)]
    games = games_of(state, match)
    if play_of(state).earns == "win":
        return [_won(grounds, match, team, game, outcome) for game in games[:1]]
    return [_placed(grounds, match, team, game) for game in games]


def group_verdict(grounds: Grounds, match: Match) -> list[Line]:
    """UT18: give the lines of the games that broke the tie in a drawn one."""
    return [
        replace(score, because=f"one more game, {game.id}: {grounds.person(who)} {score.because}", match=match.id)
        for game in match.tiebreaks
        for who in game.who
        for score in [explain_score(grounds, game, who)]
    ]


def bonus_parts(grounds: Grounds, result: StageResult, team: str) -> list[Line]:
    """UT4, EC5: give the line of what the bonus game earns a team in the first stage; none where it has none."""
    if result.stage.form is not None:
        return []
    among = _bonus_among(grounds, team)
    bonus = among.get(team)
    if bonus is None:
        return []
    game, score = bonus.game, explain_score(grounds, bonus.game, team, result.stage)
    place = f"place {bonus.place} of {len(among)}" if bonus.place is not None else "a score of 0 takes no place"
    level = [other for other, one in among.items() if other != team and one.place == bonus.place is not None]
    shared = f", shared with {grounds.people(level)}" if level else ""
    because = f"{count(bonus.points, 'point')} for the bonus game: {number(bonus.score)}, {place}{shared}"
    return [
        grounds.line(
            "bonus",
            because,
            bonus.points,
            setting="bonus_points",
            stage=result.stage,
            who=team,
            machine=game.machine.head.id,
            game=game.id,
            entries=(*score.entries, *(among[other].game.entry for other in level)),
            parts=[score],
        )
    ]


def explain_level(grounds: Grounds, result: StageResult, row: Mapping[str, Any]) -> list[Line]:
    """UT6, EC7, EC14, EC15: say by what a team is in order among those with as many points."""
    team, rank, stage = row["who"], row["rank"], result.stage
    apart = group_apart(grounds, result, team)
    level = [
        other
        for other in result.rows
        if other.get("points", other.get("score")) == row.get("points", row.get("score"))
        and (apart is None or other["who"] in apart.who)
    ]
    equal = [str(other["who"]) for other in level if other["who"] != team]
    if not equal or any(team in tie.tie.who for tie in result.ties):
        return []
    names = grounds.people(equal)
    if len({other["rank"] for other in level}) == 1:
        return [grounds.line("shared-rank", f"level with {names}: the rank is shared", rank, stage=stage, who=team)]
    played = played_off(grounds, result, team, {team, *equal})
    if played:
        because = f"level with {names}: in the order of what was played off or drawn"
        entries = [entry for line in played for entry in line.entries]
        return [grounds.line("tie", because, rank, stage=stage, who=team, entries=entries, parts=played)]
    bonus = _bonus_among(grounds, team)
    scores = [f"{grounds.person(other)} {_bonus_score(bonus, other)}" for other in (team, *equal)]
    if stage.form is None:
        because = f"level with {names}: by the score of the bonus game ({', '.join(scores)})"
        if len({_bonus_score(bonus, other) for other in (team, *equal)}) < len(level):
            because += ", then by their match where two are left"
    else:
        because = f"level with {names}: by {COUNTED_BACK[grounds.settings.countback_by]}, then by the bonus game"
    games = [bonus[other].game.entry for other in (team, *equal) if other in bonus]
    what, setting = ("tie", "") if stage.form is None else ("count-back", "countback")
    return [grounds.line(what, because, rank, setting=setting, stage=stage, who=team, entries=games)]


def group_apart(grounds: Grounds, result: StageResult, team: str) -> GroupResult | None:
    """UT5: give the group of a team where groups are ranked apart, each with a table of its own."""
    if grounds.preset.first != "team_groups" or result.stage.form is not None:
        return None
    if play_of(grounds.state).ranked != "apart":
        return None
    return next((group for group in result.groups or () if team in group.who), None)


def score_parts(grounds: Grounds, result: StageResult, team: str) -> list[Line]:
    """UT7: give the line of a team's score in a final of one game."""
    return [explain_score(grounds, game, team) for game in result.stage.games if team in game.who]


def _bonus_among(grounds: Grounds, team: str) -> Mapping[str, Bonus]:
    """Give the bonus games among which a team's is ranked: of its group, or of all."""
    groups = seats(grounds.state)
    if play_of(grounds.state).ranked != "apart":
        return rank_bonus(grounds.state, [each for group in groups.values() for each in group])
    return rank_bonus(grounds.state, next((group for group in groups.values() if team in group), ()))


def _bonus_score(bonus: Mapping[str, Bonus], team: str) -> str:
    return number(bonus[team].score) if team in bonus else "not played"


def _won(grounds: Grounds, match: Match, team: str, game: MatchGame, outcome: Outcome) -> Line:
    scores = [line for entry in game.entries for line in _scores(grounds, match, entry)]
    sums = ", ".join(
        f"{grounds.person(each)} {number(game.scores[each])}" for each in match.teams if each in game.scores
    )
    value = outcome.points.get(team, 0)
    word = "drawn, one more game decides" if outcome.level else "won" if outcome.winner == team else "lost"
    because = f"{count(value, 'point')}: {sums}: {word if outcome.winner or outcome.level else 'not complete'}"
    return _slot(grounds, match, team, game, because, value, scores)


def _placed(grounds: Grounds, match: Match, team: str, game: MatchGame) -> Line:
    """EC3: a game with points by place; those of the team's players are added."""
    scores = {line.who: line for entry in game.entries for line in _scores(grounds, match, entry)}
    where = grounds.machine(game.entries[0].machine.head.id)
    if not is_complete(grounds.state, match, game):
        because = f"0 points on {where}: not everybody has played"
        return _slot(grounds, match, team, game, because, 0, [_rival(line) for line in scores.values()])
    points = place_points(grounds.state, game)
    own = [who for who, side in game.sides.items() if side == team]
    parts = []
    for who in own:
        score = scores[who]
        if who in points:
            place, earned = points[who]
            because = f"{count(earned, 'point')} for place {place}: {score.because}"
        else:
            earned, because = 0, f"no points: {score.because}"
        parts.append(
            grounds.line(
                "points",
                because,
                earned,
                setting="group_points",
                stage=match.stage,
                who=who,
                machine=score.machine,
                game=score.game,
                match=match.id,
                entries=score.entries,
                parts=[score],
            )
        )
    value = sum(points[who][1] for who in own if who in points)
    words = " + ".join(str(points[who][1]) if who in points else "0" for who in own)
    because = f"{count(value, 'point')} on {where}: {words}"
    against = [line for who, line in scores.items() if who not in own]
    return _slot(grounds, match, team, game, because, value, [*parts, *map(_rival, against)])


def _rival(line: Line) -> Line:
    """Give the score of somebody of the other team, which is no part of a sum."""
    return replace(line, what="against")


def _slot(
    grounds: Grounds,
    match: Match,
    team: str,
    game: MatchGame,
    because: str,
    value: int,
    parts: list[Line],
) -> Line:
    entries = [entry for part in parts for entry in part.entries]
    first: Game = game.entries[0]
    return grounds.line(
        "slot",
        because,
        value,
        setting="match_points" if play_of(grounds.state).earns == "win" else "group_points",
        stage=match.stage,
        who=team,
        machine=first.machine.head.id,
        game=first.id,
        match=match.id,
        entries=entries,
        parts=parts,
    )


def _scores(grounds: Grounds, match: Match, game: Game) -> list[Line]:
    found = []
    for who in game.who:
        line = explain_score(grounds, game, who)
        found.append(replace(line, because=f"{grounds.person(who)}: {line.because}", match=match.id))
    return found
