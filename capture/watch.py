"""A display's readings as hints for the game."""

from capture.hints import Hint
from capture.signals import Picture
from hardware.ports.base import Image
from hardware.profile import MachineProfile

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


class DisplayWatch:
    def __init__(self, profile: MachineProfile, *, corners: Corners | None = None) -> None:
        self._profile = profile

    def see(self, image: Image, at: int) -> list[Hint]:
        return []

    def tick(self, now: int) -> list[Hint]:
        return []

    def deadline(self) -> int | None:
        return None

    def picture(self) -> Picture | None:
        return None
