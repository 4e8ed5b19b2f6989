"""Displays by wire through the whole pipeline: the same facts as by a dump, whatever the protocol and the cable do."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge.translate import translate
from capture.pipeline import Capture
from capture.signals import FaultCleared, FaultRaised, GameAborted, GameEnded, GameStarted, ScoreLive, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Dots, Opened
from hardware.ports.replay_dots import Dump
from hardware.sim import oracle
from hardware.sim.address import parse
from hardware.sim.speaker import open_speaker
from tests.capture import dot_wires as w

SHORT = "seed=3&calm=1&idle=20&players=1&balls=1&ball_seconds=10"
"""A machine whose first game lasts from 22 to 37 s."""
RECORDED = Path(__file__).parents[3] / "shared" / "data" / "displays" / "streams" / "avengers.txt.gz"
Replay = Callable[..., list[dict[str, Any]]]
Meddle = Callable[[int, bytes], bytes | None]
"""From the time and a write of the machine to what of it arrives; None: the cable is out."""


def encode(protocol: str, frames: list[tuple[int, np.ndarray]]) -> Iterator[tuple[int, bytes]]:
    """A recorded display as its protocol would have brought it."""
    if protocol == "dmd-extensions":
        yield frames[0][0], w.ext_size()
    repeated = None
    for at, dots in frames:
        while protocol == "dndp" and (repeated is None or at >= repeated + 1_000):
            repeated = at if repeated is None else repeated + 1_000
            yield repeated, w.dndp_size()
        if protocol == "dndp":
            yield at, w.dndp_frame(dots)
        elif protocol == "dmdreader":
            yield at, w.dmdreader(dots)
        elif protocol == "libdmdutil":
            yield at, w.libdmdutil(w.tinted(dots))
        else:
            yield at, w.ext_grey(dots)


def facts(lines: list[dict[str, Any]]) -> list[tuple[str, object]]:
    """What was said, without times, doubts and addresses."""
    kept = []
    for line in lines:
        scores = [(one["player"], one["score"], one["text"]) for one in line["body"].get("scores", [])]
        if line["kind"] not in {"score.live", "machine.attached"}:
            kept.append((line["kind"], [scores, line["body"].get("how")]))
    return kept


@pytest.fixture(scope="module")
def frames() -> list[tuple[int, np.ndarray]]:
    """Ten seconds of the recorded display, in which its game begins."""
    if not RECORDED.is_file():
        pytest.skip("the measured data do not lie beside the project")
    return [(frame.at, frame.levels) for frame in Dump(RECORDED) if 5_789_000 <= frame.at < 5_799_000]


@pytest.fixture(scope="module")
def told(frames: list[tuple[int, np.ndarray]]) -> list[tuple[str, object]]:
    """What its dump says, as `facts`."""
    capture = Capture(load_profile("dmd-128x32"))
    said = capture.feed(Opened(at=frames[0][0], port="dump"))
    for at, dots in frames:
        said += capture.feed(Dots(at=at, levels=dots.astype(np.float32) / 15))
    said += capture.feed(Closed(at=frames[-1][0], reason="ended", why="over"))
    printed = [translate(one, game="g" if hasattr(one, "game") else None) for one in said]
    return facts([{"kind": fact.kind, "body": fact.body} for fact in printed if fact is not None])


@pytest.mark.shared
@pytest.mark.parametrize("protocol", ["dndp", "dmdreader", "libdmdutil", "dmd-extensions"])
def test_a_recorded_display_says_the_same_by_wire_as_by_its_dump(
    protocol: str,
    frames: list[tuple[int, np.ndarray]],
    told: list[tuple[str, object]],
    tmp_path: Path,
    replayed: Replay,
):
    text = "".join(f"{at / 1000:.3f} < {data.hex()}\n" for at, data in encode(protocol, frames))
    (tmp_path / "wire.txt").write_text(text)
    assert facts(replayed(tmp_path / "wire.txt", profile=protocol)) == told
    assert [kind for kind, _ in told] == ["game.started", "game.aborted"]


def play(
    address: str, meddle: Meddle = lambda _, data: data, *, until: int = 52_000
) -> tuple[list[Signal], list[oracle.Event]]:
    """A simulated machine's games through capture, in simulated time."""
    setting = parse(address)
    life, speaker, capture = setting.live(), open_speaker(setting.setting), Capture(load_profile(setting.setting.kind))
    said, truth, now, plugged = capture.feed(Opened(at=0, port="wire")), list[oracle.Event](), 0, True

    def arrive(data: bytes) -> None:
        nonlocal plugged
        came = meddle(now, data)
        if came is None and plugged:
            said.extend(capture.feed(Closed(at=now, reason="unplugged", why="the cable is out")))
        if came is not None:
            greeting = [] if plugged else speaker.greet(now)
            said.extend([] if plugged else capture.feed(Opened(at=now, port="wire")))
            said.extend(signal for part in [*greeting, came] for signal in capture.feed(Chunk(at=now, data=part)))
        plugged = came is not None

    for data in speaker.greet(0):
        arrive(data)
    while now < until:
        due = (speaker.deadline(), now + life.wait(now), capture.next_deadline())
        now = max(now + 1, min(moment for moment in due if moment is not None))
        for event in life.advance(now):
            truth.append(event)
            for data in speaker.happen(event):
                arrive(data)
        for data in speaker.tick(now):
            arrive(data)
        said += capture.tick(now)
    return [signal for signal in said if not isinstance(signal, ScoreLive)], truth


