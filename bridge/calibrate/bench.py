"""One calibration under way: camera, draft, looks, and what the page's buttons do. Everything but HTTP.

Called by the threads of many requests: one lock orders what changes. Invariant: what fails changes nothing, and says in
one line why.
"""

import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import cv2

from bridge.calibrate.draft import Draft, Drafts, Edit
from bridge.calibrate.live import LiveCamera
from bridge.calibrate.look import Look, Looker
from bridge.calibrate.save import Target, save
from bridge.calibration import fix_camera
from bridge.errors import InputInvalid
from bridge.parts import CameraPart
from capture.vision.align import align, find_corners, find_row
from capture.vision.errors import VisionInvalid
from capture.vision.rectify import check_corners
from hardware.displays import DotMatrix, Segments
from hardware.ports.camera_options import CameraOptions, parse_options

WIDEST = 1280
"""Pictures for the page are made no wider; points are in the camera's own pixels all the same."""


class Bench:
    """One machine being calibrated."""

    def __init__(self, target: Target, first: Draft, *, now: Callable[[], int]) -> None:
        """Raises PortInvalid or InputInvalid for what cannot be opened or read."""
        self.target = target
        self.drafts = Drafts(first, choices=(target.profile,))
        self.camera = LiveCamera(self._url(first), now=now)
        self.looker = Looker(self.camera, self.drafts)
        self.saved: Draft | None = first
        self.said = ""
        self._lock = threading.RLock()

    def start(self) -> None:
        """Open the camera and begin to look."""
        self.camera.start()
        self.looker.start()

    def close(self) -> None:
        """Let go of everything."""
        self.looker.close()
        self.camera.close()

    def picture(self, after: int, seconds: float = 2.0) -> tuple[int, bytes] | None:
        """The newest picture, numbered, as a JPEG; None where there is none newer in time."""
        number = self.camera.wait(after, seconds)
        image = self.camera.image
        if image is None or number <= after:
            return None
        if image.shape[1] > WIDEST:
            height = max(1, round(image.shape[0] * WIDEST / image.shape[1]))
            image = cv2.resize(image, (WIDEST, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        done, data = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, 80))
        return (number, data.tobytes()) if done else None

    # --- the buttons

    def edit(self, change: Edit) -> None:
        """Take a change of the draft. Raises InputInvalid."""
        with self._lock:
            self.drafts.edit(change)
            self._turn()

    def undo(self) -> None:
        """Go back one step."""
        with self._lock:
            self.drafts.undo()
            self._turn()

    def find(self) -> None:
        """Look for the display in all of the picture. Raises InputInvalid where it is not found."""
        image, newest = self._seen(), self.camera.image
        profile = self.drafts.now.profile()
        if isinstance(profile.display, Segments):  # digits change: only one picture shows them as they are
            found = None if newest is None else find_row(newest, profile.display, profile.digits)
        else:
            display = self._dots()
            found = find_corners(image, display)
            if found is None and newest is not None:  # something may have moved through the picture meanwhile
                found = find_corners(newest, display)
        if found is None:
            raise InputInvalid("no display was found: come closer, light it up (start a game), or drag the corners")
        self._put(corners=found)

    def fit(self) -> None:
        """Move the corners to where the dots are. Raises InputInvalid where no dots are seen within them."""
        display, image = self._dots(), self._seen()
        corners = self.drafts.now.corners
        if corners is None:
            raise InputInvalid("there are no corners to fit yet: find the display, or drag them")
        try:
            found = align(image, display, corners)
        except VisionInvalid as error:
            raise InputInvalid(str(error)) from None
        if found is None:
            raise InputInvalid("no dots are seen within these corners: drag them closer to the display's own")
        self._put(corners=found.corners)

    def freeze(self) -> None:
        """Fix exposure, gain, white balance and focus at what the camera has chosen. Raises InputInvalid."""
        settings = self.camera.settings
        if not self._is_camera or settings is None:
            raise InputInvalid("this camera does not say what it is set to: nothing can be fixed")
        told = _given(asdict(settings))
        if not told:
            raise InputInvalid("this camera does not say what it is set to: nothing can be fixed")
        least = self._options().least_exposure_ms
        if told.get("exposure_ms") is not None:
            told["exposure_ms"] = max(round(float(told["exposure_ms"]), 2), least)
        self._put(camera=CameraPart(refresh_hz=self.drafts.now.camera.refresh_hz, **told))

    def loosen(self) -> None:
        """Let the camera choose again."""
        self._put(camera=CameraPart(refresh_hz=self.drafts.now.camera.refresh_hz))

    def save(self) -> None:
        """Write what was found. Raises InputInvalid or ConfigInvalid, and then nothing was written."""
        with self._lock:
            draft, image = self.drafts.now, self.camera.image
            size = None if image is None else (image.shape[1], image.shape[0])
            if draft.corners is not None:
                try:
                    check_corners(draft.corners, size)
                except VisionInvalid as error:
                    raise InputInvalid(f"not saved: {error}") from None
            files = save(self.target, draft, size)
            self.saved = draft
            self.said = f"Saved to {', '.join(str(file) for file in files)}. Start the agent again to use it."

    # --- what the page shows

    def state(self) -> dict[str, Any]:
        """Everything that the page shows, as JSON has it."""
        with self._lock:
            look, draft, image = self.looker.now, self.drafts.now, self.camera.image
            profile = draft.profile()
        return {
            "machine": self.target.machine,
            "port": self.target.port,
            "profiles": [{"id": one, "name": name} for one, name in self.drafts.names.items()],
            "trouble": self.camera.trouble,
            "notes": list(self.camera.notes),
            "number": self.camera.number,
            "size": None if image is None else [image.shape[1], image.shape[0]],
            "kind": profile.display.type if profile.display else "",
            "dots": [profile.display.columns, profile.display.rows] if isinstance(profile.display, DotMatrix) else None,
            "draft": _draft(draft),
            "shown": {"digits": profile.digits, "players": profile.players, "windows": _windows(profile.display)},
            "camera": self._camera_state(draft),
            "look": _look(look),
            "fresh": look.draft is draft,
            "undo": self.drafts.steps,
            "saved": self.saved == draft,
            "said": self.said if self.saved == draft else "",
        }

    def _camera_state(self, draft: Draft) -> dict[str, Any]:
        settings = self.camera.settings
        return {
            "settable": self._is_camera,
            "now": None if settings is None else _given(asdict(settings)),
            "frozen": any(value is not None for key, value in draft.camera.options().items() if key != "refresh_hz"),
            "least_exposure_ms": round(self._options().least_exposure_ms, 2) if self._is_camera else None,
        }

    def _put(self, **changes: Any) -> None:  # noqa: ANN401 -- fields of a draft
        with self._lock:
            self.drafts.put(replace(self.drafts.now, **changes))
            self._turn()

    def _turn(self) -> None:
        url = self._url(self.drafts.now)
        if url != self.camera.url:
            self.camera.turn_to(url)
            self.looker.forget()

    def _url(self, draft: Draft) -> str:
        return fix_camera(self.target.port, draft.camera)

    @property
    def _is_camera(self) -> bool:
        return self.target.port.startswith(("camera:///dev/", "camera://picamera")) or self._numbered

    @property
    def _numbered(self) -> bool:
        return self.target.port.removeprefix("camera://")[:1].isdecimal()

    def _options(self) -> CameraOptions:
        url = self._url(self.drafts.now)
        return parse_options(url, url.partition("?")[2]) if url.startswith("camera:") else CameraOptions()

    def _dots(self) -> DotMatrix:
        display = self.drafts.now.profile().display
        if not isinstance(display, DotMatrix):
            raise InputInvalid("this kind of display is not found or fitted by itself: drag the corners")
        return display

    def _seen(self) -> Any:  # noqa: ANN401 -- an Image
        image = self.looker.brightest()
        if image is None:
            raise InputInvalid("there is no picture yet")
        return image


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _draft(draft: Draft) -> dict[str, Any]:
    return {
        "base": draft.base, "digits": draft.digits, "players": draft.players, "corners": draft.corners,
        "windows": None if draft.windows is None else [window.model_dump() for window in draft.windows],
        "camera": draft.camera.options(),
    }  # fmt: skip


def _windows(display: object) -> list[dict[str, Any]]:
    return [window.model_dump() for window in getattr(display, "windows", ())]


def _look(look: Look) -> dict[str, Any]:
    reading, sits = look.reading, look.alignment
    return {
        "number": look.number,
        "problem": look.problem,
        "took_ms": round(look.took_ms, 1),
        "hints": [{"kind": kind, "text": text} for kind, text in look.hints],
        "sits": None if sits is None else {"quality": round(sits.quality, 2), "misfit": round(sits.misfit, 2)},
        "reading": None
        if reading is None
        else {
            "accepted": reading.accepted, "why": reading.why, "quality": reading.quality, "words": list(reading.words),
            "scores": [
                {"player": score.player, "text": score.text, "score": None if score.score is None else str(score.score),
                 "state": score.state, "confidence": round(score.confidence, 4),
                 "candidates": [str(other) for other in score.candidates[:4]], "place": score.place}
                for score in reading.scores
            ],
        },
    }  # fmt: skip
