"""Why a player stands where he stands in a stage: total, rank, ties and how they were broken, group, who goes on.

Numbers are those of the stage's result. Invariant: the parts of a total add up to it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from server.core.explain.attempts import Counting, other_attempts, uncounted_machines
from server.core.explain.cells import kind_of
from server.core.explain.cuts import explain_going_on
from server.core.explain.grounds import Grounds, count, number
from server.core.explain.lines import Line
from server.core.explain.machines import Together, brief_cell, cells_of, explain_cell
from server.core.explain.ties import explain_tie
from server.core.rules.acts import Decision
from server.core.rules.results import StageResult

MANY = 12
"""Numbers of a sum that are still written out."""


def explain_row(grounds: Grounds, result: StageResult, who: str, rivals: Together | None) -> list[Line]:
    """Give the lines of a player in a stage: rank (with the total and all that it is made of), group, going on.

    A player who has no row there, but games that do not count, has these lines alone; one with a bye, that he goes on.
    Without `rivals` it is told what a total is made of, but not what each part of it rests on.
    """
    row = grounds.row_of(result, who)
    waiting = next((row for row in result.unranked if row["who"] == who), None)
    if row is None and waiting is not None:
        return [_not_ranked(grounds, result, waiting)]
    stage = result.stage
    cells = cells_of(grounds, row) if row is not None else []
    counting = {cell.game.id: cell.game for cell in cells}
    uncounted = _uncounted(grounds, result, who, counting) if rivals is not None else []
    if row is None:
        return uncounted + (explain_going_on(grounds, result, who) if who in {*result.players, *result.advance} else [])
    lines = [
        explain_cell(grounds, result, cell, rivals, counting)
        if rivals is not None
        else brief_cell(grounds, result, cell)
        for cell in cells
    ]
    total = _total(grounds, result, row, [*lines, *_byes(grounds, result, row)], uncounted)
    ties = explain_tie(grounds, result, row)
    group = _group(grounds, result, who)
    rank = row["rank"]
    because = f"rank {rank} of {len(result.rows)} in {stage.id}{_shared(result, row)}"
    entries = [entry for line in ties for entry in line.entries]
    parts = [total, *ties, *group]
    ranked = grounds.line("rank", because, _whole(rank), stage=stage, who=who, entries=entries, parts=parts)
    return [ranked, *explain_going_on(grounds, result, who)]


def _not_ranked(grounds: Grounds, result: StageResult, row: Mapping[str, Any]) -> Line:
    """G5: say of a player whose number is not known that he has no rank, and what is known."""
    cells = cells_of(grounds, row)
    counting = {cell.game.id: cell.game for cell in cells}
    parts = [explain_cell(grounds, result, cell, {}, counting) for cell in cells]
    because = f"not ranked in {result.stage.id}: a number is not known, officials say it"
    entries = [entry for part in parts for entry in part.entries]
    return grounds.line("rank", because, None, stage=result.stage, who=row["who"], entries=entries, parts=parts)


def _uncounted(grounds: Grounds, result: StageResult, who: str, counting: Counting) -> list[Line]:
    return [
        line
        for machine in uncounted_machines(grounds, result, who, counting)
        for line in other_attempts(grounds, result, who, counting, machine, None)
    ]


def _total(
    grounds: Grounds,
    result: StageResult,
    row: Mapping[str, Any],
    counted: Sequence[Line],
    uncounted: Sequence[Line],
) -> Line:
    """C2.5: what the row adds up to, or the score that it ranks by; beside it what does not count."""
    points = row.get("points")
    value = _whole(points if points is not None else row.get("score"))
    most = grounds.settings.machines_counted if result.stage.form is None else 0
    earned = [line.value for line in counted if line.what in {"points", "bye"} and isinstance(line.value, int)]
    added = sorted(earned, reverse=True)[:most] if most else earned
    word = {"strikes": "strike", "bracket": "match won", "holes": "stroke"}.get(kind_of(grounds, result), "point")
    if not counted and value:
        because = f"{count(value, 'match won', 'matches won')} without a game"
    elif not counted or value is None:
        because = "nothing played that counts: 0"
    elif points is None:
        because = f"best score: {number(value)}" if len(counted) > 1 else f"score: {number(value)}"
    elif word == "match won" or sum(added) != value:
        because = count(value, word, "matches won" if word == "match won" else None)
    elif len(added) < len(earned):
        because = f"{' + '.join(map(str, added))} = {value}: the best {most} of {len(earned)} machines count"
    elif len(added) == 1:
        because = f"{count(value, word)} from one game"
    elif len(added) <= MANY:
        because = f"{' + '.join(map(str, added))} = {count(value, word)}"
    else:
        because = f"{count(value, word)} from {len(added)} games"
    entries = [entry for line in counted for entry in line.entries]
    setting = "machines_counted" if most and len(earned) > most else ""
    return grounds.line(
        "total",
        because,
        value,
        setting=setting,
        stage=result.stage,
        who=row["who"],
        entries=entries,
        parts=[*counted, *uncounted],
    )


def _byes(grounds: Grounds, result: StageResult, row: Mapping[str, Any]) -> list[Line]:
    """Give a line for each round in which a player had no opponent, with what it gave."""
    return [
        grounds.line(
            "bye",
            f"a bye in round {bye['round']}: {count(bye['points'], 'strike' if 'strikes' in row else 'point')}",
            bye["points"],
            stage=result.stage,
            who=row["who"],
        )
        for bye in row.get("byes") or ()
    ]


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _shared(result: StageResult, row: Mapping[str, Any]) -> str:
    rank = row.get("rank")
    sharing = sum(other.get("rank") == rank for other in result.rows)
    return f", shared by {sharing}" if sharing > 1 else ""


def _group(grounds: Grounds, result: StageResult, who: str) -> list[Line]:
    """T9, E3.1, U5.1: the group and by which seeds it was made."""
    if kind_of(grounds, result) == "bracket":
        return _matches(grounds, result, who)
    seeds = {player: seed for seed, player in enumerate(result.seeds, 1)}
    found = []
    for group in result.groups or ():
        if who not in group.who:
            continue
        others = grounds.people([player for player in group.who if player != who])
        posted = _posted(grounds, result)
        taken = zip(result.seeds, result.seats, strict=False)
        seat = next((seed for seed, player in taken if player == who != seed), None)
        seed = f"seed {seeds[who]}, " if who in seeds else f"in the seat of {grounds.person(seat)}, " if seat else ""
        dealt = ", posted by officials" if posted else _of_seeds([seeds[p] for p in group.who if p in seeds])
        because = f"{seed}group {group.id}{dealt}: with {others}"
        entries = [result.stage.absent.get(seat, 0) if seat is not None else 0, *posted]
        found.append(grounds.line("group", because, group.id, stage=result.stage, who=who, entries=entries))
    return found


def _posted(grounds: Grounds, result: StageResult) -> list[int]:
    """T7.3: give the entries with which officials posted the groups or the pairings that stand."""
    stage = result.stage
    topics = {topic for topic, there in (("groups", stage.posted), ("pairings", stage.pairings)) if there}
    notes = grounds.history.stages.get(stage.id, ()) if topics else ()
    return [note.number for note in notes if isinstance(note.act, Decision) and note.act.topic in topics]


def _of_seeds(seeds: Sequence[int]) -> str:
    """Say which seeds make a group; of many only from which to which."""
    if not seeds:
        return ""
    if len(seeds) > 8:
        return f" of the seeds {min(seeds)} to {max(seeds)}"
    return f" of the seeds {', '.join(map(str, seeds))}"


def _matches(grounds: Grounds, result: StageResult, who: str) -> list[Line]:
    """B4 to B6: the matches of a player in a bracket, with the games that each side won."""
    found = []
    for group in result.groups or ():
        if who not in group.who:
            continue
        won = {str(row["who"]): row.get("points", 0) for row in group.rows}
        others = [player for player in group.who if player != who]
        games = f"{won.get(who, 0)} to {', '.join(str(won.get(other, 0)) for other in others)}"
        because = f"match {group.id} against {grounds.people(others)}: games won {games}"
        found.append(grounds.line("group", because, group.id, stage=result.stage, who=who))
    return found
