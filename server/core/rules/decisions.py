"""What officials decide where the rules leave it to them (T7.2, T7.3, U4.2, E2.8, T11 ...): some of it has effects.

`field`, `groups`, `pairings`, `machines`, `qualifiers`, `draw` and what else is in EFFECTS change what the rules
compute; every other topic (a call, a warning, a deal) is a record. Invariant: a decision changes no score.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from server.core.rules.acts import Decision
from server.core.rules.choosing import choose
from server.core.rules.clocks import late_number
from server.core.rules.rounds_games import in_rounds, last_begun
from server.core.rules.rounds_taking import come_back, not_to_be_paired
from server.core.rules.scheduled import rounds_of_duels
from server.core.rules.stages import MOST_QUALIFIERS, chain, field_of, result_of
from server.core.rules.state import Stage, State
from server.core.rules.teams.confirmations import CONFIRMED, confirm
from server.core.rules.teams.forfeits import WINNER, give_level_match


def decide(state: State, entry: int, at: datetime | None, act: Decision) -> str | None:
    """Take one decision. Gives the reason when refused."""
    if problem := _unknown(state, act):
        return problem
    if act.topic == CONFIRMED and state.head.preset.teams:
        return confirm(state, entry, act)
    if act.topic == WINNER and state.head.preset.first == "season":
        return give_level_match(state, act)
    effect = EFFECTS.get(act.topic)
    stage = state.stages.get(act.stage) if act.stage is not None else None
    if effect is None:
        return _choose(state, stage, entry, act) if act.topic in CHOICES else None
    first = next(iter(state.divisions.values())).qualifying
    if stage is None and in_rounds(state, first):
        stage = first
    if stage is None:
        return f"say for which stage: {', '.join(state.stages)}"
    return effect(state, stage, entry, at, act)


def _choose(state: State, stage: Stage | None, entry: int, act: Decision) -> str | None:
    """T11: a choice in a stage of groups is checked and changes who is asked next; elsewhere it is only a record."""
    if stage is None or stage.form is None or not stage.form.in_groups:
        return None
    result = result_of(state, stage)
    if result is None:
        return f"{stage.id} has not begun: the stage before is open, or a tie of it"
    return choose(state, result, entry, act)


def _unknown(state: State, act: Decision) -> str | None:
    """Say what a decision names that is not there."""
    everybody = (*act.who, *(who for group in act.groups for who in group))
    everybody += tuple(who for pairing in act.games for who in pairing.players)
    stranger = next((who for who in everybody if who not in state.players and who not in state.teams), None)
    if stranger is not None:
        return f"there is no player {stranger}"
    machines = (act.machine, *act.machines, *(pairing.machine for pairing in act.games))
    unknown = next((name for name in machines if name is not None and name not in state.machines), None)
    if unknown is not None:
        return f"there is no machine {unknown}"
    if act.game is not None and act.game not in state.games:
        return f"there is no game {act.game}"
    if act.stage is not None and act.stage not in state.stages:
        return f"there is no stage {act.stage}; there are {', '.join(state.stages)}"
    if act.match is not None and state.head.preset.teams and act.match not in state.matches:
        return f"there is no match {act.match}"
    if act.team is not None and act.team not in state.teams:
        return f"there is no team {act.team}"
    return None


def _set_qualifiers(state: State, stage: Stage, entry: int, at: datetime | None, act: Decision) -> str | None:
    """T7.2: how many go on, unless the close says another number. Decided too late it counts, and is flagged."""
    least = state.settings.qualifiers_min if stage.form is None else 1
    if act.qualifiers is None or not least <= act.qualifiers <= MOST_QUALIFIERS:
        return f"qualifiers: a number from {least} to {MOST_QUALIFIERS}"
    if stage.closed:
        return f"{stage.id} is closed"
    if stage.form is None and (late := late_number(state, at)) is not None:
        state.flag(entry, "needs-official", late)
    stage.wanted = act.qualifiers
    return None


def _set_field(state: State, stage: Stage, _entry: int, _at: datetime | None, act: Decision) -> str | None:
    """Set who plays in a stage in order of seed; without names, those whom the standings give now."""
    if stage.form is None:
        return f"{stage.id} is the first stage: whoever plays is in it"
    results = chain(state, state.divisions[stage.division])
    source = next((result for result in results if stage in result.following), None)
    if source is None or not (source.stage.closed or source.complete):
        return f"{stage.id} has not begun: {source.stage.id if source is not None else 'the stage before'} is open"
    before = stage.seeds, stage.seats
    if not act.who:
        stage.seeds = stage.seats = None
        state.chains.clear()
        result = result_of(state, stage)
        state.chains.clear()
        if result is None:
            stage.seeds, stage.seats = before
            return f"the standings do not give the field of {stage.id} now"
        stage.seeds = stage.fielded = result.seeds
        return None
    single = next((who for who in act.who if who not in state.teams), None) if state.teams else None
    if single is not None:
        return f"teams play in {stage.id}, and {single} is a player"
    out = next((who for who in act.who if _is_out(state, stage, who)), None)
    if out is not None:
        return f"{out} is out"
    stage.seeds = stage.fielded = act.who
    stage.seats = None
    return None


def _is_out(state: State, stage: Stage, who: str) -> bool:
    """Say whether officials have put a player, or a team, out."""
    team = state.teams.get(who)
    return bool(team.out) if team is not None else state.players[who].is_out(stage.division)


def _set_groups(state: State, stage: Stage, _entry: int, _at: datetime | None, act: Decision) -> str | None:
    """T7.3: the groups that officials post."""
    if stage.form is None or not act.groups:
        return "groups: lists of the players of each group of a stage after the first"
    if stage.form.kind == "bracket":
        return f"the matches of {stage.id} follow from its seeds (decision: field)"
    if stage.form.in_groups and (field := field_of(state, stage)) is not None:
        stranger = next((who for group in act.groups for who in group if who not in field), None)
        if stranger is not None:
            return f"{stranger} is not in {stage.id}"
    if stage.games:
        return f"{stage.id} has begun: its groups stand"
    stage.posted = act.groups
    return None


def _set_pairings(state: State, stage: Stage, _entry: int, _at: datetime | None, act: Decision) -> str | None:
    """U4.2, E3.9: who meets whom in a round, instead of what was proposed; of several groups one at a time."""
    if act.round is None or act.round < 1 or not act.games or not all(pairing.players for pairing in act.games):
        return "pairings: the round, and its games ({players: [...], machine: ...})"
    paired = Counter(who for pairing in act.games for who in pairing.players)
    again = next((who for who, times in paired.items() if times > 1), None)
    if again is not None:
        return f"{again} is paired twice in round {act.round}"
    if in_rounds(state, stage) and (problem := not_to_be_paired(state, stage, act.round, paired)):
        return problem
    if stage.form is None or stage.form.kind != "machine_points":
        stage.pairings[act.round] = act.games
        return None
    result = result_of(state, stage)
    if result is None:
        return f"{stage.id} has not begun: the stage before is open, or a tie of it"
    group_of = {who: group.id for group in result.groups or () for who in group.who}
    stranger = next((who for who in paired if who not in group_of), None)
    if stranger is not None:
        return f"{stranger} is not in {stage.id}"
    if act.round > (rounds := rounds_of_duels(state, stage.form)):
        return f"{stage.id} has {rounds} rounds: there is no round {act.round}"
    games = tuple(replace(pairing, group=group_of[pairing.players[0]]) for pairing in act.games)
    now = {pairing.group for pairing in games}
    others = tuple(pairing for pairing in stage.pairings.get(act.round, ()) if pairing.group not in now)
    stage.pairings[act.round] = others + games
    return None


def _set_machines(state: State, stage: Stage, _entry: int, _at: datetime | None, act: Decision) -> str | None:
    """U4.1, E3.1: the machines on which a stage is played; its schedule is drawn for them."""
    if not act.machines:
        return "machines: those on which the stage is played"
    if stage.form is None or stage.bank:
        return f"{stage.id} has begun: post pairings instead (decision: pairings)"
    unfit = next((name for name in act.machines if state.machines[name].division not in {None, stage.division}), None)
    if unfit is not None:
        return f"{unfit} serves {state.machines[unfit].division}"
    stage.machines = act.machines
    return None


def _begin_round(state: State, stage: Stage, _entry: int, _at: datetime | None, act: Decision) -> str | None:
    """MP4: a round begins though games of the one before are missing."""
    if not in_rounds(state, stage):
        return f"{stage.id} is not played in rounds"
    if act.round is None or act.round < 1:
        return "round: the number of the round that begins"
    stage.book.begin = act.round
    return None


def _come_back(state: State, stage: Stage, _entry: int, _at: datetime | None, act: Decision) -> str | None:
    """MP5: somebody who had withdrawn from the rounds is back."""
    if not in_rounds(state, stage):
        return f"{stage.id} is not played in rounds: undo the absence"
    if len(act.who) != 1:
        return "returned: who is back (who: [player])"
    return come_back(stage, last_begun(state, stage), act.who[0])


def _draw(_state: State, stage: Stage, entry: int, _at: datetime | None, act: Decision) -> str | None:
    """E2.8, C6.4: an order that was drawn decides a tie as a tie-break game would."""
    if len(act.who) < 2:
        return "draw: the order that was drawn (who: [first, second, ...])"
    stage.draws.append((entry, act.who))
    return None


CHOICES = frozenset({"machine", "order", "decline"})

EFFECTS: Mapping[str, Callable[[State, Stage, int, datetime | None, Decision], str | None]] = {
    "qualifiers": _set_qualifiers,
    "field": _set_field,
    "groups": _set_groups,
    "pairings": _set_pairings,
    "machines": _set_machines,
    "round": _begin_round,
    "returned": _come_back,
    "draw": _draw,
}
