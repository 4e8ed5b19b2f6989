"""Which of Mission Pinball Framework's events we ask for, and what each hints at.

Data, no state. Source: mpf 0.81.0, the events documented in modes/game, modes/tilt, core/ball_search and
core/service_controller. Invariant: an event that hints at something is asked for (tested).
"""

from collections.abc import Callable

from capture import hints as h

CATEGORIES = ("core_events", "modes", "player_vars", "machine_vars")
TRIGGERS = (
    "ball_will_start",
    "player_turn_ended",
    "game_will_end",
    "game_ended",
    "tilt_warning",
    "tilt",
    "tilt_clear",
    "slam_tilt",
    "ball_search_started",
    "ball_search_stopped",
    "ball_search_failed",
    "service_mode_entered",
    "service_mode_exited",
    "machine_reset_phase_3",
    "shutdown",
)


def _trouble(fault: str, detail: str | None = None) -> Callable[[int], h.Hint]:
    return lambda at: h.Trouble(at=at, fault=fault, detail=detail)


def _relief(fault: str) -> Callable[[int], h.Hint]:
    return lambda at: h.Relief(at=at, fault=fault)


EVENTS: dict[str, tuple[Callable[[int], h.Hint], ...]] = {
    "player_turn_ended": (lambda at: h.TurnOver(at=at),),
    "game_will_end": (lambda at: h.ScoresFinal(at=at, again=True),),
    "game_ended": (lambda at: h.GameOver(at=at),),
    "tilt": (_trouble("tilt"),),
    "tilt_clear": (_relief("tilt"), _relief("slam-tilt")),
    "slam_tilt": (_trouble("slam-tilt"),),
    "ball_search_started": (_trouble("ball-search"),),
    "ball_search_stopped": (_relief("ball-search"),),
    "ball_search_failed": (_relief("ball-search"), _trouble("ball-missing", "the machine gave its ball search up")),
    "service_mode_entered": (_trouble("service-mode"),),
    "service_mode_exited": (_relief("service-mode"),),
    "shutdown": (lambda at: h.GameGone(at=at, how="shutdown"),),
}
"""What MPF's events hint at; the others are no news for a score."""
