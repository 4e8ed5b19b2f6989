"""The schedule of a stage of duels: what was drawn or posted, seat by seat, and which game it has become (U4, E3.9).

Nothing is drawn here (`schedule` does), nothing is ranked, and no game hangs on it. Invariant: while games are played
only their ids come into a schedule: rounds that have begun stay as they were drawn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from server.core.draws.pairing_errors import PairingImpossible
from server.core.draws.schedule import Duel, duel_schedule, machines_needed, partner_schedule
from server.core.rules.presets import StageForm
from server.core.rules.results import ScheduledGame, StageResult
from server.core.rules.scores import score_in
from server.core.rules.seats import deal
from server.core.rules.state import Flag, Game, Stage, State


def plan(state: State, results: Iterable[StageResult]) -> list[Flag]:
    """Give each stage of duels its `schedule`. Where there is none before it has begun, `unscheduled` says why.

    Where a round's worth of games was played and none is on the drawn one, the organisers have their own: none is
    shown. Of a stage that is closed only what was played is.
    """
    flags = []
    for result in results:
        stage, form = result.stage, result.stage.form
        if form is not None and form.kind == "machine_points" and (stage.games or not stage.closed):
            result.schedule, problem = _schedule(state, stage, form, result)
            if problem is not None and not stage.games:
                result.unscheduled = f"no schedule could be drawn: {problem}. Post pairings (decision: pairings)"
            flags += _nowhere(stage, result.schedule or ())
    return flags


def bank_of(state: State, stage: Stage) -> tuple[str, ...]:
    """Give the machines of a stage: as officials named them, as they were when it began, else those that are up now."""
    if stage.machines or stage.bank:
        return stage.machines or stage.bank
    division = stage.division
    return tuple(
        name for name, machine in state.machines.items() if machine.status == "up" and machine.division == division
    )


def plays_twice(form: StageForm) -> bool:
    """Say whether a pair plays two games on each machine (E3.6), else one (U4.1)."""
    return form.go_on_setting == "quarterfinal_qualifiers"


def rounds_of_duels(state: State, form: StageForm) -> int:
    """Give how many rounds a stage of duels has: games of each player, or machines of each (E3.6)."""
    return state.settings.quarterfinal_machines if plays_twice(form) else state.settings.round2_rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One group of a stage: its seats by the players who earned them, and who sits in each now."""

    group: str | None
    seats: tuple[str, ...]
    sitting: dict[str, str | None]


def _schedule(
    state: State, stage: Stage, form: StageForm, result: StageResult
) -> tuple[list[ScheduledGame] | None, str | None]:
    games: list[ScheduledGame] = []
    problems = []
    for part in _parts(stage, form, result):
        posted = {number: found for number in stage.pairings if (found := _posted(stage, part, number))}
        try:
            drawn = _drawn(state, stage, form, part)
            problem = None
        except PairingImpossible as error:
            drawn, problem = [], str(error)
        duels = _with_posted(state, stage, form, part, (drawn, posted))
        if problem is not None and len(posted) < rounds_of_duels(state, form):
            problems.append(f"group {part.group}: {problem}" if part.group else problem)
        games += _as_games(state, stage, form, part, duels)
    games.sort(key=lambda game: (game.round, (game.group or "")))
    if stage.closed:
        games = [game for game in games if game.game is not None]
    elif not stage.pairings and 2 * len(_live(state, stage)) >= len(result.seeds) and not any(g.game for g in games):
        games = []
    return (games or None), ("; ".join(problems) or None)


def _nowhere(stage: Stage, games: Sequence[ScheduledGame]) -> list[Flag]:
    """Flag games that were to be played on a machine that was closed since, with no other in its place."""
    if stage.closed or not stage.shut:
        return []
    anywhere = {number for number, posted in stage.pairings.items() if not all(pairing.machine for pairing in posted)}
    lost = [game for game in games if game.machine is None and game.round not in anywhere]
    rounds = ", ".join(map(str, sorted({game.round for game in lost})))
    why = f"games of {stage.id} in round {rounds} have no machine any more: officials name one (decision: pairings)"
    return [Flag(entry=stage.shut_entry, kind="needs-official", why=why)] if lost else []


def _parts(stage: Stage, form: StageForm, result: StageResult) -> list[_Part]:
    """Give the groups. A seat that became empty after its group had begun still has its place in the schedule."""
    seats = result.seats or result.players
    sitting = dict(zip(result.seeds, seats, strict=True)) if result.seeds else {}
    parts = []
    for name, who in deal(form, tuple(result.seeds)):
        begun = min((game.entry for game in stage.games if game.key[0] == name), default=None)
        there = tuple(
            seat
            for seat in who
            if sitting[seat] is not None or (begun is not None and stage.absent.get(seat, 0) > begun)
        )
        parts.append(_Part(group=name if len(form.names) > 1 else None, seats=there, sitting=sitting))
    return parts


