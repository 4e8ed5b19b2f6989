"""A stage of one game in each group, ranked by its scores: semifinals, play-offs and finals (U5, E4, L11, L12).

Invariant: a stage is over when everybody who sits in it has a score, or when it is closed; who has none is last. Who
sits alone in a group has nobody to play. A tie within a group is to be played off as soon as that group has played.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from server.core.rules.groups import Group, group_among, rounds_of
from server.core.rules.presets import StageForm
from server.core.rules.qualifying import UNPLAYED, play_offs
from server.core.rules.ranking import classes, positions
from server.core.rules.replacing import number_in
from server.core.rules.results import GroupResult, StageResult, field_from, going_on
from server.core.rules.scores import score_in
from server.core.rules.seats import deal
from server.core.rules.state import Flag, Game, Stage, State
from server.core.rules.ties import Order, resolve


def one_game_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """Rank a stage of one game a group. Ranks are those of the group; a play-off's begin behind the final's places."""
    seeds = field_from(stage, form, source)
    seats = stage.seats or (source.seats if form.vacancy == "machine" and source.seats else seeds)
    result = StageResult(stage=stage, rows=[], ranks={}, groups=[], following=following, seeds=seeds, players=seeds)
    result.seats = seats
    before = len(source.advance) if form.takes == "rest" else 0
    out = {who for who in seeds if state.players[who].is_out(stage.division)}
    missing = out | (stage.absent.keys() & {*seeds})
    out -= {who for later in following for who in later.seeds or ()}
    tables = [(group, *_scores_of(state, stage, group)) for group in deal(form, seats)]
    everybody = [(who, scores) for (_, who), scores, _ in tables]
    alone = _alone(tables, missing)
    done = missing | spent(state, stage) | alone
    result.complete = all(who in scores or who in done for group, scores in everybody for who in group)
    through: set[str] = set()
    over = result.complete or stage.closed
    open_groups = []
    for group, scores, sources in tables:
        passed = (frozenset(group[1]) - scores.keys() - alone) | out
        played = over or all(who in scores or who in done for who in group[1])
        order = _order(state, stage, form, group, (scores, passed), over=played)
        _add_group(state, result, group, (scores, sources, order), before)
        through |= {*group[1]} - passed if form.go_on_each is None else {*going_on(order, form.go_on_each, passed)}
        if stage.closed and _lacks_a_game(form, group, scores, done):
            open_groups.append(group[0])
    if open_groups:
        result.flags.append(_unplayed(stage, open_groups))
    result.rows.sort(key=lambda row: (row["rank"], row["who"]))
    if over and following:
        result.advance = tuple(who for who in seeds if who in through)
        result.rest = tuple(who for who in seeds if who not in through and who not in missing)
    result.settled = over and not result.ties and not (open_groups and following)
    return result


def _alone(tables: Sequence[tuple[Group, Mapping[str, int], object]], missing: AbstractSet[str]) -> set[str]:
    sitting = [[who for who in group[1] if who not in missing] for group, _, _ in tables]
    return {there[0] for there in sitting if len(there) == 1}


def _lacks_a_game(form: StageForm, group: Group, scores: Mapping[str, int], done: AbstractSet[str]) -> bool:
    """Say whether a group of a closed stage has too few scores to tell who goes on, or who came where."""
    idle = {*group[1]} - scores.keys() - done
    if form.go_on_each is None:
        return len(idle) > 1
    return bool(idle) and len(scores) < min(form.go_on_each, len(scores) + len(idle))


def _unplayed(stage: Stage, groups: Sequence[str]) -> Flag:
    why = f"{stage.id} was closed without a game of group {', '.join(groups)}: officials decide (decision: field)"
    return Flag(entry=stage.closed_entry, kind="needs-official", why=why)


def spent(state: State, stage: Stage) -> set[str]:
    """Give who has played without a score that counts: disqualified in his game, which stays used (C3.5)."""
    return {
        who
        for game in stage.games
        if game.said is not None
        for who in game.said.penalised & {*game.who}
        if score_in(state, game, who) is None
    }


def _scores_of(state: State, stage: Stage, group: Group) -> tuple[dict[str, int], dict[str, Game]]:
    scores: dict[str, int] = {}
    sources: dict[str, Game] = {}
    for game in stage.games:
        if game.key[0] != group[0]:
            continue
        for who in game.who:
            score = score_in(state, game, who)
            if score is not None and who in group[1]:
                scores[who], sources[who] = score, game
    return scores, sources


def _order(
    state: State,
    stage: Stage,
    form: StageForm,
    group: Group,
    played: tuple[Mapping[str, int], AbstractSet[str]],
    *,
    over: bool,
) -> Order:
    """Order a group by its scores and the tie-breaks; who has none or is passed over plays no ties off."""
    _, who = group
    scores, passed = played
    absent = frozenset(who) - scores.keys()
    tied = classes(scores) + ([sorted(absent)] if absent else [])
    return resolve(
        tied,
        policy=form.ties if over else UNPLAYED,
        cut=form.go_on_each if form.go_on_each is not None else len(who),
        rounds=rounds_of(state, stage.tiebreaks, stage.draws) if over else {},
        skip=passed,
    )


def _add_group(
    state: State,
    result: StageResult,
    group: Group,
    played: tuple[Mapping[str, int], Mapping[str, Game], Order],
    before: int,
) -> None:
    """Add a group's table to the result."""
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
    moved = [replace(tie, places=tuple(place + before for place in tie.places)) for tie in order.ties]
    result.ties += play_offs(state, result.stage.division, moved, group=group[0])


def _machines(who: str, played: tuple[Mapping[str, int], Mapping[str, Game], Order]) -> list[dict[str, object]]:
    scores, sources, _ = played
    game = sources.get(who)
    if game is None:
        return []
    return [{"machine": game.machine.head.id, "score": scores[who], "game": game.id}]


def place_in_group(state: State, game: Game, result: StageResult) -> str | None:
    """Take a game into its group: one game a group, on one machine (U5.1, E4.1, L12). Why it is refused."""
    act, stage = game.played, result.stage
    name, problem = group_among(stage, [(group.id, group.who) for group in result.groups or ()], act)
    if name is None:
        return problem
    for other in stage.games:
        if other.key[0] == name:
            live = [who for who in other.who if score_in(state, other, who) is not None]
            again = next((who for who in act.scores if who in live), None)
            if again is not None:
                return f"{again} has a score in the game of group {name}: {other.id}"
            used = next((who for who in act.scores if other.said is not None and who in other.said.penalised), None)
            if used is not None:
                return f"{used} has played in the game of group {name}, and a penalty keeps it used: {other.id}"
            if live and other.machine is not game.machine:
                return f"group {name} plays its game on {other.machine.head.id}"
    game.key = (name, None, act.machine)
    _note_own_half(state, game, result, name)
    return None


def _note_own_half(state: State, game: Game, result: StageResult, group: str) -> None:
    """L11: a group that qualified on one half of the machines plays on one of the other half."""
    form, number = result.stage.form, number_in(state, result.stage, game.machine)
    if form is None or not form.other_half or not number:
        return
    half = -(-state.settings.bank // len(form.names))
    if form.names[(number - 1) // half] == group:
        why = f"{game.machine.head.id} is a machine on which group {group} qualified: it plays on one of the others"
        state.flags.append(Flag(entry=game.entry, kind="needs-official", why=why))
