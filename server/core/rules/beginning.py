"""How the fold begins: the state before the first entry of the log.

Invariant: it depends on the head alone.
"""

from server.core.rules.presets import StageForm
from server.core.rules.state import Division, MachineState, PlayerState, Stage, State
from server.core.rules.teams.heads import Team
from server.core.rules.teams.rosters_limits import note_rosters
from server.core.rules.teams.state import Membership, TeamState
from server.core.rules.tournament import Head


def begin(head: Head, *, named: frozenset[str], known: frozenset[str]) -> State:
    """Give the state before the first entry."""
    settings = head.settings
    if head.preset.divisions:
        names = [(name, True) for name in settings.skill_divisions]
        names += [(name, False) for name in settings.special_divisions]
    else:
        names = [("", False)]
    divisions = {name: _division(head, name, skill=skill) for name, skill in names}
    state = State(
        head=head,
        settings=settings,
        named=named,
        known=known,
        players={
            player.id: PlayerState(head=player, division=player.division if head.preset.divisions else None)
            for player in head.players.values()
        },
        machines={
            machine.id: MachineState(
                head=machine,
                division=machine.division if head.preset.divisions else "",
                number=number if number <= settings.bank else 0,
            )
            for number, machine in enumerate(head.machines.values(), 1)
        },
        divisions=divisions,
        stages={stage.id: stage for division in divisions.values() for stage in division.stages.values()},
        teams={team.id: _team(head, team) for team in head.teams.values()},
    )
    note_rosters(state)
    return state


def _team(head: Head, team: Team) -> TeamState:
    """Give a team with its group by seed, and everybody whom the head lists in it."""
    group = next((name for name, seeds in head.settings.groups.items() if team.seed in seeds), "")
    roster = [Membership(who=member.id, role=member.role or "starter") for member in team.roster or ()]
    return TeamState(head=team, group=group, roster=roster)


def _division(head: Head, name: str, *, skill: bool) -> Division:
    first = head.preset.first_name
    forms: dict[str, StageForm | None] = {first: None, **{form.name: form for form in head.preset.finals}}
    stages = {
        stage: Stage(id=f"{name}/{stage}" if name else stage, name=stage, division=name, form=form)
        for stage, form in forms.items()
    }
    return Division(name=name, skill=skill, qualifying=stages[first], stages=stages)
