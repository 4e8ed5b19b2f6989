"""Deciding about tournaments: opening, people, machines, and each entry of the log with its undo and restore.

The rules themselves are asked through the book. The invariant: nothing is recorded that the rules refuse, unless an
official says so and the objection is kept with the entry.
"""

import re
from typing import Any

from server.core import rules
from server.core.venue import closing, leaving
from server.core.venue import commands as c
from server.core.venue.book import Book, Close, Objection
from server.core.venue.captains import check_captain
from server.core.venue.codec import encode
from server.core.venue.decide_changes import conflict_with
from server.core.venue.entries import OFFICIAL_ONLY, WEIGHTY, check_entry, need_recorder, newer_about
from server.core.venue.events import (
    EntryRecorded,
    Event,
    MachinesAdded,
    MachineUnassigned,
    StageSettled,
    TournamentOpened,
)
from server.core.venue.lateness import at_once
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.recusals import need_third_party, refuse_recused
from server.core.venue.roles import OFFICIALS
from server.core.venue.state import State, Tournament
from server.core.venue.stops import (
    conflict,
    invalid,
    need,
    need_reason,
    need_role,
    need_tournament,
    need_version,
    refuse,
)
from server.core.venue.story import scores_now
from server.core.venue.times import moment
from server.core.venue.values import Json, entry_kind

ID = re.compile(r"[a-z0-9-]{1,40}")
TOLD, KEPT = 200, 2000
"""Open things that are told in an answer, and that the entry which closes a stage keeps."""


