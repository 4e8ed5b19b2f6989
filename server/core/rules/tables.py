"""The best score of each player on each machine of a first stage, ranked, and kept from one question to the next.

What is asked for again after one more game costs one machine's ranking, not the whole stage's. Invariant: what is kept
is what ranking every attempt anew would give; what was given out is never changed, so that readers may keep it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from server.core.rules.acts import (
    Abandon,
    Absent,
    Act,
    Buy,
    Close,
    Correct,
    Decision,
    MachineChange,
    Penalty,
    Played,
    Register,
    Ruling,
    Void,
)
from server.core.rules.attempts import counts_on, rescale
from server.core.rules.ranking import classes, positions, rank_machine
from server.core.rules.scores import official
from server.core.rules.state import ATTEMPT, Division, Game, Stage, State

Table = dict[str, tuple[dict[str, int], dict[str, Game]]]
"""machine → the best score of each player that counts, and the game it comes from."""

Row = dict[str, object]
ABOUT_GAMES = (Correct, Void, Ruling, Penalty)
WITHOUT_SCORES = (Register, Buy, Abandon, Absent, Close, Decision)


@dataclass(slots=True, kw_only=True)
class Kept:
    """What is known of a stage. `taken` attempts are in it; `stale` machines have to be looked at again.

    `rows` are by machine and player, `lines` the same rows by player in order of the machines, whose numbers are in
    `where`; `totals` are the sum of the points, or the best score; `tops` are each player's row of the best rank, where
    the stage is one of winners.
    """

    taken: int = 0
    best: Table = field(default_factory=dict)
    games: dict[str, list[Game]] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    lines: dict[str, list[Row]] = field(default_factory=dict)
    where: dict[str, list[int]] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    tops: dict[str, Row] = field(default_factory=dict)
    tables: dict[str, list[Row]] = field(default_factory=dict)


def ranked(state: State, division: Division) -> Kept:
    """Give what a division's first stage has come to, machine by machine (C2, T6, K2, L4)."""
    kept = state.tables.get(division.name)
    if kept is None:
        kept = state.tables[division.name] = Kept()
    touched = _read(state, division, kept)
    if kept.rows:
        for name in [name for name in state.machines if name in touched]:
            _rank_again(state, kept, name)
    else:
        _rank_all(state, kept)
    return kept


def forget(state: State, act: Act) -> None:
    """Note what an entry that was taken may have changed in what is kept; new attempts are found by themselves."""
    if isinstance(act, WITHOUT_SCORES) or (isinstance(act, MachineChange) and act.status in {"down", "up"}):
        return
    if isinstance(act, Played) and act.game not in state.named:
        return
    if isinstance(act, Penalty) and state.settings.conduct != "none":  # CC5: it may have changed many games
        state.tables.clear()
        return
    if isinstance(act, ABOUT_GAMES) and act.game not in state.named:
        game = state.games.get(act.game) if act.game is not None else None
        if game is not None and game.kind == ATTEMPT and (kept := state.tables.get(game.division)) is not None:
            kept.stale.add(game.machine.head.id)
        return
    state.tables.clear()


def best_of(state: State, stage: Stage, played: Iterable[Game], table: Table | None = None) -> Table:
    """Give the best official score of each player on each machine among some games of a stage (C2.1, U3).

    Of equal ones the earlier counts. A `table` of earlier games is carried on.
    """
    table = {} if table is None else table
    games, bonus = state.games, state.settings.ring_bonus
    moved = stage.cancelled | stage.rescaled.keys()
    for game in played:
        machine = game.machine
        if game.gone or machine.scores_void:
            continue
        name: str | None = machine.head.id
        shifted = name in moved
        if shifted:
            name = counts_on(stage, machine.head.id)
            if name is None:
                continue
        best = table.get(name)  # type: ignore[arg-type]
        if best is None:
            best = table[name] = ({}, {})  # type: ignore[index]
        scores, sources = best
        plain = game.said is None and not game.noted and machine.head.max_score is None
        for who in game.who:
            score = game.scores.get(who) if plain else official(game, who, games, bonus)
            if score is not None:
                if shifted:
                    score = rescale(stage, machine.head.id, score)
                known = scores.get(who)
                if known is None or score > known:
                    scores[who] = score
                    sources[who] = game
    return table


def out_of(state: State, division: Division) -> list[str]:
    """Give the players whom officials have put out of a division (C3.5, T8.4)."""
    name = division.name
    return [who for who, player in state.players.items() if player.ejected or (player.out_of and name in player.out_of)]


