"""`inlane-server run --config FILE`: the server, until it is told to stop (SIGTERM or Ctrl-C)."""

import argparse
import asyncio
import logging
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this subcommand."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="server.toml (see docs/server.md)")


def run(arguments: argparse.Namespace) -> int:
    """Run the server; 0 after a clean stop. Raises ServerError for what a person must mend first."""
    from server.config import load_config  # noqa: PLC0415 - help must be instant
    from server.program import serve  # noqa: PLC0415 - as above

    config = load_config(arguments.config)
    logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    asyncio.run(serve(config))
    return 0
