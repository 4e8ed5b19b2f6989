"""A stage of one game in each group, ranked by its scores: semifinals, play-offs and finals (U5, E4, L11, L12).

Invariant: a stage is over when everybody who sits in it has a score, or when it is closed; who has none is last.
"""

from collections.abc import Mapping

from server.core.rules.groups import Group, rounds_of
from server.core.rules.presets import StageForm
from server.core.rules.qualifying import UNPLAYED, tiebreak_most
from server.core.rules.ranking import classes, positions
from server.core.rules.results import GroupResult, OpenTie, StageResult, field_from, going_on
from server.core.rules.scores import official
from server.core.rules.seats import deal
from server.core.rules.state import Flag, Game, Stage, State
from server.core.rules.ties import Order, game_sizes, resolve


def one_game_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """Rank a stage of one game a group. Ranks are those of the group; a play-off's begin behind the final's places."""
    seeds = field_from(stage, form, source)
    seats = stage.seats or (source.seats if form.vacancy == "machine" and source.seats else seeds)
    result = StageResult(stage=stage, rows=[], ranks={}, groups=[], following=following, seeds=seeds, players=seeds)
    result.seats = seats
    before = len(source.advance) if form.takes == "rest" else 0
    missing = {who for who in seeds if state.players[who].is_out(stage.division) or who in stage.absent}
    tables = [(group, *_scores_of(state, stage, group)) for group in deal(form, seats)]
    everybody = [(who, scores) for (_, who), scores, _ in tables]
    result.complete = all(who in scores or who in missing for group, scores in everybody for who in group)
    through: set[str] = set()
    for group, scores, sources in tables:
        order = _order(state, stage, form, group, scores, over=result.complete or stage.closed)
        through |= _add_group(state, result, form, group, (scores, sources, order), before)
    over = result.complete or stage.closed
    result.rows.sort(key=lambda row: (row["rank"], row["who"]))
    if over and following:
        result.advance = tuple(who for who in seeds if who in through)
        result.rest = tuple(who for who in seeds if who not in through and who not in missing)
    result.settled = over and not result.ties
    return result


def _scores_of(state: State, stage: Stage, group: Group) -> tuple[dict[str, int], dict[str, Game]]:
    scores: dict[str, int] = {}
    sources: dict[str, Game] = {}
    for game in stage.games:
        if game.key[0] != group[0]:
            continue
        for who in game.who:
            score = official(game, who, state.games, state.settings.ring_bonus)
            if score is not None and who in group[1]:
                scores[who], sources[who] = score, game
    return scores, sources


def _order(
    state: State, stage: Stage, form: StageForm, group: Group, scores: Mapping[str, int], *, over: bool
) -> Order:
    """Order a group by its scores and the tie-breaks; who has no score stands behind and plays no ties off."""
    _, who = group
    absent = frozenset(who) - scores.keys()
    tied = classes(scores) + ([sorted(absent)] if absent else [])
    return resolve(
        tied,
        policy=form.ties if over else UNPLAYED,
        cut=form.go_on_each if form.go_on_each is not None else len(who),
        rounds=rounds_of(state, stage.tiebreaks, stage.draws) if over else {},
        skip=absent,
    )


def _add_group(
    state: State,
    result: StageResult,
    form: StageForm,
    group: Group,
    played: tuple[Mapping[str, int], Mapping[str, Game], Order],
    before: int,
) -> set[str]:
    """Add a group's table to the result. Gives who goes on from it."""
    scores, _, order = played
    ranks = positions(order.groups)
    rows = [
        {"rank": ranks[who] + before, "who": who, "score": scores.get(who, 0), "machines": _machines(who, played)}
        for tied in order.groups
        for who in tied
    ]
    result.rows += rows
    result.ranks |= {who: rank + before for who, rank in ranks.items()}
    if result.groups is not None:
        result.groups.append(GroupResult(id=group[0], who=group[1], rows=rows))
    most = tiebreak_most(state, result.stage.division)
    for tie in order.ties:
        moved = type(tie)(reason=tie.reason, who=tie.who, places=tuple(place + before for place in tie.places))
        result.ties.append(OpenTie(tie=moved, sizes=game_sizes(len(tie.who), most), group=group[0]))
    if form.go_on_each is None:
        return set(scores)
    return set(going_on(order, form.go_on_each, frozenset(group[1]) - scores.keys()))


def _machines(who: str, played: tuple[Mapping[str, int], Mapping[str, Game], Order]) -> list[dict[str, object]]:
    scores, sources, _ = played
    game = sources.get(who)
    if game is None:
        return []
    return [{"machine": game.machine.head.id, "score": scores[who], "game": game.id}]


def place_in_group(state: State, game: Game, result: StageResult) -> str | None:
    """Take a game into its group: one game a group, on one machine (U5.1, E4.1, L12). Why it is refused."""
    act, stage = game.played, result.stage
    groups = {group.id: group.who for group in result.groups or ()}
    first = next(iter(act.scores))
    name = act.group if act.group is not None else next((id_ for id_, who in groups.items() if first in who), "")
    if name not in groups:
        return f"{stage.id} has no group {name}; there are {', '.join(groups)}"
    for who in act.scores:
        if who not in groups[name]:
            return f"{who} is not in group {name}"
    for other in stage.games:
        if other.key[0] == name:
            live = [
                who for who in other.who if official(other, who, state.games, state.settings.ring_bonus) is not None
            ]
            again = next((who for who in act.scores if who in live), None)
            if again is not None:
                return f"{again} has a score in the game of group {name}: {other.id}"
            if live and other.machine is not game.machine:
                return f"group {name} plays its game on {other.machine.head.id}"
    game.key = (name, None, act.machine)
    _note_own_half(state, game, result, name)
    return None


def _note_own_half(state: State, game: Game, result: StageResult, group: str) -> None:
    """L11: a group that qualified on one half of the machines plays on one of the other half."""
    form, number = result.stage.form, game.machine.number
    if form is None or not form.other_half or not number:
        return
    half = -(-state.settings.bank // len(form.names))
    if form.names[(number - 1) // half] == group:
        why = f"{game.machine.head.id} is a machine on which group {group} qualified: it plays on one of the others"
        state.flags.append(Flag(entry=game.entry, kind="needs-official", why=why))