def open_tournament(state: State, command: c.OpenTournament, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Open a tournament with its head; a log in it is refused: `import` is another door."""
    if not ID.fullmatch(command.id) or command.id == "current":
        invalid("a tournament's id is 1 to 40 small letters, digits or hyphens, and not current")
    if command.id in state.tournaments:
        conflict(f"there is a tournament {command.id} already", version=state.tournaments[command.id].version)
    if command.head.get("log"):
        invalid("a new tournament has no log yet")
    head = {**command.head, "log": []}
    check_head(head)
    head.pop("log")
    return Decision(events=(TournamentOpened(tournament=command.id, head=head),), result={"tournament": command.id})


def add_machines(state: State, command: c.AddMachines, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Add machines to the head."""
    tournament = grown(state, command.tournament, "machines", command.machines, command.based_on)
    event = MachinesAdded(tournament=tournament.id, machines=command.machines)
    return Decision(events=(event,), result={"machines": [m["id"] for m in command.machines]})


def record_entry(state: State, command: c.RecordEntry, actor: Actor, at: int, book: Book) -> Decision:
    """Record one entry; a typed game takes its players off the machine."""
    tournament = need_tournament(state, command.tournament)
    entry = check_entry(state, tournament, command.entry, at)
    kind = entry_kind(entry)
    captain = need_recorder(actor, kind)
    written = book.written(state, tournament.id, entry)
    if isinstance(written, Objection):
        invalid(written.text)
    if captain:
        check_captain(state, command, written, actor, at, book)
    weighty = kind == "decision" and entry[kind] in WEIGHTY
    if weighty:
        need_role(actor, OFFICIALS, f"the decision on {entry[kind]}")
    ruled = weighty or kind in OFFICIAL_ONLY
    why = need_reason(entry.get("why") or command.why) if ruled else command.why
    newer = newer_about(state, tournament, entry, command.based_on)
    if newer is not None:
        conflict_with(newer, tournament)
    judged = ruled or kind == "forfeit"
    recused = refuse_recused(state, tournament, actor, entry, despite=command.despite_recusal) if judged else None
    if recused is not None:
        need_third_party(tournament, actor, recused, entry)
    objection = book.objection(state, tournament.id, entry)
    if objection is not None:
        if not command.despite_rules:
            refuse(objection.text)
        need_role(actor, OFFICIALS, "recording against the rules")
    if kind == "game":
        _check_times(state, command, tournament, entry, book)
    elif kind == "correct" and not command.despite_rules:
        _ask_about_voids(state, tournament, entry)
    still_open = _still_open(state, tournament, command, entry, book) if kind == "close" and objection is None else ()
    recorded = EntryRecorded(
        tournament=tournament.id,
        number=tournament.entries + 1,
        entry=entry,
        why=why,
        despite=objection.text if objection else None,  # a clash in time is the desk's objection: the rules count it
        open=tuple(one.key for one in still_open[:KEPT]),
        recused=recused,
    )
    result = {"number": recorded.number, kind: entry[kind], "at": entry["at"], **_told(still_open)}
    followed = _left(state, tournament, recorded) if kind == "absent" else _typed(state, tournament, entry)
    return Decision(events=(recorded, *followed), result=result)


def settle_stage(state: State, command: c.SettleStage, _actor: Actor, _at: int, book: Book) -> Decision:
    """Call a closed stage official although something is open; what that is stays in the ledger."""
    tournament = need_tournament(state, command.tournament)
    close = need(book.page(state, tournament.id).closes.get(command.stage), f"close of {command.stage}")
    found = closing.open_in(state, tournament, command.stage, close, command.silent)
    if not found:
        refuse(f"nothing of {command.stage} is open")
    event = StageSettled(
        tournament=tournament.id,
        stage=command.stage,
        why=need_reason(command.why),
        open=tuple(one.key for one in found),
    )
    return Decision(events=(event,), result={"stage": command.stage, **_told(found)})


def check_head(document: dict[str, Any]) -> None:
    """Stop where the rules cannot read this head (with the log in it)."""
    try:
        rules.parse({"inlane": 1, **document})
    except rules.TournamentInvalid as error:
        invalid(str(error))


def grown(state: State, tournament_id: str, part: str, added: tuple[Json, ...], based_on: int | None) -> Tournament:
    """The tournament to whose head people or machines may be added; stops where they may not."""
    tournament = need_tournament(state, tournament_id)
    known = {"players": tournament.players, "machines": tournament.machines}[part]
    ids = [str(member.get("id", "")) for member in added]
    if not ids:
        invalid(f"no {part} are named")
    for name in ids:
        if not name or len(name) > 40:
            invalid(f"each of the {part} needs an id of 1 to 40 characters")
        if name in known or ids.count(name) > 1:
            conflict(f"{name} is there already", version=tournament.version)
    need_version(tournament, based_on)
    check_head({**tournament.head, part: [*(tournament.head.get(part) or ()), *added], "log": []})
    return tournament


def _check_times(state: State, command: c.RecordEntry, tournament: Tournament, entry: Json, book: Book) -> None:
    """A game ends after it began, and nobody plays two at once; officials may know better about the second."""
    begun, over = book.span_of(book.page(state, tournament.id), entry)
    if begun is not None and over is not None and over < begun:
        invalid(f"{entry['game']} ended {moment(over)}, before it began {moment(begun)}")
    clash = at_once(state, tournament.id, entry)
    if clash is not None and not command.despite_rules:
        refuse(clash)


def _ask_about_voids(state: State, tournament: Tournament, entry: Json) -> None:
    """A correction of what is void changes nothing that counts: most likely another game is meant."""
    now = scores_now(state, tournament.id, entry["correct"]) or {}
    void = [who for who in entry["scores"] if who in now and now[who] is None]
    if void:
        refuse(f"{entry['correct']} of {', '.join(void)} is void: undo the void first, or say despite_rules")


def _still_open(
    state: State, tournament: Tournament, command: c.RecordEntry, entry: Json, book: Book
) -> tuple[closing.Open, ...]:
    """What is open in a stage that is about to be closed; a conflict unless an official takes it on himself."""
    stage = str(entry["close"])
    page = book.page(state, tournament.id)
    at = book.time_of(page, entry)
    close = Close(number=tournament.entries + 1, at=at)
    found = (
        *closing.open_in(state, tournament, stage, close, command.silent),
        *(() if at is None else closing.late_in(state, tournament, stage, at, page)),
    )
    if found and not command.despite_open:
        conflict(
            f"{stage} has {len(found)} open: {closing.words(state, found)}. Settle them, or close it all the same with "
            "despite_open",
            version=tournament.version,
            **_told(found),
        )
    return found


def _told(found: tuple[closing.Open, ...]) -> dict[str, Any]:
    more = {"more": len(found) - TOLD} if len(found) > TOLD else {}
    return {"open": [encode(one) for one in found[:TOLD]], **more} if found else {}


def _left(state: State, tournament: Tournament, recorded: EntryRecorded) -> tuple[Event, ...]:
    """Who is absent from no stage in particular plays no more."""
    player = str(recorded.entry["absent"])
    gone = (tournament.id, player) in state.withdrawn
    named = recorded.entry.get("stage") or recorded.entry.get("match")
    if recorded.despite is not None or named or gone or not tournament.knows(player):
        return ()
    why = recorded.why or str(recorded.entry.get("why") or "absent")
    return leaving.leave(state, tournament, player, why, recorded.number)[0]


def _typed(state: State, tournament: Tournament, entry: Json) -> tuple[Event, ...]:
    machine = state.machines.get(str(entry.get("machine"))) if entry_kind(entry) == "game" else None
    held = machine.assignment if machine is not None else None
    if machine is None or held is None or held.place.tournament != tournament.id or machine.game is not None:
        return ()
    if set(held.players) != set(entry["scores"]):
        return ()
    return (MachineUnassigned(machine=machine.id, assignment=held.id, why="the game was typed in"),)
