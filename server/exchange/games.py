"""The games of a tournament as a table: a row for each player's score in each game, as the log has it.

Corrections and voids are shown, rulings named; the official score that follows is the rules' (C1) and stands in the
standings. Invariant: every recorded game has its rows, whatever became of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.core.rules import Tournament, fold
from server.exchange.sheets import Cell

GAMES = (
    "gameId", "entry", "stage", "division", "group", "round", "match", "slot", "tiebreak", "joker",
    "arenaId", "arenaName", "index", "playerId", "name", "teamId", "score", "firstScore", "voided", "rulings",
    "refused", "startedAt", "recordedAt",
)  # fmt: skip
"""`score` is what the machine showed, corrected where somebody corrected it: `firstScore` is then what stood before."""
_PLACE = ("stage", "division", "group", "round", "match", "slot", "tiebreak", "joker", "machine")


@dataclass(slots=True, kw_only=True)
class _Game:
    number: int
    entry: Mapping[str, Any]
    scores: dict[str, int]
    refused: str | None
    void: set[str] = field(default_factory=set)
    rulings: list[tuple[str | None, str]] = field(default_factory=list)


def game_rows(tournament: Tournament, outcome: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """The rows under `GAMES`, in the order of the log and of play."""
    names = {name: player.name for name, player in tournament.head.players.items()}
    machines = {name: machine.name for name, machine in tournament.head.machines.items()}
    names |= {name: team.name for name, team in tournament.head.teams.items()}
    sides = _sides(tournament)
    for game in _games(tournament, {refused["entry"]: refused["why"] for refused in outcome["refused"]}):
        yield from _rows(game, names, machines, sides.get(game.number, {}))


def _sides(tournament: Tournament) -> Mapping[int, Mapping[str, str]]:
    """For which team each score of a game was, by the number of its entry; a team's own score is its own."""
    if not tournament.head.teams:
        return {}
    state = fold(tournament)
    sides = {name: side for match in state.matches.values() for name, side in match.sides.items()}
    return {
        game.entry: {who: who for who in game.scores if who in state.teams} | {**sides.get(game.id, {})}
        for game in state.games.values()
    }


def _games(tournament: Tournament, refused: Mapping[int, str]) -> Sequence[_Game]:
    games: list[_Game] = []
    counting: dict[str, _Game] = {}
    for number, one in enumerate(tournament.log, 1):
        entry: Mapping[str, Any] = one.written
        kind = next(iter(entry))
        if kind == "game":
            game = _Game(number=number, entry=entry, scores=dict(entry["scores"]), refused=refused.get(number))
            games.append(game)
            if number not in refused:
                counting[entry["game"]] = game
        elif number not in refused and str(entry[kind]) in counting:
            _tell(counting[str(entry[kind])], kind, entry)
    return games


def _tell(game: _Game, kind: str, entry: Mapping[str, Any]) -> None:
    """What an official's entry says of a game."""
    who = entry.get("who")
    if kind == "correct":
        game.scores.update(entry["scores"])
    elif kind == "void":
        game.void |= set(game.scores) if who is None else {who}
    elif kind == "ruling":
        game.rulings.append((who, str(entry["kind"])))


def _rows(
    game: _Game, names: Mapping[str, str], machines: Mapping[str, str], sides: Mapping[str, str]
) -> Iterator[tuple[Cell, ...]]:
    entry = game.entry
    for index, (who, score) in enumerate(game.scores.items(), 1):
        first = entry["scores"].get(who)
        yield (
            str(entry["game"]),
            game.number,
            *(entry.get(key) for key in _PLACE),
            machines.get(str(entry.get("machine"))) or None,
            index,
            who,
            names.get(who) or None,
            sides.get(who),
            score,
            first if first != score else None,
            who in game.void,
            ", ".join(kind for whose, kind in game.rulings if whose in {None, who}) or None,
            game.refused,
            entry.get("started_at"),
            entry.get("at"),
        )
