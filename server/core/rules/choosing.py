"""Who chooses machine and order in a stage of groups (T11): what was said at the desk, played through `choices`.

Here the log meets the state machine: decisions become its commands, games that are over free their machines, machines
that are down are out. Nothing else hangs on a choice: a game counts wherever it was played. Invariant: what was chosen
is replayed in the log's order, so a voided game or a machine that comes up again changes only what follows from it.
"""

from dataclasses import dataclass, replace

from server.core.draws.choices import Refused, decide, evolve, open_round, settle
from server.core.draws.choices_acts import (
    Command,
    Decline,
    NameMachine,
    NameOrder,
    ReportMachine,
    TakeMachine,
    TakePosition,
)
from server.core.draws.choices_turn import GroupChoice, RoundChoice, questions, waiting
from server.core.draws.pairing_errors import PairingImpossible
from server.core.rules.acts import Decision
from server.core.rules.results import StageResult
from server.core.rules.scores import score_in
from server.core.rules.state import Key, State

MOST_CHOICES = 2000
"""Choices noted in one stage: a bound on what is replayed, far above what any final needs."""


def choose(state: State, result: StageResult, entry: int, act: Decision) -> str | None:
    """Note a choice for the group and the round that it is about. Gives the reason when it is not to be chosen so."""
    stage = result.stage
    groups = {group.id: group.who for group in result.groups or ()}
    mine = {name for name, who in groups.items() if act.group == name or (act.group is None and {*act.who} & {*who})}
    if len(mine) != 1 or not {*act.who} <= {*groups.get(min(mine), ())}:
        return f"say who chooses in which group of {stage.id}: {', '.join(groups)}"
    command = _command(act, min(mine))
    if isinstance(command, str):
        return command
    number = act.round if act.round is not None else _round_now(state, result)
    if not 1 <= number <= state.settings.group_games:
        return f"a group plays {state.settings.group_games} games: there is no round {number}"
    if sum(map(len, stage.chosen.values())) >= MOST_CHOICES:
        return f"{MOST_CHOICES} choices are noted in {stage.id} already"
    try:
        found = decide(_replayed(state, result, number), command)
    except PairingImpossible as error:
        return str(error)
    if isinstance(found, Refused):
        return found.why
    stage.chosen.setdefault(number, []).append((entry, command))
    return None


def choices_now(state: State, result: StageResult) -> list[dict[str, object]] | None:
    """Give each group's choice in the round being played: what is chosen, and who chooses what now.

    `who` is None where officials decide. None where the stage is over or has no groups of several games.
    """
    stage, form = result.stage, result.stage.form
    if form is None or not form.in_groups or stage.closed or result.complete or not result.groups:
        return None
    number = _round_now(state, result)
    if number > state.settings.group_games:
        return None
    try:
        choice = _replayed(state, result, number)
    except PairingImpossible:
        return None
    asked = {question.group: question for question in questions(choice)}
    late = {group.id for group in waiting(choice)}
    rows: list[dict[str, object]] = []
    for group in choice.groups:
        row: dict[str, object] = {"group": group.id, "round": number, "machine": group.machine, "order": _order(group)}
        if group.ended:
            row["status"] = "played"
        elif (question := asked.get(group.id)) is not None:
            row |= {"status": "chooses", "who": question.who}
            row |= {"machines": list(question.machines), "positions": list(question.positions)}
        else:
            row["status"] = "ready" if group.complete else "waits" if group.id in late else "later"
        rows.append(row)
    return rows


def _order(group: GroupChoice) -> list[str | None]:
    taken = dict(group.positions)
    return [taken.get(position) for position in range(1, len(group.seeds) + 1)]


