"""`inlane-agent run --config FILE`: the agent, until it is told to stop (SIGTERM or Ctrl-C)."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.config import AgentConfig


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this subcommand."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="agent.toml (see docs/agent.md)")


def run(arguments: argparse.Namespace) -> int:
    """Run the agent; 0 after a clean stop. Raises BridgeError for what a person must mend first."""
    from bridge.calibrated import with_calibrations  # noqa: PLC0415 -- help must be instant
    from bridge.config import load_config  # noqa: PLC0415 -- help must be instant
    from bridge.leaving import leave  # noqa: PLC0415 -- as above

    config, said = with_calibrations(load_config(arguments.config), arguments.config.parent)
    logging.basicConfig(level=config.log.upper(), format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    for line in said:
        logging.getLogger(__name__).info("%s", line)
    if asyncio.run(_run(config, arguments.config)):
        os.execv(sys.executable, [sys.executable, "-m", "bridge.cli", *sys.argv[1:]])  # noqa: S606 -- ourselves again
    return leave(0)


async def _run(config: "AgentConfig", file: Path) -> bool:
    from bridge.agent import Agent  # noqa: PLC0415 -- as above
    from bridge.clock import SystemClock  # noqa: PLC0415 -- as above
    from bridge.errors import ConfigInvalid  # noqa: PLC0415 -- as above

    try:
        made = Agent(config, clock=SystemClock(), folder=file.parent)
    except ConfigInvalid as error:
        raise ConfigInvalid(f"{file}: {error}") from None
    async with made as agent:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, agent.stop.set)
        await agent.run()
        return agent.restart_wanted
