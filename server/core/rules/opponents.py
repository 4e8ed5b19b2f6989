"""Games of opponents who meet under a label, each game worth the opponents outscored in it (CC10).

The frame of the code of conduct where it is a preset of its own. Invariant: the others' places in a game are those that
they would have if who has no score in it had not been there.
"""

from server.core.rules.attempts import counts_on, rescale
from server.core.rules.ranking import classes, positions
from server.core.rules.results import StageResult
from server.core.rules.scores import score_in
from server.core.rules.state import Division, Game, Stage, State


def opponents_result(state: State, division: Division) -> StageResult:
    """Rank who has a score that counts by the opponents outscored; equal ones share a rank (CC5, CC10)."""
    stage = division.qualifying
    machines: dict[str, list[dict[str, object]]] = {}
    points: dict[str, int] = {}
    for game in stage.games:
        scores = scores_of(state, stage, game)
        ranks = positions(classes(scores))
        for who, score in scores.items():
            outscored = sum(other < score for other in scores.values())
            points[who] = points.get(who, 0) + outscored
            machines.setdefault(who, []).append(
                {
                    "machine": counts_on(stage, game.machine.head.id),
                    "score": score,
                    "rank": ranks[who],
                    "points": outscored,
                    "game": game.id,
                    "match": game.played.match,
                }
            )
    ranks = positions(classes(points))
    rows: list[dict[str, object]] = [
        {"rank": rank, "who": who, "points": points[who], "machines": machines[who]} for who, rank in ranks.items()
    ]
    result = StageResult(stage=stage, rows=rows, ranks=ranks, players=tuple(ranks))
    result.settled = stage.closed
    return result


def scores_of(state: State, stage: Stage, game: Game) -> dict[str, int]:
    """Give the scores that count in a game, none where those on its machine are not used (CC2)."""
    name = game.machine.head.id
    if counts_on(stage, name) is None:
        return {}
    found = {who: score_in(state, game, who) for who in game.who}
    return {who: rescale(stage, name, score) for who, score in found.items() if score is not None}
