"""Warped Pinball Vector: a board that reads the machine's memory, heard by USB serial, HTTP or UDP; one dialect.

Here: who is asked what, and what each message leads to. Lines are `vector_lines`, identity `vector_seals`, games
`vector_games`. `ports.vector_http` and `ports.udp` bring the same lines as USB. Invariant: nothing counts that is not
known to be from the machine's own board. Sources: warped-pinball/vector dccf1ea, warpedpinball 0.5.0.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects import Setup
from capture.dialects.vector_games import Games
from capture.dialects.vector_lines import MOST_ID, PREFIX, Answer, Console, Push, parse_json, parse_line
from capture.dialects.vector_questions import FAULT, MACHINE_ID, NAME, STATUS, VERSION, Questions
from capture.dialects.vector_seals import Seals, Verdict
from capture.dialects.vector_sense import Sense
from capture.dialects.vector_status import Status, read_ending, read_status
from capture.dialects.vector_troubles import POWER, Troubles, read_faults
from capture.errors import LineGarbled
from capture.framing import LineSplitter
from hardware.profile import MachineProfile

_Hints = list[h.Hint]
MISSED = 3
"""So many questions in a row without an answer: the board is heard no more."""
FORGERIES = 5


def make(profile: MachineProfile, setup: Setup) -> "VectorDialect":
    """The dialect. `setup.device` is the board's machine_id, `setup.secret` what its datagrams are signed with."""
    return VectorDialect(profile, setup)


