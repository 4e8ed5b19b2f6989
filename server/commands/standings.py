"""`inlane-server standings FILE`: apply the rules to a tournament file and print the state, or why it is so.

Only printing: the rules are in `server.core.rules`. Exit status 0 with a result, 2 where the file cannot be understood
or the player who is asked about is not in it.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from server.collecting import without_collecting
from server.commands.explaining import explanation, rules_of
from server.commands.tables import aligned, people, person
from server.commands.team_tables import team_tables
from server.core.explain.explanations import Explanations, NotThere
from server.core.explain.lines import Line, plain
from server.core.explain.settings import tell_settings
from server.core.rules import evaluate
from server.core.rules.tournament import Tournament
from server.errors import InputInvalid
from server.tournament_file import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the file and the form of the output."""
    parser.add_argument("file", metavar="FILE", help="a tournament file (YAML)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    parser.add_argument(
        "--explain",
        nargs="?",
        const="",
        metavar="WHO",
        help="say where each number comes from: of one player (his id), or of everybody",
    )
    parser.add_argument("--rules", action="store_true", help="print all settings of the rule set, with their clauses")


def run(arguments: argparse.Namespace) -> int:
    """Print the state after the last entry of the log, or the explanation of it."""
    with without_collecting():  # a large file is read in two thirds of the time
        tournament = load(Path(arguments.file))
        lines = None if arguments.explain is None else _explained(tournament, arguments)
        state = evaluate(tournament) if lines is None or arguments.json else {}
    if arguments.json:
        state |= {} if lines is None else {"explain": [plain(line) for line in lines]}
        state |= {"settings": [told.plain() for told in tell_settings(tournament.head)]} if arguments.rules else {}
        sys.stdout.write(json.dumps(state) + "\n")
        return 0
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    names = {player.id: player.name for player in tournament.head.players.values()}
    names |= {team.id: team.name for team in tournament.head.teams.values()}
    for line in tables(state, names) if lines is None else explanation(lines, names):
        sys.stdout.write(line + "\n")
    for line in rules_of(tournament.head, everything=arguments.rules):
        sys.stdout.write(line + "\n")
    return 0


def _explained(tournament: Tournament, arguments: argparse.Namespace) -> list[Line]:
    try:
        return Explanations(tournament).about(who=arguments.explain or None)
    except NotThere as error:
        raise InputInvalid(f"{arguments.file}: {error}") from None


def tables(state: Mapping[str, Any], names: Mapping[str, str]) -> Iterable[str]:
    """Give the lines of the tables for people."""
    yield f"{state['tournament'] or 'Tournament'} ({state['preset']})"
    who = "team" if state.get("teams") else "player"
    for stage in state["stages"]:
        yield ""
        closes = f", announced to close {stage['closes']}" if stage.get("closes") and stage["status"] == "open" else ""
        yield f"{stage['id']} ({stage['status']}{closes})"
        if not _apart(stage):
            yield from _standings(stage["standings"], names, indent="  ", who=who)
        if stage.get("unranked"):
            yield f"  Not ranked yet: {people((row['who'] for row in stage['unranked']), names)}"
        yield from _to_play(stage, names, who)
        for tie in stage["tiebreaks"]:
            yield f"  To be played off ({tie['reason']}): {_places(tie)}: {people(tie['who'], names)}"
        if stage["advance"]:
            yield f"  Go on: {people(stage['advance'], names)}"
    yield from team_tables(state, names)
    yield from _machines(state["machines"])
    yield from _notes("Refused", ((item["entry"], item["why"]) for item in state["refused"]))
    yield from _notes("For officials", ((item["entry"], item["why"]) for item in state["flags"]))


def _standings(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str], *, indent: str, who: str) -> Iterable[str]:
    if not rows:
        yield f"{indent}nobody has a score yet"
        return
    value = next(value for value in ("strikes", "points", "score") if value in rows[0])
    columns = ["wins", "losses", value] if "wins" in rows[0] else [value]
    cells = [("", who, *columns)]
    cells += [
        (str(row["rank"]), person(row["who"], names), *(f"{row[column]:,}" for column in columns)) for row in rows
    ]
    yield from aligned(cells, indent)


def _apart(stage: Mapping[str, Any]) -> bool:
    """Say whether teams are ranked in their groups alone (UT5), so that one table of all would mix them up."""
    rows = [row for group in stage.get("groups", ()) for row in group["standings"]]
    return bool(rows) and "wins" in rows[0] and all(row in stage["standings"] for row in rows)


def _to_play(stage: Mapping[str, Any], names: Mapping[str, str], who: str) -> Iterable[str]:
    """Give the groups, the games that are to be played, and who chooses."""
    for group in stage.get("groups", ()):
        if group["standings"]:
            yield f"  Group {group['id']}"
            yield from _standings(group["standings"], names, indent="    ", who=who)
        elif "schedule" not in stage:
            yield f"  Group {group['id']}: {people(group['who'], names)}"
    if "unscheduled" in stage:
        yield f"  {stage['unscheduled'][:1].upper()}{stage['unscheduled'][1:]}"
    for game in stage.get("schedule", ()):
        if game["game"] is None:
            on = f" on {game['machine']}" if game["machine"] else ""
            what = "To be played in" if len(game["who"]) > 1 else "Sits out"
            yield f"  {what} round {game['round']}{on}: {people(game['who'], names)}"
    for choice in stage.get("choices", ()):
        yield from _choice(choice, names)


def _choice(choice: Mapping[str, Any], names: Mapping[str, str]) -> Iterable[str]:
    """Give what is chosen in a group's game, and who chooses now; nothing where it is over or nothing is chosen."""
    order = [who for who in choice["order"] if who is not None]
    chosen = [f"on {choice['machine']}"] if choice["machine"] else []
    if order:
        chosen.append("order " + ", ".join("-" if who is None else person(who, names) for who in choice["order"]))
    if choice["status"] == "chooses":
        chosen.append("officials decide" if choice["who"] is None else f"{person(choice['who'], names)} chooses now")
    elif choice["status"] == "waits":
        chosen.append("waits for a machine")
    if chosen and choice["status"] != "played":
        yield f"  Group {choice['group']}, game {choice['round']}: {'; '.join(chosen)}"


def _machines(machines: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    out = [machine for machine in machines if machine["status"] != "up"]
    if out:
        yield ""
        yield "Machines out"
    for machine in out:
        until = f", until {machine['deadline']}" if machine["deadline"] else ""
        yield f"  {machine['id']}: {machine['status']}{until}"


def _notes(title: str, notes: Iterable[tuple[int, str]]) -> Iterable[str]:
    for index, (entry, why) in enumerate(notes):
        if index == 0:
            yield ""
            yield title
        yield f"  entry {entry}: {why}"


def _places(tie: Mapping[str, Any]) -> str:
    places = [str(place) for place in tie["places"]]
    within = f" of game {tie['game']}" if "game" in tie else ""
    return f"places {places[0]} to {places[-1]}{within}"
