"""What comes next, for the hall: ties to be played off, the groups or the round that is on, as sheets of cards.

Shaped from what `/rounds` offers to the staff; nothing is decided. The one invariant: every player of a shown round
stands on a sheet, and a sheet is never longer than the projector shows.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from server.web.views.matches import Match
from server.web.views.rounds import Stage

LINES = 12
"""Lines of one column: those of the standings beside which it is shown."""
COLUMNS = 2
PEOPLE = 10
"""Players on one card; a larger group goes on on the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One game. `where` is the machine, or what the game waits for.

    `state` is `on` (its players are on the machine), `named` (the machine is known) or `waits`. `who` are names, each
    with whether he chooses now (T11).
    """

    title: str
    where: str | None
    state: str
    note: str | None
    who: tuple[tuple[str, bool], ...]
    tie: bool = False

    @property
    def lines(self) -> int:
        """How many lines of the screen it takes."""
        return 1 + (self.note is not None) + len(self.who)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One page: a title, and columns of cards that fit the screen."""

    title: str
    left: int
    columns: tuple[tuple[Card, ...], ...]


def coming(stages: Iterable[Stage]) -> tuple[Sheet, ...]:
    """The sheets of all stages in which something is to be played: ties first, then the round that is on."""
    found: list[Sheet] = []
    for stage in stages:
        ties = [card for match in stage.ties for card in _cards(match, tie=True)]
        found += _sheets(f"{stage.name}: to be played off", len(stage.ties), ties)
        for number, matches in _rounds_on(stage.matches):
            title = stage.name if number is None else f"{stage.name}: round {number}"
            cards = [card for match in matches for card in _cards(match, tie=False)]
            found += _sheets(title, sum(_is_to_play(match) for match in matches), cards)
    return tuple(found)


def _is_to_play(match: Match) -> bool:
    return (match.playable or match.of_teams) and len(match.who) > 1


def _rounds_on(matches: Sequence[Match]) -> list[tuple[str | None, list[Match]]]:
    """The first round of a schedule that has a game left; groups and matches have none, and are shown as they are.

    Groups may each be in a round of their own (a schedule of two groups): each shows its own.
    """
    if not any(match.scheduled for match in matches):
        return [(None, list(matches))] if matches else []
    first: dict[str | None, int] = {}
    for match in matches:
        if len(match.who) > 1:
            group, number = match.fields.get("group") if match.grouped else None, int(match.fields["round"])
            first[group] = min(number, first.get(group, number))
    shown: dict[int, list[Match]] = {}
    for match in matches:
        number = int(match.fields["round"])
        if first.get(match.fields.get("group") if match.grouped else None) == number:
            shown.setdefault(number, []).append(match)
    return [(str(number), shown[number]) for number in sorted(shown)]


def _cards(match: Match, *, tie: bool) -> Iterable[Card]:
    chooser = match.choice.who if match.choice is not None else None
    names = tuple((name, who == chooser) for who, name in match.who)
    title = re.sub(r"^Round \d+(, )?", "", match.title) if match.scheduled else match.title
    title = title.removeprefix("Play-off ") if tie else title
    title, where, note = title[:1].upper() + title[1:], match.on or match.machine_name, match.note
    state = "on" if match.on is not None else "named" if where is not None else "waits"
    if len(names) == 1:
        title, note = title or "Sits out", "sits out" if title else None
    elif match.choice is not None:
        where, note = where or ("officials decide" if chooser is None else None), None
    elif where is None and not tie and not match.of_teams:
        where = "machine follows"
    if not title:
        title, where = where or "", None
    pieces = [names[first : first + PEOPLE] for first in range(0, len(names), PEOPLE)]
    for number, piece in enumerate(pieces):
        yield Card(
            title=f"{title}, continued" if number else title,
            where=where,
            state=state,
            note=note if number == 0 else None,
            who=piece,
            tie=tie,
        )


def _sheets(title: str, left: int, cards: Sequence[Card]) -> list[Sheet]:
    """The cards in columns of `LINES` lines, `COLUMNS` to a sheet, in their order."""
    columns: list[list[Card]] = []
    used = LINES
    for card in cards:
        if used + card.lines > LINES:
            columns.append([])
            used = 0
        columns[-1].append(card)
        used += card.lines
    pages = [columns[first : first + COLUMNS] for first in range(0, len(columns), COLUMNS)]
    return [Sheet(title=title, left=left, columns=tuple(tuple(column) for column in page)) for page in pages]
