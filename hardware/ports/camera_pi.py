"""The Pi's own cameras, through picamera2: `camera://picamera/0`.

picamera2 comes with Raspberry Pi OS (`apt install python3-picamera2`) and from nowhere else, so it is imported only
when such a camera is opened. Calls follow the picamera2 manual and its source (0.3.36). Used by one thread.
Invariant: what the camera did not do is in the notes, told from the metadata of a picture.
"""

import importlib
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from hardware.ports.base import Image
from hardware.ports.camera_options import CameraOptions, CameraSettings
from hardware.ports.camera_shapes import Shaper

PATIENCE_S = 10.0
"""No picture for so long: the camera hangs."""
SETTLING = 8
"""Pictures until controls that were set are what pictures were taken with (libcamera queues requests ahead)."""
_SIZE = (1280, 720)
_FRAME_US = 33_333

_Got = TypeVar("_Got")


class PiCamera:
    """One camera of the Pi, by its number in picamera2's order."""

    def __init__(self, number: int, options: CameraOptions) -> None:
        self._number = number
        self._options = options
        self._camera: Any = None
        self._shaper = Shaper()
        self._told: dict[str, Any] = {}

    def open(self) -> list[str]:
        """Open, fix what is asked, and return what was not done. Raises OSError with what to do."""
        kind = _picamera2()
        there = _asking(kind.global_camera_info)
        if self._number >= len(there):
            raise OSError(
                f"the Pi has {len(there)} camera(s): no number {self._number} (see rpicam-hello --list-cameras)"
            )
        self._camera = _asking(lambda: kind(self._number))
        known = set(self._camera.camera_controls)
        wanted = _controls(self._options)
        notes = [
            f"the camera has no {name}: {option} cannot be set"
            for name in wanted
            if name not in known and getattr(self._options, option := _OPTION_OF[name]) is not None
        ]
        size = (self._options.width or _SIZE[0]) & ~1, (self._options.height or _SIZE[1]) & ~1
        _asking(lambda: self._start(size, {name: value for name, value in wanted.items() if name in known}))
        for _ in range(SETTLING if wanted else 1):
            image = self._next()
        if image.shape[1::-1] != size:
            notes.append(f"the camera gives pictures of {image.shape[1]} x {image.shape[0]}, not {size[0]} x {size[1]}")
        return notes + self._bent(wanted, known)

    def take(self, *, until: float, stop: threading.Event) -> Image | None:
        """A picture taken after `until`; None when stopped meanwhile. Raises OSError where none comes."""
        return None if stop.wait(max(0.0, until - time.monotonic())) else self._next()

    def _next(self) -> Image:
        job = self._camera.capture_request(wait=False)
        request = _asking(lambda: self._camera.wait(job, timeout=PATIENCE_S))
        try:
            self._told = request.get_metadata()
            return self._shaper.shape(request.make_array("main"))
        finally:
            request.release()

    def settings(self) -> CameraSettings:
        """What the last picture was taken with, by its metadata."""
        told = self._told
        exposure, gains = told.get("ExposureTime"), told.get("ColourGains")
        return CameraSettings(
            exposure_ms=exposure / 1000 if exposure else None,
            gain=told.get("AnalogueGain"),
            white_balance=(float(gains[0]), float(gains[1])) if gains else None,
            focus=told.get("LensPosition"),
        )

    def close(self) -> None:
        """Let go of the camera."""
        camera, self._camera = self._camera, None
        if camera is not None:
            _asking(camera.close)

    def _start(self, size: tuple[int, int], controls: dict[str, Any]) -> None:
        # RGB888 is libcamera's name of what lies in memory as blue, green, red; queue=False: no picture from the past
        configuration = self._camera.create_video_configuration(
            main={"format": "RGB888", "size": size}, controls=controls, buffer_count=4, queue=False
        )
        self._camera.configure(configuration)
        self._camera.start()

    def _bent(self, wanted: dict[str, Any], known: set[str]) -> list[str]:
        """Where the metadata says another value than was asked."""
        notes = []
        for name in ("ExposureTime", "AnalogueGain", "LensPosition"):
            asked, got = wanted.get(name), self._told.get(name)
            if asked is None or name not in known or got is None or abs(got - asked) <= 0.06 * max(asked, 0.5):
                continue
            scale = 1000 if name == "ExposureTime" else 1
            notes.append(f"the camera took {_OPTION_OF[name]} {got / scale:.4g} instead of {asked / scale:.4g}")
        return notes


_OPTION_OF = {
    "ExposureTime": "exposure_ms", "AnalogueGain": "gain", "ColourGains": "white_balance",
    "ColourTemperature": "white_balance", "AwbEnable": "white_balance", "LensPosition": "focus", "AfMode": "focus",
    "AeEnable": "exposure_ms", "FrameDurationLimits": "fps",
}  # fmt: skip
_MANUAL_FOCUS, _CONTINUOUS_FOCUS = 0, 2
"""libcamera's AfModeManual and AfModeContinuous."""


def _controls(options: CameraOptions) -> dict[str, Any]:
    """Libcamera's controls for what is asked (appendix C of the picamera2 manual)."""
    controls: dict[str, Any] = {}
    if options.exposure_ms is not None or options.gain is not None:
        controls["AeEnable"] = options.exposure_ms is None or options.gain is None
    if options.exposure_ms is not None:
        controls["ExposureTime"] = round(options.exposure_ms * 1000)
    if options.gain is not None:
        controls["AnalogueGain"] = float(options.gain)
    if options.white_balance is not None:
        controls["AwbEnable"] = False
        by_gains = isinstance(options.white_balance, tuple)
        controls["ColourGains" if by_gains else "ColourTemperature"] = (
            options.white_balance if isinstance(options.white_balance, tuple) else round(options.white_balance)
        )
    controls["AfMode"] = _CONTINUOUS_FOCUS if options.focus is None else _MANUAL_FOCUS
    if options.focus is not None:
        controls["LensPosition"] = float(options.focus)
    frame = round(1e6 / options.fps) if options.fps else _FRAME_US
    frame = max(frame, round((options.exposure_ms or 0) * 1000))
    return controls | {"FrameDurationLimits": (frame, frame)}


def _picamera2() -> Any:  # noqa: ANN401 -- a package without types that is not there as a rule
    try:
        return importlib.import_module("picamera2").Picamera2
    except ImportError as error:
        raise OSError(
            f"picamera2 cannot be loaded ({error}): apt install python3-picamera2, and make the environment with "
            "python3 -m venv --system-site-packages"
        ) from None


def _asking(what: Callable[[], _Got]) -> _Got:
    """Its errors are of many kinds (RuntimeError, TimeoutError, libcamera's own): to us the camera failed."""
    try:
        return what()
    except Exception as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise OSError(f"the Pi's camera failed: {why} (another program may use it)") from error
