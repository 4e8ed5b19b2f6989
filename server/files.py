"""Files that are there whole or not at all, whatever happens while they are written."""

import os
import secrets
from pathlib import Path


def write_whole(target: Path, data: bytes, *, beside: Path) -> None:
    """Write and synchronise under another name in the folder `beside` (of the same disk), then put it in place.

    The other name is one that nobody can have made into a link. Raises OSError; nothing is left then.
    """
    part = beside / f".{secrets.token_hex(8)}.part"
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