class VectorDialect:
    """One machine's board, one conversation after another."""

    def __init__(self, profile: MachineProfile, setup: Setup) -> None:
        self._splitter = LineSplitter()
        self._troubles = Troubles()
        self._sense = Sense(self._troubles)
        self._seals = Seals(setup.device, setup.secret)
        self._games = Games(profile)
        self._questions = Questions(needed=MACHINE_ID if setup.device else None)
        self._wanted = setup.device
        self._known = False
        """The board is the machine's own, as far as anybody asked."""
        self._out = bytearray()
        self._names: dict[str, str] = {}
        self._last: Status | None = None

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins: it may be with another board than the last."""
        self._splitter.reset()
        self._troubles.renew()
        self._sense.open(at, passive=passive)
        self._questions.open(at, passive=passive)
        self._games.open(at)
        self._out.clear()
        self._names.clear()
        self._known = self._wanted is None and not self._seals.confused
        self._ask(at)

    def close(self) -> None:
        """The conversation is over: no answer will come."""
        self._sense.close()
        self._questions.close()
        self._games.close()
        self._out.clear()

    def finish(self, at: int) -> _Hints:
        """No more will come in this conversation."""
        return self._games.finish(at)

    def feed(self, data: bytes, at: int) -> _Hints:
        """Take bytes as they came, cut anywhere."""
        self._sense.bytes_came()
        hints = [hint for line in self._splitter.feed(data) for hint in self._take(line, at)]
        if self._splitter.overlong:
            hints += self._sense.swamp(at)
        self._ask(at)
        return hints

    def overhear(self, data: bytes) -> None:
        """Take what somebody else asked: each answer names its question."""

    def tick(self, now: int) -> _Hints:
        """Time has passed."""
        missed = self._questions.tick(now)
        hints = self._lose(now) if missed and self._questions.missed >= MISSED else []
        hints += self._sense.tick(now) + self._games.tick(now)
        self._ask(now)
        return hints

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return earliest(self._questions.deadline(), self._sense.deadline(), self._games.deadline())

    def outgoing(self) -> bytes:
        """What is to be said to the board now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _ask(self, now: int) -> None:
        self._out += self._questions.outgoing(now)

    # --- lines -----------------------------------------------------------------------------------------

    def _take(self, line: bytes, at: int) -> _Hints:
        try:
            message = parse_line(line)
            match message:
                case Console():
                    return self._sense.console(at, ours=message.ours)
                case Answer():
                    return self._answer(message, at)
                case Push():
                    return self._push(message, at)
        except LineGarbled:
            if PREFIX in line:
                self._questions.spoiled(at)
            return self._sense.reject(at)

    def _answer(self, answer: Answer, at: int) -> _Hints:
        rule = self._ANSWERS.get(answer.route)
        if rule is None:  # somebody else's question
            return self._sense.accept(at)
        if answer.status != 200:
            self._questions.answered(answer.route, at)
            return self._refused(answer, at)
        hints = rule(self, answer.body, at)
        self._questions.answered(answer.route, at)
        return self._sense.accept(at) + hints

    def _push(self, push: Push, at: int) -> _Hints:
        verdict = self._seals.judge(push)
        if verdict is Verdict.FORGED:
            return self._forged(at)
        if verdict is Verdict.CONFUSED:
            return self._strange(at, f"two boards are heard, {self._seals.device} and {push.device}: {_SAY_WHICH}")
        if verdict is not Verdict.GOOD:
            return []
        self._known = True
        hints = self._sense.accept(at)
        rule = self._PUSHES.get(push.kind)
        return hints + (rule(self, push.data, at) if rule else [])

    # --- answers ---------------------------------------------------------------------------------------

    def _status(self, body: str, at: int) -> _Hints:
        status = read_status(parse_json(body))
        return self._see(status, at) if self._known else []

    def _see(self, status: Status, at: int) -> _Hints:
        hints = self._greet(at)
        before, self._last = self._last, status
        if before and before.active and status.active and before.scores != status.scores:
            hints += self._troubles.end(POWER, at)  # somebody plays: it has power by now
        if before and before.active != status.active:
            self._questions.hurry(FAULT, at)
        return hints + self._games.see(status, at, trusted=self._troubles.trusted)

    def _faults(self, body: str, at: int) -> _Hints:
        told = read_faults(parse_json(body))
        if told is None:
            raise LineGarbled("no list of faults")
        return self._troubles.board(told, at) if self._known else []

    def _machine_id(self, body: str, at: int) -> _Hints:
        told = parse_json(body)
        device = told.get("machine_id") if isinstance(told, dict) else None
        if not isinstance(device, str) or not 0 < len(device) <= MOST_ID:
            raise LineGarbled("no machine_id")
        self._names[MACHINE_ID] = device
        verdict = self._seals.name(device.lower())
        if verdict is Verdict.GOOD:
            self._known = True
            return self._troubles.end("identity", at)
        if verdict is Verdict.FOREIGN:
            return self._strange(at, f"the board is {device}, not {self._wanted}")
        return self._strange(at, f"the board is {device}, and before it was {self._seals.device}: {_SAY_WHICH}")

    def _version(self, body: str, _: int) -> _Hints:
        told = parse_json(body)
        version = told.get("version") if isinstance(told, dict) else None
        if isinstance(version, str):
            self._names[VERSION] = version[:20]
            self._questions.drop(VERSION)
        return []

    def _name(self, body: str, _: int) -> _Hints:
        """Plain text."""
        self._names[NAME] = "".join(c for c in body.strip().strip('"') if c.isprintable())[:40]
        return []

    def _refused(self, answer: Answer, at: int) -> _Hints:
        """It answers, but not this."""
        missing = answer.status == 404
        if missing:
            self._questions.drop(answer.route)
        if answer.route == MACHINE_ID and missing and self._wanted is not None:
            return self._strange(at, f"the board does not say its machine_id, so it cannot be known for {self._wanted}")
        if answer.route != STATUS:
            return []
        detail = f"{STATUS} is answered with {answer.status}"
        fault = "wrong-device" if missing and not self._sense.heard else "data-garbled"
        return self._troubles.begin("refused", fault, at, detail)

    # --- pushes ----------------------------------------------------------------------------------------

    def _game_state(self, data: Any, at: int) -> _Hints:  # noqa: ANN401 - any JSON
        status = read_status(data)
        return self._games.push(at) + self._see(status, at)

    def _end_of_game(self, data: Any, at: int) -> _Hints:  # noqa: ANN401 - any JSON
        ending = read_ending(data)
        return self._greet(at) + self._games.push(at) + self._games.over(ending, at)

    def _reset(self, _: Any, at: int) -> _Hints:  # noqa: ANN401 - any JSON
        self._questions.hurry(FAULT, at)
        return self._greet(at) + self._games.push(at) + self._games.reset(at)

    def _forged(self, at: int) -> _Hints:
        many = self._seals.dropped[Verdict.FORGED]
        if many % FORGERIES:
            return []
        fault = "data-garbled" if self._sense.heard else "wrong-device"
        detail = f"{many} datagrams were dropped: not signed with the secret that is configured"
        return self._troubles.begin("seal", fault, at, detail)

    # --- who is there ----------------------------------------------------------------------------------

    def _greet(self, at: int) -> _Hints:
        parts = (self._names.get(NAME), self._names.get(VERSION), self._seals.device)
        told = ", ".join(part for part in parts if part)
        return self._troubles.end("refused", at) + self._sense.greet(at, f"Vector: {told}" if told else "Vector")

    def _strange(self, at: int, detail: str) -> _Hints:
        """It is not the machine's board, or nobody can say: nothing of it counts."""
        self._known = False
        return self._troubles.begin("identity", "wrong-device", at, detail) + self._lose_game(at)

    def _lose(self, at: int) -> _Hints:
        """The port is open, but the board answers no more."""
        if not self._sense.heard:
            return []
        detail = f"the board has left {self._questions.missed} questions without an answer"
        return self._games.finish(at) + self._troubles.begin("silence", "link-lost", at, detail) + self._lose_game(at)

    def _lose_game(self, at: int) -> _Hints:
        if not self._sense.heard:
            return []
        self._sense.lose()
        self._games.open(at)
        return [h.LinkBroken(at=at)]

    _ANSWERS: ClassVar[dict[str, Callable[["VectorDialect", str, int], _Hints]]] = {
        STATUS: _status,
        FAULT: _faults,
        MACHINE_ID: _machine_id,
        VERSION: _version,
        NAME: _name,
    }
    _PUSHES: ClassVar[dict[str, Callable[["VectorDialect", Any, int], _Hints]]] = {
        "game_state": _game_state,
        "end_of_game": _end_of_game,
        "reset": _reset,
    }


_SAY_WHICH = "name the right one as the machine's device"
