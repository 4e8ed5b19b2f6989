"""What a match of two teams of a group, or of the final, comes to (UT2, UT9, UT10, UT18, EC2, EC3, EC9, EC10).

Only questions. Invariant: a team that is out of a match has no points of it, and its opponents what most they could
win; where both are out nobody has any.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from server.core.rules.groups import WITHIN_A_GAME, rounds_of
from server.core.rules.point_tables import table_of
from server.core.rules.ranking import classes, points_at, positions
from server.core.rules.scores import score_in
from server.core.rules.state import Game, Key, State
from server.core.rules.teams.group_seats import had_left, play_of
from server.core.rules.teams.state import Match, Outcome
from server.core.rules.ties import resolve


@dataclass(slots=True, kw_only=True)
class MatchGame:
    """One game of a match as it counts: entries of equal key are its parts, and their scores are added up.

    `sides` says for which team each plays who is recorded in it, `scores` are those that count.
    """

    key: Key
    entries: list[Game] = field(default_factory=list)
    sides: dict[str, str] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)


def games_of(state: State, match: Match) -> list[MatchGame]:
    """Give the games of a match that count; one that is void as a whole, or has no score left, is none."""
    found: dict[Key, MatchGame] = {}
    for game in match.games:
        if game.is_void:
            continue
        scores = {who: score for who in game.who if (score := score_in(state, game, who)) is not None}
        if not scores and not (game.said is not None and game.said.penalised):
            continue
        known = found.setdefault(game.key, MatchGame(key=game.key))
        known.entries.append(game)
        known.sides |= match.sides.get(game.id, {})
        for who, score in scores.items():
            known.scores[who] = known.scores.get(who, 0) + score
    return list(found.values())


def is_complete(state: State, match: Match, game: MatchGame) -> bool:
    """Say whether everybody who belongs into a game is recorded in it."""
    side = play_of(state).side or 1
    there = list(game.sides.values())
    return all(there.count(team) == side for team in match.teams)


def group_outcome(state: State, match: Match) -> Outcome:
    """Give what a match has come to; `winner` only where matches are won (EC3 knows none)."""
    games = games_of(state, match)
    wins = play_of(state).earns == "win"
    if match.stage.form is None and any(had_left(state, team) for team in match.teams):
        return Outcome(points=dict.fromkeys(match.teams, 0), status="open" if games else "scheduled")
    if match.lost:
        points = {team: 0 if team in match.lost else most_points(state) for team in match.teams}
        there = [team for team in match.teams if team not in match.lost]
        winner = there[0] if there and wins else None
        return Outcome(points=points, winner=winner, losers=tuple(match.lost) if wins else (), status="final")
    return _won(state, match, games) if wins else _by_places(state, match, games)


def that_still_hold(tiebreaks: Sequence[Game], games: Sequence[Game], live: Sequence[Game]) -> list[Game]:
    """Give the tie-break games without those that were played for a game that is void and was played anew since."""
    first = min((game.entry for game in live), default=0)
    void = [game.entry for game in games if game.is_void]
    return [one for one in tiebreaks if not any(entry < one.entry < first for entry in void)]


def idle_extra_games(state: State, match: Match) -> list[Game]:
    """UT2, UT18: give the extra games of a match whose own game has a winner, so that they decide nothing."""
    games = games_of(state, match)
    if not games or match.lost or len({games[0].scores.get(team) for team in match.teams}) < len(match.teams):
        return []
    return [one for one in _extra_games(match, games[0]) if not one.is_void]


def counts_in(state: State, game: Game) -> Game:
    """Give the game in which one counts that counts only through a ruling (C1.8); any other is its own."""
    for other in state.games.values():
        if other.said is not None and any(game.id in ruling.games for ruling in other.said.rulings):
            return other
    return game


def most_points(state: State) -> int:
    """Give the most that a team can have of a match: a win, or the best places on all machines (EC9)."""
    play, settings = play_of(state), state.settings
    if play.earns == "win":
        return settings.match_points[0] if settings.match_points else 0
    return sum(_table(state)[: play.side]) * play.games


def place_points(state: State, game: MatchGame) -> Mapping[str, tuple[int, int]]:
    """EC3: give the place and the points of each in a game; equal scores share the higher place and its points."""
    table, groups = _table(state), classes(game.scores)
    places = positions(groups)
    return {who: (places[who], points_at(table, places[who], len(group), "high")) for group in groups for who in group}


def _table(state: State) -> tuple[int, ...]:
    return table_of(state.settings.group_points, play_of(state).side * 2) or ()


def _won(state: State, match: Match, games: list[MatchGame]) -> Outcome:
    """UT2, UT18: the higher score wins; equal ones are broken by one more game, until then nobody has points."""
    nobody = dict.fromkeys(match.teams, 0)
    if not games:
        return Outcome(points=nobody, status="open" if match.games else "scheduled")
    scores = games[0].scores
    if any(team not in scores for team in match.teams):
        return Outcome(points=nobody)
    broken = _extra_games(match, games[0])
    order = resolve(classes(scores), policy=WITHIN_A_GAME, cut=2, rounds=rounds_of(state, broken))
    if order.ties:
        return Outcome(points=nobody, level=(games[0].entries[0].id,))
    if len(order.groups) < 2:  # pragma: no cover - a tie within a game is always to be played off
        return Outcome(points=nobody)
    (winner,), (loser,) = order.groups
    table = state.settings.match_points
    points = {winner: points_at(table, 1, 1, "high"), loser: points_at(table, 2, 1, "high")}
    return Outcome(points=points, winner=winner, losers=(loser,), status="final")


def _extra_games(match: Match, game: MatchGame) -> list[Game]:
    """UT18: give the games that break a draw of a game, which may be named by one that a ruling puts in its place."""
    names = {entry.id for entry in game.entries}
    names |= {one for entry in game.entries if entry.said for ruling in entry.said.rulings for one in ruling.games}
    still = that_still_hold(match.tiebreaks, match.games, game.entries)
    return [one for one in still if one.played.tiebreak is True or one.played.tiebreak in names]


def _by_places(state: State, match: Match, games: list[MatchGame]) -> Outcome:
    points = dict.fromkeys(match.teams, 0)
    done = [game for game in games if is_complete(state, match, game)]
    for game in done:
        for who, (_, earned) in place_points(state, game).items():
            points[game.sides[who]] += earned
    status = "final" if len(done) >= play_of(state).games else "open" if match.games else "scheduled"
    return Outcome(points=points, status=status)
