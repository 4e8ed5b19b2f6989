"""`inlane-server demo`: a tournament that records itself, on simulated machines."""

import argparse

from server.errors import InputInvalid

MOST_MACHINES = 48


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the demo."""
    parser.add_argument("--port", type=int, default=8000, help="port of the pages (default: %(default)s)")
    parser.add_argument("--machines", type=int, default=12, help="simulated machines (default: %(default)s)")
    parser.add_argument("--speed", type=float, default=1.0, help="how much faster than real play (default: 1)")
    parser.add_argument("--minutes", type=float, help="stop by itself after so many minutes")
    parser.add_argument("--folder", help="work in this empty folder and leave everything there")


def run(arguments: argparse.Namespace) -> int:
    """Run the demo; returns when it was stopped."""
    import asyncio  # noqa: PLC0415 - help must be instant
    from pathlib import Path  # noqa: PLC0415

    from server.ops.demo import Options, run_demo  # noqa: PLC0415

    _check(arguments)
    folder = None
    if arguments.folder is not None:
        folder = Path(arguments.folder).resolve()
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputInvalid(f"{folder} is not an empty folder: choose another with --folder")
        folder.mkdir(parents=True, exist_ok=True)
    options = Options(
        port=arguments.port,
        machines=arguments.machines,
        speed=arguments.speed,
        minutes=arguments.minutes,
        folder=folder,
    )
    asyncio.run(run_demo(options, say=lambda text: print(text, flush=True)))  # noqa: T201 - the demo speaks to a person
    return 0


def _check(arguments: argparse.Namespace) -> None:
    if not 1 <= arguments.port <= 65535:
        raise InputInvalid("--port is a number from 1 to 65535")
    if not 1 <= arguments.machines <= MOST_MACHINES:
        raise InputInvalid(f"--machines is a number from 1 to {MOST_MACHINES}")
    if not 0.1 <= arguments.speed <= 100:
        raise InputInvalid("--speed is a number from 0.1 to 100")
    if arguments.minutes is not None and not 0 < arguments.minutes <= 100_000:
        raise InputInvalid("--minutes is a number above 0")
