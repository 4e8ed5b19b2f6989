"""What every reader of a display is, whatever the display's kind. Plain interface, nothing happens here."""

from typing import Protocol, runtime_checkable

from capture.signals import Picture
from capture.vision.networks import Values
from capture.vision.reading import Reading
from hardware.ports.base import Image


class Reader(Protocol):
    """Reads one display, frame by frame, remembering only where it is. Not for several threads at once."""

    def read(self, image: Image) -> Reading:
        """Read one picture: height x width (grey) or height x width x 3 (BGR), 8 bit.

        Never raises for what the picture shows: a picture that cannot be read gives a Reading with `quality` and `why`.
        Raises VisionInvalid when corners lie outside the picture.
        """
        ...

    def crop(self, image: Image) -> Picture:
        """The display laid flat, as a JPEG: the evidence. The whole picture where no display was found."""
        ...


@runtime_checkable
class DotReader(Reader, Protocol):
    """Reads dots: exact ones as well, as a wire or a file gives them; and their fonts can be learnt while it reads."""

    def learn(self, value: int) -> None:
        """The picture read last shows this number, as time has told: remember how its digits are drawn."""
        ...

    def read_dots(self, levels: Values) -> Reading:
        """Read one exact picture: rows x columns, 0 dark to 1 brightest."""
        ...


@runtime_checkable
class Tracker(Reader, Protocol):
    """A reader that notices when its display moves within the corners that it was given."""

    @property
    def moved(self) -> float:
        """By how many dots the display has moved since it was first found there; 0 where nobody gave corners."""
        ...
