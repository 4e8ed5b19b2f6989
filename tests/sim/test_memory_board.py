"""The simulated machine whose memory is read: its games come out of its memory as they truly were."""

import re

from capture.pipeline import Capture
from capture.signals import GameEnded, GameStarted
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Opened
from hardware.sim import oracle
from hardware.sim.course import Course
from hardware.sim.memory import OVER, MemoryBoard, Warts
from hardware.sim.oracle import Event
from hardware.sim.play import CALM, Habits


def test_the_reader_answers_as_the_real_one_does():
    board = MemoryBoard(Warts(busy=0, torn=0))
    said = board.hear(b"dump 169 1\ndump 0x1F8", 0)
    assert said == [b"0x00A9: 0x01 \r\n"]
    assert [line[:7] for line in board.hear(b" 16\r\n", 0)] == [b"0x01F8:", b"0x0200:"]
    assert board.hear(b"dump 0x7FF 99\n", 0) == [b"0x07FF: 0x00 \r\n"]
    assert board.hear(b"dump 70000 1\nhello\n", 0) == [b"> Enter Command\r\n"]
    assert board.hear(b"x" * 100_000, 0) == []


def test_the_flag_blinks_at_each_balls_end_and_the_memory_is_wiped_when_power_comes_back():
    board = MemoryBoard(Warts(busy=0, torn=0))

    def flag(at: int) -> bytes:
        return board.hear(b"dump %d 1\n" % OVER, at)[0][8:12]

    board.happen(Event(at=0, kind="game-started", game=1, players=1))
    assert flag(1) == b"0x00"
    board.happen(Event(at=5000, kind="ball-ended", game=1, player=1, ball=1))
    assert (flag(5010), flag(5100)) == (b"0xFF", b"0x00")
    board.happen(Event(at=9000, kind="power-lost", game=1))
    board.happen(Event(at=9500, kind="power-back"))
    assert board.deadline() == 11_000
    assert (flag(10_900), flag(11_000)) == (b"0x00", b"0x01")


def test_a_read_near_a_change_is_torn_now_and_then():
    board = MemoryBoard(Warts(busy=0, torn=1))
    board.happen(Event(at=0, kind="scored", game=1, player=1, scores=(199_990,)))
    board.happen(Event(at=100, kind="scored", game=1, player=1, scores=(200_000,)))
    row = re.compile(rb"0x0200: 0x00 0x00 0x00 (0x.. 0x.. 0x..)")
    torn, whole = (row.match(board.hear(b"dump 0x200 6\n", at)[0]) for at in (110, 900))
    assert torn
    assert whole
    assert torn[1] == b"0x20 0x99 0x90" or torn[1] == b"0x20 0x00 0x90"
    assert whole[1] == b"0x20 0x00 0x00"


def test_games_are_told_as_they_were():
    for seed in range(1, 3):
        events = play(seed)
        truth = [one.scores for one in oracle.finished(events)]
        said = listen(events)
        ended = [one for one in said if isinstance(one, GameEnded)]
        assert [tuple(score.score for score in one.scores) for one in ended] == truth
        assert sum(isinstance(one, GameStarted) for one in said) == len(truth)


def play(seed: int) -> list[Event]:
    """Two games without trouble, and the quiet after them."""
    habits = Habits(**{name: getattr(CALM, name) for name in CALM.__slots__} | {"ball_seconds": 3, "idle_seconds": 12})
    return [one for one in Course(habits, seed, first=1, waits=False).take(10**7) if one.game <= 2]


def listen(events: list[Event]) -> list[object]:
    """The board's life, heard by the capture that its profile makes."""
    board, capture = MemoryBoard(), Capture(load_profile("sim-memory"))
    said: list[object] = [*capture.feed(Opened(at=0, port="sim"))]
    now, left, end = 0, list(events), events[-1].at + 20_000
    while now < end:
        moments = [one for one in (capture.next_deadline(), board.deadline(), left[0].at if left else end) if one]
        now = max(now + 1, min([*moments, end]))
        while left and left[0].at <= now:
            board.happen(left.pop(0))
        board.tick(now)
        said += capture.tick(now)
        while out := capture.outgoing():
            for line in board.hear(out, now):
                said += capture.feed(Chunk(at=now, data=line))
    return said
