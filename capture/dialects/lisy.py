"""A tap on the wire from the host to a LISY or APC board: the displays of a machine that such a board drives.

Here: displays into states of the machine, the host's resets and silence, and whether the bytes make sense. Commands are
`lisy_commands`, cells `lisy_displays`, games the `StateFollower`'s business. The tap says nothing of players up,
tilts or game over: who plays shows in whose score rises, and a game in the ball's number. Invariant: nothing is ever
sent, and a display whose bytes were damaged shows nothing until it is written again.
"""

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects import Setup
from capture.dialects.lisy_commands import CHANGED, DISPLAYS, RESET, WATCHDOG, Command, Commands
from capture.dialects.lisy_displays import BLINK_MS, Display
from capture.states import MachineState, StateFollower
from hardware.profile import MachineProfile
from hardware.wires.lisy import LisyTable

_Hints = list[h.Hint]

SILENCE_MS = 5_000
"""A host asks for switches a hundred times a second: one that is silent for so long is off, or has crashed."""
POLLS = 10
"""So many polls and watchdogs make a host that is missed when it is silent."""
STRANGE = 30
"""So many more senseless bytes than commands are a fault; as many good ones more end it."""
RISES = 3
"""So many times in a row a score rises in a game alone."""
KNOWN = 5
"""So many good commands in a row make sense."""


def make(profile: MachineProfile, setup: Setup) -> "LisyDialect":
    """The dialect of a profile, by its `[lisy]` table. The protocol has no name of a device to compare."""
    del setup
    return LisyDialect(profile, profile.lisy or LisyTable())