def _drawn(state: State, stage: Stage, form: StageForm, part: _Part, before: Sequence[Duel] = ()) -> list[Duel]:
    """Draw a group's duels in terms of seats; those `before` stand. Raises PairingImpossible."""
    machines, seed, rounds = bank_of(state, stage), state.settings.schedule_seed, rounds_of_duels(state, form)
    left = rounds - len({duel.round for duel in before})
    if plays_twice(form):
        biggest = -(-len(part.sitting) // len(form.names))
        need = machines_needed(biggest, rounds)
        if len(machines) < need:
            raise PairingImpossible(
                f"{biggest} players on {rounds} machines each, with another partner on each, need {need} machines:"
                f" there are {len(machines)}"
            )
        return list(partner_schedule(part.seats, machines[:need], seed, rounds=left, before=before).duels)
    return list(duel_schedule(part.seats, machines, left, seed, before=before).duels)


def _posted(stage: Stage, part: _Part, number: int) -> list[Duel]:
    """Give what officials posted for a round of a group, in terms of seats."""
    seat_of = {who: seat for seat, who in part.sitting.items() if who is not None}
    duels = []
    for pairing in stage.pairings[number]:
        if part.group is None or pairing.group == part.group:
            seats = tuple(seat_of.get(who, who) for who in pairing.players)
            duels.append(Duel(round=number, machine=pairing.machine or "", players=seats))
    return duels


def _with_posted(
    state: State, stage: Stage, form: StageForm, part: _Part, plans: tuple[list[Duel], dict[int, list[Duel]]]
) -> list[Duel]:
    """Put posted rounds in the place of drawn ones; rounds that have not begun are drawn anew where they clash."""
    drawn, posted = plans
    kept = [duel for found in posted.values() for duel in found]
    if not posted:
        return drawn
    begun = {
        duel.round for duel in drawn if any({*game.scores} == {*duel.players} for game in _live(state, stage))
    } - posted.keys()
    kept += [duel for duel in drawn if duel.round in begun]
    rest = [duel for duel in drawn if duel.round not in begun and duel.round not in posted]
    if _clash(kept + rest):
        numbers = iter(
            [number for number in range(1, rounds_of_duels(state, form) + 1) if number not in {*begun, *posted}]
        )
        try:
            anew = _drawn(state, stage, form, part, before=kept)
        except PairingImpossible:
            anew = []
        as_round = {number: next(numbers) for number in sorted({duel.round for duel in anew})}
        rest = [replace(duel, round=as_round[duel.round]) for duel in anew]
    return sorted(kept + rest, key=lambda duel: duel.round)


def _clash(duels: Sequence[Duel]) -> bool:
    """Say whether a player meets somebody twice, or comes to a machine twice."""
    pairs = [frozenset(duel.players) for duel in duels if len(duel.players) > 1]
    visits = [(who, duel.machine) for duel in duels if duel.machine for who in duel.players]
    return len(set(pairs)) < len(pairs) or len(set(visits)) < len(visits)


def _live(state: State, stage: Stage) -> list[Game]:
    return [game for game in stage.games if any(score_in(state, game, who) is not None for who in game.who)]


def _as_games(state: State, stage: Stage, form: StageForm, part: _Part, duels: Sequence[Duel]) -> list[ScheduledGame]:
    """Turn duels into games with who sits there now, on the machines that serve; two take turns at going first."""
    waiting = _live(state, stage)
    twice = plays_twice(form)
    games = []
    for duel in duels:
        who = tuple(found for seat in duel.players if (found := part.sitting.get(seat, seat)) is not None)
        machine = _serving(stage, duel.machine) if duel.machine else None
        for order in (who, who[::-1]) if twice else (who,):
            played = next((game for game in waiting if _is_it(stage, game, order, machine if twice else None)), None)
            if played is not None:
                waiting.remove(played)
            on = machine if played is None else played.machine.head.id
            games.append(ScheduledGame(
                round=duel.round, who=order, machine=on, group=part.group, game=played.id if played else None,
            ))  # fmt: skip
    return games


def _is_it(stage: Stage, game: Game, who: Sequence[str], machine: str | None) -> bool:
    on = _serving(stage, game.machine.head.id)
    return bool(who) and {*game.scores} == {*who} and (machine is None or on in {machine, None})


def _serving(stage: Stage, machine: str) -> str | None:
    """Give the machine that is played in the place of one; None where it was closed and none is."""
    while machine in stage.instead:
        machine = stage.instead[machine]
    return None if machine in stage.shut else machine
