"""A folder of pictures named by milliseconds, or a video, as a port, with the times of then.

Here: files and times; nothing is seen in the pictures. Cameras are opened elsewhere. Invariant: a picture that cannot
be opened costs itself and is counted; a video that ends in the middle of a picture ends there.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from hardware.errors import PictureInvalid, RecordingInvalid
from hardware.pictures import MOST_PIXELS, bound_decoders, load_image, overheard
from hardware.ports.base import Closed, Frame, Image, Opened, Player, PortEvent

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".webp", ".tif", ".tiff"})
_MOMENT = re.compile(r"(\d{1,15})(?!.*\d)")
_VIDEO = (
    *(b"RIFF", b"\x1a\x45\xdf\xa3", b"OggS", b"FLV", b"GIF8", b"YUV4MPEG2", b"\x30\x26\xb2\x75", b"\xff\xd8\xff"),
    *(b"\x00\x00\x01\xb3", b"\x00\x00\x01\xba", b"\x00\x00\x00\x01", b"\x47"),
)
_BOXES = frozenset({b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip", b"pnot"})
"""How videos begin, the latter four bytes later: decoders make pictures of any file, of text too."""
_MOST_PICTURES = 1_000_000


def looks_like_video(path: Path) -> bool:
    """Whether a file begins as some video does. Raises RecordingInvalid where it cannot be read."""
    try:
        with path.open("rb") as file:
            start = file.read(12)
    except (OSError, ValueError) as error:
        raise RecordingInvalid(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    return start.startswith(_VIDEO) or start[4:8] in _BOXES


class FolderPort(Player):
    """Yields the pictures of a folder by the milliseconds in their names (the last number counts), then `Closed`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files: list[tuple[int, Path]] = []
        self.damaged = 0
        """Pictures that were skipped."""

    async def __aenter__(self) -> Self:
        """Look which pictures there are. Raises RecordingInvalid where there are none."""
        try:
            files = [file for file in self._path.iterdir() if file.suffix.lower() in SUFFIXES]
        except OSError as error:
            raise RecordingInvalid(f"cannot read {self._path}: {error.strerror}") from None
        if len(files) > _MOST_PICTURES:
            raise RecordingInvalid(f"{self._path} holds more than {_MOST_PICTURES} pictures: replay it in parts")
        named = [(_MOMENT.search(file.stem), file) for file in files]
        self._files = sorted((int(moment[1]), file) for moment, file in named if moment)
        if not self._files:
            raise RecordingInvalid(
                f"{self._path} is no recording: it holds no pictures named by milliseconds (1234.png)"
            )
        return self

    def events(self) -> Iterator[PortEvent]:
        """See `Player`."""
        bound_decoders()
        at = self._files[0][0]
        yield Opened(at=at, port=f"replay:{self._path}", passive=True)
        for at, file in self._files:
            try:
                image, damage = load_image(file)
            except PictureInvalid:
                damage = "no picture"
            if damage:
                self.damaged += 1
            else:
                yield Frame(at=at, image=image)
        yield Closed(at=at, reason="ended", why=f"the recording is over, {self.damaged} damaged pictures skipped")


class VideoPort(Player):
    """Yields a video's pictures with their times in it, then `Closed` with reason `ended`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damaged = 0
        """Pictures that the video should have had and has not: its end is missing."""

    async def __aenter__(self) -> Self:
        """Look whether it can be opened. Raises RecordingInvalid where it cannot."""
        if self._path.suffix.lower() in SUFFIXES:
            raise RecordingInvalid(f"{self._path} is a single picture: see inlane-agent read")
        if not looks_like_video(self._path) or next(self._pictures(), None) is None:
            raise RecordingInvalid(f"{self._path} is no recording of a display: no video that can be opened")
        return self

    def events(self) -> Iterator[PortEvent]:
        """See `Player`."""
        at, first = 0, True
        for at, image in self._pictures():
            if first:
                first = False
                yield Opened(at=at, port=f"replay:{self._path}", passive=True)
            yield Frame(at=at, image=image)
        yield Closed(at=at, reason="ended", why=f"the recording is over, {self.damaged} pictures are missing")

    def _pictures(self) -> Iterator[tuple[int, Image]]:
        """Pictures and their times; nothing where it is no video. Raises RecordingInvalid for one that is too large."""
        bound_decoders()
        import cv2  # noqa: PLC0415 - bounded first

        with overheard():
            video = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        try:
            wide, high = video.get(cv2.CAP_PROP_FRAME_WIDTH), video.get(cv2.CAP_PROP_FRAME_HEIGHT)
            if wide * high > MOST_PIXELS:
                raise RecordingInvalid(f"{self._path}: more than {MOST_PIXELS // 10**6} million pixels a picture")
            rate = video.get(cv2.CAP_PROP_FPS)
            step = 1000 / rate if 0.01 < rate < 1000 else 40.0
            at, count = -1, 0
            while True:
                with overheard():
                    good, image = video.read()
                if not good or image is None:
                    break
                told = video.get(cv2.CAP_PROP_POS_MSEC)
                told = told if told > 0 else count * step
                at, count = max(at, round(told)), count + 1
                yield at, image.astype("uint8", copy=False)
            self.damaged = max(0, min(10**9, round(video.get(cv2.CAP_PROP_FRAME_COUNT))) - count)
        except cv2.error:
            self.damaged += 1
        finally:
            video.release()
