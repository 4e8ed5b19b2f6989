"""`inlane-server export [TOURNAMENT]`: the tournament file, the whole ledger, or a table, to a file or standard output.

Only reading: it may be done while the server runs. What a person should know beside the file goes to standard error.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.errors import InputInvalid, ServerError
from server.files import write_whole

if TYPE_CHECKING:
    from server.core.rules import Tournament
    from server.core.venue.state import State

TABLES = ("players", "machines", "games", "standings", "ifpa", "teams", "rosters", "matches")


class ExportFailed(ServerError):
    """The file cannot be written: make room, or name another."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what is exported, in which form, and where to."""
    parser.add_argument("tournament", nargs="?", metavar="TOURNAMENT", help="its id; the running one, if none is named")
    parser.add_argument("--config", type=Path, default=Path("server.toml"), metavar="FILE", help="server.toml")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to; else standard output")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--ledger", action="store_true", help="everything that happened, as JSON lines, instead")
    form.add_argument("--csv", choices=TABLES, metavar="TABLE", help=f"a table instead: {', '.join(TABLES)}")
    parser.add_argument("--stage", metavar="STAGE", help="standings of this stage only, such as A/semifinal")
    parser.add_argument("--division", metavar="DIVISION", help="standings or IFPA table of this division only")
    parser.add_argument("--no-bom", action="store_true", help="a table for programs: no byte-order mark, bare numbers")


def run(arguments: argparse.Namespace) -> int:
    """Write it. Raises ServerError."""
    from server.config import load_config  # noqa: PLC0415 - help must be instant
    from server.core import rules  # noqa: PLC0415 - as above
    from server.exchange.tournaments import document_of  # noqa: PLC0415 - as above
    from server.history import fold_ledger  # noqa: PLC0415 - as above
    from server.store.database import Store  # noqa: PLC0415 - as above

    if arguments.csv is None and (arguments.no_bom or arguments.stage or arguments.division):
        raise InputInvalid("--no-bom, --stage and --division go with --csv TABLE")
    config = load_config(arguments.config)
    store = Store.open(config.database.url)
    try:
        if arguments.ledger:
            from server.exchange.ledger import ledger_lines  # noqa: PLC0415 - as above

            name = None if arguments.tournament is None else _found(fold_ledger(store), arguments.tournament)
            _write(arguments.output, (line.encode() for line in ledger_lines(store, name)))
            return 0
        state = fold_ledger(store)
    finally:
        store.close()
    tournament = rules.parse(document_of(state, _found(state, arguments.tournament or "current")))
    outcome = rules.evaluate(tournament)
    data, words = _table(tournament, outcome, arguments) if arguments.csv else _file(tournament, outcome)
    _write(arguments.output, [data])
    for line in words:
        print(line, file=sys.stderr)  # noqa: T201 - beside the file
    return 0


def _found(state: "State", name: str) -> str:
    found = state.current if name == "current" else name
    if found in state.tournaments and found is not None:
        return found
    there = ", ".join(state.tournaments) or "none"
    raise InputInvalid(f"no tournament {name!r} is in this database; there are: {there}")


def _file(tournament: "Tournament", outcome: Mapping[str, Any]) -> tuple[bytes, list[str]]:
    from server.tournament_file import dump  # noqa: PLC0415 - help must be instant

    words = [f"the rules refuse entry {refused['entry']}: {refused['why']}" for refused in outcome["refused"]]
    return dump(tournament).encode(), words


def _table(
    tournament: "Tournament", outcome: Mapping[str, Any], arguments: argparse.Namespace
) -> tuple[bytes, list[str]]:
    from server.exchange.results import make_table  # noqa: PLC0415 - help must be instant
    from server.exchange.sheets import write_sheet  # noqa: PLC0415 - as above

    table = make_table(arguments.csv, tournament, outcome, stage=arguments.stage, division=arguments.division)
    data = write_sheet(table.header, table.rows, bom=not arguments.no_bom)
    return data, [f"{table.title}: {table.basis}"] if table.basis else []


def _write(target: Path | None, parts: Iterable[bytes]) -> None:
    if target is None:
        for part in parts:
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
        return
    try:
        write_whole(target, b"".join(parts), beside=target.parent)
    except OSError as error:
        raise ExportFailed(f"{target}: cannot be written: {error.strerror or error}") from None
