"""Deciding about the head of a tournament that is running: settings, names, people's and machines' facts (U1.2, C3.4).

Ids never change, and nobody is taken out: who leaves is withdrawn, what leaves is disabled. The invariant: the changed
head is one that the rules can read, and the event says every value that was and that is.
"""

from collections.abc import Iterable
from typing import Any

from server.core.venue import commands as c
from server.core.venue.book import Book
from server.core.venue.decide_log import check_head
from server.core.venue.events import HeadChanged, TeamsAdded
from server.core.venue.heads import ROWS, changed_head, taking_back, with_teams
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.state import State, Tournament
from server.core.venue.stops import conflict, invalid, need_reason, need_tournament, need_version
from server.core.venue.teams import roster_ids, team_rows, teams_of
from server.core.venue.values import Json

LONGEST_ID = 40


def change_head(state: State, command: c.ChangeHead, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Change parts of a head; a value of None takes a setting or a fact away."""
    tournament = need_tournament(state, command.tournament)
    need_version(tournament, command.based_on)
    why = need_reason(command.why)
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for key, value in command.changes.items():
        if key in {"tournament", "timezone"}:
            _note(before, after, key, tournament.head.get(key), value)
        elif key == "rules":
            _change_rules(tournament, value, before, after)
        elif key in ROWS:
            _change_rows(tournament, key, value, before, after)
        else:
            invalid(f"{key} cannot be changed: tournament, timezone, rules, players, machines, teams can")
    if not after:
        invalid("nothing would change")
    check_head({**changed_head(tournament.head, after), "log": []})
    _check_captains(state, tournament, after.get("teams") or ())
    event = HeadChanged(tournament=tournament.id, before=before, after=after, why=why)
    back = taking_back(before, after)
    result = {"tournament": tournament.id, "before": before, "after": after, "back": back}
    return Decision(events=(event,), result=result)


def add_teams(state: State, command: c.AddTeams, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Add teams to the head, or their rosters to those that are there without one."""
    tournament = need_tournament(state, command.tournament)
    need_version(tournament, command.based_on)
    known = {str(row["id"]): row for row in team_rows(tournament.head)}
    ids = [str(row.get("id") or "") for row in command.teams]
    if not ids:
        invalid("no teams are named")
    for name in ids:
        if not name or len(name) > LONGEST_ID:
            invalid(f"each of the teams needs an id of 1 to {LONGEST_ID} characters")
        if ids.count(name) > 1 or known.get(name, {}).get("roster") is not None:
            conflict(f"{name} is there already: a roster changes by entries", version=tournament.version)
    check_head({**with_teams(tournament.head, command.teams), "log": []})
    _check_captains(state, tournament, command.teams)
    event = TeamsAdded(tournament=tournament.id, teams=command.teams)
    return Decision(events=(event,), result={"teams": ids})


def _check_captains(state: State, tournament: Tournament, rows: Iterable[Json]) -> None:
    """Stop where a team with a roster has a captain whom neither its roster nor an entry brings to it (PC1)."""
    for row in rows:
        named = row.get("captain") or ()
        for who in [named] if isinstance(named, str) else named:
            listed = row.get("roster") is None or who in roster_ids(row)
            if not listed and row["id"] not in teams_of(state, tournament.id, who):
                invalid(f"captain: {who} is not in the roster of {row['id']}")


def _note(before: dict[str, Any], after: dict[str, Any], key: str, old: object, new: object) -> None:
    if old != new:
        before[key], after[key] = old, new


def _change_rules(tournament: Tournament, value: object, before: dict[str, Any], after: dict[str, Any]) -> None:
    if not isinstance(value, dict):
        invalid("rules: settings by their names")
    old = dict(tournament.head.get("rules") or {})
    new = {name: setting for name, setting in {**old, **value}.items() if setting is not None}
    _note(before, after, "rules", old, new)


def _change_rows(
    tournament: Tournament, part: str, value: object, before: dict[str, Any], after: dict[str, Any]
) -> None:
    if not isinstance(value, list) or not all(isinstance(row, dict) and row.get("id") for row in value):
        invalid(f"{part}: a list, each with its id and what changes")
    known = {str(row["id"]): row for row in tournament.head.get(part) or ()}
    old_rows: list[Json] = []
    new_rows: list[Json] = []
    for row in value:
        name = str(row["id"])
        if name not in known:
            invalid(f"{part}: there is no {name}; ids do not change, and new ones are added")
        if any(str(other["id"]) == name for other in new_rows):
            invalid(f"{part}: {name} is there twice")
        new = {key: fact for key, fact in {**known[name], **row, "id": known[name]["id"]}.items() if fact is not None}
        if new != known[name]:
            old_rows.append(known[name])
            new_rows.append(new)
    if new_rows:
        before[part], after[part] = old_rows, new_rows
