"""Explanations and rules as lines of text, for the terminal and for paper.

Only printing. Invariant: each line ends with the rule that it follows and the log entries that it comes from.
"""

from collections.abc import Iterable, Iterator, Mapping

from server.commands.tables import person
from server.core.explain.lines import Line
from server.core.explain.settings import show_value, tell_settings
from server.core.rules.tournament import Head


def explanation(lines: Iterable[Line], names: Mapping[str, str]) -> Iterator[str]:
    """Give the lines of an explanation, under a heading for each player."""
    heading: str | None = None
    for line in lines:
        about = "Stages and machines" if line.who is None else person(line.who, names)
        if about != heading:
            if heading is not None:
                yield ""
            heading = about
            yield about
        yield from _written(line, "  ")


def rules_of(head: Head, *, everything: bool = False) -> Iterator[str]:
    """Give the rule set's title with the settings that the director changed, or with all settings."""
    yield ""
    yield f"Rules: {head.preset.title} ({head.preset.name})"
    told = [each for each in tell_settings(head) if everything or each.changed]
    if not told:
        yield "  as the preset has them"
    for each in told:
        rule = f"  [{each.rule}]" if each.rule else ""
        instead = f", instead of {show_value(each.preset)}" if each.changed else ""
        yield f"  {each.name}: {show_value(each.value)}{instead}{rule}"


def _written(line: Line, indent: str) -> Iterator[str]:
    said = "; ".join(part for part in (line.reason, f"by {line.by}" if line.by else "") if part)
    entries = f"{'entry' if len(line.entries) == 1 else 'entries'} {_numbers(line.entries)}" if line.entries else ""
    source = ", ".join(part for part in (line.cited, entries) if part)
    yield f"{indent}{line.because}{f' ({said})' if said else ''}  [{source}]"
    for part in line.parts:
        yield from _written(part, indent + "  ")


def _numbers(entries: tuple[int, ...], most: int = 8) -> str:
    shown = ", ".join(str(entry) for entry in sorted(entries)[:most])
    return shown if len(entries) <= most else f"{shown} and {len(entries) - most} more"
