"""What a display by wire costs: microseconds to understand one picture, and the share of a core of a whole machine.

    python -m benchmarks.dot_streams [--seconds 120]

Pictures and games are the simulated machines' own, in simulated time; drawing them is not counted.
"""

import argparse
import time

from capture.dialects import open_dialect
from capture.pipeline import Capture
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Opened
from hardware.sim.address import DOTS, parse
from hardware.sim.speaker import open_speaker


def writes(kind: str, colour: str, until: int) -> list[tuple[int, bytes]]:
    """All that a simulated machine writes in so many milliseconds."""
    address = parse(f"sim://{kind}?seed=6&calm=1&idle=10&players=1-2&balls=2&ball_seconds=15{colour}")
    life, speaker = address.live(), open_speaker(address.setting)
    now, written = 0, [(0, data) for data in speaker.greet(0)]
    while now < until:
        due = [moment for moment in (speaker.deadline(), now + life.wait(now)) if moment is not None]
        now = max(now + 1, min(due))
        for event in life.advance(now):
            written += [(now, data) for data in speaker.happen(event)]
        written += [(now, data) for data in speaker.tick(now)]
    return written


def measure(kind: str, colour: str, seconds: int) -> None:
    """Print one line."""
    profile, written = load_profile(kind), writes(kind, colour, seconds * 1000)
    dialect = open_dialect(profile)
    dialect.open(0, passive=True)
    start = time.process_time()
    for at, data in written:
        dialect.feed(data, at)
    each = (time.process_time() - start) / len(written)
    capture = Capture(profile)
    capture.feed(Opened(at=0, port="benchmark", passive=True))
    start = time.process_time()
    for at, data in written:
        capture.feed(Chunk(at=at, data=data))
    share = (time.process_time() - start) / seconds
    size = max(len(data) for _, data in written)
    rate = len(written) / seconds
    told = f"{rate:6.1f} writes/s of {size:6} bytes {each * 1e6:7.0f} us each {share:7.1%} of a core"
    print(f"{kind:15} {colour[8:]:5} {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=120, help="of simulated time a machine")
    seconds = parser.parse_args().seconds
    for kind in DOTS:
        measure(kind, "", seconds)
        if kind != "dmdreader":
            measure(kind, "&colour=full", seconds)


if __name__ == "__main__":
    main()