def _command(act: Decision, group: str) -> Command | str:
    """Read a decision: of one player his choice, of nobody (or of a whole group's order) the officials' word."""
    who = act.who[0] if len(act.who) == 1 else None
    if act.topic == "decline":
        return Decline(who=who) if who is not None else "who declines? (who: [...])"
    if act.topic == "machine":
        if act.machine is None:
            return "which machine is chosen? (machine: ...)"
        return (
            NameMachine(group=group, machine=act.machine) if who is None else TakeMachine(who=who, machine=act.machine)
        )
    if who is not None and act.position is not None:
        return TakePosition(who=who, position=act.position)
    if who is None and act.who and act.position is None:
        return NameOrder(group=group, order=act.who)
    return "order: a player and his place (who: [...], position: 1), or the whole order of a group (who: [first, ...])"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """A game of a group that is over: in which round, on which machine, in what order, since which entry."""

    group: str
    round: int
    machine: str
    order: tuple[str, ...]
    entry: int


def _played(state: State, result: StageResult) -> list[_Played]:
    """Give the games in which all of a group have a score, numbered by their round, else in the order recorded."""
    found: list[_Played] = []
    for group in result.groups or ():
        there = {who for who in group.who if not state.players[who].is_out(result.stage.division)}
        games: dict[Key, dict[str, None]] = {}
        since: dict[Key, int] = {}
        for game in result.stage.games:
            if game.key[0] == group.id:
                for who in game.who:
                    if score_in(state, game, who) is not None:
                        games.setdefault(game.key, {})[who] = None
                        since[game.key] = max(since.get(game.key, 0), game.entry)
        last_on = {game.key: game.machine.head.id for game in result.stage.games}
        for index, (key, scored) in enumerate(games.items(), 1):
            if there <= scored.keys():
                number = key[1] if isinstance(key[1], int) else index
                found.append(
                    _Played(group=group.id, round=number, machine=last_on[key], order=tuple(scored), entry=since[key])
                )
    return found


def _round_now(state: State, result: StageResult) -> int:
    """Give the first round that not all groups have played."""
    done = {(game.group, game.round) for game in _played(state, result)}
    number = 1
    while all((group.id, number) in done for group in result.groups or ()) and number <= state.settings.group_games:
        number += 1
    return number


def _replayed(state: State, result: StageResult, number: int) -> RoundChoice:
    """Give a round's choices as they stand. Raises PairingImpossible where the groups cannot be asked at all."""
    stage = result.stage
    games = _played(state, result)
    there = {
        group.id: [who for who in group.who if not state.players[who].is_out(stage.division)]
        for group in result.groups or ()
    }
    earlier: dict[str, set[str]] = {name: set() for name in there}
    for game in games:
        if game.round != number:
            earlier[game.group].add(game.machine)
    bank = [name for name, machine in state.machines.items() if machine.division == stage.division]
    choice = open_round({name: who for name, who in there.items() if who}, bank, result.seeds, played=earlier)
    for name in bank:
        if state.machines[name].status != "up":
            choice = _take(choice, ReportMachine(machine=name, now="out"))
    said: list[tuple[int, Command | _Played]] = [*stage.chosen.get(number, ())]
    said += [(game.entry, game) for game in games if game.round == number]
    for _, fact in sorted(said, key=lambda pair: pair[0]):
        choice = _end(choice, fact) if isinstance(fact, _Played) else _take(choice, fact)
    return choice


def _end(choice: RoundChoice, game: _Played) -> RoundChoice:
    """Note that a group has played, whatever was chosen before; its machine is free for who waits."""
    positions = tuple(enumerate(game.order, 1))
    groups = tuple(
        replace(group, machine=game.machine, positions=positions, ended=True) if group.id == game.group else group
        for group in choice.groups
    )
    machines = choice.machines if game.machine in choice.machines else (*choice.machines, game.machine)
    return settle(replace(choice, groups=groups, machines=machines))


def _take(choice: RoundChoice, command: Command) -> RoundChoice:
    """Apply a command; one that is not possible (any more) changes nothing."""
    events = decide(choice, command)
    for event in () if isinstance(events, Refused) else events:
        choice = evolve(choice, event)
    return choice
