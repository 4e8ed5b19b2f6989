"""The scores after each ball of a captured game, for tournaments that count strokes (pin golf).

Only what was heard for certain, from the first ball on without a gap: strokes are told from it. Invariant: what is
doubtful is left out, with everything after it, so that the rules ask an official instead of guessing.
"""

from collections.abc import Mapping

from server.core import rules
from server.core.venue.records import Tournament
from server.core.venue.review import CONFIDENT
from server.core.venue.things import Game, scores_of


def wants_balls(tournament: Tournament) -> bool:
    """Whether the tournament's rules count the balls that a score took."""
    preset = rules.PRESETS.get(str(tournament.head.get("preset")))
    return preset is not None and preset.first == "holes"


def noted_balls(game: Game, posted: Mapping[str, int | None]) -> dict[str, list[int]]:
    """The scores after ball 1, 2, ... of each player who has a score; nobody is in it of whom no ball is certain.

    A ball that is told of twice (an extra ball) has the later score.
    """
    found: dict[str, list[int]] = {}
    for slot, who in enumerate(game.players, start=1):
        final = posted.get(who) if who is not None else None
        if who is None or final is None:
            continue
        balls = _of_slot(game, slot)
        if balls and balls[-1] <= final and balls == sorted(balls):
            found[who] = balls
    return found


def _of_slot(game: Game, slot: int) -> list[int]:
    """The scores after each ball of one slot, up to the first that is missing or doubtful."""
    shown: dict[int, int | None] = {}
    for _, fact in game.ball_facts:
        ball = fact.body.get("ball")
        if fact.body.get("player") != slot or not isinstance(ball, int):
            continue
        score = next((one for one in scores_of(fact.body.get("scores") or ()) if one.player == slot), None)
        sure = score is not None and score.confidence >= CONFIDENT and set(score.candidates) <= {score.score}
        shown[ball] = score.score if score is not None and sure else None
    balls: list[int] = []
    while (after := shown.get(len(balls) + 1)) is not None:
        balls.append(after)
    return balls
