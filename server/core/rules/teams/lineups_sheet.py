"""The sheet of a match: who plays each game of it and on which machine, as declared and as recorded.

Only reading; what is wrong with a sheet is found in `lineups_rules` and the modules that it calls. Invariant: a void
game is on no sheet, and what is not known yet is left out, never guessed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from server.core.rules.state import Game, State
from server.core.rules.teams.league import Slot, declares_first, slots_of
from server.core.rules.teams.league_scores import has_played
from server.core.rules.teams.state import Lineup, Match

Key = tuple[int, str]
"""A round (from 1) and the name of a slot in it."""

Lineups = Mapping[tuple[int, str], Lineup]
"""What teams have declared, by round and team."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One game of the sheet: its machine, where one is named, its players by team, and of which teams all are known."""

    slot: Slot
    machine: str | None = None
    players: Mapping[str, tuple[str, ...]]
    full: frozenset[str] = frozenset()

    def alone(self, team: str) -> str | None:
        """PC21: give who plays a doubles game alone for a team, None where nobody does or it is not known yet."""
        there = self.players.get(team, ())
        return there[0] if self.slot.kind == "doubles" and team in self.full and len(there) == 1 else None


Sheet = Mapping[Key, Cell]


def sheet_of(
    state: State, match: Match, lineups: Lineups | None = None, *, around: int | None = None
) -> dict[Key, Cell]:
    """Give the sheet of a match: games in order of its form, only those of which anything is known.

    `lineups` stand in for those of the match, where something is to be tried. `around` a round only its own games are
    given and, where it is one of doubles, those of the other doubles: no other game has a bearing on it (PC8 to PC10).
    """
    games: dict[object, list[Game]] = {}
    for game in match.games:
        if not game.is_void:
            games.setdefault(game.key, []).append(game)
    declared = match.lineups if lineups is None else lineups
    found = {}
    for slot in slots_of(state.settings) if around is None else _bearing_on(state, around):
        key = (slot.round, slot.slot)
        if key not in games and not any((slot.round, team) in declared for team in match.teams):
            continue
        recorded = ((game, match.sides[game.id]) for game in games.get(key, ()))
        cell = cell_of(match, slot, recorded, declared)
        if cell is not None:
            found[key] = cell
    return found


def cell_of(match: Match, slot: Slot, games: Iterable[tuple[Game, Mapping[str, str]]], lineups: Lineups) -> Cell | None:
    """Give one game of the sheet from its line-ups and from what is recorded of it; None where nothing is known."""
    players: dict[str, tuple[str, ...]] = {}
    machine = None
    full = set()
    first = declares_first(match, slot.round)
    for team in (first, match.opponent(first)):
        lineup = lineups.get((slot.round, team))
        declared = lineup.games.get(slot.slot) if lineup is not None else None
        if declared is not None:
            players[team] = declared.players
            machine = machine or declared.machine
            full.add(team)
    for game, sides in games:
        machine = game.machine.head.id
        for who, team in sides.items():
            if who != team and who not in players.get(team, ()) and has_played(game, who):
                players[team] = (*players.get(team, ()), who)
        full |= {team for team in match.teams if _all_known(slot, sides, team)}
    full |= {team for team, there in players.items() if len(there) >= slot.side}
    if not players and machine is None:
        return None
    return Cell(slot=slot, machine=machine, players=players, full=frozenset(full))


def _bearing_on(state: State, number: int) -> Iterable[Slot]:
    """PC9, PC21: pairs and lone players are of the whole match, everything else is of one round."""
    slots = slots_of(state.settings)
    in_doubles = any(slot.round == number and slot.kind == "doubles" for slot in slots)
    return (slot for slot in slots if slot.round == number or (in_doubles and slot.kind == "doubles"))


def _all_known(slot: Slot, sides: Mapping[str, str], team: str) -> bool:
    """A game of both teams with more than one against one is the whole of a doubles game, no part of it (PC15)."""
    both = set(sides.values())
    return team in both and len(both) > 1 and (slot.side == 1 or len(sides) > len(both))