def _read(state: State, division: Division, kept: Kept) -> set[str]:
    """Take in the attempts that are new and look at stale machines again. Gives the machines that have changed."""
    stage = division.qualifying
    fresh = division.attempts[kept.taken :] if kept.taken else division.attempts
    kept.taken = len(division.attempts)
    touched: set[str] = set()
    for game in fresh:
        if (name := counts_on(stage, game.machine.head.id)) is not None:
            kept.games.setdefault(name, []).append(game)
    for name in {counts_on(stage, name) for name in kept.stale}:
        if name is not None:
            kept.best |= {name: best_of(state, stage, kept.games.get(name, ())).get(name, ({}, {}))}
            touched.add(name)
    kept.stale.clear()
    best_of(state, stage, fresh, kept.best)
    for game in fresh if kept.rows else ():
        name = counts_on(stage, game.machine.head.id)
        if name is not None and any(kept.best.get(name, ({}, {}))[1].get(who) is game for who in game.who):
            touched.add(name)
    return touched


def _standing(state: State, scores: Mapping[str, int]) -> Mapping[str, tuple[int | None, int | None]]:
    """Give each player's position on a machine, and the points that it earns where the preset ranks by points."""
    settings = state.settings
    if state.head.preset.rank_by == "points":
        return rank_machine(scores, settings.machine_points, settings.tie_points)
    return {who: (rank, None) for who, rank in positions(classes(scores)).items()}


def _row(name: str, score: int, standing: tuple[int | None, int | None], game: Game) -> Row:
    rank, points = standing
    if points is None:
        return {"machine": name, "score": score, "rank": rank, "game": game.id}
    return {"machine": name, "score": score, "rank": rank, "points": points, "game": game.id}


def _rank_all(state: State, kept: Kept) -> None:
    """Rank every machine and add up; the first time, when there is nothing to compare with."""
    for number, name in enumerate(state.machines):
        scores, sources = kept.best.get(name, ({}, {}))
        standing = _standing(state, scores)
        rows = kept.rows[name] = {who: _row(name, score, standing[who], sources[who]) for who, score in scores.items()}
        for who, row in rows.items():
            if who not in kept.lines:
                kept.lines[who], kept.where[who] = [], []
            kept.lines[who].append(row)
            kept.where[who].append(number)
        _tabulate(state, kept, name)
    for who in kept.lines:
        _add_up(state, kept, who)


def _rank_again(state: State, kept: Kept, name: str) -> None:
    """Rank one machine anew and put what differs into the lines of the players whom it concerns."""
    scores, sources = kept.best.get(name, ({}, {}))
    standing = _standing(state, scores)
    before = kept.rows.get(name, {})
    rows: dict[str, Row] = {}
    changed: list[str] = [who for who in before if who not in scores]
    for who, score in scores.items():
        row = before.get(who)
        place, game = standing[who], sources[who]
        if (
            row is None
            or row["rank"] != place[0]
            or row["score"] != score
            or row["game"] != game.id
            or (place[1] is not None and row["points"] != place[1])
        ):
            changed.append(who)
            row = _row(name, score, place, game)
        rows[who] = row
    kept.rows[name] = rows
    _tabulate(state, kept, name)
    number = list(state.machines).index(name)
    adding = state.head.preset.rank_by == "points" and not state.settings.machines_counted
    for who in changed:
        if not _put(kept, who, number, rows.get(who)):
            for known in (kept.lines, kept.where, kept.totals, kept.tops):
                known.pop(who, None)
        elif adding:
            kept.totals[who] = kept.totals.get(who, 0) + _points_of(rows.get(who)) - _points_of(before.get(who))
        else:
            _add_up(state, kept, who)


def _put(kept: Kept, who: str, number: int, row: Row | None) -> bool:
    """Give a player a new line with one machine's row exchanged, added, or left out. Says whether any row is left."""
    where = kept.where.setdefault(who, [])
    line = list(kept.lines.get(who, ()))  # readers may hold the one before
    place = bisect_left(where, number)
    there = place < len(where) and where[place] == number
    line[place : place + there] = [] if row is None else [row]
    where[place : place + there] = [] if row is None else [number]
    kept.lines[who] = line
    return bool(line)


def _add_up(state: State, kept: Kept, who: str) -> None:
    """T6.4, K2, L6: what a player's rows come to."""
    line = kept.lines[who]
    most = state.settings.machines_counted
    if state.head.preset.rank_by == "points":
        points = [_points_of(row) for row in line]
        kept.totals[who] = sum(sorted(points, reverse=True)[:most] if most else points)
        return
    kept.totals[who] = max(row["score"] for row in line)  # type: ignore[type-var,assignment]
    if state.head.preset.first == "winners":
        kept.tops[who] = min(line, key=_rank_of)


def _points_of(row: Row | None) -> int:
    points = row["points"] if row is not None else 0
    return points if isinstance(points, int) else 0


def _rank_of(row: Row) -> int:
    rank = row["rank"]
    return rank if isinstance(rank, int) else 0


def _tabulate(state: State, kept: Kept, name: str) -> None:
    """L4: the table of one machine, where the output has one."""
    if state.head.preset.first != "winners":
        return
    rows = sorted(kept.rows[name].items(), key=lambda item: (item[1]["rank"], item[0]))
    kept.tables[name] = [
        {"rank": row["rank"], "who": who, "score": row["score"], "game": row["game"]} for who, row in rows
    ]
