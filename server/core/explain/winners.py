"""Why a player holds the place of a machine or none (L6 to L10): where he leads, how far ahead, what was passed on.

Invariant: who holds which place is the result's own `seats`; ratios are shown as the two scores that make them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from server.core.explain.grounds import Grounds, number
from server.core.explain.lines import Line
from server.core.rules.results import StageResult


def explain_seats(grounds: Grounds, result: StageResult, who: str) -> list[Line]:
    """Give the lines of the machines on which a player is ranked first, and of the one whose place he holds."""
    lines = []
    led = sum([row["who"] for row in table if row["rank"] == 1] == [who] for table in result.tables.values())
    numbered = sorted((machine.number, name) for name, machine in grounds.state.machines.items() if machine.number)
    for seat, (_, name) in zip(result.seats, numbered, strict=False):
        table: Sequence[Mapping[str, Any]] = result.tables.get(name, ())
        own = next((row for row in table if row["who"] == who), None)
        if own is None or (own["rank"] != 1 and seat != who):
            continue
        entries = [grounds.state.games[own["game"]].entry]
        second = next((row for row in table if row["who"] != who and row["rank"] >= own["rank"]), None)
        margin = "nobody behind" if second is None else f"{number(own['score'])} to {number(second['score'])}"
        if second is not None:
            entries.append(grounds.state.games[second["game"]].entry)
        if seat == who:
            because = f"holds the place of {grounds.machine(name)}: rank {own['rank']} there, {margin}"
            ahead = [row["who"] for row in table if row["rank"] < own["rank"]]
            if led > 1 and own["rank"] == 1:
                because += "; of the machines that he leads the one where the ratio to the next is greatest"
            if ahead:
                because += f"; passed on by {grounds.people(ahead)}"
        elif seat is None:
            because = f"ranks first on {grounds.machine(name)}, {margin}: its place is not given yet"
        else:
            because = f"ranks first on {grounds.machine(name)}, {margin}: its place is held by {grounds.person(seat)}"
        lines.append(
            grounds.line("seed", because, own["rank"], stage=result.stage, who=who, machine=name, entries=entries)
        )
    return lines
