"""Whole games over time: recorded and simulated displays through capture, as fast as they can be read.

    python -m benchmarks.stream [--kind dmd|segments|reels|lcd|lights] [--games N] [--seed S] [--with WHAT] [--dots]

Of simulated games: final scores right, held and wrong; values accepted wrongly; and of the changes that stayed on the
display for half a second, how many were seen. Of the recorded game beside the project (../shared/data): what was
accepted, whether it falls, and whether it agrees with the labelled frames. `--dots`: exact dots instead of pictures.
"""

import argparse
import csv
import sys
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from capture.pipeline import Capture
from capture.signals import GameAborted, GameEnded, GameStarted, ScoreLive, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Closed, Dots, Frame, Opened
from hardware.ports.replay_dots import DotsPort
from hardware.sim import oracle
from hardware.sim.address import parse
from hardware.sim.describe import corners_of, profile_of
from hardware.sim.dmd import Display
from hardware.sim.machine import Seen

RECORDED = Path(__file__).parents[2] / "shared" / "data" / "displays"
LASTS_MS, LATE_MS = 500, 1_500
"""A value that stands so long is to be seen, at the latest so long after it has gone."""
GAP_MS = 600
"""Pictures that are further apart do not show what stood between them."""
MOST_MS, AFTER_MS = 1_800_000, 60_000
"""A game lasts no longer, and is watched so long after its end."""


@dataclass
class Tally:
    """What came of the games of one kind."""

    games: int = 0
    told: int = 0
    right: int = 0
    held: int = 0
    wrong: int = 0
    changes: int = 0
    seen: int = 0
    accepted: int = 0
    false: int = 0
    pictures: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)


@dataclass
class Watched:
    """What was shown and what was said of it, with times."""

    shown: list[tuple[int, int, int]] = field(default_factory=list)
    """(time, player, number) of each picture on which a number stood."""
    live: list[tuple[int, int, int]] = field(default_factory=list)
    said: list[Signal] = field(default_factory=list)
    truth: list[oracle.Event] = field(default_factory=list)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", default="dmd", choices=("dmd", "segments", "reels", "lcd", "lights"))
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--with", dest="more", default="", help="parameters of the simulated machine: fps=10&blur=2")
    parser.add_argument("--dots", action="store_true", help="exact dots, not pictures")
    parser.add_argument("--recorded", action="store_true", help="the recorded game alone")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    if not chosen.recorded:
        tally = Tally()
        for seed in range(chosen.seed, chosen.seed + chosen.games):
            url = f"sim://{chosen.kind}?seed={seed}&idle=70&service=0&power_cut=0&restart=0&early_start=0&{chosen.more}".rstrip(
                "&"
            )
            count(watch(url, tally, dots=chosen.dots), tally, f"seed {seed}")
        show(chosen.kind, tally)
    if chosen.recorded or chosen.kind == "dmd":
        recorded()


def watch(url: str, tally: Tally, *, dots: bool) -> Watched:
    """One simulated game from attract mode to attract mode."""
    address = parse(url)
    life, watched = address.live(), Watched()
    seen = Seen(life, address.setting.seed, setting=address.setting)
    capture = Capture(profile_of(url), corners=None if dots else corners_of(url))
    advance = life.advance

    def note(now: int) -> list[oracle.Event]:
        events = advance(now)
        watched.truth += events
        return events

    life.advance = note  # type: ignore[method-assign]
    scored = _notice_scores(seen)
    started, wall, over = time.perf_counter(), 0, MOST_MS
    watched.said += capture.feed(Opened(at=0, port=url))
    while wall < over + AFTER_MS:
        wall += seen.wait(wall)
        image = seen.look(wall)
        now = max(life.machine_time(wall), seen.display.event.at)
        tally.pictures += 1
        if dots and isinstance(seen.display, Display):
            watched.said += capture.feed(Dots(at=wall, levels=seen.display.draw(now).astype(np.float32) / 15))
        elif image is not None:
            watched.said += capture.feed(Frame(at=wall, image=image))
        watched.said += capture.tick(wall)
        watched.live += [(wall, one.player, one.score) for one in capture.live() if one.accepted and one.score]
        if scored() and (isinstance(seen.display, Display) or over == MOST_MS):
            truth = seen.display.truth(now)
            watched.shown += [(wall, who, next(iter(values))) for who, values in truth.items() if len(values) == 1]
        if over == MOST_MS and any(event.kind == "game-ended" for event in watched.truth):
            over = wall
    watched.said += capture.feed(Closed(at=wall, reason="ended", why=""))
    life.close()
    tally.seconds += time.perf_counter() - started
    return watched


def _notice_scores(seen: Seen):  # noqa: ANN202 - a function
    """Whether the last picture shows the score screen of a running game."""
    face = seen.display
    drawn = [False]
    if not isinstance(face, Display):
        return lambda: bool(face.event.game)
    draw, scores = face._draw, face._draw_scores  # noqa: SLF001 - measured from inside

    def _draw(at: int):  # noqa: ANN202
        drawn[0] = False
        return draw(at)

    def _draw_scores(canvas: object, at: int) -> None:
        drawn[0] = True
        scores(canvas, at)  # type: ignore[arg-type]

    face._draw, face._draw_scores = _draw, _draw_scores  # type: ignore[method-assign]  # noqa: SLF001
    return lambda: drawn[0]


