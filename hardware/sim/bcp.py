"""A simulated game program that speaks BCP 1.1 as Mission Pinball Framework 0.81 does, traps included.

`Program` is the machine's state and turns true events into everything that could be said of them, in the order of
recorded sessions with the real program; who is told what is in `listener`. No I/O.
"""

import json
import re
from dataclasses import dataclass, field
from urllib.parse import quote

from hardware.sim.oracle import Event

Said = tuple[str, str]
"""What has to be subscribed (a category, or `trigger:` and the event's name), and the line."""


@dataclass(slots=True)
class Program:
    """The game program: what it knows, and what it says when something happens."""

    modes: dict[str, int] = field(default_factory=lambda: {"tilt": 1_000_000, "service": 100_000, "attract": 10})
    machine: dict[str, str | int] = field(default_factory=lambda: {"credits_string": "FREE PLAY", "master_volume": 5})
    scores: list[int] = field(default_factory=list)
    balls: list[int] = field(default_factory=list)
    player: int = 0
    tilted: bool = False
    slammed: bool = False
    ending: bool = False
    powered: bool = True
    initials: Event | None = None

    def happen(self, event: Event) -> list[Said]:
        """Take one true event and return all that the program says of it, in the order it says it."""
        teller = getattr(self, "_" + event.kind.replace("-", "_"), None)
        return list(teller(event)) if teller else []

    def snapshot(self, category: str) -> list[str]:
        """The lines that answer a new subscription. Scores of a game that runs are not among them."""
        if category == "modes":
            return [self._mode_list()]
        if category == "machine_vars":
            lines = [line("machine_variable", name=name, value=value) for name, value in self.machine.items()]
            return [*lines, 'settings?json={"settings": []}']
        return []

    def evaluate(self, placeholder: str) -> int | bool | None:
        """What `evaluate_placeholder` answers: None where there is no such thing."""
        playing = "game" in self.modes
        if slot := re.fullmatch(r"players\[(\d{1,2})\]\.(score|ball)", placeholder):
            values = self.scores if slot[2] == "score" else self.balls
            return values[int(slot[1])] if playing and int(slot[1]) < len(values) else None
        if placeholder == "mode.game.active":
            return playing
        if not playing or not self.player:
            return None
        known: dict[str, int | bool] = {
            "current_player.score": self.scores[self.player - 1],
            "current_player.number": self.player,
            "current_player.ball": self.balls[self.player - 1],
            "game.num_players": len(self.scores),
            "game.tilted": self.tilted,
            "game.slam_tilted": self.slammed,
        }
        return known.get(placeholder)

    # --- one method for each kind of true event

    def _game_started(self, _: Event) -> list[Said]:
        self.scores, self.balls, self.player = [], [], 0
        self.tilted = self.slammed = self.ending = False
        stopped = self._mode_stop("attract")
        return [
            _trigger("request_to_start_game"),
            ("modes", line("mode_start", name="game", priority=20)),
            stopped[0],
            stopped[1],
            *self._mode_start("game", 20)[1:],
            _trigger("game_starting", queue="<QueuedEvent>", game="<Mode.game>"),
        ]

    def _player_added(self, event: Event) -> list[Said]:
        self.scores.append(0)
        self.balls.append(0)
        number = event.player
        said = [
            ("core_events", line("player_added", player_num=number)),
            _variable("index", number - 1, number - 1 if number > 1 else 0, number),
            _variable("number", number, number, number),
            _variable("score", 0, 0, number),
        ]
        return [*said, _trigger("game_started")] if number == 1 else said

    def _ball_started(self, event: Event) -> list[Said]:
        extra = event.detail == "extra"
        self.tilted = self.ending = False
        self.player = event.player
        before, self.balls[event.player - 1] = self.balls[event.player - 1], event.ball
        turn: list[Said] = [
            _variable("ball", event.ball, before, event.player),
            ("core_events", line("player_turn_start", player_num=event.player)),
        ]
        return [
            *([] if extra else turn),
            _trigger("ball_will_start", player=event.player, ball=event.ball, is_extra_ball=extra),
            *self._mode_start("base", 100),
            _trigger("balls_in_play", balls=1),
            ("core_events", line("ball_start", player_num=event.player, ball=event.ball)),
            _trigger("ball_started", player=event.player, ball=event.ball, is_extra_ball=extra),
        ]

    def _scored(self, event: Event) -> list[Said]:
        before, after = self.scores[event.player - 1], event.scores[event.player - 1]
        self.scores[event.player - 1] = after
        said = [_variable("score", after, before, event.player)]
        return [*said, _variable("jackpots", 1, 0, event.player)] if event.detail == "jackpot" else said

    def _bonus(self, _: Event) -> list[Said]:
        return [*self._end_ball(), *self._mode_start("bonus", 500)]

    def _tilt_warning(self, event: Event) -> list[Said]:
        return [
            _variable("tilt_warnings", event.points, event.points - 1, event.player),
            _trigger("tilt_warning", warnings=event.points, warnings_remaining=max(0, 3 - event.points)),
        ]

    def _tilt(self, event: Event) -> list[Said]:
        self.tilted = True
        return [_trigger("tilt"), _variable("tilt_warnings", 0, 3, event.player), *self._end_ball()]

    def _slam_tilt(self, event: Event) -> list[Said]:
        self.slammed = bool(event.game)
        return [_trigger("slam_tilt")]

    def _ball_search_started(self, _: Event) -> list[Said]:
        return [_trigger("ball_search_started"), _trigger("ball_search_phase_1", iteration=1)]

    def _ball_search_ended(self, _: Event) -> list[Said]:
        return [_trigger("ball_search_stopped")]

    def _extra_ball(self, event: Event) -> list[Said]:
        return [_variable("extra_balls", 1, 0, event.player), _trigger("extra_ball_awarded")]

    def _ball_ended(self, event: Event) -> list[Said]:
        return [
            *([] if self.tilted else [_variable("tilt_warnings", 0, 0, event.player)]),
            *([] if self.ending else self._end_ball()),
            *(self._mode_stop("bonus") if "bonus" in self.modes else []),
            *([_trigger("tilt_clear")] if self.tilted else []),
            ("core_events", "ball_end"),
            _trigger("ball_ended"),
            _trigger("player_turn_ended", player=f"<Player {event.player}>", number=event.player),
        ]

    def _scores_final(self, _: Event) -> list[Said]:
        return [_trigger("game_will_end")]

    def _initials(self, event: Event) -> list[Said]:
        self.initials = event
        asked = {"award": "GRAND CHAMPION", "player_num": event.player, "value": event.scores[event.player - 1]}
        return [*self._mode_start("high_score", 1500), _trigger("high_score_enter_initials", **asked)]

    def _game_ended(self, event: Event) -> list[Said]:
        said: list[Said] = []
        if asked := self.initials:
            said.append(_variable("initials", asked.detail, 0, asked.player))
            said += [*self._set("score1_name", asked.detail), *self._set("score1_value", max(event.scores))]
            said += self._mode_stop("high_score")
            self.initials = None
        said.append(_trigger("game_ending", queue="<QueuedEvent>"))
        for number, score in enumerate(event.scores, 1):
            said += self._set(f"player{number}_score", score)
        attract = self._mode_start("attract", 10)
        return [*said, attract[0], _trigger("game_ended"), attract[1], *self._mode_stop("game")]

    def _service_entered(self, _: Event) -> list[Said]:
        said = [_trigger("service_mode_entered")]
        for name in ("bonus", "base", "tilt", "game"):
            stopped = self._mode_stop(name) if name in self.modes else []
            said += stopped[1:] if name == "tilt" else stopped
        return said

    def _service_left(self, _: Event) -> list[Said]:
        said = [_trigger("service_mode_exited"), *self._mode_start("tilt", 1_000_000)]
        return [*said, _trigger("machine_reset_phase_3", queue="<QueuedEvent>"), *self._mode_start("attract", 10)]

    def _power_lost(self, _: Event) -> list[Said]:
        self.powered = False
        return []

    def _power_back(self, _: Event) -> list[Said]:
        self.powered, self.initials = True, None
        self.modes = {"tilt": 1_000_000, "service": 100_000, "attract": 10}
        self.scores, self.balls, self.player = [], [], 0
        return []

    # --- what several of them say

    def _end_ball(self) -> list[Said]:
        self.ending = True
        ending = [_trigger("ball_will_end"), _trigger("ball_ending", queue="<QueuedEvent>")]
        return [*ending, *self._mode_stop("base")]

    def _mode_start(self, name: str, priority: int) -> list[Said]:
        self.modes[name] = priority
        return [("modes", line("mode_start", name=name, priority=priority)), ("modes", self._mode_list())]

    def _mode_stop(self, name: str) -> list[Said]:
        self.modes.pop(name, None)
        return [("modes", line("mode_stop", name=name)), ("modes", self._mode_list())]

    def _mode_list(self) -> str:
        running = sorted(self.modes.items(), key=lambda mode: -mode[1])
        return "mode_list?json=" + json.dumps({"running_modes": [list(mode) for mode in running]})

    def _set(self, name: str, value: str | int) -> list[Said]:
        before, self.machine[name] = self.machine.get(name), value
        change = value - before if isinstance(value, int) and isinstance(before, int) else True
        return [("machine_vars", line("machine_variable", name=name, value=value, prev_value=before, change=change))]


def line(command: str, **arguments: object) -> str:
    """One BCP line without its end: values typed by prefix, strings percent-encoded."""
    return command + "?" + "&".join(f"{key}={_typed(value)}" for key, value in arguments.items())


def _typed(value: object) -> str:
    if isinstance(value, str):
        return quote(value, safe="")
    name = "NoneType" if value is None else type(value).__name__
    return f"{name}:{'' if value is None else value}"


def _trigger(event: str, **arguments: object) -> Said:
    return "trigger:" + event, line("trigger", name=event, **arguments)


def _variable(name: str, value: str | int, before: int, player: int) -> Said:
    change = value - before if isinstance(value, int) else True
    told = line("player_variable", name=name, value=value, prev_value=before, change=change, player_num=player)
    return "player_vars", told
