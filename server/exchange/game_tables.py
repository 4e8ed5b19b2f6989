"""Games out of a table: a row is a player's score in a game, rows of one `gameId` are one game.

The plan of an import, which nothing has carried out yet; the rules are asked about the log as it would be. Invariant:
a score is exactly the digits of its cell, the same table again adds no game, and what the rules refuse stops the whole
table with its line.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.core import rules
from server.core.venue.entries import HIGHEST
from server.exchange.columns import LONGEST_ID, columns_of, headers, plain, same_name, whole
from server.exchange.joining import parsed_with, short
from server.exchange.sheets import Sheet, SheetInvalid, read_sheet

Json = Mapping[str, Any]
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "game": ("gameid", "game", "singleplayergameid"),
    "machine": ("arenaid", "machineid", "machine", "arena"),
    "machine_name": ("arenaname", "machinename"),
    "who": ("playerid", "player", "who"),
    "name": ("name", "playername"),
    "score": ("score",),
    "index": ("index",),
    "stage": ("stage",),
    "division": ("division",),
    "group": ("group",),
    "round": ("round",),
    "started_at": ("startedat", "started"),
    "at": ("recordedat", "at"),
    "voided": ("voided",),
    "refused": ("refused",),
}
_PLACE = ("stage", "division", "group", "round", "started_at", "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesPlan:
    """The entries to record, each with the line of its first row; how many games were there; what is to be known."""

    entries: tuple[Json, ...]
    lines: tuple[int, ...]
    there: int
    notes: tuple[str, ...]

    def told(self) -> dict[str, Any]:
        """As the API says it."""
        added = [{"game": entry["game"], "line": line} for entry, line in zip(self.entries, self.lines, strict=True)]
        return {"part": "games", "added": added, "there_already": self.there, "notes": short(self.notes)}


def plan_games(
    data: bytes, document: Json, *, taken: frozenset[str], at: str, name: str, encoding: str | None = None
) -> GamesPlan:
    """Read a table of games for the tournament in `document`. `taken` are ids of games that cannot be given anew, `at`
    is the time of recording where a row says none.

    Raises SheetInvalid where the table cannot be understood, contradicts a game that is there, or is against the rules.
    """
    sheet = read_sheet(data, name=name, known=headers(COLUMNS), encoding=encoding)
    fields, unused = columns_of(sheet, COLUMNS)
    for wanted in (("score",), ("machine", "machine_name"), ("who", "name")):
        if not set(wanted) & set(fields.values()):
            words = ", ".join(word for field in wanted for word in COLUMNS[field])
            what = {"who": "player"}.get(wanted[0], wanted[0])
            raise SheetInvalid(name, sheet.header.line, f"no column gives the {what}; it may be called {words}")
    notes = [f"column {column[:60]!r} is not used" for column in unused]
    games = _games(sheet, fields, document, notes)
    there = _Known(document)
    fresh = [game for game in games if not there.has(game, name)]
    entries, lines = _entries(fresh, taken, at), tuple(game.line for game in fresh)
    _ask_rules(document, entries, lines, name)
    return GamesPlan(entries=entries, lines=lines, there=len(games) - len(fresh), notes=tuple(notes))


@dataclass(slots=True, kw_only=True)
class _Game:
    line: int
    id: str | None
    machine: str
    scores: dict[str, int]
    place: dict[str, str | int]


def _games(sheet: Sheet, fields: Mapping[int, str], document: Json, notes: list[str]) -> list[_Game]:
    people, machines = _Names(document, "players"), _Names(document, "machines")
    found: list[_Game] = []
    by_id: dict[str, _Game] = {}
    for row in sheet.rows:
        said = {field: text for index, field in fields.items() if (text := plain(row.cells[index]))}
        if said.get("voided") == "true" or "refused" in said:
            notes.append(f"line {row.line}: voided or refused, not taken")
            continue
        name = said.get("game")
        who = people.find(said.get("who"), said.get("name"), row.line, sheet.name)
        machine = machines.find(said.get("machine"), said.get("machine_name"), row.line, sheet.name)
        place = _place(said, row.line, sheet.name)
        game = by_id.get(name) if name is not None else None
        if game is None:
            game = _Game(line=row.line, id=name, machine=machine, scores={}, place=place)
            found.append(game)
            if name is not None:
                by_id[name] = game
        elif (game.machine, game.place) != (machine, place):
            raise SheetInvalid(sheet.name, row.line, f"game {name} is another one in line {game.line}: say another id")
        if who in game.scores:
            raise SheetInvalid(sheet.name, row.line, f"{who} is in game {name} twice, already since line {game.line}")
        game.scores[who] = _score(said, row.line, sheet.name)
    return found


def _score(said: Mapping[str, str], line: int, file: str) -> int:
    if "score" not in said:
        raise SheetInvalid(file, line, "the score is empty: leave the row out if it was not played")
    score = whole(said["score"], "score", line, file)
    if score > HIGHEST:
        raise SheetInvalid(file, line, f"a score is at most {HIGHEST}")
    return score


def _place(said: Mapping[str, str], line: int, file: str) -> dict[str, str | int]:
    if len(said.get("game", "")) > LONGEST_ID:
        raise SheetInvalid(file, line, f"the game's id has more than {LONGEST_ID} characters")
    place: dict[str, str | int] = {key: said[key] for key in _PLACE if key in said}
    if "round" in said:
        place["round"] = whole(said["round"], "round", line, file)
    return place


class _Names:
    """Members of the tournament by id or by name."""

    def __init__(self, document: Json, part: str) -> None:
        self._part = part.removesuffix("s")
        members = [member for member in document.get(part) or () if isinstance(member, Mapping)]
        self._ids = {str(member["id"]): plain(str(member.get("name") or "")) for member in members}
        self._named: dict[str, list[str]] = {}
        for name, called in self._ids.items():
            self._named.setdefault(same_name(called or name), []).append(name)

    def find(self, said: str | None, name: str | None, line: int, file: str) -> str:
        """The id of who is meant: what stands in the column of ids, else the one of that name; both must agree."""
        if said is not None and said in self._ids:
            called = self._ids[said]
            if name is not None and called and same_name(name) != same_name(called):
                raise SheetInvalid(file, line, f"{self._part} {said} is {called[:60]!r}, not {name[:60]!r}")
            return said
        found = self._named.get(same_name(said or name or ""), [])
        if len(found) == 1:
            return found[0]
        shown = said or name or ""
        why = f"several {self._part}s are called so ({', '.join(found)}): name the id" if found else "not entered"
        raise SheetInvalid(file, line, f"{self._part} {shown[:60]!r}: {why}" if shown else f"no {self._part} is named")


class _Known:
    """The games that the log has: as they were recorded, and as they were corrected."""

    def __init__(self, document: Json) -> None:
        self._forms: dict[str, list[tuple[str, dict[str, int]]]] = {}
        self._alike: Counter[object] = Counter()
        for entry in document.get("log") or ():
            kind = next(iter(entry))
            if kind == "game":
                form = (str(entry["machine"]), dict(entry["scores"]))
                self._forms.setdefault(str(entry["game"]), []).append(form)
                self._alike[_form(*form, entry.get("started_at"))] += 1
            elif kind == "correct" and str(entry["correct"]) in self._forms:
                machine, scores = self._forms[str(entry["correct"])][-1]
                self._forms[str(entry["correct"])].append((machine, {**scores, **entry["scores"]}))

    def has(self, game: _Game, file: str) -> bool:
        """Whether the game is there: by its id, and where it has none, one just like it that no other row is."""
        if game.id is not None:
            forms = self._forms.get(game.id)
            if forms is not None and (game.machine, game.scores) not in forms:
                raise SheetInvalid(file, game.line, f"game {game.id} is there with other scores: correct it there")
            return forms is not None
        form = _form(game.machine, game.scores, game.place.get("started_at"))
        self._alike[form] -= 1
        return self._alike[form] >= 0


def _form(machine: str, scores: Mapping[str, int], started: object) -> object:
    return machine, tuple(scores.items()), started


def _entries(games: Sequence[_Game], taken: frozenset[str], at: str) -> tuple[Json, ...]:
    used = set(taken) | {game.id for game in games if game.id is not None}
    number = 0
    entries = []
    for game in games:
        name = game.id
        while name is None:
            number += 1
            name = f"g{number}" if f"g{number}" not in used else None
        used.add(name)
        entries.append({"game": name, "machine": game.machine, "scores": game.scores, "at": at, **game.place})
    return tuple(entries)


def _ask_rules(document: Json, entries: Sequence[Json], lines: Sequence[int], file: str) -> None:
    outcome: dict[str, Any] = rules.evaluate(parsed_with(document, "log", entries, lines, file))
    before = len(document.get("log") or ())
    for refused in outcome["refused"]:
        if refused["entry"] > before:
            raise SheetInvalid(file, lines[refused["entry"] - before - 1], str(refused["why"]))
