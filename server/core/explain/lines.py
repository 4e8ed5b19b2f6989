"""A line of an explanation: a number, why it is so in a sentence, its rule, and the log entries that it comes from.

Only the shape, and how it is written as plain values and renumbered. Invariant: what officials wrote or who they are
stands in `reason` and `by` alone, never in the sentence, so that a public page can leave it out.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

Value = int | str | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One explained fact. `what` is its kind, `value` the number itself (None: there is none, or it is still open).

    `rule` is the clause and `setting` the setting that it follows; one of them is always there. `entries` count log
    entries from 1. `parts` are the facts that it is made of. Where an official's word made it so, `noted` is
    the entry with that word, `reason` and `by` what he noted and his name.
    """

    what: str
    because: str
    value: Value = None
    rule: str = ""
    setting: str = ""
    who: str | None = None
    stage: str | None = None
    machine: str | None = None
    game: str | None = None
    match: str | None = None
    entries: tuple[int, ...] = ()
    noted: int | None = None
    reason: str | None = None
    by: str | None = None
    parts: tuple["Line", ...] = ()

    @property
    def cited(self) -> str:
        """The rule as it is printed behind the sentence: `T6.2 machine_points`."""
        return " ".join(part for part in (self.rule, self.setting) if part)


NAMING = ("setting", "who", "stage", "machine", "game", "match", "noted", "reason", "by")


def plain(line: Line) -> dict[str, object]:
    """Give a line as what JSON knows; keys that do not apply are left out."""
    found: dict[str, object] = {
        "what": line.what,
        "value": line.value,
        "because": line.because,
        "rule": line.rule,
        "entries": list(line.entries),
    }
    found |= {name: value for name in NAMING if (value := getattr(line, name))}
    if line.parts:
        found["parts"] = [plain(part) for part in line.parts]
    return found


def walk(lines: Iterable[Line]) -> Iterator[Line]:
    """Give all lines and all their parts, from the top down."""
    for line in lines:
        yield line
        yield from walk(line.parts)


def rewritten(line: Line, number: Callable[[int], int], *, names: bool) -> Line:
    """Give a line with other numbers for its entries; without `names` nothing of what officials wrote is left."""
    return replace(
        line,
        entries=tuple(number(entry) for entry in line.entries),
        noted=None if line.noted is None else number(line.noted),
        reason=line.reason if names else None,
        by=line.by if names else None,
        parts=tuple(rewritten(part, number, names=names) for part in line.parts),
    )
