"""Why a score on a machine takes its position and earns its points, and why other games there do not count (C2).

Positions and points are those of the stage's result. Invariant: who is ahead, equal and behind is counted among the
very scores that were ranked together.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from server.core.explain.attempts import Counting, other_attempts
from server.core.explain.cells import Cell, Where, kind_of
from server.core.explain.grounds import Grounds, count, number
from server.core.explain.holes import explain_hole
from server.core.explain.lines import Line
from server.core.explain.scores import explain_score
from server.core.rules.results import StageResult
from server.core.rules.state import Key

POINTS = {
    "attempts": "machine_points",
    "entrants": "machine_points",
    "machine_points": "machine_points",
    "group_games": "group_points",
    "ladder": "group_points",
    "rounds": "group_points",
    "strikes": "group_strikes",
}
"""The setting with the points for places, by how a stage is played."""

SHARING = {
    "high": "each gets those of the best of these places",
    "low": "each gets those of the last of these places",
    "split": "they are shared out, rounded down",
    "playoff": "until the tie is broken",
    "outscored": "each opponent with less is a point",
}
"""What becomes of the points of places that several share, by the settings `tie_points` and `game_ties`."""


NAMED_EQUALS = 4
"""Players with an equal score who are named; of more only the number is told."""


class Rivals:
    """The scores that were ranked against each other, in order, so that a place among them is found at once."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self.cells = sorted(cells, key=lambda cell: (_score(cell), cell.who))
        self._scores = [_score(cell) for cell in self.cells]
        self._ranks = Counter(cell.rank for cell in self.cells)

    def around(self, cell: Cell) -> tuple[int, Sequence[Cell], int]:
        """Give how many have less, who has as many (the cell's own player left out), and how many have more."""
        low, high = bisect_left(self._scores, _score(cell)), bisect_right(self._scores, _score(cell))
        return low, [other for other in self.cells[low:high] if other.who != cell.who], len(self.cells) - high

    def next_above(self, cell: Cell) -> Cell | None:
        """Give the one with the least of those who have more."""
        high = bisect_right(self._scores, _score(cell))
        return self.cells[high] if high < len(self.cells) else None

    def sharing(self, rank: int | None) -> int:
        """Give how many have a rank."""
        return self._ranks[rank]


Together = Mapping[Key, Rivals]
"""All scores of a stage, by what they were ranked in."""


def cells_of(grounds: Grounds, row: Mapping[str, Any]) -> list[Cell]:
    """Give the scores of one row of a stage's table."""
    return [
        Cell(
            who=row["who"],
            machine=cell["machine"],
            score=cell.get("score"),
            game=grounds.state.games[cell["game"]],
            rank=cell.get("rank"),
            points=cell.get("points"),
        )
        for cell in row.get("machines") or ()
        if cell.get("game") in grounds.state.games
    ]


def together(grounds: Grounds, result: StageResult) -> Together:
    """Sort all scores of a stage by what they were ranked in: a machine, or one game of a group."""
    found: dict[Key, list[Cell]] = {}
    for row in result.rows:
        for cell in cells_of(grounds, row):
            found.setdefault(key_of(grounds, result, cell), []).append(cell)
    return {key: Rivals(cells) for key, cells in found.items()}


def key_of(grounds: Grounds, result: StageResult, cell: Cell) -> Key:
    """Name what a score was ranked in."""
    form = result.stage.form
    if kind_of(grounds, result) == "opponents":  # CC10: one game of those who met
        return (cell.game.id,)
    by_machine = not cell.game.key or (form is not None and form.kind == "machine_points")
    return (cell.machine,) if by_machine else cell.game.key


def explain_cell(grounds: Grounds, result: StageResult, cell: Cell, rivals: Together, counting: Counting) -> Line:
    """Give the line of a score in a stage's table: its points where it earns some, else the score itself."""
    stage = result.stage
    score = _counted(grounds, result, cell)
    others = other_attempts(grounds, result, cell.who, counting, cell.machine, cell.game)
    kind = kind_of(grounds, result)
    if kind == "holes":
        return explain_hole(grounds, result, cell, (score, *others))
    against = rivals[key_of(grounds, result, cell)]
    position = explain_position(grounds, result, cell, against)
    if cell.points is None:
        return replace(position, parts=(*position.parts, score, *others))
    parts = (position, score, *others)
    return grounds.line(
        "points",
        _earned(grounds, cell, against, kind),
        cell.points,
        setting=POINTS.get(kind, "") if cell.rank is not None else "",
        stage=stage,
        who=cell.who,
        machine=cell.machine,
        game=cell.game.id,
        entries=(*position.entries, *score.entries),
        parts=parts,
    )


