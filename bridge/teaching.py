"""Teaching a machine's fonts from files: examples in, an atlas and a profile that uses it out.

Files are opened and written here; what is taught is `capture.vision.atlas_lesson`'s. Invariant: what stands already is
replaced only where it is the profile that was taught or an atlas, and whole files only.
"""

import contextlib
import errno
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.calibration import write_whole
from bridge.errors import BridgeError, ConfigInvalid, InputInvalid
from bridge.examples import Example
from hardware.atlas import FORMAT, Atlas, format_atlas
from hardware.catalog import load_profile, profile_text
from hardware.displays import DotMatrix
from hardware.errors import HardwareError, ProfileInvalid
from hardware.profile import parse_profile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capture.vision.atlas_lesson import Outcome
    from hardware.profile import MachineProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An example opened: a picture (BGR), or exact dots (0 to 1)."""

    example: Example
    image: "NDArray[np.uint8] | None" = None
    dots: "NDArray[np.float32] | None" = None
    why: str = ""
    """Why neither is there."""

    def exact_dots(self, profile: "MachineProfile") -> "NDArray[np.float32] | None":
        """The dots themselves: of a dump, or of a picture of as many pixels as the display has dots."""
        display = profile.display
        if self.image is None or not isinstance(display, DotMatrix):
            return self.dots
        if self.image.shape[:2] != (display.rows, display.columns):
            return None
        import numpy as np  # noqa: PLC0415 - help must be instant

        grey = self.image.max(axis=2).astype(np.float32)
        return np.asarray(grey / np.float32(max(1.0, float(grey.max()))), np.float32)


def open_examples(examples: Iterable[Example]) -> Iterator[Shown]:
    """Open one after another; a dump is read once for all labels of its frames."""
    from hardware.pictures import load_image  # noqa: PLC0415 - help must be instant

    dumps: dict[Path, list[Example]] = {}
    for example in examples:
        if example.path.exists() and not example.path.is_file():  # a pipe would be waited for without end
            yield Shown(example=example, why="no file, but a folder, a pipe or a device")
            continue
        if example.at is not None:
            dumps.setdefault(example.path, []).append(example)
            continue
        try:
            image, damage = load_image(example.path)
        except HardwareError as error:
            yield Shown(example=example, why=str(error))
            continue
        yield Shown(example=example, why=damage) if damage else Shown(example=example, image=image)
    for path, labels in dumps.items():
        yield from _open_dump(path, labels)


def teach_fonts(profile: "MachineProfile", shown: Iterable[Shown]) -> "Outcome":
    """The whole lesson. Raises InputInvalid where the profile has no fonts to teach."""
    from capture.vision.atlas_lesson import Lesson  # noqa: PLC0415 - as above
    from capture.vision.errors import VisionInvalid  # noqa: PLC0415 - as above

    try:
        lesson = Lesson(profile)
    except VisionInvalid as error:
        raise InputInvalid(str(error)) from None
    for one in shown:
        dots = one.exact_dots(profile)
        if dots is not None:
            lesson.show_dots(one.example.name, dots, one.example.value)
        elif one.image is not None:
            lesson.show_picture(one.example.name, one.image, one.example.value)
        else:
            lesson.pass_over(one.example.name, one.why)
    return lesson.finish()


def plan_taught(name_or_path: str, out: Path) -> str:
    """The text of the profile that `write_taught` would write to `out`: call it before a long lesson.

    Raises InputInvalid where a file would be lost or the profile cannot be changed by itself, BridgeError where there
    is no such folder or file.
    """
    if out.suffix != ".toml":
        raise InputInvalid(f"--out names the new profile, a .toml file, not {str(out)!r}")
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}", out.stem):
        raise InputInvalid(f"--out {str(out)!r}: a profile's file is named by letters a to z, digits, -, _ and points")
    file = out.with_suffix(".atlas")
    text = _with_fonts(profile_text(name_or_path), file.name, out.stem if _is_id(out.stem) else None)
    try:
        parse_profile(text, file=str(out))
    except ProfileInvalid as error:
        raise InputInvalid(f"the profile cannot be changed by itself: {error}") from None
    try:
        if not out.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder")
        if out.exists() and not _same(out, name_or_path) and out.read_bytes() != text.encode():
            raise InputInvalid(f"{out} is there already: name another --out, or take it away")
        if file.exists() and not file.read_bytes().startswith(FORMAT.encode()):
            raise InputInvalid(f"{file} is there already and no font atlas: name another --out, or take it away")
    except OSError as error:
        raise BridgeError(f"cannot write {out}: {os.strerror(error.errno or 0)}") from None
    return text


def write_taught(name_or_path: str, out: Path, atlas: Atlas) -> Path:
    """Write the atlas beside `out` and to `out` the profile with the atlas in its `fonts`; return the atlas's path.

    Both or neither. Raises as `plan_taught` does, and BridgeError where the disk refuses.
    """
    text, file = plan_taught(name_or_path, out), out.with_suffix(".atlas")
    try:
        write_whole({file: format_atlas(replace(atlas, machine=out.stem) if _is_id(out.stem) else atlas), out: text})
    except ConfigInvalid as error:
        raise BridgeError(str(error)) from None
    load_profile(str(out))  # what was written must load
    return file


def _is_id(stem: str) -> bool:
    return re.fullmatch(r"[a-z0-9-]{1,40}", stem) is not None


def _open_dump(path: Path, labels: list[Example]) -> Iterator[Shown]:
    import numpy as np  # noqa: PLC0415 - as above

    from hardware.ports.replay_dots import Dump  # noqa: PLC0415 - as above

    wanted = {example.at for example in labels}
    found: dict[int, NDArray[np.uint8]] = {}
    peak = 1
    try:
        for frame in Dump(path):
            peak = max(peak, int(frame.levels.max()))
            if frame.at in wanted:
                found.setdefault(frame.at, frame.levels)
    except HardwareError as error:
        yield from (Shown(example=example, why=str(error)) for example in labels)
        return
    for example in labels:
        levels = found.get(example.at or 0)
        if levels is None:
            yield Shown(example=example, why="the dump has no picture of that time")
        else:
            yield Shown(example=example, dots=levels.astype(np.float32) / np.float32(peak))


def _with_fonts(text: str, name: str, stem: str | None) -> str:
    """The profile's text with `fonts` in its display, and named as its new file where that can be an id."""
    lines = [line for line in text.splitlines() if not re.match(r"\s*fonts\s*=\s*\[[^\]]*\]\s*(#.*)?$", line)]
    at = next((i for i, line in enumerate(lines) if re.match(r"\s*\[display\]\s*(#.*)?$", line)), None)
    if at is None or any(re.match(r"\s*fonts\s*=", line) for line in lines):
        raise InputInvalid(f'the profile cannot be changed by itself: put fonts = ["{name}"] into its [display] table')
    lines.insert(at + 1, f'fonts = ["{name}"]')
    if stem is not None:
        lines = [f'id = "{stem}"' if re.match(r"id\s*=", line) else line for line in lines]
    return "\n".join(lines) + "\n"


def _same(out: Path, name_or_path: str) -> bool:
    with contextlib.suppress(OSError):
        return out.samefile(name_or_path)
    return False
