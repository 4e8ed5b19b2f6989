"""The forms of recordings, being written: lines, hexadecimal, pictures, dumps of dots (docs/recordings.md).

Here: what stands in the files. Not here: when to stop (`recorder`). Invariant: bytes that are no whole, plain line of
text are kept to the last bit, in hexadecimal, so that a replay hears what was heard.
"""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy as np

from bridge.errors import InputInvalid
from hardware.ports.base import Chunk, Closed, Dots, Frame, Opened, Overheard, PortEvent

LONGEST_LINE = 64 * 1024
"""Bytes of a line that are waited for; a longer one goes to the file in pieces."""
FLUSH_MS = 1_000
"""What was recorded is on the disk after so long, whatever happens then."""
_PLAIN = re.compile(rb"[^\x00-\x08\x0a-\x1f\x7f]*")
"""What can stand as text: no control characters but the tabulator."""
_OWN = re.compile(r"\d{1,15}\.png")


class Form(Protocol):
    """One form of recording, being written."""

    @property
    def written(self) -> int:
        """Bytes on the disk so far."""
        ...

    def take(self, event: PortEvent, at: int) -> None:
        """Write one event, `at` milliseconds after the beginning."""
        ...

    def sent(self, data: bytes, at: int) -> None:
        """Write what we said to the machine."""
        ...

    def close(self) -> None:
        """Write what is left."""
        ...


class Sink(Protocol):
    """What lines are written to: a `File`, or memory."""

    @property
    def written(self) -> int:
        """Bytes so far."""
        ...

    def write(self, data: bytes) -> None:
        """Write, in time."""
        ...

    def flush_by(self, at: int) -> None:
        """Have it safe, if it is time."""
        ...

    def close(self) -> None:
        """Write what is left."""
        ...


class Said:
    """Lines `SECONDS DIRECTION TEXT`; of `binary` dialects, and where it is no plain line, hexadecimal."""

    def __init__(self, file: "Sink", *, binary: bool, title: str) -> None:
        self._file = file
        self._binary = binary
        self._rest = {"<": b"", ">": b""}
        self._at = 0
        self._noted = ""
        self._note(0, title)

    @property
    def written(self) -> int:
        """Bytes on the disk so far."""
        return self._file.written

    def take(self, event: PortEvent, at: int) -> None:
        """Write one event."""
        self._at = at
        match event:
            case Chunk():
                self._say(at, "<", event.data)
            case Overheard():
                self._say(at, ">", event.data)
            case Opened():
                self._noted = ""
                self._note(at, f"opened {event.port}")
                for note in event.notes:
                    self._note(at, f"note: {note}")
            case Closed():
                self._end_lines(at)
                over = "EOF" if event.reason in _HUNG_UP else "closed"
                self._note(at, f"{over} {event.reason}: {event.why}")
            case _:
                pass  # pictures: a port that brings both is recorded by its bytes
        self._file.flush_by(at)

    def sent(self, data: bytes, at: int) -> None:
        """Write what we said."""
        self._say(at, ">", data)

    def close(self) -> None:
        """Write what is left."""
        self._end_lines(self._at)
        self._file.close()

    def _say(self, at: int, direction: str, data: bytes) -> None:
        if self._binary:
            self._exact(at, direction, data)
            return
        *lines, rest = (self._rest[direction] + data).split(b"\n")
        for line in lines:
            text = line.removesuffix(b"\r")
            if _PLAIN.fullmatch(text):
                self._file.write(f"{_seconds(at)} {direction} ".encode() + text + b"\n")
            else:
                self._exact(at, direction + "x", line + b"\n")
        while len(rest) > LONGEST_LINE:
            self._exact(at, direction + "x", rest[:LONGEST_LINE])
            rest = rest[LONGEST_LINE:]
        self._rest[direction] = rest

    def _end_lines(self, at: int) -> None:
        """What was begun and not ended is no line: it must not become one."""
        for direction, rest in self._rest.items():
            if rest:
                self._exact(at, direction + "x", rest)
        self._rest = {"<": b"", ">": b""}

    def _exact(self, at: int, direction: str, data: bytes) -> None:
        for piece in _pieces(data, LONGEST_LINE):
            self._file.write(f"{_seconds(at)} {direction} {piece.hex()}\n".encode())

    def _note(self, at: int, text: str) -> None:
        note = " ".join(text.split())[:500]
        if note != self._noted:  # a device that is not there is tried every second
            self._file.write(f"{_seconds(at)} # {note}\n".encode())
        self._noted = note


class Pictures:
    """A folder of pictures named by milliseconds, without loss."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for old in folder.iterdir():
                if _OWN.fullmatch(old.name):
                    old.unlink()
        except OSError as error:
            raise InputInvalid(f"{folder} cannot be written: {error.strerror}") from None

    @property
    def written(self) -> int:
        """Bytes on the disk so far."""
        return self._written

    def take(self, event: PortEvent, at: int) -> None:
        """Write one picture."""
        if not isinstance(event, Frame):
            return
        import cv2  # noqa: PLC0415 - a machine that talks needs no OpenCV

        _, data = cv2.imencode(".png", event.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        self._written += len(data)
        (self._folder / f"{at:09d}.png").write_bytes(data.tobytes())

    def sent(self, data: bytes, at: int) -> None:
        """Nobody listens to a camera's side."""

    def close(self) -> None:
        """Each picture is on the disk already."""


class Dump:
    """A dump of dots as PinMAME writes them."""

    def __init__(self, file: "File") -> None:
        self._file = file

    @property
    def written(self) -> int:
        """Bytes on the disk so far."""
        return self._file.written

    def take(self, event: PortEvent, at: int) -> None:
        """Write one event."""
        if isinstance(event, Dots):
            levels = np.clip(np.rint(event.levels * 15), 0, 15).astype(np.uint8)
            rows = "\n".join("".join(f"{dot:x}" for dot in row) for row in levels)
            self._file.write(f"0x{at & 0xFFFF_FFFF:08x}\n{rows}\n\n".encode())
        self._file.flush_by(at)

    def sent(self, data: bytes, at: int) -> None:
        """A display hears nothing."""

    def close(self) -> None:
        """Write what is left."""
        self._file.close()


class File:
    """A file being written, packed where its name ends so, on the disk from time to time."""

    def __init__(self, path: Path, *, force: bool) -> None:
        self._raw: BinaryIO = path.open("wb" if force else "xb")
        self._packed = gzip.GzipFile(fileobj=self._raw, mode="wb") if path.suffix == ".gz" else None
        self._flushed = 0

    @property
    def written(self) -> int:
        """Bytes on the disk so far."""
        return self._raw.tell()

    def write(self, data: bytes) -> None:
        """Write, in time."""
        (self._packed or self._raw).write(data)

    def flush_by(self, at: int) -> None:
        """Have it on the disk, if it is time."""
        if at - self._flushed >= FLUSH_MS:
            self._flushed = at
            if self._packed:
                self._packed.flush()
            self._raw.flush()

    def close(self) -> None:
        """Write what is left."""
        if self._packed:
            self._packed.close()
        self._raw.close()


_HUNG_UP = frozenset({"eof", "unplugged", "silent"})
"""Ends of a conversation that the machine's side made."""


def _seconds(at: int) -> str:
    return f"{at / 1000:.3f}"


def _pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))
