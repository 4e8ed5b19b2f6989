"""Pin golf: how many strokes a game took its player, from what was typed or from the scores after each ball (G2 to G5).

Pure arithmetic over one game. Invariant: strokes that what was recorded does not tell are unknown, with the reason;
they are never guessed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.core.rules.acts import Correct
from server.core.rules.scores import official
from server.core.rules.settings import Settings
from server.core.rules.state import Game, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Strokes:
    """The strokes of one player in one game: a number, or None and why it is not known."""

    count: int | None
    why: str = ""


def strokes_of(state: State, game: Game, who: str) -> Strokes | None:
    """Give a player's strokes in a game, None where he has no score in it (not played, void, disqualified)."""
    settings = state.settings
    score = official(game, who, state.games, settings.ring_bonus)
    if score is None:
        return None
    typed, target = _typed(game, who), settings.targets.get(game.machine.head.id)
    if typed is not None:
        if settings.scores == "balls" and target is not None and score < target and typed <= settings.balls:
            return Strokes(count=None, why=f"{typed} strokes are noted, but {score} is below the target of {target}")
        return Strokes(count=typed)
    if settings.scores == "strokes":
        if 1 <= score <= settings.max_strokes:
            return Strokes(count=score)
        return Strokes(count=None, why=f"{score} is no number of strokes")
    if target is None:
        return Strokes(count=None, why=f"{game.machine.head.id} has no target")
    if _is_composed(game, who):
        if score < target:
            return Strokes(count=missed(settings, score, target))
        return Strokes(count=None, why="a ruling composed the score: on which ball the target was reached is not known")
    return _from_balls(settings, _balls(game, who), score, target)


def missed(settings: Settings, score: int, target: int) -> int:
    """Give the strokes for a target that was not reached (G4): one more than balls, or more the farther it was.

    By distance the target is cut into as many equal parts as there are strokes left: within the last part it is one
    more than balls, within the first part `max_strokes`.
    """
    if settings.missed == "plus_one":
        return settings.balls + 1
    parts = settings.max_strokes - settings.balls
    reached = max(1, -(-score * parts // target))
    return settings.max_strokes + 1 - reached


def bad_strokes(settings: Settings, strokes: Mapping[str, int], scores: Mapping[str, int]) -> str | None:
    """Say what is wrong with typed strokes, None where nothing is."""
    for who, count in strokes.items():
        if who not in scores:
            return f"strokes are noted for {who}, who has no score in this game"
        if not 1 <= count <= settings.max_strokes:
            return f"strokes of {who}: a number from 1 to {settings.max_strokes}"
    return None


def bad_balls(settings: Settings, balls: Mapping[str, Sequence[int]], scores: Mapping[str, int]) -> str | None:
    """Say what is impossible about scores after each ball, None where nothing is (G3)."""
    for who, shown in balls.items():
        if who not in scores:
            return f"balls are noted for {who}, who has no score in this game"
        if len(shown) > settings.balls:
            return f"{who} has {len(shown)} balls: {settings.balls} are played"
        for number, (before, after) in enumerate(zip((0, *shown), shown, strict=False), 1):
            if after < before:
                return f"the score of {who} falls with ball {number}: {before}, then {after}"
        if shown and settings.scores == "balls" and shown[-1] > scores[who]:
            return f"{who} has {scores[who]} in the end, less than the {shown[-1]} after ball {len(shown)}"
    return None


def bad_correction(settings: Settings, game: Game, act: Correct) -> str | None:
    """Say what is impossible about corrected scores, balls or strokes, None where nothing is."""
    scores = {**game.scores, **act.scores}
    if settings.scores == "strokes" and (problem := bad_strokes(settings, act.scores, scores)):
        return problem
    return bad_strokes(settings, act.strokes or {}, scores) or bad_balls(settings, act.balls or {}, scores)


def _typed(game: Game, who: str) -> int | None:
    """Give the strokes that an official or the scorekeeper typed, the latest."""
    if game.said is not None and who in game.said.strokes:
        return game.said.strokes[who]
    return (game.played.strokes or {}).get(who)


def _balls(game: Game, who: str) -> Sequence[int]:
    if game.said is not None and who in game.said.balls:
        return game.said.balls[who]
    return (game.played.balls or {}).get(who, ())


def _is_composed(game: Game, who: str) -> bool:
    """Say whether rulings or penalties made the score another one than the machine's."""
    if game.said is None:
        return False
    rulings = (ruling for ruling in game.said.rulings if ruling.who in {None, who})
    return who in game.said.zeroed or any(ruling.kind != "stand" for ruling in rulings)


def _from_balls(settings: Settings, balls: Sequence[int], score: int, target: int) -> Strokes:
    """Find the ball on which the target was reached (G3)."""
    on = next((number for number, shown in enumerate(balls, 1) if shown >= target), None)
    if score < target:
        if on is None:
            return Strokes(count=missed(settings, score, target))
        return Strokes(count=None, why=f"the score is {score}, but ball {on} had reached the target of {target}")
    if on is not None:
        if score < balls[-1]:
            return Strokes(count=None, why=f"the score is {score}, less than the {balls[-1]} after ball {len(balls)}")
        return Strokes(count=on)
    if len(balls) == settings.balls - 1:  # the last ball alone is left
        return Strokes(count=settings.balls)
    return Strokes(count=None, why=f"the target of {target} was reached, on which ball is not known")
