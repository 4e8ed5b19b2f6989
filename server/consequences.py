"""What a change of the log did to what was settled: ranks in closed stages, who goes on, fields that stand, refusals.

For the official who made the change; nothing follows from it by itself. The invariant: what is not listed has not
changed in a stage that is closed.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from server.core.venue.book import renumbered
from server.core.venue.codec import encode
from server.core.venue.seeding import Field, field_in
from server.core.venue.values import Json
from server.standings import Result

MOST = 100
"""Lines of a kind that are told; more are a flood, and the standings have them all."""


def told(before: Result, after: Result, gone: Iterable[str] = ()) -> dict[str, Any]:
    """The consequences of everything between two versions; empty where nothing that was settled has changed.

    `gone` have withdrawn: where one of them now goes on, an official has to say for which stage he is absent.
    """
    out = tuple(gone)
    old = {stage["id"]: stage for stage in before.outcome["stages"]}
    found: dict[str, list[Any]] = {"moved": [], "advance": [], "fields": [], "refused": [], "flags": []}
    for stage in after.outcome["stages"]:
        earlier = old.get(stage["id"])
        if earlier is None or "closed" not in {stage["status"], earlier["status"]}:
            continue
        found["moved"] += _moved(earlier, stage)
        if earlier["advance"] != stage["advance"]:
            found["advance"].append({"stage": stage["id"], "before": earlier["advance"], "after": stage["advance"]})
    if found["moved"] or found["advance"]:
        found["fields"] = [field_shape(field) for field in _fields(after, out) if field.differs]
    found["withdrawn"] = [
        {"stage": stage["id"], "who": who}
        for stage in after.outcome["stages"]
        for who in stage["advance"]
        if who in out and who not in old.get(stage["id"], {}).get("advance", ())
    ]
    found["refused"] = _fresh(before, after, "refused")
    found["flags"] = _fresh(before, after, "flags")
    return {name: lines[:MOST] for name, lines in found.items() if lines}


def refusals(result: Result) -> dict[int, str]:
    """What the rules refuse of what was recorded, by the desk's numbers."""
    return {_number(result, one): renumbered(one["why"], result.numbers) for one in result.outcome["refused"]}


def field_shape(field: Field) -> dict[str, Any]:
    """A field for people: who is in it, whom the standings give, and who differs."""
    given = field.given
    return {
        "stage": field.stage,
        "begun": field.begun,
        "field": list(field.who),
        "standings_give": None if given is None else list(given),
        "out": [] if given is None else [who for who in field.who if who not in given],
        "in": [] if given is None else [who for who in given if who not in field.who],
        "next": [encode(one) for one in field.next],
    }


def _fields(after: Result, gone: tuple[str, ...]) -> list[Field]:
    stages: list[Mapping[str, Any]] = list(after.outcome["stages"])
    found = (field_in(after.page, after.outcome, stage["id"], gone) for stage in stages)
    return [field for field in found if field is not None]


def _moved(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    old = {row["who"]: row["rank"] for row in before["standings"]}
    new = {row["who"]: row["rank"] for row in after["standings"]}
    everybody = [*new, *(who for who in old if who not in new)]
    return [
        {"stage": after["id"], "who": who, "before": old.get(who), "after": new.get(who)}
        for who in everybody
        if old.get(who) != new.get(who)
    ]


def _fresh(before: Result, after: Result, what: str) -> list[Json]:
    """Refusals or flags that there are now and were not before, by the desk's numbers."""
    known = {(_number(before, one), renumbered(one["why"], before.numbers)) for one in before.outcome[what]}
    return [
        {**one, "entry": _number(after, one), "why": renumbered(one["why"], after.numbers)}
        for one in after.outcome[what]
        if (_number(after, one), renumbered(one["why"], after.numbers)) not in known
    ]


def _number(result: Result, one: Json) -> int:
    entry = int(one["entry"])
    return result.numbers[entry - 1] if 1 <= entry <= len(result.numbers) else entry
