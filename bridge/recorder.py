"""Recording what a port brings, to a file or a folder, in a form that `inlane-agent replay` reads.

Here: which form, and when it is enough. The forms are in `recording_forms`. Nothing is understood. Invariants: nothing
that was there is written over unless that was asked for; no more than the budget goes to the disk.
"""

from collections.abc import Callable
from pathlib import Path

from bridge.errors import BridgeError, InputInvalid
from bridge.recording_forms import Dump, File, Form, Pictures, Said
from hardware.ports.base import Chunk, Dots, Frame, PortEvent
from hardware.profile import BINARY, MachineProfile


class RecordingFull(BridgeError):
    """The budget, or the disk, is used up: the text says how much there is."""

    status = 1


class Recorder:
    """Records to one place. `title`: what stands in the first line."""

    def __init__(self, path: Path, profile: MachineProfile, *, title: str, budget: int, force: bool = False) -> None:
        """`budget`: bytes. Raises InputInvalid where the place is taken, or cannot be written."""
        self._path = path
        self._budget = budget
        self._force = force
        self._begun: int | None = None
        self._form: Form | None = None
        self.bytes = self.pictures = 0
        """What came from the machine."""
        _check_free(path, force=force)
        if profile.dialect is not None:
            self._form = Said(self._file(), binary=profile.dialect in BINARY, title=title)

    @property
    def written(self) -> int:
        """Bytes on the disk so far."""
        return self._form.written if self._form else 0

    def take(self, event: PortEvent) -> None:
        """Record one event. Raises RecordingFull."""
        if isinstance(event, Chunk):
            self.bytes += len(event.data)
        elif isinstance(event, Frame | Dots):
            self.pictures += 1
            if self._form is None:
                self._form = Pictures(self._path) if isinstance(event, Frame) else Dump(self._file())
        if self._form is not None:
            self._write(lambda form: form.take(event, self._since(event.at)))

    def sent(self, data: bytes, at: int) -> None:
        """Record what we said to the machine. Raises RecordingFull."""
        self._write(lambda form: form.sent(data, self._since(at)))

    def close(self) -> None:
        """Write what is left."""
        if self._form is not None:
            form, self._form = self._form, None
            try:
                form.close()
            except OSError as error:
                raise RecordingFull(f"{self._path} could not be written to its end: {error.strerror}") from None

    def discard(self) -> None:
        """Remove a file into which nothing came: it would stand in the way of the next try."""
        if self._path.is_file():
            self._path.unlink()

    def _since(self, at: int) -> int:
        self._begun = at if self._begun is None else self._begun
        return max(0, at - self._begun)

    def _write(self, what: Callable[[Form], None]) -> None:
        if self._form is None:
            return
        try:
            what(self._form)
        except OSError as error:
            raise RecordingFull(f"{self._path} cannot be written any further: {error.strerror}") from None
        if self._form.written > self._budget:
            raise RecordingFull(
                f"{self._path} has reached {self._budget // 2**20} MB: the recording ends here (--megabytes N)"
            )

    def _file(self) -> "File":
        try:
            return File(self._path, force=self._force)
        except FileExistsError:
            raise InputInvalid(f"{self._path} is there already: choose another name, or say --force") from None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise InputInvalid(f"{self._path} cannot be written: {why}") from None


def _check_free(path: Path, *, force: bool) -> None:
    try:
        taken = any(path.iterdir()) if path.is_dir() else path.exists()
    except (OSError, ValueError) as error:
        raise InputInvalid(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}") from None
    if taken and not force:
        raise InputInvalid(f"{path} is there already: choose another name, or say --force")
