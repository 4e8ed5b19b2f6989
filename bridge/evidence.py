"""Evidence: pictures and recordings named by their content, kept on disk within a budget, and taken to the server by a
thread.

`EvidenceStore` keeps; `Uploader` sends `PUT /api/v1/evidence/{sha256}`, which may be repeated. Facts never wait for
pictures. Invariant: a picture that the server has not confirmed is never thrown away to make room.
"""

import http.client
import logging
import os
import random
import threading
import urllib.error
import urllib.request
from pathlib import Path

from capture.signals import Picture

LONGEST_PAUSE = 60.0
TIMEOUT = 20.0

_log = logging.getLogger(__name__)
_ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "text/plain": ".txt"}
_MEDIA = {ending: media for media, ending in _ENDINGS.items()}


class EvidenceStore:
    """A folder with `waiting`, `sent` and `refused` pictures. Safe to use from several threads."""

    def __init__(self, folder: Path, *, budget: int) -> None:
        self._folder = folder
        self._budget = budget
        self._held: int | None = None
        """Bytes in the folder, as remembered."""
        self._lock = threading.Lock()
        for name in ("waiting", "sent", "refused"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        for leftover in folder.glob("*/*.part"):
            leftover.unlink(missing_ok=True)

    def put(self, picture: Picture) -> bool:
        """Keep a picture; on disk when it returns true. False (and one line in the log) where there is no room."""
        name = picture.digest.removeprefix("sha256:") + _ENDINGS.get(picture.media, ".bin")
        with self._lock:
            if any((self._folder / place / name).exists() for place in ("waiting", "sent")):
                return True
            if not self._make_room(len(picture.data)):
                _log.error(
                    "evidence: no room for a picture of %d bytes (budget %d, all of it waits for the server); the fact "
                    "is kept without it",
                    len(picture.data),
                    self._budget,
                )
                return False
            try:
                _write(self._folder / "waiting" / name, picture.data)
            except OSError as error:
                _log.error("evidence: a picture cannot be kept: %s; the fact is kept without it", error)
                return False
            self._held = (self._held or 0) + len(picture.data)
        return True

    def waiting(self) -> list[Path]:
        """What the server has not confirmed, oldest first."""
        with self._lock:
            return _by_age(self._folder / "waiting")

    def settle(self, file: Path, place: str) -> None:
        """Move a waiting picture to `sent` or `refused`."""
        with self._lock:
            file.replace(self._folder / place / file.name)

    def size(self) -> int:
        """Bytes of all pictures kept."""
        with self._lock:
            return self._size()

    def _size(self) -> int:
        return sum(file.stat().st_size for file in self._folder.glob("*/*") if file.is_file())

    def _make_room(self, size: int) -> bool:
        """Throw away the oldest confirmed pictures until `size` bytes fit; false where they never will.

        The folder is looked through only when what is remembered of it leaves no room: a freeze keeps twenty at once.
        """
        if self._held is None or self._held + size > self._budget:
            self._held = self._size()
        over = self._held + size - self._budget
        for place in ("sent", "refused"):
            for file in _by_age(self._folder / place) if over > 0 else ():
                if over <= 0:
                    break
                gone = file.stat().st_size
                file.unlink()
                over -= gone
                self._held -= gone
        return over <= 0


class Uploader:
    """A thread that takes waiting pictures to the server, oldest first, for as long as it runs."""

    def __init__(self, store: EvidenceStore, url: str, token: str) -> None:
        self._store = store
        self._url = url.rstrip("/") + "/api/v1/evidence/"
        self._token = token
        self._stir = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.trouble = ""
        """Why pictures do not get through just now, in one line; empty where they do."""

    def start(self) -> None:
        """Begin to upload what waits."""
        self._thread.start()

    def stir(self) -> None:
        """Say that a new picture waits."""
        self._stir.set()

    def stop(self) -> None:
        """End soon; a picture on its way is sent again next time."""
        self._stopped = True
        self._stir.set()

    def _run(self) -> None:
        pause = 1.0
        while not self._stopped:
            self._stir.clear()
            waiting = self._store.waiting()
            if not waiting:
                self._stir.wait(LONGEST_PAUSE)
                continue
            if self._upload_all(waiting):
                pause = 1.0
                continue
            self._stir.clear()
            self._sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 -- jitter
            pause = min(LONGEST_PAUSE, pause * 2)

    def _sleep(self, seconds: float) -> None:
        """Back off; a new picture does not cut it short, the end does."""
        waker = threading.Event()
        step = 0.25
        while seconds > 0 and not self._stopped:
            waker.wait(min(step, seconds))
            seconds -= step

    def _upload_all(self, files: list[Path]) -> bool:
        for file in files:
            if self._stopped:
                return True
            trouble = self._upload(file)
            if trouble != self.trouble:
                self.trouble = trouble
                _log.log(logging.ERROR if trouble else logging.INFO, "evidence: %s", trouble or "pictures get through")
            if trouble:
                return False
        return True

    def _upload(self, file: Path) -> str:
        """Send one picture; the reason to try again later, or nothing."""
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"{file.name} cannot be read: {error.strerror}"
        request = urllib.request.Request(self._url + file.stem, data=data, method="PUT")  # noqa: S310 -- http(s) by config
        request.add_header("Authorization", f"Bearer {self._token}")
        request.add_header("Content-Type", _MEDIA.get(file.suffix, "application/octet-stream"))
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                answer.read(65_536)
        except urllib.error.HTTPError as error:
            return self._refused(file, error)
        except (OSError, http.client.HTTPException) as error:
            return f"the server is not reached: {getattr(error, 'reason', None) or error}"
        self._store.settle(file, "sent")
        return ""

    def _refused(self, file: Path, error: urllib.error.HTTPError) -> str:
        with error:
            if error.code in {401, 403}:
                return "the server refuses server.token: put there what `inlane-server agent add` printed"
            if error.code in {404, 405, 408, 429} or error.code >= 500:
                return f"the server cannot take pictures now: {error.code} {error.reason}"
        _log.error("evidence: the server refuses the picture %s for good: %d %s", file.name, error.code, error.reason)
        self._store.settle(file, "refused")
        return ""


def _by_age(folder: Path) -> list[Path]:
    files = [file for file in folder.iterdir() if file.suffix != ".part"]
    return sorted(files, key=lambda file: (file.stat().st_mtime_ns, file.name))


def _write(file: Path, data: bytes) -> None:
    """Write and synchronise, then name: no half picture ever stands under its digest."""
    part = file.with_suffix(".part")
    try:
        with part.open("wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise
