"""`inlane-agent read`: still pictures of a display through the reader, one answer a picture.

Files are opened and decoded here, bounded before they are decoded; what they show is capture's. Invariant: a bad file
costs one line on standard error and status 1, and the files after it are read all the same.
"""

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capture.vision.reading import Reading
    from hardware.profile import MachineProfile

MOST_BYTES = 64 * 1024 * 1024
MOST_PIXELS = 64_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--profile PROFILE [--digits N] [--players N] [--corners ...] IMAGE... [--json]`."""
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a picture of the display (JPEG, PNG, TIFF, ...)")
    parser.add_argument("--profile", required=True, help="the machine's profile: a name (see profiles) or a .toml file")
    parser.add_argument("--digits", type=int, metavar="N", help="the most digits a score of this machine has")
    parser.add_argument("--players", type=int, metavar="N", help="the most players a game of this machine has")
    parser.add_argument(
        "--corners", metavar='"x,y x,y x,y x,y"',
        help="the display's corners in pixels: top left, top right, bottom right, bottom left (default: found)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON object a picture instead of a line for people")


def run(arguments: argparse.Namespace) -> int:
    """Read each picture. Status 1 if any could not be opened, 2 if the call was wrong."""
    from hardware.catalog import load_profile  # noqa: PLC0415 - help must be instant

    profile = _adapt(load_profile(arguments.profile), arguments)
    corners = None if arguments.corners is None else parse_corners(arguments.corners)
    # before OpenCV is loaded: it decodes nothing larger, and says nothing of its own
    os.environ |= {"OPENCV_IO_MAX_IMAGE_PIXELS": str(MOST_PIXELS), "OPENCV_LOG_LEVEL": "OFF"}
    from capture.vision import open_reader  # noqa: PLC0415
    from capture.vision.errors import VisionInvalid  # noqa: PLC0415

    status = 0
    for name in arguments.images:
        try:
            image, damage = load_image(Path(name))
            reading = open_reader(profile, corners=corners).read(image)
        except (PictureInvalid, VisionInvalid) as error:
            print(f"inlane-agent: {printable(name)}: {error}", file=sys.stderr)  # noqa: T201
            status = max(status, 1 if isinstance(error, PictureInvalid) else 2)
            continue
        if damage:
            reading = replace(reading, accepted=False, why=damage)
        print(_as_json(name, reading) if arguments.json else _as_line(name, reading), flush=True)  # noqa: T201
    return status


class PictureInvalid(Exception):
    """One file is no picture that can be read; the text says why."""


def parse_corners(text: str) -> list[tuple[float, float]]:
    """Four points of `"x,y x,y x,y x,y"`. Raises InputInvalid."""
    from bridge.errors import InputInvalid  # noqa: PLC0415

    try:
        points = [tuple(float(part) for part in point.split(",")) for point in text.split()]
    except ValueError:
        points = []
    corners = [(point[0], point[1]) for point in points if len(point) == 2]
    if len(corners) != 4 or len(points) != 4 or not all(abs(value) < 1e6 for corner in corners for value in corner):
        raise InputInvalid(f'--corners needs four points as "x,y x,y x,y x,y" in pixels, not {text[:60]!r}')
    return corners


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

    with _overheard() as said:
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
def _overheard() -> Iterator[bytearray]:
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


def printable(name: str) -> str:
    """A file's name on one line, in letters that can be printed."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)


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
            raise PictureInvalid("a folder, not a picture")
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


def _adapt(profile: "MachineProfile", arguments: argparse.Namespace) -> "MachineProfile":
    from bridge.errors import InputInvalid  # noqa: PLC0415

    if profile.kind != "display":
        raise InputInvalid(f"profile {profile.id!r} has no display: it is heard by wire; see: inlane-agent profiles")
    changes: dict[str, int] = {}
    for key, most in (("digits", 19), ("players", 16)):
        value = getattr(arguments, key)
        if value is None:
            continue
        if not 1 <= value <= most:
            raise InputInvalid(f"--{key} must be between 1 and {most}, not {value}")
        changes[key] = value
    return profile.model_copy(update=changes)


def _as_json(name: str, reading: "Reading") -> str:
    scores = [
        {
            "player": score.player, "score": score.score, "text": score.text, "state": score.state,
            "candidates": list(score.candidates), "confidence": score.confidence,
        }
        for score in reading.scores
    ]  # fmt: skip
    name = name.encode("utf-8", "replace").decode()  # bytes that are no text would be no JSON
    answer = {
        "file": name, "display": reading.display, "scores": scores, "accepted": reading.accepted, "why": reading.why,
        "words": list(reading.words),
    }  # fmt: skip
    return json.dumps(answer)


def _as_line(name: str, reading: "Reading") -> str:
    name = printable(name)
    if not reading.scores:
        return f"{name}: no score: {reading.why}"
    first, *others = reading.scores
    said = f"{first.score:,}" if first.score is not None else first.text
    player = "" if first.player is None else f"player {first.player}: "
    verdict = "accepted" if reading.accepted else f"held: {reading.why}"
    rest = "".join(f"; player {s.player}: {s.text}" for s in others)
    return f"{name}: {player}{said} ({verdict}; sure to {first.confidence:.2f}){rest}"
