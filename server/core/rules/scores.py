"""The official score of a player in a game (C1): machine scores, corrected, composed by rulings, capped, penalised.

Whole numbers only. Invariant: nothing but what officials said about this very game, and the machine scores of the
games that its rulings name, has any influence.
"""

from collections.abc import Mapping

from server.core.rules.acts import Ruling
from server.core.rules.state import Game, State


def official(game: Game, who: str, games: Mapping[str, Game], ring_bonus: int) -> int | None:
    """Give the score that counts, or None where there is none: not in the game, void, or disqualified (C1, C3.5)."""
    said = game.said
    if said is None and not game.noted:
        score = game.scores.get(who)
    else:
        score = _machine_score(game, who, ring_bonus)
        if score is None:
            return None
        for ruling in said.rulings if said is not None else ():
            if ruling.who is None or ruling.who == who:
                score = _apply(ruling, score, who, games, ring_bonus)
        if said is not None and who in said.zeroed:
            return 0
    ceiling = game.machine.head.max_score
    return ceiling if score is not None and ceiling is not None and score > ceiling else score


def score_in(state: State, game: Game, who: str) -> int | None:
    """Give the score of a player in a game that counts now, or None."""
    return official(game, who, state.games, state.settings.ring_bonus)


def _machine_score(game: Game, who: str, ring_bonus: int) -> int | None:
    """C1.1 to C1.3; a void or disqualified score is none, so that no ruling brings it back."""
    score = game.scores.get(who)
    if score is None or (game.said is not None and game.said.has_no_score(who)):
        return None
    rollovers, rings, digits = game.played.rollovers, game.played.rings, game.machine.head.digits
    if rollovers is not None and digits is not None:
        score += rollovers.get(who, 0) * 10**digits
    return score if rings is None else score + rings.get(who, 0) * ring_bonus


def _apply(ruling: Ruling, score: int, who: str, games: Mapping[str, Game], ring_bonus: int) -> int:
    if ruling.kind == "zero":
        return 0
    if ruling.kind == "fraction" and ruling.factor is not None:
        numerator, denominator = ruling.factor.as_integer_ratio()
        return score * numerator // denominator
    named = [
        0 if game.said is not None and who in game.said.zeroed else found
        for name in ruling.games
        if (game := games.get(name)) is not None and (found := _machine_score(game, who, ring_bonus)) is not None
    ]
    if ruling.kind == "add-ball":
        return score + sum(named)
    if ruling.kind == "best-of":
        return max(score, *named) if named else score
    if ruling.kind == "replay":
        return named[-1] if named else score
    return score
