"""How a camera on Video4Linux is made to obey through OpenCV, and what it says it does.

Drivers ignore or bend what they are asked without a word, and keep what an earlier program set: so everything is set
each time, read back and compared. Not here: opening a device (`camera`). Invariant: what was not done is in the notes.
"""

from typing import Protocol

import cv2

from hardware.ports.camera_options import CameraOptions, CameraSettings

MANUAL, BY_APERTURE, AUTO = 1, 3, 0
"""Values of V4L2_CID_EXPOSURE_AUTO (linux/v4l2-controls.h): manual; aperture priority, which is what USB cameras call
automatic; and automatic."""
TICKS_A_MS = 10
"""V4L2_CID_EXPOSURE_ABSOLUTE counts in 100 microseconds (the kernel's documentation of camera controls)."""
_CODES = {"mjpg": "MJPG", "yuyv": "YUYV", "grey": "GREY"}


class Device(Protocol):
    """An open `cv2.VideoCapture`, as far as it is used here."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 -- OpenCV's name
        """Ask for a property."""
        ...

    def get(self, propId: int) -> float:  # noqa: N803 -- OpenCV's name
        """What the property is: -1 where there is none."""
        ...


def shape_stream(device: Device, options: CameraOptions) -> list[str]:
    """Ask for format, size and pace, before the first picture. Returns what was not done, a line each."""
    notes = []
    if code := _CODES.get(options.format):
        wanted = cv2.VideoWriter.fourcc(*code)
        device.set(cv2.CAP_PROP_FOURCC, wanted)
        if int(device.get(cv2.CAP_PROP_FOURCC)) != wanted:
            notes.append(f"the camera does not give pictures as {options.format}")
    device.set(cv2.CAP_PROP_CONVERT_RGB, 1)
    sides = (("width", cv2.CAP_PROP_FRAME_WIDTH), ("height", cv2.CAP_PROP_FRAME_HEIGHT))
    for name, prop in sides:
        if wanted := getattr(options, name):
            device.set(prop, wanted)
    for name, prop in sides:
        wanted, got = getattr(options, name), int(device.get(prop))
        if wanted and got != wanted:
            notes.append(f"the camera gives pictures of {name} {got}, not {wanted}")
    if options.fps:
        device.set(cv2.CAP_PROP_FPS, options.fps)
        got = int(device.get(cv2.CAP_PROP_FPS))
        if got > 0 and abs(got - options.fps) > 1:
            notes.append(f"the camera gives {got} pictures a second, not {options.fps}")
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return notes


def apply_settings(device: Device, options: CameraOptions) -> list[str]:
    """Fix what the options fix and leave the rest to the camera, once pictures flow. Returns what was not done."""
    return [*_expose(device, options), *_balance(device, options), *_focus(device, options)]


def read_settings(device: Device) -> CameraSettings:
    """What the camera says it is set to now."""
    exposure = device.get(cv2.CAP_PROP_EXPOSURE)
    return CameraSettings(
        exposure_ms=exposure / TICKS_A_MS if exposure > 0 else None,
        gain=_told(device, cv2.CAP_PROP_GAIN),
        white_balance=_told(device, cv2.CAP_PROP_WB_TEMPERATURE) or None,
        focus=_told(device, cv2.CAP_PROP_FOCUS),
    )


def _expose(device: Device, options: CameraOptions) -> list[str]:
    if options.exposure_ms is None:
        if not device.set(cv2.CAP_PROP_AUTO_EXPOSURE, BY_APERTURE):
            device.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO)
    else:
        device.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL)
        if int(device.get(cv2.CAP_PROP_AUTO_EXPOSURE)) not in {MANUAL, -1}:
            return ["the camera does not let its exposure be fixed: it stays automatic"]
    notes = [
        _ask(device, cv2.CAP_PROP_EXPOSURE, "exposure_ms", options.exposure_ms, scale=TICKS_A_MS),
        _ask(device, cv2.CAP_PROP_GAIN, "gain", options.gain),
    ]
    return [note for note in notes if note]


def _balance(device: Device, options: CameraOptions) -> list[str]:
    wanted = options.white_balance
    device.set(cv2.CAP_PROP_AUTO_WB, 1 if wanted is None else 0)
    if isinstance(wanted, tuple):
        return ["this camera takes white_balance in kelvin (2800 to 6500), not as two gains"]
    note = _ask(device, cv2.CAP_PROP_WB_TEMPERATURE, "white_balance", wanted)
    return [note] if note else []


def _focus(device: Device, options: CameraOptions) -> list[str]:
    device.set(cv2.CAP_PROP_AUTOFOCUS, 1 if options.focus is None else 0)
    note = _ask(device, cv2.CAP_PROP_FOCUS, "focus", options.focus)
    return [note] if note else []


def _ask(device: Device, prop: int, name: str, wanted: float | None, *, scale: float = 1) -> str:
    """Set one control and read it back: empty where it is as asked."""
    if wanted is None:
        return ""
    ticks = max(round(wanted * scale), 1 if scale > 1 else 0)
    device.set(prop, ticks)
    got = device.get(prop)
    if got < 0:
        return f"the camera has no {name} to set: it stays as the camera likes"
    if abs(got - ticks) > max(1.0, 0.05 * ticks):
        return f"the camera took {name} {got / scale:g} instead of {wanted:g}"
    return ""


def _told(device: Device, prop: int) -> float | None:
    value = device.get(prop)
    return value if value >= 0 else None
