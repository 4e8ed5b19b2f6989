"""The state of machines: down, up, disabled, substitutes, and the cut-off that decides about their scores (T13).

Invariant: no result of a game begun while its machine was out is taken, and a machine's scores are either all void
or all stand.
"""

from bisect import bisect_right
from datetime import UTC, datetime

from server.core.rules.acts import MachineChange
from server.core.rules.clocks import moment_of_week
from server.core.rules.replacing import cannot_stand_in, take_out
from server.core.rules.stages import being_played
from server.core.rules.state import MachineState, Stage, State
from server.core.rules.teams.group_machines import take_out_of_groups
from server.core.rules.teams.lineups_bars import put_out

OUT = frozenset({"disabled", "closed", "replaced"})
FOREVER = datetime.max.replace(tzinfo=UTC)


def change(state: State, entry: int, at: datetime | None, act: MachineChange) -> str | None:
    """Take down, bring up, disable or close a machine. Gives the reason when refused."""
    machine = state.machines.get(act.machine)
    if machine is None:
        return f"there is no machine {act.machine}"
    known = state.head.preset.machine_states
    if act.status not in known:
        return f"{state.head.preset.name} has no {act.status!r}; there is {', '.join(sorted(known))}"
    if state.head.preset.first == "season":
        return _change_in_league(state, machine, entry, at, act)
    closed = machine.status == "closed"
    if machine.status in OUT and not (closed and (act.status == "replaced" or not _shut_now(state, machine))):
        return f"{act.machine} is {machine.status}, for good"
    if at is not None and machine.changed_at is not None and at < machine.changed_at:
        return f"{act.machine} has changed later than that already"
    if act.status in {"down", "up"}:
        _down_or_up(machine, entry, at, act.status)
    else:
        disabled = act.status == "disabled"
        problem = _disable(state, machine, entry, at, act) if disabled else _take_out(state, machine, entry, act)
        if problem:
            return problem
        _put_out(machine, entry, act.status)
    machine.changed_at = at or machine.changed_at
    return None


def _change_in_league(
    state: State, machine: MachineState, entry: int, at: datetime | None, act: MachineChange
) -> str | None:
    """PC36: a machine is put out of a match, not of the league: it may serve the next one."""
    if act.substitute is not None or act.scores is not None:
        return f"PC36: nothing stands in for {machine.head.id}: the team that chose it names another (a line-up)"
    if at is not None and machine.changed_at is not None and at < machine.changed_at:
        return f"{act.machine} has changed later than that already"
    if act.status == "disabled":
        put_out(state, machine, entry, at)
    _down_or_up(machine, entry, at, act.status)
    machine.changed_at = at or machine.changed_at
    return None


def unavailable(machine: MachineState, begun: datetime | None, stage: Stage) -> str | None:
    """Say why no game of a stage begun then can count on a machine (T13.1, T13.11); None where it can.

    Without a time a game began when it was recorded: what the log says by then holds. A machine put out for good
    after the stage's close has changed nothing for a game in progress then (C3.3).
    """
    if machine.status == "up" and not machine.downs and not stage.shut:
        return None
    if machine.head.id in stage.shut or (
        machine.status in {"disabled", "replaced"} and not _went_out_after(machine, begun, stage)
    ):
        return f"{machine.head.id} is {machine.status if machine.status in OUT else 'closed in ' + stage.id}"
    if begun is None:
        return f"{machine.head.id} is down" if machine.status == "down" else None
    if machine.status == "down" and machine.down_at is None:
        return f"{machine.head.id} is down"
    if machine.status == "down" and machine.down_at is not None and begun >= machine.down_at:
        return f"{machine.head.id} was down when the game began"
    index = bisect_right(machine.downs, begun, key=lambda span: span[0]) - 1
    if index >= 0 and (until := machine.downs[index][1]) is not None and begun < until:
        return f"{machine.head.id} was down when the game began"
    return None


def deadline(state: State, machine: MachineState) -> datetime | None:
    """T13.2, CC2: when officials have to decide about a machine that is down (UTC): the earlier of the two."""
    allowed = [state.settings.disable_after]
    if state.settings.conduct != "none":
        allowed.append(state.settings.repair_time)
    known = [after for after in allowed if after is not None]
    if machine.status != "down" or machine.down_at is None or not known:
        return None
    return machine.down_at + min(known)


