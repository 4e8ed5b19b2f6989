"""The bonus game, one for each team: its scores and what they earn (UT3, UT4, UT13, EC4, EC5).

Only questions. Invariant: a score of 0 takes no place, and who has none earns nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from server.core.rules.attempts import counts_on, is_used, rescale
from server.core.rules.ranking import rank_machine
from server.core.rules.scores import score_in
from server.core.rules.state import Game, Stage, State

BONUS = "bonus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """A team's bonus game as it counts: the score, in which game; `place` is None where it earns no points."""

    score: int
    game: Game
    place: int | None = None
    points: int = 0


def is_bonus(game: Game) -> bool:
    """Say whether a game is a team's bonus game."""
    return game.played.slot == BONUS and game.played.match is None and game.played.tiebreak is False


def rank_bonus(state: State, teams: Iterable[str]) -> Mapping[str, Bonus]:
    """Rank the bonus games of some teams among each other; who has no score that counts is not in it."""
    among = frozenset(teams)
    stage = state.divisions[""].qualifying
    found: dict[str, Bonus] = {}
    for game in stage.games:
        if is_bonus(game) and counts_on(stage, game.machine.head.id) is not None:
            for team in game.who:
                score = score_in(state, game, team)
                if team in among and score is not None:
                    found[team] = Bonus(score=rescale(stage, game.machine.head.id, score), game=game)
    ranked = rank_machine({team: one.score for team, one in found.items()}, state.settings.bonus_points, "high")
    return {
        team: Bonus(score=one.score, game=one.game, place=ranked[team][0], points=ranked[team][1])
        for team, one in found.items()
    }


def bonus_used(state: State, stage: Stage, team: str) -> Game | None:
    """Give the bonus game that a team has used up, None where it may play one."""
    return next((game for game in stage.games if is_bonus(game) and is_used(state, stage, game, team)), None)


def bonus_machines(stage: Stage, teams: Iterable[str]) -> list[str]:
    """Give the machines on which some teams play their bonus games, by those recorded; substitutes for replaced."""
    among = frozenset(teams)
    found: dict[str, None] = {}
    for game in stage.games:
        void = game.said is not None and (game.said.void or game.said.voided.issuperset(game.who))
        if is_bonus(game) and not among.isdisjoint(game.who) and not void:
            name, seen = game.machine.head.id, {game.machine.head.id}
            while name in stage.instead and stage.instead[name] not in seen:
                name = stage.instead[name]
                seen.add(name)
            found[name] = None
    return list(found)
