"""From a byte on a serial line (a pseudo-terminal) to the signal that capture makes of it, and what a flood costs.

python -m benchmarks.serial_latency [--lines N] [--megabytes N]
"""

import argparse
import asyncio
import os
import resource
import threading
import time
import tty
from contextlib import aclosing

from capture.pipeline import Capture
from hardware.catalog import load_profile
from hardware.ports.base import Chunk
from hardware.ports.serial import SerialPort
from hardware.ports.serial_address import parse_address

PACE_S = 0.004
"""Between two lines: none waits for another."""


def now() -> int:
    return time.monotonic_ns() // 1_000_000


async def latency(lines: int) -> list[float]:
    """Milliseconds from the write of each score's line to the signals that follow from it."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    capture = Capture(load_profile("lines"))
    capture_done: list[float] = []
    sent: list[int] = []

    def speak() -> None:
        os.write(ours, b"GAME players=1 game=1\nPLAYER 1 BALL 1\n")
        for score in range(1, lines + 1):
            time.sleep(PACE_S)
            sent.append(time.monotonic_ns())
            os.write(ours, b"SCORE 1 %d\n" % (score * 10))

    speaker = threading.Thread(target=speak)
    async with (
        SerialPort(parse_address(f"serial://{os.ttyname(theirs)}"), now=now) as port,
        aclosing(aiter(port)) as events,
    ):
        speaker.start()
        before = 0
        async for event in events:
            capture.feed(event)
            if isinstance(event, Chunk) and (live := capture.live()) and live[0].score:
                done = time.monotonic_ns()
                newest = live[0].score // 10
                capture_done += [(done - at) / 1e6 for at in sent[before:newest]]
                before = newest
                if newest >= lines:
                    break
    speaker.join()
    os.close(ours)
    os.close(theirs)
    return capture_done


async def flood(megabytes: int) -> tuple[float, float, int]:
    """Seconds of wall and processor time for so many bytes without a line end, and how much the memory grew (KB)."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    capture = Capture(load_profile("lines"))
    size = megabytes * 2**20

    def speak() -> None:
        left = size
        while left:
            left -= os.write(ours, b"\xff" * min(left, 4096))

    speaker = threading.Thread(target=speak)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, used, got = time.monotonic(), time.process_time(), 0
    async with (
        SerialPort(parse_address(f"serial://{os.ttyname(theirs)}"), now=now) as port,
        aclosing(aiter(port)) as events,
    ):
        speaker.start()
        async for event in events:
            capture.feed(event)
            got += len(event.data) if isinstance(event, Chunk) else 0
            if got >= size:
                break
    speaker.join()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - grown
    os.close(ours)
    os.close(theirs)
    return time.monotonic() - wall, time.process_time() - used, grown


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lines", type=int, default=5_000)
    parser.add_argument("--megabytes", type=int, default=1024)
    arguments = parser.parse_args()
    took = sorted(asyncio.run(latency(arguments.lines)))
    p50, p99, worst = (took[int(len(took) * part)] for part in (0.5, 0.99, 0.9999))
    print(f"byte to signal, {len(took)} lines: p50 {p50:.2f} ms, p99 {p99:.2f} ms, worst {worst:.2f} ms")
    wall, used, grown = asyncio.run(flood(arguments.megabytes))
    print(f"{arguments.megabytes} MiB without a line end: {wall:.1f} s, {used:.1f} s of a core,", end=" ")
    print(f"{grown / 1024:.1f} MB more")


if __name__ == "__main__":
    main()
