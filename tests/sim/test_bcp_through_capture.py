"""The simulated BCP machine, heard by the real capture over hundreds of games with faults: the truth comes out."""

import random
from dataclasses import dataclass, field

import pytest

from capture.pipeline import Capture
from capture.signals import BallEnded, FaultRaised, GameAborted, GameEnded, GameStarted, ScoreLive, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Opened
from hardware.sim.bcp import Program
from hardware.sim.course import Course
from hardware.sim.listener import Listener
from hardware.sim.oracle import Event, Finished, finished
from hardware.sim.play import Habits

FAULTY = Habits(
    ball_seconds=4,
    idle_seconds=20,
    tilt=0.1,
    tilt_warning=0.3,
    ball_search=0.1,
    extra_ball=0.15,
    early_start=0.3,
    slam_tilt=0.1,
    restart=0.1,
    service=0.08,
    power_cut=0.08,
)


@dataclass
class Conversation:
    """Capture and program, joined by a line that cuts where it likes; time is the machine's."""

    seed: int
    capture: Capture = field(default_factory=lambda: Capture(load_profile("mpf-bcp")))
    program: Program = field(default_factory=Program)
    listener: Listener | None = None
    said: list[Signal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311

    def play(self, events: list[Event]) -> None:
        self.connect(0)
        for event in events:
            self.pass_time(event.at)
            lines = self.program.happen(event)
            if event.kind == "power-lost":
                self.listener = None
                self.said += self.capture.feed(Closed(at=event.at, reason="eof", why="EOF"))
            elif event.kind == "power-back":
                self.connect(event.at)
            elif self.listener:
                self.hear(self.listener.tell(lines), event.at)

    def connect(self, at: int) -> None:
        self.listener = Listener(self.program)
        self.said += self.capture.feed(Opened(at=at, port="sim://bcp"))
        self.hear(self.listener.greet(), at)

    def hear(self, data: bytes, at: int) -> None:
        while data:
            cut = len(data) if self.chance.random() < 0.5 else self.chance.randint(1, len(data))
            self.said += self.capture.feed(Chunk(at=at, data=data[:cut]))
            data = data[cut:]
        self.answer(at)

    def answer(self, at: int) -> None:
        if (asked := self.capture.outgoing()) and self.listener:
            self.hear(self.listener.hear(asked), at)

    def pass_time(self, now: int) -> None:
        while (due := self.capture.next_deadline()) is not None and due <= now:
            self.said += self.capture.tick(due)
            self.answer(due)

    def of(self, *kinds: type[Signal]) -> list[Signal]:
        return [signal for signal in self.said if isinstance(signal, kinds)]


def life(seed: int, games: int) -> list[Event]:
    course = Course(FAULTY, seed)
    events: list[Event] = []
    while sum(1 for _ in finished(events)) < games:
        events += course.take(course.due() or 0)
    return [event for event in events if event.game <= games]


def scores_of(signal: GameEnded | GameAborted) -> tuple[int | None, ...]:
    return tuple(score.score for score in sorted(signal.scores, key=lambda score: score.player))


def expected(over: Finished) -> tuple[str, str, tuple[int, ...]]:
    aborted = {"service": "service", "power-lost": "link-lost"}
    if over.how in aborted:
        return ("aborted", aborted[over.how], over.scores)
    return ("ended", over.how, over.scores)


@pytest.mark.parametrize("seed", range(6))
def test_every_game_is_told_once_with_its_true_scores(seed: int):
    events = life(seed, 60)
    talk = Conversation(seed)
    talk.play(events)
    talk.pass_time(events[-1].at + 60_000)
    told = [
        ("ended" if isinstance(signal, GameEnded) else "aborted", signal.how, scores_of(signal))
        for signal in talk.of(GameEnded, GameAborted)
    ]
    assert told == [expected(over) for over in finished(events)]
    started = talk.of(GameStarted)
    assert len(started) == 60
    assert not any(signal.joined_late for signal in started)


@pytest.mark.parametrize("seed", range(3))
def test_each_turn_is_told_with_the_scores_after_its_bonus(seed: int):
    events = life(seed, 40)
    talk = Conversation(seed)
    talk.play(events)
    truth = [
        (event.player, event.ball, event.scores)
        for event, after in zip(events, [*events[1:], events[-1]], strict=True)
        if event.kind == "ball-ended" and not (after.kind == "ball-started" and after.detail == "extra")
    ]
    told = [(signal.player, signal.ball, scores_of(signal)) for signal in talk.of(BallEnded)]
    missing = [turn for turn in truth if turn not in told]
    assert missing == []


@pytest.mark.parametrize("seed", range(3))
def test_tilts_and_slam_tilts_are_raised_as_often_as_they_happened(seed: int):
    events = life(seed, 60)
    talk = Conversation(seed)
    talk.play(events)
    raised = [signal.fault for signal in talk.of(FaultRaised)]
    slams = {event.game for event in events if event.kind == "slam-tilt" and event.game}
    tilts = sum(1 for event in events if event.kind == "tilt" and event.game not in slams)
    tilts += sum(1 for event in events if event.kind == "tilt" and event.game in slams) - len(slams)
    assert raised.count("slam-tilt") == sum(1 for event in events if event.kind == "slam-tilt")
    assert raised.count("tilt") == tilts
    assert raised.count("ball-search") == sum(1 for event in events if event.kind == "ball-search-started")


def test_the_live_scores_are_the_true_ones_at_every_moment():
    events = life(1, 20)
    talk = Conversation(1)
    talk.connect(0)
    checked = 0
    for event in events:
        talk.pass_time(event.at)
        lines = talk.program.happen(event)
        if event.kind in {"power-lost", "power-back"}:
            break
        talk.hear(talk.listener.tell(lines), event.at)
        if event.kind == "scored":
            live: list[ScoreLive] = talk.capture.live()
            assert tuple(score.score for score in sorted(live, key=lambda score: score.player)) == event.scores
            checked += 1
    assert checked > 100
