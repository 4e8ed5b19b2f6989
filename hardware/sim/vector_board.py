"""A simulated Warped Pinball Vector board in a simulated machine: what it reads of the memory, says and pushes.

Here: the machine's few bytes of memory, as true events leave them, and the board's own habits; what stands between it
and a peer is in `vector` (USB) and `vector_net`. No I/O, no clock. Told by the behaviour of warped-pinball/vector
dccf1ea: it looks four times a second, for ends of games once in five seconds, and pushes only what has changed.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from hardware.sim.oracle import Event

LOOK_MS = 250
CHECK_MS = 5_000
TRIES = 6
ANSWERS_MS, RESET_MS, LOOKS_MS = 6_000, 11_000, 15_000
"""After it is switched on: it answers; it says `reset`; it looks at the memory and pushes."""
WIPED_MS = 2_500
"""So long a machine that was switched on shows a cleared memory: flag 0, as in a game, and ball 0."""
INITIALS = 15
"""What stands in the ball's place while initials are entered."""


@dataclass(slots=True, kw_only=True)
class Memory:
    """What the board can read."""

    active: bool = False
    ball: int = 0
    player: int = 1
    players: int = 1
    scores: list[int] = field(default_factory=lambda: [0, 0, 0, 0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing that the board says unasked: a line on its console, or a message that it pushes."""

    text: str
    message: dict[str, Any] | None = None


class Board:
    """One board. `signed`: of the newer firmware, that pushes to the one listener that registered, and signs."""

    def __init__(
        self, *, device: str = "39819ddb", name: str = "High Speed", number: int = 0, signed: bool = False
    ) -> None:
        self.device, self.name, self.number = device, name, number
        self.version = "1.12.0" if signed else "1.11.28"
        self.signed = signed
        self.target: tuple[str | None, str] | None = None
        """Where to push and what to sign with; the address is None for whoever registered."""
        self._count = 0
        self.faults: list[str] = []
        self.format = (0, "Standard")
        self.memory = Memory()
        self.powered = True
        self._on_at = -LOOKS_MS
        self._wiped_until: int | None = None
        self._looked: dict[str, Any] | None = None
        """The report of the last look."""
        self._look_at: int | None = 0
        self._check_at = CHECK_MS
        self._playing = False
        """As the check for ends of games believes."""
        self._end: tuple[int, list[list[Any]], int] | None = None
        self._resets = False
        self._pushed = ""

    def happen(self, event: Event) -> list[Said]:
        """Something truly happened: the memory changes. What the board makes of it is said by `tick`."""
        change = getattr(self, "_" + event.kind.replace("-", "_"), None)
        if change:
            change(event)
            if self._look_at is None:
                self._look_at = _next(event.at, LOOK_MS)
        return []

    def tick(self, at: int) -> list[Said]:
        """Time has passed."""
        said: list[Said] = []
        if not self.powered:
            return said
        if self._wiped_until is not None and at >= self._wiped_until:
            self._wiped_until = None
            self.memory = Memory()
            self._look_at = _next(at, LOOK_MS)
        if self._resets and at >= self._on_at + RESET_MS:
            self._resets = False
            said += self._push("reset", None)
        while at >= self._check_at:
            said += self._check(self._check_at)
            self._check_at += CHECK_MS
        if self._look_at is not None and at >= max(self._look_at, self._on_at + LOOKS_MS):
            self._look_at = None
            self._looked = self._report()
            said += self._push("game_state", self._looked)
        return said

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        if not self.powered:
            return None
        due = [self._check_at, self._wiped_until, self._on_at + RESET_MS if self._resets else None]
        if self._look_at is not None:
            due.append(max(self._look_at, self._on_at + LOOKS_MS))
        return min(moment for moment in due if moment is not None)

    def is_up(self, at: int) -> bool:
        """It answers questions."""
        return self.powered and at >= self._on_at + ANSWERS_MS

    def answer(self, path: str, body: str = "") -> tuple[int, dict[str, Any], str]:
        """What a route says: status, headers, body."""
        if path == "/api/origin/target" and self.signed and body:
            self._register(json.loads(body))
            return 200, {"Content-Type": "application/json", "Content-Length": 2}, "{}"
        if path == "/api/game/name":
            return 200, {"Content-Type": "text/html", "Content-Length": len(self.name)}, self.name
        told: dict[str, Any] = {
            "/api/game/status": self._looked or self._report(),
            "/api/fault": self.faults,
            "/api/version": {"version": self.version},
            "/api/machine_id": {"machine_id": self.device},
        }
        if path not in told:
            return 404, {"Content-Type": "text/plain"}, "Route not found"
        text = json.dumps(told[path])
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "Content-Length": len(text)}
        return 200, headers, text

    # --- what it makes of the memory -------------------------------------------------------------------

    def _report(self) -> dict[str, Any]:
        memory = self.memory
        seen: dict[str, Any] = {"GameActive": memory.active, "BallInPlay": memory.ball}
        seen |= {"PlayerUp": memory.player, "PlayersInGame": memory.players, "Scores": list(memory.scores)}
        return seen | {"ActiveFormatName": self.format[1], "ActiveFormatId": self.format[0], "game_num": self.number}

    def _push(self, kind: str, data: Any) -> list[Said]:  # noqa: ANN401 - any JSON
        """Say it, unless it is what was said last."""
        said = f"{kind}{data}"
        if said == self._pushed or (self.signed and self.target is None):
            return []
        self._pushed = said
        self._count += 1
        message: dict[str, Any] = {"machine_id": self.device, "type": kind}
        message |= {"n": self._count} if self.signed else {}
        message |= {} if data is None else {"data": data}
        return [Said(text=f"Sending origin message: {kind} with data: {data}", message=message)]

    def _register(self, asked: dict[str, Any]) -> None:
        """A listener wants the messages: the count begins anew, and the status is said at once."""
        self.target = (asked.get("ip"), str(asked.get("secret", ""))) if asked.get("enable") else None
        self._count, self._pushed, self._look_at = 0, "", 0

    def _check(self, at: int) -> list[Said]:
        """The look for ends of games. After each try the status differs from what was said last, and is said again."""
        memory, said = self.memory, [Said(text=f" BALL IN PLAY: {self.memory.ball}")]
        if self._end:
            number, plays, attempt = self._end
            self._end = (number, plays, attempt + 1) if attempt < TRIES else None
            said += self._push("end_of_game", {"plays": plays, "try": attempt, "game_num": number})
            self._look_at = self._look_at or _next(at, LOOK_MS)
        if not self._playing:
            self._playing = memory.active
        elif memory.ball == 0:
            self._playing = False
            plays = [["", score] for score in memory.scores if score]
            if plays:
                said += self._push("end_of_game", {"plays": plays, "try": 1, "game_num": self.number})
                self._end = (self.number, plays, 2)
            self.number = (self.number + 1) % 100
            self._look_at = self._look_at or _next(at, LOOK_MS)
        return said

    # --- what true events do to the memory -------------------------------------------------------------

    def _game_started(self, _: Event) -> None:
        self._wiped_until = None
        self.memory = Memory(active=True, ball=1)

    def _player_added(self, event: Event) -> None:
        self.memory.players = max(1, min(4, event.player))

    def _ball_started(self, event: Event) -> None:
        self.memory.ball, self.memory.player = event.ball, event.player

    def _scored(self, event: Event) -> None:
        for place, score in enumerate(event.scores[:4]):
            self.memory.scores[place] = score

    def _initials(self, _: Event) -> None:
        self.memory.ball = INITIALS

    def _game_ended(self, _: Event) -> None:
        """The scores stand until the next game."""
        self.memory.active, self.memory.ball = False, 0

    def _service_entered(self, _: Event) -> None:
        self.memory = Memory()

    def _power_lost(self, _: Event) -> None:
        """The machine feeds the board: nothing is said any more."""
        self.powered = False

    def _power_back(self, event: Event) -> None:
        self.target, self._count = None, 0
        self.powered, self._on_at, self._wiped_until = True, event.at, event.at + WIPED_MS
        self.memory = Memory(active=True)
        self._looked, self._pushed, self._end, self._playing, self._resets = None, "", None, False, True
        self._check_at = event.at + LOOKS_MS


def _next(at: int, step: int) -> int:
    """The next look after `at`."""
    return (at // step + 1) * step
