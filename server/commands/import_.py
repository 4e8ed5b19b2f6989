"""`inlane-server import FILE`: a tournament file as a new tournament, or a table of players or machines into one.

Works beside a running server (which then does it, over its own door) and on the database alone. What the file means is
read by `server.exchange`. Exit status 2, with the line, where the file cannot be understood; nothing came in then.
"""

import argparse
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from server.errors import InputInvalid

if TYPE_CHECKING:
    from server.core.venue.outcomes import Actor, Outcome
    from server.desk import Desk

PARTS = ("players", "machines", "games", "teams", "rosters")
LONG = 2**20
"""Bytes from which a file takes so long that a person wants to know that it goes on."""
SHOWN = 20
LONGEST_NAME = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the file and where it goes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a tournament file (YAML), or a table with --csv")
    parser.add_argument("--config", type=Path, default=Path("server.toml"), metavar="FILE", help="server.toml")
    parser.add_argument("--id", metavar="ID", help="the new tournament's id; else made of its title")
    parser.add_argument("--current", action="store_true", help="make it the running tournament")
    parser.add_argument("--csv", choices=PARTS, metavar="PART", help=f"the file is a table: {', '.join(PARTS)}")
    parser.add_argument("--into", metavar="TOURNAMENT", help="with --csv: its id; the running one, if none is named")
    parser.add_argument("--encoding", metavar="NAME", help="with --csv: if it is not UTF-8, such as cp1252")
    parser.add_argument("--user", metavar="NAME", help="the admin who does it; the only one, if none is named")


def run(arguments: argparse.Namespace) -> int:
    """Take the file in and say what came. Raises ServerError."""
    from server.config import load_config  # noqa: PLC0415 - help must be instant
    from server.ops.errand import send_or_do  # noqa: PLC0415 - as above

    _check(arguments)
    config = load_config(arguments.config)
    data = _read(arguments.file, table=arguments.csv is not None)
    if len(data) >= LONG:
        _say(f"reading {len(data) / LONG:.1f} MiB …")
    doing = _members if arguments.csv else _tournament

    def locally(desk: "Desk", actor: "Actor") -> "tuple[Outcome, Any]":
        return doing(desk, actor, arguments, data)

    told = send_or_do(config, arguments.user, _path(arguments), data, locally)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of any script, on any terminal
    words = _words_of_members(told, arguments.csv) if arguments.csv else _words_of_tournament(told)
    print("\n".join(words))  # noqa: T201 - a command's answer
    return 0


def _path(arguments: argparse.Namespace) -> str:
    """Where the running server takes the file in."""
    said = {"name": _name(arguments), "encoding": arguments.encoding, "id": arguments.id}
    query = {key: value for key, value in said.items() if value}
    if arguments.csv:
        into = quote(arguments.into or "current", safe="")
        return f"/api/v1/tournaments/{into}/{arguments.csv}/import?{urlencode(query)}"
    return f"/api/v1/tournaments/import?{urlencode({**query, 'current': str(arguments.current).lower()})}"


def _name(arguments: argparse.Namespace) -> str:
    """The file's name, fit to stand in a line."""
    return "".join(sign if sign.isprintable() else "?" for sign in arguments.file.name)[-LONGEST_NAME:]


def _check(arguments: argparse.Namespace) -> None:
    if arguments.csv is None:
        if arguments.into or arguments.encoding:
            raise InputInvalid("--into and --encoding go with --csv players, machines, games, teams or rosters")
        if arguments.file.suffix.lower() in {".csv", ".tsv"}:
            raise InputInvalid(
                f"{arguments.file} looks like a table: say --csv players, machines, games, teams or rosters"
            )
    elif arguments.id or arguments.current:
        raise InputInvalid("--id and --current are for a tournament file, not for a table")


def _read(file: Path, *, table: bool) -> bytes:
    from server import tournament_file  # noqa: PLC0415 - help must be instant
    from server.exchange import sheets  # noqa: PLC0415 - as above

    most = sheets.MAX_BYTES if table else tournament_file.MAX_BYTES
    try:
        if not file.is_file():
            raise InputInvalid(f"{file}: {'is no file' if file.exists() else 'there is no such file'}")
        with file.open("rb") as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise InputInvalid(f"{file}: cannot be read: {error.strerror or error}") from None
    if len(data) > most:
        raise InputInvalid(f"{file}: is larger than {most // 2**20} MiB")
    return data


def _tournament(desk: "Desk", actor: "Actor", arguments: argparse.Namespace, data: bytes) -> "tuple[Outcome, Any]":
    from server.exchange.bringing import bring_tournament  # noqa: PLC0415 - help must be instant
    from server.exchange.tournaments import read_arrival  # noqa: PLC0415 - as above

    arrival = read_arrival(data, name=_name(arguments), id=arguments.id, current=arguments.current)
    if len(data) >= LONG:
        _say(f"recording {len(arrival.command.entries)} entries …")
    return bring_tournament(desk, arrival, actor)


def _members(desk: "Desk", actor: "Actor", arguments: argparse.Namespace, data: bytes) -> "tuple[Outcome, Any]":
    from server.exchange.bringing import bring_members  # noqa: PLC0415 - help must be instant

    with desk.reading() as state:
        into = arguments.into if arguments.into not in {None, "current"} else state.current
    if into is None:
        raise InputInvalid("no tournament is running: say --into TOURNAMENT")
    return bring_members(desk, data, arguments.csv, into, actor, name=_name(arguments), encoding=arguments.encoding)


def _words_of_tournament(told: dict[str, Any]) -> list[str]:
    counts = ", ".join(f"{told[part]} {part}" for part in ("players", "machines", "entries"))
    lines = [f"{told['name'] or told['tournament']} is in as {told['tournament']}: {counts}"]
    if not told.get("current", True):
        lines.append("another tournament goes on running: nothing on the floor has changed (--current makes this it)")
    refused = told["refused"]
    lines += [f"the rules refuse entry {one['entry']}: {one['why']}" for one in refused[:SHOWN]]
    more = told["refused_count"] - min(len(refused), SHOWN)
    if more:
        lines.append(f"and {more} more; each stands in the log with its reason")
    return lines


def _words_of_members(told: dict[str, Any], part: str) -> list[str]:
    lines = [f"{len(told['added'])} {part} added, {told['there_already']} were there already"]
    return [*lines, *told["notes"]]


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - how far it is
