"""Mission Pinball Framework's Backbox Control Protocol 1.1: as a client of MPF, and as its media controller.

Here: what to subscribe to, and what each command hints at. Lines are `bcp_lines`, questions `bcp_interview`. Source:
mpf 0.81.0, mpf/core/bcp/bcp_interface.py and modes/game; `tests/machines/bcp` has recordings. Invariant: a line that
is not understood whole changes nothing but the count of garbage and, in a game, the trust in the scores. MPF says its
events once more for each client that ever hung up (it adds its handlers anew): what is said twice counts once.
"""

from collections.abc import Callable
from typing import ClassVar

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects import Setup
from capture.dialects.bcp_events import CATEGORIES, EVENTS, TRIGGERS
from capture.dialects.bcp_interview import Interview
from capture.dialects.bcp_lines import (
    MOST_PLAYERS,
    Values,
    count_of,
    format_line,
    parse_line,
    payload_length,
    player_of,
    text_of,
    whole,
)
from capture.dialects.bcp_sense import Sense
from capture.errors import LineGarbled
from capture.framing import LineSplitter
from hardware.profile import MachineProfile

_Hints = list[h.Hint]


def make(profile: MachineProfile, setup: Setup) -> "BcpDialect":
    """The dialect, for any profile: BCP names neither its device nor signs what it says."""
    del profile, setup
    return BcpDialect()


