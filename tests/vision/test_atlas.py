"""A machine's own font reads what it was taught to the dot, and refuses whatever it was not taught."""

import csv
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from capture.vision.atlas_lesson import Lesson, Outcome
from capture.vision.atlas_read import Told, read_by_fonts
from capture.vision.atlas_teach import Cut, cut_number, teach
from capture.vision.atlas_vote import SURE, hear_fonts
from capture.vision.digits import Number, Text
from capture.vision.networks import shipped_networks
from capture.vision.page import Page
from capture.vision.reader import DisplayReader
from capture.vision.signs import Line
from hardware.atlas import Font, format_atlas, parse_atlas
from hardware.catalog import load_profile
from hardware.displays import DotMatrix
from hardware.profile import MachineProfile
from hardware.sim import fonts

FRAMES = Path(__file__).parents[3] / "shared" / "data" / "displays" / "dmd_frames"
SIZES = (5, 7, 9, 13, 18)
PLACES = [(hand, rows) for hand in (0, 2, 3) for rows in SIZES]


def drawn(value: int, rows: int, hand: int = 0, *, left: int = 20, top: int = 4) -> tuple[np.ndarray, tuple]:
    """Exact dots with one number, and the box around it as the networks would find it."""
    dots = np.zeros((32, 128), np.float32)
    glyph = fonts.number(value, rows, fonts.HANDS[hand])
    dots[top : top + rows, left : left + glyph.shape[1]] = glyph[:, : 128 - left]
    return dots, (left - 0.3, top + 0.2, left + glyph.shape[1] + 0.3, top + rows - 0.2)


def cuts(values: Iterable[int], rows: int, hand: int = 0) -> Iterator[Cut]:
    for value in values:
        dots, box = drawn(value, rows, hand)
        cut = cut_number(dots, box, value, name=str(value), sure=True)
        assert isinstance(cut, Cut), cut
        yield cut


def taught(values: Iterable[int], rows: int, hand: int = 0) -> tuple[Font, ...]:
    result = teach(list(cuts(values, rows, hand)))
    assert (result.aside, result.clashes) == ((), ())
    return result.fonts


def read(value: int, known: tuple[Font, ...], rows: int, hand: int = 0, **where: int) -> Told | None:
    dots, box = drawn(value, rows, hand, **where)
    return read_by_fonts(dots, box, known)


ALL = (1_234, 5_678, 9_012, 34_567, 89_010, 77_665)


@pytest.mark.parametrize(("hand", "rows"), PLACES)
def test_a_font_taught_from_a_few_numbers_reads_all_others_of_its_height_exactly(hand: int, rows: int):
    known = taught(ALL, rows, hand)
    assert known[0].missing == ""
    chance = random.Random(rows)  # noqa: S311 -- repeatable
    for value in [chance.randrange(1000, 10**6) for _ in range(40)]:
        told = read(value, known, rows, hand, left=chance.randrange(1, 9), top=chance.randrange(2, 9))
        assert told is not None
        assert told.text == str(value) or not told.explained
        assert set(told.text) - {"?"} <= set(str(value))
        if told.explained:
            assert (told.exact, told.complete, told.groups) == (True, True, True)


@pytest.mark.parametrize(("hand", "rows"), PLACES)
@pytest.mark.parametrize("missing", "0123456789")
def test_a_digit_that_was_never_taught_is_refused_and_not_the_nearest(hand: int, rows: int, missing: str):
    known = taught([value for value in (*ALL, 4_135, 2_468, 9_753) if missing not in str(value)], rows, hand)
    told = read(int(f"1{missing}{missing}2"), known, rows, hand)
    assert told is None or told.text[1:3] == "??"


@pytest.mark.parametrize(("hand", "rows"), [place for place in PLACES if place[1] > 5])
def test_a_wrong_dot_never_makes_another_digit_where_they_are_further_apart_than_that(hand: int, rows: int):
    known = taught(ALL, rows, hand)
    chance = random.Random(rows)  # noqa: S311 -- repeatable
    for value in (80_685, 23_568, 90_417):
        dots, box = drawn(value, rows, hand)
        lit = np.argwhere(dots[4 : 4 + rows, 20 : int(box[2])] >= 0)
        for _ in range(25):
            y, x = lit[chance.randrange(len(lit))]
            dots[4 + y, 20 + x] = 1 - dots[4 + y, 20 + x]
            told = read_by_fonts(dots, box, known)
            dots[4 + y, 20 + x] = 1 - dots[4 + y, 20 + x]
            if told is not None and told.explained:
                assert told.text == str(value)


