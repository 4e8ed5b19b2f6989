"""Why players with equal numbers stand in this order, or share a rank: played off, drawn, by the stage before (C6).

Invariant: what is said of a tie follows from the result's own ranks; nothing is resolved here again.
"""

from collections.abc import Mapping
from typing import Any

from server.core.explain.cells import kind_of
from server.core.explain.grounds import Grounds
from server.core.explain.lines import Line
from server.core.explain.scores import explain_score
from server.core.rules.acts import Decision
from server.core.rules.results import OpenTie, StageResult


def explain_tie(grounds: Grounds, result: StageResult, row: Mapping[str, Any]) -> list[Line]:
    """Give the lines about those who have the same total as a row: none where nobody has."""
    stage, who = result.stage, row["who"]
    open_ties = [explain_open_tie(grounds, result, tie, who) for tie in result.ties if who in tie.tie.who]
    by_machine = grounds.preset.first == "winners" and stage.form is None
    equal = [] if by_machine else [other["who"] for other in _equal(result, row)]
    if not equal:
        return open_ties
    names = grounds.people(equal)
    ranks = {other["rank"] for other in result.rows if other["who"] in {*equal, who}}
    played = played_off(grounds, result, who, {*equal, who})
    if len(ranks) == 1 and not open_ties:
        hangs = ", nothing hangs on it" if stage.closed and not played else ""
        because = f"level with {names}: the rank is shared{hangs}"
        return [grounds.line("shared-rank", because, row["rank"], stage=stage, who=who, parts=played)]
    if open_ties or len(ranks) == 1:
        return [*_ordered(grounds, result, row, names, played), *open_ties] if played else open_ties
    return _ordered(grounds, result, row, names, played)


def played_off(grounds: Grounds, result: StageResult, who: str, among: set[str]) -> list[Line]:
    """C6.4: the player's scores in the tie-breaks of the stage, and the orders that officials drew."""
    stage = result.stage
    lines = []
    for game in stage.tiebreaks:
        if who in game.who and len(among & set(game.who)) > 1:
            score = explain_score(grounds, game, who)
            others = grounds.people([other for other in game.who if other != who and other in among])
            lines.append(
                grounds.line(
                    "tie-break",
                    f"{score.because}, a tie-break with {others}",
                    score.value,
                    stage=stage,
                    who=who,
                    game=game.id,
                    entries=score.entries,
                    parts=score.parts,
                )
            )
    notes = {note.number: note for note in grounds.history.stages.get(stage.id, ()) if isinstance(note.act, Decision)}
    for entry, order in stage.draws:
        if who in order and len(among & set(order)) > 1:
            because = f"drawn number {order.index(who) + 1} of {len(order)}"
            note = notes.get(entry)
            lines.append(
                grounds.line("draw", because, order.index(who) + 1, stage=stage, who=who, note=note, entries=(entry,))
            )
    return lines


def _ordered(
    grounds: Grounds, result: StageResult, row: Mapping[str, Any], names: str, played: list[Line]
) -> list[Line]:
    """Say by what those are in order who are level: played off, drawn, the stage before, how the field was seeded."""
    stage, who, rank = result.stage, row["who"], row["rank"]
    if played:
        entries = [entry for line in played for entry in line.entries]
        because = f"level with {names}: in the order of what was played off or drawn"
        return [grounds.line("tie", because, rank, stage=stage, who=who, entries=entries, parts=played)]
    kind = kind_of(grounds, result)
    if kind == "machine_points":
        because = f"level with {names}: the better rank in the stage before goes first"
        return [grounds.line("before-rank", because, rank, stage=stage, who=who)]
    if kind == "holes":
        because = f"level with {names}: more holes in one stroke, then in two, and so on"
        return [grounds.line("tie", because, rank, stage=stage, setting="countback", who=who)]
    if kind == "entrants":
        return [grounds.line("seed", SEEDED[grounds.settings.seeding], rank, stage=stage, setting="seeding", who=who)]
    if kind in {"attempts", "winners", "group_games", "ladder", "one_game"}:
        because = f"level with {names}, but not among those who played it off"
        return [grounds.line("tie", because, rank, stage=stage, who=who)]
    return []


SEEDED = {
    "players": "seeded in the order of the tournament's list",
    "wppr_rank": "seeded by the ranking of the players",
    "draw": "seeded by draw",
    "qualifying": "seeded by the qualifying",
}


def _equal(result: StageResult, row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Give the other rows with the same number, of the same group where the groups are ranked apart."""
    form = result.stage.form
    group = next((group.who for group in result.groups or () if row["who"] in group.who), None)
    apart = form is not None and form.kind == "one_game" and group is not None
    return [
        other
        for other in result.rows
        if other["who"] != row["who"]
        and all(other.get(key) == row.get(key) for key in ("points", "score", "out", "holes"))
        and bool(other.get("machines")) == bool(row.get("machines"))
        and (not apart or other["who"] in (group or ()))
    ]


WHY = {
    "cut": "it decides who goes on",
    "seed": "it decides the order of those who go on",
    "place": "it decides a place",
    "machine": "it decides the places within the game",
}


def explain_open_tie(grounds: Grounds, result: StageResult, tie: OpenTie, who: str | None = None) -> Line:
    """C6.5: say of a tie that it must be played off, and what hangs on it."""
    others = grounds.people([other for other in tie.tie.who if other != who])
    places = f"{tie.tie.places[0]} to {tie.tie.places[-1]}"
    within = f" of game {tie.game}" if tie.game is not None else ""
    because = (
        f"tied with {others} for places {places}{within}: must be played off, {WHY.get(tie.tie.reason, tie.tie.reason)}"
    )
    entries = [result.stage.closed_entry] if tie.game is None else []
    return grounds.line(
        "tie", because, "open", stage=result.stage, who=who, machine=tie.machine, game=tie.game, entries=entries
    )
