"""A second evaluator of the points systems, written from the rule pages alone and as plainly as can be.

It shares nothing with the product but its presets' tables, is told which entries were refused, and knows neither
machines that are taken out nor people who leave. Everything is counted anew for every question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from server.core.rules import PRESETS
from tests.properties.tournaments import Document

Entry = Mapping[str, Any]
INFINITE = Fraction(10**60)


@dataclass(slots=True)
class Book:
    """A document without its refused entries."""

    document: Document
    log: list[Entry]

    @property
    def settings(self) -> Mapping[str, Any]:
        """The values of the tournament, else of the preset."""
        return {**PRESETS[self.document["preset"]].settings, **self.document["rules"]}

    def about(self, kind: str) -> list[Entry]:
        """The entries of one kind."""
        return [entry for entry in self.log if next(iter(entry)) == kind]

    def named(self) -> set[str]:
        """C1.8: the games that some ruling names."""
        return {name for entry in self.about("ruling") for name in entry.get("games", ()) if name != entry["ruling"]}

    def machine(self, name: str) -> Entry:
        """One machine of the head."""
        return next(machine for machine in self.document["machines"] if machine["id"] == name)


def machine_score(book: Book, game: Entry, who: str) -> int | None:
    """C1.1 to C1.3, and that a void or disqualified score is none (C1.6, C3.5)."""
    score = game["scores"].get(who)
    for entry in book.about("correct"):
        if entry["correct"] == game["game"] and who in entry["scores"]:
            score = entry["scores"][who]
    for entry in book.about("void"):
        if entry["void"] == game["game"] and entry.get("who", who) == who:
            return None
    for entry in book.about("penalty"):
        if (entry.get("game"), entry["penalty"], entry["for"]) == (game["game"], who, "disqualified"):
            return None
    if score is None:
        return None
    digits = book.machine(game["machine"]).get("digits")
    if digits is not None:
        score += game.get("rollovers", {}).get(who, 0) * 10**digits
    return int(score + game.get("rings", {}).get(who, 0) * book.settings["ring_bonus"])


def is_zero(book: Book, game: Entry, who: str) -> bool:
    """T14.3: a slam tilt is 0 for the game in tpc; U6.4: not so in the others."""
    return book.document["preset"] in {"tpc", "papa"} and any(
        (entry.get("game"), entry["penalty"], entry["for"]) == (game["game"], who, "slam-tilt")
        for entry in book.about("penalty")
    )


def official(book: Book, game: Entry, who: str) -> int | None:
    """C1: the score that counts."""
    score = machine_score(book, game, who)
    if score is None:
        return None
    for ruling in book.about("ruling"):
        if ruling["ruling"] != game["game"] or ruling.get("who", who) != who:
            continue
        others = [other for name in ruling.get("games", ()) for other in book.about("game") if other["game"] == name]
        named = [(0 if is_zero(book, other, who) else machine_score(book, other, who)) for other in others]
        found = [value for value in named if value is not None]
        if ruling["kind"] == "zero":
            score = 0
        elif ruling["kind"] == "fraction":
            score = int(Fraction(score) * Fraction(Decimal(ruling["factor"])) // 1)
        elif ruling["kind"] == "add-ball":
            score += sum(found)
        elif ruling["kind"] == "best-of":
            score = max([score, *found])
        elif ruling["kind"] == "replay" and found:
            score = found[-1]
    ceiling = book.machine(game["machine"]).get("max_score")
    score = score if ceiling is None else min(score, ceiling)
    return 0 if is_zero(book, game, who) else score


def best_on_machines(book: Book, games: Sequence[Entry]) -> dict[str, dict[str, int]]:
    """C2.1: machine, player, best score."""
    best: dict[str, dict[str, int]] = {}
    for game in games:
        alone = PRESETS[book.document["preset"]].first_player_only and "stage" not in game
        for who in list(game["scores"])[: 1 if alone else None]:
            score = official(book, game, who)
            if score is not None:
                row = best.setdefault(game["machine"], {})
                row[who] = max(score, row.get(who, 0))
    return best


def points_for(book: Book, scores: Mapping[str, int], who: str) -> int:
    """C2.2 to C2.4: points of the position on one machine."""
    table = book.settings["machine_points"]
    if scores[who] == 0:
        return 0
    position = sum(other > scores[who] for other in scores.values())
    if book.settings["tie_points"] == "low":
        position += sum(other == scores[who] for other in scores.values()) - 1
    return int(table[position]) if position < len(table) else 0


def totals(book: Book, games: Sequence[Entry]) -> dict[str, int]:
    """T6.4, U2.4, E2.5: the sum over the machines; K2: the best score."""
    best = best_on_machines(book, games)
    people = {who for row in best.values() for who in row}
    if PRESETS[book.document["preset"]].rank_by == "score":
        return {who: max(row[who] for row in best.values() if who in row) for who in people}
    return {who: sum(points_for(book, row, who) for row in best.values() if who in row) for who in people}


def attempts(book: Book, stage: str) -> list[Entry]:
    """The games of the first stage; a division's are those of its machines."""
    division, _, name = stage.rpartition("/")
    named = book.named()
    return [
        game
        for game in book.about("game")
        if game["game"] not in named
        and "tiebreak" not in game
        and game.get("stage", stage).rpartition("/")[2] == name
        and (not division or book.machine(game["machine"]).get("division") == division)
    ]


