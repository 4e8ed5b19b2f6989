"""Taking games of the finals: the right players in the right group, each game once, no more than the group plays.

Invariant: the first game that counts freezes its stage's seeds; a later correction in the stage before is then an
official's matter.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from server.core.rules.duels import place_duel
from server.core.rules.groups import group_of
from server.core.rules.knockout_bracket import place_in_match
from server.core.rules.machines import unavailable
from server.core.rules.one_game import place_in_group
from server.core.rules.results import StageResult
from server.core.rules.scheduled import bank_of
from server.core.rules.scores import score_in
from server.core.rules.stages import field_of, result_of, too_late
from server.core.rules.state import FINALS, Game, Key, Stage, State

PLACING: Mapping[str, Callable[[State, Game, StageResult], str | None]] = {
    "machine_points": place_duel,
    "one_game": place_in_group,
}
"""How a game finds its place in a stage, by the form's `kind`; the others are played in groups of several games.

In a bracket the field alone says it, without the tables of the whole.
"""


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
    if act.joker:
        return "the joker belongs to qualifying"
    if game.machine.division not in {None, stage.division}:
        return f"{act.machine} serves {game.machine.division}"
    if problem := unavailable(game.machine, begun, stage):
        return problem
    problem = _place(state, game, stage, field)
    if problem:
        return problem
    _begin(state, stage, act.scores)
    game.kind = FINALS
    game.who = tuple(act.scores)
    game.division = stage.division
    game.stage = stage
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
    if first.kind != FINALS or first.stage is not stage or field is None or stage.form is None:
        return f"{broken} is no game of {stage.id} that can be tied"
    players = {who for other in stage.games if other.key == first.key for who in other.scores}
    for who in game.scores:
        if who not in players:
            return f"{who} has no score in {broken}"
    if not (stage.form.in_groups or stage.form.kind == "bracket"):
        stage.tiebreaks.append(game)
        return None
    stage.game_ties.setdefault(first.key, []).append(game)
    return None


def _place(state: State, game: Game, stage: Stage, field: tuple[str, ...]) -> str | None:
    """Find the group of a game and whether it may still be played there. Gives the reason when refused."""
    form = stage.form
    if form is not None and form.kind == "bracket":
        return place_in_match(state, game, stage, field)
    if form is not None and form.kind in PLACING:
        result = result_of(state, stage)
        return f"{stage.id} has not begun" if result is None else PLACING[form.kind](state, game, result)
    act = game.played
    group, problem = group_of(stage, form, field, act) if form is not None else (None, f"{stage.id} has no groups")
    if group is None or problem:
        return problem
    game.key = (group, act.round, act.machine) if act.round is not None else (group, None, act.game)
    return _one_too_many(state, game, stage, game.key)


def _begin(state: State, stage: Stage, players: Iterable[str]) -> None:
    """Freeze who is in a stage once a game of it counts, and the seats of stand-ins who play (E3.3)."""
    form = stage.form
    if form is not None and form.kind == "machine_points" and not stage.bank:
        stage.bank = bank_of(state, stage)
    if form is None or (stage.seeds is not None and form.vacancy != "standby"):
        return
    result = result_of(state, stage)
    if result is None:
        return
    if stage.seeds is None:
        stage.seeds = result.seeds
        stage.seats = result.seats if form.vacancy == "machine" else None
    if form.vacancy == "standby":
        for seed, who in zip(result.seeds, result.seats, strict=True):
            if who is not None and who != seed and who in players:
                stage.stand_ins[seed] = who


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
        if who in stage.absent and who not in stage.stand_ins.values():
            return None, f"{who} was absent when {stage.id} was called"
        if who not in field:
            return None, f"{who} is not in {stage.id}"
    return field, None


def _one_too_many(state: State, game: Game, stage: Stage, key: Key) -> str | None:
    limit = state.settings.group_games
    if game.played.round is not None and not 1 <= game.played.round <= limit:
        return f"a group plays {limit} games: there is no round {game.played.round}"
    live: dict[Key, set[str]] = {}
    for other in stage.games:
        if other.key[0] == key[0]:
            players = {who for who in other.who if score_in(state, other, who) is not None}
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
