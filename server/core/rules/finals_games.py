"""Taking games of the finals: the right players in the right group, each game once, no more than the group plays.

Invariant: the first game that counts freezes its stage's seeds; a later correction in the stage before is then an
official's matter.
"""

from datetime import datetime

from server.core.rules.groups import group_of
from server.core.rules.machines import unavailable
from server.core.rules.scores import official
from server.core.rules.stages import field_of, too_late
from server.core.rules.state import FINALS, Game, Key, Stage, State


def take_finals_game(state: State, game: Game, stage: Stage, begun: datetime | None) -> str | None:
    """Take a game of a stage after qualifying (C4.3, C4.5, T8.3, T10). Gives the reason when refused."""
    act = game.played
    field, problem = _players_of(state, game, stage)
    if field is None or problem:
        return problem
    if problem := too_late(state, stage, begun, act.game):
        return problem
    if act.makeup is not None:
        return "make-up games belong to qualifying"
    if game.machine.division not in {None, stage.division}:
        return f"{act.machine} serves {game.machine.division}"
    if problem := unavailable(game.machine, begun, stage):
        return problem
    group, problem = group_of(stage, stage.form, field, act) if stage.form else (None, f"{stage.id} has no groups")
    if group is None or problem:
        return problem
    key: Key = (group, act.round, act.machine) if act.round is not None else (group, None, act.game)
    if problem := _one_too_many(state, game, stage, key):
        return problem
    if stage.seeds is None:
        stage.seeds = field
    game.kind = FINALS
    game.who = tuple(act.scores)
    game.division = stage.division
    game.stage = stage
    game.key = key
    stage.games.append(game)
    return None


def find_game_tie(state: State, game: Game, stage: Stage, broken: str | None) -> str | None:
    """File a tie-break of one game (`broken`) under it, or only look that the players are in the stage."""
    field, problem = _players_of(state, game, stage) if stage.form is not None else (None, None)
    if problem:
        return problem
    if broken is None:
        return None
    first = state.games.get(broken)
    if first is None:
        return f"there is no game {broken}"
    if first.kind != FINALS or first.stage is not stage or field is None:
        return f"{broken} is no game of {stage.id} that can be tied"
    players = {who for other in stage.games if other.key == first.key for who in other.scores}
    for who in game.scores:
        if who not in players:
            return f"{who} has no score in {broken}"
    stage.game_ties.setdefault(first.key, []).append(game)
    return None


def _players_of(state: State, game: Game, stage: Stage) -> tuple[tuple[str, ...] | None, str | None]:
    """Give the field of a stage, and why these players may not play in it."""
    field = field_of(state, stage)
    if field is None:
        return None, f"{stage.id} has not begun: the stage before is open, or a tie of it"
    for who in game.scores:
        if who not in state.players:
            return None, f"there is no player {who}"
        if state.players[who].is_out(stage.division):
            return None, f"{who} is out"
        if who in stage.absent:
            return None, f"{who} was absent when {stage.id} was called"
        if who not in field:
            return None, f"{who} is not in {stage.id}"
    return field, None


def _one_too_many(state: State, game: Game, stage: Stage, key: Key) -> str | None:
    limit = state.settings.group_games
    if game.played.round is not None and not 1 <= game.played.round <= limit:
        return f"a group plays {limit} games: there is no round {game.played.round}"
    bonus = state.settings.ring_bonus
    live: dict[Key, set[str]] = {}
    for other in stage.games:
        if other.key[0] == key[0]:
            players = {who for who in other.who if official(other, who, state.games, bonus) is not None}
            if players:
                live.setdefault(other.key, set()).update(players)
    for who in game.scores:
        if who in live.get(key, ()):
            return f"{who} has a score in this game already"
    if key in live:
        return None
    same_round = next((other for other in live if key[1] is not None and other[1] == key[1]), None)
    if same_round is not None:
        return f"round {key[1]} of group {key[0]} was played on {same_round[2]}"
    return f"group {key[0]} has played its {limit} games" if len(live) >= limit else None
