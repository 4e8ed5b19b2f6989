"""A simulated device that speaks Inlane's line format, as docs/lines.md has it: checksums, numbers, repeats, leftovers.

By the seed it tells its events (and repeats its last END, as careful makers do), or is one that knows nothing but its
state and says that every second; some do not listen. Invariant: what is said follows from true events alone.
"""

from dataclasses import replace

from hardware.sim.address import Setting
from hardware.sim.oracle import Event

STATE_MS = 1_000
PING_MS = 5_000
_EVENTS = {
    "scored": "SCORE {player} {score}",
    "ball-ended": "BALL END",
    "tilt-warning": "WARNING {points}",
    "tilt": "TILT",
    "slam-tilt": "SLAM",
    "ball-search-started": "SEARCH 1",
    "ball-search-ended": "SEARCH 0",
    "service-entered": "SERVICE 1",
    "service-left": "SERVICE 0",
}


def make(setting: Setting) -> "LinesSpeaker":
    """The device of a simulated machine: each third says states, each second does not listen."""
    return LinesSpeaker(setting.seed, setting.balls, states=setting.seed % 3 == 0, deaf=setting.seed % 2 == 0)


class LinesSpeaker:
    """One device."""

    def __init__(self, seed: int, balls: int = 3, *, states: bool = False, deaf: bool = False) -> None:
        self._name = f"sim-{seed}"
        self._balls = balls
        self._states, self._deaf = states, deaf
        self._number = self._boot = 0
        self._heard = b""
        self._game = Event(at=0, kind="power-back")
        """The last true event of the game that runs or ran last."""
        self._playing = self._tilted = self._slammed = self._service = False
        self._end: str | None = None
        self._due: int | None = 0
        self._repeats = 0

    def greet(self, at: int) -> list[bytes]:
        """Somebody has connected."""
        self._due = at + (STATE_MS if self._states else PING_MS)
        return [self._hello()]

    def happen(self, event: Event) -> list[bytes]:
        """Something truly happened."""
        if event.kind in {"power-lost", "power-back"}:
            self._boot += event.kind == "power-back"
            self._number, self._playing, self._end, self._repeats = 0, False, None, 0
            self._slammed = self._service = False
            self._game = Event(at=event.at, kind="power-back")
            return []
        said = self._tell(event)
        if event.game:  # who joins is not up
            self._game = replace(event, player=self._game.player) if event.kind == "player-added" else event
        return [] if self._states else [self._line(text) for text in said]

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """Questions, cut anywhere."""
        del at
        *lines, self._heard = (self._heard + data)[-200:].split(b"\n")
        said: list[bytes] = []
        for line in lines if not self._deaf else ():
            if line.strip() == b"HELLO?":
                said.append(self._hello())
            elif line.strip() == b"STATE?":
                said += [self._line(self._end)] if self._end and not self._playing else []
                said.append(self._line(self._state()))
        return said

    def tick(self, at: int) -> list[bytes]:
        """A state, a repeat of the last END, or a PING."""
        if self._due is None or at < self._due:
            return []
        self._due = at + (STATE_MS if self._states else PING_MS)
        if self._states:
            return [self._line(self._state())]
        if self._repeats and self._end:
            self._repeats -= 1
            return [self._line(self._end)]
        return [self._line("PING")]

    def deadline(self) -> int | None:
        """When `tick` has something to say."""
        return self._due

    def _tell(self, event: Event) -> list[str]:
        """The lines of one event; what it changes is remembered."""
        match event.kind:
            case "game-started":
                self._playing, self._tilted, self._slammed, self._repeats = True, False, False, 0
                return [f"GAME players=1 balls={self._balls} game={event.game}"]
            case "player-added":
                return [f"PLAYERS {event.player}"] if event.player > 1 else []
            case "ball-started":
                self._tilted = False
                return [f"PLAYER {event.player} BALL {event.ball}"]
            case "tilt":
                self._tilted = True
            case "slam-tilt":
                self._slammed = bool(event.game)
            case "scores-final":
                self._playing, self._repeats = False, 2
                scores = " ".join(f"{player}={score}" for player, score in enumerate(event.scores, 1))
                self._end = f"END {scores} game={event.game}"
                return [self._end]
            case "service-entered":
                lost, self._playing, self._service = self._playing and event.game, False, True
                return ["SERVICE 1", "ABORT service"] if lost else ["SERVICE 1"]
            case "service-left":
                self._service = False
        if event.kind not in _EVENTS:
            return []
        score = event.scores[event.player - 1] if event.player else 0
        return [_EVENTS[event.kind].format(player=event.player, score=score, points=event.points)]

    def _state(self) -> str:
        game = self._game
        parts = [f"STATE playing={int(self._playing)} game={game.game} players={len(game.scores)} balls={self._balls}"]
        if self._playing:
            parts.append(f"player={game.player} ball={game.ball} tilt={int(self._tilted)}")
        parts.append(f"slam={int(self._slammed)} service={int(self._service)}")
        return " ".join([*parts, *(f"{player}={score}" for player, score in enumerate(game.scores, 1))])

    def _hello(self) -> bytes:
        return self._line(f'HELLO device={self._name} machine="Simulated machine" boot={self._boot}')

    def _line(self, text: str) -> bytes:
        self._number += 1
        text = f"@{self._number} {text} "
        total = 0
        for byte in text.encode():
            total ^= byte
        return f"{text}*{total:02X}\r\n".encode()
