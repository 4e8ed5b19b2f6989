"""What is out of place in groups and their finals, for officials to see: seeds, members, games that decide nothing.

Only questions, asked anew of every state. Invariant: nothing here changes a point or a place.
"""

from collections.abc import Iterable, Sequence

from server.core.rules.state import Flag, Stage, State
from server.core.rules.teams.group_seats import under


def strays_of_the_head(state: State) -> list[Flag]:
    """UT1, EC1: give the seeds for which the table of groups has no place; UT12, EC2: who is on two rosters."""
    seated = {seed for seeds in state.settings.groups.values() for seed in seeds}
    found = []
    on: dict[str, str] = {}
    for name, team in state.teams.items():
        if team.head.seed is not None and team.head.seed not in seated:
            why = f"seed {team.head.seed} is in no group: a reserve"
            found.append(Flag(entry=0, kind="needs-official", why=why, who=name))
        twice = [member.id for member in team.head.roster or () if on.setdefault(member.id, name) != name]
        if twice:
            why = ", ".join(f"{who} is on the roster of {on[who]} as well" for who in twice)
            found.append(Flag(entry=0, kind="roster", why=f"{name}: {why}", who=name))
    return found


def idle_play_offs(
    state: State, stage: Stage, level: Iterable[Sequence[str]], among: Sequence[str] | None = None
) -> list[Flag]:
    """UT6, UT8, EC7, EC14: give the play-offs of a stage with teams that are in none of its ties.

    `level` are the groups of teams that play-offs order, as they are before any is counted; `among` the teams that are
    asked about, where these are not all of the stage.
    """
    tied = {team for group in level if len(group) > 1 for team in group}
    found = []
    for game in stage.tiebreaks:
        if game.is_void:
            continue
        asked = [team for team in game.who if among is None or team in among]
        strangers = [team for team in asked if team not in tied and not state.teams[team].out]
        if strangers:
            who = " and ".join(strangers)
            why = (
                f"{game.id} decides nothing for {who}: no tie there in {stage.id}; a later stage is named (stage: ...)"
            )
            found.append(Flag(entry=game.entry, kind="needs-official", why=under(state, "play-off", why)))
    return found
