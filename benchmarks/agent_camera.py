"""What one camera costs an agent: processor time a picture, as share of a core at 10 pictures a second, and memory.

Run by hand: `python -m benchmarks.agent_camera [SECONDS] [WIDTH HEIGHT]`. A simulated machine plays as fast as a real
one; its pictures are drawn beforehand and kept as JPEG, as most cameras send them, so that drawing is not counted and
decoding is. Figures are processor time (user, system, all threads), which a busy computer distorts less than wall time.
"""

import sys
import time

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.pipeline import Capture
from hardware.catalog import load_profile
from hardware.ports.base import Frame, Opened
from hardware.ports.sim import corners_of
from hardware.sim.course import Course
from hardware.sim.life import Life
from hardware.sim.machine import Seen
from hardware.sim.play import CALM

RATE = 10
SEED = 7


def main() -> None:
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    width, height = (int(word) for word in sys.argv[2:4]) if len(sys.argv) > 3 else (1280, 720)
    cv2.setNumThreads(1)
    shots = draw(seconds, width, height)
    corners = corners_of(f"sim://dmd?seed={SEED}&width={width}&height={height}")
    size = sum(map(len, shots)) / len(shots) / 1024
    print(f"{len(shots)} pictures of {width} x {height}, {RATE} a second, {size:.0f} KB each")
    standing = [shots[len(shots) // 2]] * (10 * RATE)
    measure("a machine that plays", shots, corners)
    measure("a display that stands still", standing, corners)
    print(f"memory of this process: {rss():.0f} MB, of which {sum(map(len, shots)) / 2**20:.0f} MB are the pictures")


def draw(seconds: int, width: int, height: int) -> list[NDArray[np.uint8]]:
    seen = Seen(Life(Course(CALM, SEED), speed=1.0), SEED, width=width, height=height, fps=RATE)
    shots = []
    for at in range(0, seconds * 1000, 1000 // RATE):
        picture = seen.look(at)
        if picture is not None:
            shots.append(np.asarray(cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 90))[1], np.uint8))
    return shots


def measure(title: str, shots: list[NDArray[np.uint8]], corners: tuple[tuple[float, float], ...]) -> None:
    capture = Capture(load_profile("dmd-128x32"), corners=corners)  # type: ignore[arg-type]
    capture.feed(Opened(at=0, port="camera:"))
    decoding = reading = 0.0
    slowest = 0.0
    for number, shot in enumerate(shots):
        begun = time.process_time()
        image = np.asarray(cv2.imdecode(shot, cv2.IMREAD_COLOR), np.uint8)
        decoded = time.process_time()
        capture.feed(Frame(at=number * 1000 // RATE, image=image))
        done = time.process_time()
        if number >= RATE:  # after the first second: the display is found and the networks are loaded
            decoding, reading, slowest = (
                decoding + decoded - begun,
                reading + done - decoded,
                max(slowest, done - decoded),
            )
    count = max(1, len(shots) - RATE)
    share = (decoding + reading) / count * RATE
    print(
        f"{title}: {1000 * decoding / count:.1f} ms decoding + {1000 * reading / count:.1f} ms reading a picture "
        f"(slowest {1000 * slowest:.0f} ms): {100 * share:.0f} % of a core at {RATE} a second",
        flush=True,
    )


def rss() -> float:
    with open("/proc/self/status", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split("VmRSS:")[1].split()[0]) / 1024


if __name__ == "__main__":
    main()
