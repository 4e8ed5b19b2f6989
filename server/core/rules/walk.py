"""The walk over the log: each entry in turn is taken or refused.

Rulings decide about games recorded anywhere in the log (C1.8), so the games that rulings name are found first.
Invariant: the same head and log give the same state, and no well-formed log can make it fail.
"""

from collections.abc import Callable, Mapping

from server.core.rules import (
    accounts,
    conduct,
    decisions,
    eligibility,
    games,
    keeping,
    machines,
    officials,
    stages,
    tables,
)
from server.core.rules.acts import (
    Abandon,
    Absent,
    Act,
    Buy,
    Close,
    Correct,
    Decision,
    DeclareLineup,
    MachineChange,
    Move,
    Penalty,
    Played,
    Register,
    Ruling,
    TeamAct,
    Void,
)
from server.core.rules.beginning import begin
from server.core.rules.entries import Entry
from server.core.rules.state import State
from server.core.rules.teams import confirmations, handlers, matches_keeping
from server.core.rules.tournament import Tournament

MAX_PASSES = 20
CAREFUL_PASSES = 8


def fold(tournament: Tournament) -> State:
    """Give the state after the last entry.

    A ruling that is refused names nothing, and a game that is refused makes up for nothing: where one was counted on,
    the walk is done again without it. What was refused so stays refused, so that no game counts twice. Only what is
    refused for its own sake: a later ruling may have been refused because of what an earlier one was thought to name.
    """
    log = tournament.log
    known = frozenset(entry.act.game for entry in log if isinstance(entry.act, Played))
    recorded = known
    acts = ((number, entry.act) for number, entry in enumerate(log, 1))
    rulings = {number: act for number, act in acts if isinstance(act, Ruling) and act.games}
    dropped: dict[int, str] = {}
    for walks in range(1, MAX_PASSES + 1):
        named = _names(rulings)
        state = begin(tournament.head, named=named, known=known)
        state.walks = walks
        for number, entry in enumerate(log, 1):
            take(state, number, entry, dropped.get(number))
        refused = {number: problem for number, problem in state.refused if number in rulings}
        hopeless = [number for number in refused if rulings[number].game not in recorded]
        careful = walks < CAREFUL_PASSES
        dropped |= {number: refused[number] for number in ((hopeless or sorted(refused)[:1]) if careful else refused)}
        rulings = {number: act for number, act in rulings.items() if number not in dropped}
        still = _names(rulings)
        if refused.keys() <= dropped.keys() and still == named and still <= state.games.keys():
            break
        known -= named - state.games.keys()
    return state


def take(state: State, number: int, entry: Entry, dropped: str | None = None) -> str | None:
    """Take one more entry into the state; `dropped` says why an earlier walk refused it. Gives the reason if refused.

    A refused entry has changed nothing but the list of what is refused, and the last time that the log knows.
    """
    problem = dropped if dropped is not None else _apply(state, number, entry)
    if problem is not None:
        state.refused.append((number, problem))
        return problem
    state.changes += 1
    if state.tables:
        tables.forget(state, entry.act)
    keeping.drop_changed(state, entry.act)
    if state.matches:
        confirmations.forget_confirmations(state, entry.act)
        matches_keeping.forget_changed(state, entry.act)
    if entry.at is not None and (state.first_entry_at is None or entry.at < state.first_entry_at):
        state.first_entry_at = entry.at
    return None


def _names(rulings: Mapping[int, Ruling]) -> frozenset[str]:
    return frozenset(name for act in rulings.values() for name in act.games if name != act.game)


def _apply(state: State, number: int, entry: Entry) -> str | None:
    act, at = entry.act, entry.at
    if at is not None:
        state.last_at = at
    if isinstance(act, Played):
        return games.take_game(state, number, at, act)
    if isinstance(act, MachineChange):
        return machines.change(state, number, at, act)
    if isinstance(act, Close):
        return stages.close(state, number, at, act)
    if isinstance(act, Decision):
        return decisions.decide(state, number, at, act)
    if isinstance(act, TeamAct):
        preset = state.head.preset
        if preset.match_labels:
            return f"{preset.name} knows no teams: a game's `match` is only a label (CC10)"
        if not preset.teams:
            return f"{preset.name} is played by single players: there are no teams and no matches"
        if isinstance(act, DeclareLineup) and (problem := conduct.cannot_line_up(state, act)):
            return problem
        return handlers.take_team_entry(state, number, at, act)
    return HANDLERS[type(act)](state, number, act)


HANDLERS: dict[type[Act], Callable[..., str | None]] = {
    Register: accounts.register,
    Buy: accounts.buy,
    Move: eligibility.move,
    Abandon: accounts.abandon,
    Correct: officials.correct,
    Void: officials.void,
    Ruling: officials.rule,
    Penalty: officials.penalise,
    Absent: officials.note_absent,
}
