"""Recordings of a machine's memory as a port: lines with times, a folder of images, or one image.

Here: files and times, made into the lines of a memory reader; a line of one full stop ends each sample. Not here: what
the bytes mean. Invariant: an image or a line that is damaged costs itself and is counted.
"""

import itertools
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Self

from hardware.errors import MapInvalid, RecordingInvalid
from hardware.maps.cells import MISFIT, Memory, dump_lines
from hardware.maps.image import load_image
from hardware.maps.load import rom_of_image
from hardware.maps.model import MemoryMap
from hardware.ports.base import Chunk, Closed, Opened, Player, PortEvent
from hardware.ports.replay_lines import BROKEN, open_file, readable

SUFFIXES = frozenset({".nv", ".txt", ".ram", ".bin", ".dump", ".gz"})
"""What the images of a folder end in."""
BETWEEN_MS = 12_000
"""Images that are named by their order alone are so far apart: each of them has lasted."""
STANDS_MS = (0, 2_000, 4_000, 6_000, 10_000)
"""An image without a time of its own is of a machine that stood so: it is shown so often, that what must last has."""
TOGETHER_MS = 40
"""Lines of other addresses that follow so soon belong to the same sample: a reader needs time to say it."""
MOST_IMAGES = 100_000
MOST_LINE = 64 * 1024
_MOST_SECONDS = 10**9
_LOOK_AT = 200

_LINE = re.compile(
    rb"\s*([0-9]{1,10}(?:\.[0-9]{1,9})?)\s+(0[xX])?([0-9a-fA-F]{1,10})\s*:?\s+((?:0[xX])?[0-9a-fA-F]{2}"
    rb"(?:\s*(?:0[xX])?[0-9a-fA-F]{2})*)\s*\Z"
)
_NUMBER = re.compile(r"(\d{1,15})(?!.*\d)")


def parse_memory_line(line: bytes, *, decimal: bool = False) -> tuple[int, int, bytes] | None:
    """Milliseconds, address and bytes of `SECONDS ADDRESS HEX…`; None where it is no such line.

    `decimal`: addresses without `0x` are decimal.
    """
    found = _LINE.match(line) if len(line) <= MOST_LINE else None
    if not found or float(found[1]) > _MOST_SECONDS:
        return None
    data = bytes.fromhex(re.sub(rb"0[xX](?=[0-9a-fA-F]{2})|\s", b"", found[4]).decode())
    if decimal and not found[2] and not found[3].isdigit():
        return None
    address = int(found[3], 10 if decimal and not found[2] else 16)
    return (round(float(found[1]) * 1000), address, data) if address + len(data) <= 1 << 32 else None


def looks_like_memory_lines(path: Path) -> bool:
    """Whether a file holds lines with times and addresses. Raises RecordingInvalid where it cannot be read."""
    with readable(path), open_file(path) as file:
        try:
            for _ in range(_LOOK_AT):
                line = file.readline(MOST_LINE)
                if not line:
                    return False
                if parse_memory_line(line.removeprefix(b"\xef\xbb\xbf")) is not None:
                    return True
        except BROKEN:
            return False
    return False


class MemoryLinesPort(Player):
    """Yields the samples of a recording of lines: what stands under one time, or follows at once, is one sample."""

    unit = "lines"

    def __init__(self, path: Path, memory_map: MemoryMap) -> None:
        self._path = path
        self._needed = frozenset(memory_map.addresses())
        self._decimal = False
        self.damaged = 0
        """Lines that were skipped."""

    async def __aenter__(self) -> Self:
        """Look whether it is a recording. Raises RecordingInvalid."""
        if not looks_like_memory_lines(self._path):
            raise RecordingInvalid(f"{self._path} is no recording of a memory: its lines are `SECONDS ADDRESS HEX…`")
        self._decimal = self._looks_decimal()
        return self

    def events(self) -> Iterator[PortEvent]:
        """See `Player`."""
        self.damaged = 0
        at: int | None = None
        held: list[bytes] = []
        told: set[int] = set()
        for moment, address, data in self._lines():
            cells = dict(enumerate(data, start=address))
            if at is None:
                yield Opened(at=moment, port=f"replay:{self._path}", passive=True)
            elif moment > at and (moment - at > TOGETHER_MS or not told.isdisjoint(cells)):
                yield Chunk(at=at, data=b"".join([*held, b".\n"]))
                held, told = [], set()
            at = max(moment, at or 0)
            told |= cells.keys()
            held += dump_lines(cells, cells)
            if len(held) > 1 << 16:  # a sample without an end
                yield Chunk(at=at, data=b"".join(held))
                held = []
        if at is not None:
            yield Chunk(at=at, data=b"".join([*held, b".\n"]))
        yield Closed(at=at or 0, reason="ended", why=f"the recording is over, {self.damaged} damaged lines skipped")

    def _looks_decimal(self) -> bool:
        """Addresses without `0x` are hexadecimal, unless only as decimal ones they are what the map needs."""
        told: dict[bool, set[int]] = {True: set(), False: set()}
        with readable(self._path), open_file(self._path) as file:
            try:
                for line in itertools.islice(iter(partial(file.readline, MOST_LINE), b""), _LOOK_AT):
                    for decimal, cells in told.items():
                        if (parsed := parse_memory_line(line, decimal=decimal)) is not None:
                            cells.update(range(parsed[1], parsed[1] + len(parsed[2])))
            except BROKEN:
                return False
        return len(self._needed & told[True]) > len(self._needed & told[False])

    def _lines(self) -> Iterator[tuple[int, int, bytes]]:
        with readable(self._path), open_file(self._path) as file:
            try:
                whole = True
                while line := file.readline(MOST_LINE):
                    plain = line.removeprefix(b"\xef\xbb\xbf")
                    parsed = parse_memory_line(plain, decimal=self._decimal) if whole else None
                    if parsed is not None:
                        yield parsed
                    elif whole and line.strip() and not line.lstrip().startswith(b"#"):
                        self.damaged += 1
                    whole = line.endswith(b"\n")
            except BROKEN:
                self.damaged += 1


