"""A memory reader on the line: what is asked, when a sample counts, and what a machine's life in memory comes to."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from capture.pipeline import Capture
from capture.signals import (
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    MachineAttached,
    ScoreLive,
    Signal,
)
from hardware.catalog import load_profile
from hardware.maps.load import load_map
from hardware.ports.base import Chunk, Closed, Opened, Overheard
from hardware.profile import MachineProfile
from tests.hardware.memory_maps import dump, game_state, memory, write_map

ROWS = (0x30, 0xA0, 0x200, 0x720, 0x780)
"""The rows of a dump that the map needs."""


class Board:
    """A reader on a line, in simulated time: it answers what is asked, from the memory as it stands."""

    def __init__(self, profile: MachineProfile, *, passive: bool = False) -> None:
        self.capture = Capture(profile)
        self.cells = memory(over=1)
        self.asked: list[str] = []
        self.said: list[Signal] = []
        self.now = 0
        self.answer: Callable[[int, int], bytes] = self.told
        self.feed(Opened(at=0, port="test", passive=passive))

    def told(self, start: int, count: int) -> bytes:
        """The lines of one answer: they end at each 16th address."""
        lines = b""
        while count > 0:
            size = min(count, 16 - start % 16)
            lines += b"0x%04X: " % start + b" ".join(b"0x%02X" % cell for cell in self.cells[start : start + size])
            lines, start, count = lines + b" \r\n", start + size, count - size
        return lines

    def feed(self, event: Opened | Chunk | Closed | Overheard) -> None:
        """One event, and the answers to all that is asked because of it."""
        self.said += self.capture.feed(event)
        for _ in range(50):
            out = self.capture.outgoing()
            if not out:
                return
            for line in out.decode().splitlines():
                self.asked.append(line)
                word, start, count = line.split()
                assert word == "dump"
                self.said += self.capture.feed(Chunk(at=self.now, data=self.answer(int(start, 0), int(count))))
        raise AssertionError("it asks without an end")

    def run(self, ms: int) -> None:
        """So much time passes."""
        end = self.now + ms
        while (due := self.capture.next_deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.said += self.capture.tick(self.now)
            self.feed(Chunk(at=self.now, data=b""))
        self.now = end

    def play(self, steps: Iterable[tuple[bytes, int]]) -> None:
        """The memory stands so, for so long; and so on."""
        for cells, ms in steps:
            self.cells = cells
            self.run(ms)

    def of(self, kind: type[Signal]) -> list[Signal]:
        """What was said of this kind."""
        return [one for one in self.said if isinstance(one, kind)]

    def faults(self) -> list[str]:
        """The faults that were raised and not cleared."""
        open_: list[str] = []
        for one in self.said:
            if isinstance(one, FaultRaised):
                open_.append(one.fault)
            if isinstance(one, FaultCleared):
                open_.remove(one.fault)
        return open_


@pytest.fixture
def profile(tmp_path: Path) -> MachineProfile:
    """A profile of a map of our own."""
    base = load_profile("pinmame-map")
    assert base.memory
    return base.model_copy(update={"memory": base.memory.with_map(load_map(write_map(tmp_path, game_state())))})


@pytest.fixture
def board(profile: MachineProfile) -> Board:
    return Board(profile)


def game(score: int, ball: int = 1, **more: int) -> bytes:
    return memory(over=more.get("over", 0), ball=ball, scores=(score,))


def finals(board: Board) -> list[int | None]:
    return [one.scores[0].score for one in board.of(GameEnded)]


def test_little_is_asked_and_only_what_the_map_needs(board: Board):
    assert board.asked[:4] == ["dump 0x38 1", "dump 0xA8 6", "dump 0x200 16", "dump 0x726 1"]
    assert sum(int(line.split()[2]) for line in board.asked[:5]) == 25
    before = len(board.asked)
    board.run(10_000)
    assert 5 * 38 <= len(board.asked) - before <= 5 * 42


def test_a_game_is_told_once_with_its_score(board: Board):
    board.play([(game(0, over=1), 3000), (game(0), 2000)])
    board.play([(game(ball * 1000, ball), 2000) for ball in (1, 2, 3)])
    board.play([(game(3000, 3, over=1), 12_000)])
    assert len(board.of(GameStarted)) == 1
    assert finals(board) == [3000]
    assert [one.detail for one in board.of(MachineAttached)] == ["memory by tst_l1.map.json"]


def test_a_flag_that_blinks_at_each_ball_ends_nothing(board: Board):
    board.play([(game(0, over=1), 3000)])
    for ball, score in ((1, 9770), (2, 40_600), (3, 59_620)):
        board.play([(game(score, ball), 4000), (game(score, ball, over=255), 250 * ball)])
    board.play([(game(59_620, 3, over=1), 12_000)])
    assert len(board.of(GameStarted)) == 1
    assert finals(board) == [59_620]


def test_a_flag_that_blinks_in_attract_mode_begins_nothing(board: Board):
    for _ in range(17):
        board.play([(game(59_620, 0, over=1), 10_000), (game(59_620, 0), 250)])
    assert board.of(GameStarted) == []


def test_a_torn_read_is_read_again_and_never_said(board: Board):
    board.play([(game(0, over=1), 3000), (game(199_900), 3000)])
    torn = iter([bytes.fromhex("00209900"), bytes.fromhex("00100000")])

    def tear(start: int, count: int) -> bytes:
        part = next(torn, None) if start == 0x200 else None
        if part is None:
            return board.told(start, count)
        cells, board.cells = board.cells, board.cells[:0x200] + part + board.cells[0x204:]
        said = board.told(start, count)
        board.cells = cells
        return said

    board.answer = tear
    board.play([(game(200_000), 3000), (game(200_000, over=1), 12_000)])
    live = [one.score for one in board.capture.live() if isinstance(one, ScoreLive)]
    assert finals(board) == [200_000]
    assert board.faults() == []
    assert live == []


def test_a_remark_in_an_answer_or_half_an_answer_costs_one_poll(board: Board):
    board.play([(game(0, over=1), 3000), (game(5000), 3000)])
    for damaged in (b"> RAM BUSY_\r\n", b"0x0200: 0x00 0x00", b"0x0200: 0x00 0x00 0x99\r\n", b"", b"0x0208: 0x99\r\n"):
        answers = iter([damaged])
        board.answer = lambda start, count, answers=answers: next(answers, None) or board.told(start, count)
        board.run(4000)
    board.play([(game(5000, over=1), 12_000)])
    assert finals(board) == [5000]
    assert board.faults() == []


def test_silence_is_told_apart_from_another_device(board: Board, profile: MachineProfile):
    for said, fault in (
        (b"", "no-data"),
        (b"hello?version=1.1\n", "wrong-device"),
        (b"0x0000: 0x00\r\n", "wrong-device"),
    ):
        mute = Board(profile)
        mute.said.clear()
        mute.capture = Capture(profile)
        mute.answer = lambda _start, _count, said=said: said
        mute.feed(Opened(at=0, port="test"))
        mute.run(12_000)
        assert mute.faults() == [fault]
        assert mute.of(MachineAttached) == []
        mute.answer = mute.told
        mute.run(3000)
        assert mute.faults() == []
    assert board.faults() == []


def test_a_reader_that_falls_silent_in_a_game_loses_the_link_and_finds_the_game_again(board: Board):
    board.play([(game(0, over=1), 3000), (game(7000), 5000)])
    board.answer = lambda _start, _count: b""
    board.run(12_000)
    assert board.faults() == ["no-data"]
    board.answer = board.told
    board.play([(game(8000, 2), 5000), (game(8000, 3, over=1), 12_000)])
    assert board.faults() == []
    assert len(board.of(GameStarted)) == 1
    assert (finals(board), board.of(GameAborted)) == ([8000], [])


def test_senseless_lines_are_a_fault_once_and_over_with_the_next_sample(board: Board):
    board.run(3000)
    board.answer = lambda _start, _count: b"\xff\xfe rubbish\r\n" * 3
    board.run(5000)
    assert board.faults() == ["data-garbled"]
    board.answer = board.told
    board.run(3000)
    assert board.faults() == []


def test_a_gigabyte_without_a_line_end_costs_nothing(board: Board):
    board.run(1000)
    for _ in range(100):
        board.feed(Chunk(at=board.now, data=b"\xff" * (1 << 20)))
    assert board.faults() == ["data-garbled"]
    board.feed(Chunk(at=board.now, data=b"\n"))
    board.run(5000)
    assert board.faults() == []


def test_an_unlisted_revision_holds_every_score(profile: MachineProfile):
    assert profile.memory
    assert profile.memory.loaded
    table = profile.memory.with_map(profile.memory.loaded.of("tst_l9"))
    board = Board(profile.model_copy(update={"memory": table}))
    board.play([(game(0, over=1), 3000), (game(53_580), 3000), (game(53_580, 3, over=1), 12_000)])
    (ended,) = board.of(GameEnded)
    assert isinstance(ended, GameEnded)
    assert [(one.score, one.candidates) for one in ended.scores] == [(None, (53_580,))]
    (attached,) = board.of(MachineAttached)
    assert "unverified: revision 'tst_l9' is not among those" in (attached.detail or "")


@pytest.mark.parametrize("whole", [True, False])
def test_a_reader_that_tells_by_itself_is_heard(profile: MachineProfile, whole: object):
    """The whole memory, or the rows that are needed; it never answers a question."""
    board = Board(profile)
    board.said.clear()
    board.capture = Capture(profile)
    board.answer = lambda _start, _count: b""
    board.feed(Opened(at=0, port="test"))
    life = [(game(0, over=1), 12), (game(0), 8), (game(1230), 8), (game(4560, 2), 8), (game(7890, 3), 8)]
    for cells, often in [*life, (game(7890, 3, over=1), 48)]:
        for _ in range(often):
            board.run(250)
            text = dump(cells, rows=None if whole else ROWS)
            board.feed(Chunk(at=board.now, data=text[:777]))
            board.feed(Chunk(at=board.now, data=text[777:]))
    assert len(board.of(GameStarted)) == 1
    assert finals(board) == [7890]
    assert board.faults() == []


def test_a_sample_that_begins_in_the_middle_is_not_taken(profile: MachineProfile):
    board = Board(profile, passive=True)
    halves = dump(game(9999), rows=ROWS[2:]), dump(game(0, over=1), rows=ROWS[:2])
    board.feed(Chunk(at=0, data=b"".join(halves)))
    assert board.of(MachineAttached) == []
    board.feed(Chunk(at=10, data=dump(game(0, over=1), rows=ROWS[2:])))
    assert len(board.of(MachineAttached)) == 1
    assert board.asked == []


def test_what_somebody_else_asks_counts_as_he_would_take_it(profile: MachineProfile):
    """The recording of a reader that was asked: a torn read was read again, and is not taken here either."""
    board = Board(profile, passive=True)
    for at in range(0, 30_000, 250):
        cells = game(0, over=1) if at < 3000 else game(199_900) if at < 20_000 else game(200_000, 3, over=1)
        reads = [game(299_900), cells, cells] if at == 10_000 else [cells, cells]
        for one in reads:
            board.feed(Overheard(at=at, data=b"dump 0x38 1\n"))
            board.feed(Chunk(at=at, data=dump(one, rows=ROWS)))
    assert finals(board) == [200_000]
    assert [one.fault for one in board.said if isinstance(one, FaultRaised)] == []


def test_without_a_map_the_profile_says_what_it_needs():
    from capture.errors import SourceUnsupported  # noqa: PLC0415

    with pytest.raises(SourceUnsupported, match="needs a memory map: give --map FILE"):
        Capture(load_profile("pinmame-map"))
