"""`inlane-server agent add NAME`: give an agent its token and print the whole agent.toml, ready to be put on its Pi."""

import argparse
import secrets
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from server.config import ServerConfig

LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this subcommand."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="add an agent", description="Add an agent and print its configuration.")
    add.add_argument("name", metavar="NAME", help="1 to 40 small letters, digits or hyphens")
    add.add_argument("--config", type=Path, default=Path("server.toml"), metavar="FILE", help="server.toml")
    add.add_argument("--renew", action="store_true", help="a new token for an agent that is there; the old one ends")


def run(arguments: argparse.Namespace) -> int:
    """Add the agent and print what to put where. Raises ServerError."""
    from server.accounts import Accounts  # noqa: PLC0415 - help must be instant
    from server.config import load_config  # noqa: PLC0415 - as above
    from server.store.database import Store  # noqa: PLC0415 - as above

    config = load_config(arguments.config)
    store = Store.open(config.database.url)
    try:
        now = time.time_ns() // 1_000_000
        token = Accounts(store).add_agent(arguments.name, now=now, renew=arguments.renew)
    finally:
        store.close()
    print(_instructions(arguments.name, token, config))  # noqa: T201 - a command's answer
    return 0


def _instructions(name: str, token: str, config: "ServerConfig") -> str:
    here = socket.gethostname()
    url = config.http.url or f"http://{here}:{config.http.port}"
    broker = config.broker
    near = urlsplit(url).hostname or here  # a broker on this computer is where the server is
    host = near if broker.host in LOOPBACK else broker.host
    password = secrets.token_urlsafe(18) if broker.username is not None else None
    lines = [
        "# Put this on the Pi as agent.toml, readable by the agent alone (chmod 600). The token is shown this once.",
        f'agent = "{name}"',
        'data = "data"',
        "",
        "[server]",
        f'url = "{url}"',
        f'token = "{token}"',
        "",
        "[broker]",
        f'host = "{host}"',
        f"port = {broker.port}",
        *([f'password = "{password}"'] if password is not None else []),
        *(["tls = true"] if broker.tls else []),
        *([f'root = "{broker.root}"'] if broker.root != "inlane/v1" else []),
        "",
        "# One of these for each machine: `inlane-agent profiles` lists the profiles.",
        "[[machine]]",
        'id = "machine-1"',
        'profile = "mpf-bcp"',
        'port = "tcp://127.0.0.1:5051"',
    ]
    if password is not None:
        lines += [
            "",
            "# The broker must know the agent, on the broker's machine:",
            f"#   mosquitto_passwd -b /etc/mosquitto/inlane.passwd {name} {password}",
            "#   systemctl reload mosquitto",
            "# and its ACL needs, once for all agents (docs/server.md has the whole file):",
            f"#   pattern write {broker.root}/agent/%u/up/#",
            f"#   pattern read {broker.root}/agent/%u/down/#",
            f"#   pattern read {broker.root}/host/status",
        ]
    return "\n".join(lines)
