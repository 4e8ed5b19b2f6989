"""Taking a game of opponents who meet under a label (CC10).

Invariant: a game is refused whole, before anything of it is kept, and the reason says what to do.
"""

from datetime import datetime

from server.core.rules.machines import unavailable
from server.core.rules.stages import too_late
from server.core.rules.state import FINALS, Game, State


def take_opponents_game(state: State, game: Game, begun: datetime | None) -> str | None:
    """Take a game of the match that it names. Gives the reason when refused."""
    act, name = game.played, state.head.preset.name
    stage = state.divisions[""].qualifying
    if act.stage not in {None, stage.id}:
        return f"there is no stage {act.stage}; there is {stage.id}"
    stranger = next((who for who in act.scores if who not in state.players), None)
    if stranger is not None:
        return f"there is no player {stranger}"
    if act.tiebreak is not False:
        return f"{name} plays off no ties: they are shared (CC10)"
    if act.joker or act.makeup is not None:
        return f"{name} has no {'jokers' if act.joker else 'make-up games'}"
    if act.match is None:
        return f"{act.game} names no match (match: ...): it counts only once a ruling names it (CC10)"
    out = next((who for who in act.scores if state.players[who].ejected), None)
    if out is not None:
        return f"{out} is out of the tournament"
    if problem := too_late(state, stage, begun, act.game) or unavailable(game.machine, begun, stage):
        return problem
    game.kind, game.stage, game.who = FINALS, stage, tuple(act.scores)
    stage.games.append(game)
    return None
