"""Lines of a table and names of people, as the commands print them.

Only printing. Invariant: a name never stands without the id that the tournament file knows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

LEFT = 1
"""The column of names, which is set to the left; the others are numbers."""


def aligned(cells: Sequence[Sequence[str]], indent: str) -> Iterator[str]:
    """Give the lines of a table whose second column is text and whose others are numbers."""
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    for row in cells:
        padded = (
            f"{cell:<{width}}" if column == LEFT else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield (indent + "  ".join(padded)).rstrip()


def people(who: Iterable[str], names: Mapping[str, str]) -> str:
    """Give several people or teams by name."""
    return ", ".join(person(each, names) for each in who)


def person(who: str, names: Mapping[str, str]) -> str:
    """Give somebody's name with the id behind it."""
    name = names.get(who)
    return f"{name} ({who})" if name and name != who else who
