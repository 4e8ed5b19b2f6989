"""Small maps of our own making, for tests: written into a folder with their platform, as a user would have them."""

import json
from pathlib import Path
from typing import Any

PLATFORM = {"endian": "big", "memory_layout": [{"address": 0, "size": "0x0800", "type": "nvram"}]}


def game_state(**more: object) -> dict[str, Any]:
    """What a map says of the game: four packed scores of four bytes and all that goes with them."""
    scores = [{"start": 0x200 + 4 * slot, "encoding": "bcd", "length": 4} for slot in range(4)]
    return {
        "scores": scores,
        "game_over": {"start": "0xA9", "encoding": "bool"},
        "tilted": {"start": "0xA8", "encoding": "bool"},
        "player_count": {"start": "0xAC", "encoding": "int", "offset": 1},
        "current_player": {"start": "0xAD", "encoding": "int", "offset": 1},
        "current_ball": {"start": "0x38", "encoding": "bcd", "mask": "0x0F", "special_values": {"0": "n/a"}},
        "ball_count": {"start": "0x788", "encoding": "bcd"},
        "credits": {"start": "0x726", "encoding": "bcd"},
        **more,
    }


def write_map(
    folder: Path,
    state: dict[str, Any],
    *,
    name: str = "tst_l1.map.json",
    meta: dict[str, Any] | None = None,
    **more: object,
) -> Path:
    """Write a map, and its platform beside it."""
    platforms = folder / "platforms"
    platforms.mkdir(parents=True, exist_ok=True)
    (platforms / "tst.json").write_text(json.dumps(more.pop("platform", PLATFORM)))
    meta = {"version": 1, "platform": "tst", "roms": more.pop("roms", ["tst_l1", "tst_l2"])} | (meta or {})
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"_fileformat": 0.8, "_metadata": meta, "game_state": state} | more))
    return path


def memory(*, over: int = 0, player: int = 1, players: int = 1, ball: int = 1, scores: tuple[int, ...] = ()) -> bytes:
    """The whole memory of such a machine."""
    cells = bytearray(0x800)
    cells[0xA9], cells[0xAC], cells[0xAD], cells[0x38] = over, players - 1, player - 1, 0xF0 | ball
    cells[0x788], cells[0x726] = 3, 0x12
    for slot, score in enumerate(scores):
        cells[0x200 + 4 * slot : 0x204 + 4 * slot] = bytes.fromhex(f"{score:08d}")
    return bytes(cells)


def dump(cells: bytes, *, rows: tuple[int, ...] | None = None) -> bytes:
    """The memory as a reader tells it, 16 bytes a line."""
    wanted = rows if rows is not None else tuple(range(0, len(cells), 16))
    lines = (f"0x{row:04X}: {' '.join(f'0x{cell:02X}' for cell in cells[row : row + 16])} \r\n" for row in wanted)
    return "".join(lines).encode()
