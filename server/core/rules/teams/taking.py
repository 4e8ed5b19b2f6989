"""Taking a recorded game of teams into the tournament, by how the first stage is played.

Invariant: a game is refused whole, before anything of it is kept, and the reason names the rule.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from server.core.rules.state import Game, State
from server.core.rules.teams.group_games import take_group_game
from server.core.rules.teams.league_games import take_league_game


def take_team_game(state: State, game: Game, begun: datetime | None) -> str | None:
    """Take a game, also one that breaks a tie. Gives the reason when refused."""
    return TAKING[state.head.preset.first](state, game, begun)


TAKING: Mapping[str, Callable[[State, Game, datetime | None], str | None]] = {
    "season": take_league_game,
    "team_groups": take_group_game,
}
"""How a game is taken, by the preset's `first`."""