def cut_off(state: State, fallback: datetime | None) -> datetime | None:
    """T13.3: the moment (UTC) before which a disabled machine loses its scores; None: there is none, or no day.

    It is the weekday of `disable_cutoff` on or after the setting `date`, else the day of the first qualifying game.
    """
    when = state.settings.disable_cutoff
    if when is None:
        return None
    return moment_of_week(state, when, fallback)


def _went_out_after(machine: MachineState, begun: datetime | None, stage: Stage) -> bool:
    """Say whether a game was in progress at a stage's close, and its machine put out only after that."""
    if not stage.closed or begun is None or stage.closed_at is None:
        return False
    return begun < stage.closed_at and machine.out_entry > stage.closed_entry


def _take_out(state: State, machine: MachineState, entry: int, act: MachineChange) -> str | None:
    """Close or replace a machine in what is being played now (U3, L14 to L16)."""
    division = state.divisions.get(machine.division) if machine.division is not None else None
    stages = being_played(state, division) if division is not None else []
    if state.head.preset.group_play is not None:
        return take_out_of_groups(state, machine, stages, entry, act)
    return take_out(state, machine, stages, entry, act)


def _put_out(machine: MachineState, entry: int, status: str) -> None:
    if machine.down_at is not None:
        machine.downs.append((machine.down_at, FOREVER))
    machine.status = status
    machine.down_at = None
    machine.out_entry = entry


def _shut_now(state: State, machine: MachineState) -> bool:
    """U3.2: a machine closed in one stage may serve again in the next, and then be whatever a machine can be."""
    division = state.divisions.get(machine.division) if machine.division is not None else None
    return division is not None and any(machine.head.id in stage.shut for stage in being_played(state, division))


def _down_or_up(machine: MachineState, entry: int, at: datetime | None, status: str) -> None:
    if status == machine.status:
        return
    if machine.status == "down" and machine.down_at is not None and at is not None:
        machine.downs.append((machine.down_at, at))
    machine.status = status
    machine.down_at = at if status == "down" else None
    machine.down_entry = entry if status == "down" else 0


def _disable(state: State, machine: MachineState, entry: int, at: datetime | None, act: MachineChange) -> str | None:
    if act.scores == "rescale":
        return f"{state.head.preset.name} rescales no scores: void or stand"
    division = state.divisions.get(machine.division) if machine.division is not None else None
    decided = division is None or division.qualifying.closed
    limit = cut_off(state, at)
    late = limit is not None and at is not None and at >= limit
    if act.substitute is not None:
        if late and (decided or act.scores != "void"):
            return f"disabled at the cut-off or later: no substitute for {act.machine}"
        if problem := _join(state, machine, act.substitute):
            return problem
    _settle_scores(state, machine, entry, act, late=None if limit is None or at is None else late)
    return None


def _settle_scores(state: State, machine: MachineState, entry: int, act: MachineChange, *, late: bool | None) -> None:
    """T13.3 to T13.6: what becomes of the scores; `late` is None where the time or the cut-off is not known."""
    division = state.divisions.get(machine.division) if machine.division is not None else None
    if division is None:
        return
    if division.qualifying.closed:
        if act.scores == "void":
            state.flag(entry, "needs-official", f"qualifying is closed: the scores of {act.machine} stand")
    elif act.scores is not None:
        machine.scores_void = act.scores == "void"
    elif late is not None:
        machine.scores_void = not late
    elif state.settings.disable_cutoff is not None and act.status == "disabled":
        why = f"{act.machine} is disabled at a time not known: its scores stand until `scores: void` says otherwise"
        state.flag(entry, "needs-official", why)


def _join(state: State, machine: MachineState, name: str) -> str | None:
    """T13.7: the substitute joins the division of the machine that it stands in for."""
    if problem := cannot_stand_in(state, machine, name):
        return problem
    other = state.machines[name]
    if other.division is not None and other.division != machine.division:
        return f"{name} serves {other.division}"
    other.division = machine.division
    return None
