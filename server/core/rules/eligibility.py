"""Who may play where: skill divisions, moves between them, who is out (T1, C3.5, T8.4).

Invariant: a player is in at most one skill division, and nothing that he played in one that he left is ranked.
"""

from server.core.rules.accounts import barred_from, is_used, lapse
from server.core.rules.acts import Move
from server.core.rules.state import Division, State


def move(state: State, entry: int, act: Move) -> str | None:
    """T1.4, T1.5: up freely, down only with permission; all entries of the division left are void.

    Gives the reason when refused.
    """
    settings = state.settings
    player = state.players.get(act.player)
    if player is None:
        return f"there is no player {act.player}"
    if act.division not in settings.skill_divisions:
        return f"{act.division} is no skill division"
    if player.ejected:
        return f"{act.player} is out of the tournament"
    left = player.division if player.division in settings.skill_divisions else None
    if left == act.division:
        return f"{act.player} is in {act.division} already"
    up = left is None or settings.skill_divisions.index(act.division) < settings.skill_divisions.index(left)
    if not up and not act.permission:
        return f"{act.player} may move down from {left} only with the officials' permission"
    if barred := barred_from(state, player, act.division):
        return barred
    played = player.attempts.pop(left, []) if left is not None else []
    owed = any(is_used(game) for game in played) or player.owes_first_in is not None
    for game in played:
        game.gone = True
    if left is not None:
        lapse(player, left, entry)
    player.division = act.division
    player.owes_first_in = act.division if up and owed else None
    return None


def not_eligible(state: State, who: str, division: Division) -> str | None:
    """Say why a player may not play in a division, None where he may (T1.3, T8.4)."""
    player = state.players.get(who)
    if player is None:
        return f"there is no player {who}"
    if player.is_out(division.name):
        return f"{who} is out of {division.name if not player.ejected and division.name else 'the tournament'}"
    if division.skill and player.division != division.name:
        return f"{who} is in {player.division}, not in {division.name}" if player.division else f"{who} has no division"
    return None
