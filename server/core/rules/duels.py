"""Taking games of a stage in which pairs play several machines: so often, so many machines, with whom (U4.3, E3.6).

Invariant: what a player may no more play is refused; an opponent or a machine off the schedule is only flagged.
"""

from collections.abc import Iterator, Mapping, Sequence

from server.core.rules.attempts import is_used, used_as
from server.core.rules.groups import group_among
from server.core.rules.results import StageResult
from server.core.rules.scheduled import plays_twice
from server.core.rules.state import Flag, Game, Stage, State


def place_duel(state: State, game: Game, result: StageResult) -> str | None:
    """Take a game into a stage of duels. Gives the reason when it is refused."""
    act, stage = game.played, result.stage
    name, problem = group_among(stage, [(group.id, group.who) for group in result.groups or ()], act)
    if name is None:
        return problem
    twice = stage.form is not None and plays_twice(stage.form)
    for who in act.scores:
        problem = _two_games_each(state, game, stage, who) if twice else _one_game_each(state, game, stage, who)
        if problem:
            return problem
    game.key = (name, act.round, act.game)
    return None


def odd_duels(state: State, stage: Stage) -> list[Flag]:
    """U4.3, E3.6: flag an opponent met before (where each is met once), or another partner on a machine.

    Only games that count as played are looked at, as things are now: a void game is no meeting.
    """
    twice = stage.form is not None and plays_twice(stage.form)
    flags: list[Flag] = []
    before: dict[str, list[Game]] = {}
    for game in stage.games:
        there = [who for who in game.scores if is_used(state, stage, game, who)]
        why = _odd(stage, game, before, twice=twice) if there else None
        if why is not None:
            flags.append(Flag(entry=game.entry, kind="needs-official", why=why))
        for who in there:
            before.setdefault(who, []).append(game)
    return flags


def _used(state: State, stage: Stage, who: str) -> Iterator[Game]:
    return (game for game in stage.games if is_used(state, stage, game, who))


def _one_game_each(state: State, game: Game, stage: Stage, who: str) -> str | None:
    """U4.1, U4.3: one game on a machine, one in a round, no more than there are rounds."""
    limit = state.settings.round2_rounds
    act = game.played
    if act.round is not None and not 1 <= act.round <= limit:
        return f"{stage.id} has {limit} rounds: there is no round {act.round}"
    machine = used_as(stage, act.machine)
    played = list(_used(state, stage, who))
    if any(used_as(stage, other.machine.head.id) == machine for other in played):
        return f"{who} has played {act.machine} in {stage.id}"
    same_round = next((o for o in played if act.round is not None and o.played.round == act.round), None)
    if same_round is not None:
        return f"{who} has played in round {act.round}: {same_round.id}"
    return f"{who} has played {limit} games" if len(played) >= limit else None


def _two_games_each(state: State, game: Game, stage: Stage, who: str) -> str | None:
    """E3.6: two games on each of so many machines."""
    limit = state.settings.quarterfinal_machines
    machine = used_as(stage, game.machine.head.id)
    played: dict[str, int] = {}
    for other in _used(state, stage, who):
        name = used_as(stage, other.machine.head.id)
        played[name] = played.get(name, 0) + 1
    if played.get(machine, 0) >= 2:
        return f"{who} has played two games on {game.machine.head.id}"
    if machine not in played and len(played) >= limit:
        return f"{who} has played {limit} machines"
    return None


def _odd(stage: Stage, game: Game, before: Mapping[str, Sequence[Game]], *, twice: bool) -> str | None:
    """Say what is odd about a game, given those that its players had before; None where nothing is."""
    here = set(game.scores)
    if len(here) != 2:
        count = "1 player" if len(here) == 1 else f"{len(here)} players"
        return f"{game.id} has {count}: {stage.id} is played in pairs"
    for who in sorted(here):
        for other in before.get(who, ()):
            met = (here - {who}) & set(other.scores)
            here_too = used_as(stage, other.machine.head.id) == used_as(stage, game.machine.head.id)
            if not twice and met:
                return f"{who} has met {', '.join(sorted(met))} in {stage.id} before: {other.id}"
            if twice and here_too and not met:
                return f"{who} plays {game.machine.head.id} with another partner than before: {other.id}"
    return None