class LisyDialect:
    """One tap, one conversation after another."""

    def __init__(self, profile: MachineProfile, table: LisyTable) -> None:
        self._table = table
        self._balls = profile.balls or 9
        self._commands = Commands(table)
        self._follower = StateFollower(profile, pushed=True)
        self._displays: dict[int, Display] = {}
        self._heard = self._troubled = self._silent = False
        self._known = self._strange = self._polls = 0
        self._last_at = 0
        self._resets = 0
        """Commands since a reset, while it may be one; 0: none."""
        self._shown: tuple[object, ...] = ()
        self._ball = self._ball_at = 0
        """The ball that is played, and since when one is."""
        self._grown = False
        """More play than on its first ball: damage, or attract mode that was not seen to begin."""
        self._most = 0
        """The most players that its game has shown: one whose display was damaged plays on."""
        self._begun = self._idle = False
        """Its game was seen to begin: a display that was not written since is dark."""

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins: nothing is known of any display."""
        del passive
        self._commands.reset()
        self._heard = self._silent = False
        self._known = self._strange = self._polls = self._resets = 0
        self._last_at = at
        self._forget(at)

    def close(self) -> None:
        """The conversation is over."""
        self._polls = 0

    def finish(self, at: int) -> _Hints:
        """No more will come in this conversation."""
        return self._follower.finish(at)

    def feed(self, data: bytes, at: int) -> _Hints:
        """Take bytes as they came, cut anywhere."""
        self._last_at = at
        hints: _Hints = []
        before = self._commands.skipped
        if self._silent and data:
            self._silent = False
            hints.append(h.Relief(at=at, fault="no-data"))
            self._shown = ()
        for command in self._commands.feed(data):
            hints += self._take(command, at)
        return hints + self._judge(self._commands.skipped - before, at) + self._look(at)

    def overhear(self, data: bytes) -> None:
        """The board's answers are not needed."""

    def tick(self, now: int) -> _Hints:
        """Time has passed: a display stayed dark, the host stayed silent."""
        hints: _Hints = []
        changed = [display for display in self._displays.values() if display.tick(now)]
        if changed:
            hints += self._look(now)
        hints += self._follower.tick(now)
        if self._polls >= POLLS and not self._silent and now >= self._last_at + SILENCE_MS:
            hints += self._miss(now)
        return hints

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        due = [display.deadline() for display in self._displays.values()]
        due.append(self._follower.deadline())
        if self._polls >= POLLS and not self._silent:
            due.append(self._last_at + SILENCE_MS)
        return earliest(*due)

    def outgoing(self) -> bytes:
        """Nothing: it is a tap."""
        return b""

    # --- commands --------------------------------------------------------------------------------------

    def _take(self, command: Command, at: int) -> _Hints:
        self._known = self._known + 1 if command.clear else 0
        self._strange = max(0, self._strange - 1)
        self._polls = min(POLLS, self._polls + (command.code in {CHANGED, WATCHDOG}))
        hints = self._greet(at) if self._known >= KNOWN else []
        if self._resets:  # a host that resets its board asks what it is at once, or resets again
            self._resets = 0
            if command.code == 0 and command.clear:
                hints += self._start_over(at)
        if command.code == RESET and command.clear:
            self._resets = 1
        if command.code in DISPLAYS:
            hints += self._show(command, at)
        return hints

    def _show(self, command: Command, at: int) -> _Hints:
        number = command.code - DISPLAYS.start
        display = self._displays.get(number)
        if display is None:
            fixed = self._table.encoding != "auto"
            display = Display(encoding=self._table.encoding if fixed else None, fixed=fixed)
            self._displays[number] = display
        if not command.clear:
            display.forget()
            return []
        running = self._ball > 0 and at > self._ball_at + BLINK_MS
        may_blink = running and number != self._table.status
        known = display.show(command.data, at, self._way(), may_blink=may_blink)
        if (way := self._way()) is not None:
            for other in self._displays.values():
                other.learn(way)
        if not known or display.text is None:
            return []
        return self._greet(at) + self._look(at)

    def _way(self) -> str | None:
        """How all displays are written whose writing is known."""
        ways = {display.encoding for display in self._displays.values() if display.encoding}
        return ways.pop() if len(ways) == 1 else None

    def _look(self, at: int) -> _Hints:
        """What all displays show together, where it has changed."""
        table = self._table
        texts = [self._text(number) for number in table.players]
        status = self._text(table.status)
        if not self._heard or (not self._shown and all(text is None for text in texts)):
            return []
        if (status is None or not table.ball) and not self._rising():
            return []  # without the ball, what attract mode shows cannot be told from a game
        ball, credit = self._part(status, table.ball), self._part(status, table.credits)
        if ball is not None and ball > self._balls:
            ball = 0  # a match
        windows = [self._displays.get(number) for number in table.players]
        numbers = [None if display is None else display.number for display in windows]
        self._follow(ball, numbers[0], at)
        if ball:  # what is put out as the game begins shows no score of it
            numbers = [
                None if self._put_out(display) else number for display, number in zip(windows, numbers, strict=True)
            ]
        players = self._players(texts) if ball else None
        self._grown |= 0 < self._most < (players or 0) and (ball or 0) > 1
        self._most = max(self._most, players or 0)
        shown = (*numbers, ball, credit, players)
        if shown == self._shown:
            return []
        self._shown = shown
        alone = self._most == players == 1 and (ball or 0) > 1  # on the first ball others may still join
        state = MachineState(
            at=at,
            playing=True if ball is None and table.ball else None,  # scores have risen again and again, see above
            players=players,
            player=1 if alone else None,
            ball=ball,
            scores=tuple(None if number is None else number * 10**table.zeros for number in numbers),
            credits=credit,
            verified=self._whole(texts),
        )
        # a display is written whole: what it shows needs no second look to be believed
        return self._follower.see(state) + self._follower.see(state)

    def _follow(self, ball: int | None, first: int | None, at: int) -> None:
        """A ball is played or not; `first` is the first player's score."""
        if ball and not self._ball:
            self._ball_at, self._most, self._grown = at, 0, False
            self._begun = self._idle or (ball == 1 and first == 0)
        self._ball, self._idle = ball or 0, ball == 0

    def _players(self, texts: list[str | None]) -> int | None:
        """As many as have a lit display; None where that cannot be told: one is unknown, or its noughts may be dark."""
        if any(text is None for text in texts) and not self._begun:
            return None
        if any(self._put_out(display) for display in self._displays.values()):
            return None
        noughts = any(text and len(text) > 2 and not text.strip("0") for text in texts)
        lit = [player for player, text in enumerate(texts, start=1) if text and text.strip()]
        return None if noughts or not lit else lit[-1]

    def _put_out(self, display: Display | None) -> bool:
        """It turned dark as the game began and may stay so; one that turns dark later blinks."""
        since = display.dark_since if display is not None else None
        return since is not None and since <= self._ball_at + BLINK_MS // 3

    def _whole(self, texts: list[str | None]) -> bool:
        """All that plays is known: else a player may be missing, or attract mode's first number be among the scores."""
        return bool(self._table.ball) and not self._grown and (self._begun or None not in texts)

    def _rising(self) -> bool:
        """A score has risen again and again: attract mode does not do that."""
        return any(display.rises >= RISES for display in self._displays.values())

    def _part(self, status: str | None, cells: tuple[int, ...]) -> int | None:
        """A number on the status display: 0 where it is dark, or stands for a match."""
        if status is None or not cells:
            return None
        text = status[cells[0] - 1 : cells[1]].strip()
        return int(text) if text.isascii() and text.isdecimal() else 0

    def _text(self, number: int) -> str | None:
        display = self._displays.get(number)
        return display.text if display is not None else None

    # --- sense -----------------------------------------------------------------------------------------

    def _greet(self, at: int) -> _Hints:
        if self._heard:
            return []
        self._heard = True
        return [*(h.Relief(at=at, fault=fault) for fault in ("no-data", "wrong-device")), h.Heard(at=at)]

    def _judge(self, skipped: int, at: int) -> _Hints:
        """Bytes that fit nowhere: a display may have been among them."""
        if not skipped:
            if self._troubled and not self._strange:
                self._troubled = False
                return [h.Relief(at=at, fault="data-garbled")]
            return []
        self._known = 0
        self._strange = min(2 * STRANGE, self._strange + skipped)
        for display in self._displays.values():
            display.stale = True
        hints: _Hints = [h.ScoresDoubted(at=at)] if self._heard else []
        if self._strange >= STRANGE and not self._troubled:
            self._troubled = True
            detail = f"{self._commands.skipped} bytes without sense so far: the speed, or the wire from board to host?"
            hints.append(h.Trouble(at=at, fault="data-garbled" if self._heard else "wrong-device", detail=detail))
        return hints

    def _start_over(self, at: int) -> _Hints:
        """The host program has started anew, and with it the machine."""
        self._forget(at)
        return [h.GameGone(at=at, how="reset")]

    def _miss(self, now: int) -> _Hints:
        self._silent, self._polls = True, 0
        last = self._follower.finish(now)
        self._follower.open(now)
        detail = f"the host has said nothing for {SILENCE_MS // 1000} s: the machine is off, or its program has stopped"
        return [*last, h.Trouble(at=now, fault="no-data", detail=detail), h.LinkBroken(at=now)]

    def _forget(self, at: int) -> None:
        self._follower.open(at)
        for display in self._displays.values():
            display.forget()
        self._shown, self._ball, self._begun, self._idle = (), 0, False, False
