"""What lets a number count, and what holds it: numbers made by hand, dots drawn by hand."""

from dataclasses import replace

import numpy as np
import pytest

from capture.vision.confidence import Frame, doubt_number
from capture.vision.digits import Number
from capture.vision.groups import judge_groups, place_marks
from capture.vision.witness import merge, together

PLAIN = Number(
    box=(35.0, 4.0, 93.0, 18.0), text="123456", by_sign="123456", by_line="123456", chances=(0.98,) * 6, found=0.99,
    damaged=0.0, gap=3.0, ends=(1.0, 1.0), widest=0.0, groups=True, alone=True, labelled=False, joint=0.999,
)  # fmt: skip


def _doubt(number: Number, *, missing: float = 0.0, spot: tuple[slice, slice] | None = None) -> str:
    dots = np.zeros((2, 32, 128), np.float32)
    left, top, right, bottom = (round(side) for side in number.box)
    dots[:, top:bottom, max(0, left) : right : 2] = 1
    if spot is not None:
        dots[(slice(None), *spot)] = 1
    return doubt_number(number, Frame(dots=dots, missing=missing), quantum=1, most=10**12, digits=None)


def test_a_plain_number_passes():
    assert _doubt(PLAIN) == ""


def test_two_readers_that_are_fairly_sure_are_sure_together():
    assert _doubt(replace(PLAIN, chances=(0.85,) * 6, joint=0.995)) == ""
    assert _doubt(replace(PLAIN, chances=(0.85,) * 6, joint=0.97)).startswith("not sure enough")
    assert _doubt(replace(PLAIN, chances=(0.7,) * 6, joint=0.999)).startswith("not sure enough")


def test_a_mark_at_the_number_foot_beside_it_holds_it_and_a_star_above_does_not():
    assert "lit beside" in _doubt(PLAIN, spot=(slice(16, 18), slice(97, 99)))
    assert _doubt(PLAIN, spot=(slice(6, 7), slice(97, 99))) == ""


def test_a_part_of_a_digit_beside_the_number_holds_it():
    assert "lit beside" in _doubt(PLAIN, spot=(slice(5, 15), slice(96, 97)))


CUT_AT_THE_EDGE = {(0.0, 0.7): False, (2.0, 1.0): False, (2.0, 0.7): True, (9.0, 1.0): True}


@pytest.mark.parametrize(("missing", "width"), CUT_AT_THE_EDGE)
def test_at_the_edge_of_a_view_that_lacks_columns_a_narrow_digit_may_be_cut(missing: float, width: float):
    number = replace(PLAIN, box=(0.5, 4.0, 58.5, 18.0), ends=(width, 1.0))
    assert ("cut by" in _doubt(number, missing=missing)) == CUT_AT_THE_EDGE[missing, width]


def test_a_number_without_marks_counts_where_whole_numbers_stand():
    assert _doubt(replace(PLAIN, groups=None)) == ""
    assert "no group marks" in _doubt(replace(PLAIN, groups=None, box=(60.0, 4.0, 118.0, 18.0)))
    assert "no group marks" in _doubt(replace(PLAIN, groups=None, widest=0.3))


def _boxes(gaps: list[float]) -> list[tuple[float, float, float, float]]:
    boxes, left = [], 5.0
    for gap in [*gaps, 0.0]:
        boxes.append((left, 4.0, left + 6, 14.0))
        left += 6 + gap
    return boxes


DARK = np.zeros((2, 32, 128), np.float32)


def test_marks_are_in_order_by_either_witness_or_by_the_room_for_them():
    even = _boxes([1.0] * 5)
    assert judge_groups(DARK, even, (0, 0, 0.9, 0, 0)) is True
    assert judge_groups(DARK, even, (0, 0, 0, 0, 0)) is None
    assert judge_groups(DARK, even, (0, 0.9, 0, 0, 0)) is False
    assert judge_groups(DARK, _boxes([1, 1, 3.5, 1, 1]), (0, 0, 0, 0, 0)) is True


def test_marks_stand_after_the_digit_before_them():
    assert place_marks([("1", 0.9), (",", 0.8), ("2", 0.9), ("3", 0.9)]) == (0.8, 0.0)


def test_place_by_place_the_surer_reader_speaks_and_what_neither_sees_stays_unknown():
    text, _ = merge("6?4?", np.array([0.9, 0.3, 0.6, 0.2], np.float32), "6558", [0.9, 0.8, 0.5, 0.4])
    assert text == "654?"


def test_two_witnesses_who_agree_are_surer_than_each():
    assert together(0.85, 0.9) > 0.97
