"""The rules and the people of the running tournament as officials change them, and what a change does, in words.

Everything is frozen. The one invariant: a change is shown with every value that was and that would be.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.core.venue.events import HeadChanged
from server.core.venue.filing import Happened
from server.core.venue.heads import taking_back
from server.core.venue.state import State, Tournament
from server.core.venue.values import Json
from server.web.views.deeds import shown_name
from server.web.views.names import listed, people, stage_name
from server.web.views.words import describe

PLAYER_FACTS = ("name", "division", "country", "ifpa", "wppr_rank", "season_rank")
MACHINE_FACTS = ("name", "division", "players", "max_score", "digits", "venue")
TEAM_FACTS = ("name", "home", "seed", "division")
FACTS_OF = {"players": PLAYER_FACTS, "machines": MACHINE_FACTS, "teams": TEAM_FACTS}
"""The parts of a head whose rows can be changed, with what can be changed of one."""
WORDS = frozenset({"name", "division", "country", "venue", "home"})
"""Facts that are words, whatever they look like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of the head that was made. `position` is its place in the ledger."""

    position: int
    at: int
    who: str
    text: str
    why: str


def wanted(query: Mapping[str, str]) -> dict[str, Any] | None:
    """The changes that a form asks for, as the core has them; None where it asks for none."""
    what, value = query.get("what", ""), query.get("value", "").strip()
    if what == "rule" and query.get("setting"):
        return {"rules": {query["setting"]: read_value(value)}}
    if what in {"tournament", "timezone"}:
        return {what: value or None}
    if what in FACTS_OF and query.get("id"):
        fact = query.get("fact", "")
        return {what: [{"id": query["id"], fact: (value or None) if fact in WORDS else read_value(value)}]}
    return None


def read_value(text: str) -> Any:  # noqa: ANN401 - JSON
    """A typed value: JSON where it is some, else the words themselves; nothing typed is None."""
    if not text:
        return None
    try:
        found = json.loads(text, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(found, str) else found


def change_of(state: State, happened: Happened) -> Change | None:
    """A line of the list of changes; None for what is no change of a head."""
    event = happened.event
    if not isinstance(event, HeadChanged):
        return None
    return Change(
        position=happened.position,
        at=happened.at,
        who=shown_name(happened.who),
        text="".join(str(part) for part in describe(state, event).parts),
        why=event.why,
    )


def back_of(happened: Happened | None, tournament: str) -> dict[str, Any] | None:
    """What takes a change of this tournament back, None where it is none of it."""
    event = happened.event if happened is not None else None
    if not isinstance(event, HeadChanged) or event.tournament != tournament:
        return None
    return taking_back(event.before, event.after)


def differences(before: Json, after: Json) -> tuple[tuple[str, Any, Any], ...]:
    """Each value that would change: what it is, as it is now, as it would be."""
    found: list[tuple[str, Any, Any]] = []
    for key, new in after.items():
        old = before.get(key)
        if key == "rules":
            found += _each("", old or {}, new)
        elif key in FACTS_OF:
            rows = {str(row["id"]): row for row in old or ()}
            for row in new:
                found += _each(f"{row['id']}: ", rows.get(str(row["id"]), {}), row)
        else:
            found.append((key, old, new))
    return tuple(found)


def _each(lead: str, old: Json, new: Json) -> list[tuple[str, Any, Any]]:
    names = [*new, *(name for name in old if name not in new)]
    both = [(f"{lead}{name.replace('_', ' ')}", old.get(name), new.get(name)) for name in names]
    return [(name, was, now) for name, was, now in both if was != now]


def consequences(tournament: Tournament, told: Mapping[str, Any]) -> tuple[str, ...]:
    """What a change does to what is settled, one line each."""
    names = people(tournament)

    def called(who: str) -> str:
        return names.get(who, who)

    found = []
    for one in told.get("moved", ()):
        before, after = one["before"] or "no rank", one["after"] or "no rank"
        found.append(f"{stage_name(one['stage'])}: {called(one['who'])} from {before} to {after}")
    for one in told.get("advance", ()):
        now = listed(called(who) for who in one["after"]) or "nobody"
        found.append(f"{stage_name(one['stage'])}: there go on {now}")
    for one in told.get("fields", ()):
        out, new = (listed(called(who) for who in one[key]) or "nobody" for key in ("out", "in"))
        begun = f"{stage_name(one['stage'])} has begun and stands"
        found.append(f"{begun}; the standings would give {new} instead of {out}")
    found += [f"Entry {one['entry']} would be refused: {one['why']}" for one in told.get("refused", ())]
    found += [f"Entry {one['entry']} needs an official: {one['why']}" for one in told.get("flags", ())]
    return tuple(found)
