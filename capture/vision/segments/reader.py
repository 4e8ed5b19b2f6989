"""The reader of displays of segments: keeps where the cells are, and reads those that changed.

State: the place of each window and what its cells showed last. Frames in, readings out, no clock. Invariant: what is
said of a frame depends on that frame alone; only places are remembered, and they are checked again and again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from capture.signals import Picture
from capture.vision.errors import VisionInvalid
from capture.vision.evidence import MOST_SIDE, encode_jpeg, encode_whole
from capture.vision.quality import refuse_picture
from capture.vision.reading import Reading, ScoreReading
from capture.vision.rectify import check_corners
from capture.vision.segments.cells import CellRead, read_cells
from capture.vision.segments.judge import HELD, Line, judge_number, judge_text, may_be_turned
from capture.vision.segments.network import CellNetwork, FindNetwork
from capture.vision.segments.place import MOVED, Place, beside, drifted, find_place, follow, place_by_corners
from capture.vision.segments.spacing import doubt_spacing, in_strip, light_beside
from capture.vision.segments.strip import Image, Strip, Values, cut_cells, cut_strip, quad_of, to_picture
from capture.vision.words import find_words
from hardware.displays import Segments, Window
from hardware.profile import MachineProfile

LEAST_LIGHT = {"lit": 22.0, "lcd": 8.0}
"""Steps of 255 by which lit cells must differ from unlit ones."""
_CHECK_EVERY = 25
"""Readings between two checks that the cells still stand where they did."""
_FAINT = 0.3
"""Of several windows, one with less contrast than this share of the brightest one's is unlit."""
_PLAIN = 1_000
"""Pixels of a row's height times steps of 255 between unlit and lit: what is smaller and fainter is for a person."""
_REST = 6
"""Frames to let pass after a search that found nothing."""
_AGAIN = 25
"""Frames between two searches for the place because of a doubtful reading."""
_CHANGED = 0.16
"""Change of normalised light, over a spot of a cell, that makes it another picture."""
_MOST_CELLS = 24


def segments_of(profile: MachineProfile) -> Segments:
    """The profile's display, if it is one of segments. Raises VisionInvalid."""
    if not isinstance(profile.display, Segments):
        raise VisionInvalid(f"profile {profile.id!r} has no display of segments to read")
    return profile.display


@dataclass(slots=True)
class _Kept:
    """What is kept of one window: its place, its cells as last read, and when to look for it again."""

    place: Place | None = None
    size: tuple[int, int] = (0, 0)
    crops: Values | None = None
    cells: list[CellRead] | None = None
    neighbour: bool = False
    blank: bool = False
    frames: int = 0
    again: int = 0
    rest: int = 0


