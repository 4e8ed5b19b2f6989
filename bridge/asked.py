"""What commands that look at displays are asked alike: `--digits`, `--players` and `--corners`.

Only the call's own words are checked here, not pictures. Invariant: what is asked for is possible, or the call is
refused in one line that says what is allowed.
"""

import argparse
from typing import TYPE_CHECKING, cast

from bridge.errors import InputInvalid

if TYPE_CHECKING:
    from capture.watch import Corners
    from hardware.profile import MachineProfile


def add_display_arguments(parser: argparse.ArgumentParser) -> None:
    """`[--digits N] [--players N] [--corners "x,y x,y x,y x,y"]`."""
    parser.add_argument(
        "--digits", type=int, metavar="N",
        help="how many cells or wheels a score has as built; of dots and screens: the most digits of a score",
    )  # fmt: skip
    parser.add_argument("--players", type=int, metavar="N", help="the most players a game of this machine has")
    parser.add_argument(
        "--corners", metavar='"x,y x,y x,y x,y"',
        help="the display's corners in pixels: top left, top right, bottom right, bottom left (default: found)",
    )  # fmt: skip


def adapt_profile(profile: "MachineProfile", arguments: argparse.Namespace) -> "MachineProfile":
    """The profile of a display with what was asked for in place of its own. Raises InputInvalid."""
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


def asked_corners(arguments: argparse.Namespace) -> "Corners | None":
    """The corners that were asked for, None where the display is to be found. Raises InputInvalid."""
    return None if arguments.corners is None else parse_corners(arguments.corners)


def parse_corners(text: str) -> "Corners":
    """Four points of `"x,y x,y x,y x,y"`. Raises InputInvalid."""
    try:
        points = [tuple(float(part) for part in point.split(",")) for point in text.split()]
    except ValueError:
        points = []
    corners = [(point[0], point[1]) for point in points if len(point) == 2]
    if len(corners) != 4 or len(points) != 4 or not all(abs(value) < 1e6 for corner in corners for value in corner):
        raise InputInvalid(f'--corners needs four points as "x,y x,y x,y x,y" in pixels, not {text[:60]!r}')
    return cast("Corners", tuple(corners))