def count(watched: Watched, tally: Tally, name: str) -> None:
    """Compare what was said with the truth."""
    truth = next((one for one in oracle.finished(watched.truth)), None)
    tally.games += 1
    starts = [one for one in watched.said if isinstance(one, GameStarted)]
    ends = [one for one in watched.said if isinstance(one, GameEnded | GameAborted)]
    tally.told += len(starts) == len(ends) == 1
    if len(starts) != 1 or len(ends) != 1:
        tally.notes.append(f"{name}: {len(starts)} starts, {len(ends)} ends")
    if truth is not None and ends:
        told = {one.player: one for one in ends[-1].scores}
        for player, score in enumerate(truth.scores, 1):
            mine = told.get(player)
            value = mine.score if mine is not None and isinstance(ends[-1], GameEnded) else None
            tally.right += value == score
            tally.held += value is None
            tally.wrong += value is not None and value != score
            if value != score:
                tally.notes.append(f"{name}: player {player} has {score}, told {mine} {type(ends[-1]).__name__}")
        if len(told) > len(truth.scores):
            tally.notes.append(f"{name}: {len(told)} players told, {len(truth.scores)} played")
    _count_changes(watched, tally, name)


def _count_changes(watched: Watched, tally: Tally, name: str) -> None:
    possible = {(player, score) for event in watched.truth for player, score in enumerate(event.scores, 1)}
    possible |= {(player, number) for _, player, number in watched.shown}
    said = {(player, number) for _, player, number in watched.live}
    tally.accepted += len(said)
    for player, number in sorted(said - possible):
        tally.false += 1
        tally.notes.append(f"{name}: player {player}: {number} was accepted and never shown")
    for player in sorted({who for _, who, _ in watched.shown}):
        for change in _changes([(at, number) for at, who, number in watched.shown if who == player]):
            live = [(at, number) for at, who, number in watched.live if who == player]
            seen = any(change.start <= at <= change.stop + LATE_MS and number == change.number for at, number in live)
            tally.changes += 1
            tally.seen += seen
            if not seen:
                tally.notes.append(f"{name}: player {player}: {change} was not seen")


@dataclass
class Change:
    """A number and while it stood; `longest`: in one go, in milliseconds."""

    number: int
    start: int
    stop: int
    begun: int
    longest: int = 0

    def __str__(self) -> str:
        """For a person."""
        return f"{self.number:,} from {self.start / 1000:.1f} to {self.stop / 1000:.1f} s ({self.longest} ms)"


def _changes(shown: list[tuple[int, int]]) -> list[Change]:
    """The changes of one player's number that stood long enough in one go; nought, where games begin, is none."""
    found: list[Change] = []
    for at, number in shown:
        if not found or found[-1].number != number:
            found.append(Change(number=number, start=at, stop=at, begun=at))
            continue
        last = found[-1]
        if at - last.stop > GAP_MS:
            last.begun = at
        last.stop, last.longest = at, max(last.longest, at - last.begun)
    return [change for change in found if change.longest >= LASTS_MS and change.number]


def show(kind: str, tally: Tally) -> None:
    """Print one kind's figures."""
    for note in tally.notes:
        print("   ", note)
    print(
        f"{kind}: {tally.games} games, {tally.told} told once; final scores right {tally.right}, held {tally.held}, "
        f"wrong {tally.wrong}; changes seen {tally.seen} of {tally.changes}"
        f" ({100 * tally.seen / max(1, tally.changes):.1f} %); accepted {tally.accepted}, falsely {tally.false}; "
        f"{1000 * tally.seconds / max(1, tally.pictures):.1f} ms a picture"
    )


def recorded() -> None:
    """The recorded game: 0 false, 0 falls, and the labelled frames."""
    file = RECORDED / "streams" / "avengers.txt.gz"
    if not file.exists():
        print(f"the recorded game is not there: {file}", file=sys.stderr)
        return
    with (RECORDED / "dmd_frames" / "labels.csv").open(newline="") as labels:
        rows = [row for row in csv.DictReader(labels) if row["right_value"]]
    right = {int(row["file"][4:9]): int(row["right_value"]) for row in rows}
    capture, said, live = Capture(load_profile("dmd-128x32")), [], []
    started, frame = time.perf_counter(), -1
    port = DotsPort(file)
    port.look_through()
    for event in port.events():
        frame += isinstance(event, Dots)
        said += capture.feed(event)
        live += [(frame, one) for one in capture.live() if one.accepted]
    values: list[tuple[int, int]] = []
    for at, one in live:
        if isinstance(one, ScoreLive) and one.score is not None and (not values or values[-1][1] != one.score):
            values.append((at, one.score))
    falls = sum(b[1] < a[1] for a, b in pairwise(values))
    against = [
        (at, value, frame, label)
        for at, value in values for frame, label in right.items()
        if (frame <= at and label > value) or (frame > at and label < value)
    ]  # fmt: skip
    ends = [one for one in said if isinstance(one, GameEnded | GameAborted)]
    starts = [one for one in said if isinstance(one, GameStarted)]
    print(
        f"recorded game: {len(starts)} start, {len(ends)} end, last {values[-1][1] if values else None}; {len(values)}"
        f" values accepted, {falls} falls, {len(against)} against the labels; of {len(set(right.values()))} labelled "
        f"scores {len(set(right.values()) & {value for _, value in values})} accepted; "
        f"{time.perf_counter() - started:.0f} s"
    )


if __name__ == "__main__":
    main()
