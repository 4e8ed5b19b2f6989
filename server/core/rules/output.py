"""The state as the output of the tournament file: one mapping, ready for JSON.

Only shaping, no rules. Invariant: the keys are those of the format's description; lists are in a fixed order.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import itemgetter

from server.core.rules import conduct
from server.core.rules.accounts import entries_left
from server.core.rules.choosing import choices_now
from server.core.rules.clocks import closing_time
from server.core.rules.machines import deadline
from server.core.rules.places import final_places
from server.core.rules.results import GroupResult, OpenTie, ScheduledGame, StageResult
from server.core.rules.scheduled import plan
from server.core.rules.stages import chain
from server.core.rules.state import Flag, PlayerState, State, Told
from server.core.rules.teams.league_told import match_flags
from server.core.rules.teams.output import describe_teams


def describe(state: State, now: datetime | None) -> dict[str, object]:
    """Give the whole output; `now` is the moment asked for (UTC), else the last time in the log."""
    moment = now or state.last_at
    results = [result for division in state.divisions.values() for result in chain(state, division)]
    places = final_places(state)
    tables = {name: rows for result in results for name, rows in result.tables.items()}
    unplanned = plan(state, results)
    flags = [*unplanned, *(flag for result in results for flag in result.flags), *_overdue(state, moment)]
    flags += match_flags(state)
    return {
        "tournament": state.head.name,
        "preset": state.head.preset.name,
        "rules": state.head.written.get("rules", {}),
        "stages": [_stage(state, result) for result in results],
        "players": [_player(state, player, places) for player in state.players.values()],
        "machines": [_machine(state, name, tables) for name in state.machines],
        **(describe_teams(state, results) if state.head.preset.teams else {}),
        "refused": [{"entry": entry, "why": why} for entry, why in state.refused],
        "flags": _flags(state, flags),
    }


def _stage(state: State, result: StageResult) -> dict[str, object]:
    found: dict[str, object] = {
        "id": result.stage.id,
        "status": "closed" if result.stage.closed or (result.complete and result.settled) else "open",
        "standings": result.rows,
        "advance": list(result.advance),
        "tiebreaks": [_tie(tie) for tie in result.ties],
    }
    closes = closing_time(state) if result.stage.form is None else None
    if closes is not None:
        found["closes"] = closes.astimezone(state.head.zone).isoformat()
    if result.unranked:
        found["unranked"] = result.unranked
    if result.groups is not None:
        found["groups"] = [_group(group) for group in result.groups]
    choices = choices_now(state, result)
    if choices is not None:
        found["choices"] = choices
    if result.unscheduled is not None:
        found["unscheduled"] = result.unscheduled
    if result.schedule is not None:
        found["schedule"] = [_scheduled(game) for game in result.schedule]
    return found


def _scheduled(game: ScheduledGame) -> dict[str, object]:
    found: dict[str, object] = {"round": game.round, "machine": game.machine, "who": list(game.who), "game": game.game}
    return found if game.group is None else found | {"group": game.group}


def _tie(tie: OpenTie) -> dict[str, object]:
    who = list(tie.tie.who)
    groups: list[list[str]] = []
    for size in tie.sizes:
        groups.append(who[:size])
        who = who[size:]
    found: dict[str, object] = {
        "reason": tie.tie.reason,
        "who": list(tie.tie.who),
        "places": list(tie.tie.places),
        "sizes": tie.sizes,
        "groups": groups,
    }
    if tie.draw:
        found["draw"] = True
    within = {"game": tie.game, "machine": tie.machine, "group": tie.group}
    return found | {key: value for key, value in within.items() if value is not None}


def _group(group: GroupResult) -> dict[str, object]:
    return {"id": group.id, "who": list(group.who), "standings": group.rows}


def _player(state: State, player: PlayerState, places: Mapping[str, int]) -> dict[str, object]:
    found: dict[str, object] = {"id": player.head.id}
    if state.head.preset.divisions:
        found["division"] = player.division
    found["fees"] = player.fees
    found["entries_left"] = entries_left(state, player)
    found["status"] = "ejected" if player.ejected or player.out_of else "active"
    if player.suspended:
        found["status"] = "suspended"
    if conduct.is_on(state):
        found["offences"] = player.misconduct
    if player.head.id in places:
        found["place"] = places[player.head.id]
    if player.out_of:
        found["out_of"] = sorted(player.out_of)
    return found


def _machine(state: State, name: str, tables: Mapping[str, list[dict[str, object]]]) -> dict[str, object]:
    machine = state.machines[name]
    until = deadline(state, machine)
    local = until.astimezone(state.head.zone).isoformat() if until is not None else None
    found: dict[str, object] = {"id": name, "status": machine.status, "deadline": local}
    return found | {"standings": tables[name]} if name in tables else found


def _flags(state: State, more: Iterable[Flag]) -> list[dict[str, object]]:
    """Give all flags in order; those of the log only become more, and are not put in order again for nothing."""
    fresh = state.flags[len(state.told) :]
    if fresh:
        state.told = sorted(state.told + [_flag(flag) for flag in fresh], key=itemgetter(0))
    others = [_flag(flag) for flag in more]
    found = sorted(state.told + others, key=itemgetter(0)) if others else state.told
    return [shown for _, shown in found]


def _flag(flag: Flag) -> Told:
    found: dict[str, object] = {"entry": flag.entry, "kind": flag.kind, "why": flag.why}
    return (flag.entry, flag.kind, flag.why), found if flag.who is None else found | {"who": flag.who}


def _overdue(state: State, moment: datetime | None) -> list[Flag]:
    """T13.2: a machine that is down for longer than the rules allow."""
    flags = []
    for name, machine in state.machines.items():
        until = deadline(state, machine)
        if until is not None and moment is not None and moment > until:
            why = f"{name} is down for longer than the rules allow: officials decide"
            flags.append(Flag(entry=machine.down_entry, kind="needs-official", why=why))
    return flags
