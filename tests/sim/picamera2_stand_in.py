"""A package as picamera2 looks from outside (its manual, and its source 0.3.36), with one camera that a test describes.

Only what Inlane calls, with the real thing's manners: controls that are not advertised are refused, a job is waited for
with a time-out, pictures carry the metadata of the controls they were really taken with.
"""

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SOURCE = Path(__file__).read_text("utf-8")
"""Written to a folder as `picamera2.py`, this file is the package."""


class Camera:
    """What is plugged in: a test changes it."""

    plugged = 1
    controls = ("ExposureTime", "AnalogueGain", "AeEnable", "AwbEnable", "ColourGains", "FrameDurationLimits")
    bends: dict[str, Any] = {}  # noqa: RUF012 -- what the camera does instead of what it is told
    hangs = False
    opened = 0
    asked: dict[str, Any] = {}  # noqa: RUF012
    configuration: dict[str, Any] = {}  # noqa: RUF012


class Request:
    def __init__(self, metadata: dict[str, Any], size: tuple[int, int]) -> None:
        self._metadata, self._size, self.held = metadata, size, True

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._metadata)

    def make_array(self, name: str) -> NDArray[np.uint8]:
        assert self.held
        assert name == "main"
        return np.full((self._size[1], self._size[0], 3), 77, np.uint8)

    def release(self) -> None:
        assert self.held
        self.held = False


class Picamera2:
    def __init__(self, camera_num: int = 0) -> None:
        if Camera.opened:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.global_camera_info()[camera_num]
        Camera.opened += 1
        self._started = False

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": "imx708", "Id": f"/base/soc/i2c0mux/{n}", "Num": n} for n in range(Camera.plugged)]

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return dict.fromkeys(Camera.controls, (0, 10**6, None))

    def create_video_configuration(self, main: dict[str, Any] | None = None, **more: object) -> dict[str, Any]:
        return {"main": {"format": "XBGR8888", "size": (1280, 720)} | (main or {}), **more}

    def configure(self, configuration: dict[str, Any]) -> None:
        for name in configuration["controls"]:
            if name not in Camera.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        Camera.configuration, Camera.asked = configuration, dict(configuration["controls"])

    def start(self) -> None:
        if not Camera.configuration:
            raise RuntimeError("Camera has not been configured")
        self._started = True

    def capture_request(self, wait: bool | None = None) -> "Future[Request]":  # noqa: FBT001
        assert self._started
        assert wait is False
        job: Future[Request] = Future()
        if not Camera.hangs:
            automatic = {"ExposureTime": 31_000, "AnalogueGain": 4.0, "ColourGains": (1.9, 1.4)}
            job.set_result(Request(automatic | Camera.asked | Camera.bends, Camera.configuration["main"]["size"]))
        return job

    def wait(self, job: "Future[Request]", timeout: float | None = None) -> Request:
        return job.result(timeout=min(timeout or 0.05, 0.05))

    def close(self) -> None:
        Camera.opened -= 1
        self._started = False