def stage_games(book: Book, stage: str) -> list[Entry]:
    """The games of a later stage, without tie-breaks."""
    named = book.named()
    return [
        game
        for game in book.about("game")
        if game.get("stage") == stage and "tiebreak" not in game and game["game"] not in named
    ]


def split(book: Book, stage: str, people: Mapping[str, int], cut: int, *, inside: bool) -> list[list[str]]:
    """C6, T7.4 to T7.7: groups that share a rank once the tie-breaks of the stage are counted, best first."""
    rounds: dict[str, list[int]] = {}
    for game in book.about("game"):
        here = game.get("stage", stage) == stage and game.get("tiebreak") is True and game["game"] not in book.named()
        for who in game["scores"] if here else ():
            score = official(book, game, who)
            if score is not None:
                rounds.setdefault(who, []).append(score)

    def play(group: list[str], above: int, level: int) -> list[list[str]]:
        matters = len(group) > 1 and above < cut and (above + len(group) > cut or inside)
        if not matters or any(len(rounds.get(who, ())) <= level for who in group):
            return [group]
        found: list[list[str]] = []
        for value in sorted({rounds[who][level] for who in group}, reverse=True):
            part = [who for who in group if rounds[who][level] == value]
            found += play(part, above + sum(map(len, found)), level + 1)
        return found

    order: list[list[str]] = []
    for value in sorted(set(people.values()), reverse=True):
        order += play([who for who in people if people[who] == value], sum(map(len, order)), 0)
    return order


def ahead(row: Mapping[str, int], who: str) -> Fraction:
    """L7: own score by that of the next-best player; nobody, or 0: infinite."""
    others = [score for other, score in row.items() if other != who and score <= row[who]]
    return Fraction(row[who], max(others)) if others and max(others) else INFINITE


def winners(book: Book, best: Mapping[str, Mapping[str, int]]) -> list[str]:
    """L6 to L8: who holds which machine, in the order of the machines; only where nobody is tied for a place."""
    bank = [machine["id"] for machine in book.document["machines"]][: book.settings["bank"]]
    holds: dict[str, str] = {}
    while True:
        heirs: dict[str, list[str]] = {}
        for name in bank:
            free = {who: score for who, score in best.get(name, {}).items() if who not in holds.values()}
            if name not in holds and free:
                heirs.setdefault(max(free, key=free.__getitem__), []).append(name)
        if not heirs:
            return [holds[name] for name in bank if name in holds]
        for who, names in heirs.items():
            kept = max(names, key=lambda name: (ahead(best[name], who), -bank.index(name)))
            holds[kept] = who
