"""The tables of a first stage in rounds: match play by points, knockout by strikes (MP1 to MP14).

What the rounds are and who is in them comes from `rounds_survey`. Invariant: a row's total is the sum of what its games
and byes show.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from server.core.rules.acts import Pairing
from server.core.rules.finals import ties_within
from server.core.rules.groups import GroupGame, rounds_of
from server.core.rules.presets import TiePolicy
from server.core.rules.qualifying import UNPLAYED, first_final, play_offs, to_be_posted
from server.core.rules.ranking import classes, positions
from server.core.rules.results import GroupResult, ScheduledGame, StageResult, going_on, how_many
from server.core.rules.rounds_draw import Drawn, draw
from server.core.rules.rounds_games import counting_in, disqualified_in, has_left, players_of, strikes_count
from server.core.rules.rounds_survey import Round, Survey, ask, bye_points, is_decided, next_round, survey
from server.core.rules.rounds_told import changed_rounds, told_of_rounds
from server.core.rules.state import Division, Flag, Stage, State
from server.core.rules.ties import Order, resolve

FOR_PLACES = TiePolicy(cut="place", inside="place")


def rounds_result(state: State, division: Division) -> StageResult:
    """Rank a stage in rounds: by points, or who is still in by strikes and the others by the round of going out."""
    stage = division.qualifying
    found = survey(state, stage)
    strikes = strikes_count(state)
    cut = 0 if strikes else how_many(stage, state.settings.qualifiers)
    out = {who for who in found.totals if state.players[who].is_out(division.name)}
    begun = any(other.seeds is not None for other in division.stages.values())
    following = first_final(state, division, min(cut, len(found.totals) - len(out))) if cut or begun else None
    skip = _passed_over(stage, following, out, found)
    result = StageResult(stage=stage, rows=[], ranks={}, following=() if following is None else (following,), cut=cut)
    changed = list(changed_rounds(state, stage, found))
    result.complete = following is None and _is_complete(state, stage, found) and not (strikes and changed)
    over = stage.closed or result.complete
    game_ties = [tie for round_ in found.rounds for game in round_.games for tie in ties_within(state, game)]
    order = _order(state, stage, found, cut if following is not None else None, skip, over=over and not game_ties)
    result.ranks = positions(order.groups)
    result.rows = _rows(state, found, order.groups)
    result.players = tuple(result.ranks)
    result.ties = game_ties + play_offs(state, division.name, order.ties)
    if over:
        result.settled = not result.ties
        if following is not None and not game_ties:
            result.advance = tuple(going_on(order, cut, skip))
            result.rest = tuple(who for group in order.groups for who in group if who not in skip)[cut:]
            size = min(cut, sum(who not in skip for who in result.ranks))
            result.flags += to_be_posted(stage, following, size)
    _propose(state, result, found)
    result.flags += [*told_of_rounds(state, stage, found), *changed]
    return result


def _passed_over(stage: Stage, following: Stage | None, out: AbstractSet[str], found: Survey) -> set[str]:
    """MP10: who was put out or has withdrawn does not go on, nor who is absent from the stage that follows."""
    if following is None:
        return set()
    gone = {who for who in found.totals if has_left(stage, who)}
    return gone.union(out, following.absent) - set(following.seeds or ())


def _is_complete(state: State, stage: Stage, found: Survey) -> bool:
    """MP1, MP13: all rounds that the setting says are complete; with strikes, one player is left."""
    if not found.rounds or not all(round_.complete for round_ in found.rounds):
        return False
    if strikes_count(state):
        return is_decided(state, stage, found)
    return found.last == state.settings.rounds


def _order(state: State, stage: Stage, found: Survey, cut: int | None, skip: AbstractSet[str], *, over: bool) -> Order:
    """MP9, MP14: the order by totals, and the ties that are played off once the stage is over."""
    if strikes_count(state):
        still_in = {who: -strikes for who, strikes in found.totals.items() if who not in found.out}
        tied = classes(still_in) + classes({who: number for who, number in found.out.items() if who in found.totals})
    else:
        tied = classes(found.totals)
    policy = state.head.preset.ties if cut is not None else FOR_PLACES
    return resolve(
        tied,
        policy=policy if over else UNPLAYED,
        cut=cut if cut is not None else state.settings.play_off_places,
        rounds=rounds_of(state, stage.tiebreaks, stage.draws) if over else {},
        skip=skip,
    )


def _rows(state: State, found: Survey, groups: Sequence[Sequence[str]]) -> list[dict[str, object]]:
    ranks = positions(groups)
    played: dict[str, list[dict[str, object]]] = {who: [] for who in ranks}
    byes: dict[str, list[dict[str, object]]] = {}
    for round_ in found.rounds:
        for game in round_.games:
            for who, line in _lines(game, round_.number):
                played[who].append(line)
        for who in round_.byes:
            byes.setdefault(who, []).append({"round": round_.number, "points": bye_points(state)})
    rows = []
    for group in groups:
        for who in group:
            row: dict[str, object] = {"rank": ranks[who], "who": who, "points": found.totals[who]}
            if strikes_count(state):
                row |= {"strikes": found.totals[who], "out": found.out.get(who)}
            row["machines"] = played[who]
            rows.append(row | ({"byes": byes[who]} if who in byes else {}))
    return rows


def _lines(game: GroupGame, number: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Give for each player of a game what it shows in his row."""
    without = [(who, next(entry for entry in game.entries if who in entry.who)) for who in disqualified_in(game)]
    for who, source in [*game.sources.items(), *without]:
        yield (
            who,
            {
                "machine": source.machine.head.id,
                "score": game.scores.get(who),
                "rank": game.places.get(who),
                "points": game.points.get(who, 0),
                "game": source.id,
                "round": number,
            },
        )


