"""Pin golf: machines are holes, the fewest strokes win (G1, G6 to G9).

How many strokes a game took is in `strokes`. Invariant: who has a hole whose strokes are not known has no rank, and
nobody has a final place before that is settled.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from server.core.rules.attempts import counts_on, used_attempts
from server.core.rules.groups import rounds_of
from server.core.rules.qualifying import UNPLAYED, first_final, play_offs
from server.core.rules.ranking import positions, without
from server.core.rules.results import StageResult, going_on, how_many
from server.core.rules.scores import score_in
from server.core.rules.state import Division, Flag, Game, Stage, State
from server.core.rules.strokes import Strokes, bad_balls, bad_strokes, strokes_of
from server.core.rules.ties import resolve


@dataclass(slots=True, kw_only=True)
class _Card:
    """One player's round: the best game of each hole; `unknown` are holes whose strokes nobody can say yet."""

    holes: dict[str, tuple[int, Game]] = field(default_factory=dict)
    unknown: dict[str, Game] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All strokes."""
        return sum(count for count, _ in self.holes.values())


def holes_result(state: State, division: Division) -> StageResult:
    """Rank a round of pin golf: who has played more holes first, then fewer strokes, then as `countback` says (G7)."""
    stage = division.qualifying
    cards, flags = _cards(state, division)
    ranked = {who: card for who, card in cards.items() if not card.unknown}
    settled = len(ranked) == len(cards)
    cut = how_many(stage, state.settings.qualifiers)
    out = {who for who in cards if state.players[who].is_out(division.name)}
    following = first_final(state, division, min(cut, len(cards) - len(out)))
    skip = out - set((following.seeds if following is not None else None) or ())
    over = stage.closed and settled
    order = resolve(
        _tied(state, ranked, len(holes_in_play(state, division))),
        policy=state.head.preset.ties if over else UNPLAYED,
        cut=cut,
        rounds=_tiebreaks(state, stage, flags) if over else {},
        skip=skip,
    )
    ranks = positions(order.groups)
    rows = [_row(state, who, cards[who]) | {"rank": ranks[who]} for tied in order.groups for who in tied]
    result = StageResult(stage=stage, rows=rows, ranks=ranks, following=() if following is None else (following,))
    result.players, result.cut, result.flags = tuple(ranks), cut, flags
    result.unranked = [_row(state, who, card) for who, card in sorted(cards.items()) if card.unknown]
    result.places = {}
    if stage.closed:
        result.ties = play_offs(state, division.name, order.ties)
        result.settled = settled and not order.ties
        result.advance = tuple(going_on(order, cut, skip)) if settled else ()
        result.rest = tuple(who for tied in order.groups for who in tied if who not in skip)[cut:]
    if over:
        waiting = {who for tie in order.ties for who in tie.who}
        result.places = {who: place for who, place in without(ranks, out).items() if who not in waiting}
    return result


def holes_in_play(state: State, division: Division) -> list[str]:
    """Give the machines that are holes now (G1): those with a target, or all where strokes are typed and none has one.

    One whose scores were cancelled, or that another one replaced, is none any more.
    """
    stage = division.qualifying
    return [
        name
        for name, machine in state.machines.items()
        if _is_hole(state, name) and name not in stage.cancelled and machine.status not in {"replaced", "disabled"}
    ]


def no_hole_result(state: State, game: Game, division: Division) -> str | None:
    """Say why a game cannot be a hole's result (G1 to G3, G6), None where it can."""
    act, settings = game.played, state.settings
    name = act.machine
    if not _is_hole(state, name):
        if settings.scores == "balls" and not settings.targets:
            return f"{name} has no target (rules: targets), and without one no strokes can be told"
        return f"{name} is no hole: it has no target (rules: targets)"
    if settings.scores == "strokes":
        for who, count in act.scores.items():
            if not 1 <= count <= settings.max_strokes:
                hint = "" if settings.targets else " (where these are the machine's scores, set rules: targets)"
                return f"strokes of {who}: a number from 1 to {settings.max_strokes}{hint}"
    problem = bad_strokes(settings, act.strokes or {}, act.scores) or bad_balls(settings, act.balls or {}, act.scores)
    if problem is not None:
        return problem
    here = counts_on(division.qualifying, name)
    for who in act.scores:
        played = [counts_on(division.qualifying, one.machine.head.id) for one in used_attempts(state, who, division)]
        if settings.hole_games and played.count(here) >= settings.hole_games:
            return f"{who} has played {name}"
        if settings.holes and here not in played and len(set(played)) >= settings.holes:
            return f"{who} has played {settings.holes} holes"
    return None


