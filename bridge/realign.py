"""`recalibrate` in a running agent: where the display is now, as well as one picture tells.

Here: what to go on with, and how to say it. Not here: fitting (`capture.vision.align`). Invariant: corners move only
where that is allowed and dots were found that say so; else the display is looked at anew where it was.
"""

from capture.pipeline import Corners
from hardware.displays import DotMatrix
from hardware.ports.base import Image
from hardware.profile import MachineProfile

FAR = 0.25
"""A display found elsewhere must be as wide as before, give or take this part, and near where it was."""


def realign(
    profile: MachineProfile, image: Image, corners: Corners | None, *, may_move: bool
) -> tuple[Corners | None, str]:
    """The corners to go on with, and one line for a person. Slow: as much as a hundred readings."""
    display = profile.display
    if corners is None:
        return None, "the display is looked for anew"
    if not isinstance(display, DotMatrix):
        return corners, "the display is looked at anew, at the same corners"
    from capture.vision.align import align, find_corners  # noqa: PLC0415 -- an agent without cameras needs no OpenCV
    from capture.vision.errors import VisionInvalid  # noqa: PLC0415

    try:
        sits = align(image, display, corners)
    except VisionInvalid as error:
        return corners, f"the corners do not fit the picture: {error}; calibrate this machine"
    if sits is not None and sits.misfit < 1:
        told = f"the dots lie {sits.misfit:.2f} dots off the corners (lattice {sits.quality:.2f})"
        return (sits.corners, f"{told}; the corners were moved to them") if may_move else (corners, told)
    found = find_corners(image, display) if may_move else None
    if found is not None and _is_near(found, corners):
        return found, "the display was found beside its corners, which were moved to it: look at what is read"
    return corners, "no dots are seen at the corners: the camera was moved, or nothing is lit; calibrate this machine"


def _is_near(found: Corners, corners: Corners) -> bool:
    (x, y), width = _middle(found), corners[1][0] - corners[0][0]
    was = _middle(corners)
    alike = abs((found[1][0] - found[0][0]) - width) < FAR * width
    return alike and abs(x - was[0]) < FAR * width and abs(y - was[1]) < FAR * width


def _middle(corners: Corners) -> tuple[float, float]:
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4
