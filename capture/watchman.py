"""What goes wrong beside the game's course, whatever its phase: sensors, and what one notices by watching a game.

Here: a ball that scores no more or ends too soon, odd scores, the official's button. Not here: which faults are open
(`faults`), beginnings and ends (`game`). Invariant: nothing here changes a score, holds it back or lets it count.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from capture import hints as h
from capture.faults import Faults
from capture.match import Match
from capture.signals import Signal
from hardware.profile import MachineProfile

STUCK_MS = 90_000
"""A ball that has scored and scores no more for so long is stuck or held, or its scoring is broken."""
STUCK_HOLDS = 10
"""And in no case before so many of the profile's holds: a display's last ball may stand for eight of them."""
MISSING_TIMES = 2
"""After so many times as long nobody believes that there is a ball."""
EARLY_MS = 15_000
"""A ball that ends so soon after it scored was in play."""
PRESSED_MS = 10_000
"""So long, a press of the start button may explain that a game ends or begins (it is held for a second or more)."""


class Watchman:
    """Watches one machine. Games are given as they run; `freeze` keeps the scores of the last one."""

    def __init__(self, profile: MachineProfile, faults: Faults, freeze: Callable[[int, str], list[Signal]]) -> None:
        self._usual = profile.usual
        self._stuck_ms = max(STUCK_MS, STUCK_HOLDS * profile.hold_ms)
        self._faults = faults
        self._freeze = freeze
        self._searches = False
        """The machine has a word of its own for a ball that it misses."""
        self._drains = False
        """Drains are told here."""
        self._pressed_at: int | None = None

    def take(self, hint: h.Hint, game: Match | None) -> list[Signal]:
        """Take what means the same in every phase; nothing follows from other hints. `game`: in which it happens."""
        rule = self.RULES.get(type(hint))
        return rule(self, hint, game) if rule else []

    def tick(self, now: int, game: Match | None) -> list[Signal]:
        """Time has passed in the game that is played."""
        quiet = None if game is None or game.scored_at is None else now - game.scored_at
        if quiet is None or quiet < self._stuck_ms:
            return []
        detail = f"no score for {quiet // 1000} s in a ball that had scored"
        said = self._faults.raise_("score-stuck", now, game, detail)
        if quiet >= MISSING_TIMES * self._stuck_ms and not self._searches:
            said += self._faults.raise_("ball-missing", now, game, detail)
        return said

    def deadline(self, game: Match | None) -> int | None:
        """When `tick` has something to do."""
        if game is None or game.scored_at is None:
            return None
        if "score-stuck" not in self._faults:
            return game.scored_at + self._stuck_ms
        said = self._searches or "ball-missing" in self._faults
        return None if said else game.scored_at + MISSING_TIMES * self._stuck_ms

    def see_score(self, game: Match, before: int | None, player: int, at: int) -> list[Signal]:
        """A player's score was taken; `before`: what counted until now."""
        score = game.board.value(player)
        if score is None or score == before:
            return []
        if before is not None and game.player is not None and not game.ball_over:
            game.scored_at = at
        said = [one for fault in ("ball-missing", "score-stuck") for one in self._faults.clear(fault, at, game)]
        if game.announced and self._usual and before is not None and score - before > self._usual.high:
            detail = f"player {player} went from {before} to {score} in one step: more than 99 of 100 whole games here"
            said += self._faults.raise_("score-jump", at, game, detail)
        return said

    def see_ball_end(self, game: Match, at: int) -> list[Signal]:
        """The ball ends: with scores just before, and no drain where drains are told, an official should look."""
        explained = game.drained or game.tilted or game.slammed or self.explain(at)
        if not self._drains or explained or not game.announced or game.scored_at is None:
            return []
        if at - game.scored_at > EARLY_MS:
            return []
        self._drains = False  # a drain switch that is broken is told once, and believed again when it is heard again
        detail = f"it ended {(at - game.scored_at) / 1000:.1f} s after it scored, and no ball had drained"
        return self._faults.raise_("ball-ended-early", at, game, detail)

    def see_finals(self, game: Match, at: int) -> list[Signal]:
        """Final scores far above what this machine's games end with: true ones are, once in a while."""
        if self._usual is None:
            return []
        far = [one for one in game.board.final() if one.score is not None and one.score > self._usual.high]
        told = ", ".join(f"player {one.player} has {one.score}" for one in far)
        detail = f"{told}; 99 of 100 games here end with {self._usual.high} or less"
        return self._faults.raise_("score-jump", at, game, detail) if far else []

    def explain(self, at: int) -> str:
        """What the start button explains at this moment; empty where it was not pressed of late."""
        if self._pressed_at is None or not 0 <= at - self._pressed_at <= PRESSED_MS:
            return ""
        return f", {(at - self._pressed_at) / 1000:.1f} s after the start button was pressed"

    # --- sensors -----------------------------------------------------------------------------------------

    def _drain(self, _: h.Hint, game: Match | None) -> list[Signal]:
        self._drains = True
        if game:
            game.drained = True
        return []

    def _press(self, hint: h.Hint, _: Match | None) -> list[Signal]:
        self._pressed_at = hint.at
        return []

    def _call(self, hint: h.Hint, game: Match | None) -> list[Signal]:
        """The official's button, also for the game that is just over."""
        again = "official-called" in self._faults
        said = self._faults.raise_("official-called", hint.at, game)
        return said if again or game else said + self._freeze(hint.at, "official-called")

    def _search(self, hint: h.Trouble, _: Match | None) -> list[Signal]:
        self._searches |= hint.fault == "ball-search"
        return []

    def _relief(self, hint: h.Relief, game: Match | None) -> list[Signal]:
        return self._faults.clear(hint.fault, hint.at, game)

    RULES: ClassVar[dict[type[h.Hint], Callable[[Any, Any, Match | None], list[Signal]]]] = {
        h.BallDrained: _drain,
        h.StartPressed: _press,
        h.OfficialCalled: _call,
        h.Trouble: _search,
        h.Relief: _relief,
    }
    """What is the watchman's in every phase; of trouble he only takes notice."""
