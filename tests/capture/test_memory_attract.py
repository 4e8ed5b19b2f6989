"""Attract mode as it stands in memory: records in all windows, lamps that blink, scores kept elsewhere. No game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from capture.signals import FaultRaised, GameEnded, GameStarted
from hardware.catalog import load_profile
from hardware.maps.load import load_map
from tests.capture.test_memory_dialect import Board
from tests.hardware.memory_maps import write_map

PLATFORM = {
    "endian": "little",
    "memory_layout": [
        {"address": 0, "size": "0x80", "type": "ram"},
        {"address": "0x200", "size": "0x100", "type": "nvram", "nibble": "high"},
    ],
}
RECORD = (140_000,) * 4


def windows(start: int) -> list[dict[str, Any]]:
    return [{"start": start + 7 * slot, "encoding": "bcd", "length": 7} for slot in range(4)]


STATE = {
    "scores": windows(0x21E),
    "final_scores": windows(0x248),
    "current_ball": {"start": "0x0B", "encoding": "bcd"},
    "player_count": {"start": "0x0C", "encoding": "bcd"},
    "current_player": {"start": "0x0D", "encoding": "bcd"},
    "game_over": {"start": "0x20C", "encoding": "bool", "mask": "0x4", "invert": True},
    "ball_count": {"encoding": "dipsw", "offsets": [32, 31], "values": [3, 5, 4, 2]},
}


def cells(*, lamp: bool, ball: int, up: int, shown: tuple[int, ...], kept: tuple[int, ...], dark: int = 0) -> bytes:
    """A memory of nibbles, as boards that write their windows digit by digit have it."""
    memory = bytearray(0x800)
    memory[0xB], memory[0xC], memory[0xD] = ball, 2, up
    memory[0x20C] = 0x8F if lamp else 0xCF
    for slot in range(4):
        text = str(shown[slot]) if slot < len(shown) and slot + 1 != dark else ""
        digits = [0xF] * (7 - len(text)) + [int(sign) for sign in text]
        for place in range(7):
            memory[0x21E + 7 * slot + place] = digits[6 - place] << 4 | 0xF
            memory[0x248 + 7 * slot + place] = kept[slot] // 10**place % 10 << 4 | 0xF
    return bytes(memory)


def attract(ball: int, shown: tuple[int, ...], kept: tuple[int, ...], times: int) -> Iterator[tuple[bytes, int]]:
    """The last scores with the lamp lit, then the record with the lamp dark."""
    for _ in range(times):
        yield cells(lamp=True, ball=ball, up=2, shown=shown, kept=kept), 2000
        yield cells(lamp=False, ball=ball, up=2, shown=RECORD, kept=kept), 2000


@pytest.mark.parametrize("ball_stays", [0, 3])
def test_a_record_in_all_windows_is_no_game_and_the_scores_that_are_kept_are_final(ball_stays: int, tmp_path: Path):
    base = load_profile("pinmame-map")
    assert base.memory
    table = base.memory.with_map(load_map(write_map(tmp_path, STATE, platform=PLATFORM)))
    board = Board(base.model_copy(update={"memory": table}))
    old = (9990, 8880, 0, 0)
    board.play(attract(ball_stays, old[:2], old, 4))
    assert board.of(GameStarted) == []
    scores = [0, 0]
    for ball in (1, 2, 3):
        for up in (1, 2):
            for _ in range(8):
                scores[up - 1] += 250 * up
                for dark, ms in ((0, 400), (up, 100)):  # who is up has a window that flashes
                    shown = tuple(scores)
                    board.play([(cells(lamp=False, ball=ball, up=up, shown=shown, kept=old, dark=dark), ms)])
    final = (*scores, 0, 0)
    board.play([(cells(lamp=False, ball=3, up=2, shown=final[:2], kept=old), 1500)])
    board.play(attract(ball_stays, final[:2], final, 15))
    assert len(board.of(GameStarted)) == 1
    assert [tuple(one.score for one in ended.scores) for ended in board.of(GameEnded)] == [(6000, 12_000)]
    assert board.of(FaultRaised) == []
