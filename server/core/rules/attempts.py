"""How often a player may play what: so many machines, one game on each, jokers, places for players (U1, U2, E1, E2).

Only questions, nothing changes here. Invariant: what officials voided, or a machine's scores that were cancelled, is
as if it had never been played; a penalised game stays played (C3.5).
"""

from collections.abc import Iterator

from server.core.rules.acts import Played
from server.core.rules.scores import score_in
from server.core.rules.state import Division, Game, Stage, State


def too_many_attempts(state: State, act: Played, who: str, division: Division) -> str | None:
    """Say why a player may play this machine no more (U2.1, E2.1, E2.2), None where he may."""
    settings = state.settings
    if act.joker and not settings.jokers:
        return f"{state.head.preset.name} has no jokers"
    limit = settings.machines_per_player
    if limit is None and not act.joker:
        return None
    stage = division.qualifying
    tried, moved = state.players[who].tried, stage.cancelled or stage.rescaled
    if limit and len(tried) < limit and act.machine not in tried and not moved and not act.joker:
        return None
    machine = used_as(stage, act.machine)
    played: dict[str, list[bool]] = {}
    for attempt in used_attempts(state, who, division):
        played.setdefault(used_as(stage, attempt.machine.head.id), []).append(attempt.played.joker)
    here = played.get(machine, [])
    if act.joker:
        if sum(joker for jokers in played.values() for joker in jokers) >= settings.jokers:
            return f"{who} has used {'the joker' if settings.jokers == 1 else 'all jokers'}"
        return None if False in here else f"{who} has not played {act.machine}: a joker repeats a machine played"
    if False in here:
        more = ", a second game needs a joker" if settings.jokers else ""
        return f"{who} has played {act.machine}{more}"
    if limit and machine not in played and len(played) >= limit:
        return f"{who} has played {limit} machines"
    return None


def used_attempts(state: State, who: str, division: Division) -> Iterator[Game]:
    """Give the attempts of a player that count as played."""
    attempts = state.players[who].attempts.get(division.name, ())
    return (attempt for attempt in attempts if is_used(state, division.qualifying, attempt, who))


def is_live(state: State, stage: Stage, game: Game, who: str) -> bool:
    """Say whether a player has a score that counts in a game."""
    if game.said is None and not stage.cancelled:
        return who in game.scores
    return counts_on(stage, game.machine.head.id) is not None and score_in(state, game, who) is not None


def is_used(state: State, stage: Stage, game: Game, who: str) -> bool:
    """Say whether a game counts as played for a player: a penalised one stays (C3.5), a voided or cancelled one not."""
    if who not in game.scores:
        return False
    return is_live(state, stage, game, who) or (game.said is not None and who in game.said.penalised)


def counts_on(stage: Stage, machine: str) -> str | None:
    """Give the machine on which scores of `machine` count in a stage, None where they are cancelled (U3.1, U3.3)."""
    while machine not in stage.cancelled:
        if machine not in stage.rescaled:
            return machine
        machine = stage.rescaled[machine][1]
    return None


def used_as(stage: Stage, machine: str) -> str:
    """Give the machine that a game on `machine` has used up: the one on which it counts, else itself (C3.5)."""
    return counts_on(stage, machine) or machine


def rescale(stage: Stage, machine: str, score: int) -> int:
    """Give a score as it counts where its machine's scores were rescaled (U3.3): exact, rounded down each time."""
    while machine in stage.rescaled:
        factor, machine = stage.rescaled[machine]
        numerator, denominator = factor.as_integer_ratio()
        score = score * numerator // denominator
    return score


def take_place(state: State, entry: int) -> str | None:
    """U1.1: take one of the places, before the day or on it; without a `date` they are one pool. Why there is none.

    The time is the entry's, else the last one that the log knows. Where it knows none, a place before the day is
    taken, and an official is told.
    """
    settings = state.settings
    if settings.places_pre is None and settings.places_day is None:
        return None
    pool, most = "all", _sum(settings.places_pre, settings.places_day)
    moment = state.last_at
    if settings.date is not None:
        early = moment is None or moment.astimezone(state.head.zone).date() < settings.date
        pool, most = ("pre", settings.places_pre) if early else ("day", settings.places_day)
    taken = state.places_taken.get(pool, 0)
    if most is not None and taken >= most:
        kind = {"pre": "places before the day", "day": "places on the day", "all": "places"}[pool]
        return f"all {most} {kind} are taken"
    state.places_taken[pool] = taken + 1
    if settings.date is not None and moment is None:
        why = "it is not known whether this was before the day: a place before the day is taken"
        state.flag(entry, "needs-official", why)
    return None


def _sum(pre: int | None, day: int | None) -> int | None:
    return None if pre is None or day is None else pre + day
