"""True games, looked at now and then by a reader that errs: each game once, its finals right or held, none invented."""

from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from capture.signals import GameAborted, GameEnded, GameStarted
from capture.states import MachineState
from hardware.sim.oracle import Event, Finished, finished
from hardware.sim.play import Habits
from tests.capture.looked_at import Manners, life, looks
from tests.capture.sampled_watch import Watch, finals

PLAY = {
    "ball_seconds": 8,
    "idle_seconds": 20,
    "service": 0.0,
    "power_cut": 0.0,
    "ball_search": 0.0,
    "tilt": 0.1,
    "extra_ball": 0.1,
}
OFTEN = Habits(**PLAY, early_start=0.3, slam_tilt=0.1, restart=0.1)
SELDOM = Habits(**PLAY | {"ball_seconds": 30}, early_start=0.0, slam_tilt=0.0, restart=0.0)

MANNERS = st.builds(
    Manners,
    every_ms=st.sampled_from([100, 250, 250, 400, 700, 1000]),
    jitter=st.sampled_from([0.0, 0.3, 0.6]),
    early_flag=st.booleans(),
    initials_ball=st.sampled_from([None, 15]),
    leftover_ms=st.sampled_from([0, 200, 600, 1500]),
    counts=st.booleans(),
    flags=st.booleans(),
    blink=st.sampled_from([0.0, 0.005, 0.02]),
    nought=st.sampled_from([0.0, 0.01]),
    torn=st.sampled_from([0.0, 0.05, 0.2]),
)


def watch(events: list[Event], manners: Manners, seed: int, *, pushed: bool = False) -> Watch:
    reader = Watch(pushed=pushed)
    last = None
    for state in looks(events, manners, seed):
        assert state is not None
        changed = last is None or replace(state, at=0) != replace(last, at=0)
        if not pushed or changed:
            reader.see(state)
            last = state
    reader.wait(events[-1].at + 60_000)
    return reader


def check(truth: list[Finished], reader: Watch) -> None:
    told = reader.of(GameEnded, GameAborted)
    assert len(told) == len(reader.of(GameStarted)) == len(truth)
    for true, said in zip(truth, told, strict=True):
        scores = finals(said)
        assert len(scores) == len(true.scores)
        for ours, theirs in zip(scores, true.scores, strict=True):
            if isinstance(said, GameEnded):
                assert ours in {None, theirs}
            else:
                assert ours is None or ours <= theirs


@settings(max_examples=20, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
@given(MANNERS, st.integers(0, 10**6), st.booleans())
def test_each_game_is_told_once_and_right_or_held(manners: Manners, seed: int, pushed: bool):  # noqa: FBT001
    events = life(OFTEN, seed, 4)
    pushed = pushed and manners.every_ms <= 250  # a wrong state that is pushed stands until the next look
    check(list(finished(events)), watch(events, manners, seed, pushed=pushed))


@pytest.mark.parametrize("every_ms", [2000, 5000])
@pytest.mark.parametrize("seed", range(4))
def test_a_look_in_five_seconds_is_enough_for_a_whole_game(every_ms: int, seed: int):
    events = life(SELDOM, seed, 5)
    check(list(finished(events)), watch(events, Manners(every_ms=every_ms, jitter=0.2), seed))


@pytest.mark.parametrize("seed", range(3))
def test_a_calm_reader_holds_nothing(seed: int):
    events = life(SELDOM, seed, 6)
    reader = watch(events, Manners(leftover_ms=300), seed)
    assert [(one.how, finals(one)) for one in reader.of(GameEnded)] == [
        (one.how, list(one.scores)) for one in finished(events)
    ]


SMALL = st.one_of(st.none(), st.integers(-1, 5), st.sampled_from([15, 99, 10**9]))
SCORE = st.one_of(st.none(), st.sampled_from([0, 10, 500, 500, 99_990, 10**18, -5, 10**30]))
STATES = st.builds(
    MachineState,
    at=st.integers(0, 3000),
    playing=st.one_of(st.none(), st.booleans()),
    players=SMALL,
    player=SMALL,
    ball=SMALL,
    balls=SMALL,
    scores=st.lists(SCORE, max_size=6).map(tuple),
    finals=st.lists(SCORE, max_size=4).map(tuple),
    tilted=st.one_of(st.none(), st.booleans()),
    slam_tilted=st.one_of(st.none(), st.booleans()),
    warnings=SMALL,
    service=st.one_of(st.none(), st.booleans()),
    number=SMALL,
    verified=st.booleans(),
)


@settings(max_examples=40, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
@given(st.lists(st.tuples(STATES, st.integers(1, 6)), max_size=25), st.booleans(), st.sampled_from([0, 1000]))
def test_whatever_is_said_no_game_is_in_another_one(
    states: list[tuple[MachineState, int]],
    pushed: bool,  # noqa: FBT001
    dwell: int,
):
    """Times are steps here, each state is said a few times, and `at` may run backwards once in a while."""
    reader, at = Watch(pushed=pushed, dwell_ms=dwell), 0
    for state, times in states:
        for _ in range(times):
            at += state.at
            reader.see(replace(state, at=at if state.at != 7 else 0))
    reader.finish(at)
    running: str | None = None
    for signal in reader.of(GameStarted, GameEnded, GameAborted):
        assert (running is None) == isinstance(signal, GameStarted)
        assert running in {None, signal.game}
        running = signal.game if isinstance(signal, GameStarted) else None
    for ended in reader.of(GameEnded):
        assert all(one.score is None or 0 <= one.score <= 10**18 for one in ended.scores)