def test_whatever_else_is_lit_in_the_line_leaves_it_unexplained():
    known = taught(ALL, 7)
    for column in (18, 53):
        dots, box = drawn(12_345, 7)
        dots[6, column] = 1
        told = read_by_fonts(dots, box, known)
        assert told is None or not told.explained


def test_a_number_that_goes_on_beyond_the_box_is_told_whole():
    known = taught(ALL, 7)
    dots, box = drawn(12_345, 7)
    told = read_by_fonts(dots, (box[0] + 14, *box[1:]), known)
    assert told is not None
    assert (told.text, told.inside, told.explained) == ("12345", "345", True)


def test_a_number_without_its_group_mark_is_not_explained():
    known = taught(ALL, 9)
    dots, box = drawn(12_345, 9)
    comma = dots[11:13, 20:].copy()
    dots[11:13, 36:40] = 0
    assert (comma != dots[11:13, 20:]).any()
    told = read_by_fonts(dots, box, known)
    assert told is None or not told.explained


def test_labels_that_contradict_each_other_are_said():
    good = list(cuts(ALL, 7))
    dots, box = drawn(4_135, 7)
    wrong = cut_number(dots, box, 4_185, name="typo", sure=True)
    assert isinstance(wrong, Cut)
    assert [name for name, _ in teach([*good, wrong]).clashes] == ["typo"]
    unsure = teach([*good, replace(wrong, sure=False)])
    assert ([name for name, _ in unsure.aside], unsure.clashes) == (["typo"], ())


def number(text: str, line: str, box: tuple, chance: float = 0.8) -> Number:
    known = {
        "box": box, "text": text, "by_sign": text, "by_line": line, "chances": (chance,) * len(text), "groups": None,
        "alone": True,
    }  # fmt: skip
    others = {one.name: 0 for one in fields(Number) if one.default is MISSING and one.name not in known}
    return Number(**known, **others)


def heard(value: int, text: str, line: str, known: tuple[Font, ...]) -> Number:
    dots, box = drawn(value, 7)
    page = [Text(line=Line(signs=()), words="", guess="", numbers=(number(text, line, box),))]
    return hear_fonts(page, np.stack([dots, dots]), known)[0].numbers[0]


def test_font_and_networks_that_agree_are_very_sure():
    said = heard(12_345, "12345", "12345", taught(ALL, 7))
    assert (said.text, said.agreed, said.groups, said.sureness >= SURE) == ("12345", True, True, True)


def test_a_whole_font_settles_between_two_networks_and_fills_a_place_that_one_did_not_see():
    known = taught(ALL, 7)
    assert heard(12_345, "12845", "12345", known).by_line == heard(12_345, "1?345", "88", known).by_sign == "12345"


def test_font_and_networks_that_differ_are_held_with_both():
    said = heard(12_345, "12845", "12845", taught(ALL, 7))
    assert (said.agreed, {said.by_sign, said.by_line}) == (False, {"12345", "12845"})


def test_a_font_that_lacks_a_digit_changes_nothing_but_speaks_against_a_digit_it_knows():
    known = taught([1_234, 2_413, 4_321], 7)
    assert heard(12_345, "12345", "12345", known).sureness < SURE
    assert heard(12_345, "12345", "12345", known).agreed
    assert not heard(12_345, "12344", "12344", known).agreed


def test_a_lesson_finds_the_number_on_the_screen_and_its_atlas_survives_being_written():
    lesson = Lesson(load_profile("dmd-128x32"))
    for value in (*ALL, 20_384, 61_975, 10_293):
        dots, _ = drawn(value, 9, 2)
        stamp = fonts.text("BALL 2", 5)
        dots[24:29, 4 : 4 + stamp.shape[1]] = stamp
        lesson.show_dots(str(value), dots, value)
    dots, _ = drawn(5_000, 9, 2)
    assert "does not show" in lesson.show_dots("other", dots, 77_111)
    assert "64 x 16 dots" in lesson.show_dots("small", dots[::2, ::2], 5_000)
    outcome = lesson.finish()
    assert outcome.atlas is not None
    assert (outcome.exam.wrong, outcome.objections) == ((), ())
    assert parse_atlas(format_atlas(outcome.atlas), file="x") == outcome.atlas


