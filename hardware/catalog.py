"""The machines we know: the profiles that come with Inlane, and those of one's own by their file's path.

Here: finding and loading profiles. Not here: what a profile may say (`hardware.profile`).
Invariant: a profile's file is named by its id, so that a name always means one file.
"""

import errno
import os
from importlib import resources
from pathlib import Path

from hardware.errors import ProfileInvalid
from hardware.profile import MachineProfile, parse_profile

_MOST_BYTES = 64 * 1024


def profile_names() -> list[str]:
    """The ids of the profiles that come with Inlane, sorted."""
    folder = resources.files("hardware") / "profiles"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load_profile(name_or_path: str) -> MachineProfile:
    """Load a profile by its id, or from a file (anything with a slash or ending in .toml).

    Raises ProfileInvalid: unknown (with the names there are), unreadable, or with a mistake in it.
    """
    if "/" in name_or_path or name_or_path.endswith(".toml"):
        return parse_profile(_read(Path(name_or_path)), file=name_or_path)
    names = profile_names()
    if name_or_path not in names:
        raise ProfileInvalid(
            f"no profile is called {name_or_path!r}; there are: {', '.join(names)}"
            " (a profile of your own is given as the path of its .toml file)"
        )
    resource = resources.files("hardware") / "profiles" / f"{name_or_path}.toml"
    return parse_profile(resource.read_text(encoding="utf-8"), file=f"{name_or_path}.toml")


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        number = getattr(error, "errno", None)
        why = "it is a folder" if number == errno.EISDIR else os.strerror(number) if number else str(error)
        raise ProfileInvalid(f"cannot read the profile {path}: {why}") from None
    if len(data) > _MOST_BYTES:
        raise ProfileInvalid(f"{path}: larger than {_MOST_BYTES // 1024} KB: this is no machine profile")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ProfileInvalid(f"{path}: not text in UTF-8: this is no machine profile") from None
