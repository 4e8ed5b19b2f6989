"""Whether a game of a match may be played so: by those declared, and within the rules of line-ups (PC7 to PC10, PC20).

Where a team has declared nothing its games are checked by themselves. Invariant: a game is asked about before it is
kept, and nothing changes here.
"""

from collections.abc import Mapping

from server.core.rules.state import Game, State
from server.core.rules.teams.league import Slot, declares_first
from server.core.rules.teams.league_scores import has_played
from server.core.rules.teams.lineups_machines import out_of_order, overused
from server.core.rules.teams.lineups_rules import broken_by
from server.core.rules.teams.lineups_sheet import cell_of, sheet_of
from server.core.rules.teams.restricted import note_order
from server.core.rules.teams.rosters_playoffs import barred_from_playoffs
from server.core.rules.teams.state import Match


def cannot_play(state: State, match: Match, game: Game, slot: Slot, sides: Mapping[str, str]) -> str | None:
    """Say which rule of line-ups and rosters a game of a match breaks, None where it breaks none.

    `sides` says for which team each of its scores counts. Clauses PC5, PC7 to PC10, PC20, PC21, PC40.
    """
    for who, team in sides.items():
        if who != team and (problem := barred_from_playoffs(state, match, team, who)):
            return problem
    if problem := _not_as_declared(state, match, game, slot, sides):
        return problem
    key = (slot.round, slot.slot)
    before = [(one, match.sides[one.id]) for one in match.games if one.key == key]
    other = next((one for one, _ in before if _counts(one) and one.machine is not game.machine), None)
    if other is not None:
        return f"PC15, PC16: parts of one game are played on one machine: {other.id} was on {other.machine.head.id}"
    cell = cell_of(match, slot, [*((one, at) for one, at in before if _counts(one)), (game, sides)], match.lineups)
    if cell is None:
        return None
    sheet = {**sheet_of(state, match, around=slot.round), key: cell}
    for team in dict.fromkeys(sides.values()):
        if problem := broken_by(state, match, sheet, team, (key,)):
            return problem
    if slot.slot in _declared_slots(match, slot):
        return None
    return overused(state, match, sheet, (key,))


def note_place(state: State, match: Match, game: Game, slot: Slot, sides: Mapping[str, str]) -> None:
    """PC20: flag a game, once it is kept, in which a restricted player has not gone fourth on machines of his team."""
    cell = cell_of(match, slot, [(game, sides)], match.lineups)
    if cell is not None and state.settings.restricted_rank:
        note_order(state, match, game, sides, cell)


def _counts(game: Game) -> bool:
    return any(has_played(game, who) for who in game.scores)


def _declared_slots(match: Match, slot: Slot) -> set[str]:
    """Give the slots of a round for which machines were declared: those were held against PC10 then."""
    lineup = match.lineups.get((slot.round, declares_first(match, slot.round)))
    return set(lineup.games) if lineup is not None else set()


def _not_as_declared(state: State, match: Match, game: Game, slot: Slot, sides: Mapping[str, str]) -> str | None:
    """PC7: a game is played by those who were lined up for it, on the machine that was named."""
    place = f"game {slot.slot} of round {slot.round}"
    for team in match.teams:
        lineup = match.lineups.get((slot.round, team))
        if lineup is None:
            continue
        declared = lineup.games.get(slot.slot)
        mine = [who for who, side in sides.items() if side == team and who != team]
        if declared is None:
            if mine:
                return f"PC7: {team} has lined up nobody for {place}"
            continue
        stranger = next((who for who in mine if who not in declared.players), None)
        if stranger is not None:
            return f"PC7: {team} has declared {' and '.join(declared.players)} for {place}, not {stranger}"
        if problem := _other_machine(state, match, game, declared.machine, place, declares_first(match, slot.round)):
            return problem
        whole = len(sides) > len(set(sides.values())) > 1
        missing = next((who for who in declared.players if whole and mine and who not in mine), None)
        if missing is not None:
            return f"PC7: {team} has declared {missing} for {place}, who has no score in {game.id}"
    return None


def _other_machine(
    state: State, match: Match, game: Game, declared: str | None, place: str, chooser: str
) -> str | None:
    on = game.machine.head.id
    if declared is None or declared == on:
        return None
    if (failed := out_of_order(state, match, declared)) is not None:
        return (
            f"{failed}, and {chooser} has named no other machine for {place} yet: declare that first, then {on} counts"
        )
    return f"PC7: {declared} was declared for {place}, not {on}"
