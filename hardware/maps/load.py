"""Loading a memory map: a file, or a folder of maps with its index.

Here: from files to a `MemoryMap`, and which revision of the program it is for. Not here: descriptors (`fields`),
platforms (`platform`). Only what a tournament needs of the game's state is read: high scores, audits and adjustments
are left alone, and so are mistakes in them. Invariant: a map without scores is refused.
"""

import re
from dataclasses import replace
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any, cast, get_args

from hardware.errors import MapInvalid
from hardware.maps.fields import Defaults, parse_field
from hardware.maps.model import Field, MemoryMap, Nibble
from hardware.maps.numbers import Part, read_json
from hardware.maps.platform import FLAT, find_platform
from hardware.maps.sums import parse_sums

MOST_PLAYERS = 16
INDEX = "index.json"

SINGLE = (
    *("player_count", "current_player", "current_ball", "ball_count", "game_over", "tilted", "slam_tilted"),
    *("tilt_warnings", "credits", "max_credits", "extra_balls", "free_play", "service_mode"),
)
"""The values that are read, by their names in `game_state`. `slam_tilted` and `service_mode` are names of our own."""
_OLD_NAMES = {"game_over": "attract"}
"""Until 0.8 an enumeration said so: 0 in game, 1 attract."""
_FOLDERS_UP = 8
_MOST_ROMS = 500


def load_map(path: Path, *, rom: str | None = None) -> MemoryMap:
    """Load a map's file; or, of a folder with an `index.json`, the map of `rom`.

    Raises MapInvalid: a mistake in a file (with its key), a missing platform, a folder without the revision.
    """
    several: tuple[str, ...] = ()
    if path.is_dir():
        path = _from_index(path, rom)
    else:
        several = _others(path)
    file = str(path)
    document = read_json(path, "memory map")
    meta = Part(file, "_metadata", document.get("_metadata", {}))
    roms = tuple(_names(meta, document))
    state = _state(document, file)
    defaults = _defaults(path, document, meta)
    scores = _list(state, "scores", defaults)
    memory_map = MemoryMap(
        file=path.name,
        platform=defaults.platform,
        roms=roms,
        several=several,
        scores=scores,
        finals=_list(state, "final_scores", defaults),
        fields=dict(_single(state, defaults)),
        sums=parse_sums(document),
    )
    return memory_map.of(rom.lower() if rom else None)


def shipped_map(name: str) -> MemoryMap:
    """A map that comes with Inlane, of our own making. Raises MapInvalid for a name that there is not."""
    folder = resources.files("hardware.maps") / "own"
    with resources.as_file(folder) as place:
        path = place / f"{name}.map.json"
        if not re.fullmatch(r"[a-z0-9-]{1,40}", name) or not path.is_file():
            there = ", ".join(sorted(one.name.removesuffix(".map.json") for one in place.glob("*.map.json")))
            raise MapInvalid(f"no memory map that comes with Inlane is called {name!r}; there are: {there}")
        return load_map(path)


def rom_of_image(memory_map: MemoryMap, path: Path) -> str | None:
    """The revision by an image's file name, as PinMAME names it (`afm_113b.nv`); None where the name says nothing.

    A name of the same game that the map does not list is an unlisted revision.
    """
    token = re.match(r"[a-z0-9_]+", path.name.lower())
    name = token[0] if token else ""
    named = [rom for rom in memory_map.roms if name == rom or name.startswith(f"{rom}_")]
    if named:
        return max(named, key=len)
    families = {rom.partition("_")[0] for rom in memory_map.roms if "_" in rom}
    family, underscore, _ = name.partition("_")
    return name if underscore and family in families else None


def _state(document: dict[str, Any], file: str) -> Part:
    """The game's state; of old maps with what `last_game` says."""
    state = document.get("game_state")
    last = document.get("last_game")
    if state is None and last is None:
        raise MapInvalid(f"{file}: key 'game_state' is missing: this map says nothing of a game's scores")
    part = Part(file, "game_state", {} if state is None else state)
    if "scores" in part or last is None:
        return part
    return Part(file, "game_state", {**(state or {}), "scores": last})


