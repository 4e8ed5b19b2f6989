"""What is kept of rounds and brackets from one question to the next, and when it is dropped.

Nothing is computed here. Invariant: what is kept was computed from games of which nothing has changed since; a further
game is found by whoever keeps, by their number.
"""

from server.core.rules.acts import Act, Buy, Close, Decision, Played, Register
from server.core.rules.state import FINALS, TIEBREAK, Game, State

WITHOUT_SCORES = (Register, Buy, Close, Decision)


def drop_changed(state: State, act: Act) -> None:
    """Drop what an entry that was taken may have changed in games recorded before it."""
    if isinstance(act, WITHOUT_SCORES):
        return
    if isinstance(act, Played) and act.tiebreak is False and act.game not in state.named:
        return
    for stage in state.stages.values():
        stage.known = None
        stage.book.played.clear()


def note_change(game: Game, entry: int) -> None:
    """Note which entry changed a game of a stage, for the case that a later stage or round has begun."""
    if game.stage is not None:
        game.stage.touched = entry
        if game.stage.form is None and game.kind in {FINALS, TIEBREAK}:
            broken = game.played.tiebreak
            game.stage.book.changed.append((entry, broken if isinstance(broken, str) else game.id))
