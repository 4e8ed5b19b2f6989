"""`inlane-agent read`: still pictures of a display, or images of a memory, one answer a file.

Files are opened and decoded here, bounded before they are decoded; what they show is capture's. Invariant: a bad file
costs one line on standard error and status 1, and the files after it are read all the same.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.asked import adapt_profile, add_display_arguments, add_memory_arguments, asked_corners, with_map

if TYPE_CHECKING:
    from capture.vision.reading import Reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--profile PROFILE [--digits N] [--players N] [--corners ...] [--map FILE] [--rom ROM] IMAGE... [--json]`."""
    parser.add_argument(
        "images", nargs="+", metavar="IMAGE",
        help="a picture of the display (JPEG, PNG, TIFF, ...), or with a memory map an image of the memory (.nv, dump)",
    )  # fmt: skip
    parser.add_argument("--profile", required=True, help="the machine's profile: a name (see profiles) or a .toml file")
    add_display_arguments(parser)
    add_memory_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a picture instead of a line for people")


def run(arguments: argparse.Namespace) -> int:
    """Read each picture. Status 1 if any could not be opened, 2 if the call was wrong."""
    from hardware.catalog import load_profile  # noqa: PLC0415 - help must be instant

    profile = load_profile(arguments.profile)
    if profile.dialect == "memory":
        from bridge.memory_answers import read_images  # noqa: PLC0415 - as above

        return read_images(profile, arguments)
    profile = adapt_profile(with_map(profile, arguments), arguments)
    corners = asked_corners(arguments)
    from hardware.errors import PictureInvalid  # noqa: PLC0415
    from hardware.pictures import bound_decoders, load_image  # noqa: PLC0415

    bound_decoders()
    from capture.vision import open_reader  # noqa: PLC0415
    from capture.vision.errors import VisionInvalid  # noqa: PLC0415

    status = 0
    for name in arguments.images:
        try:
            image, damage = load_image(Path(name))
            reading = open_reader(profile, corners=corners).read(image)
        except (PictureInvalid, VisionInvalid) as error:
            memory = name.endswith((".nv", ".nv.gz"))
            hint = "; a memory's image needs --profile pinmame-map --map FILE" if memory else ""
            print(f"inlane-agent: {printable(name)}: {error}{hint}", file=sys.stderr)  # noqa: T201
            status = max(status, 1 if isinstance(error, PictureInvalid) else 2)
            continue
        if damage:
            reading = replace(reading, accepted=False, why=damage)
        print(_as_json(name, reading) if arguments.json else _as_line(name, reading), flush=True)  # noqa: T201
    return status


def printable(name: str) -> str:
    """A file's name on one line, in letters that can be printed."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def _as_json(name: str, reading: "Reading") -> str:
    scores = [
        {
            "player": score.player, "score": score.score, "text": score.text, "state": score.state,
            "candidates": list(score.candidates), "confidence": score.confidence,
        }
        for score in reading.scores
    ]  # fmt: skip
    name = name.encode("utf-8", "replace").decode()  # bytes that are no text would be no JSON
    answer = {
        "file": name, "display": reading.display, "scores": scores, "accepted": reading.accepted, "why": reading.why,
        "words": list(reading.words),
    }  # fmt: skip
    return json.dumps(answer)


def _as_line(name: str, reading: "Reading") -> str:
    name = printable(name)
    if not reading.scores:
        return f"{name}: no score: {reading.why}"
    first, *others = reading.scores
    said = f"{first.score:,}" if first.score is not None else first.text
    player = "" if first.player is None else f"player {first.player}: "
    verdict = "accepted" if reading.accepted else f"held: {reading.why}"
    rest = "".join(f"; player {s.player}: {s.text}" for s in others)
    words = f"; says {', '.join(reading.words)}" if reading.words else ""
    return f"{name}: {player}{said} ({verdict}; sure to {first.confidence:.2f}){rest}{words}"