def _is_hole(state: State, name: str) -> bool:
    settings = state.settings
    return name in settings.targets or (settings.scores == "strokes" and not settings.targets)


def _cards(state: State, division: Division) -> tuple[dict[str, _Card], list[Flag]]:
    """Give each player's round, and what officials have to say before it can be ranked (G5)."""
    stage = division.qualifying
    found: dict[str, list[tuple[str, Game, Strokes]]] = {}
    for game in division.attempts:
        hole = counts_on(stage, game.machine.head.id)
        if hole is None or game.gone or game.machine.scores_void:
            continue
        for who in game.who:
            strokes = strokes_of(state, game, who)
            if strokes is not None:
                found.setdefault(who, []).append((hole, game, strokes))
    cards = {who: _card(taken) for who, taken in found.items()}
    flags = [
        Flag(entry=game.entry, kind="needs-official", why=_ask(game, who, strokes))
        for who, taken in found.items()
        for hole, game, strokes in taken
        if hole in cards[who].unknown and strokes.count is None
    ]
    return cards, flags


def _ask(game: Game, who: str, strokes: Strokes) -> str:
    return f"{game.id}, {who}: {strokes.why} (correct it: balls, strokes)"


def _card(taken: Iterable[tuple[str, Game, Strokes]]) -> _Card:
    """Give the best of each hole; a game of unknown strokes leaves it unknown unless another one took one stroke."""
    card = _Card()
    for hole, game, strokes in taken:
        if strokes.count is None:
            card.unknown.setdefault(hole, game)
        elif hole not in card.holes or strokes.count < card.holes[hole][0]:
            card.holes[hole] = (strokes.count, game)
    card.unknown = {hole: game for hole, game in card.unknown.items() if card.holes.get(hole, (0, game))[0] != 1}
    return card


def _tied(state: State, cards: dict[str, _Card], holes: int) -> list[list[str]]:
    """Group who is equal, the best first (G7, G8)."""
    groups: dict[tuple[int, ...], list[str]] = {}
    most = state.settings.max_strokes if state.settings.countback else 0
    needed = state.settings.holes or holes
    for who, card in cards.items():
        counts = [count for count, _ in card.holes.values()]
        back = tuple(-counts.count(strokes) for strokes in range(1, most + 1))
        groups.setdefault((max(0, needed - len(counts)), card.total, *back), []).append(who)
    return [sorted(groups[key]) for key in sorted(groups)]


def _row(state: State, who: str, card: _Card) -> dict[str, object]:
    """Give a player's row: `points` are the strokes; a hole of unknown strokes says so."""
    games: dict[str, tuple[int | None, Game]] = {hole: (None, game) for hole, game in card.unknown.items()}
    games |= {hole: taken for hole, taken in card.holes.items() if hole not in card.unknown}
    machines = [
        {
            "machine": name,
            "score": score_in(state, games[name][1], who),
            "strokes": games[name][0],
            "points": games[name][0],
            "game": games[name][1].id,
        }
        for name in state.machines
        if name in games
    ]
    return {"who": who, "points": card.total, "strokes": card.total, "holes": len(card.holes), "machines": machines}


def _tiebreaks(state: State, stage: Stage, flags: list[Flag]) -> dict[str, Sequence[int]]:
    """Give the tie-break rounds (G9): fewer strokes on a hole, on another machine the higher score."""

    def value(game: Game, who: str) -> int | None:
        if not _is_hole(state, game.machine.head.id):
            return score_in(state, game, who)
        strokes = strokes_of(state, game, who)
        if strokes is not None and strokes.count is None:
            flags.append(Flag(entry=game.entry, kind="needs-official", why=_ask(game, who, strokes)))
        return None if strokes is None or strokes.count is None else -strokes.count

    return dict(rounds_of(state, stage.tiebreaks, stage.draws, value=value))
