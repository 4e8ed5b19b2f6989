"""Why a player's other games on a machine do not count in a stage: each with what was said of it, or what is higher.

Invariant: every recorded game of the player on the machine is either the one that counts or named here.
"""

from collections.abc import Mapping, Sequence

from server.core.explain.cells import Where
from server.core.explain.grounds import Grounds, number
from server.core.explain.lines import Line
from server.core.explain.log import Denied
from server.core.explain.scores import explain_score
from server.core.rules.acts import MachineChange, Move, Played, Ruling
from server.core.rules.attempts import counts_on
from server.core.rules.results import StageResult
from server.core.rules.state import NAMED, TIEBREAK, Game

Counting = Mapping[str, Game]
"""The games from which a player's numbers in a stage come, by id."""


def other_attempts(
    grounds: Grounds, result: StageResult, who: str, counting: Counting, machine: str, counted: Game | None
) -> list[Line]:
    """Give a line for each further game of a player in a stage on one machine, also for refused ones."""
    lines = [
        _attempt(grounds, result, who, game, counted)
        for game in grounds.history.played.get(who, ())
        if game.id not in counting
        and _belongs(grounds, result, game)
        and machine in {game.machine.head.id, counts_on(result.stage, game.machine.head.id)}
    ]
    lines += [
        explain_denied(grounds, who, denied)
        for denied in grounds.history.denied.get(who, ())
        if denied.act.machine == machine and _stage_meant(grounds, denied.act) == result.stage.id
    ]
    return lines


def explain_denied(grounds: Grounds, who: str, denied: Denied) -> Line:
    """Give the line of a player's score in a game that the rules refused."""
    act = denied.act
    because = f"game {act.game} with {number(act.scores[who])} was refused: {denied.why}"
    return grounds.line("refused", because, None, who=who, machine=act.machine, game=act.game, entries=(denied.number,))


def uncounted_machines(grounds: Grounds, result: StageResult, who: str, counting: Counting) -> list[str]:
    """Give the machines on which a player has games in a stage, but none that counts."""
    there = {game.machine.head.id for game in counting.values()}
    there |= {counts_on(result.stage, name) or name for name in there}
    found = dict.fromkeys(
        game.machine.head.id for game in grounds.history.played.get(who, ()) if _belongs(grounds, result, game)
    )
    found |= dict.fromkeys(
        denied.act.machine
        for denied in grounds.history.denied.get(who, ())
        if _stage_meant(grounds, denied.act) == result.stage.id
    )
    return [name for name in found if name not in there and counts_on(result.stage, name) not in there]


def _attempt(grounds: Grounds, result: StageResult, who: str, game: Game, counted: Game | None) -> Line:
    stage = result.stage
    score = explain_score(grounds, game, who, stage)
    where: Where = {"stage": stage, "who": who, "machine": game.machine.head.id, "game": game.id}
    what, because, entries = _why_not(grounds, result, who, game, counted, score)
    first = f"{number(score.value)} in game {game.id}" if isinstance(score.value, int) else f"game {game.id}"
    return grounds.line(
        what,
        f"{first} does not count: {because}",
        None,
        entries=(*score.entries, *entries),
        parts=score.parts,
        **where,
    )


def _why_not(
    grounds: Grounds, result: StageResult, who: str, game: Game, counted: Game | None, score: Line
) -> tuple[str, str, Sequence[int]]:
    """Give the kind of reason why a game does not count, the reason, and the entries that say so."""
    if game.kind == NAMED:
        notes = [note for note in grounds.history.named.get(game.id, ()) if isinstance(note.act, Ruling)]
        games = ", ".join(dict.fromkeys(note.act.game for note in notes if isinstance(note.act, Ruling)))
        return "named", f"it belongs to a ruling on {games}", [note.number for note in notes]
    if score.value is None:
        last = score.parts[-1]
        return last.what, last.because, last.entries
    if who not in game.who:
        return "attempt", "only the first player of a qualifying game counts", ()
    if game.gone:
        moves = [note.number for note in grounds.history.players.get(who, ()) if isinstance(note.act, Move)]
        return "moved", "the player has moved to another division since", moves
    if game.machine.scores_void or counts_on(result.stage, game.machine.head.id) is None:
        name = game.machine.head.id
        notes = [note for note in grounds.history.machines.get(name, ()) if _took_out(note.act, name)]
        return "cancelled", f"the scores of {grounds.machine(name)} are void", [note.number for note in notes[-1:]]
    if counted is not None:
        return (
            "attempt",
            f"game {counted.id} is {_against(score.value, grounds, result, who, counted)}",
            (counted.entry,),
        )
    return "attempt", "it is in no table of this stage", ()


def _against(value: object, grounds: Grounds, result: StageResult, who: str, counted: Game) -> str:
    best = explain_score(grounds, counted, who, result.stage).value
    equal = isinstance(best, int) and best == value
    return "as high and came first" if equal else f"higher with {number(best)}" if isinstance(best, int) else "counted"


def _belongs(grounds: Grounds, result: StageResult, game: Game) -> bool:
    """Say whether a game belongs to a stage: as its own, or through a ruling on a game of it."""
    if game.kind == TIEBREAK:
        return False
    if game.kind != NAMED:
        return game.stage is result.stage
    games = grounds.state.games
    return any(
        isinstance(note.act, Ruling) and (about := games.get(note.act.game)) is not None and about.stage is result.stage
        for note in grounds.history.named.get(game.id, ())
    )


def _stage_meant(grounds: Grounds, act: Played) -> str | None:
    if act.stage is not None:
        return act.stage
    machine = grounds.state.machines.get(act.machine)
    division = grounds.state.divisions.get(machine.division or "") if machine is not None else None
    return division.qualifying.id if division is not None else None


def _took_out(act: object, machine: str) -> bool:
    return isinstance(act, MachineChange) and act.machine == machine and act.status not in {"up", "down"}