class BcpDialect:
    """One machine's BCP, one conversation after another."""

    def __init__(self) -> None:
        self._splitter = LineSplitter(payload=payload_length)
        self._overheard = LineSplitter(payload=payload_length)
        self._interview = Interview(passive=True)
        self._out = bytearray()
        self._passive = True
        self._fresh = True
        """No `mode_list` yet: the first tells whether a game is running."""
        self._in_game = False
        self._ball_runs = False
        self._service = False
        self._ball_of: dict[int, int] = {}
        self._setting_up = False
        """Player 1 has joined and nobody has played yet."""
        self._warned: object = None
        self._sense = Sense()

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins: MPF speaks first."""
        self._splitter.reset()
        self._overheard.reset()
        self._out.clear()
        self._passive = passive
        self._sense.open(at, passive=passive)
        self._start_over()

    def finish(self, at: int) -> _Hints:
        """Nothing is kept back: MPF says when a game is over."""
        del at
        return []

    def close(self) -> None:
        """The conversation is over: neither a greeting nor an answer will come."""
        self._sense.close()
        self._out.clear()
        self._interview = Interview(passive=self._passive)

    def feed(self, data: bytes, at: int) -> _Hints:
        """Take bytes as they came, cut anywhere."""
        self._sense.bytes_came()
        hints = [hint for line in self._splitter.feed(data) for hint in self._take(line, at)]
        return hints + (self._sense.swamp(at) if self._splitter.overlong else [])

    def overhear(self, data: bytes) -> None:
        """Take what somebody else said to the machine."""
        for line in self._overheard.feed(data):
            self._interview.overhear(line)

    def tick(self, now: int) -> _Hints:
        """Time has passed: nobody greets, nobody answers. A greeting may have been lost: who is MPF will answer."""
        mute = self._sense.tick(now)
        if mute:
            self._subscribe()
        return self._interview.tick(now) + mute

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return earliest(self._interview.deadline(), self._sense.deadline())

    def outgoing(self) -> bytes:
        """What is to be said to MPF now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    # --- lines -----------------------------------------------------------------------------------------

    def _take(self, line: bytes, at: int) -> _Hints:
        try:
            command = parse_line(line)
            rule = self._RULES.get(command.name)
            hints = rule(self, command.values, at) if rule else []
        except LineGarbled:
            if self._sense.heard and self._in_game:
                self._say(self._interview.begin(at, finding=False))
            return self._sense.reject(at)
        return self._sense.accept(at, known=rule is not None) + hints

    def _say(self, data: bytes) -> None:
        if not self._passive:
            self._out += data

    def _start_over(self) -> None:
        self._fresh, self._in_game, self._ball_runs, self._service = True, False, False, False
        self._ball_of.clear()
        self._interview = Interview(passive=self._passive)

    # --- commands --------------------------------------------------------------------------------------

    def _hello(self, values: Values, at: int) -> _Hints:
        name, version = values.get("controller_name"), values.get("controller_version")
        hints: _Hints = [h.LinkBroken(at=at, renewed=True)] if self._sense.heard else []
        self._start_over()
        self._subscribe()
        greeting = f"{name} {version}"[:80] if isinstance(name, str) and isinstance(version, str) else None
        return hints + self._sense.greet(at, greeting)

    def _subscribe(self) -> None:
        for category in CATEGORIES:
            self._say(format_line("monitor_start", category=category))
        for event in TRIGGERS:
            self._say(format_line("register_trigger", event=event))

    def _goodbye(self, _: Values, at: int) -> _Hints:
        return [h.GameGone(at=at, how="shutdown")]

    def _reset(self, _: Values, at: int) -> _Hints:
        """MPF's start-up waits for this answer (only its media controller is asked)."""
        self._say(format_line("reset_complete"))
        return self._restarted(at)

    def _mode_list(self, values: Values, at: int) -> _Hints:
        modes = values.get("running_modes")
        if not isinstance(modes, list):
            raise LineGarbled("no list of modes")
        names = {mode[0] for mode in modes if isinstance(mode, list) and mode and isinstance(mode[0], str)}
        self._in_game = "game" in names
        if not self._fresh:
            return []
        self._fresh = False
        if not self._in_game:
            return [h.NoGameFound(at=at)]
        self._ball_runs = "high_score" not in names
        self._say(self._interview.begin(at, finding=True))
        return [h.GameFound(at=at)]

    def _mode_start(self, values: Values, at: int) -> _Hints:
        mode = text_of(values, "name")
        if mode == "game":
            self._fresh, self._in_game, self._ball_runs, self._setting_up = False, True, False, False
            return [h.GameOpened(at=at)]
        if not self._in_game or self._ball_runs:
            return []
        # initials are taken when a game is ending; attract begins when it has ended, just before the game mode stops
        ends: dict[str, h.Hint] = {"high_score": h.ScoresFinal(at=at, again=True), "attract": h.GameOver(at=at)}
        return [ends[mode]] if mode in ends else []

    def _mode_stop(self, values: Values, at: int) -> _Hints:
        if text_of(values, "name") != "game":
            return []
        self._in_game = False
        return [h.GameGone(at=at, how="service" if self._service else "reset")]

    def _player_added(self, values: Values, at: int) -> _Hints:
        player = player_of(values, "player_num")
        again, self._setting_up = player == 1 and self._setting_up, True
        return [] if again else [h.PlayerJoined(at=at, player=player)]

    def _turn_start(self, values: Values, at: int) -> _Hints:
        player = player_of(values, "player_num")
        self._ball_runs, self._setting_up, self._warned = True, False, None
        self._interview.turn(player)
        return [h.PlayerUp(at=at, player=player, ball=self._ball_of.get(player))]

    def _ball_start(self, values: Values, at: int) -> _Hints:
        self._ball_runs, self._setting_up = True, False
        return [h.PlayerUp(at=at, player=player_of(values, "player_num"), ball=count_of(values, "ball"))]

    def _ball_end(self, _: Values, at: int) -> _Hints:
        self._ball_runs = False
        return [h.BallOver(at=at)]

    def _player_variable(self, values: Values, at: int) -> _Hints:
        """Absolute values; the old one and the change come along, so that a damaged line shows."""
        player, name = player_of(values, "player_num"), text_of(values, "name")
        if name == "ball":
            ball = whole(values.get("value"))
            if ball is not None:
                self._ball_of[player] = ball
        if name != "score":
            return []
        value, before, change = (values.get(key) for key in ("value", "prev_value", "change"))
        score, old, step = whole(value), whole(before), whole(change)
        if "prev_value" not in values or "change" not in values or isinstance(value, (str, list, dict)):
            raise LineGarbled("an incomplete score")
        if score is not None and old is not None and step is not None and step and old + step != score:
            raise LineGarbled("a score that does not add up")
        return [h.ScoreSeen(at=at, player=player, score=score, text=None if score is not None else str(value)[:40])]

    def _machine_variable(self, values: Values, at: int) -> _Hints:
        """`playerN_score` is set when a game ends. Without `change` it is a leftover, told to a new listener."""
        name = values.get("name")
        if not (isinstance(name, str) and name.startswith("player") and name.endswith("_score") and "change" in values):
            return []
        number, score = name[len("player") : -len("_score")], whole(values.get("value"))
        if not (number.isascii() and number.isdigit()) or len(number) > 2 or not 1 <= int(number) <= MOST_PLAYERS:
            return []
        return [] if score is None else [h.FinalScore(at=at, player=int(number), score=score)]

    def _answer(self, values: Values, at: int) -> _Hints:
        hints, question = self._interview.answer(values, at)
        self._say(question)
        return hints

    def _trigger(self, values: Values, at: int) -> _Hints:
        event = text_of(values, "name")
        if event == "ball_will_start":
            return self._ball_will_start(values, at)
        if event == "tilt_warning":
            left, again = whole(values.get("warnings_remaining")), values.get("warnings") == self._warned
            self._warned = values.get("warnings")
            if again and self._warned is not None:
                return []
            return [h.Trouble(at=at, fault="tilt-warning", detail=f"{left} left" if left is not None else None)]
        if event == "machine_reset_phase_3":
            return self._restarted(at)
        if event in {"service_mode_entered", "service_mode_exited"}:
            self._service = event == "service_mode_entered"
        return [make(at) for make in EVENTS.get(event, ())]

    def _ball_will_start(self, values: Values, at: int) -> _Hints:
        if "ball" not in values or "player" not in values:
            return []
        ball, left = count_of(values, "ball"), whole(values.get("balls_remaining"))
        balls = ball + left if left is not None and 0 <= left < 100 else None
        return [h.PlayerUp(at=at, player=player_of(values, "player"), ball=ball, balls=balls)]

    def _restarted(self, at: int) -> _Hints:
        self._in_game = False
        return [h.GameGone(at=at, how="service" if self._service else "reset")]

    _RULES: ClassVar[dict[str, Callable[["BcpDialect", Values, int], _Hints]]] = {
        "hello": _hello,
        "goodbye": _goodbye,
        "reset": _reset,
        "mode_list": _mode_list,
        "mode_start": _mode_start,
        "mode_stop": _mode_stop,
        "player_added": _player_added,
        "player_turn_start": _turn_start,
        "player_variable": _player_variable,
        "ball_start": _ball_start,
        "ball_end": _ball_end,
        "machine_variable": _machine_variable,
        "evaluate_placeholder": _answer,
        "trigger": _trigger,
    }
