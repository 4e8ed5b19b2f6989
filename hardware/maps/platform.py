"""Platform files: which memory a kind of board has, and in which order an image file holds it.

Here: finding and reading them. They lie in a folder `platforms` beside the map or above it, as the Pinball Memory Maps
project lays them out. Invariant: no two regions that can be read overlap, and all are bounded.
"""

import itertools
from pathlib import Path
from typing import cast, get_args

from hardware.errors import MapInvalid
from hardware.maps.model import Nibble, Platform, Region
from hardware.maps.numbers import Part, read_json

MOST_MEMORY = 16 << 20
"""Bytes of all regions that can be read, together."""
_MOST_REGIONS = 64
_FOLDERS_UP = 8
_READABLE = {"ram": False, "nvram": True}

FLAT = Platform(name="", regions=(Region(address=0, size=MOST_MEMORY, kept=True),))
"""Before file format 0.7 a map names no platform: its addresses are places in the image file."""


def find_platform(name: object, *, map_file: Path, file: str) -> Platform:
    """The platform of a map. Raises MapInvalid: no such file, or a mistake in it."""
    if not isinstance(name, str) or not name or len(name) > 80 or not name.replace("-", "").replace(".", "").isalnum():
        raise MapInvalid(f"{file}: key '_metadata.platform': the name of a file in a folder platforms is needed")
    folder = map_file.absolute().parent
    for place in (folder, *list(folder.parents)[:_FOLDERS_UP]):
        found = place / "platforms" / f"{name}.json"
        if found.is_file():
            return load_platform(found)
    raise MapInvalid(
        f"{file}: its platform is missing: put platforms/{name}.json beside the map (it comes with the maps)"
    )


def load_platform(path: Path) -> Platform:
    """Read one platform file. Raises MapInvalid."""
    part = Part(str(path), "", read_json(path, "platform file"))
    regions = tuple(
        region
        for number, value in enumerate(part.list("memory_layout", _MOST_REGIONS))
        if (region := _region(Part(str(path), f"memory_layout[{number}]", value))) is not None
    )
    if not regions:
        raise part.wrong("memory_layout", "a list with memory of type ram or nvram")
    ordered = sorted(regions, key=lambda region: region.address)
    if any(one.address + one.size > other.address for one, other in itertools.pairwise(ordered)):
        raise MapInvalid(f"{path}: key 'memory_layout': two regions overlap")
    if sum(region.size for region in regions) > MOST_MEMORY:
        raise MapInvalid(f"{path}: key 'memory_layout': more than {MOST_MEMORY >> 20} MB of memory")
    little = part.choice("endian", ("big", "little"), "big") == "little"
    return Platform(name=path.stem, little=little, regions=regions)


def _region(part: Part) -> Region | None:
    """One region; None where it holds no values (a ROM)."""
    kind = part.get("type")
    if kind not in _READABLE:
        return None
    return Region(
        address=part.whole("address", 0, (1 << 32) - 1),
        size=part.whole("size", 1, MOST_MEMORY),
        kept=_READABLE[kind],
        nibble=cast("Nibble", part.choice("nibble", get_args(Nibble), "both")),
    )
