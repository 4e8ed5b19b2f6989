"""Inlane's own line format, for makers and hobbyists, and lines of others by the patterns of their profile.

Here: framing, trust (`lines_sense`), what is asked, and which word leads where; docs/lines.md describes the format.
What a game is told by is `lines_story`, foreign lines are `lines_foreign`. Invariant: a damaged line changes nothing
but the count of garbage and, in a game, the trust in the scores.
"""

from collections.abc import Callable
from typing import ClassVar

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects import Setup
from capture.dialects.lines_foreign import Foreign
from capture.dialects.lines_grammar import LONGEST_LINE, MOST_PLAYERS, MOST_SCORE, Line, is_near, parse_line, state_of
from capture.dialects.lines_sense import Sense
from capture.dialects.lines_story import Story
from capture.errors import LineGarbled
from capture.framing import LineSplitter
from capture.states import StateFollower
from hardware.profile import MachineProfile

_Hints = list[h.Hint]

ASK_MS = 2_000
"""No question is asked again before this."""
QUESTIONS = b"HELLO?\nSTATE?\n"


def make(profile: MachineProfile, setup: Setup) -> "LinesDialect":
    """The dialect of a profile: our format, or that of its `[lines]` table."""
    return LinesDialect(profile, setup)


class LinesDialect:
    """One device's lines, one conversation after another."""

    def __init__(self, profile: MachineProfile, setup: Setup) -> None:
        self._profile = profile
        table = profile.lines
        self._foreign = Foreign(table) if table and table.foreign else None
        self._ask = f"{table.ask}\n".encode() if table and table.ask else b"" if self._foreign else QUESTIONS
        self._ask_ms = table.ask_ms if table else None
        self._splitter = LineSplitter(limit=LONGEST_LINE)
        self.sense = Sense(setup.device)
        """What can be counted of the line: senseless, unknown, doubled and lost lines."""
        self._story = Story(profile)
        self._follower = StateFollower(profile)
        self._tells = False
        """The device tells its events: its states are no more than a help."""
        self._out = bytearray()
        self._passive = True
        self._signs = False
        self._boot: str | None = None
        self._asked_at: int | None = None
        self._troubles: dict[str, set[str]] = {}
        """What speaks for each lasting fault."""

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins: the device is asked who it is and how things stand; it need not listen."""
        self._splitter.reset()
        self._out.clear()
        self._passive, self._signs, self._asked_at = passive, False, None
        self.sense.open(at, passive=passive)
        self._story.open()
        self._follower.open(at)
        self._question(at)

    def close(self) -> None:
        """The conversation is over: nothing is waited for."""
        self.sense.close()
        self._out.clear()

    def finish(self, at: int) -> _Hints:
        """No more will come in this conversation."""
        hints = self._story.finish(at)
        if not self._tells:
            hints += self._story.heed(self._follower.finish(at))
        self._story.broke(at)
        return hints

    def feed(self, data: bytes, at: int) -> _Hints:
        """Take bytes as they came, cut anywhere."""
        self.sense.bytes_came()
        hints = [hint for line in self._splitter.feed(data) for hint in self._take(line, at)]
        return hints + (self.sense.swamp(at) if self._splitter.overlong else [])

    def overhear(self, data: bytes) -> None:
        """What is said to a device changes nothing."""

    def tick(self, now: int) -> _Hints:
        """Time has passed."""
        hints = self.sense.tick(now) + self._story.tick(now)
        if not self._tells:
            hints += self._story.heed(self._follower.tick(now))
        if self._asked_at is not None and self._ask_ms and now >= self._asked_at + self._ask_ms:
            self._question(now, least=self._ask_ms)
        return hints

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        due = [self.sense.deadline(), self._story.deadline(), None if self._tells else self._follower.deadline()]
        if self._ask_ms and self._asked_at is not None and not self._passive:
            due.append(self._asked_at + self._ask_ms)
        return earliest(*due)

    def outgoing(self) -> bytes:
        """What is to be said to the device now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    # --- lines -----------------------------------------------------------------------------------------

    def _take(self, data: bytes, at: int) -> _Hints:
        if not data.strip():
            return []
        try:
            line = self._foreign.parse(data) if self._foreign else parse_line(data)
            hints = self._heed(line, at) if line else self.sense.accept(at, known=False)
        except LineGarbled:
            self._question(at)
            self._story.doubt()
            return self.sense.reject(at)
        return hints

    def _heed(self, line: Line, at: int) -> _Hints:
        if self._signs and not line.signed:
            raise LineGarbled("no checksum, though this device signs its lines")
        self._signs = line.signed
        rule = self._RULES.get(line.word)
        if rule is None:
            if not line.signed and is_near(line.word, self._RULES):
                raise LineGarbled("a damaged word")
            return self.sense.accept(at, known=False)
        named = self._hello(line, at) if line.word == "HELLO" else []
        counted = self.sense.count(line.sequence)
        if counted == "again":
            return named
        said = rule(self, line, at) if self.sense.trusted else []
        hints = named + self.sense.accept(at, known=True, ping=line.word == "PING", detail=_greeting(line))
        if counted in {"gap", "anew"}:
            self._question(at)
            self._story.doubt()
            hints.append(h.ScoresDoubted(at=at))
        return hints + said

    def _question(self, at: int, *, least: int = ASK_MS) -> None:
        if self._passive or not self._ask or (self._asked_at is not None and at < self._asked_at + least):
            return
        self._out[:] = self._ask  # what has not been sent yet is asked once
        self._asked_at = at

    def _hello(self, line: Line, at: int) -> _Hints:
        """Who the device is; `boot` is another number each time that it starts."""
        boot, before = line.values.get("boot"), self._boot
        self.sense.count_anew()
        hints = self.sense.greet(line.values.get("device"), at)
        if not self.sense.trusted:
            return hints
        self._boot = boot
        changed = any(isinstance(hint, h.LinkBroken) for hint in hints)
        if boot is not None and before is not None and boot != before and self.sense.heard:
            hints.append(h.LinkBroken(at=at, renewed=True))
            changed = True
        if changed:
            self._story.broke(at)
            self._follower.open(at)
            self._signs = False
        return hints

    def _lasting(self, fault: str, why: str, begins: bool, at: int) -> _Hints:  # noqa: FBT001 - what the line says
        """A fault that may have several reasons at once."""
        reasons = self._troubles.setdefault(fault, set())
        if begins:
            reasons.add(why)
            return [h.Trouble(at=at, fault=fault, detail=why)]
        reasons.discard(why)
        return [] if reasons else [h.Relief(at=at, fault=fault)]

    # --- words -----------------------------------------------------------------------------------------

    def _event(self, hints: _Hints) -> _Hints:
        self._tells = True
        return hints

    def _last_word(self, hints: _Hints, at: int) -> _Hints:
        """A device of states may say an end as well: what it shows after that is looked at anew."""
        if hints and not self._tells:
            self._follower.open(at)
        return hints

    def _score(self, line: Line, at: int) -> _Hints:
        player, score = line.number(0, 1, MOST_PLAYERS), line.number(1, 0, MOST_SCORE)
        line.takes(2)
        return self._event(self._story.score(player, score, at))

    def _ball(self, line: Line, at: int) -> _Hints:
        if line.plain != ("END",):
            raise LineGarbled("BALL END")
        return self._event(self._story.ball_over(at))

    def _end(self, line: Line, at: int) -> _Hints:
        line.takes(0)
        scores = line.scores()
        if not scores:
            raise LineGarbled("END without scores")
        return self._last_word(self._story.end(scores, line.value("game", 0, MOST_SCORE), at), at)

    def _over(self, line: Line, at: int) -> _Hints:
        line.takes(0)
        return self._last_word(self._story.over(at), at)

    def _abort(self, line: Line, at: int) -> _Hints:
        why = line.plain[0].lower() if line.plain else "reset"
        how = why if why in {"service", "restart", "shutdown"} else "reset"
        return self._last_word(self._story.abort(how, at), at)

    def _state(self, line: Line, at: int) -> _Hints:
        state = state_of(line, at)
        if self._tells:
            hints = [] if state.service is None else self._lasting("service-mode", "the menu", state.service, at)
            return hints + self._story.state(line, at, state=state, dwell=self._profile.dwell_ms)
        return self._story.heed(self._follower.see(state), state.number)

    def _warning(self, line: Line, at: int) -> _Hints:
        line.takes(0, 1)
        detail = f"warning {line.number(0, 0, 99)}" if line.plain else None
        return [h.Trouble(at=at, fault="tilt-warning", detail=detail)]

    def _search(self, line: Line, at: int) -> _Hints:
        begins = line.flag()
        return [h.Trouble(at=at, fault="ball-search")] if begins else [h.Relief(at=at, fault="ball-search")]

    _RULES: ClassVar[dict[str, Callable[["LinesDialect", Line, int], _Hints]]] = {
        "HELLO": lambda _self, line, _at: line.takes(0),
        "PING": lambda _self, line, _at: line.takes(0),
        "GAME": lambda self, line, at: line.takes(0) or self._event(self._story.begin(line, at)),
        "PLAYERS": lambda self, line, at: line.takes(1) or self._event(self._story.join(line, at)),
        "PLAYER": lambda self, line, at: self._event(self._story.turn(line, at)),
        "SCORE": _score,
        "BALL": _ball,
        "END": _end,
        "OVER": _over,
        "ABORT": _abort,
        "STATE": _state,
        "TILT": lambda _self, line, at: line.takes(0) or [h.Trouble(at=at, fault="tilt")],
        "SLAM": lambda _self, line, at: line.takes(0) or [h.Trouble(at=at, fault="slam-tilt")],
        "WARNING": _warning,
        "SEARCH": _search,
        "DOOR": lambda self, line, at: self._lasting("service-mode", "the coin door is open", line.flag(), at),
        "SERVICE": lambda self, line, at: self._lasting("service-mode", "the service menu", line.flag(), at),
        "POWER": lambda self, line, at: self._lasting("power-lost", "the power sense", not line.flag(), at),
        "DRAIN": lambda _self, line, at: line.takes(0) or [h.BallDrained(at=at)],
        "START": lambda _self, line, at: line.takes(0) or [h.StartPressed(at=at)],
        "CALL": lambda _self, line, at: line.takes(0) or [h.OfficialCalled(at=at)],
    }
    """What each word leads to; the others are counted and left alone."""


def _greeting(line: Line) -> str | None:
    """What a HELLO says of its device, for a person."""
    names = [line.values[key] for key in ("device", "machine", "version") if line.values.get(key)]
    return " ".join(names)[:80] or None
