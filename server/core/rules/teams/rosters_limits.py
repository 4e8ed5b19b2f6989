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
        _note_strangers(state)
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
    tops = [tops_of(state, who) for who in members]
    for top, most in sorted(settings.top_limits.items()):
        count = sum(f"top {top}" in of_one for of_one in tops)
        found[f"top {top}"] = (count - most, f"PC2: {count} of the top {top}, at most {most}")
    return found


def tops_of(state: State, who: str) -> frozenset[str]:
    """PC2: give the limits of high rank in which somebody counts, as `faults` names them."""
    player = state.players.get(who)
    rank = player.head.wppr_rank if player is not None else None
    return frozenset() if rank is None else frozenset(f"top {n}" for n in state.settings.top_limits if rank <= n)


def _note_strangers(state: State) -> None:
    """Flag a captain who is on no list of the team, where the rules ask no more of captains."""
    for name, team in state.teams.items():
        listed = None if team.head.roster is None else {member.id for member in team.head.roster}
        strangers = [who for who in team.head.captains if listed is not None and who not in listed]
        if strangers:
            why = f"{name}: captain {' and '.join(strangers)} is not in the roster: list him or name another"
            state.flag(0, "roster", why, name)


def _captains(state: State, team: TeamState, members: Mapping[str, str]) -> list[str]:
    most = state.settings.captains_max
    captains = team.head.captains
    found = []
    if len(captains) > most:
        found.append(f"PC1: {len(captains)} captains, at most {most}")
    if not captains and most:
        found.append("PC1: no captain is named (captain: PLAYER)")
    found += [f"PC1: captain {who} is no starter of the team" for who in captains if members.get(who) != STARTER]
    return found
