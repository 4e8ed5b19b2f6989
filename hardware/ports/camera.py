"""`camera:///dev/v4l/by-id/…`, `camera://picamera/0`, `camera:///a/folder`: pictures from a camera, or as if from one.

The only file that opens cameras through OpenCV. A thread takes pictures as fast as the source gives them and keeps the
newest alone: a slow reader never lags behind. A video or a folder (pictures named by milliseconds) plays once in its
own time, then the port says `ended`. Invariant: whatever the source does, the port yields `Closed` and goes on trying.
"""

import asyncio
import contextlib
import errno
import os
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import cv2

from hardware.errors import PortInvalid
from hardware.ports.base import Closed, Frame, Image, Opened, Port, PortEvent
from hardware.ports.camera_files import play_folder
from hardware.ports.camera_options import CameraOptions, CameraSettings, parse_options
from hardware.ports.camera_pi import PiCamera
from hardware.ports.camera_shapes import Shaper
from hardware.ports.camera_v4l2 import apply_settings, read_settings, shape_stream

LONGEST_PAUSE = 30.0
"""Seconds between two tries to open a camera that is not there."""
LOOK_S = 0.5
"""How often a device's name that is gone is looked for: a camera that is plugged in again is found at once."""
SETTINGS_S = 1.0
"""How often a camera is asked what it is set to."""
_FORMS = (
    "camera:///dev/v4l/by-id/NAME, camera:///dev/video0, camera://0, camera://picamera/0, or a video's or folder's path"
)


def open_url(url: str, *, now: Callable[[], int]) -> "CameraPort":
    """Open what `url` names: a camera, or the path of a video or a folder of pictures.

    Options are those of `CameraOptions`. Raises PortInvalid for an address that cannot be meant.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise PortInvalid(f"{url!r}: a camera is one of {_FORMS}") from None
    options = parse_options(url, parts.query)
    path = unquote(parts.path)
    pi = re.fullmatch(r"/?(\d{1,2})?", path) if parts.netloc == "picamera" else None
    if parts.netloc and not pi and (not re.fullmatch(r"\d{1,3}", parts.netloc) or path.strip("/")):
        raise PortInvalid(f"{url!r}: a camera is one of {_FORMS}")
    if not parts.netloc and (not path or "\0" in path):
        raise PortInvalid(f"{url!r}: a camera is one of {_FORMS}")
    if not parts.netloc and not path.startswith("/dev/") and not Path(path).exists():
        raise PortInvalid(f"{url!r}: there is no file or folder {path}")
    name = f"picamera/{pi[1] or 0}" if pi else f"/dev/video{int(parts.netloc)}" if parts.netloc else path
    return CameraPort(url.partition("?")[0], name, options, now)


def camera_names() -> list[str]:
    """The stable names of the cameras that are plugged in; where there are none, their numbers' names."""
    names = sorted(str(path) for path in Path("/dev/v4l/by-id").glob("*index0"))
    return names or sorted(str(path) for path in Path("/dev").glob("video[0-9]*"))