class SegmentsReader:
    """Reads one display of segments, frame by frame. Not for several threads at once."""

    def __init__(
        self, profile: MachineProfile, nets: tuple[CellNetwork, FindNetwork], *,
        corners: Sequence[tuple[float, float]] | None = None,
    ) -> None:  # fmt: skip
        display = segments_of(profile)
        self._profile, self._display, self._nets, self._corners = profile, display, nets, corners
        self._windows = [window for window in display.windows if window.shows in ("score", "ball")]
        self._kept = [_Kept() for _ in self._windows]

    def read(self, image: Image) -> Reading:
        """Read one picture: height x width (grey) or height x width x 3 (BGR), 8 bit.

        Never raises for what the picture shows. Raises VisionInvalid when corners lie outside the picture.
        """
        if self._corners is not None:
            check_corners(self._corners, (image.shape[1], image.shape[0]))
        refused = refuse_picture(image, 8, 8)
        if refused is not None and not (refused[0] == "white" and self._display.glass == "lcd"):
            return Reading(display="segments", quality=refused[0], why=refused[1])
        if self._corners is None and len(self._windows) > 1:
            return Reading(display="segments", why="a display of several windows needs its corners (--corners)")
        strips = [self._lay_flat(window, kept, image) for window, kept in zip(self._windows, self._kept, strict=True)]
        brightest = max((strip.span for strip in strips if strip is not None), default=0.0)
        lines = []
        for window, kept, strip in zip(self._windows, self._kept, strips, strict=True):
            kept.frames += 1
            if strip is None:
                lines.append(Line(text="", score=None, confidence=0.0, why=self._nothing()))
            elif strip.span < max(LEAST_LIGHT[self._display.glass], _FAINT * brightest):
                kept.crops, kept.blank = None, True
                lines.append(Line(text="", score=None, confidence=0.0, why="nothing is lit", blank=True))
            else:
                lines.append(self._read_window(window, kept, image, strip))
        return self._conclude(lines)

    def crop(self, image: Image) -> Picture:
        """The display laid flat, as a JPEG: the evidence. The whole picture where no display was found."""
        quad = self._evidence_quad(image)
        if quad is None:
            return encode_whole(image)
        high = float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
        wide = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        scale = min(1.0, MOST_SIDE / max(wide, 1.0))
        size = (max(8, round(wide * scale)), max(8, round(high * scale)))
        square = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
        matrix = cv2.getPerspectiveTransform(quad, square)
        return encode_jpeg(np.asarray(cv2.warpPerspective(image, matrix, size), np.uint8))

    def _evidence_quad(self, image: Image) -> Values | None:
        quad = None if self._corners is None else np.array(self._corners, np.float32)
        place = self._kept[0].place if self._kept else None
        if quad is None and place is not None and self._kept[0].size == image.shape[:2]:
            quad = place.quad
        return None if quad is None else (quad.mean(0) + (quad - quad.mean(0)) * (1.06, 1.3)).astype(np.float32)

    def _lay_flat(self, window: Window, kept: _Kept, image: Image) -> Strip | None:
        """The window's cells, laid flat, by the place that is known or found now."""
        place = self._find(window, kept, image)
        return None if place is None else cut_strip(image, place.quad, glass=place.glass)

    def _read_window(self, window: Window, kept: _Kept, image: Image, strip: Strip) -> Line:
        """What one window shows; Line.why says what stands against it."""
        if kept.blank:  # a place that was found while nothing was lit means nothing
            kept.place, kept.blank, kept.crops = self._locate(window, image), False, None
            if kept.place is not None:
                strip = cut_strip(image, kept.place.quad, glass=kept.place.glass)
        place = kept.place
        if place is None:
            return Line(text="", score=None, confidence=0.0, why=self._nothing())
        cells = self._cells(kept, strip, place)
        judge = judge_number if self._display.segments == 7 else judge_text
        line = judge(cells, known=not place.counted, glass=place.glass)
        if not line.why:
            line = self._doubt_place(line, window, kept, (image, strip))
        kept.blank = line.blank
        if line.why and not line.blank and kept.frames >= kept.again:
            kept.place, kept.again = None, kept.frames + _AGAIN  # look for it anew in the next frame
        return line

    def _doubt_place(self, line: Line, window: Window, kept: _Kept, seen: tuple[Image, Strip]) -> Line:
        """The cells may be too few or too many for what stands there; without corners, a row may be longer than what
        was found, or stand upside down.
        """
        place, (image, strip) = kept.place, seen
        if place is None:
            return line
        why = doubt_spacing(place.corners)
        if not why and place.high * strip.span < _PLAIN:
            why = f"small and faint digits: {line.text}; bring the camera closer, or mend the light"
        elif not why and self._light_beside(place, window, image, strip):
            why = "something is lit beside the digits, as if there were more of them than --digits says"
        elif not why and place.found and (not place.whole or kept.neighbour):
            why = f"a digit may lie beyond what was found: {line.text}; give --corners"
        elif not why and place.found and self._display.segments == 7 and may_be_turned(line.text):
            why = f"may be upside down: {line.text}; give --corners"
        return replace(line, why=why, confidence=min(line.confidence, HELD)) if why else line

    def _light_beside(self, place: Place, window: Window, image: Image, strip: Strip) -> bool:
        """Whether something of a digit's height is lit between the cells or, within given corners, before or after."""
        if self._corners is None:
            return light_beside(strip, place.corners, ends=False)
        quad = quad_of(self._corners, (window.left, window.top, window.right, window.bottom))
        block = cut_strip(image, quad, glass=place.glass)
        return light_beside(block, in_strip(block, to_picture(strip, place.corners)), ends=True)

    def _cells(self, kept: _Kept, strip: Strip, place: Place) -> list[CellRead]:
        """The cells; those that look as they did are not read again."""
        crops = cut_cells(strip, place.corners)
        if kept.cells is None or kept.crops is None or len(kept.crops) != len(crops):
            kept.cells = read_cells(strip, self._nets[0], place.corners)
            kept.crops = crops
            kept.neighbour = place.found and beside(strip, place, self._nets[0])
            return kept.cells
        change = [_changed(old, new) for old, new in zip(kept.crops, crops, strict=True)]
        if any(change):
            which = np.flatnonzero(change)
            anew = read_cells(strip, self._nets[0], place.corners[which])
            kept.cells = list(kept.cells)
            for i, cell in zip(which, anew, strict=True):
                kept.cells[i], kept.crops[i] = cell, crops[i]
        return kept.cells

    def _find(self, window: Window, kept: _Kept, image: Image) -> Place | None:
        """The window's place in this picture: as before, followed, or sought."""
        place = kept.place
        if place is not None and kept.size == image.shape[:2]:
            if kept.frames % _CHECK_EVERY:
                return place
            strip = cut_strip(image, place.quad, glass=place.glass)
            if strip.span < LEAST_LIGHT[place.glass] or drifted(strip, place, self._nets[0]) < MOVED:
                return place
            place = follow(place, image, self._nets[0])
        else:
            place = None
        if place is None and kept.frames < kept.rest:
            return None
        kept.crops = None
        kept.place = place or self._locate(window, image)
        kept.size = (image.shape[0], image.shape[1])
        if kept.place is None:
            kept.rest = kept.frames + _REST
        return kept.place

    def _locate(self, window: Window, image: Image) -> Place | None:
        cells = window.digits or self._display.digits or self._profile.digits
        cells = None if cells is None else min(cells, _MOST_CELLS)
        if self._corners is None:
            return find_place(image, cells, self._nets, glass=self._display.glass)
        quad = quad_of(self._corners, (window.left, window.top, window.right, window.bottom))
        return place_by_corners(image, quad, cells, self._nets, glass=self._display.glass, slant=self._display.slant)

    def _nothing(self) -> str:
        return "no row of digits found: it needs --digits and --corners" if self._corners is None else (
            "no row of digits found within the corners: it needs --digits")  # fmt: skip

    def _conclude(self, lines: Sequence[Line]) -> Reading:
        """All windows together."""
        scores: list[ScoreReading] = []
        doubts: list[str] = []
        for window, line in zip(self._windows, lines, strict=True):
            if window.shows == "score" and line.text:
                scores.append(
                    ScoreReading(
                        player=window.player, text=line.text, score=line.score, candidates=line.candidates,
                        confidence=line.confidence, sound=not line.why,
                    )
                )  # fmt: skip
                doubts.append(line.why)
        words = self._words(lines)
        if len(scores) > 1 and len({score.score for score in scores}) == 1 and scores[0].score:
            doubts = [f"the same in every window, as a high score between games: {scores[0].text}"] * len(scores)
            scores = [replace(score, sound=False, confidence=min(score.confidence, HELD)) for score in scores]
        if not scores:
            blank = all(line.blank for line in lines)
            why = next((line.why for line in lines if line.why), "nothing is lit")
            return Reading(display="segments", why=why, words=words, quality="blank" if blank else "")
        return Reading(display="segments", scores=tuple(scores), accepted=not doubts[0], why=doubts[0], words=words)

    def _words(self, lines: Sequence[Line]) -> tuple[str, ...]:
        """Words that matter: those that are written, and the ball of a window that shows the ball."""
        own = self._profile.words
        said: list[str] = []
        if self._display.segments != 7:
            patterns = (*own.game_over, *own.slam_tilt, *own.tilt, *own.player, *own.ball)
            texts = [line.text for line in lines if line.text]
            said = list(find_words([*texts, " ".join(texts)], patterns))
        for window, line in zip(self._windows, lines, strict=True):
            if window.shows == "ball" and not line.why and line.score is not None and 1 <= line.score <= 20:
                word = own.ball[0].replace("#", str(line.score)) if own.ball else ""
                said += [word] if word and word not in said else []
        return tuple(said)


def _changed(old: Values, new: Values) -> bool:
    """Whether a cell looks different by more than noise."""
    spots = np.abs(cv2.blur((new - old).transpose(1, 2, 0), (5, 5)))
    return bool(spots.max() > _CHANGED)
