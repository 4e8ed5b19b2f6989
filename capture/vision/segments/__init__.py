"""Reading displays of segments: 7, 14 or 16 to a cell, lit or liquid crystal. `open_display` is the one door.

`strip` and `cells` see, `fit`, `find` and `place` know where, `judge` and `text` conclude, `reader` remembers places.
One invariant: cells are fixed; a gap is never taken for an end, nor a dark place for none.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capture.vision.segments.reader import SegmentsReader
    from hardware.profile import MachineProfile


def open_display(profile: "MachineProfile", corners: Sequence[tuple[float, float]] | None) -> "SegmentsReader":
    """A reader of this profile's display of segments, with the networks that ship with the product."""
    from capture.vision.segments.network import shipped_cells, shipped_finder  # noqa: PLC0415 (training needs the
    from capture.vision.segments.reader import SegmentsReader, segments_of  # noqa: PLC0415 parts, not the models)

    return SegmentsReader(profile, (shipped_cells(segments_of(profile).segments), shipped_finder()), corners=corners)
