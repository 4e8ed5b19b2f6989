"""Pictures from files: bounded before they are decoded, upright, and refused where a part of them is missing.

Nothing is understood here but files. Invariant: a picture that comes out is whole, or what is wrong with it is said;
no decoder makes up a missing part unnoticed, and none says anything of its own on standard error.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.errors import PictureInvalid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_BYTES = 64 * 1024 * 1024
MOST_PIXELS = 64_000_000


def bound_decoders() -> None:
    """Call before OpenCV is loaded: it decodes nothing larger then, and says nothing of its own."""
    os.environ |= {
        "OPENCV_IO_MAX_IMAGE_PIXELS": str(MOST_PIXELS), "OPENCV_LOG_LEVEL": "OFF", "OPENCV_FFMPEG_LOGLEVEL": "-8"
    }  # fmt: skip


def load_image(path: Path) -> tuple["NDArray[np.uint8]", str]:
    """The picture, upright by its EXIF orientation, as BGR of 8 bit, and what is wrong with its file (empty: nothing).

    Size is checked in the file's header before anything is decoded. Raises PictureInvalid. A damaged JPEG decodes, with
    the damaged part made up: what the decoder says of it, on standard error alone, is taken from there.
    """
    data = _load_bytes(path)
    size = picture_size(data)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise PictureInvalid(
            f"{size[0]} x {size[1]} pixels are more than {MOST_PIXELS // 10**6} million: make the picture smaller"
        )
    _refuse_cut(data)
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    with overheard() as said:
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except (cv2.error, MemoryError):
            image = None
    if b"premature end" in said:
        raise PictureInvalid("the file is damaged: a part of the picture is missing")
    if image is None:
        raise PictureInvalid("not a picture that can be opened (JPEG, PNG, TIFF, BMP and WebP can)")
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        raise PictureInvalid(f"more than {MOST_PIXELS // 10**6} million pixels: make the picture smaller")
    damage = "the file is damaged: a part of the picture may be wrong" if b"Corrupt JPEG" in said else ""
    return np.asarray(image, np.uint8), damage


@contextlib.contextmanager
def overheard() -> Iterator[bytearray]:
    """What libraries in C say on standard error meanwhile: it is no line of ours, and is handed out instead."""
    said = bytearray()
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(tempfile.TemporaryFile())
            kept = os.dup(2)
        except OSError:  # no room, or no standard error
            yield said
            return
        os.dup2(file.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            said += file.read(65_536)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height by the header of a JPEG, PNG, BMP or GIF; None where the header does not tell."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:2] == b"BM":
        return abs(int.from_bytes(data[18:22], "little", signed=True)), abs(
            int.from_bytes(data[22:26], "little", signed=True)
        )
    if data[:3] == b"GIF":
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    for marker, start, _ in _segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            return int.from_bytes(data[start + 3 : start + 5], "big"), int.from_bytes(
                data[start + 1 : start + 3], "big"
            )
    return None


def _segments(data: bytes) -> list[tuple[int, int, int]]:
    """A JPEG's (marker, start, stop) up to and with the first scan; nothing for other files."""
    found: list[tuple[int, int, int]] = []
    if data[:2] != b"\xff\xd8":
        return found
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        found.append((marker, at + 4, at + 2 + length))
        if marker == 0xDA or length < 2:
            break
        at += 2 + length
    return found


def _refuse_cut(data: bytes) -> None:
    """A file that ends in the middle would decode to a picture with its lower part invented."""
    if data[:2] == b"\xff\xd8":
        segments = _segments(data)
        scan = segments[-1][2] if segments and segments[-1][0] == 0xDA else None
        if scan is None or data.find(b"\xff\xd9", scan) < 0:
            raise PictureInvalid("the file is cut off: its end is missing")
    if data[:8] == b"\x89PNG\r\n\x1a\n" and b"IEND" not in data[-64:]:
        raise PictureInvalid("the file is cut off: its end is missing")


def _load_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureInvalid("a folder, not a picture: name the pictures in it, or read it as a recording (replay)")
        if path.exists() and not path.is_file():  # waiting for a pipe's or a terminal's bytes would never end
            raise PictureInvalid("a pipe or a device, not a picture: save the picture in a file")
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            raise PictureInvalid(f"larger than {MOST_BYTES >> 20} MB: not a picture of a display")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PictureInvalid(error.strerror or "cannot be opened") from None
    if not data:
        raise PictureInvalid("the file is empty")
    if len(data) > MOST_BYTES:
        raise PictureInvalid(f"larger than {MOST_BYTES >> 20} MB: not a picture of a display")
    return data
