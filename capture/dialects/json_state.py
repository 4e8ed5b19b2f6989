"""What is known of a machine that tells its state piece by piece: one value a topic, or all in one message.

Here: values that change, all of one message or none of them. Not here: what they mean. Invariant: a value that was
garbled is not known; a value that was said since goes before a retained one.
"""

from dataclasses import dataclass, field
from typing import Any

from capture.dialects.json_values import MOST_COUNT, MOST_SMALL, find, flag, whole, wholes
from capture.sampled import MachineState
from hardware.wires.messages import Read, parse_path

FLAGS = ("playing", "tilt", "slam_tilt", "service")
SMALL = ("players", "ball", "balls", "warnings")
LARGE = ("credits", "number")
MOST_PLAYERS = 16


@dataclass(slots=True)
class Changes:
    """What one message says."""

    up: int | None
    """Who is up, as far as it is known."""
    values: dict[str, Any] = field(default_factory=dict)
    scores: dict[int, int | None] = field(default_factory=dict)
    """By player."""

    def take(self, read: Read, value: Any, player: int | None) -> bool:  # noqa: ANN401 -- JSON
        """What this read finds in a message; whether anything. Raises LineGarbled."""
        before = len(self.values) + len(self.scores)
        for name in FLAGS:
            self._set(name, flag(_at(value, getattr(read, name)), read.on, read.off))
        for names, most in ((SMALL, MOST_SMALL), (LARGE, MOST_COUNT)):
            for name in names:
                self._set(name, whole(_at(value, getattr(read, name)), texts=read.text_numbers, most=most))
        self._take_player(read, value)
        for name in ("scores", "finals"):
            found = wholes(_at(value, getattr(read, name)), texts=read.text_numbers)
            if found and name == "scores":
                self.scores |= dict(enumerate(found[:MOST_PLAYERS], start=1))
            elif found:
                self.values["finals"] = found[:MOST_PLAYERS]
        self._take_score(read, value, player)
        return len(self.values) + len(self.scores) > before

    def _take_player(self, read: Read, value: Any) -> None:  # noqa: ANN401 -- JSON
        found = _at(value, read.player)
        if read.first_player == 0 and found == -1:
            found = None
            self.values["player"] = 0
        number = whole(found, texts=read.text_numbers, most=MOST_SMALL)
        if number is not None:
            self.values["player"] = number + 1 - read.first_player

    def _take_score(self, read: Read, value: Any, player: int | None) -> None:  # noqa: ANN401 -- JSON
        score = whole(_at(value, read.score), texts=read.text_numbers)
        if score is None:
            return
        if player is None and read.score_of is not None:
            of = whole(_at(value, read.score_of), texts=read.text_numbers, most=MOST_SMALL)
            player = None if of is None else of + 1 - read.first_player
        elif player is None:
            player = self.values.get("player", self.up) or 1
        if player is not None and 1 <= player <= MOST_PLAYERS:
            self.scores[player] = score

    def _set(self, name: str, value: object) -> None:
        if value is not None:
            self.values[name] = value


@dataclass(slots=True)
class Known:
    """What is known in one conversation."""

    values: dict[str, Any] = field(default_factory=dict)
    scores: dict[int, int | None] = field(default_factory=dict)
    live: set[str | int] = field(default_factory=set)
    """What was said since we came: names, and players whose score was."""
    whole: bool = False
    """All that stood when we came has been said."""

    @property
    def anything(self) -> bool:
        """Something is known."""
        return bool(self.values or self.scores)

    @property
    def over(self) -> bool:
        """The machine says that no game runs."""
        return self.values.get("playing") is False

    @property
    def was_seen(self) -> bool:
        """A score was said since we came: what is retained alone may be of long ago."""
        return any(isinstance(one, int) or one == "finals" for one in self.live)

    def begin(self) -> Changes:
        """A message comes in."""
        return Changes(up=self.values.get("player"))

    def may_be_found(self, changes: Changes) -> bool:
        """Whether a retained message says nothing of what was said since we came."""
        return not self.live & {*changes.values, *changes.scores}

    def keep(self, changes: Changes, *, live: bool) -> None:
        """Take over all that a message says."""
        self.values |= changes.values
        self.scores |= changes.scores
        if live:
            self.live |= {*changes.values, *changes.scores}
        else:
            self.values.pop("finals", None)  # of a game that ended before we came

    def doubt(self, player: int | None) -> None:
        """A player's score (None: each one) is not known any more."""
        self.values.pop("finals", None)
        for one in [player] if player is not None else list(self.scores):
            if one in self.scores:
                self.scores[one] = None

    def state(self, at: int, most: int) -> MachineState:
        """The state that the machine is in, with the scores of at most so many players."""
        values = self.values
        count = max([0, *(player for player in self.scores if player <= most)])
        return MachineState(
            at=at,
            playing=values.get("playing"),
            players=values.get("players"),
            player=values.get("player"),
            ball=values.get("ball"),
            balls=values.get("balls"),
            scores=tuple(self.scores.get(player) for player in range(1, count + 1)),
            finals=values.get("finals", ()),
            tilted=values.get("tilt"),
            slam_tilted=values.get("slam_tilt"),
            warnings=values.get("warnings"),
            credits=values.get("credits"),
            service=values.get("service"),
            number=values.get("number", values.get("starts")),
            verified=not self.over or self.was_seen,
        )


def _at(value: Any, path: str | None) -> Any:  # noqa: ANN401 -- JSON
    return None if path is None else find(value, parse_path(path))
