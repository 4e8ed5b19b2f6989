"""Simulated segment displays: the windows say the truth, the picture shows it, and signs can be told apart."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware.sim.address import Setting, parse
from hardware.sim.course import Course
from hardware.sim.pane import Pane
from hardware.sim.play import CALM, Habits
from hardware.sim.segment_cells import NAMES, Shape
from hardware.sim.segments import CELL, SegmentFace
from hardware.sim.trouble import Trouble

CLEAR = Trouble(reflection=0, glare=0.3)


def play(face: SegmentFace, seed: int, *, until: int, step: int = 130, habits: Habits = CALM):
    """Each time of a life, after its events."""
    course = Course(replace(habits, ball_seconds=5, idle_seconds=12, scale=100), seed)
    for at in range(0, until, step):
        for event in course.take(at):
            face.tell(event)
        yield at


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("segments", [7, 14, 16])
def test_no_two_digits_light_the_same_segments(seed: int, segments: int):
    shape = Shape.drawn(seed, segments)
    lit = [shape.lit(digit) for digit in "0123456789"]
    assert len(set(lit)) == 10
    assert all(names <= set(NAMES[segments]) for names in lit)
    assert not shape.lit(" ")


@pytest.mark.parametrize("seed", range(4))
def test_in_play_the_windows_show_the_true_scores_or_blink(seed: int):
    face = SegmentFace(Setting(kind="segments", seed=seed))
    blinked = checked = 0
    for at in play(face, seed, until=120_000):
        board, truth = face.board, face.truth(at)
        if board.playing:
            shown = {player: frozenset({score}) for player, score in enumerate(board.scores, 1)}
            missing = shown.keys() - truth.keys()
            assert missing <= {board.player}
            assert {player: shown[player] for player in truth} == truth
            blinked += bool(missing)
            checked += 1
    assert checked > 100
    assert blinked < checked / 2


def test_between_games_high_scores_and_noughts_stand_in_the_windows():
    face = SegmentFace(Setting(kind="segments", seed=2))
    seen = {frozenset(face.truth(at).items()) for at in play(face, 2, until=9_000)}
    assert seen == {frozenset((player, frozenset({number})) for player in range(1, 5)) for number in (0, face._high)}


@pytest.mark.parametrize(("seed", "segments", "glass"), [(1, 7, "lit"), (2, 7, "lcd"), (3, 14, "lit"), (4, 16, "lit")])
def test_the_lit_segments_are_found_again_through_the_true_corners(seed: int, segments: int, glass: str):
    setting = Setting(kind="segments", seed=seed, segments=segments, glass=glass, trouble=CLEAR)
    face = SegmentFace(setting)
    pane = Pane(seed, face.size, width=1280, height=720, trouble=CLEAR)
    *_, at = play(face, seed, until=40_000)
    flat = np.array([[0, 0], [face.size[1], 0], [face.size[1], face.size[0]], [0, face.size[0]]], np.float32)
    back = cv2.getPerspectiveTransform(np.array(pane.corners, np.float32), flat)
    picture = cv2.warpPerspective(pane.picture(face.draw(at), at), back, face.size[::-1]).mean(axis=2)
    templates = face.shape.templates(*CELL)
    for place in face.places:
        if place.shows == "score" and place.player in face.truth(at):
            read = ""
            for column in range(place.cells):
                left = place.left + column * CELL[1]
                cell = picture[place.top : place.top + CELL[0], left : left + CELL[1]]
                levels = {name: float((cell * mask).sum() / mask.sum()) for name, mask in templates.items()}
                read += nearest(face, levels, dark=glass == "lcd")
            assert frozenset({int(read)}) == face.truth(at)[place.player]


def nearest(face: SegmentFace, levels: dict[str, float], *, dark: bool) -> str:
    """The sign whose segments stand out most: the crudest reader there is."""
    names = NAMES[len(levels) - 1]
    values = np.array([levels[name] for name in names]) * (-1 if dark else 1)
    if values.max() - values.min() < 25:
        return ""
    lit = values > (values.max() + values.min()) / 2
    scores = {digit: sum((name in face.shape.lit(digit)) == bool(on) for name, on in zip(names, lit, strict=True))
              for digit in "0123456789"}  # fmt: skip
    return max(scores, key=lambda digit: scores[digit])


def test_a_short_shutter_sees_the_cells_in_different_brightness():
    slow, fast = (SegmentFace(parse(f"sim://segments?seed=3&shutter={shutter}").setting) for shutter in (90, 4))
    at = 1234
    spread = [np.std([face._strobe(at, cell) for cell in range(14)]) for face in (slow, fast)]
    assert spread[0] < 0.15 < spread[1]
