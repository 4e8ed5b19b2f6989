"""The games of a league match as the output of the tournament file: by round and slot, with their points (PC6).

Only shaping, no rules; the score sheet for the people at a match is in `sheets`. Invariant: `scores` are official.
"""

from server.core.rules.scores import score_in
from server.core.rules.state import Game, State
from server.core.rules.teams.league import OPEN, SlotResult, slot_results
from server.core.rules.teams.state import Match


def describe_games(state: State, match: Match) -> dict[str, object]:
    """Give `games` (slots of which something counts), `tiebreak_games` and `forfeits`, each where there are any."""
    found: dict[str, object] = {
        "games": [_slot(state, match, result) for result in slot_results(state, match) if result.status != OPEN],
        "tiebreak_games": [_tie_break(state, game) for game in match.tiebreaks],
        "forfeits": [
            {"entry": entry, "team": act.team, "for": act.offence, "round": act.round, "slot": act.slot}
            for entry, act in match.forfeits
        ],
    }
    return {key: value for key, value in found.items() if value}


def _slot(state: State, match: Match, result: SlotResult) -> dict[str, object]:
    games = [state.games[name] for name in result.games]
    found: dict[str, object] = {
        "round": result.slot.round,
        "slot": result.slot.slot,
        "status": result.status,
        "points": {team: result.points.get(team, 0) for team in match.teams},
        "games": list(result.games),
        "scores": {who: score for game in games for who, score in _scores(state, game).items()},
        "sums": {team: total for team, total in result.sums.items() if total is not None},
    }
    optional = {
        "machine": games[0].machine.head.id if games else None,
        "winner": result.winner,
        "lost": list(result.lost) or None,
        "decided_by": result.decided_by,
    }
    return found | {key: value for key, value in optional.items() if value is not None}


def _tie_break(state: State, game: Game) -> dict[str, object]:
    return {"game": game.id, "machine": game.machine.head.id, "scores": _scores(state, game)}


def _scores(state: State, game: Game) -> dict[str, int]:
    scores = {who: score_in(state, game, who) for who in game.scores}
    return {who: score for who, score in scores.items() if score is not None}
