"""Both sides confirm what a match came to (PC6, PC31, UT19, EC17): who has, and what takes a confirmation back.

A record, no rule of points. Invariant: a confirmation speaks of the match as it is; whatever changes the match after it
takes it back.
"""

from server.core.rules.acts import (
    Absent,
    Act,
    AgreeTerms,
    Challenge,
    Correct,
    Decision,
    DeclareLineup,
    Forfeit,
    Penalty,
    Played,
    Ruling,
    Void,
)
from server.core.rules.state import State
from server.core.rules.teams.state import Match

CONFIRMED = "confirmed"


def confirm(state: State, entry: int, act: Decision) -> str | None:
    """Note that a team confirms a match as it is now. Gives the reason when refused."""
    match = state.matches.get(act.match or "")
    if match is None:
        return f"there is no match {act.match}" if act.match else "confirmed: say which match, and for which team"
    if act.team not in match.teams:
        return f"{act.team or 'no team'} does not play in {match.id}: {match.home} or {match.away} confirms it"
    if not (match.games or match.tiebreaks or match.forfeits or match.lost):
        return f"nothing of {match.id} has been played or forfeited: there is nothing to confirm"
    if any(challenge.team == act.team for _, challenge in match.challenges):
        return f"{act.team} contests a game of {match.id}: who challenges does not sign (PC31); an official ends it"
    match.confirmed[act.team] = entry
    return None


def forget_confirmations(state: State, act: Act) -> None:
    """Take back what was confirmed of a match that this act, which was taken, has changed."""
    match = _changed_by(state, act)
    if match is not None:
        match.confirmed.clear()


def _changed_by(state: State, act: Act) -> Match | None:
    if isinstance(act, Correct | Void | Ruling | Challenge):
        return _match_of_game(state, act.game)
    if isinstance(act, Penalty) and act.game is not None:
        return _match_of_game(state, act.game)
    if isinstance(act, Played | Penalty | Absent | Forfeit | DeclareLineup | AgreeTerms):
        tied = act.tiebreak if isinstance(act, Played) else None
        return state.matches.get(act.match or "") or (_match_of_game(state, tied) if isinstance(tied, str) else None)
    return None


def _match_of_game(state: State, game: str) -> Match | None:
    found = state.games.get(game)
    return None if found is None else state.matches.get(found.played.match or "")
