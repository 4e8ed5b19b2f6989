"""Line-ups: who plays which game of a round, declared in turn (PC7 to PC10, PC20, PC21, PC36).

What holds for a line-up and a recorded game alike is in `lineups_rules`. Invariant: what a team has declared stands,
but for the games of a machine that failed.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from server.core.rules.acts import DeclareLineup, LinedUp
from server.core.rules.state import State
from server.core.rules.teams.league import Slot, declares_first, is_over, slots_of
from server.core.rules.teams.lineups_again import cannot_declare_again
from server.core.rules.teams.lineups_machines import out_of_order, overused
from server.core.rules.teams.lineups_people import cannot_line_up
from server.core.rules.teams.lineups_rules import broken_by
from server.core.rules.teams.lineups_sheet import Key, sheet_of
from server.core.rules.teams.rosters import evening_of
from server.core.rules.teams.state import Lineup, Match


def declare(state: State, entry: int, at: datetime | None, act: DeclareLineup) -> str | None:
    """Take a line-up, or the part of it that a failed machine opened again. Gives the reason when refused."""
    match = state.matches.get(act.match)
    if match is None:
        return f"there is no match {act.match}: schedule it first"
    if act.team not in match.teams:
        return f"{act.team} does not play in {match.id}: {match.home} and {match.away} do"
    slots = {slot.slot: slot for slot in slots_of(state.settings) if slot.round == act.round}
    before = match.lineups.get((act.round, act.team))
    problem = is_over(match) or _closed(match) or _bad_form(state, match, act, slots)
    if problem is None:
        again = before is not None
        problem = cannot_declare_again(state, match, act) if again else _not_in_turn(match, act, slots)
    problem = problem or _bad_machines(state, match, act)
    problem = problem or cannot_line_up(state, match, act, evening_of(state, match, at or match.at))
    if problem:
        return problem
    candidate = Lineup(
        games={**(before.games if before is not None else {}), **{game.slot: game for game in _named(match, act)}},
        entry={**(before.entry if before is not None else {}), **{game.slot: entry for game in act.games}},
    )
    if problem := cannot_stand(state, match, act, candidate):
        return problem
    match.lineups[act.round, act.team] = candidate
    _hand_on(match, act)
    return None


def _closed(match: Match) -> str | None:
    """C3.2: nothing is declared in a stage that is closed; the tie-break matches of the season come after its close."""
    return f"{match.stage.id} is closed" if match.stage.closed and not match.tiebreak else None


def cannot_stand(state: State, match: Match, act: DeclareLineup, candidate: Lineup) -> str | None:
    """Say which rule a line-up breaks together with all that is declared and recorded, None where it breaks none."""
    changed: list[Key] = [(act.round, game.slot) for game in act.games]
    if problem := _not_as_played(match, act):
        return problem
    sheet = sheet_of(state, match, {**match.lineups, (act.round, act.team): candidate}, around=act.round)
    if problem := broken_by(state, match, sheet, act.team, changed):
        return problem
    chooses = declares_first(match, act.round) == act.team
    return overused(state, match, sheet, changed) if chooses else None


def _named(match: Match, act: DeclareLineup) -> list[LinedUp]:
    """Give the games of a line-up with their machines: the second team takes them as the first named them."""
    first = match.lineups.get((act.round, declares_first(match, act.round)))
    if first is None or declares_first(match, act.round) == act.team:
        return list(act.games)
    theirs: Mapping[str, LinedUp] = first.games
    return [
        LinedUp(
            slot=game.slot, players=game.players, machine=theirs[game.slot].machine if game.slot in theirs else None
        )
        for game in act.games
    ]


def _hand_on(match: Match, act: DeclareLineup) -> None:
    """PC36: where the others keep their line-up, they play it on the machines that are named now."""
    key = (act.round, match.opponent(act.team))
    theirs = match.lineups.get(key)
    if theirs is None or act.team != declares_first(match, act.round):
        return
    named = {game.slot: game.machine for game in act.games}
    games = {slot: replace(game, machine=named[slot]) if slot in named else game for slot, game in theirs.games.items()}
    match.lineups[key] = replace(theirs, games=games)


def _bad_form(state: State, match: Match, act: DeclareLineup, slots: Mapping[str, Slot]) -> str | None:
    """PC6: the round and its games are those of the match's form, with as many players as it has."""
    if not slots:
        return f"PC6: a match has rounds 1 to {len(state.settings.round_kinds)}, not {act.round}"
    if not act.games:
        return f"PC7: the line-up of round {act.round} names no game"
    named: set[str] = set()
    for game in act.games:
        slot = slots.get(game.slot)
        if slot is None:
            return f"PC6: round {act.round} has games {', '.join(slots)}, not {game.slot}"
        if game.slot in named:
            return f"PC7: a line-up names each game of the round once: game {game.slot} is there twice"
        named.add(game.slot)
        if not game.players:
            return f"PC7: nobody is lined up for game {game.slot} of round {act.round}"
        if len(game.players) > slot.side:
            a_side = "one player" if slot.side == 1 else "two players"
            return f"PC6: game {game.slot} of round {act.round} is {slot.kind}: {a_side} for {act.team}"
        if len(set(game.players)) < len(game.players):
            return f"PC8: nobody plays twice in a round: {game.players[0]} is there twice in game {game.slot}"
        if act.team in match.given_up.get((act.round, game.slot), {}):
            return f"PC21: {act.team} has forfeited game {game.slot} of round {act.round}"
    return None


