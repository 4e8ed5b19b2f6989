"""Any bytes into every dialect: nothing but signals may come out, in time, and nothing may grow.

    python -m benchmarks.fuzz [--kinds bcp lines …] [--seconds N]

With atheris installed (PyPI, in an environment of its own) the bytes are led by coverage; without it they are mutations
of what the simulated machine says. Each input is a conversation: chunks, cuts, time that passes, in any order.
"""

import argparse
import importlib.util
import multiprocessing
import random
import sys
import time
import tracemalloc
from collections.abc import Callable

from capture.dialects import DIALECTS
from capture.pipeline import Capture
from hardware.ports.base import Chunk, Closed, Opened
from hardware.sim.address import WIRES, parse
from hardware.sim.course import Course
from hardware.sim.describe import profile_of
from hardware.sim.speaker import open_speaker

MOST_SECONDS = 2.0
"""One input may take so long: a chunk of 64 KiB takes a thousandth of it."""
MOST_GROWTH = 8 << 20
"""Bytes that a capture may hold after any input."""


def main() -> None:
    """Fuzz one kind after another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kinds", nargs="+", choices=WIRES, default=list(WIRES), metavar="KIND")
    parser.add_argument("--seconds", type=int, default=30, help="for each kind")
    chosen = parser.parse_args()
    led = importlib.util.find_spec("atheris") is not None
    for kind in chosen.kinds:
        if led:
            _led(kind, chosen.seconds)
        else:
            print(f"{kind}: {_mutated(kind, chosen.seconds):,} inputs, nothing raised, hung or grew", flush=True)


def converse(kind: str, data: bytes) -> None:
    """One conversation: the input's own bytes decide how it is cut. Raises whatever the capture raises."""
    capture = Capture(profile_of(f"sim://{kind}"))
    now, place = 0, 0
    capture.feed(Opened(at=now, port="fuzz", passive=len(data) % 2 == 1))
    while place < len(data):
        what, size = data[place], 1 + (data[place] & 0x3F) * 5
        place += 1
        now += (what >> 6) * 400
        if what == 0xFF:
            capture.feed(Closed(at=now, reason="eof", why="cut"))
            capture.feed(Opened(at=now, port="fuzz"))
            continue
        capture.feed(Chunk(at=now, data=data[place : place + size]))
        place += size
        capture.tick(now)
        capture.outgoing()
    capture.feed(Closed(at=now, reason="ended", why="over"))


def spoken(kind: str, seed: int) -> bytes:
    """What a simulated machine says in two games, asked as the capture asks."""
    address = parse(f"sim://{kind}?seed={seed}&ball_seconds=3&players=1-4")
    speaker, course = open_speaker(address.setting), Course(address.habits, seed)
    capture = Capture(profile_of(f"sim://{kind}"))
    capture.feed(Opened(at=0, port="fuzz"))
    said = b"".join(speaker.greet(0))
    capture.feed(Chunk(at=0, data=said))
    while len(said) < 200_000:
        due = course.due()
        if due is None or due > 120_000:
            break
        for event in course.take(due):
            heard = b"".join([*speaker.happen(event), *speaker.tick(event.at)])
            heard += b"".join(speaker.hear(capture.outgoing(), event.at))
            capture.feed(Chunk(at=event.at, data=heard))
            said += heard
    return said


def _mutated(kind: str, seconds: int) -> int:
    chance = random.Random(f"inlane/fuzz/{kind}")  # noqa: S311 -- repeatable, no secrets
    seeds = [spoken(kind, seed) for seed in range(1, 4)]
    ends, done = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        check(lambda: converse(kind, _mutate(chance.choice(seeds), chance)))
        done += 1
    return done


def check(work: Callable[[], None]) -> None:
    """Do it within the limits of time and memory."""
    tracemalloc.start()
    begun = time.perf_counter()
    try:
        work()
        assert time.perf_counter() - begun < MOST_SECONDS, "an input took too long"
        assert tracemalloc.get_traced_memory()[1] < MOST_GROWTH, "an input took too much memory"
    finally:
        tracemalloc.stop()


def _mutate(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(max(1, len(data)))
    part = bytearray(data[place : place + chance.choice((50, 500, 5_000))])
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(max(1, len(part)))
        what = chance.randrange(5)
        if what == 0:
            part[at : at + 1] = chance.randbytes(chance.choice((1, 2, 9)))
        elif what == 1:
            del part[at : at + chance.choice((1, 5, 50))]
        elif what == 2:
            part[at:at] = chance.choice(
                (b"\xff" * 300, b"\0", b"9" * 40, b"\n\n", b'{"a":' * 60, b"[" * 500, b"-1", b"1e999")
            )
        elif what == 3:
            part[at:at] = part[: chance.randrange(1, 200)]
        elif at < len(part):
            part[at] ^= 1 << chance.randrange(8)
    return bytes(part)


def _led(kind: str, seconds: int) -> None:
    """Atheris ends its process when the time is over or something was found: each kind has one of its own."""
    child = multiprocessing.get_context("fork").Process(target=_atheris, args=(kind, seconds))
    child.start()
    child.join()
    if child.exitcode:
        sys.exit(f"{kind}: something was found, see above")


def _atheris(kind: str, seconds: int) -> None:
    import atheris  # noqa: PLC0415 -- optional

    with atheris.instrument_imports(include=["capture.dialects", "capture.states", "capture.framing"]):
        importlib.import_module(DIALECTS[kind])
    limits = [f"-max_total_time={seconds}", "-max_len=4096", "-timeout=10", "-rss_limit_mb=2048"]
    atheris.Setup([sys.argv[0], *limits], lambda data: converse(kind, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
