"""What a roster must be: how many players, starters and reserves, its captains, how many of high rank (PC1, PC2, PC5).

Invariant: the rank that counts is the one at joining, as the head gives it.
"""

from collections.abc import Mapping

from server.core.rules.state import State
from server.core.rules.teams.rosters import members_on
from server.core.rules.teams.state import TeamState

STARTER, RESERVE = "starter", "reserve"
MOST_TEAMS_OF_ONE = 2
"""PC5: teams that a player may be on."""

Fault = tuple[int, str]
"""By how many a limit is missed, and what to say of it."""


def note_rosters(state: State) -> None:
    """PC1, PC2, PC5: flag the rosters of the head that break the limits (`entry: 0`), each team once."""
    if state.head.preset.first != "season":
        return
    on: dict[str, list[str]] = {}
    for name, team in state.teams.items():
        if team.head.roster is None:
            continue
        members = members_on(team, None)
        found = [why for count, why in faults(state, members).values() if count > 0]
        found += _captains(state, team, members)
        for who in members:
            on.setdefault(who, []).append(name)
            if len(on[who]) > MOST_TEAMS_OF_ONE:
                found.append(f"PC5: {who} is on {', '.join(on[who])}: a player may be on {MOST_TEAMS_OF_ONE} teams")
        if found:
            state.flag(0, "roster", f"{name}: {'; '.join(found)}", name)


def faults(state: State, members: Mapping[str, str]) -> dict[str, Fault]:
    """Give by limit how far a roster misses it (0 or less: it keeps it); `members` are roles by player. PC1, PC2."""
    settings = state.settings
    size = len(members)
    starters = sum(role == STARTER for role in members.values())
    reserves = size - starters
    found = {
        "min": (settings.roster_min - size, f"PC1: {size} players, at least {settings.roster_min}"),
        "max": (size - settings.roster_max, f"PC1: {size} players, at most {settings.roster_max}"),
        "starters": (settings.starters_min - starters, f"PC1: {starters} starters, at least {settings.starters_min}"),
        "reserves": (reserves - settings.reserves_max, f"PC1: {reserves} reserves, at most {settings.reserves_max}"),
    }
    for top, most in sorted(settings.top_limits.items()):
        ranks = (state.players[who].head.wppr_rank for who in members if who in state.players)
        count = sum(rank is not None and rank <= top for rank in ranks)
        found[f"top {top}"] = (count - most, f"PC2: {count} of the top {top}, at most {most}")
    return found


def _captains(state: State, team: TeamState, members: Mapping[str, str]) -> list[str]:
    most = state.settings.captains_max
    captains = team.head.captains
    found = []
    if len(captains) > most:
        found.append(f"PC1: {len(captains)} captains, at most {most}")
    if not captains and most:
        found.append("PC1: no captain is named (captain: PLAYER)")
    found += [f"PC1: captain {who} is no starter" for who in captains if members.get(who) != STARTER]
    return found
