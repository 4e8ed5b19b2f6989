"""How a match ends: by its end, by a forfeit of the whole or of one game (PC6, PC21 to PC26, PC32).

Invariant: a match that is over takes nothing more but an official's correction.
"""

from datetime import datetime

from server.core.rules.acts import Decision, EndMatch, Forfeit
from server.core.rules.state import State
from server.core.rules.teams.league import (
    LEFT_EARLY,
    LEVEL,
    OPEN,
    PARTIAL,
    Slot,
    find_slot,
    is_level,
    is_over,
    league_outcome,
    no_slot,
    slot_results,
    tie_break_winner,
)
from server.core.rules.teams.state import Match

WINNER = "winner"
"""The topic of a decision that gives a level match to a team."""

REASONS = ("no-show", "venue-closed", "moved-venue", LEFT_EARLY)


def forfeit(state: State, entry: int, _at: datetime | None, act: Forfeit) -> str | None:
    """Take a forfeit of a match, or of one game of it (`round` and `slot`). Gives the reason when refused."""
    match = state.matches.get(act.match)
    if match is None:
        return f"there is no match {act.match}"
    if act.team not in match.teams:
        return f"{act.team} does not play in {match.id}: {match.home} and {match.away} do"
    goes_on = bool(match.games) and (act.slot is not None or act.offence == LEFT_EARLY)
    if match.stage.closed and not match.tiebreak and not goes_on:
        return f"{match.stage.id} is closed (entry {match.stage.closed_entry}): {match.id} is not forfeited any more"
    if act.round is not None or act.slot is not None:
        return _give_up_game(state, match, entry, act)
    return _give_up_match(match, entry, act)


def end_match(state: State, entry: int, _at: datetime | None, act: EndMatch) -> str | None:
    """PC6, PC19: end a match. Gives the reason when refused."""
    match = state.matches.get(act.match)
    if match is None:
        return f"there is no match {act.match}"
    if problem := is_over(match):
        return problem
    if is_level(state, match) and tie_break_winner(state, match) is None:
        return f"PC19: {match.id} is level: play what is left of it, then one tie-break game (tiebreak: true)"
    match.ended = entry
    return None


def give_level_match(state: State, act: Decision) -> str | None:
    """PC19: the commissioner gives a match that was left level to a team. Gives the reason when refused."""
    match = state.matches.get(act.match or "")
    if match is None:
        return f"there is no match {act.match}" if act.match else "winner: say of which match, and which team"
    if act.team not in match.teams:
        return f"{act.team or 'no team'} does not play in {match.id}: {match.home} or {match.away} wins it"
    outcome = league_outcome(state, match)
    undecided = not outcome.losers or match.decided is not None
    if is_over(match) is None or not undecided or outcome.points[match.home] != outcome.points[match.away]:
        return f"PC19: officials decide a match that was left level; {match.id} is not, or is still on"
    match.decided = act.team
    return None


def _give_up_game(state: State, match: Match, entry: int, act: Forfeit) -> str | None:
    """PC21, PC22: the others have the points of the game; nobody has them where both forfeit it."""
    slot = find_slot(state.settings, act.round, act.slot)
    if slot is None:
        return no_slot(state, act.round, act.slot)
    place = f"round {slot.round}, game {slot.slot} of {match.id}"
    if act.offence is not None:
        return f"PC25, PC26, PC32: {act.offence} forfeits a match, not one game: leave out `round` and `slot`, or `for`"
    if problem := is_over(match):
        return problem
    given_up = match.given_up.setdefault((slot.round, slot.slot), {})
    if act.team in given_up:
        return f"PC21: {act.team} has forfeited {place} already (entry {given_up[act.team]})"
    result = next(one for one in slot_results(state, match) if one.slot == slot)
    if not given_up and result.status not in {OPEN, PARTIAL, LEVEL}:
        return f"PC21: {place} is decided ({', '.join(result.games) or 'by an offence'}): void its game first"
    _flag_second(state, match, entry, act.team, slot)
    given_up[act.team] = entry
    match.forfeits.append((entry, act))
    return None


def _flag_second(state: State, match: Match, entry: int, team: str, slot: Slot) -> None:
    """PC21, PC22: one single a round is what a team of three forfeits, and two such teams forfeit the same."""
    others = [forfeit for _, forfeit in match.forfeits if forfeit.round == slot.round and forfeit.slot != slot.slot]
    if any(forfeit.team == team for forfeit in others):
        why = f"PC21: {team} forfeits a second game of round {slot.round}: a team of fewer than three loses {match.id}"
        state.flag(entry, "needs-official", why)
    elif slot.kind == "singles" and any(find_slot(state.settings, one.round, one.slot) for one in others):
        why = f"PC22: both teams forfeit a single of round {slot.round}: it should be the same one"
        state.flag(entry, "needs-official", why)


def _give_up_match(match: Match, entry: int, act: Forfeit) -> str | None:
    """PC24 to PC26, PC32: a match is forfeited by one team, or by both, each once and for the same kind of reason."""
    if act.offence is not None and act.offence not in REASONS:
        return f"for: {act.offence} is no reason to forfeit a match; there are {', '.join(REASONS)}"
    if act.offence == "moved-venue" and act.team != match.home:
        return f"PC26: a match that was moved though it could be played is lost by the home team, {match.home}"
    if match.ended:
        return is_over(match)
    early = act.offence == LEFT_EARLY
    for other, before in match.forfeits:
        if before.slot is not None:
            continue
        if before.team == act.team:
            return f"PC24: {act.team} has forfeited {match.id} already (entry {other})"
        if (before.offence == LEFT_EARLY) != early:
            reason = before.offence or "no-show"
            return f"PC6: {match.id} is over: {before.team} has forfeited it (entry {other}, {reason})"
    match.forfeits.append((entry, act))
    return None