def _defaults(path: Path, document: dict[str, Any], meta: Part) -> Defaults:
    file = str(path)
    old = Part(file, "", document)
    values = meta.get("values") or document.get("_values")
    nibble = meta.get("nibble") or document.get("_nibble")
    if nibble is not None and nibble not in get_args(Nibble):
        raise old.wrong("_nibble", "both, high or low")
    if "platform" in meta:
        platform = find_platform(meta.get("platform"), map_file=path, file=file)
    else:
        little = (meta if "endian" in meta else old).choice
        endian = little("endian" if "endian" in meta else "_endian", ("big", "little"), "big")
        platform = replace(FLAT, little=endian == "little")
    return Defaults(
        platform=platform,
        nibble=cast("Nibble | None", nibble),
        little=platform.little,
        values=None if values is None else Part(file, "_metadata.values", values),
    )


def _names(meta: Part, document: dict[str, Any]) -> list[str]:
    owner, key = (meta, "roms") if "roms" in meta else (Part(meta.file, "", document), "_roms")
    names = owner.list(key, _MOST_ROMS)
    if not all(isinstance(name, str) and 0 < len(name) <= 40 for name in names):
        raise owner.wrong(key, "a list of the revisions' names")
    return [name.lower() for name in names]


def _list(state: Part, name: str, defaults: Defaults) -> tuple[Field, ...]:
    values = state.list(name, MOST_PLAYERS)
    if name == "scores" and not values:
        raise state.wrong(name, f"a list of 1 to {MOST_PLAYERS} scores")
    fields = tuple(
        parse_field(value, file=state.file, key=f"game_state.{name}[{number}]", defaults=defaults)
        for number, value in enumerate(values)
    )
    for one in fields:
        if one.encoding not in {"bcd", "int"}:
            raise MapInvalid(f"{state.file}: key '{one.key}.encoding': a score is bcd or int, not {one.encoding!r}")
    return fields


def _single(state: Part, defaults: Defaults) -> list[tuple[str, Field]]:
    fields = []
    for name in SINGLE:
        key = name if name in state else _OLD_NAMES.get(name, name)
        if key not in state:
            continue
        one = parse_field(state.get(key), file=state.file, key=f"game_state.{key}", defaults=defaults)
        if one.encoding in {"ch", "raw", "wpc_rtc"}:
            raise MapInvalid(f"{state.file}: key '{one.key}.encoding': a number is needed, not {one.encoding!r}")
        fields.append((name, one))
    return fields


def _from_index(folder: Path, rom: str | None) -> Path:
    """The map's file of a revision, by the folder's index."""
    if not (folder / INDEX).is_file():
        raise MapInvalid(f"'{folder}' has no {INDEX}: name one map's file, or the folder that has all maps")
    index = read_json(folder / INDEX, "index of memory maps")
    if rom is None:
        raise MapInvalid(f"{folder} holds many maps: say which revision (PinMAME's name, such as afm_113b) with rom")
    place = index.get(rom.lower())
    if not isinstance(place, str):
        raise MapInvalid(f"{folder / INDEX} has no map of revision {rom!r}")
    inside = PurePosixPath(place)
    if inside.is_absolute() or ".." in inside.parts:
        raise MapInvalid(f"{folder / INDEX}: key {rom!r}: a file within the folder is needed, not {place[:60]!r}")
    return folder / inside


def _others(path: Path) -> tuple[str, ...]:
    """Other maps of the same game, where the map lies in a folder of maps with an index."""
    folder = path.absolute().parent
    for place in (folder, *list(folder.parents)[:_FOLDERS_UP]):
        if (place / INDEX).is_file() and (place / "platforms").is_dir():
            return _others_in(place, path)
    return ()


def _others_in(folder: Path, path: Path) -> tuple[str, ...]:
    try:
        index = read_json(folder / INDEX, "index of memory maps")
    except MapInvalid:
        return ()
    places = {rom: place for rom, place in index.items() if isinstance(place, str) and "_" in rom.strip("_")}
    own = path.absolute()
    families = {rom.partition("_")[0] for rom, place in places.items() if folder.absolute() / place == own}
    others = {place for rom, place in places.items() if rom.partition("_")[0] in families}
    return tuple(sorted(PurePosixPath(place).name for place in others if folder.absolute() / place != own))
