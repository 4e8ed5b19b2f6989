"""A simulated machine that publishes JSON, as docs/mqtt.md has it for `mqtt-json`; in one of three ways, by the seed.

Whole states and events with topics; one value a topic, as Home Assistant's sensors do, without any event; or plain
lines without topics. With topics it is heard as through `hardware.ports.mqtt`: who connects gets what the broker
retains, and with it an event of long ago, retained by mistake. Invariant: what is said follows from true events.
"""

import json
from typing import Any

from hardware.sim.address import Setting
from hardware.sim.oracle import Event

WAYS = ("whole", "single", "lines")
_EVENTS = {
    "game-started": "game_start",
    "ball-ended": "ball_over",
    "tilt-warning": "tilt_warning",
    "tilt": "tilt",
    "slam-tilt": "slam_tilt",
    "ball-search-started": "ball_search",
    "ball-search-ended": "ball_found",
    "service-entered": "service",
    "service-left": "service_over",
    "game-ended": "game_over",
}
_RETAINED_BY_MISTAKE = {"event": "game_over", "finals": [123_456_789]}


def make(setting: Setting) -> "MessagesSpeaker":
    """The machine of `sim://json`."""
    return MessagesSpeaker(setting.seed, setting.balls, way=WAYS[setting.seed % len(WAYS)])


class MessagesSpeaker:
    """One machine and, where there are topics, its broker."""

    def __init__(self, seed: int, balls: int = 3, *, way: str = "whole") -> None:
        self._root = f"pinball/sim-{seed}"
        self._balls = balls
        self._way = way
        self._kept: dict[str, bytes] = {}
        """What the broker retains, by topic."""
        self._told: dict[str, Any] = {}
        self._state: dict[str, Any] = {"playing": False, "players": 0, "player": 0, "ball": 0, "scores": ()}
        self._tilted = self._slammed = self._service = False
        self._game = 0

    def greet(self, at: int) -> list[bytes]:
        """Somebody has connected: with topics, what is retained; a line of the state without."""
        del at
        if self._way == "lines":
            return [self._line(self._whole())]
        mistake = self._envelope("event", json.dumps(_RETAINED_BY_MISTAKE).encode(), retained=True)
        there = self._envelope("availability", b"online", retained=True)
        return [there, mistake, *(self._envelope(topic, kept, retained=True) for topic, kept in self._kept.items())]

    def happen(self, event: Event) -> list[bytes]:
        """Something truly happened."""
        if event.kind in {"power-lost", "power-back"}:
            self._state = {"playing": False, "players": 0, "player": 0, "ball": 0, "scores": ()}
            self._tilted = self._slammed = self._service = False
            return self._tell_state() if event.kind == "power-back" else []
        self._follow(event)
        named = _EVENTS.get(event.kind)
        said: dict[str, Any] = {"event": named} if named and (event.game or event.kind != "tilt") else {}
        if event.kind == "game-ended":
            said["finals"] = list(event.scores)
        first = self._tell_event(said) if event.kind == "game-ended" else []
        return [*first, *self._tell_state(), *([] if first else self._tell_event(said))]

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """It does not listen."""
        del data, at
        return []

    def tick(self, at: int) -> list[bytes]:
        """It says what happens, when it happens."""
        del at
        return []

    def deadline(self) -> int | None:
        """Never."""
        return None

    def _follow(self, event: Event) -> None:
        state = self._state
        match event.kind:
            case "game-started":
                self._game, self._tilted, self._slammed = event.game, False, False
                state |= {"playing": True, "players": 1, "player": 1, "ball": 1, "scores": (0,)}
            case "ball-started":
                self._tilted = False
                state |= {"player": event.player, "ball": event.ball}
            case "tilt":
                self._tilted = True
            case "slam-tilt":
                self._slammed = True
            case "game-ended":
                state["playing"] = False
            case "service-entered":
                self._service = True
                state |= {"playing": False, "scores": tuple(0 for _ in state["scores"])} if event.game else {}
            case "service-left":
                self._service = False
        if event.game and event.scores and event.kind != "service-entered":
            state |= {"scores": event.scores, "players": len(event.scores)}

    def _whole(self) -> dict[str, Any]:
        state = self._state | {"scores": list(self._state["scores"]), "balls": self._balls, "game": self._game}
        return state | {"tilt": self._tilted, "service": self._service}

    def _tell_state(self) -> list[bytes]:
        if self._way != "single":
            whole = self._whole()
            if whole == self._told:
                return []
            self._told = whole
            return [self._line(whole) if self._way == "lines" else self._publish("state", json.dumps(whole))]
        values = {f"score/{player}": str(score) for player, score in enumerate(self._state["scores"], start=1)}
        values |= {name: str(self._state[name]) for name in ("players", "player", "ball")}
        flags = {"tilt": self._tilted, "slam_tilt": self._slammed, "playing": self._state["playing"]}
        values |= {"balls": str(self._balls)} | {name: "on" if flag else "off" for name, flag in flags.items()}
        changed = {name: value for name, value in values.items() if self._told.get(name) != value}
        self._told |= changed
        return [self._publish(name, value) for name, value in changed.items()]

    def _tell_event(self, said: dict[str, Any]) -> list[bytes]:
        if not said or self._way == "single":
            return []
        if self._way == "lines":
            return [self._line(said)]
        return [self._envelope("event", json.dumps(said).encode(), retained=False)]

    def _publish(self, topic: str, text: str) -> bytes:
        self._kept[topic] = text.encode()
        return self._envelope(topic, text.encode(), retained=False)

    def _envelope(self, topic: str, payload: bytes, *, retained: bool) -> bytes:
        return self._line({"topic": f"{self._root}/{topic}", "retained": retained, "payload": payload.decode()})

    @staticmethod
    def _line(told: dict[str, Any]) -> bytes:
        return json.dumps(told).encode() + b"\n"
