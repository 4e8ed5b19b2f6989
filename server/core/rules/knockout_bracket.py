"""Single elimination: entrants or qualifiers become a bracket, its matches become groups and places (B1 to B9).

How matches come to stand is in `knockout_matches`. Invariant: a place is given only where every match that can change
it is decided.
"""

from collections import Counter
from collections.abc import Sequence

from server.core.draws.bracket import MOST_SEEDS
from server.core.rules.groups import rounds_of
from server.core.rules.knockout_matches import Bout, Counted, bouts_of
from server.core.rules.presets import StageForm, TiePolicy
from server.core.rules.qualifying import first_final, qualifying_result
from server.core.rules.ranking import classes, positions
from server.core.rules.results import GroupResult, OpenTie, StageResult, field_from, going_on
from server.core.rules.state import Division, Flag, Game, Stage, State
from server.core.rules.ties import resolve

SEEDING = TiePolicy(cut="seed", inside="seed")


def entrants_result(state: State, division: Division) -> StageResult:
    """Give the seeds of a bracket: the list of entrants in the order that `seeding` says, or qualifying (B1, B2).

    Who has registered, where anybody has; else everybody. Equal standing is drawn. It needs no close.
    """
    if state.settings.seeding == "qualifying":
        return qualifying_result(state, division)
    stage = division.qualifying
    registered = [who for who, player in state.players.items() if player.registered]
    everybody = registered or list(state.players)
    following = first_final(state, division, len(everybody))
    frozen = set((following.seeds if following is not None else None) or ())
    out = {who for who in everybody if state.players[who].is_out(division.name)} - frozen
    rounds = rounds_of(state, (), stage.draws)
    order = resolve(_tied(state, everybody), policy=SEEDING, cut=len(everybody), rounds=rounds, skip=out)
    ranks = positions(order.groups)
    rows: list[dict[str, object]] = [
        {"rank": ranks[who], "who": who, "points": 0, "machines": []} for tied in order.groups for who in tied
    ]
    result = StageResult(stage=stage, rows=rows, ranks=ranks, following=() if following is None else (following,))
    result.players = tuple(ranks)
    result.ties = [OpenTie(tie=tie, sizes=[len(tie.who)], draw=True) for tie in order.ties]
    result.cut = len(everybody)
    result.settled = not result.ties
    result.advance = tuple(going_on(order, len(everybody), out)) if result.settled else ()
    result.complete = True
    result.places = {}
    return result


def bracket_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """Rank a bracket: who is still in it shares rank 1, who is out has the place of the round in which he lost (B8)."""
    seeds = field_from(stage, form, source)
    seats = seats_of(stage, seeds)
    result = StageResult(stage=stage, rows=[], ranks={}, groups=[], following=following, seeds=seeds, players=seats)
    result.places = {}
    if not 2 <= len(seats) <= MOST_SEEDS:
        why = f"{stage.id} is for 2 to {MOST_SEEDS} players, not {len(seats)}: officials decide"
        result.rows = [{"rank": 1, "who": who, "points": 0, "machines": []} for who in sorted(seats)]
        result.ranks = dict.fromkeys(seats, 1)
        result.flags = [Flag(entry=source.stage.closed_entry, kind="needs-official", why=why)]
        return result
    bouts = bouts_of(state, stage, seats, who_is_out(state, stage, seats))
    result.bouts = bouts
    result.ranks, result.places = _standing(state, stage, bouts, seats)
    played, won = _played(bouts), Counter(bout.winner for bout in bouts.values())
    result.rows = [
        {
            "rank": result.ranks[who],
            "who": who,
            "points": won[who],
            "machines": played.get(who, []),
        }
        for who in sorted(seats, key=lambda who: (result.ranks[who], who))
    ]
    result.groups = [_group(bout, played) for bout in bouts.values() if bout.known and len(bout.who) == 2]
    result.ties = [_tie(bout, game) for bout in bouts.values() for game in bout.games if game.order.ties]
    result.complete = all(bout.decided for bout in bouts.values())
    result.settled = result.complete and not result.ties
    last = stage.touched or stage.closed_entry
    result.flags = [
        Flag(entry=last, kind="needs-official", why=f"{stage.id}, {bout.conflict}")
        for bout in bouts.values()
        if bout.conflict is not None
    ]
    return result


def who_is_out(state: State, stage: Stage, seats: tuple[str, ...]) -> frozenset[str]:
    """Give who plays no more: absent, or put out (B6)."""
    return frozenset(who for who in seats if state.players[who].is_out(stage.division) or who in stage.absent)


def seats_of(stage: Stage, seeds: Sequence[str]) -> tuple[str, ...]:
    """Give who plays in order of seed: whoever took a seat instead of who had it (B6)."""
    return tuple(stage.stand_ins.get(who, who) for who in seeds)


