"""A simulated machine on a LISY or APC board, as a tap on the wire from its host hears it: displays, polls, watchdogs.

By the seed the host speaks API 0.8 (texts), or 0.9 and later with displays of another type, with each command's length
or without. Warts: only what changes is written; between games the scores make way for the high score again and again;
who is up blinks until he scores; a match follows the game. Invariant: what is shown follows from true events alone.
"""

from hardware.sim.address import Setting
from hardware.sim.oracle import Event

POLL_MS = 500
SHOW_MS = 4_000
"""How long the scores stand between games before the high score takes their place, and the other way round."""
PLAYERS = 4
WIDTH = 9
HIGH_SCORE = 1_000_000
WAYS = ("ascii", "bcd", "seg7", "seg14", "text", "ascii counted", "bcd counted")
_SEVEN = dict(zip("0123456789 ", (0x3F, 0x06, 0x5D, 0x4F, 0x66, 0x6B, 0x7B, 0x0E, 0x7F, 0x6F, 0), strict=True))
_BARS = dict(zip("0123456789 ", (0x28, 0x08, 4, 4, 4, 4, 4, 0, 4, 4, 0), strict=True))
"""The second byte of a cell of fourteen segments."""


def make(setting: Setting) -> "LisySpeaker":
    """The host of a simulated machine."""
    return LisySpeaker(way=WAYS[setting.seed % len(WAYS)])


class LisySpeaker:
    """One host. It hears nothing: a tap cannot ask."""

    def __init__(self, *, way: str = "ascii") -> None:
        self._way, _, counted = way.partition(" ")
        self._counted = bool(counted)
        self._shown: dict[int, str] = {}
        self._scores: tuple[int, ...] = ()
        self._ball = self._up = self._match = 0
        self._playing = self._service = False
        self._turns = 0
        """Ticks since the last change of what is shown between games, or of who blinks."""
        self._blinks = False
        self._due: int | None = 0

    def greet(self, at: int) -> list[bytes]:
        """A tap hears what is said from now on, and nothing of before."""
        self._due = at
        return []

    def happen(self, event: Event) -> list[bytes]:
        """Something truly happened."""
        match event.kind:
            case "power-lost":
                self._scores, self._playing, self._service, self._ball = (), False, False, 0
                self._shown = {}
                return []
            case "power-back":
                asked = [self._command(code, b"") for code in (100, 0, 1, 2, 3, 4, 6, 9)]
                return [b"".join(asked), *self._refresh()]
            case "game-started":
                self._scores, self._playing, self._ball = (), True, 0
            case "player-added":
                self._ball = max(1, self._ball)
            case "ball-started":
                self._ball, self._up, self._blinks, self._turns = event.ball, event.player, True, 0
            case "scored":
                self._blinks = False
            case "game-ended":
                self._playing, self._blinks, self._turns = False, False, 0
                self._match = sum(event.scores) // 10 % 10 * 10
            case "service-entered":
                self._playing, self._service, self._blinks = False, True, False
            case "service-left":
                self._service, self._scores = False, ()
        self._scores = event.scores if event.game else self._scores
        return self._refresh()

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """Nothing is heard."""
        del data, at
        return []

    def tick(self, at: int) -> list[bytes]:
        """Polls and a watchdog, and what blinks or takes turns."""
        if self._due is None or at < self._due:
            return []
        self._due = at + POLL_MS
        self._turns += 1
        polls = b"".join([self._command(41, b"")] * 10)
        return [polls + self._command(101, b""), *self._refresh()]

    def deadline(self) -> int | None:
        """When `tick` has something to say."""
        return self._due

    def _refresh(self) -> list[bytes]:
        """What is shown otherwise than before."""
        said = []
        for number, text in enumerate([self._status(), *(self._window(player) for player in range(1, PLAYERS + 1))]):
            if self._shown.get(number) != text:
                self._shown[number] = text
                said.append(self._display(number, text))
        return said

    def _window(self, player: int) -> str:
        if self._service:
            return f"{0:0{WIDTH}d}"
        if not self._playing and self._turns * POLL_MS % (3 * SHOW_MS) >= 2 * SHOW_MS:
            return f"{HIGH_SCORE:{WIDTH}d}"
        if player > len(self._scores):
            return " " * WIDTH
        if self._blinks and self._up == player and self._turns % 2:
            return " " * WIDTH
        score = self._scores[player - 1]
        return f"{score:{WIDTH}d}" if score else "00".rjust(WIDTH)

    def _status(self) -> str:
        credit = "  " if self._service else " 3"
        if self._playing:
            return f"{credit}{self._ball:2d}" if self._ball else f"{credit}  "
        return credit + (f"{self._match:02d}" if self._scores and not self._service else "  ")

    def _display(self, number: int, text: str) -> bytes:
        match self._way:
            case "text":
                return bytes([30 + number]) + text.encode() + b"\0"
            case "bcd":
                data = bytes(0x0F if sign == " " else int(sign) for sign in text)
            case "seg7":
                data = bytes(_SEVEN[sign] for sign in text)
            case "seg14":
                data = b"".join(bytes([_SEVEN[sign], _BARS[sign]]) for sign in text)
            case _:
                data = text.encode()
        return self._command(30 + number, bytes([len(data)]) + data)

    def _command(self, code: int, data: bytes) -> bytes:
        return bytes([code, len(data)]) + data if self._counted else bytes([code]) + data
