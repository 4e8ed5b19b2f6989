"""What the games of a stage in rounds earn: places, points or strikes, by the size of the game (MP3, MP6, MP7, MP12).

Entries with equal round, group and machine are parts of one game; nothing here knows who was drawn with whom.
Invariant: what a game gives is that of its table's row for its size; a game of one earns nothing.
"""

from collections.abc import Mapping, Sequence

from server.core.rules.attempts import is_live, is_used
from server.core.rules.groups import WITHIN_A_GAME, GroupGame, give_places, rounds_of
from server.core.rules.point_tables import PointTables, table_of
from server.core.rules.qualifying import UNPLAYED
from server.core.rules.ranking import classes, points_at
from server.core.rules.scores import score_in
from server.core.rules.state import Game, Key, PlayerState, Stage, State
from server.core.rules.ties import resolve


def in_rounds(state: State, stage: Stage | None) -> bool:
    """Say whether a stage is a first one that is played in rounds."""
    return stage is not None and stage.form is None and state.head.preset.first in {"rounds", "strikes"}


def strikes_count(state: State) -> bool:
    """Say whether places give strikes, not points."""
    return state.head.preset.first == "strikes"


def tables_of(state: State) -> PointTables:
    """Give the points, or the strikes, for places."""
    return state.settings.group_strikes if strikes_count(state) else state.settings.group_points


def has_played(player: PlayerState, stage: Stage) -> bool:
    """Say whether somebody was in a game that was not voided, whatever became of its score otherwise."""
    who = player.head.id
    return any(
        game.said is None or who in game.said.penalised or not (game.said.void or who in game.said.voided)
        for game in player.attempts.get(stage.division, ())
    )


def is_away(stage: Stage, who: str, number: int) -> bool:
    """Say whether somebody had withdrawn before a round, and was not back for it."""
    return any(first <= number and (until is None or number < until) for first, until in stage.book.away.get(who, ()))


def has_left(stage: Stage, who: str) -> bool:
    """Say whether somebody has withdrawn and is not back."""
    return any(until is None for _, until in stage.book.away.get(who, ()))


def has_begun(state: State, stage: Stage, number: int) -> bool:
    """Say whether a game of a round counts."""
    return any(is_live(state, stage, game, who) for game in stage.book.games.get(number, ()) for who in game.who)


def last_begun(state: State, stage: Stage) -> int:
    """Give the number of the last round of which a game counts, 0 where there is none."""
    return next((number for number in sorted(stage.book.games, reverse=True) if has_begun(state, stage, number)), 0)


def play_round(state: State, stage: Stage, number: int) -> list[GroupGame]:
    """Work out the games of a round in the order in which they were recorded; who is in none is in none.

    They are kept until one of them changes.
    """
    entries = stage.book.games.get(number, ())
    kept = stage.book.played.get(number)
    if kept is None or kept[0] != len(entries):
        kept = stage.book.played[number] = len(entries), _play(state, stage, entries)
    return kept[1]


def players_of(played: GroupGame) -> tuple[str, ...]:
    """Give who was in a game, those without a score too."""
    if len(played.entries) == 1:
        return played.entries[0].who
    return tuple(dict.fromkeys(who for entry in played.entries for who in entry.who))


def counting_in(played: GroupGame) -> tuple[str, ...]:
    """Give who has a result in a game: a score, or a penalty that left none."""
    everybody = players_of(played)
    if len(everybody) == len(played.scores):
        return everybody
    without = disqualified_in(played)
    return tuple(who for who in everybody if who in played.scores or who in without)


def disqualified_in(played: GroupGame) -> list[str]:
    """Give who was in a game and has no score in it by a penalty."""
    return [
        who
        for entry in played.entries
        for who in entry.who
        if who not in played.scores and entry.said is not None and who in entry.said.penalised
    ]


def _play(state: State, stage: Stage, entries: Sequence[Game]) -> list[GroupGame]:
    merged: dict[Key, GroupGame] = {}
    for game in entries:
        if not any(is_used(state, stage, game, who) for who in game.who):
            continue
        known = merged.setdefault(game.key, GroupGame(group=str(game.key[1] or ""), entries=[]))
        known.entries.append(game)
        for who in game.who:
            if is_live(state, stage, game, who):
                score = score_in(state, game, who)
                if score is not None:
                    known.scores[who], known.sources[who] = score, game
    for key, played in merged.items():
        _place(state, played, rounds_of(state, stage.game_ties.get(key, ())))
    return list(merged.values())


def _place(state: State, played: GroupGame, rounds: Mapping[str, Sequence[int]]) -> None:
    """MP6, MP7: the places and what they give; by a penalty without a score: no points, or the last place's strikes."""
    size = len(players_of(played))
    table = table_of(tables_of(state), size) or ()
    if size < 2:
        return
    how = state.settings.game_ties
    policy = WITHIN_A_GAME if how == "playoff" else UNPLAYED
    order = resolve(classes(played.scores), policy=policy, cut=len(played.scores), rounds=rounds)
    give_places(played, order, table, how)
    if strikes_count(state):
        for who in disqualified_in(played):
            played.points[who] = points_at(table, size, 1, "high")