class CameraPort(Port):
    """A port of pictures. `settings`: what the camera says it is set to, None where it says nothing."""

    def __init__(self, url: str, name: str, options: CameraOptions, now: Callable[[], int]) -> None:
        self._url = url
        self._name = name
        self._options = options
        self._now = now
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.settings: CameraSettings | None = None

    async def __aexit__(self, *_: object) -> None:
        """Let go of the camera: it can be opened again at once."""
        self._stop.set()
        if self._thread and self._thread.is_alive():
            await asyncio.to_thread(self._thread.join, 2.0)

    async def send(self, data: bytes) -> None:
        """A camera hears nothing."""

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        once = not self._name.startswith(("/dev/", "picamera/"))
        pause = 1.0
        while True:
            slot = _Newest(asyncio.get_running_loop())
            thread = threading.Thread(target=self._take, args=(slot, once), name=f"camera {self._name}", daemon=True)
            self._thread = thread
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
            await self._wait(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def _wait(self, pause: float) -> None:
        """Until the next try; a device that is plugged in again is tried at once."""
        gone = self._name.startswith("/dev/") and not _is_there(self._name)
        until = time.monotonic() + pause
        while (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, LOOK_S))
            if gone and _is_there(self._name):
                await asyncio.sleep(LOOK_S)  # until its permissions are set
                return

    async def _follow(self, slot: "_Newest") -> AsyncIterator[PortEvent]:
        opened = False
        while (image := await slot.get()) is not None:
            if not opened:
                opened = True
                yield Opened(at=self._now(), port=self._url, notes=slot.notes)
            yield Frame(at=self._now(), image=image)
        reason, why = slot.ended
        yield Closed(at=self._now(), reason="refused" if not opened and reason == "unplugged" else reason, why=why)

    def _take(self, slot: "_Newest", once: bool) -> None:  # noqa: FBT001 -- a thread's target takes positions
        """The thread: pictures into the slot until the source ends or nobody listens."""
        pictures = self._play(slot) if once else self._look(slot)
        try:
            for pause, image in pictures:
                if self._stop.is_set() or slot.left.is_set() or (pause > 0 and slot.left.wait(pause)):
                    return
                slot.put(image)
            missing = f", {len(slot.damaged)} pictures could not be read: {slot.damaged[0]}" if slot.damaged else ""
            over = ("ended", f"the recording is over{missing}")
            slot.end(over if once else ("unplugged", f"{self._url} gives no more pictures"))
        except Exception as error:  # noqa: BLE001 -- whatever a source raises, who listens must hear that it is over
            reason = "busy" if getattr(error, "errno", None) == errno.EBUSY else "unplugged"
            told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            slot.end((reason, f"{self._url}: {told.splitlines()[0] if told else 'no picture'}"))
        finally:
            with contextlib.suppress(OSError):
                pictures.close()

    def _play(self, slot: "_Newest") -> Generator[tuple[float, Image]]:
        """A folder or a video: how long to wait, and the picture to show then."""
        if Path(self._name).is_dir():
            yield from play_folder(Path(self._name), slot.damaged)
            return
        if not Path(self._name).is_file():  # a pipe would be waited for without end
            raise OSError("neither a file nor a folder")
        _be_quiet()
        video, shaper = cv2.VideoCapture(self._name), Shaper()
        try:
            if not video.isOpened():
                raise OSError("no video that can be played, and no folder of pictures")
            pause = 1 / min(240.0, max(1.0, video.get(cv2.CAP_PROP_FPS) or 25.0))
            while True:
                good, image = video.read()
                if not good or image is None:
                    return
                yield pause, shaper.shape(image)
        finally:
            video.release()

    def _look(self, slot: "_Newest") -> Generator[tuple[float, Image]]:
        """A camera: its newest picture, `rate` times a second; none is waited for but by the camera itself."""
        camera = (
            PiCamera(int(self._name.partition("/")[2]), self._options)
            if self._name.startswith("picamera/")
            else _UsbCamera(self._name, self._options)
        )
        due = asked = 0.0
        try:
            slot.notes = (*self._options.doubts(), *camera.open())
            while True:
                image = camera.take(until=due, stop=slot.left)
                if image is None:
                    return
                due = max(due + 1 / self._options.rate, time.monotonic() - 1 / self._options.rate)
                if time.monotonic() - asked > SETTINGS_S:
                    asked, self.settings = time.monotonic(), camera.settings()
                yield 0.0, image
        finally:
            camera.close()


class _UsbCamera:
    """A camera on Video4Linux."""

    def __init__(self, name: str, options: CameraOptions) -> None:
        self._name = name
        self._options = options
        self._device: cv2.VideoCapture | None = None
        self._shaper = Shaper()

    def open(self) -> list[str]:
        """Open and fix what is asked; returns what was not done. Raises OSError with what to do."""
        _refuse_absent(self._name)
        _be_quiet()
        self._device = device = cv2.VideoCapture(self._name, cv2.CAP_V4L2)
        if not device.isOpened():
            raise OSError(errno.EBUSY, f"no pictures from it: another program has it, or it is no camera ({_there()})")
        notes = shape_stream(device, self._options)
        if not device.grab():  # some cameras forget what was set before pictures flowed
            raise OSError(errno.EBUSY, "it gives no pictures: another program has it, or it hangs (plug it in anew)")
        return notes + apply_settings(device, self._options)

    def take(self, *, until: float, stop: threading.Event) -> Image | None:
        """The first picture after `until`: what comes before is dropped and not decoded. None: there are no more."""
        assert self._device is not None  # noqa: S101 -- open() came before
        while not stop.is_set():
            if not self._device.grab():
                return None
            if time.monotonic() >= until:
                good, image = self._device.retrieve()
                return self._shaper.shape(image) if good and image is not None else None
        return None

    def settings(self) -> CameraSettings:
        """What the camera says it is set to."""
        return CameraSettings() if self._device is None else read_settings(self._device)

    def close(self) -> None:
        """Let go of the device."""
        if self._device is not None:
            self._device.release()


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
        self.notes: tuple[str, ...] = ()
        """What the camera did not do as asked."""
        self.damaged: list[str] = []
        """Pictures of a folder that were passed over, and why."""

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


def _is_there(name: str) -> bool:
    return Path(name).exists()


def _refuse_absent(name: str) -> None:
    """Say why a device cannot be opened, where the file system tells."""
    if not Path(name).exists():
        raise OSError(f"there is no {name}: is it plugged in? ({_there()})")
    if not os.access(name, os.R_OK | os.W_OK):
        raise OSError(f"no right to use {name}: add this user to the group video, and log in again")


def _there() -> str:
    names = camera_names()
    return f"there are: {', '.join(names[:8])}" if names else "no camera is there"


def _be_quiet() -> None:
    """OpenCV complains on standard error about cameras that are not there; the port says it better."""
    with contextlib.suppress(AttributeError):
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