class ImagesPort(Player):
    """Yields memory images with their times: one image, or a folder of them, named by order or by milliseconds."""

    unit = "images"

    def __init__(self, path: Path, memory_map: MemoryMap) -> None:
        self._path = path
        self._map = memory_map
        self._files: list[tuple[int, Path]] = []
        self._stands: tuple[int, ...] = STANDS_MS
        self.damaged = 0
        """Images that were skipped."""

    async def __aenter__(self) -> Self:
        """Look which images there are. Raises RecordingInvalid where there are none, or the only one is damaged."""
        if not self._path.is_dir():
            load_image(self._path, self._map)
            self._files = [(0, self._path)]
            return self
        try:
            files = [file for file in self._path.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file()]
        except OSError as error:
            raise RecordingInvalid(f"cannot read {self._path}: {error.strerror}") from None
        if not files or len(files) > MOST_IMAGES:
            many = f"more than {MOST_IMAGES}" if files else "no"
            raise RecordingInvalid(f"{self._path} is no recording of a memory: it holds {many} images (.nv or .txt)")
        self._files, self._stands = timed(files)
        return self

    def events(self) -> Iterator[PortEvent]:
        """See `Player`."""
        self.damaged = 0
        at = self._files[0][0]
        yield Opened(at=at, port=f"replay:{self._path}", passive=True)
        for begun, file in self._files:
            try:
                sample = sample_of(load_image(file, self._map), self._map)
            except MapInvalid:
                self.damaged += 1
                continue
            for after in self._stands:
                at = begun + after
                yield Chunk(at=at, data=sample)
        yield Closed(at=at, reason="ended", why=f"the recording is over, {self.damaged} damaged images skipped")


def sample_of(memory: Memory, memory_map: MemoryMap) -> bytes:
    """One sample as lines of a reader: what the map needs of this memory, and the full stop."""
    lines = list(dump_lines(memory.cells, memory_map.addresses()))
    if memory.dips is not None:
        lines.append(b"dips: " + b" ".join(b"0x%02X" % cell for cell in memory.dips) + b"\n")
    if memory_map.judged_by(memory).misfit:
        lines.append(MISFIT + b"\n")
    return b"".join([*lines, b".\n"])


def timed(files: list[Path]) -> tuple[list[tuple[int, Path]], tuple[int, ...]]:
    """Each file with its time, and how often after it the image is shown: once where its name has its milliseconds.

    Names that only count or say words are an order, and so are numbers without a gap of more than nine: no reader is
    so quick.
    """
    found = {file: _NUMBER.search(file.name.partition(".")[0]) for file in files}
    moments = {file: int(number[1]) for file, number in found.items() if number}
    if len(moments) == len(files) > 1:
        ordered = sorted(files, key=lambda file: (moments[file], file.name))
        steps = [moments[after] - moments[before] for before, after in itertools.pairwise(ordered)]
        if max(steps) > 9 and min(steps) > 0:
            return [(moments[file], file) for file in ordered], (0,)
        return [(place * BETWEEN_MS, file) for place, file in enumerate(ordered)], STANDS_MS
    return [(place * BETWEEN_MS, file) for place, file in enumerate(sorted(files, key=_natural))], STANDS_MS


def _natural(file: Path) -> list[tuple[int, str]]:
    """Names as a person orders them: 2 before 10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d{1,15})", file.name.lower())]


def open_memory(path: Path, memory_map: MemoryMap | None) -> MemoryLinesPort | ImagesPort:
    """The port of a recording of a memory: lines with times and addresses, or images. Raises RecordingInvalid."""
    if memory_map is None:
        raise RecordingInvalid(f"{path}: a memory says nothing without its memory map: give --map FILE")
    if not path.is_dir() and looks_like_memory_lines(path):
        return MemoryLinesPort(path, memory_map)
    return ImagesPort(path, memory_map)


def rom_of_recording(path: Path, memory_map: MemoryMap) -> str | None:
    """The revision that the names of its images tell, where they tell one."""
    if not path.is_dir():
        return rom_of_image(memory_map, path)
    try:
        names = {rom_of_image(memory_map, file) for file in path.iterdir() if file.suffix.lower() == ".nv"}
    except OSError:
        return None
    return names.pop() if len(names) == 1 else None
