"""Seeing displays: pictures in, readings out. `open_reader` is the one door; models come to it as bytes.

What lives here is pure but for the loading of the shipped networks: no files, cameras, clocks or threads. One
invariant: a digit that was not seen is never invented.
"""

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from capture.vision.base import Reader
    from hardware.profile import MachineProfile

_READERS = {
    "dmd": "capture.vision.reader",
    "segments": "capture.vision.segments",
    "reels": "capture.vision.reels",
    "lcd": "capture.vision.tesseract",
    "lights": "capture.vision.lights",
}
"""Kind of display: the module whose `open_display(profile, corners)` makes its reader; loaded only when asked for."""


def open_reader(profile: "MachineProfile", *, corners: Sequence[tuple[float, float]] | None = None) -> "Reader":
    """A reader for one display of this profile, with the networks that ship with the product.

    `corners`: the display's in the pictures to come, in pixels (top left, top right, bottom right, bottom left); None
    to find it. Raises VisionInvalid when the profile has no display that can be read, or the corners make no sense.
    """
    from capture.vision.errors import VisionInvalid  # noqa: PLC0415 (help must not wait for OpenCV)
    from capture.vision.rectify import check_corners  # noqa: PLC0415

    if profile.display is None:
        raise VisionInvalid(f"profile {profile.id!r} has no display to read")
    if corners is not None:
        check_corners(corners)
    module = importlib.import_module(_READERS[profile.display.type])
    return cast("Reader", module.open_display(profile, corners))
