"""Asking a running Mission Pinball Framework what we missed, one question at a time.

`evaluate_placeholder` answers do not say what they answer (mpf 0.81.0, bcp_interface.py), so one question is in flight
at a time; in a recording the questions that were asked then are taken instead. Invariant: an answer is never given to
a question it may not belong to: after a silence nothing more is asked or believed in this conversation.
"""

import re
from collections import deque

from capture.dialects.bcp_lines import MOST_PLAYERS, Value, Values, format_line, parse_line, whole
from capture.errors import LineGarbled
from capture.hints import FindingDone, Hint, PlayersFound, PlayerUp, ScoreSeen, Trouble

PATIENCE_MS = 2_000
"""So long we wait for an answer; in a recording, for the next question."""
MOST_PATIENCE_MS = 10_000
"""So long, from the first, a game that was found may stay unsaid."""

_TILTS = {"game.slam_tilted": "slam-tilt", "game.tilted": "tilt"}
_SCORE = re.compile(r"players\[(\d{1,2})\]\.score\Z")


class Interview:
    """The questions of one conversation."""

    def __init__(self, *, passive: bool) -> None:
        self._passive = passive
        self._waiting: deque[str] = deque()
        self._in_flight: deque[str] = deque()
        self._begun_at = self._asked_at = 0
        self._silent = False
        self._finding = False
        self._player: int | None = None
        self._unowned: int | None = None
        """The score of whoever is up, told before we know who that is."""
        self._players: int | None = None
        self._ball_told = False
        self._told: set[int] = set()
        """Players whose scores were told."""

    def begin(self, at: int, *, finding: bool) -> bytes:
        """Ask for the whole state of the game; return what to send. `finding`: `FindingDone` is to be said after."""
        self._finding = self._finding or finding
        if self._passive and finding:
            self._begun_at = self._asked_at = at
        if self._passive or self._silent or self._in_flight or self._waiting:
            return b""
        self._waiting.extend(
            ("game.num_players", "current_player.number", "current_player.ball", "game.balls_per_game")
        )
        if finding:
            self._waiting.extend(("game.slam_tilted", "game.tilted"))
        return self._ask(at)

    def overhear(self, line: bytes) -> None:
        """A line that somebody said to the machine: perhaps a question."""
        try:
            command = parse_line(line)
        except LineGarbled:
            return
        placeholder = command.values.get("placeholder")
        if command.name == "evaluate_placeholder" and isinstance(placeholder, str) and len(self._in_flight) < 100:
            self._in_flight.append(placeholder)

    def answer(self, values: Values, at: int) -> tuple[list[Hint], bytes]:
        """Take an answer; return what it means and the next question."""
        if not self._in_flight:
            return [], b""
        question = self._in_flight.popleft()
        value = values.get("value") if values.get("error") in {False, None} else None
        hints = self._understand(question, value, at)
        if self._passive:
            self._asked_at = min(at, self._begun_at + MOST_PATIENCE_MS - PATIENCE_MS)
            return hints + self._end_early(at), b""
        sent = self._ask(at)
        if not sent and self._finding:
            self._finding = False
            hints.append(FindingDone(at=at))
        return hints, sent

    def turn(self, player: int) -> None:
        """Somebody else is up: a score told before is not theirs."""
        self._player, self._unowned = player, None

    def tick(self, now: int) -> list[Hint]:
        """Give up on what is not answered."""
        due = self.deadline()
        if due is None or now < due:
            return []
        if not self._passive:
            self._silent = True
            self._in_flight.clear()
            self._waiting.clear()
        if not self._finding:
            return []
        self._finding = False
        return [FindingDone(at=now)]

    def deadline(self) -> int | None:
        """When `tick` gives up."""
        waits = self._finding if self._passive else bool(self._in_flight)
        return self._asked_at + PATIENCE_MS if waits else None

    def _ask(self, at: int) -> bytes:
        if not self._waiting:
            return b""
        question = self._waiting.popleft()
        self._in_flight.append(question)
        self._asked_at = at
        return format_line("evaluate_placeholder", placeholder=question)

    def _understand(self, question: str, value: Value, at: int) -> list[Hint]:
        if question in _TILTS:
            return [Trouble(at=at, fault=_TILTS[question], detail="before we listened")] if value is True else []
        number = whole(value)
        if number is None:
            return []
        if question == "current_player.score":
            self._unowned = number
            return self._own(at)
        if found := _SCORE.match(question):
            player = int(found[1]) + 1
            return self._score(at, player, number) if player <= MOST_PLAYERS else []
        if question == "game.num_players" and 1 <= number <= MOST_PLAYERS:
            if not self._passive:
                self._waiting.extendleft(f"players[{slot}].score" for slot in reversed(range(number)))
            self._players = number
            return [PlayersFound(at=at, players=number)]
        if question == "current_player.number" and 1 <= number <= MOST_PLAYERS:
            self._player = number
            return [PlayerUp(at=at, player=number), *self._own(at)]
        if question == "current_player.ball" and self._player and number >= 1:
            self._ball_told = True
            return [PlayerUp(at=at, player=self._player, ball=number)]
        if question == "game.balls_per_game" and number >= 1:
            return [PlayerUp(at=at, balls=number)]
        return []

    def _own(self, at: int) -> list[Hint]:
        """The score of whoever is up, once we know who that is."""
        if self._player is None or self._unowned is None:
            return []
        score, self._unowned = self._unowned, None
        return self._score(at, self._player, score)

    def _score(self, at: int, player: int, score: int) -> list[Hint]:
        self._told.add(player)
        return [ScoreSeen(at=at, player=player, score=score)]

    def _end_early(self, at: int) -> list[Hint]:
        """Nobody knows what else will be asked in a recording, but who plays, what ball and all scores are enough."""
        known = self._players is not None and self._ball_told and self._told >= set(range(1, self._players + 1))
        if not (self._finding and known):
            return []
        self._finding = False
        return [FindingDone(at=at)]
