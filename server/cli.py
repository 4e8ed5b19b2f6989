"""`inlane-server`: the table of its subcommands. Each is imported only when it is called, so that help is instant.

Exit status: 0 done, 1 the work failed, 2 the input or the call is wrong; an error is one line on standard error.
"""

import argparse
import importlib
import keyword
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from server.errors import ServerError

COMMANDS = {
    "demo": "watch a tournament that records itself, on simulated machines",
    "run": "run the server",
    "standings": "apply the rules to a tournament file and print the state",
    "import": "take in a tournament file, or a table of players, machines or games",
    "export": "write a tournament as a file, or its ledger or tables",
    "agent": "add an agent and print what to put where",
    "user": "add a person who may log in",
    "examples": "write the readings that officials decided, with their pictures, for teaching",
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
        return int(_command(arguments.command).run(arguments))
    except ServerError as error:
        print(f"inlane-server: {error}", file=sys.stderr)  # noqa: T201
        return error.status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser = Parser(
        prog="inlane-server", description="Keeps the ledger of captured scores and runs the tournament desk."
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    chosen = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == chosen:
            _command(name).add_arguments(subparser)
    return parser.parse_args(words)


def _command(name: str) -> ModuleType:
    """The command's module; `import` is a word of Python's own."""
    return importlib.import_module(f"server.commands.{name}{'_' if keyword.iskeyword(name) else ''}")


if __name__ == "__main__":
    sys.exit(main())
