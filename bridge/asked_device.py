"""What commands that hear one machine are asked alike: `--device` and `--secret-file`, as agent.toml has them.

Invariant: a secret is read from a file and stands in no list of processes.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.errors import InputInvalid

if TYPE_CHECKING:
    from capture.dialects import Setup

MOST_SECRET = 1_000


def add_device_arguments(parser: argparse.ArgumentParser) -> None:
    """`[--device NAME] [--secret-file FILE]`."""
    parser.add_argument("--device", metavar="NAME", help="how the device names itself: another one gives no score")
    parser.add_argument("--secret-file", metavar="FILE", help="a file with what the device signs its messages with")


def asked_setup(arguments: argparse.Namespace) -> "Setup":
    """What was asked for. Raises InputInvalid."""
    from capture.dialects import Setup  # noqa: PLC0415 - help must be instant

    if arguments.device is not None and not 1 <= len(arguments.device) <= 200:
        raise InputInvalid("--device must be a name of 1 to 200 characters")
    return Setup(device=arguments.device, secret=_secret(arguments.secret_file) if arguments.secret_file else None)


def _secret(file: str) -> bytes:
    try:
        with Path(file).open("rb") as opened:
            secret = opened.read(MOST_SECRET + 1).strip(b"\r\n")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputInvalid(f"--secret-file {file}: cannot be read: {why}") from None
    if not 1 <= len(secret) <= MOST_SECRET:
        raise InputInvalid(f"--secret-file {file}: a secret has 1 to {MOST_SECRET} characters on one line")
    return secret
