"""Displays: real photographs and true frames through Inlane's readers and through others', in one run.

    python -m benchmarks.displays [--sets dmd_photo reels …] [--no-rivals] [--no-speed]

Prints, per set and method: pictures with a number, numbers proposed exactly, accepted, accepted wrongly, wrong in all,
and the median time a picture; then what reading costs. Reads ../shared/data, and copies nothing from there.
"""

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from benchmarks import displays_rivals as rivals
from benchmarks import displays_sets as sets
from benchmarks.displays_machines import profile_for
from benchmarks.displays_sets import Picture
from benchmarks.displays_speed import speeds
from benchmarks.stream import recorded
from capture.vision import open_reader
from capture.vision.errors import VisionInvalid
from capture.vision.reading import ROLLING, Reading
from hardware.catalog import load_profile
from hardware.profile import MachineProfile

SETS = ("dmd_photo", "dmd_frames", "streams", "sevenseg", "alphanumeric", "reels", "lcd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one method made of one picture."""

    text: str
    accepted: bool = False
    rolling: bool = False
    why: str = ""


Method = Callable[[Picture], Answer]


@dataclass
class Tally:
    """What one method made of one set."""

    live: int = 0
    exact: int = 0
    accepted: int = 0
    accepted_wrong: int = 0
    wrong: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, right: str, answer: Answer, *, took: float) -> None:
        """Count one picture; `right` is empty where no number shows."""
        self.times.append(took)
        same = bool(right) and _number(answer.text) == _number(right)
        self.live += bool(right)
        self.exact += same
        self.accepted += answer.accepted and same
        self.accepted_wrong += answer.accepted and not same
        self.wrong += bool(_number(answer.text)) and not same


def main() -> None:
    """Measure all that was chosen."""
    parser = argparse.ArgumentParser(description="Real displays through Inlane and through other readers.")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("--no-rivals", "--no-tesseract", action="store_true", help="leave the slow rivals out")
    parser.add_argument("--no-speed", action="store_true", help="leave the speeds out")
    parser.add_argument("--misses", action="store_true", help="name each picture that Inlane did not read rightly")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    if not sets.DISPLAYS.exists():
        sys.exit(f"the measured pictures are not there: {sets.DISPLAYS}")
    table = _Table(rivals=not chosen.no_rivals, misses=chosen.misses)
    for name in chosen.sets:
        getattr(table, name)()
    if not chosen.no_speed:
        speeds(sets.photos(), None if chosen.no_rivals else rivals.tesseract(7))


