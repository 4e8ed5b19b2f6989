"""Groups: who plays whom by seed, which group a game belongs to, and what one game of a group earns (T9, T10).

Invariant: the seeds never change; a player is in one group of a stage.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from server.core.rules.acts import Played
from server.core.rules.point_tables import table_of
from server.core.rules.presets import StageForm, TiePolicy
from server.core.rules.ranking import classes, points_at
from server.core.rules.scores import score_in
from server.core.rules.state import Game, Key, Stage, State
from server.core.rules.ties import Order, Tie, resolve

Group = tuple[str, tuple[str, ...]]
"""The id of a group and its players in order of seed."""

WITHIN_A_GAME = TiePolicy(cut="machine", inside="machine")


@dataclass(slots=True, kw_only=True)
class GroupGame:
    """One game of a group as it counts: several entries may make it up (C4.3, T10.4)."""

    group: str
    entries: list[Game]
    scores: dict[str, int] = field(default_factory=dict)
    sources: dict[str, Game] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)


def seed_groups(form: StageForm, seeds: Sequence[str], posted: Sequence[Sequence[str]] = ()) -> list[Group] | None:
    """Give the groups of a stage as officials posted them, else by its table; None where it has no row for so many.

    T7.3, T9.3, P6.
    """
    if form.single_group:
        return [("1", tuple(seeds))]
    if posted:
        return [(str(number), tuple(who for who in seeds if who in group)) for number, group in enumerate(posted, 1)]
    row = form.rows.get(len(seeds))
    if row is None:
        return None
    return [(str(number), tuple(seeds[seed - 1] for seed in group)) for number, group in enumerate(row.groups, 1)]


def groups_of(stage: Stage, form: StageForm, seeds: Sequence[str]) -> list[Group]:
    """Give the groups of a stage: by the table, else as the officials posted them, seen by the games recorded."""
    by_table = seed_groups(form, seeds, stage.posted)
    if by_table is not None:
        return by_table
    posted: dict[str, set[str]] = {}
    for game in stage.games:
        posted.setdefault(str(game.key[0]), set()).update(game.who)
    return [(name, tuple(who for who in seeds if who in posted[name])) for name in sorted(posted)]


def group_of(stage: Stage, form: StageForm, seeds: Sequence[str], act: Played) -> tuple[str | None, str | None]:
    """Give the group that a game belongs to, and the reason why it is in none (C4.5)."""
    groups = seed_groups(form, seeds, stage.posted)
    if groups is None:
        if act.group is None:
            return None, f"{stage.id} has no table for {len(seeds)} players: name the group that officials posted"
        for game in stage.games:
            if game.key[0] != act.group and (strayed := next((who for who in act.scores if who in game.who), None)):
                return None, f"{strayed} is in group {game.key[0]}"
        return act.group, None
    return group_among(stage, groups, act)


def group_among(stage: Stage, groups: Sequence[Group], act: Played) -> tuple[str | None, str | None]:
    """Give the group that a game names, else the one of its first player; and the reason why it is in none (C4.5)."""
    first = next(iter(act.scores))
    name = act.group if act.group is not None else next((name for name, who in groups if first in who), None)
    if name is None:
        return None, f"{first} is in no group of {stage.id}: he has a bye"
    members = dict(groups).get(name)
    if members is None:
        return None, f"{stage.id} has no group {name}; there are {', '.join(known for known, _ in groups)}"
    outsider = next((who for who in act.scores if who not in members), None)
    return (None, f"{outsider} is not in group {name}") if outsider is not None else (name, None)


def play_games(state: State, stage: Stage) -> list[GroupGame]:
    """Work out every game of a stage: places with the tie-breaks played, points, and the ties that are open."""
    merged: dict[Key, GroupGame] = {}
    for game in stage.games:
        known = merged.setdefault(game.key, GroupGame(group=str(game.key[0]), entries=[]))
        known.entries.append(game)
        for who in game.who:
            score = score_in(state, game, who)
            if score is not None:
                known.scores[who] = score
                known.sources[who] = game
    for key, played in merged.items():
        _place(state, played, rounds_of(state, stage.game_ties.get(key, ())))
    return list(merged.values())


def give_places(played: GroupGame, order: Order, table: tuple[int, ...], ties: str = "high") -> None:
    """Note the places of a game and what they give: who is tied has the best place's points, those of the last one
    with `low`, with `split` an equal share of them all.
    """
    played.ties = order.ties
    before = 0
    for group in order.groups:
        size = len(group)
        if ties == "split":
            points = sum(table[before : before + size]) // size
        else:
            points = points_at(table, before + 1, size, "low" if ties == "low" else "high")
        least = points_at(table, before + 1, size, "low")
        for who in group:
            played.places[who], played.points[who], played.least[who] = before + 1, points, least
        before += size


def rounds_of(
    state: State,
    games: Sequence[Game],
    draws: Sequence[tuple[int, tuple[str, ...]]] = (),
    *,
    value: Callable[[Game, str], int | None] | None = None,
) -> Mapping[str, Sequence[int]]:
    """Give each player's tie-break scores in order; a voided one is no round (C6.4).

    An order that officials drew counts as a round in which the first had the most. `value` says what a score is worth,
    where it is not the score itself.
    """
    rounds: dict[str, list[int]] = {}
    waiting = sorted(draws)
    for game in games:
        while waiting and waiting[0][0] < game.entry:
            _add_draw(rounds, waiting.pop(0)[1])
        for who in game.who:
            score = value(game, who) if value is not None else score_in(state, game, who)
            if score is not None:
                rounds.setdefault(who, []).append(score)
    for _, order in waiting:
        _add_draw(rounds, order)
    return rounds


def _add_draw(rounds: dict[str, list[int]], order: Sequence[str]) -> None:
    for place, who in enumerate(order):
        rounds.setdefault(who, []).append(len(order) - place)


def _place(state: State, played: GroupGame, rounds: Mapping[str, Sequence[int]]) -> None:
    """T10.2, T10.3: the points of the places; who is tied has the best place's until the tie is broken."""
    table = table_of(state.settings.group_points, len(played.scores)) or ()
    order = resolve(classes(played.scores), policy=WITHIN_A_GAME, cut=len(played.scores), rounds=rounds)
    give_places(played, order, table)
