"""What several commands are asked alike: `--digits`, `--players`, `--corners` of displays; `--map`, `--rom` of memory.

Only the call's own words are checked here, not pictures. Invariant: what is asked for is possible, or the call is
refused in one line that says what is allowed.
"""

import argparse
import re
from pathlib import Path
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


def add_memory_arguments(parser: argparse.ArgumentParser) -> None:
    """`[--map FILE] [--rom ROM]`."""
    parser.add_argument(
        "--map", metavar="FILE",
        help="of profiles that read a memory: the memory map, or a folder of maps with an index.json",
    )  # fmt: skip
    parser.add_argument(
        "--rom", metavar="ROM", help="the revision of the machine's program, by PinMAME's name, such as afm_113b"
    )


def with_map(profile: "MachineProfile", arguments: argparse.Namespace, image: Path | None = None) -> "MachineProfile":
    """The profile with the memory map that was asked for, for the revision that was asked for.

    Where none was, the profile's own counts, and then the one by which PinMAME would have named `image`. Raises
    InputInvalid where the profile reads no memory, MapInvalid where the map cannot be read.
    """
    table = profile.memory
    if profile.dialect != "memory" or table is None:
        for option in ("map", "rom"):
            if getattr(arguments, option) is not None:
                raise InputInvalid(f"--{option}: profile {profile.id!r} reads no memory; one that does is pinmame-map")
        return profile
    from hardware.maps.load import load_map  # noqa: PLC0415 - help must be instant
    from hardware.ports.replay_memory import rom_of_recording  # noqa: PLC0415

    rom: str | None = arguments.rom or table.rom
    if rom is not None and not re.fullmatch(r"[A-Za-z0-9_]{1,40}", rom):
        raise InputInvalid(f"--rom {rom[:60]!r}: PinMAME's names have 1 to 40 of a-z, 0-9 and _")
    place = Path(arguments.map) if arguments.map is not None else None
    if place is not None:
        named = re.match(r"[a-z0-9_]{1,40}", image.name.lower()) if image and place.is_dir() else None
        loaded = load_map(place, rom=rom or (named[0] if named else None))
    elif table.loaded is not None:
        loaded = table.loaded.of(rom.lower() if rom else table.loaded.rom)
    else:
        return profile
    if loaded.rom is None and image is not None:
        loaded = loaded.of(rom_of_recording(image, loaded))
    return profile.model_copy(update={"memory": table.with_map(loaded)})


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
