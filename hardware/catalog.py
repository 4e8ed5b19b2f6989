"""The machines we know: the profiles that come with Inlane, and those of one's own by their file's path.

Here: finding and loading profiles. Not here: what a profile may say (`hardware.profile`).
Invariant: a profile's file is named by its id, so that a name always means one file.
"""

import difflib
import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from hardware.atlas import MOST_CHARACTERS, Atlas, parse_atlas
from hardware.displays import DotMatrix
from hardware.errors import ProfileInvalid
from hardware.files import read_text
from hardware.maps.load import load_map, shipped_map
from hardware.profile import MachineProfile, parse_profile

_MOST_BYTES = 64 * 1024
_MOST_ATLASES = 32
OWN_MAP = "own:"
"""What a profile writes before the name of a memory map that comes with Inlane."""


def profile_names() -> list[str]:
    """The ids of the profiles that come with Inlane, sorted."""
    return sorted([*generic_names(), *machine_names()])


def generic_names() -> list[str]:
    """Those of them that are for any machine of a kind: a wire, a display."""
    return _names(_profiles())


def machine_names() -> list[str]:
    """Those of real machines."""
    return _names(_profiles() / "machines")


def load_profile(name_or_path: str) -> MachineProfile:
    """Load a profile by its id, or from a file (anything with a slash or ending in .toml).

    Raises ProfileInvalid: unknown (with the names there are), unreadable, or with a mistake in it; MapInvalid: so is
    the memory map that it names.
    """
    text = profile_text(name_or_path)
    if not _is_path(name_or_path):
        return _with_map(parse_profile(text, file=f"{name_or_path}.toml"), None)
    folder = Path(name_or_path).parent
    return _with_map(_with_fonts(parse_profile(text, file=name_or_path), folder), folder)


def profile_text(name_or_path: str) -> str:
    """The profile's TOML as it stands, by id or from a file. Raises ProfileInvalid: unknown or unreadable."""
    if _is_path(name_or_path):
        return read_text(Path(name_or_path), "machine profile", _MOST_BYTES, ProfileInvalid)
    for folder in (_profiles(), _profiles() / "machines"):
        if re.fullmatch(r"[a-z0-9-]{1,40}", name_or_path) and (folder / f"{name_or_path}.toml").is_file():
            return (folder / f"{name_or_path}.toml").read_text(encoding="utf-8")
    close = difflib.get_close_matches(name_or_path, machine_names(), n=5)
    raise ProfileInvalid(
        f"no profile is called {name_or_path[:60]!r}; there are: {', '.join([*generic_names(), *close])} and those of"
        " real machines (see inlane-agent profiles; a profile of your own is given as the path of its .toml file)"
    )


def _profiles() -> Traversable:
    return resources.files("hardware") / "profiles"


def _names(folder: Traversable) -> list[str]:
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def _is_path(name: str) -> bool:
    return "/" in name or name.endswith(".toml")


def _with_fonts(profile: MachineProfile, folder: Path) -> MachineProfile:
    """The profile with the font atlases that it names loaded from beside it."""
    display = profile.display
    if not isinstance(display, DotMatrix) or not display.fonts:
        return profile
    files = [file for name in display.fonts for file in _atlas_files(folder / name)]
    if len(files) > _MOST_ATLASES:
        raise ProfileInvalid(f"profile {profile.id!r}: more than {_MOST_ATLASES} font atlases")
    atlases = tuple(_load_atlas(file, display) for file in files)
    return profile.model_copy(update={"display": display.with_atlases(atlases)})


def _with_map(profile: MachineProfile, folder: Path | None) -> MachineProfile:
    """The profile with the memory map that it names loaded: `own:NAME` comes with Inlane, others lie beside it."""
    table = profile.memory
    if table is None or table.map is None:
        return profile
    if table.map.startswith(OWN_MAP):
        loaded = shipped_map(table.map.removeprefix(OWN_MAP)).of(table.rom)
    elif folder is None:
        raise ProfileInvalid(f"profile {profile.id!r}: a profile that comes with Inlane has maps of its own alone")
    else:
        loaded = load_map(folder / table.map, rom=table.rom)
    return profile.model_copy(update={"memory": table.with_map(loaded)})


def _atlas_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.atlas"))[: _MOST_ATLASES + 1]
    if not files:
        raise ProfileInvalid(f"{path}: a folder without a font atlas in it (NAME.atlas)")
    return files


def _load_atlas(file: Path, display: DotMatrix) -> Atlas:
    atlas = parse_atlas(read_text(file, "font atlas", MOST_CHARACTERS, ProfileInvalid), file=str(file))
    if (atlas.columns, atlas.rows) != (display.columns, display.rows):
        raise ProfileInvalid(
            f"{file}: made for a display of {atlas.columns}x{atlas.rows} dots, not {display.columns}x{display.rows}"
        )
    return atlas
