"""What a Vector's status and its word of a game's end say, exactly, and nothing that they do not say.

Here: the JSON of `/api/game/status` (and of `game_state`, which is the same) to a `MachineState`; `end_of_game`'s plays
to scores by player. Invariant: a status is taken whole or not at all (`LineGarbled`). Traps of the firmware (dccf1ea):
`PlayerUp` and `PlayersInGame` are 0 where it does not know; the ball is 15 while initials are entered; a cleared memory
says that a game is active, with ball 0; who scored nought is left out of the plays, so a place in them is no player.
"""

from dataclasses import dataclass
from itertools import combinations

from capture.dialects.vector_lines import whole
from capture.errors import LineGarbled
from capture.states import MachineState

MOST_SCORE = 2**63 - 1
MOST_PLAYERS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """One status. None where the board does not say."""

    active: bool
    scores: tuple[int, ...]
    ball: int | None = None
    player: int | None = None
    players: int | None = None
    number: int | None = None
    """Of the game, modulo 100; it moves on when the board has noted the end, up to 5 s after it."""
    format: int = 0
    """Anything but 0: the scores are those of a game format of the board's own, and not what the machine shows."""

    @property
    def bare(self) -> bool:
        """Of the board for electromechanical machines, which knows neither ball nor player."""
        return self.ball is None and self.player is None and self.players is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The board's word that a game is over, said up to six times. Initials are guesses of its and left out."""

    number: int | None
    attempt: int | None
    plays: tuple[int, ...]

    def is_again(self, other: "Ending") -> bool:
        """Both tell of one game."""
        return (self.number, self.plays) == (other.number, other.plays)


def read_status(told: object) -> Status:
    """A status of parsed JSON. Raises LineGarbled."""
    if not isinstance(told, dict):
        raise LineGarbled("a status that is no object")
    active, scores = told.get("GameActive"), told.get("Scores")
    if not isinstance(active, bool) or not isinstance(scores, list) or not 1 <= len(scores) <= MOST_PLAYERS:
        raise LineGarbled("a status without GameActive or Scores")
    player, players = _some(told, "PlayerUp", 256), _some(told, "PlayersInGame", 256)
    return Status(
        active=active,
        scores=tuple(whole(score, most=MOST_SCORE) for score in scores),
        ball=_some(told, "BallInPlay", 255),
        player=player if player and player <= MOST_PLAYERS else None,
        players=players if players and players <= len(scores) else None,
        number=_some(told, "game_num", 10**6),
        format=_some(told, "ActiveFormatId", 10**6) or 0,
    )


def read_ending(told: object) -> Ending:
    """An `end_of_game` of parsed JSON. Raises LineGarbled."""
    if not isinstance(told, dict):
        raise LineGarbled("an end that is no object")
    plays = told.get("plays")
    if not isinstance(plays, list) or not 1 <= len(plays) <= MOST_PLAYERS:
        raise LineGarbled("an end without plays")
    scores = []
    for play in plays:
        if not isinstance(play, list) or len(play) != 2:
            raise LineGarbled("a play that is no pair")
        scores.append(whole(play[1], most=MOST_SCORE))
    return Ending(number=_some(told, "game_num", 10**6), attempt=_some(told, "try", 1000), plays=tuple(scores))


def state_of(status: Status, at: int, *, number: int | None, trusted: bool) -> MachineState:
    """What a status says, as it stands. `number`: the game's own; `trusted`: the board sees nothing wrong with itself.

    The board of an electromechanical machine sets its scores to nought as the game ends: that is no score.
    """
    cleared = status.bare and not status.active and not any(status.scores)
    return MachineState(
        at=at,
        playing=status.active,
        players=status.players,
        player=status.player,
        ball=status.ball,
        scores=() if cleared else status.scores,
        number=number,
        verified=trusted and status.format == 0,
    )


def place_plays(plays: tuple[int, ...], last: tuple[int, ...], players: int | None) -> tuple[int | None, ...] | None:
    """The final scores by player: plays in their order, players who scored nought left out; no score ever fell.

    `last`: what was seen last, by player. A player is None where two ways to read the plays differ. None where the
    plays fit in no way: then they are of another game, or not of these players.
    """
    if players is not None and len(plays) > players and not any(plays[players:]):
        plays = plays[:players]
    many = players if players is not None else max(len(plays), len(last))
    seen = (last + (0,) * many)[:many]
    ways = []
    for places in combinations(range(many), len(plays)):
        way = [0] * many
        for place, play in zip(places, plays, strict=True):
            way[place] = play
        if all(final >= before for final, before in zip(way, seen, strict=True)):
            ways.append(way)
    if not ways:
        return None
    return tuple(scores[0] if len(set(scores)) == 1 else None for scores in zip(*ways, strict=True))


def _some(told: dict[str, object], key: str, most: int) -> int | None:
    value = told.get(key)
    return None if value is None else whole(value, most=most)