def _propose(state: State, result: StageResult, found: Survey) -> None:
    """MP4: show what was and is to be played, and the groups of the round that is on, or comes next."""
    number = next_round(state, result.stage, found)
    result.schedule = [game for round_ in found.rounds for game in _scheduled(round_)]
    drawn = Drawn()
    if number is not None:
        posted = result.stage.pairings.get(number)
        drawn = Drawn(pairings=posted) if posted is not None else draw(ask(state, result.stage, number, found))
    if drawn.problem is not None and number is not None:
        entry = max((round_.first_entry for round_ in found.rounds), default=0)
        why = f"round {number} cannot be drawn: {drawn.problem}"
        result.flags.append(Flag(entry=entry, kind="needs-official", why=why))
    if drawn.pairings and number is not None:
        named = _named(drawn.pairings)
        result.schedule += [_to_play(number, pairing, name) for name, pairing in named]
        result.groups = [GroupResult(id=name, who=pairing.players, rows=[]) for name, pairing in named]
    elif found.rounds:
        on = found.rounds[-1]
        together: dict[str, list[GroupGame]] = {}
        for game in on.games:
            together.setdefault(_label(on, game), []).append(game)
        strikes = strikes_count(state)
        result.groups = [_as_group(name, games, on.number, strikes=strikes) for name, games in together.items()]
        to_play = [replace(pairing, group=pairing.group or _number(on, pairing)) for pairing in _still_to_play(on)]
        rest = _named(to_play, taken=together)
        result.groups += [GroupResult(id=name, who=pairing.players, rows=[]) for name, pairing in rest]


def _named(pairings: Sequence[Pairing], taken: Iterable[str] = ()) -> list[tuple[str, Pairing]]:
    """Give each group a name of its own: the one that it has, else its number, told apart where it is taken."""
    names = set(taken)
    found = []
    for index, pairing in enumerate(pairings, 1):
        first = name = pairing.group or str(index)
        while name in names:
            name = f"{name}/{first}"
        names.add(name)
        found.append((name, pairing))
    return found


def _label(round_: Round, game: GroupGame) -> str:
    """Give the id of a game's group: as it says, else as it was posted or drawn, else the game's own."""
    who = frozenset(players_of(game)) if round_.pairings else frozenset()
    drawn = next((p for p in round_.pairings if len(p.players) == len(who) and who == frozenset(p.players)), None)
    return game.group or (game.entries[0].id if drawn is None else drawn.group or _number(round_, drawn))


def _number(round_: Round, pairing: Pairing) -> str:
    return str(round_.pairings.index(pairing) + 1)


def _as_group(name: str, games: Sequence[GroupGame], number: int, *, strikes: bool) -> GroupResult:
    """Give the table of a group: of one game by its places (who has none is behind all), of several by their sums."""
    lines: dict[str, list[dict[str, object]]] = {}
    totals: dict[str, int] = {}
    for game in games:
        for who, line in _lines(game, number):
            lines.setdefault(who, []).append(line)
            totals[who] = totals.get(who, 0) + game.points.get(who, 0)
    ranks = positions(classes({who: -total if strikes else total for who, total in totals.items()}))
    if len(games) == 1:
        ranks = {who: games[0].places.get(who, len(games[0].places) + 1) for who in totals}
    rows: list[dict[str, object]] = [
        {"rank": ranks[who], "who": who, "points": totals[who]}
        | ({"strikes": totals[who]} if strikes else {})
        | {"machines": lines[who]}
        for who in sorted(totals, key=lambda who: (ranks[who], who))
    ]
    return GroupResult(id=name, who=tuple(totals), rows=rows)


def _scheduled(round_: Round) -> Iterator[ScheduledGame]:
    """Give the games of a round that were played, then those that are still to be played as they were drawn."""
    for game in round_.games:
        yield ScheduledGame(
            round=round_.number,
            who=counting_in(game),
            machine=game.entries[0].machine.head.id,
            group=_label(round_, game),
            game=game.entries[0].id,
        )
    for pairing in _still_to_play(round_):
        yield _to_play(round_.number, pairing, pairing.group or _number(round_, pairing))


def _still_to_play(round_: Round) -> Iterator[Pairing]:
    """Give the groups of which nobody has played all yet, the byes, and groups of those whom others have left.

    Whose drawn opponent has played with somebody else plays with those who are left like him.
    """
    lacking, byes = set(round_.lacking), {(who,) for who in round_.byes}
    left = [who for who in round_.lacking if not any(who in players_of(game) for game in round_.games)]
    for pairing in round_.pairings:
        if lacking.issuperset(pairing.players) or pairing.players in byes:
            left = [who for who in left if who not in pairing.players]
            yield pairing
    size = 0 if round_.posted else max((len(pairing.players) for pairing in round_.pairings), default=0)
    for number, first in enumerate(range(0, len(left), size) if size > 1 else (), len(round_.pairings) + 1):
        if len(group := tuple(left[first : first + size])) > 1:
            yield Pairing(players=group, group=str(number))


def _to_play(number: int, pairing: Pairing, group: str) -> ScheduledGame:
    return ScheduledGame(round=number, who=pairing.players, machine=pairing.machine, group=group)
