"""Who sits in which group: by seed, replaced where officials say so (UT1, UT11, EC1, EC12).

Only questions. Invariant: a team sits in one group at most, and a team without a group plays no match of qualifying.
"""

from collections.abc import Iterable, Mapping

from server.core.rules.presets import GroupPlay
from server.core.rules.state import State

NO_SEED = 10**9


def play_of(state: State) -> GroupPlay:
    """Give how the preset plays in groups."""
    play = state.head.preset.group_play
    if play is None:  # pragma: no cover - a preset whose first stage is `team_groups` says it
        raise AssertionError(state.head.preset.name)
    return play


def under(state: State, rule: str, why: str) -> str:
    """Give a refusal under the number of its rule."""
    number = play_of(state).refuses.get(rule)
    return why if number is None else f"{number}: {why}"


def seat_seed(state: State, team: str) -> int:
    """Give the seed of a team's place, which is another team's where it came in for that one."""
    there = state.teams[team]
    seed = state.teams[there.place or team].head.seed
    return NO_SEED if seed is None else seed


def seats(state: State) -> Mapping[str, tuple[str, ...]]:
    """Give the teams of each group that has any, in order of seed; who was put out keeps the seat."""
    sitting: dict[str, list[str]] = {name: [] for name in state.settings.groups}
    for team in state.teams.values():
        if team.group:
            sitting[team.group].append(team.head.id)
    order = {name: {seed: index for index, seed in enumerate(seeds)} for name, seeds in state.settings.groups.items()}
    return {
        name: tuple(sorted(teams, key=lambda team: order[name].get(seat_seed(state, team), NO_SEED)))
        for name, teams in sitting.items()
        if teams
    }


def not_playing(state: State, teams: Iterable[str]) -> str | None:
    """Say which of some teams plays no more, or not here, and why; None where all play."""
    for name in teams:
        team = state.teams.get(name)
        if team is None:
            return (
                f"scores are by team, and {name} is a player" if name in state.players else f"there is no team {name}"
            )
        if team.out:
            return under(state, "out", f"{name} is disqualified (entry {team.out}): it plays no more")
        if team.instead is not None:
            return under(state, "absent", f"{name} is absent: {team.instead} plays in its place")
    return None


def not_seated(state: State, teams: Iterable[str]) -> str | None:
    """Say which of some teams sits in no group, and what to do; None where all do."""
    absent = state.divisions[""].qualifying.absent
    for name in teams:
        if not state.teams[name].group:
            if name in absent:
                return under(state, "absent", f"{name} is absent: its matches are not played")
            return under(
                state, "groups", f"{name} is in no group: a reserve comes in for a team (absent: ..., with: {name})"
            )
    return None


def had_left(state: State, team: str) -> bool:
    """UT11: say whether a team never came and nobody took its place, so that its matches give nobody points."""
    return team in state.divisions[""].qualifying.absent and state.teams[team].instead is None