def _not_in_turn(match: Match, act: DeclareLineup, slots: Mapping[str, Slot]) -> str | None:
    """PC7, PC21: the first declares first, and a line-up is complete; a short team leaves one single out."""
    first = declares_first(match, act.round)
    other = match.lineups.get((act.round, match.opponent(act.team)))
    if act.team != first and other is None:
        return f"PC7: {first} declares first in round {act.round}"
    named = {game.slot for game in act.games}
    left_out = [name for name in slots if name not in named]
    given_up = [name for name in slots if (act.round, name) in match.given_up]
    missing = [name for name in left_out if name not in given_up]
    singles = next(iter(slots.values())).kind == "singles"
    if missing and not (singles and len(missing) == 1 and not given_up):
        short = ", but for one that a team of three forfeits (PC21)" if singles else ""
        return f"PC7: a line-up names every game of the round{short}: game {missing[0]} is missing"
    theirs = [name for name in slots if other is not None and name not in other.games]
    if left_out and theirs and left_out != theirs and act.team != first:
        return f"PC22: where both teams are short they forfeit the same single: game {theirs[0]} of round {act.round}"
    return None


def _bad_machines(state: State, match: Match, act: DeclareLineup) -> str | None:
    """PC7, PC10, PC36: the first names a machine of the venue for every game, the second takes them."""
    first = declares_first(match, act.round)
    if act.team == first:
        for game in act.games:
            if game.machine is None:
                return f"PC7: {first} declares first in round {act.round} and names the machine of game {game.slot}"
            if problem := out_of_order(state, match, game.machine):
                return problem
        return None
    chosen = match.lineups[act.round, first].games
    for game in act.games:
        theirs = chosen.get(game.slot)
        named = theirs.machine if theirs is not None else None
        if game.machine not in {None, named}:
            what = f"named {named} for" if named is not None else "lines nobody up for"
            return (
                f"PC7: {first} chose the machines and {what} game {game.slot} of round {act.round}, not {game.machine}"
            )
    return None


def _not_as_played(match: Match, act: DeclareLineup) -> str | None:
    """PC7: what is recorded of a round already was played as it was: a line-up handed in later says the same."""
    lined_up = {(act.round, game.slot): game for game in act.games}
    for game in match.games:
        if game.is_void:
            continue
        declared = lined_up.get(game.key)  # type: ignore[arg-type]
        if declared is None:
            continue
        sides = match.sides[game.id]
        mine = {who for who, team in sides.items() if team == act.team and who != team}
        whole = len(sides) > len(set(sides.values())) > 1
        if mine - {*declared.players} or (whole and mine and {*declared.players} - mine):
            return f"PC7: {game.id} was played by {' and '.join(sorted(mine))}: no other line-up comes after it"
        if declared.machine not in {None, game.machine.head.id}:
            return f"PC7: {game.id} was played on {game.machine.head.id}, not on {declared.machine}"
    return None
