"""The reader of a screen's scoreboard boxes: one box a player, in any typeface.

Two voices: the networks that read wheels' digits look at each sign, and Tesseract at the whole line in two different
preparations. State: what each box said in the frames before. Invariant: one picture alone is never accepted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from capture.signals import Picture
from capture.vision.errors import VisionInvalid
from capture.vision.monitor.signs import HIGH, enlarge
from capture.vision.monitor.voices import Spell, Voice, last_number, own_voice, second_voice
from capture.vision.reading import Reading, ScoreReading
from capture.vision.rectify import Image
from capture.vision.reels.nets import WheelNets
from capture.vision.windows import alike, flat_window, photograph, refuse_flat
from hardware.displays import Monitor, Window
from hardware.profile import MachineProfile

AGREE = 3
"""Frames in a row in which all voices must have said the same."""
_TRIES = 3
"""How often the other reader is asked about one standing number: it takes long."""
_PROPOSED = 0.3
"""How sure a number is that only the other reader names."""
_BLOCK = 8
_SAME = 6.0
"""Difference (of 255) of any 8 x 8 pixels' mean up to which a box shows what it showed: it is not read again."""

Flat = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


@dataclass(slots=True)
class _Box:
    """What one box said last, in how many frames running, and what the other reader said of that number."""

    flat: Flat | None = None
    score: ScoreReading | None = None
    doubt: str = ""
    frames: int = 0
    asked: int = 0
    confirmed: bool = False
    against: str = ""


class MonitorReader:
    """Reads all boxes of one screen. Not for several threads at once."""

    def __init__(
        self,
        profile: MachineProfile,
        nets: WheelNets,
        spell: Spell,
        *,
        corners: Sequence[tuple[float, float]] | None = None,
    ) -> None:
        display = profile.display
        if not isinstance(display, Monitor):
            raise VisionInvalid(f"profile {profile.id!r} has no screen to read")
        self._profile, self._display, self._corners = profile, display, corners
        self._nets, self._spell = nets, spell
        self._boxes = [_Box() for _ in display.windows]
        self._up = 0

    def read(self, image: Image) -> Reading:
        """Read one picture: height x width (grey) or height x width x 3 (BGR), 8 bit.

        Never raises for what the picture shows. Raises VisionInvalid when corners lie outside the picture, or a box is
        too small in it. Tesseract missing is a reason to hold, said in `why`.
        """
        refused = refuse_flat(flat_window(image, self._corners, high=240))
        if refused is not None:
            self._forget()
            return Reading(display="lcd", quality=refused[0], why=refused[1])
        words: list[str] = []
        read: list[tuple[int, _Box]] = []
        for place, window in enumerate(self._display.windows):
            before = self._boxes[place].score
            box = self._read_box(image, place, window)
            if window.shows == "score" and box.score is not None:
                read.append((place, box))
                if before is not None and before.score is not None and box.score.score not in {None, before.score}:
                    self._up = place
            elif window.shows == "ball" and box.score is not None and not box.doubt and box.frames >= AGREE:
                words += [word.replace("#", str(box.score.score)) for word in self._profile.words.ball[:1]]
        read.sort(key=lambda one: one[0] != self._up)
        return self._assemble([box for _, box in read], tuple(words))

    def crop(self, image: Image) -> Picture:
        """The display laid flat, as a JPEG: the evidence."""
        return photograph(image, self._corners)

    def _forget(self) -> None:
        self._boxes = [_Box() for _ in self._display.windows]

    def _read_box(self, image: Image, place: int, window: Window) -> _Box:
        flat = enlarge(flat_window(image, self._corners, window, high=HIGH))
        box = self._boxes[place]
        same = box.flat is not None and alike(box.flat, flat, block=_BLOCK, most=_SAME)
        if same and box.confirmed and box.frames >= AGREE:
            return box  # read often enough while it looked like this
        own = own_voice(self._nets, flat)
        if window.shows == "ball":
            own = last_number(own)
        if own.value is None:
            self._boxes[place] = self._last_resort(flat, own, window, again=same or box.flat is None)
        else:
            self._boxes[place] = self._go_on(box, flat, own, window)
        return self._boxes[place]

    def _go_on(self, box: _Box, flat: Flat, own: Voice, window: Window) -> _Box:
        """One more frame in which our networks name a number; the other reader is asked once the number stands."""
        score = ScoreReading(player=window.player, text=own.text, score=own.value, confidence=round(own.chance, 4))
        stood = box.score is not None and box.score.score == own.value and not own.doubt
        now = replace(box, frames=box.frames + 1) if stood else _Box(frames=0 if own.doubt else 1)
        now.flat, now.score, now.doubt = flat, score, own.doubt or self._implausible(score, window)
        if window.shows == "score" and now.frames > 1 and not now.confirmed and now.asked < _TRIES:
            second = second_voice(self._spell, flat)
            now.asked += 1
            now.confirmed = second.value == own.value
            now.against = "two readers differ" if second.value not in {None, own.value} else second.doubt
        if window.shows == "score" and not now.doubt and now.frames > 1 and not now.confirmed:
            now.doubt = now.against
        if now.doubt:
            now.score = replace(score, confidence=min(score.confidence, 0.9))
        return now

    def _last_resort(self, flat: Flat, own: Voice, window: Window, *, again: bool) -> _Box:
        """Our networks name no number. In a picture that stands still the other reader may propose one, never more."""
        score = ScoreReading(player=window.player, text=own.text, score=None)
        if own.text and again and window.shows == "score":
            second = second_voice(self._spell, flat)
            if second.value is not None and len(second.text) == len(own.text):
                score = replace(score, score=second.value, text=second.text, confidence=_PROPOSED)
        return _Box(flat=flat, score=score, doubt=own.doubt)

    def _implausible(self, score: ScoreReading, window: Window) -> str:
        most, value = window.digits or self._profile.digits, score.score or 0
        if window.shows != "score":
            return ""
        if value % self._profile.score_quantum or value > self._profile.max_score:
            return f"not a score of this machine: {score.text}"
        return f"more digits than this machine has: {score.text}" if most and len(score.text) > most else ""

    def _assemble(self, boxes: list[_Box], words: tuple[str, ...]) -> Reading:
        told = [box for box in boxes if box.score is not None and _is_number(box.score)]
        boxes = told or boxes[:1]  # a box of a player who is not there shows anything but a number
        scores = tuple(
            replace(box.score, sound=not box.doubt and box.confirmed and box.frames >= AGREE)
            for box in boxes
            if box.score is not None
        )
        if not scores:
            return Reading(display="lcd", why="the profile names no box with a score", words=words)
        if not scores[0].text:
            return Reading(display="lcd", why=boxes[0].doubt, words=words)
        why = boxes[0].doubt
        if not why and (boxes[0].frames < AGREE or not boxes[0].confirmed):
            why = f"one picture alone is not enough: {AGREE} in a row must say the same ({boxes[0].frames} so far)"
        return Reading(display="lcd", scores=scores, accepted=not why, why=why, words=words)


def _is_number(score: ScoreReading) -> bool:
    """Whether a number seems to stand there at all, read or not."""
    return score.score is not None or 2 * score.text.count("?") < len(score.text)
