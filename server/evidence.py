"""Pictures and recordings by their content: kept under their SHA-256 on disk, verified, bounded, within a budget.

Nothing is deleted here: a picture may decide a ruling years later. The invariant: what stands under a name has that
name's hash, and nothing but a hash ever becomes part of a path. A text is only ever given out as a file to keep.
"""

import hashlib
import re
import threading
from dataclasses import dataclass
from pathlib import Path

from server.errors import ServerError, StoreUnavailable
from server.files import write_whole

LARGEST = 4 * 2**20
"""Bytes of one picture: what an agent keeps at most."""
DIGEST = re.compile(r"[0-9a-f]{64}")
TEXT = "text/plain"
_BEGINNING = 64
"""Bytes that tell what a file is."""
_RECORDING = re.compile(rb"[0-9]{1,10}(\.[0-9]{1,9})? [<>#][0-9]?x? ")
_PLAIN = re.compile(rb"[^\x00-\x08\x0b-\x1f\x7f]*")


class PictureInvalid(ServerError):
    """The picture is not what its name says, or no picture: the sender's fault, sending it again is of no use."""


class EvidenceFull(ServerError):
    """The budget is used up: make room or raise `evidence.megabytes`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A picture or a recording on disk."""

    path: Path
    media: str

    @property
    def headers(self) -> dict[str, str]:
        """What its answer must carry: it never changes, it is what it says, and a text is no page."""
        where = "inline" if self.media != TEXT else f'attachment; filename="recording-{self.path.name[:12]}.txt"'
        return {
            "cache-control": "private, max-age=31536000, immutable",
            "content-disposition": where,
            "content-security-policy": "default-src 'none'; sandbox",
            "x-content-type-options": "nosniff",
        }


class Evidence:
    """The folder of pictures. Any thread may ask."""

    def __init__(self, folder: Path, *, budget: int) -> None:
        """`budget` in bytes. Raises StoreUnavailable where the folder cannot be made."""
        self._folder, self._budget = folder, budget
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._size = sum(file.stat().st_size for file in folder.glob("??/*") if file.is_file())
        except OSError as error:
            raise StoreUnavailable(f"evidence folder {folder}: {error.strerror}") from error

    @property
    def size(self) -> int:
        """Bytes kept."""
        return self._size

    @property
    def full(self) -> bool:
        """Whether there is no room for another large picture."""
        return self._size + LARGEST > self._budget

    def has(self, digest: str) -> bool:
        """Whether the picture has come."""
        return self.get(digest) is not None

    def get(self, digest: str) -> Kept | None:
        """The picture under this SHA-256 (64 hex digits), or None."""
        if not DIGEST.fullmatch(digest):
            return None
        path = self._path(digest)
        try:
            with path.open("rb") as file:
                media = media_of(file.read(_BEGINNING))
        except OSError:
            return None
        return None if media is None else Kept(path=path, media=media)

    def put(self, digest: str, data: bytes) -> bool:
        """Keep a picture; True where it is new. On disk when this returns; doing it again changes nothing.

        Raises PictureInvalid, EvidenceFull, StoreUnavailable.
        """
        if not DIGEST.fullmatch(digest):
            raise PictureInvalid("a picture's name is its SHA-256: 64 hex digits")
        if len(data) > LARGEST:
            raise PictureInvalid(f"a picture has at most {LARGEST} bytes")
        if hashlib.sha256(data).hexdigest() != digest:
            raise PictureInvalid("the content does not have this SHA-256")
        media = media_of(data[:_BEGINNING])
        if media is None or (media == TEXT and not _PLAIN.fullmatch(data)):
            raise PictureInvalid("this is neither PNG nor JPEG, nor a recording in plain text")
        with self._lock:
            path = self._path(digest)
            if path.exists():
                return False
            if self._size + len(data) > self._budget:
                raise EvidenceFull(f"no room for pictures: {self._size} of {self._budget} bytes are used")
            try:
                path.parent.mkdir(exist_ok=True)
                write_whole(path, data, beside=path.parent.parent)
            except OSError as error:
                raise StoreUnavailable(f"evidence folder {self._folder}: {error.strerror}") from error
            self._size += len(data)
        return True

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest


def media_of(beginning: bytes) -> str | None:
    """The media type by the file's first bytes: PNG, JPEG, or a recording's first line; else None."""
    if beginning.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if beginning.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return TEXT if _RECORDING.match(beginning) else None
