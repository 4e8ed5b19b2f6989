"""`inlane-server user add NAME --role ROLE`, `user password NAME`, `user player NAME PLAYER`: who may log in."""

import argparse
import getpass
import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from server.errors import InputInvalid

if TYPE_CHECKING:
    from server.accounts import Accounts

ROLES = ("admin", "official", "scorekeeper", "desk", "captain", "viewer")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this subcommand."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="add a person", description="Add a person who may log in.")
    add.add_argument("--role", action="append", required=True, choices=ROLES, help="may be given more than once")
    add.add_argument("--player", metavar="ID", help="who that is among the players, as the tournament file has it")
    change = actions.add_parser("password", help="a new password", description="Give a person a new password.")
    plays = actions.add_parser("player", help="who they are at play", description="Say which player a person is.")
    for action in (add, change, plays):
        action.add_argument("name", metavar="NAME")
        action.add_argument("--config", type=Path, default=Path("server.toml"), metavar="FILE", help="server.toml")
        if action is not plays:
            action.add_argument("--generate", action="store_true", help="make a password and show it once")
    plays.add_argument("player", metavar="PLAYER", nargs="?", help="a captain's id in the rosters; none: no player")


def run(arguments: argparse.Namespace) -> int:
    """Do it and say so. Raises ServerError."""
    from server.accounts import Accounts  # noqa: PLC0415 - help must be instant
    from server.config import load_config  # noqa: PLC0415 - as above
    from server.store.database import Store  # noqa: PLC0415 - as above

    config = load_config(arguments.config)
    store = Store.open(config.database.url)
    try:
        accounts = Accounts(store)
        made = None
        if arguments.action == "player":
            accounts.set_player(arguments.name, arguments.player)
            done = f"{arguments.name} plays as {arguments.player or 'nobody'}"
        else:
            password, generated = _password(generate=arguments.generate)
            made = password if generated else None
            done = _give(accounts, arguments, password)
    finally:
        store.close()
    print(done + (f"; the password, shown this once: {made}" if made else ""))  # noqa: T201 - a command's answer
    return 0


def _give(accounts: "Accounts", arguments: argparse.Namespace, password: str) -> str:
    if arguments.action == "password":
        accounts.set_password(arguments.name, password)
        return f"{arguments.name} has a new password; every session of theirs has ended"
    roles = frozenset(arguments.role)
    accounts.add_user(arguments.name, roles, password, now=time.time_ns() // 1_000_000, player=arguments.player)
    plays = f" and plays as {arguments.player}" if arguments.player else ""
    return f"{arguments.name} may log in as {', '.join(arguments.role)}{plays}"


def _password(*, generate: bool) -> tuple[str, bool]:
    """The password, and whether it was made here."""
    if generate:
        return secrets.token_urlsafe(9), True
    if not sys.stdin.isatty():
        line = sys.stdin.readline().rstrip("\r\n")
        if not line:
            raise InputInvalid("a password is needed on standard input, or --generate")
        return line, False
    password = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != password:
        raise InputInvalid("the two passwords differ")
    return password, False
