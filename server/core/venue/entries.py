"""The log entries that people record: who may record which kind, their form, and what they are about.

The rules decide whether an entry is right; here only its shape, its names and its time are looked at.
"""

from typing import Any

from server.core.venue.outcomes import Actor
from server.core.venue.posting import free_game_id
from server.core.venue.roles import CAPTAINS, COUNTER, FLOOR, OFFICIALS, STAFF
from server.core.venue.state import LogEntry, State, Tournament
from server.core.venue.stops import conflict, invalid, need, need_players, need_role, refuse
from server.core.venue.teams import MATCH_KINDS, match_of
from server.core.venue.times import moment
from server.core.venue.values import GAME_KINDS, Json, entry_kind

KINDS: dict[str, frozenset[str]] = {
    "register": COUNTER, "buy": COUNTER, "move": COUNTER, "machine": COUNTER,
    "game": FLOOR, "abandon": FLOOR, "absent": FLOOR,
    "correct": OFFICIALS, "void": OFFICIALS, "ruling": OFFICIALS, "penalty": OFFICIALS, "close": OFFICIALS,
    "decision": STAFF, "match": COUNTER,
    "lineup": STAFF, "roster": STAFF, "terms": STAFF, "challenge": STAFF, "end": STAFF, "forfeit": FLOOR,
}  # fmt: skip
"""Which roles may record an entry of this kind."""

CAPTAINS_KINDS = frozenset({"game", "decision", "lineup", "roster", "terms", "challenge", "end", "forfeit"})
"""What captains may record too, for their own team (`captains`)."""

OFFICIAL_ONLY = frozenset({"correct", "void", "ruling", "penalty"})
"""Decisions on results: they need a reason."""

LONGEST_NAME = 80
HIGHEST = 10**18
"""The highest score that is recorded here; no machine shows so much, and every client reads it exactly."""

WEIGHTY = frozenset({"qualifiers", "field", "groups", "pairings", "machines", "round", "draw", "winner"})
"""Decisions that change what the rules compute: an official's, with a reason; any other is a record."""

_PEOPLE = frozenset({"register", "buy", "move", "abandon", "penalty", "absent"})


def need_recorder(actor: Actor, kind: str) -> bool:
    """Stop where nobody of these roles may record such an entry; says whether it is only as a captain that he may."""
    if actor.roles & KINDS[kind]:
        return False
    need_role(actor, KINDS[kind] | (CAPTAINS if kind in CAPTAINS_KINDS else frozenset()), kind)
    return True


def check_entry(state: State, tournament: Tournament, entry: Json, at: int) -> dict[str, Any]:
    """The entry as it will be recorded: its kind first, a game with an id, its time there."""
    kind = entry_kind(entry)
    if kind not in KINDS:
        invalid(f"an entry's first key says what it is: {', '.join(KINDS)}")
    found = {name: value for name, value in entry.items() if value is not None or name == kind}
    found.setdefault("at", moment(at))
    if kind == "game":
        return _game(state, tournament, found)
    if not isinstance(found[kind], str) or not found[kind]:
        invalid(f"{kind} must name its subject")
    _check_name(kind, found[kind])
    if kind in GAME_KINDS:
        need(state.posted.get((tournament.id, found[kind])), f"game {found[kind]}")
    elif kind == "machine" and found[kind] not in tournament.machines:
        refuse(f"{found[kind]} is no machine of {tournament.name}")
    elif kind in {"register", "buy", "move", "abandon"}:
        need_players(tournament, (found[kind],))
    if "scores" in found and kind == "correct":
        _check_scores(found["scores"])
    return found


def newer_about(state: State, tournament: Tournament, entry: Json, based_on: int | None) -> LogEntry | None:
    """The last entry about the same game, player, machine or stage that changed since the version, if any."""
    if based_on is None or based_on >= tournament.version:
        return None
    about = _subjects(entry)
    fresh = (x for x in state.log(tournament.id) if x.version > based_on)
    changed = [x for x in fresh if about & _touched(state, tournament, x.entry)]
    return max(changed, key=lambda x: x.version, default=None)


def _game(state: State, tournament: Tournament, entry: dict[str, Any]) -> dict[str, Any]:
    name = entry["game"] or free_game_id(state, tournament.id)
    if not isinstance(name, str) or len(name) > 40:
        invalid("a game's id is 1 to 40 characters; leave it empty to get one")
    number = state.posted.get((tournament.id, name))
    if number is not None:
        conflict(f"there is a game {name} already", version=tournament.version, number=number)
    _check_name("machine", entry.get("machine"))
    if entry.get("machine") not in tournament.machines:
        refuse(f"{entry.get('machine')} is no machine of {tournament.name}")
    _check_scores(entry.get("scores"))
    need_players(tournament, tuple(entry["scores"]))
    return {"game": name, **{key: value for key, value in entry.items() if key != "game"}}


def _check_name(what: str, name: object) -> None:
    """A name that is told back to people is short and on one line."""
    if isinstance(name, str) and (len(name) > LONGEST_NAME or not name.isprintable()):
        invalid(f"{what}: an id is a text of up to {LONGEST_NAME} characters on one line")


def _check_scores(scores: object) -> None:
    if not isinstance(scores, dict) or not scores:
        invalid("scores: who had how many points")
    for who, score in scores.items():
        if type(score) is not int or not 0 <= score <= HIGHEST:
            invalid(f"scores: {who}: a score is a whole number from 0 to {HIGHEST}")


def _touched(state: State, tournament: Tournament, entry: Json) -> set[tuple[str, str]]:
    """What an entry changes: that which it is about, and the match to which that belongs."""
    match = match_of(state, tournament.id, entry)
    return _subjects(entry) | (set() if match is None else {("match", match)})


def _subjects(entry: Json) -> set[tuple[str, str]]:
    """What an entry rests on: of a match the round, where it declares a line-up, the slot, where it is about one."""
    kind = entry_kind(entry)
    subject = str(entry.get(kind))
    match = entry.get("match") if kind in {"game", "decision"} else entry[kind] if kind in MATCH_KINDS else None
    if match is not None:
        place = tuple(str(entry[key]) for key in ("round", "slot") if entry.get(key) is not None)
        mine = {("/".join((kind if kind == "lineup" else "match", *place)), str(match))}
        return mine | ({("game", subject)} if kind == "game" else set())
    found = {("game" if kind in GAME_KINDS else "who" if kind in _PEOPLE else kind, subject)}
    if entry.get("game"):
        found |= {("game", str(entry["game"]))}
    return found
