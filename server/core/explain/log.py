"""The log seen from its subjects: what was said of a game, of a match, of a player or team, of a machine, of a
stage, entry by entry.

Nothing is computed. Invariant: only what the rules took is in it; what they refused stands apart, with the reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from server.core.rules.acts import (
    Abandon,
    Absent,
    Act,
    AgreeTerms,
    Buy,
    Challenge,
    ChangeRoster,
    Close,
    Correct,
    Decision,
    DeclareLineup,
    EndMatch,
    Forfeit,
    MachineChange,
    Move,
    Penalty,
    Played,
    Register,
    Ruling,
    SetMatch,
    Void,
)
from server.core.rules.state import Game, State
from server.core.rules.tournament import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One entry of the log: its number, what it says, and what an official noted with it."""

    number: int
    act: Act
    by: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """A game that the rules refused."""

    number: int
    act: Played
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedAway:
    """What a player asked for at the desk and the rules refused."""

    number: int
    what: str
    why: str


@dataclass(slots=True, kw_only=True)
class History:
    """What the log says, by subject, in its order. `named` are the rulings that take scores from a game.

    `read` is how many entries of the log are in it.
    """

    read: int = 0
    games: dict[str, list[Note]] = field(default_factory=dict)
    players: dict[str, list[Note]] = field(default_factory=dict)
    machines: dict[str, list[Note]] = field(default_factory=dict)
    stages: dict[str, list[Note]] = field(default_factory=dict)
    named: dict[str, list[Note]] = field(default_factory=dict)
    matches: dict[str, list[Note]] = field(default_factory=dict)
    denied: dict[str, list[Denied]] = field(default_factory=dict)
    played: dict[str, list[Game]] = field(default_factory=dict)
    turned_away: dict[str, list[TurnedAway]] = field(default_factory=dict)


OF_MATCHES = (SetMatch, DeclareLineup, Forfeit, AgreeTerms, EndMatch)
"""Entries that are about a match as a whole or about a part of it."""


def read_history(history: History, tournament: Tournament, state: State) -> None:
    """Sort what is new in the log of a tournament, whose state is known, into what was read before."""
    first = history.read
    refused = {number: why for number, why in state.refused if number > first}
    for number, entry in enumerate(tournament.log[first:], first + 1):
        act = entry.act
        if isinstance(act, Played):
            _file_game(history, number, act, state, refused.get(number))
        elif number in refused:
            _file_refused(history, number, act, refused[number])
        else:
            by, why = entry.written.get("by"), entry.written.get("why")
            note = Note(
                number=number,
                act=act,
                by=by if isinstance(by, str) else None,
                why=why if isinstance(why, str) else None,
            )
            _file(history, note)
    history.read = len(tournament.log)


def _file_refused(history: History, number: int, act: Act, why: str) -> None:
    what = WORDS.get(type(act))
    if what is not None and isinstance(act, (Register, Buy, Move, Abandon)):
        away = TurnedAway(number=number, what=what, why=why)
        history.turned_away.setdefault(act.player, []).append(away)


WORDS: Mapping[type[Act], str] = {
    Register: "a registration",
    Buy: "a purchase of entries",
    Move: "a move to another division",
    Abandon: "giving up an entry",
}


def _file_game(history: History, number: int, act: Played, state: State, why: str | None) -> None:
    if why is not None:
        denied = Denied(number=number, act=act, why=why)
        for who in act.scores:
            history.denied.setdefault(who, []).append(denied)
        return
    game = state.games[act.game]
    for who in game.scores:
        history.played.setdefault(who, []).append(game)


def _file(history: History, note: Note) -> None:
    for subjects, name in _subjects(history, note.act):
        subjects.setdefault(name, []).append(note)


def _subjects(history: History, act: Act) -> Iterator[tuple[dict[str, list[Note]], str]]:
    if isinstance(act, (Correct, Void, Ruling, Penalty, Challenge)) and act.game is not None:
        yield history.games, act.game
    if isinstance(act, (*OF_MATCHES, Penalty, Absent, Decision)) and act.match is not None:
        yield history.matches, act.match
    if isinstance(act, Ruling):
        yield from ((history.named, name) for name in dict.fromkeys(act.games) if name != act.game)
    elif isinstance(act, (Penalty, Absent)):
        yield history.players, act.who
    elif isinstance(act, (Register, Buy, Move, Abandon)):
        yield history.players, act.player
    elif isinstance(act, ChangeRoster):
        people = (act.team, act.add, act.drop, act.set)
        yield from ((history.players, who) for who in dict.fromkeys(people) if who is not None)
    elif isinstance(act, MachineChange):
        yield from ((history.machines, name) for name in (act.machine, act.substitute) if name is not None)
    elif isinstance(act, (Close, Decision)) and act.stage is not None:
        yield history.stages, act.stage
