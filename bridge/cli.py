"""`inlane-agent`: the table of its subcommands. Each is imported only when it is called, so that help is instant.

Exit status: 0 done, 1 the work failed, 2 the input or the call is wrong; an error is one line on standard error.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from bridge.errors import BridgeError
from capture.errors import CaptureError
from hardware.errors import HardwareError

COMMANDS = {
    "run": "run the agent: hear the machines and publish what happens",
    "read": "read still pictures of a display",
    "calibrate": "set up a machine's camera on a page of the local network",
    "record": "record what a machine says or shows, for replay and for bug reports",
    "replay": "run a recording through capture and print what it says",
    "profiles": "list, show, check and teach machine profiles",
}


class Parser(argparse.ArgumentParser):
    """argparse with its errors on one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is, and leave with status 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        arguments = _parse(words)
        return int(importlib.import_module(f"bridge.commands.{arguments.command}").run(arguments))
    except (BridgeError, HardwareError, CaptureError) as error:
        print(f"inlane-agent: {error}", file=sys.stderr)  # noqa: T201
        return getattr(error, "status", 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser = Parser(
        prog="inlane-agent", description="Hears a pinball machine and publishes its games and malfunctions."
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    chosen = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == chosen:
            importlib.import_module(f"bridge.commands.{name}").add_arguments(subparser)
    arguments, unknown = parser.parse_known_args(words)
    if unknown:  # named by the command's own parser, whose --help has the right ones
        subparsers.choices[arguments.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
