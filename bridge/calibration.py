"""A machine's calibration: `calibration/<machine>.toml` beside agent.toml, written by `inlane-agent calibrate`.

A file of its own, so that agent.toml, which people write, is never rewritten by a program. Here: its fields, reading,
writing, and how it goes before what agent.toml says. Invariant: a calibration made for another port or profile than
agent.toml names now does not count, and that is said.
"""

import contextlib
import errno
import json
import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qsl

from pydantic import Field, ValidationError

from bridge.errors import ConfigInvalid
from bridge.parts import CameraPart, Corners, Part, Size
from hardware.ports.camera_options import NAMES, parse_options, with_options

FOLDER = "calibration"
_LARGEST = 64 * 1024
_NOTE = "# Written by `inlane-agent calibrate`, which writes it anew; without this file agent.toml alone counts.\n"

Name = Annotated[str, Field(min_length=1, max_length=2000)]


class Calibration(Part):
    """What was found at the machine. `port` and `profile`: as agent.toml had them then (see `is_for`)."""

    port: Name
    profile: Name
    use_profile: Name | None = None
    """The profile to read with instead: a name, or a file's path from the folder of agent.toml."""
    made_of: Name | None = None
    """The profile that the one in `use_profile` was made of."""
    size: Size | None = None
    corners: Corners | None = None
    camera: CameraPart = CameraPart()


def calibration_file(folder: Path, machine: str) -> Path:
    """Where the calibration of a machine is, `folder` being that of agent.toml."""
    return folder / FOLDER / f"{machine}.toml"


def load_calibration(file: Path) -> Calibration | None:
    """Read it; None where there is none. Raises ConfigInvalid with the file and the key."""
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigInvalid(f"{file}: cannot be read: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise ConfigInvalid(f"{file}: larger than {_LARGEST // 1024} KB: this is no calibration")
    try:
        return Calibration.model_validate(tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n")))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(step) for step in problem["loc"] if not isinstance(step, int))
        why = f"key {key!r}: {str(problem['msg']).removeprefix('Value error, ').splitlines()[0]}"
    except (ValueError, RecursionError) as error:
        why = str(error).splitlines()[0]
    raise ConfigInvalid(f"{file}: no calibration: {why}; calibrate again, or remove the file")


def save_calibration(file: Path, calibration: Calibration) -> None:
    """Write it in one step: whoever reads meanwhile, or a power cut, meets the old file or the new one.

    Raises ConfigInvalid where it cannot be written.
    """
    write_whole({file: format_calibration(calibration)})


def format_calibration(calibration: Calibration) -> str:
    """The file's text."""
    lines = [_NOTE]
    given = calibration.model_dump(exclude_none=True, exclude={"camera"})
    lines += [f"{key} = {toml(value)}\n" for key, value in given.items()]
    lines += ["\n[camera]\n", *(f"{key} = {toml(value)}\n" for key, value in calibration.camera.options().items())]
    return "".join(lines)


def is_for(calibration: Calibration, port: str, profile: str, folder: Path) -> bool:
    """Whether it was made for this port (whatever its camera is fixed to) and profile (paths counted from `folder`)."""
    made_for = (same_port(calibration.port), beside(folder, calibration.profile))
    return made_for == (same_port(port), beside(folder, profile))


def beside(folder: Path, profile: str) -> str:
    """A profile's name as it is, or its file's path counted from the folder."""
    return str(folder / Path(profile).expanduser()) if "/" in profile or profile.endswith(".toml") else profile


def from_folder(folder: Path, profile: str) -> str:
    """A profile's path as it is counted from the folder, where it lies in it; a name as it is."""
    if "/" not in profile and not profile.endswith(".toml"):
        return profile
    path = Path(profile).absolute()
    return str(path.relative_to(folder.absolute())) if path.is_relative_to(folder.absolute()) else str(path)


def camera_of(port: str) -> CameraPart:
    """What the camera of an address is fixed to there. Raises PortInvalid for an address that makes no sense."""
    if not port.startswith("camera:"):
        return CameraPart()
    query = port.partition("?")[2]
    options, given = parse_options(port, query), {key for key, _ in parse_qsl(query, keep_blank_values=True)}
    return CameraPart(**{key: getattr(options, key) for key in CameraPart.model_fields if key in given})


def fix_camera(port: str, camera: CameraPart) -> str:
    """The address with this in the place of whatever it fixed before; others than cameras stay as they are."""
    if not port.startswith("camera:"):
        return port
    return with_options(port, dict.fromkeys(CameraPart.model_fields) | camera.options())


def same_port(port: str) -> str:
    """The address without what a camera may be fixed to."""
    return with_options(port, dict.fromkeys(NAMES)) if port.startswith("camera:") else port


def toml(value: object, *, exact: bool = False) -> str:
    """A value as TOML writes it: texts, whole and other numbers (to four places unless `exact`), truth, and lists."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml(part, exact=exact) for part in value)}]"
    if isinstance(value, int | float):
        return repr(round(value, 4) if isinstance(value, float) and not exact else value)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def write_whole(texts: Mapping[Path, str]) -> None:
    """Write files in one step each, their folders made; none takes its place before all of them are on disk.

    Raises ConfigInvalid with the reason.
    """
    places: dict[Path, Path] = {}
    file = Path()
    try:
        for file, text in texts.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.is_dir():
                raise IsADirectoryError(errno.EISDIR, "it is a folder")
            with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as new:
                places[file] = Path(new.name)
                new.write(text.encode())
                new.flush()
                os.fsync(new.fileno())
            places[file].chmod(0o644)
        for file, place in places.items():
            place.replace(file)
    except OSError as error:
        for place in places.values():
            with contextlib.suppress(OSError):
                place.unlink()
        raise ConfigInvalid(f"{file} cannot be written: {error.strerror}") from None
