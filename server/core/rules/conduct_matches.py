"""Which games are one match where the code of conduct asks for "the current match" (CC5).

Only questions. Invariant: a game is of one match at most, whatever has been said about it.
"""

from server.core.rules.rounds_games import in_rounds
from server.core.rules.state import FINALS, NAMED, Game, State

Label = tuple[str, ...]
"""Names a match: of teams or by its label, a group or a pairing of a stage, a round, or a game alone."""


def label_of(state: State, game: Game) -> Label | None:
    """Give the match of a game; None where it is only played for a ruling, and none has named it yet.

    A match is: the one that the game names (teams, and the labels of CC10); the group's games in a stage of groups; the
    pairing in a bracket; the player's games of the round in rounds. Everywhere else a game is a match by itself.
    """
    if game.played.match is not None:
        return ("match", game.played.match)
    if game.kind == NAMED:
        ruled = _ruled_with(state, game)
        return label_of(state, ruled) if ruled is not None else None
    stage = game.stage
    if stage is not None and game.key:
        if in_rounds(state, stage):
            return ("round", stage.id, str(game.key[0]))
        if game.kind == FINALS and stage.form is not None and (stage.form.in_groups or stage.form.kind == "bracket"):
            return ("group", stage.id, str(game.key[0]))
    return ("game", game.id)


def slot_of(game: Game) -> Label | None:
    """Give the place of a game in its match where both are named: an offence may name it before it is recorded."""
    act = game.played
    return None if act.match is None or act.slot is None else ("slot", act.match, str(act.round), act.slot)


def games_of(state: State, label: Label) -> list[Game]:
    """Give the games of a match, or of a place in one, that are recorded."""
    return [game for game in state.games.values() if label in (label_of(state, game), slot_of(game))]


def _ruled_with(state: State, named: Game) -> Game | None:
    """Give the game whose ruling takes its score from this one."""
    for game in state.games.values():
        rulings = game.said.rulings if game.said is not None and game.kind != NAMED else ()
        if any(named.id in ruling.games for ruling in rulings):
            return game
    return None
