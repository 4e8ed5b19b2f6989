"""What is kept of matches from one question to the next, and when it is dropped.

Nothing is computed here. Invariant: what is kept of a match was computed from its games, line-ups, forfeits and what
officials said of them, and none of these has changed since.
"""

from collections.abc import Iterable

from server.core.rules.acts import (
    Act,
    AgreeTerms,
    Buy,
    Challenge,
    Close,
    Correct,
    Decision,
    DeclareLineup,
    EndMatch,
    Forfeit,
    Penalty,
    Played,
    Register,
    Ruling,
    SetMatch,
    Void,
)
from server.core.rules.state import State

WITHOUT_MATCH = (Register, Buy, Close, SetMatch)
OF_ONE_MATCH = (DeclareLineup, Forfeit, AgreeTerms, EndMatch)
OF_ONE_GAME = (Correct, Void, Ruling, Challenge)


def forget_changed(state: State, act: Act) -> None:
    """Drop what an entry that was taken may have changed; where it is not plain which match that is, all is dropped."""
    if isinstance(act, WITHOUT_MATCH):
        return
    names = _named(state, act)
    for match in state.matches.values() if names is None else (state.matches[name] for name in names):
        match.known = match.shown = None


def _named(state: State, act: Act) -> Iterable[str] | None:
    """Give the matches that an entry is about, None where that is not plain."""
    if isinstance(act, OF_ONE_MATCH):
        return (act.match,)
    if isinstance(act, Played) and act.game not in state.named:
        tied = act.tiebreak if isinstance(act.tiebreak, str) else None
        return _of_game(state, act.game if tied is None else tied)
    if isinstance(act, OF_ONE_GAME):
        return _of_game(state, act.game)
    if isinstance(act, Penalty) and state.settings.conduct != "none":
        return None  # CC5: it may have changed games of any match
    if isinstance(act, (Penalty, Decision)) and (act.match is not None or act.game is not None):
        one = _of_game(state, act.game) if act.game is not None else ()
        return None if one is None else {*one, *([act.match] if act.match in state.matches else [])}
    return None


def _of_game(state: State, name: str) -> tuple[str, ...] | None:
    """Give the match of a game; a game that rulings name may change any, and what is unknown is not plain."""
    game = state.games.get(name)
    if game is None or name in state.named or game.played.match not in state.matches:
        return None
    return (game.played.match,)
