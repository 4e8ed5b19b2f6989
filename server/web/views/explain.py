"""Explanations as a page shows them: the facts of each stage under one heading, then the rest; and the plain standings.

Everything is frozen and says what the rules said. The one invariant: no fact is left out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.explain.lines import Line
from server.web.views.names import people, stage_name
from server.web.views.scene import Scene

OTHERWISE = {
    "fees": "Fees and entries",
    "entries-left": "Fees and entries",
    "place": "Final place",
    "roster": "Roster",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The facts under one heading."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A player in a stage: `value` are points or a score."""

    rank: int
    who: str
    name: str
    value: int | None
    through: bool
    record: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage's standings, whole. `open`: something may still change them."""

    title: str
    open: bool
    by_score: bool
    rows: tuple[Row, ...]


def groups_of(lines: Iterable[Line]) -> tuple[Group, ...]:
    """The facts about a player by what they are about, in the order in which they came."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        title = OTHERWISE.get(line.what) or (stage_name(line.stage) if line.stage is not None else "Conduct and moves")
        found.setdefault(title, []).append(line)
    return tuple(Group(title=title, lines=tuple(facts)) for title, facts in found.items())


def stages_of(scene: Scene, outcome: Mapping[str, Any] | None) -> tuple[Stage, ...]:
    """All stages of the running tournament that have anybody in them."""
    if scene.tournament is None or outcome is None:
        return ()
    names = people(scene.tournament)
    return tuple(
        _stage(table, names)
        for stage in outcome.get("stages") or ()
        for table in tables_of(stage)
        if table.get("standings")
    )


def tables_of(stage: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """The tables of a stage: one, but of teams in groups one for each group, each with its name."""
    groups = stage.get("groups") or ()
    if not any("wins" in row for group in groups for row in group["standings"]):
        return (stage,)
    return [{**stage, "group": group["id"], "standings": group["standings"]} for group in groups]


def group_title(stage: Mapping[str, Any]) -> str:
    """Which table of a stage it is, where there are several: ` · group A`, ` · North`."""
    group = str(stage.get("group") or "")
    return (f" · group {group}" if len(group) == 1 else f" · {group}") if group else ""


def player_name(scene: Scene, who: str) -> str:
    """What the running tournament calls a player."""
    return people(scene.tournament).get(who, who) if scene.tournament is not None else who


def record_of(row: Mapping[str, Any]) -> str | None:
    """Matches won and lost, `3–1`, where a row has them."""
    return f"{row['wins']}–{row['losses']}" if "wins" in row and "losses" in row else None


def _stage(stage: Mapping[str, Any], names: Mapping[str, str]) -> Stage:
    rows = stage["standings"]
    by_score = "points" not in rows[0]
    through = frozenset(stage.get("advance") or ())
    return Stage(
        title=stage_name(str(stage["id"])) + group_title(stage),
        open=not stage.get("official", stage.get("status") != "open"),
        by_score=by_score,
        rows=tuple(
            Row(
                rank=row["rank"],
                who=row["who"],
                name=names.get(row["who"], row["who"]),
                value=row.get("score" if by_score else "points"),
                through=row["who"] in through,
                record=record_of(row),
            )
            for row in rows
        ),
    )