def place_in_match(state: State, game: Game, stage: Stage, seats: tuple[str, ...]) -> str | None:
    """Take a game into its match, the one that is named or the one between its players. Why it is refused (B4)."""
    act = game.played
    if not 2 <= len(seats) <= MOST_SEEDS:
        return f"{stage.id} has no matches"
    bouts = bouts_of(state, stage, seats, who_is_out(state, stage, seats))
    if len(act.scores) != 2:
        return f"a match is between two players: {act.game} has {len(act.scores)}"
    if act.group is not None:
        bout = bouts.get(act.group)
        if bout is None:
            return f"{stage.id} has no match {act.group}; there are {', '.join(bouts)}"
    else:
        between = [bout for bout in bouts.values() if set(bout.who) == set(act.scores) and bout.known]
        bout = next((bout for bout in between if not bout.decided), between[0] if between else None)
        if bout is None:
            return f"{' and '.join(act.scores)} have no match against each other now"
    return _not_now(state, game, bout)


def _not_now(state: State, game: Game, bout: Bout) -> str | None:
    """Say why a game cannot be played in a match; else give it its place there."""
    act, name = game.played, bout.match.id
    if not bout.known:
        waiting = [source.of for source in bout.match.sources if source.by != "seed"]
        return f"{name} waits for {' and '.join(waiting)}"
    stranger = next((who for who in act.scores if who not in bout.who), None)
    if stranger is not None:
        return f"{stranger} is not in {name}: it is between {' and '.join(bout.who)}"
    if bout.decided:
        return f"{name} is decided: {bout.winner or 'nobody'} goes on"
    most = state.settings.best_of
    if act.round is not None and not 1 <= act.round <= most:
        return f"a match has at most {most} games: there is no game {act.round}"
    again = next(
        (one.game.id for one in bout.games if act.round is not None and one.game.played.round == act.round), None
    )
    if again is not None:
        return f"game {act.round} of {name} has been played: {again}"
    tied = next((one.game.id for one in bout.games if one.order.ties), None)
    if len(bout.games) >= most:
        return f"{name} has had its {most} games: play off the tie in {tied} (tiebreak: {tied})"
    game.key = (name, act.round, act.game)
    return None


def _tied(state: State, everybody: list[str]) -> list[list[str]]:
    """Group the entrants by what seeds them; who has no ranking, or where all is drawn, is tied (B2)."""
    if state.settings.seeding == "players":
        return [[who] for who in everybody]
    if state.settings.seeding == "draw":
        return [sorted(everybody)]
    rank = {who: state.players[who].head.wppr_rank for who in everybody}
    ranked = classes({who: -number for who, number in rank.items() if number is not None})
    rest = sorted(who for who, number in rank.items() if number is None)
    return [*ranked, *([rest] if rest else [])]


def _standing(
    state: State, stage: Stage, bouts: dict[str, Bout], seats: tuple[str, ...]
) -> tuple[dict[str, int], dict[str, int]]:
    """Give the ranks of all, and the places that stand: losers share the place of their round (B8).

    Who was put out has no place, nor has who never came.
    """
    ranks = dict.fromkeys(seats, 1)
    places: dict[str, int] = {}
    for bout in bouts.values():
        for who in bout.losers:
            ranks[who] = bout.match.loser_place
            if bout.match.loser_to is None:
                places[who] = bout.match.loser_place
        if bout.winner is not None and bout.match.winner_to is None:
            ranks[bout.winner] = places[bout.winner] = bout.match.loser_place - 1
    has_played = {who for bout in bouts.values() for game in bout.games for who in game.game.who}
    gone = {who for who in seats if state.players[who].is_out(stage.division)}
    gone |= {who for who in stage.absent if who not in has_played}
    return ranks, {who: place for who, place in places.items() if who not in gone}


def _played(bouts: dict[str, Bout]) -> dict[str, list[dict[str, object]]]:
    """Give each player's games: one won earns 1 point in its match."""
    found: dict[str, list[dict[str, object]]] = {}
    for bout in bouts.values():
        for game in bout.games:
            for who in game.scores:
                found.setdefault(who, []).append(_row(bout, game, who))
    return found


def _row(bout: Bout, counted: Counted, who: str) -> dict[str, object]:
    return {
        "machine": counted.game.machine.head.id,
        "score": max(counted.scores[who], 0),
        "rank": next(place for place, tied in enumerate(counted.order.groups, 1) if who in tied),
        "points": int(counted.winner == who),
        "game": counted.game.id,
        "round": counted.game.played.round,
        "group": bout.match.id,
    }


def _group(bout: Bout, played: dict[str, list[dict[str, object]]]) -> GroupResult:
    """Give the table of a match: games won, and who has won it."""
    ordered = classes({who: 2 * bout.wins.get(who, 0) + (who == bout.winner) * 1000 for who in bout.who})
    ranks = positions(ordered)
    rows: list[dict[str, object]] = [
        {
            "rank": ranks[who],
            "who": who,
            "points": bout.wins.get(who, 0),
            "machines": [row for row in played.get(who, ()) if row["group"] == bout.match.id],
        }
        for tied in ordered
        for who in tied
    ]
    return GroupResult(id=bout.match.id, who=bout.who, rows=rows)


def _tie(bout: Bout, counted: Counted) -> OpenTie:
    machine = counted.game.machine.head.id
    return OpenTie(tie=counted.order.ties[0], sizes=[2], group=bout.match.id, machine=machine, game=counted.game.id)
