"""`inlane-agent read` of memory images: what a machine's memory says while it stands still, one answer an image.

Here: files, and the answer's form. What the bytes come to is capture's. Invariant: an image that is damaged costs one
line on standard error and status 1, and a value that the map or the image does not say is null.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.asked import with_map
from bridge.errors import InputInvalid

if TYPE_CHECKING:
    from capture.dialects.memory_values import Reading
    from capture.states import MachineState
    from hardware.maps.model import MemoryMap
    from hardware.profile import MachineProfile

NAMES = {
    "players": "player_count", "player": "current_player", "ball": "current_ball", "balls": "ball_count",
    "game_over": "game_over", "tilted": "tilted", "slam_tilted": "slam_tilted", "tilt_warnings": "tilt_warnings",
    "credits": "credits", "max_credits": "max_credits", "extra_balls": "extra_balls", "free_play": "free_play",
    "service": "service_mode",
}  # fmt: skip
"""The answer's `state`, by the map's names."""


def read_images(profile: "MachineProfile", arguments: argparse.Namespace) -> int:
    """Read each image. Status 1 if any could not be opened; raises InputInvalid where there is no map."""
    from capture.dialects.memory_values import read_memory, state_of  # noqa: PLC0415 - help must be instant
    from hardware.errors import MapInvalid  # noqa: PLC0415
    from hardware.maps.image import load_image  # noqa: PLC0415

    for option in ("digits", "players", "corners"):
        if getattr(arguments, option) is not None:
            raise InputInvalid(f"--{option} is of displays: profile {profile.id!r} reads a memory")
    status = 0
    for name in arguments.images:
        table = with_map(profile, arguments, Path(name)).memory
        memory_map = table.loaded if table else None
        if memory_map is None:
            raise InputInvalid(f"profile {profile.id!r} needs a memory map: --map FILE")
        try:
            memory = load_image(Path(name), memory_map)
        except MapInvalid as error:
            print(f"inlane-agent: {_printable(str(error))}", file=sys.stderr)  # noqa: T201
            status = 1
            continue
        memory_map = memory_map.judged_by(memory)
        reading = read_memory(memory_map, memory)
        state = state_of(reading, 0, verified=memory_map.doubt is None)
        why = judge(reading, state, memory_map)
        tell = _as_json if arguments.json else _as_line
        print(tell(name, reading, state, why), flush=True)  # noqa: T201
    return status


def judge(reading: "Reading", state: "MachineState", memory_map: "MemoryMap") -> str:
    """Why an official must look at these scores; empty where they count by themselves."""
    if memory_map.doubt:
        return f"unverified: {memory_map.doubt}"
    if None in reading.scores:
        return "the image does not hold the scores, or they are no numbers"
    if reading.blind:
        where = ", ".join(key.removeprefix("game_state.") for key in reading.missing[:4])
        return f"the image does not hold {where}: whether these are a game's scores cannot be told"
    if state.playing is None:
        return "the map does not say whether a game runs: these scores may be left over"
    if state.playing and state.players is None and "player_count" in memory_map.fields:
        return "a number of players that cannot be: another game's memory, or another revision?"
    if state.playing and None in state.scores[: state.players or len(state.scores)]:
        return "digits of a score are dark: the display flashes, or the memory is another game's"
    return ""


def _as_json(name: str, reading: "Reading", state: "MachineState", why: str) -> str:
    held = why.startswith("unverified")
    scores = [
        {
            "player": number,
            "score": None if held else score,
            "text": "?" if score is None else str(score),
            "state": "settled",
            "candidates": [score] if held and score is not None else [],
            "confidence": 0.0 if held or score is None else 1.0,
        }
        for number, score in enumerate(reading.scores, start=1)
    ]
    said: dict[str, object] = {"playing": state.playing}
    said |= {name: reading.values.get(key) for name, key in NAMES.items()}
    said["final_scores"] = list(reading.finals) or None
    answer = {
        "file": name.encode("utf-8", "replace").decode(),  # bytes that are no text would be no JSON
        "display": "memory", "scores": scores, "accepted": not why, "why": why, "words": [], "state": said,
    }  # fmt: skip
    return json.dumps(answer)


def _as_line(name: str, reading: "Reading", state: "MachineState", why: str) -> str:
    told = "; ".join(
        f"player {number}: {'?' if score is None else f'{score:,}'}" for number, score in enumerate(reading.scores, 1)
    )
    runs = {True: "a game runs", False: "no game runs", None: "whether a game runs is not known"}[state.playing]
    parts = [("up", state.player), ("ball", state.ball), ("of", state.balls), ("credits", state.credits)]
    rest = "".join(f", {word} {value}" for word, value in parts if value is not None)
    rest += ", tilted" if state.tilted else ""
    return f"{_printable(name)}: {told} ({f'held: {why}' if why else 'accepted'}); {runs}{rest}"


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
