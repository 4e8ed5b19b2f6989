"""Why a match came out as it did: its games, who won each, forfeits, who was put out of it, the tie-break.

Points and winners are those of the match's outcome. Invariant: the points of a match's parts add up to its points.
"""

from server.core.explain.grounds import Grounds, count
from server.core.explain.lines import Line
from server.core.explain.scores import explain_score
from server.core.rules.state import Game
from server.core.rules.teams.matches import outcome_of
from server.core.rules.teams.state import Match, Outcome


def brief_match(grounds: Grounds, match: Match, team: str) -> Line:
    """Give the line of a team's points in a match without what they rest on."""
    outcome = outcome_of(grounds.state, match)
    return _line(grounds, match, team, outcome, [])


def explain_match(grounds: Grounds, match: Match, team: str) -> Line:
    """Give the line of a team's points in a match, with each game and whatever else decided it."""
    outcome = outcome_of(grounds.state, match)
    parts = [_game(grounds, match, game) for game in (*match.games, *match.tiebreaks)]
    return _line(grounds, match, team, outcome, parts)


def _line(grounds: Grounds, match: Match, team: str, outcome: Outcome, parts: list[Line]) -> Line:
    other = match.opponent(team)
    points, against = outcome.points.get(team, 0), outcome.points.get(other, 0)
    word = {"final": "", "open": ", not over yet", "scheduled": ", not begun"}[outcome.status]
    won = "won" if outcome.winner == team else "lost" if outcome.winner == other else "no winner"
    because = f"{count(points, 'point')} in match {match.id} against {grounds.person(other)}: "
    because += f"{points} to {against}, {won}{word}" if outcome.status == "final" else f"{points} to {against}{word}"
    entries = [match.entry, *(entry for part in parts for entry in part.entries), match.ended]
    return grounds.line("match", because, points, stage=match.stage, who=team, entries=entries, parts=parts)


def _game(grounds: Grounds, match: Match, game: Game) -> Line:
    scores = [explain_score(grounds, game, who) for who in game.scores]
    entries = [entry for score in scores for entry in score.entries]
    because = f"game {game.id} on {grounds.machine(game.machine.head.id)}"
    return grounds.line("slot", because, None, stage=match.stage, game=game.id, entries=entries, parts=scores)
