"""What the columns of a table of players or machines are called, and what their cells become.

Names are looked for without case, spaces and signs, in any order; Match Play's field names are among them. Nothing
here knows who is there already. Invariant: what a row says becomes a member of the tournament file, or an error names
its line.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from server.exchange.sheets import Row, Sheet, SheetInvalid, plain_header

LONGEST_ID = 40
LONGEST_NAME = 200
MOST_DIGITS = 1000
_NOTHING = frozenset({"", "null", "none", "-", "n/a"})

PLAYERS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "playerid", "player_id", "playernumber", "startnumber"),
    "name": ("name", "player", "playername", "fullname"),
    "first": ("firstname", "givenname", "forename", "vorname"),
    "last": ("lastname", "surname", "familyname", "nachname"),
    "division": ("division",),
    "ifpa": ("ifpa", "ifpaid", "ifpanumber", "ifpano", "ifpaplayerid"),
    "country": ("country", "countrycode"),
    "wppr_rank": ("wpprrank", "ifparank", "worldrank"),
    "season_rank": ("seasonrank",),
}
MACHINES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "arenaid", "machineid"),
    "name": ("name", "machine", "arena", "arenaname", "machinename", "title"),
    "division": ("division",),
    "players": ("players", "playercount", "maxplayers"),
    "venue": ("venue", "location"),
    "max_score": ("maxscore",),
    "digits": ("digits",),
}
NUMBERS = frozenset({"ifpa", "wppr_rank", "season_rank", "players", "max_score", "digits"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """What a row says: the line, and the member's fields as the tournament file names them; `id` where it is said."""

    line: int
    fields: Mapping[str, str | int]

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.fields.get("name", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """The rows of a table, and the columns that nothing was made of."""

    rows: tuple[Member, ...]
    unused: tuple[str, ...]


def headers(columns: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Every name by which a column is known, plain."""
    return frozenset(plain_header(name) for names in columns.values() for name in names)


def read_members(sheet: Sheet, columns: Mapping[str, tuple[str, ...]]) -> Members:
    """What the rows of a table say. Raises SheetInvalid: a name that is missing, a number that is none."""
    fields, unused = columns_of(sheet, columns)
    if not {"name", "first", "last"} & set(fields.values()):
        there = ", ".join(repr(cell[:40]) for cell in sheet.header.cells[:12])
        wanted = " or ".join(columns["name"])
        raise SheetInvalid(sheet.name, sheet.header.line, f"no column is called {wanted}; there are {there}")
    rows = tuple(_member(row, fields, sheet.name) for row in sheet.rows)
    return Members(rows=rows, unused=unused)


def columns_of(sheet: Sheet, columns: Mapping[str, tuple[str, ...]]) -> tuple[dict[int, str], tuple[str, ...]]:
    """Which column gives which field, and the columns that give none. Raises SheetInvalid where two give the same."""
    fields: dict[int, str] = {}
    unused = []
    for index, written in enumerate(sheet.header.cells):
        plain = plain_header(written)
        field = next((field for field, names in columns.items() if plain in map(plain_header, names)), None)
        if field is None:
            unused += [written] if written else []
        elif field in fields.values():
            raise SheetInvalid(sheet.name, sheet.header.line, f"a second column ({written!r}) gives the {field}")
        else:
            fields[index] = field
    return fields, tuple(unused)


def same_name(name: str) -> str:
    """A name as it is compared: without case and with plain spaces."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _member(row: Row, fields: Mapping[int, str], file: str) -> Member:
    found: dict[str, str | int] = {}
    for index, field in fields.items():
        text = plain(row.cells[index])
        if field in NUMBERS:
            if text.casefold() not in _NOTHING:
                found[field] = whole(text, field, row.line, file)
        elif text and (field == "name" or text.casefold() != "null"):
            found[field] = text
    names = [str(found.pop(part)) for part in ("first", "last") if part in found]
    if names and "name" not in found:
        found["name"] = " ".join(names)
    if "name" not in found:
        raise SheetInvalid(file, row.line, "the name is empty")
    if len(str(found["name"])) > LONGEST_NAME:
        raise SheetInvalid(file, row.line, f"the name has more than {LONGEST_NAME} characters")
    if len(str(found.get("id", ""))) > LONGEST_ID:
        raise SheetInvalid(file, row.line, f"the id has more than {LONGEST_ID} characters")
    if found.get("ifpa") == 0:
        del found["ifpa"]  # Match Play writes 0 for nobody's number
    return Member(line=row.line, fields=found)


def plain(cell: str) -> str:
    """A cell on one line: characters of a known form, plain spaces, nothing that steers a terminal."""
    visible = "".join(" " if unicodedata.category(sign) == "Cc" else sign for sign in cell)
    return " ".join(unicodedata.normalize("NFC", visible).split())


def whole(text: str, field: str, line: int, file: str) -> int:
    """The whole number that a cell is: its digits and nothing else, but the apostrophe of a long one."""
    digits = text.removeprefix("'")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > MOST_DIGITS:
        raise SheetInvalid(file, line, f"{field} must be a whole number, not {text[:40]!r}")
    return int(digits)
