"""`camera://0`, `camera:///a/video.mp4`, `camera:///a/folder`: pictures from a camera, or as if from one.

The only file that opens cameras. A thread takes pictures as fast as the source gives them and keeps the newest alone:
a slow reader never lags behind. A video or a folder (pictures named by milliseconds) plays once in its own time, then
the port says `ended`. Invariant: whatever the source does, the port yields `Closed` and goes on trying.
"""

import asyncio
import contextlib
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Self
from urllib.parse import parse_qsl, unquote, urlsplit

import cv2

from hardware.errors import PortInvalid
from hardware.ports.base import Closed, Frame, Image, Opened, Port, PortEvent

LONGEST_PAUSE = 30.0
"""Seconds between two tries to open a camera that is not there."""
LARGEST_FILE = 64 * 2**20
_PICTURES = {".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".webp"}
_OPTIONS = {"width": (160, 7680), "height": (90, 4320), "fps": (1, 240)}


def open_url(url: str, *, now: Callable[[], int]) -> Port:
    """Open what `url` names: a camera's number, or the path of a device, a video or a folder of pictures.

    Options `width`, `height` and `fps` are asked of a camera. Raises PortInvalid for an address that cannot be meant.
    """
    parts = urlsplit(url)
    name = parts.netloc or unquote(parts.path)
    asked = {key: _option(url, key, value) for key, value in parse_qsl(parts.query, keep_blank_values=True)}
    if not name or (parts.netloc and (not parts.netloc.isdecimal() or len(parts.netloc) > 3 or parts.path.strip("/"))):
        raise PortInvalid(f"{url!r}: a camera is camera://0, camera:///dev/video0, camera:///a/video or /a/folder")
    if not parts.netloc and not Path(name).exists() and not name.startswith("/dev/"):
        raise PortInvalid(f"{url!r}: there is no file or folder {name}")
    return _CameraPort(url.partition("?")[0], name, asked, now)


class _CameraPort:
    def __init__(self, url: str, name: str, asked: dict[str, int], now: Callable[[], int]) -> None:
        self._url = url
        self._name = name
        self._asked = asked
        self._now = now
        self._stop = threading.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stop.set()

    async def send(self, data: bytes) -> None:
        """A camera hears nothing."""

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        once = not self._name.isdecimal() and not self._name.startswith("/dev/")
        pause = 1.0
        while True:
            slot = _Newest(asyncio.get_running_loop())
            thread = threading.Thread(target=self._take, args=(slot, once), name=f"camera {self._name}", daemon=True)
            thread.start()
            try:
                async for event in self._follow(slot):
                    if isinstance(event, Frame):
                        pause = 1.0
                    yield event
            finally:
                slot.left.set()
            if once:
                return
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def _follow(self, slot: "_Newest") -> AsyncIterator[PortEvent]:
        opened = False
        while (image := await slot.get()) is not None:
            if not opened:
                opened = True
                yield Opened(at=self._now(), port=self._url)
            yield Frame(at=self._now(), image=image)
        reason, why = slot.ended
        yield Closed(at=self._now(), reason="refused" if not opened and reason == "unplugged" else reason, why=why)

    def _take(self, slot: "_Newest", once: bool) -> None:  # noqa: FBT001 -- a thread's target takes positions
        """The thread: pictures into the slot until the source ends or nobody listens."""
        try:
            for pause, image in _source(self._name, self._asked, once=once):
                if self._stop.is_set() or slot.left.is_set() or (pause and slot.left.wait(pause)):
                    return
                slot.put(image)
            slot.end(("ended", "the recording is over") if once else ("unplugged", f"{self._url} gives no pictures"))
        except (OSError, cv2.error) as error:
            slot.end(("unplugged", f"{self._url}: {str(error).splitlines()[0]}"))


class _Newest:
    """One place for one picture, filled by a thread, emptied by the loop. None comes out once it is over."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._image: Image | None = None
        self._over = False
        self._ready = asyncio.Event()
        self.left = threading.Event()
        """Nobody listens any more."""
        self.ended = ("ended", "")

    def put(self, image: Image) -> None:
        self._image = image
        self._wake()

    def end(self, why: tuple[str, str]) -> None:
        self.ended, self._over = why, True
        self._wake()

    async def get(self) -> Image | None:
        while self._image is None and not self._over:
            await self._ready.wait()
            self._ready.clear()
        image, self._image = self._image, None
        return image

    def _wake(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens
            self._loop.call_soon_threadsafe(self._ready.set)


def _source(name: str, asked: dict[str, int], *, once: bool) -> Iterator[tuple[float, Image]]:
    """Pairs of how long to wait (seconds) and the picture to show then."""
    if once and Path(name).is_dir():
        yield from _folder(Path(name))
        return
    _be_quiet()
    capture = cv2.VideoCapture(int(name) if name.isdecimal() else name)
    try:
        for key, value in asked.items():
            capture.set(getattr(cv2, f"CAP_PROP_FRAME_{key.upper()}" if key != "fps" else "CAP_PROP_FPS"), value)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
        pause = 1 / min(240.0, max(1.0, rate)) if once else 0.0
        while True:
            good, image = capture.read()
            if not good or image is None:
                return
            yield pause, image.astype("uint8", copy=False)
    finally:
        capture.release()


def _folder(folder: Path) -> Iterator[tuple[float, Image]]:
    """The pictures of a folder in the order of the milliseconds in their names, with the gaps between them."""
    files = [file for file in folder.iterdir() if file.suffix.lower() in _PICTURES]
    before: int | None = None
    for at, file in sorted((_moment(file), file) for file in files):
        if file.stat().st_size > LARGEST_FILE:
            raise OSError(f"{file.name} is larger than {LARGEST_FILE // 2**20} MB")
        image = cv2.imread(str(file), cv2.IMREAD_COLOR)
        if image is None:
            raise OSError(f"{file.name} is no picture that can be read")
        yield (0.0 if before is None else (at - before) / 1000), image.astype("uint8", copy=False)
        before = at


def _moment(file: Path) -> int:
    numbers = re.findall(r"\d{1,15}", file.stem)
    return int(numbers[-1]) if numbers else 0


def _option(url: str, key: str, value: str) -> int:
    if key not in _OPTIONS:
        raise PortInvalid(f"{url!r}: a camera has no {key!r}; it has: {', '.join(_OPTIONS)}")
    least, most = _OPTIONS[key]
    if not (value.isascii() and value.isdecimal() and len(value) < 6 and least <= int(value) <= most):
        raise PortInvalid(f"{url!r}: {key} is a whole number from {least} to {most}, not {value!r}")
    return int(value)


def _be_quiet() -> None:
    """OpenCV complains on standard error about cameras that are not there; the port says it better."""
    with contextlib.suppress(AttributeError):
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
