"""Which recording is read how: the table of readers, by what a profile hears and by what the file looks like.

Here: the choice alone. The readers are ports, a module each. Invariant: a file is read in one way only, and one that
fits none is refused in a line that says which would.
"""

from collections.abc import Callable
from pathlib import Path

from hardware.errors import RecordingInvalid
from hardware.ports.base import Player
from hardware.ports.replay import RawPort, ReplayPort, hides_text, looks_like_lines
from hardware.ports.replay_dots import DotsPort, looks_like_dump
from hardware.ports.replay_memory import open_memory
from hardware.ports.replay_pictures import SUFFIXES, FolderPort, VideoPort, looks_like_video
from hardware.profile import BINARY, MachineProfile

LINE_RATE, NETWORK_RATE = 11_520, 115_200
"""Bytes a second at which raw bytes are taken to have come: of a serial line at 115200 baud (ten bits a byte), and ten
times that for colour pictures by network."""


def open_recording(path: Path, profile: MachineProfile, *, rate: float | None = None) -> Player:
    """The recording as a port for a machine of this profile; enter it before its events are taken.

    `rate`: the file is bytes as they came, so many a second. Raises RecordingInvalid.
    """
    if rate is not None:
        if profile.dialect is None:
            raise RecordingInvalid(
                f"profile {profile.id!r} is seen and not heard: raw bytes, and how fast, mean nothing"
            )
        return RawPort(path, rate=rate)
    reader = READERS.get(profile.dialect or "")
    if reader is not None and (player := reader(path, profile)) is not None:
        return player
    if profile.display is not None:
        return _open_display(path, profile)
    return ReplayPort(path, binary=path.is_file() and hides_text(path))


def _open_bytes(path: Path, profile: MachineProfile) -> Player | None:
    """Hexadecimal lines, or raw bytes; None where it is pictures that can be seen."""
    if profile.display is not None and _shows(path):
        return None
    if path.is_dir() or looks_like_lines(path, binary=True):
        return ReplayPort(path, binary=True)
    return RawPort(path, rate=NETWORK_RATE if profile.dialect == "libdmdutil" else LINE_RATE)


def _open_memory(path: Path, profile: MachineProfile) -> Player | None:
    """Memory images, or lines of them; None where it is what a memory reader said."""
    memory_map = profile.memory.loaded if profile.memory else None
    if memory_map is not None and not path.is_dir() and looks_like_lines(path, binary=False):
        return None
    return open_memory(path, memory_map)


def _open_lines(path: Path, profile: MachineProfile) -> Player | None:
    """Raw bytes of a serial line; None where its lines have times."""
    del profile
    return None if path.is_dir() or looks_like_lines(path, binary=False) else RawPort(path, rate=LINE_RATE)


READERS: dict[str, Callable[[Path, MachineProfile], Player | None]] = {
    **dict.fromkeys(BINARY, _open_bytes),
    "memory": _open_memory,
    "lines": _open_lines,
    "vector": _open_lines,
}
"""Dialect: what makes the port of its recordings, or None where the file is not of its own kind. A dialect that is not
named here has recordings of text lines."""


_VIDEOS = frozenset({".avi", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".ogv", ".webm", ".wmv"})


def _shows(path: Path) -> bool:
    """Pictures that can be seen; raw bytes may begin as any video does, so a video is known by its name here."""
    return path.is_dir() or path.suffix.lower() in SUFFIXES | _VIDEOS or looks_like_dump(path)


def _open_display(path: Path, profile: MachineProfile) -> Player:
    if path.is_dir():
        return FolderPort(path)
    if looks_like_dump(path):
        return DotsPort(path)
    if looks_like_video(path) or path.suffix.lower() in SUFFIXES:
        return VideoPort(path)
    raise RecordingInvalid(
        f"{path} is no recording of a display, and profile {profile.id!r} is a display's: a dump of dots, a video or a"
        " folder of pictures named by milliseconds is needed"
    )