class _Table:
    """One method a set."""

    def __init__(self, *, rivals: bool, misses: bool) -> None:
        self._rivals, self._misses = rivals, misses
        self._ssocr = "?"
        print("set                    method                     live  exact  accepted  accepted wrong  wrong      ms")

    def dmd_photo(self) -> None:
        """Single stills, the display looked for, nothing taught."""
        pictures = sets.photos()
        self.show("dmd_photo", "inlane", pictures, by_profile(lambda _: load_profile("dmd-128x32")))
        self.show("dmd_photo", "inlane, score places", pictures, by_profile(lambda one: profile_for(one.game)))
        self.others("dmd_photo", pictures, "plain", modes=(7, 11))

    def dmd_frames(self) -> None:
        """True dots: those with the whole score, and those with a part of it or none (right or refused)."""
        self.show("dmd_frames, live", "inlane", sets.frames(live=True), read_dots)
        self.show("dmd_frames, others", "inlane", sets.frames(live=False), read_dots)
        self.others("dmd_frames, live", sets.frames(live=True), "plain", modes=(7, 11))

    def streams(self) -> None:
        """One recorded game, replayed."""
        recorded()

    def sevenseg(self) -> None:
        """Lit segments."""
        self._segments("sevenseg_photo", "seg7")

    def lcd(self) -> None:
        """Segments dark on light."""
        self._segments("lcd_photo", "seg7-lcd")

    def alphanumeric(self) -> None:
        """Words in 14 and 16 segments, counted by characters."""
        pictures = sets.segments("alphanumeric_photo")
        for profile in ("seg14", "seg16"):
            read = by_profile(lambda one, profile=profile: counted(load_profile(profile), one), corners=True)  # type: ignore[misc]
            self.characters("alphanumeric", f"inlane {profile}, corners", pictures, read)
        if self._rivals:
            self.characters("alphanumeric", "tesseract psm 7", pictures, plain(rivals.tesseract(7, letters=True)))

    def reels(self) -> None:
        """Single wheels: those that stand, and those that roll."""
        pictures = sets.wheels()
        standing = [one for one in pictures if not one.rolling]
        rolling = [one for one in pictures if one.rolling]
        read = by_profile(lambda _: load_profile("reel-digit"))
        self.show("reels, settled", "inlane", standing, read)
        self.rolling("reels, rolling", "inlane", rolling, read)
        self.others("reels, settled", standing, "plain", modes=(10,))

    def _segments(self, folder: str, profile: str) -> None:
        pictures = sets.segments(folder)
        generic = load_profile(profile)
        name = folder.removesuffix("_photo")
        self.show(name, "inlane, corners + count", pictures,
                  by_profile(lambda one: counted(generic, one), corners=True))  # fmt: skip
        self.show(name, "inlane, count alone", pictures, by_profile(lambda one: counted(generic, one)))
        self.others(name, pictures, "segments", modes=(7,))

    def others(self, name: str, pictures: list[Picture], glyphs: str, *, modes: tuple[int, ...]) -> None:
        """The rivals on the same pictures."""
        self.show(name, "template match", pictures, plain(rivals.template(glyphs)))
        if not self._rivals:
            return
        for mode in modes:
            self.show(name, f"tesseract psm {mode}", pictures, plain(rivals.tesseract(mode)))
        program = rivals.ssocr()
        if program is not None:
            self.show(name, "ssocr", pictures, plain(program))
        elif self._ssocr == "?":
            self._ssocr = "missing"
            print("(ssocr is left out: it is not installed; Debian's package is called ssocr)")

    def show(self, name: str, method: str, pictures: list[Picture], read: Method) -> None:
        """One row of the table."""
        tally = Tally()
        for one in pictures:
            answer, took = timed(read, one)
            tally.add(one.right, answer, took=took)
            if self._misses and method.startswith("inlane") and _number(answer.text) != _number(one.right):
                print(
                    f"    {one.name}: {one.right or 'none'}, read {answer.text or 'none'}; {answer.why or 'accepted'}"
                )
        self.line(name, method, f"{tally.live:4d} {tally.exact:6d}", tally)

    def characters(self, name: str, method: str, pictures: list[Picture], read: Method) -> None:
        """One row; exact counts characters."""
        tally, right, many = Tally(), 0, 0
        for one in pictures:
            answer, took = timed(read, one)
            want, got = one.right.replace(" ", ""), re.sub(r"[^0-9A-Z?]", "", answer.text.upper())
            right += max(0, len(want) - distance(want, got))
            many += len(want)
            tally.times.append(took)
            tally.accepted += answer.accepted and want == got
            tally.accepted_wrong += answer.accepted and want != got
            tally.wrong += bool(got) and want != got
            if self._misses and want != got:
                print(f"    {one.name}: {want}, read {got}; {answer.why or 'accepted'}")
        self.line(name, method, f"{many:4d} {right:6d}", tally)

    def rolling(self, name: str, method: str, pictures: list[Picture], read: Method) -> None:
        """One row; exact counts what is marked rolling."""
        tally, marked = Tally(), 0
        for one in pictures:
            answer, took = timed(read, one)
            marked += answer.rolling
            tally.times.append(took)
            tally.accepted_wrong += answer.accepted
            tally.wrong += not answer.rolling
        self.line(name, method, f"{len(pictures):4d} {marked:6d}", tally)

    def line(self, name: str, method: str, counts: str, tally: Tally) -> None:
        """Print it."""
        print(
            f"{name:<22} {method:<26} {counts} {tally.accepted:9d} {tally.accepted_wrong:15d} "
            f"{tally.wrong:6d} {statistics.median(tally.times) * 1e3:7.1f}",
            flush=True,
        )


def by_profile(choose: Callable[[Picture], MachineProfile], *, corners: bool = False) -> Method:
    """Inlane on a single still, with a reader that has seen nothing before."""

    def read(one: Picture) -> Answer:
        try:
            return told(open_reader(choose(one), corners=one.corners if corners else None).read(one.image))
        except VisionInvalid as error:
            return Answer(text="", why=str(error))

    return read


def read_dots(one: Picture) -> Answer:
    """Inlane on true dots."""
    from capture.vision.reader import DisplayReader  # noqa: PLC0415

    reader = open_reader(load_profile("dmd-128x32"))
    if not isinstance(reader, DisplayReader):
        raise TypeError("the reader of dot matrices reads exact dots")
    return told(reader.read_dots(one.image[:, :, 0].astype(np.float32) / np.float32(255)))


def told(reading: Reading) -> Answer:
    """A reading's first number, or its text where it is none."""
    if not reading.scores:
        return Answer(text="", why=reading.why)
    first = reading.scores[0]
    text = first.text if first.score is None else str(first.score)
    return Answer(text=text, accepted=reading.accepted, rolling=first.state == ROLLING, why=reading.why)


def plain(rival: rivals.Rival) -> Method:
    """A method that never accepts."""
    return lambda one: Answer(text=rival(one))


def counted(profile: MachineProfile, one: Picture) -> MachineProfile:
    """The profile, with the number of cells."""
    return profile.model_copy(update={"digits": one.cells})


def timed(read: Method, one: Picture) -> tuple[Answer, float]:
    """The answer, and the seconds it took."""
    started = time.perf_counter()
    answer = read(one)
    return answer, time.perf_counter() - started


def distance(want: str, got: str) -> int:
    """Signs to change, put in or leave out."""
    row = list(range(len(got) + 1))
    for i, a in enumerate(want, 1):
        above, row[0] = row[0], i
        for j, b in enumerate(got, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (a != b))
    return row[-1]


def _number(text: str) -> str:
    """A number as it counts: without separators and leading noughts; a text with unseen places is none."""
    digits = re.sub(r"[,. ]", "", text)
    return str(int(digits)) if digits.isascii() and digits.isdecimal() else digits


if __name__ == "__main__":
    main()