def explain_position(grounds: Grounds, result: StageResult, cell: Cell, rivals: Rivals) -> Line:
    """C2.2, C2.4: the position among the scores that were ranked together: who has more, as many, fewer."""
    stage = result.stage
    where: Where = {"stage": stage, "who": cell.who, "machine": cell.machine, "game": cell.game.id}
    if cell.rank is None and cell.points is not None:
        none = "no score, no position" if cell.score is None else "a score of 0 takes no position and earns no points"
        return grounds.line("unranked", none, None, entries=(cell.game.entry,), **where)
    behind, equal, ahead = rivals.around(cell)
    place = cell.rank if cell.rank is not None else ahead + 1
    words, near = [], [*equal[:NAMED_EQUALS]]
    if (nearest := rivals.next_above(cell)) is not None:
        words.append(f"{count(ahead, 'player')} with more, the nearest {_scored(grounds, nearest)}")
        near.insert(0, nearest)
    if equal:
        names = grounds.people([other.who for other in equal], NAMED_EQUALS)
        broken = "" if place == ahead + 1 and _share(equal, cell) else ", the tie was broken"
        words.append(f"equal with {names}{broken}")
    words.append(f"{behind} with less" if behind else "nobody with less")
    because = f"position {place} of {len(rivals.cells)}: {'; '.join(words)}"
    ties = [game for game in stage.game_ties.get(cell.game.key, ()) if cell.who in game.who]
    parts = [explain_score(grounds, game, cell.who) for game in ties]
    entries = (cell.game.entry, *(other.game.entry for other in near), *(game.entry for game in ties))
    return grounds.line("position", because, place, entries=entries, parts=parts, **where)


def brief_cell(grounds: Grounds, result: StageResult, cell: Cell) -> Line:
    """Give the line of a score without what it rests on."""
    what, value = ("score", cell.score) if cell.points is None else ("points", cell.points)
    because = f"{number(value) if value is not None else 'no score'} on {grounds.machine(cell.machine)}"
    setting = POINTS.get(kind_of(grounds, result), "") if what == "points" else ""
    where: Where = {"stage": result.stage, "who": cell.who, "machine": cell.machine, "game": cell.game.id}
    return grounds.line(what, because, value, setting=setting, entries=(cell.game.entry,), **where)


def _score(cell: Cell) -> int:
    """Give what a score is compared by; none is behind all."""
    return cell.score if cell.score is not None else -1


def _share(equal: Sequence[Cell], cell: Cell) -> bool:
    return all(other.rank == cell.rank for other in equal)


def _scored(grounds: Grounds, cell: Cell) -> str:
    return f"{grounds.person(cell.who)} with {number(cell.score or 0)}"


def _counted(grounds: Grounds, result: StageResult, cell: Cell) -> Line:
    """Give the line of the score as it stands in the table, also where a game without one counts as something."""
    score = explain_score(grounds, cell.game, cell.who, result.stage)
    if score.value == cell.score:
        return score
    shown = number(cell.score) if cell.score is not None else "no score"
    counts = grounds.line("as-counted", f"counts here as {shown}", cell.score, stage=result.stage)
    return replace(score, value=cell.score, parts=(*score.parts, counts))


def _earned(grounds: Grounds, cell: Cell, rivals: Rivals, kind: str) -> str:
    """Say what a position earns, in the stage's word, and what becomes of a shared one."""
    word = "strike" if kind == "strikes" else "game won" if kind == "bracket" else "point"
    earned = count(cell.points or 0, word, "games won" if kind == "bracket" else None)
    where = grounds.machine(cell.machine)
    if cell.rank is None:
        return f"{earned} on {where}: {'a score of 0 earns none' if cell.score == 0 else 'no score counts'}"
    sharing = rivals.sharing(cell.rank)
    shared = ""
    if sharing > 1:
        by_game = {"rounds": grounds.settings.game_ties, "strikes": grounds.settings.game_ties}
        by_game |= {
            "opponents": "outscored",
            **dict.fromkeys(("group_games", "ladder", "bracket", "one_game"), "playoff"),
        }
        how = by_game.get(kind, grounds.settings.tie_points)
        shared = f", shared by {sharing}: {SHARING[how]}"
    return f"{earned} for position {cell.rank} on {where}{shared}"
