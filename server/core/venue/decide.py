"""Deciding on commands: who may, on what version, and what follows. One table of commands, one of roles.

`decide` never changes anything: it gives events, a refusal that a person understands, or a conflict with the newer
state of things. The invariant: without a role that may, nothing happens.
"""

from collections.abc import Callable
from typing import Any

from server.core.venue import commands as c
from server.core.venue import (
    decide_changes,
    decide_games,
    decide_head,
    decide_head_officials,
    decide_import,
    decide_log,
    decide_machines,
    decide_manual,
    decide_people,
)
from server.core.venue.book import Book
from server.core.venue.outcomes import Actor, Conflict, Decision, Refused
from server.core.venue.roles import CAPTAINS, COUNTER, FLOOR, OFFICIALS, SETUP, STAFF
from server.core.venue.state import State
from server.core.venue.stops import Stop

__all__ = ["OFFICIALS", "decide", "may"]

Decider = Callable[[State, Any, Actor, int, Book], Decision]

_TABLE: dict[type[Any], tuple[frozenset[str], Decider]] = {
    c.OpenTournament: (SETUP, decide_log.open_tournament),
    c.ImportTournament: (SETUP, decide_import.import_tournament),
    c.ImportEntries: (OFFICIALS, decide_import.import_entries),
    c.ChangeHead: (OFFICIALS, decide_head.change_head),
    c.EnterOfficial: (STAFF, decide_head_officials.enter_official),
    c.AddMachines: (SETUP, decide_log.add_machines),
    c.AddTeams: (SETUP, decide_head.add_teams),
    c.AddPlayers: (COUNTER, decide_people.add_players),
    c.Withdraw: (STAFF, decide_people.withdraw),
    c.Return: (STAFF, decide_people.let_return),
    c.SettleStage: (OFFICIALS, decide_log.settle_stage),
    c.RecordEntry: (STAFF | CAPTAINS, decide_log.record_entry),
    c.MoveGame: (OFFICIALS, decide_changes.move_game),
    c.UndoEntry: (STAFF, decide_changes.undo_entry),
    c.RestoreEntry: (OFFICIALS, decide_changes.restore_entry),
    c.Assign: (STAFF, decide_machines.assign),
    c.Unassign: (STAFF, decide_machines.unassign),
    c.JoinQueue: (STAFF, decide_machines.join_queue),
    c.LeaveQueue: (STAFF, decide_machines.leave_queue),
    c.CallPlayer: (STAFF, decide_machines.call_player),
    c.Freeze: (STAFF, decide_machines.freeze),
    c.AcknowledgeMalfunction: (STAFF, decide_machines.acknowledge),
    c.CloseMalfunction: (COUNTER, decide_machines.close_malfunction),
    c.PlanPowerCycle: (COUNTER, decide_machines.plan_power_cycle),
    c.StartGame: (FLOOR, decide_manual.start),
    c.NoteBall: (FLOOR, decide_manual.note_ball),
    c.EndGame: (FLOOR, decide_manual.end),
    c.RetypeGame: (FLOOR, decide_manual.retype),
    c.ReportMalfunction: (STAFF, decide_manual.report),
    c.ConfirmReading: (OFFICIALS, decide_games.confirm),
    c.CorrectReading: (OFFICIALS, decide_games.correct),
    c.RejectReading: (OFFICIALS, decide_games.reject),
    c.MatchGame: (OFFICIALS, decide_games.match),
    c.DiscardGame: (OFFICIALS, decide_games.discard),
}


def decide(state: State, command: c.Command, actor: Actor, at: int, book: Book) -> Decision | Refused | Conflict:
    """What follows from a command. `at` is ms since 1970 UTC: the core has no clock."""
    allowed, decider = _TABLE[type(command)]
    if not actor.roles & allowed:
        return Refused(why=f"this needs the role {_either(allowed)}", status="forbidden")
    try:
        return decider(state, command, actor, at, book)
    except Stop as stop:
        return stop.outcome


def may(actor: Actor, command: type[Any]) -> bool:
    """Whether the actor's roles may give commands of this kind at all."""
    return bool(actor.roles & _TABLE[command][0])


def _either(roles: frozenset[str]) -> str:
    names = sorted(roles)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
