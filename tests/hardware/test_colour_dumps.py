"""Dumps of displays of colours: each dot as bright as its colour, and never twice as many dots."""

from pathlib import Path

import numpy as np
import pytest

from hardware.ports.base import Dots
from hardware.ports.replay_dots import DotsPort
from tests.capture import dot_wires as w
from tests.capture.test_dot_streams import OTHER, PICTURE


def rows_of(colours: np.ndarray, digits: int) -> str:
    parts = colours.astype(int)
    if digits == 6:
        values = parts[..., 0] << 16 | parts[..., 1] << 8 | parts[..., 2]
    else:
        values = parts[..., 0] >> 3 << 11 | parts[..., 1] >> 2 << 5 | parts[..., 2] >> 3
    return "".join("".join(f"{value:0{digits}x}" for value in row) + "\r\n" for row in values)


@pytest.mark.parametrize("digits", [4, 6])
@pytest.mark.parametrize("colour", [(255, 255, 255), (255, 140, 0), (0, 0, 255)])
def test_a_dump_of_colours_is_read_dot_by_dot(digits: int, colour: tuple[int, int, int], tmp_path: Path):
    text = "".join(
        f"0x{at:08x}\r\n{rows_of(w.tinted(dots, colour), digits)}\r\n" for at, dots in ((1000, PICTURE), (1040, OTHER))
    )
    (tmp_path / "colours.txt").write_text(text)
    port = DotsPort(tmp_path / "colours.txt")
    port.look_through()
    events = [event for event in port.events() if isinstance(event, Dots)]
    assert (port.size, port.damaged, [event.at for event in events]) == ((128, 32), 0, [1000, 1040])
    full = float(events[0].levels.max())
    assert full > 0.5
    assert np.array_equal(events[0].levels >= full - 0.01, PICTURE == 15)
    assert np.array_equal(events[1].levels > 0, OTHER > 0)
