"""Players of high rank: in which games they may be lined up, and when they play (PC20).

Invariant: the list is that of the start of the season, whatever anybody's rank has become.
"""

from collections.abc import Collection, Mapping

from server.core.rules.state import Game, State
from server.core.rules.teams.league import declares_first
from server.core.rules.teams.lineups_sheet import Cell, Key, Sheet
from server.core.rules.teams.state import Match


def is_restricted(state: State, who: str) -> bool:
    """PC20: say whether somebody is on the list: `season_rank`, else `wppr_rank`; without a rank nobody is."""
    player = state.head.players.get(who)
    if player is None:
        return False
    rank = player.season_rank if player.season_rank is not None else player.wppr_rank
    return rank is not None and rank <= state.settings.restricted_rank


def restricted_astray(state: State, match: Match, sheet: Sheet, changed: Collection[Key]) -> str | None:
    """PC20: say who would play where the own team chose no machine and no such player opposes him; None: nobody.

    As long as not all opponents are known, one may still come.
    """
    if not state.settings.restricted_rank:
        return None
    for key in changed:
        cell = sheet[key]
        answering = match.opponent(declares_first(match, key[0]))
        who = next((one for one in cell.players.get(answering, ()) if is_restricted(state, one)), None)
        if who is None or not _opponents_known(match, cell, answering) or _meets_one(state, match, cell, answering):
            continue
        top = state.settings.restricted_rank
        return (
            f"PC20: {who} is of the top {top}: he plays on machines that {answering} chose, "
            f"or against another of the top {top}, not in game {key[1]} of round {key[0]}"
        )
    return None


def note_order(state: State, match: Match, game: Game, sides: Mapping[str, str], cell: Cell) -> None:
    """PC20: on own machines a restricted player goes fourth in doubles; else the entry is flagged and stands."""
    if cell.slot.kind != "doubles" or len(sides) < 3:
        return
    chooser = declares_first(match, cell.slot.round)
    if _meets_one(state, match, cell, chooser):
        return
    order = list(sides)
    own = [who for who in order if sides[who] == chooser]
    last = order[3:] if len(order) > 3 else own[-1:]
    early = next((who for who in own if who not in last and is_restricted(state, who)), None)
    if early is not None:
        place = "fourth" if len(order) > 3 else "last"
        state.flag(
            game.entry, "order", f"PC20: {early} goes {place} in doubles on machines of {chooser}; {game.id} has not"
        )


def _opponents_known(match: Match, cell: Cell, team: str) -> bool:
    return match.opponent(team) in cell.full


def _meets_one(state: State, match: Match, cell: Cell, team: str) -> bool:
    return any(is_restricted(state, who) for who in cell.players.get(match.opponent(team), ()))