def of(kind: type, signals: list[Signal]) -> list[Any]:
    return [signal for signal in signals if isinstance(signal, kind)]


@pytest.mark.parametrize("kind", ["dndp", "dmdreader", "libdmdutil", "dmd-extensions"])
def test_a_simulated_game_ends_once_with_its_true_score(kind: str):
    said, truth = play(f"sim://{kind}?{SHORT}")
    (game,) = list(oracle.finished(truth))
    (ended,) = of(GameEnded, said)
    assert tuple(score.score for score in ended.scores) == game.scores
    assert (ended.how, ended.source, len(of(GameStarted, said))) == ("normal", "wire", 1)
    assert ended.evidence
    assert not of(FaultRaised, said)


def test_a_cable_that_is_out_for_some_seconds_in_mid_game_costs_no_game():
    said, truth = play(f"sim://dndp?{SHORT}", lambda now, data: None if 24_500 < now < 28_500 else data)
    (game,) = list(oracle.finished(truth))
    (ended,) = of(GameEnded, said)
    assert tuple(score.score for score in ended.scores) == game.scores
    assert [one.fault for one in of(FaultRaised, said)] == ["port-lost"]
    assert [one.fault for one in of(FaultCleared, said)] == ["port-lost"]
    assert of(FaultRaised, said)[0].evidence
    kinds = [type(one).__name__ for one in said]
    assert (kinds.count("MachineAttached"), kinds.count("MachineDetached"), kinds.count("GameStarted")) == (2, 1, 1)


def test_a_cable_that_stays_out_loses_its_game_once_with_the_last_scores():
    said, truth = play(f"sim://dndp?{SHORT}", lambda now, data: None if now > 30_000 else data)
    (gone,) = of(GameAborted, said)
    before = {event.scores for event in truth if event.game and event.at <= 30_000}
    assert tuple(score.score for score in gone.scores) in before
    assert (gone.how, len(of(GameEnded, said))) == ("display-lost", 0)
    assert {one.fault for one in of(FaultRaised, said)} == {"port-lost"}


def test_pictures_that_are_damaged_on_their_way_make_no_wrong_score():
    chance = random.Random(4)  # noqa: S311 - the same noise each time

    def meddle(now: int, data: bytes) -> bytes:
        del now
        if chance.random() > 0.05:
            return data
        place = chance.randrange(len(data))
        return data[:place] + chance.randbytes(chance.randrange(1, 60)) + data[place + 20 :]

    said, truth = play(f"sim://dndp?{SHORT}", meddle)
    (game,) = list(oracle.finished(truth))
    (ended,) = of(GameEnded, said)
    assert all(score.score in {true, None} for score, true in zip(ended.scores, game.scores, strict=True))


def test_a_score_that_may_have_changed_while_nothing_was_seen_waits_for_an_official():
    """The cable is out from before the bonus until the display shows no score of that game any more."""
    said, truth = play(f"sim://dndp?{SHORT}", lambda now, data: None if 35_500 < now < 52_000 else data, until=56_000)
    (game,) = list(oracle.finished(truth))
    ends = [*of(GameEnded, said), *of(GameAborted, said)]
    assert all(score.score in {None, *game.scores} for one in ends for score in one.scores)
