"""What reading costs, on one core after decoding: dots, digits by the networks and by a known font, beside Tesseract.

Ratios within one run mean more than milliseconds. Invariant: what is timed is what a running agent does a frame.
"""

import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.displays_rivals import Rival
from benchmarks.displays_sets import Picture
from capture.vision import open_reader
from capture.vision.reader import DisplayReader
from hardware.catalog import load_profile
from hardware.ports.base import Image

TIMES = 20


def speeds(pictures: list[Picture], rival: Rival | None) -> None:
    """Print all of it; `rival` is Tesseract, None to leave the ratio out."""
    frames = [np.asarray(cv2.resize(one.image, (1280, 720)), np.uint8) for one in pictures[:8]]
    bare, dots = _dots(frames)
    if dots:
        print(f"dots of a 720p frame: {dots:.3f} ms; one cv2.remap and a mean: {bare:.3f} ms; ratio {dots / bare:.2f}")
    digits, same = _digits(pictures)
    print(f"digits from dots by the networks: median {digits:.1f} ms; an unchanged frame: {same:.2f} ms")
    if rival is not None:
        slow = statistics.median(_took(rival, one) for one in pictures[:12])
        print(f"pytesseract on the same crops: median {slow:.0f} ms; ratio {slow / digits:.0f}")


def _dots(frames: list[Image]) -> tuple[float, float]:
    x, y = np.meshgrid(np.linspace(0, 1279, 256, dtype=np.float32), np.linspace(0, 719, 64, dtype=np.float32))
    bare, dots = [], []
    for frame in frames:
        reader = open_reader(load_profile("dmd-128x32"), corners=[(0, 0), (1279, 0), (1279, 719), (0, 719)])
        reader.read(frame)
        sampler = getattr(reader, "sampler", None)
        if sampler is None:
            continue
        for _ in range(TIMES):
            bare.append(_took(_bare, frame, x, y))
            dots.append(_took(sampler.sample, frame))
    return (statistics.median(bare), statistics.median(dots)) if dots else (0.0, 0.0)


def _digits(pictures: list[Picture]) -> tuple[float, float]:
    """Median of the best of five a picture, by the networks; and of a frame whose dots did not change."""
    best, same = [], []
    for one in pictures:
        reader = open_reader(load_profile("dmd-128x32"))
        if not isinstance(reader, DisplayReader):
            break
        reader.read(one.image)
        seen = reader.dots()
        if seen is not None:
            best.append(min(_took(reader.understand, seen) for _ in range(5)))
            same.append(min(_took(reader.read, one.image) for _ in range(3)))
    return statistics.median(best or [float("nan")]), statistics.median(same or [float("nan")])


def _bare(frame: Image, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float64]:
    """The least that any sampling costs."""
    seen = cv2.remap(frame, x, y, cv2.INTER_LINEAR)[:, :, 1]
    mean: NDArray[np.float64] = seen.reshape(32, 2, 128, 2).mean((1, 3))
    return mean


def _took(work: Callable[..., object], *on: object) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work(*on)
    return (time.perf_counter() - began) * 1e3
