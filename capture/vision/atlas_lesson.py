"""A lesson: labelled displays of one machine in, its font atlas out, with what it reads of them when it is examined.

Pure: pictures and dots come in with their labels, no files. Invariant: an atlas that reads one of its own examples
wrongly, or that rests on labels which contradict each other, is not handed out.
"""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from capture.vision.atlas_read import read_by_fonts
from capture.vision.atlas_teach import Cut, cut_number, find_numbers, teach
from capture.vision.errors import VisionInvalid
from capture.vision.networks import Values, shipped_networks
from capture.vision.page import Page
from capture.vision.reader import DisplayReader
from hardware.atlas import Atlas, Font
from hardware.displays import DotMatrix
from hardware.ports.base import Image
from hardware.profile import MachineProfile

MOST_EXAMPLES = 2_000
_FLAT = 0.1
"""So close to the display's shape a picture is taken for the display laid flat, as evidence is kept."""
_FOLDS = 20
"""So many parts are left out one after another when there are more examples than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """What fonts made of numbers that they were not taught with: names of pictures."""

    right: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    wrong: tuple[tuple[str, str], ...] = ()
    """With what was read instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a lesson. `atlas` is None where nothing could be taught or `objections` speak against it.

    `taught`: pictures that taught something; `aside`: (picture, reason) of the others.
    """

    atlas: Atlas | None
    fonts: tuple[Font, ...]
    taught: tuple[str, ...]
    aside: tuple[tuple[str, str], ...]
    exam: Exam
    objections: tuple[str, ...]


@dataclass(slots=True)
class _Notes:
    """One example: its dots and the numbers cut out of them."""

    name: str
    dots: Values
    value: int
    cuts: list[Cut] = field(default_factory=list)


class Lesson:
    """Takes the labelled examples of one machine one by one, then makes its atlas."""

    def __init__(self, profile: MachineProfile) -> None:
        """Raises VisionInvalid where the profile has no dot-matrix display."""
        display = profile.display
        if not isinstance(display, DotMatrix):
            raise VisionInvalid(f"profile {profile.id!r} has no dot-matrix display: only those have fonts to teach")
        bare = display.with_atlases(())
        self._profile = profile.model_copy(update={"display": bare})
        self._display, self._networks = bare, shipped_networks()
        self._page = Page(self._profile, bare, self._networks)
        self._notes: list[_Notes] = []
        self._aside: list[tuple[str, str]] = []
        self._shown: dict[tuple[int, bytes], str] = {}

    def show_picture(self, name: str, image: Image, value: int) -> str:
        """A picture that shows this number; empty, or why it teaches nothing."""
        high, wide = image.shape[:2]
        why = "no display is seen"
        flat = abs(wide / high * self._display.rows / self._display.columns - 1) < _FLAT
        whole = ((0.0, 0.0), (float(wide), 0.0), (float(wide), float(high)), (0.0, float(high)))
        for corners in (None, whole) if flat else (None,):
            with suppress(VisionInvalid):  # too few pixels a dot
                reader = DisplayReader(self._profile, self._networks, corners=corners)
                why = reader.read(image).why or why
                dots = reader.dots()
                if dots is not None:
                    return self._note(name, dots, value)
        return self.pass_over(name, why)

    def show_dots(self, name: str, levels: Values, value: int) -> str:
        """Exact dots (rows x columns, 0 to 1) that show this number; empty, or why they teach nothing."""
        rows, columns = levels.shape
        if (rows, columns) != (self._display.rows, self._display.columns):
            mine = f"{self._display.columns} x {self._display.rows}"
            return self.pass_over(name, f"{columns} x {rows} dots, but the profile's display has {mine}")
        return self._note(name, np.stack([levels, levels]).astype(np.float32), value)

    def pass_over(self, name: str, why: str) -> str:
        """An example that cannot be looked at, with its reason, which is given back."""
        self._aside.append((name, why))
        return why

    def finish(self) -> Outcome:
        """Make the atlas and examine it."""
        result = teach(_cuts(self._notes))
        put_aside = {name for name, _ in (*result.aside, *result.clashes)}
        kept = [note for note in self._notes if note.name not in put_aside]
        exam = _examine(kept)
        aside = [*self._aside, *result.aside, *result.clashes]
        taught = tuple(dict.fromkeys(cut.name for note in self._notes for cut in note.cuts))
        objections = [f"{name}: {why}" for name, why in result.clashes]
        objections += [f"{name}: would be read as {said}" for name, said in _misread(kept, result.fonts)]
        sound = bool(result.fonts) and not objections and not exam.wrong
        atlas = Atlas(
            machine=self._profile.id, columns=self._display.columns, rows=self._display.rows, fonts=result.fonts
        )  # fmt: skip
        return Outcome(
            atlas=atlas if sound else None, fonts=result.fonts,
            taught=tuple(name for name in taught if name not in put_aside),
            aside=tuple(aside), exam=exam, objections=tuple(objections),
        )  # fmt: skip

    def _note(self, name: str, dots: Values, value: int) -> str:
        same = self._shown.setdefault((value, hashlib.sha256(dots.tobytes()).digest()), name)
        if same != name:  # a copy would bear itself out, in the lesson and in the exam
            return self.pass_over(name, f"the same picture as {same}")
        if len(self._notes) >= MOST_EXAMPLES:
            return self.pass_over(name, f"more than {MOST_EXAMPLES} examples teach nothing new")
        boxes, sure = find_numbers(self._page.texts(dots), value)
        note = _Notes(name, dots[0], value)
        why = f"the picture does not show {value:,}" if not boxes else ""
        for box in boxes:
            cut = cut_number(note.dots, box, value, name=name, sure=sure)
            if isinstance(cut, str):
                why = cut
            else:
                note.cuts.append(cut)
        if not note.cuts:
            return self.pass_over(name, why)
        self._notes.append(note)
        return ""


def _examine(notes: Sequence[_Notes]) -> Exam:
    """Leave out each example (or each twentieth of them), teach the rest, read what was left out."""
    right: list[str] = []
    refused: list[str] = []
    wrong: list[tuple[str, str]] = []
    parts = min(_FOLDS, len(notes))
    for part in range(parts):
        fonts = teach(_cuts([note for i, note in enumerate(notes) if i % parts != part])).fonts
        for note in notes[part::parts]:
            said = _say(note, fonts)
            others = [one for one in said if one != _label(note)]
            if others:
                wrong.append((note.name, others[0]))
            else:
                (right if said else refused).append(note.name)
    return Exam(right=tuple(right), refused=tuple(refused), wrong=tuple(wrong))


def _misread(notes: Sequence[_Notes], fonts: Sequence[Font]) -> list[tuple[str, str]]:
    return [(note.name, said) for note in notes for said in _say(note, fonts) if said != _label(note)]


def _cuts(notes: Sequence[_Notes]) -> list[Cut]:
    return [cut for note in notes for cut in note.cuts]


def _say(note: _Notes, fonts: Sequence[Font]) -> list[str]:
    """What the fonts read in the places of an example's number, where they read it whole."""
    told = [read_by_fonts(note.dots, cut.box, fonts) for cut in note.cuts]
    return [one.text for one in told if one is not None and one.explained]


def _label(note: _Notes) -> str:
    return f"{note.value}" if note.value else "00"
