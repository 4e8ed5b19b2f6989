"""The ledger in words: what happened, for people, one line an event. An unknown kind is shown by its name.

Who and when stand beside the line in the log. Numbers are given as numbers, so that the page can write them exactly.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.venue import events as e
from server.core.venue.state import State
from server.web.views.names import listed, machine_name, person_name, tournament_of
from server.web.views.signs import fault_sign
from server.web.views.team_words import place_of, team_entry

Part = str | int
"""A run of text, or a whole number to be written as a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One event in words. `kind` groups it (`score`, `game`, `machine`, `fault`, `tournament`, `reader`)."""

    group: str
    parts: tuple[Part, ...]
    why: str | None = None


def describe(state: State, event: object) -> Line:
    """What the event says, in words."""
    teller = _TELLERS.get(type(event))
    if teller is None:
        return Line(group="other", parts=(type(event).__name__,))
    return teller(state, event)


def group_of(event: object) -> str:
    """The group of the event, without looking at anything else."""
    return describe(State(), event).group


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _of_game(state: State, game_id: str) -> str:
    game = state.games.get(game_id)
    return f"the game on {machine_name(state, game.machine)}" if game is not None else f"game {game_id}"


def _scores(scores: list[Mapping[str, Any]] | tuple[Any, ...]) -> tuple[Part, ...]:
    parts: list[Part] = []
    for score in scores:
        value = score.get("score") if isinstance(score, Mapping) else score.score
        text = score.get("text") if isinstance(score, Mapping) else score.text
        parts += [", " if parts else "", value if value is not None else (text or "not read")]
    return tuple(part for part in parts if part != "")


def _fact(state: State, fact: e.FactTaken) -> Line:
    name = machine_name(state, fact.machine)
    body = fact.body
    scores = _scores(body.get("scores") or ())
    telling: dict[str, Callable[[], tuple[str, tuple[Part, ...]]]] = {
        "game.started": lambda: ("game", (f"A game started on {name}, {body.get('players', '?')} player(s)",)),
        "game.ball": lambda: (
            "game",
            (
                f"{name}: player {body.get('player')}, ball {body.get('ball')} over: ",
                *scores,
            ),
        ),
        "game.ended": lambda: ("game", (f"A game ended on {name}: ", *scores)),
        "game.aborted": lambda: (
            "game",
            (f"A game vanished on {name} ({body.get('how')}), last: ", *scores),
        ),
        "score.read": lambda: ("score", (f"{name}: reading of player {body.get('player')}: {body.get('text')}",)),
        "score.frozen": lambda: (
            "fault",
            (f"Scores kept on {name} ({body.get('why')}): ", *scores),
        ),
        "fault.raised": lambda: ("fault", (f"{name}: {fault_sign(str(body.get('fault'))).word}",)),
        "fault.cleared": lambda: ("fault", (f"{name}: {fault_sign(str(body.get('fault'))).word}: over",)),
        "machine.attached": lambda: ("reader", (f"{name} is heard on {body.get('port')}",)),
        "machine.detached": lambda: ("reader", (f"{name} is no longer heard on {body.get('port')}",)),
        "clock.stepped": lambda: ("reader", (f"The clock of {fact.agent} was set by {body.get('by_ms')} ms",)),
    }
    group, parts = telling.get(fact.fact, lambda: ("reader", (f"{fact.agent}: {fact.fact}",)))()
    return Line(group=group, parts=parts, why=body.get("detail"))


def _matched(state: State, event: e.GameMatched) -> Line:
    names = listed(person_name(state, event.place.tournament, who) for who in event.players)
    return Line(group="game", parts=(f"{_capital(_of_game(state, event.game))} is of {names}",), why=event.why)


def _reading_decided(state: State, event: e.ReadingDecided) -> Line:
    reading = state.readings.get(event.reading)
    where = _of_game(state, reading.game) if reading is not None else f"reading {event.reading}"
    who = person_name(state, tournament_of(state.games.get(reading.game)), reading.who) if reading is not None else ""
    parts: list[Part] = [f"{_capital(event.decision)} the reading of {who}, {where}"]
    if event.after is not None:
        parts += [": ", event.after]
    if event.before is not None and event.before != event.after:
        parts += [" (it read ", event.before, ")"]
    return Line(group="score", parts=tuple(parts), why=event.why)


def _opened(state: State, event: e.ReadingOpened) -> Line:
    name = machine_name(state, event.machine)
    shown: Part = event.proposed if event.proposed is not None else (event.text or "not read")
    return Line(group="score", parts=(f"A reading on {name} waits: ", shown), why="; ".join(event.why) or None)


def _entry(state: State, event: e.EntryRecorded) -> Line:
    kind, subject = next(iter(event.entry.items()), ("entry", ""))
    parts: list[Part] = [f"Entry {event.number}: {kind} "]
    scores = event.entry.get("scores")
    if kind == "game" and isinstance(scores, Mapping):
        parts += [f"on {machine_name(state, str(event.entry.get('machine')))}: "]
        for who, score in scores.items():
            parts += [f"{person_name(state, event.tournament, str(who))} ", score, ", "]
        if scores:
            parts.pop()
        parts += [place] if (place := place_of(event.entry)) else []
    elif (said := _of_teams(state, event)) is not None:
        parts = [f"Entry {event.number}: {said}"]
    else:
        rest = {name: value for name, value in event.entry.items() if name not in {kind, "at", "why"}}
        about = (
            machine_name(state, str(subject))
            if kind == "machine"
            else person_name(state, event.tournament, str(subject))
        )
        parts += [about, "".join(f", {name} {_told(state, event, name, value)}" for name, value in rest.items())]
    if event.recused is not None:
        parts.append(f" (by an official who plays there as {person_name(state, event.tournament, event.recused)})")
    why = event.why or event.entry.get("why") or (f"despite the rules: {event.despite}" if event.despite else None)
    return Line(group="tournament", parts=tuple(parts), why=why)


def _of_teams(state: State, event: e.EntryRecorded) -> str | None:
    """An entry about teams in words, None for another."""
    return team_entry(
        event.entry,
        lambda who: person_name(state, event.tournament, None if who is None else str(who)),
        lambda machine: machine_name(state, str(machine)),
    )


def _told(state: State, event: e.EntryRecorded, name: str, value: object) -> str:
    """A field of an entry: people and machines by name."""
    if name in {"who", "absent", "substitute", "with", "team"}:
        named = value if isinstance(value, list | tuple) else [value]
        return listed(person_name(state, event.tournament, str(who)) for who in named)
    return machine_name(state, str(value)) if name == "machine" else str(value)


def _head_change(event: e.HeadChanged) -> str:
    """Say what changed in a head: settings with both values, rows by name."""
    said: list[str] = []
    for key, new in event.after.items():
        old = event.before.get(key)
        if key == "rules":
            both = [(name, (old or {}).get(name), new.get(name)) for name in sorted({*(old or {}), *new})]
            said += [f"{name} {_value(was)} → {_value(is_)}" for name, was, is_ in both if was != is_]
        elif key in {"players", "machines", "teams"}:
            said += [f"{row.get('name') or row['id']} changed" for row in new]
        else:
            said.append(f"{key} {_value(old)} → {_value(new)}")
    return "Changed: " + ", ".join(said)


def _value(value: object) -> str:
    return "as the rules have it" if value is None else str(value)


def _assigned(state: State, event: e.MachineAssigned) -> Line:
    names = listed(person_name(state, event.place.tournament, who) for who in event.players)
    return Line(group="machine", parts=(f"{names} put on {machine_name(state, event.machine)}",))


def _malfunction(state: State, event: e.MalfunctionOpened) -> Line:
    about = machine_name(state, event.machine) if event.machine else (event.agent or "the venue")
    parts: tuple[Part, ...] = (f"{about}: {fault_sign(event.fault).word}",)
    if event.scores:
        parts = (*parts, "; scores then: ", *_scores(event.scores))
    return Line(group="fault", parts=parts, why=event.detail)


def _of_malfunction(state: State, malfunction: str) -> str:
    found = state.malfunctions.get(malfunction)
    if found is None:
        return malfunction
    about = machine_name(state, found.machine) if found.machine else (found.agent or "the venue")
    return f"{about}: {fault_sign(found.fault).word}"


def _planned(state: State, event: e.PowerCyclePlanned) -> Line:
    names = listed(machine_name(state, machine) for machine in event.machines)
    return Line(group="machine", parts=(f"Power cycle announced for {names}",), why=event.why)


def _plain(group: str, words: Callable[[State, Any], str]) -> Callable[[State, Any], Line]:
    return lambda state, event: Line(group=group, parts=(words(state, event),), why=getattr(event, "why", None))


def _player(state: State, event: e.QueueJoined | e.QueueCalled | e.QueueLeft) -> str:
    return person_name(state, event.tournament, event.player)


_TELLERS: dict[type[Any], Callable[[State, Any], Line]] = {
    e.FactTaken: _fact,
    e.FactQuarantined: _plain("reader", lambda _, v: f"Entry {v.seq} of {v.agent} was not understood and is kept"),
    e.StreamGap: _plain("reader", lambda _, v: f"Entries {v.first} to {v.through} of {v.agent} are lost"),
    e.GameMatched: _matched,
    e.GameUnmatched: _plain("game", lambda s, v: f"Nobody knows whose {_of_game(s, v.game)} was"),
    e.GameHeld: lambda s, v: Line(
        group="game", parts=(f"{_of_game(s, v.game).capitalize()} waits",), why="; ".join(v.why)
    ),
    e.GameDiscarded: _plain("game", lambda s, v: f"Discarded {_of_game(s, v.game)}"),
    e.ReadingOpened: _opened,
    e.ReadingDecided: _reading_decided,
    e.TournamentOpened: _plain("tournament", lambda _, v: f"{v.head.get('tournament', v.tournament)} opened"),
    e.PlayersAdded: _plain("tournament", lambda _, v: f"{len(v.players)} player(s) added"),
    e.MachinesAdded: _plain("tournament", lambda _, v: f"{len(v.machines)} machine(s) added"),
    e.TeamsAdded: _plain("tournament", lambda _, v: f"{len(v.teams)} team(s) added"),
    e.HeadChanged: lambda _, v: Line(group="tournament", parts=(_head_change(v),), why=v.why),
    e.OfficialEntered: _plain(
        "tournament",
        lambda s, v: (
            f"{v.user} plays as {person_name(s, v.tournament, v.player)}: recused from rulings there"
            if v.player is not None
            else f"{v.user} does not play"
        ),
    ),
    e.EntryRecorded: _entry,
    e.EntriesImported: _plain(
        "tournament", lambda _, v: f"Entries {v.first} to {v.first + len(v.entries) - 1} of {v.tournament} imported"
    ),
    e.EntryUndone: _plain("tournament", lambda _, v: f"Entry {v.number} undone"),
    e.EntryRestored: _plain("tournament", lambda _, v: f"Entry {v.number} restored"),
    e.MachineAssigned: _assigned,
    e.MachineUnassigned: _plain("machine", lambda s, v: f"Players taken off {machine_name(s, v.machine)}"),
    e.FreezeAsked: _plain("machine", lambda s, v: f"Asked {machine_name(s, v.machine)} to keep its scores"),
    e.QueueJoined: _plain("machine", lambda s, v: f"{_player(s, v)} in line for {machine_name(s, v.machine)}"),
    e.QueueCalled: _plain("machine", lambda s, v: f"{_player(s, v)} called to {machine_name(s, v.machine)}"),
    e.QueueLeft: _plain("machine", lambda s, v: f"{_player(s, v)} left the line for {machine_name(s, v.machine)}"),
    e.MalfunctionOpened: _malfunction,
    e.MalfunctionNoted: lambda s, v: Line(
        group="fault", parts=(*_malfunction(s, v).parts, " (a power cycle is announced)"), why=v.detail
    ),
    e.PowerCyclePlanned: _planned,
    e.MalfunctionClosed: _plain("fault", lambda s, v: f"{_of_malfunction(s, v.malfunction)}: closed"),
    e.MalfunctionAcknowledged: lambda s, v: Line(
        group="fault", parts=(f"{_of_malfunction(s, v.malfunction)}: seen",), why=v.note
    ),
}


GROUPS = (
    ("", "Everything"),
    ("score", "Readings"),
    ("game", "Games"),
    ("tournament", "Tournament"),
    ("machine", "Machines"),
    ("fault", "Malfunctions"),
    ("reader", "Readers"),
)
"""What the log can be narrowed to."""
