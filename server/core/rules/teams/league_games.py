"""Taking a game of a league match: the right players, on a machine that may still be played (PC7 to PC11, PC15, PC16).

Invariant: a game of a match keeps to what its line-ups declare, where there are any.
"""

from datetime import datetime

from server.core.rules.state import FINALS, Game, State


def take_league_game(state: State, game: Game, begun: datetime | None) -> str | None:
    """Take a game of a match. Gives the reason when refused."""
    act = game.played
    match = state.matches.get(act.match or "")
    if match is None:
        return f"there is no match {act.match}" if act.match else f"{act.game} names no match"
    game.kind = FINALS
    game.stage = match.stage
    game.who = tuple(act.scores)
    match.games.append(game)
    return None
