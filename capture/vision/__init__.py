"""Seeing displays: pictures in, readings out. `open_reader` is the one door; models come to it as bytes.

What lives here is pure but for the loading of the shipped networks: no files, cameras, clocks or threads. One
invariant: a digit that was not seen is never invented.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capture.vision.reader import DisplayReader
    from hardware.profile import MachineProfile


def open_reader(profile: "MachineProfile", *, corners: Sequence[tuple[float, float]] | None = None) -> "DisplayReader":
    """A reader for one display of this profile, with the networks that ship with the product.

    `corners`: the display's in the pictures to come, in pixels (top left, top right, bottom right, bottom left); None
    to find it. Raises VisionInvalid when the profile has no display that can be read, or the corners make no sense.
    """
    from capture.vision.networks import load_networks  # noqa: PLC0415 (help must not wait for OpenCV)
    from capture.vision.reader import DisplayReader  # noqa: PLC0415

    return DisplayReader(profile, load_networks(*_models()), corners=corners)


@cache
def _models() -> tuple[bytes, bytes, bytes]:
    folder = files("capture.vision") / "models"
    return tuple((folder / f"{name}.onnx").read_bytes() for name in ("finder", "namer", "strip"))  # type: ignore[return-value]