def evidence(reader: DisplayReader, image: np.ndarray) -> np.ndarray:
    """The picture that would be kept, as a file gives it back."""
    reader.read(image)
    return np.asarray(cv2.imdecode(np.frombuffer(reader.crop(image).data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def test_exact_dots_survive_being_kept_as_evidence(new_reader: Callable[..., DisplayReader]):
    lesson = Lesson(load_profile("dmd-128x32"))
    for value in ALL:
        dots, _ = drawn(value, 9)
        said = lesson.show_picture(str(value), evidence(new_reader(), np.asarray(255 * dots, np.uint8)), value)
        assert said == ""
    (font,) = lesson.finish().fonts
    assert font.glyphs == taught(ALL, 9)[0].glyphs


def test_a_font_is_taught_from_the_evidence_of_a_camera(new_reader: Callable[..., DisplayReader], panel: type):
    lesson = Lesson(load_profile("dmd-128x32"))
    for value in ALL:
        image, corners = panel(2).number(value, top=6, rows=11).words("BALL 2", top=24, left=4).seen()
        lesson.show_picture(str(value), evidence(new_reader(corners), image), value)
    outcome = lesson.finish()
    assert len(outcome.taught) >= 5
    assert (outcome.exam.wrong, outcome.objections) == ((), ())
    same = {glyph.sign: glyph.dots for glyph in taught(ALL, 11, 2)[0].glyphs}
    for glyph in outcome.fonts[0].glyphs:
        lit = tuple(row.replace("+", "#").replace("-", ".") for row in glyph.dots)
        assert lit == same[glyph.sign]


def frames() -> list[dict[str, str]]:
    if not FRAMES.exists():
        pytest.skip(f"measured frames are not there: {FRAMES}")
    with (FRAMES / "labels.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def load(row: dict[str, str]) -> np.ndarray:
    return cv2.imread(str(FRAMES / row["file"]), 0).astype(np.float32) / 255


def lesson_of(rows: list[dict[str, str]], profile: MachineProfile) -> Outcome:
    lesson = Lesson(profile)
    for row in rows:
        lesson.show_dots(row["file"], load(row), int(row["right_value"]))
    return lesson.finish()


@pytest.mark.parametrize("part", [0, 1])
def test_taught_from_half_of_the_measured_frames_the_rest_is_read_with_none_wrong(part: int):
    rows, profile = frames(), load_profile("dmd-128x32")
    live = [row for row in rows if row["kind"] == "live"]
    outcome = lesson_of(live[part::2], profile)
    assert outcome.exam.wrong == ()
    assert outcome.atlas is not None
    display = profile.display
    assert isinstance(display, DotMatrix)
    reader = DisplayReader(
        profile.model_copy(update={"display": display.with_atlases((outcome.atlas,))}), shipped_networks()
    )
    right = 0
    for row in rows:
        if row in live[part::2]:
            continue
        reading = reader.read_dots(load(row))
        score = reading.scores[0].score if reading.scores else None
        right += row["kind"] == "live" and str(score) == row["right_value"]
        assert not reading.accepted or str(score) == row["right_value"], row["file"]
    assert right >= 12


def test_whatever_the_font_reads_whole_on_any_measured_frame_is_what_stands_there():
    """Every number that the networks find anywhere is read by the font too: where both read all of it, they agree, or
    the frame's own label says that the font is right.
    """
    rows, profile = frames(), load_profile("dmd-128x32")
    live = [row for row in rows if row["kind"] == "live"]
    outcome = lesson_of(live[::2], profile)
    assert isinstance(profile.display, DotMatrix)
    page = Page(profile, profile.display, shipped_networks())
    whole = 0
    for row in rows:
        dots = load(row)
        for text in page.texts(np.stack([dots, dots])):
            for one in text.numbers:
                told = read_by_fonts(dots, one.box, outcome.fonts)
                if told is not None and told.explained:
                    whole += 1
                    truths = {one.by_sign, one.by_line, row["right_value"]}
                    assert told.text in truths or one.text in told.text or not one.agreed, (row["file"], told, one)
    assert whole >= 25
