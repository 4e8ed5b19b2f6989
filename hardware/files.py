"""Files from outside, read whole.

Invariant: nothing larger than its limit is held, and an error is one line that names the file.
"""

import errno
import os
from pathlib import Path

from hardware.errors import HardwareError


def read_file(path: Path, what: str, most: int, wrong: type[HardwareError]) -> bytes:
    """A file's bytes. Raises `wrong` where it cannot be read or is larger than `most`; `what` it should be."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        number = getattr(error, "errno", None)
        why = "it is a folder" if number == errno.EISDIR else os.strerror(number) if number else str(error)
        raise wrong(f"cannot read the {what.removeprefix('machine ')} {str(path)!r}: {why}") from None
    if len(data) > most:
        raise wrong(f"{path}: larger than {most >> 10} KB: this is no {what}")
    return data


def read_text(path: Path, what: str, most: int, wrong: type[HardwareError]) -> str:
    """The same of a text in UTF-8, with either line end."""
    try:
        return read_file(path, what, most, wrong).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise wrong(f"{path}: not text in UTF-8: this is no {what}") from None
