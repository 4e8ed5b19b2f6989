"""Pinball machines as the Open Pinball Database knows them (opdb.org, free for any purpose): who built what, and when.

Here: looking one up by its name. Not here: how a machine is read (`hardware.profile`). Invariant: what the database
does not say is None.
"""

import csv
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

DISPLAY_OF = {
    "reels": "reels",
    "lights": "lights",
    "dmd": "dmd",
    "lcd": "lcd",
    "alphanumeric": "segments",
    "cga": "lcd",
}
"""The database's word for a display: the `type` of a profile's [display]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMachine:
    """One machine; `opdb` is its id there."""

    opdb: str
    name: str
    maker: str | None
    year: int | None
    display: str
    """A `type` of a profile's [display]."""
    players: int | None

    @property
    def line(self) -> str:
        """For a person."""
        return f"{self.opdb:<13} {self.name} ({', '.join(str(part) for part in (self.maker, self.year) if part)})"


@cache
def machines() -> tuple[KnownMachine, ...]:
    """All of them, by name."""
    text = (resources.files("hardware") / "opdb.csv").read_text(encoding="utf-8")
    return tuple(
        KnownMachine(
            opdb=row["opdb"],
            name=row["name"],
            maker=row["maker"] or None,
            year=int(row["year"]) if row["year"] else None,
            display=DISPLAY_OF[row["display"]],
            players=int(row["players"]) if row["players"] else None,
        )
        for row in csv.DictReader(text.splitlines())
    )


def find_machines(words: str) -> list[KnownMachine]:
    """Those whose id is this, else those whose name, maker and year have all these words; whole names come first."""
    wanted = _words(words)
    if exact := [machine for machine in machines() if machine.opdb == words.strip()]:
        return exact
    if not wanted:
        return []
    found = [one for one in machines() if all(any(has.startswith(word) for has in _all(one)) for word in wanted)]
    return sorted(found, key=lambda one: (_words(one.name) != wanted, len(one.name)))


def _all(machine: KnownMachine) -> list[str]:
    return _words(f"{machine.name} {machine.maker or ''} {machine.year or ''}")


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower().replace("'", "").replace("’", ""))
