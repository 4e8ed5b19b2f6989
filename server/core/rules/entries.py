"""How the entries of a tournament's log are written and read: the fields of each kind, and what they become.

Whether an entry is against the rules is decided elsewhere. Invariant: an Entry is well-formed, and its `written`
form, read again, gives the same Entry.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from server.core.rules import fields
from server.core.rules.acts import (
    Abandon,
    Absent,
    Act,
    AgreeTerms,
    Buy,
    Challenge,
    ChangeRoster,
    Close,
    Correct,
    Decision,
    DeclareLineup,
    EndMatch,
    Forfeit,
    LinedUp,
    MachineChange,
    Move,
    Pairing,
    Penalty,
    Played,
    Register,
    Ruling,
    SetMatch,
    Void,
)
from server.core.rules.errors import Path, TournamentInvalid

RULING_KINDS = ("add-ball", "best-of", "replay", "zero", "fraction", "stand")
MACHINE_STATES = ("down", "up", "disabled", "replaced", "closed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the log: what happened, when it was recorded (UTC), and the mapping that says so in a file."""

    act: Act
    at: datetime | None
    written: Mapping[str, object]


def parse_entry(document: object, path: Path, zone: tzinfo) -> Entry:
    """Read one entry. `zone` is the venue's, for times without an offset. Raises TournamentInvalid."""
    given = fields.mapping(document, path)
    kind, schema = _kind_of(given, path)
    subject = fields.ident(given[kind], (*path, kind))
    values: dict[str, object] = {schema.subject: subject}
    written: dict[str, object] = {kind: subject}
    at: datetime | None = None
    for key, value in given.items():
        if key == kind or value is None:
            continue
        place = (*path, str(key))
        check = schema.checks.get(key)  # type: ignore[call-overload]
        if check is None:
            raise TournamentInvalid(place, f"is no field of a {kind!r} entry; there are {', '.join(schema.checks)}")
        if check is venue_time:
            found: object = fields.moment(value, place, zone)
            written[str(key)] = value if isinstance(value, str) else str(value)
            if key == "at":
                at = found  # type: ignore[assignment]
                continue
        else:
            found = check(value, place)
            written[str(key)] = fields.plain(value if check in {_pairings, _lineup} else found)
        if key not in COMMON:
            values[RENAMED.get(str(key), str(key))] = found
    for key in schema.required:
        if key not in written:
            raise TournamentInvalid(path, f"a {kind!r} entry needs {key!r}")
    return Entry(act=schema.build(**values), at=at, written=written)


def _kind_of(given: Mapping[object, object], path: Path) -> tuple[str, "Schema"]:
    kind = next(iter(given), None)
    schema = SCHEMAS.get(kind) if isinstance(kind, str) else None
    if not isinstance(kind, str) or schema is None:
        found = f"{fields.show(kind)} is none" if given else "it is empty"
        raise TournamentInvalid(path, f"the first key of an entry says what it is: {', '.join(SCHEMAS)}; {found}")
    return kind, schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """How one kind of entry is read: what it becomes, the name of its subject, and its fields."""

    build: Callable[..., Act]
    subject: str = "subject"
    required: Mapping[str, fields.Check] = field(default_factory=dict)
    optional: Mapping[str, fields.Check] = field(default_factory=dict)
    checks: Mapping[str, fields.Check] = field(init=False)

    def __post_init__(self) -> None:
        """Put all fields into one table."""
        object.__setattr__(self, "checks", {**self.required, **self.optional, **COMMON})


def _tiebreak(value: object, path: Path) -> bool | str:
    return value if isinstance(value, bool) else fields.ident(value, path)


def _groups(value: object, path: Path) -> tuple[tuple[str, ...], ...]:
    """Read lists of players, each player once."""
    found = tuple(fields.idents(item, (*path, index)) for index, item in enumerate(fields.sequence(value, path)))
    everybody = [who for group in found for who in group]
    if len(set(everybody)) != len(everybody):
        raise TournamentInvalid(path, "names one twice")
    return found


def _pairings(value: object, path: Path) -> tuple[Pairing, ...]:
    """Read the games of a round: `{players: [...], machine?, group?}` each."""
    found = []
    for index, item in enumerate(fields.sequence(value, path)):
        place = (*path, index)
        given = fields.mapping(item, place)
        for key in given:
            if key not in {"players", "machine", "group"}:
                raise TournamentInvalid((*place, str(key)), "is no part of a pairing: players, machine, group")
        optional = {
            key: None if given.get(key) is None else fields.ident(given[key], (*place, key))
            for key in ("machine", "group")
        }
        found.append(Pairing(players=fields.idents(given.get("players"), (*place, "players")), **optional))
    return tuple(found)


def _lineup(value: object, path: Path) -> tuple[LinedUp, ...]:
    """Read the games of a line-up: `{slot, players: [...], machine?}` each."""
    found: list[LinedUp] = []
    for index, item in enumerate(fields.sequence(value, path)):
        place = (*path, index)
        given = fields.mapping(item, place)
        for key in given:
            if key not in {"slot", "players", "machine"}:
                raise TournamentInvalid((*place, str(key)), "is no part of a line-up: slot, players, machine")
        slot = fields.ident(given.get("slot"), (*place, "slot"))
        machine = None if given.get("machine") is None else fields.ident(given["machine"], (*place, "machine"))
        names = enumerate(fields.sequence(given.get("players"), (*place, "players")))
        players = tuple(fields.ident(name, (*place, "players", number)) for number, name in names)
        found.append(LinedUp(slot=slot, players=players, machine=machine))
    return tuple(found)


RENAMED = {"for": "offence", "with": "substitute"}


def venue_time(value: object, path: Path) -> object:
    """Stand for a time, which is read with the venue's zone."""
    raise NotImplementedError


COMMON: Mapping[str, fields.Check] = {"at": venue_time, "why": fields.text, "by": fields.text, "note": fields.text}

_ROUND = fields.whole_between(0, 1000)
_STROKES: Mapping[str, fields.Check] = {"balls": fields.lists_by_who, "strokes": fields.numbers_by_who}
_PLACE = {"match": fields.ident, "round": _ROUND, "slot": fields.ident}

SCHEMAS: Mapping[str, Schema] = {
    "register": Schema(build=Register, subject="player", optional={"division": fields.ident}),
    "buy": Schema(build=Buy, subject="player", required={"entries": fields.whole}, optional={"division": fields.ident}),
    "move": Schema(
        build=Move, subject="player", required={"division": fields.ident}, optional={"permission": fields.truth}
    ),
    "game": Schema(
        build=Played,
        subject="game",
        required={"machine": fields.ident, "scores": fields.numbers_by_who},
        optional={
            "division": fields.ident,
            "stage": fields.ident,
            "group": fields.ident,
            **_PLACE,
            "format": fields.ident,
            "joker": fields.truth,
            "tiebreak": _tiebreak,
            "makeup": fields.ident,
            "started_at": venue_time,
            "rollovers": fields.numbers_by_who,
            "rings": fields.numbers_by_who,
            **_STROKES,
        },
    ),
    "abandon": Schema(build=Abandon, subject="player", optional={"machine": fields.ident, "game": fields.ident}),
    "correct": Schema(build=Correct, subject="game", required={"scores": fields.numbers_by_who}, optional=_STROKES),
    "void": Schema(build=Void, subject="game", optional={"who": fields.ident}),
    "ruling": Schema(
        build=Ruling,
        subject="game",
        required={"kind": fields.one_of(*RULING_KINDS)},
        optional={"who": fields.ident, "games": fields.idents, "factor": fields.decimal},
    ),
    "penalty": Schema(
        build=Penalty,
        subject="who",
        required={"for": fields.ident},
        optional={"game": fields.ident, **_PLACE, "division": fields.ident},
    ),
    "machine": Schema(
        build=MachineChange,
        subject="machine",
        required={"status": fields.one_of(*MACHINE_STATES)},
        optional={
            "with": fields.ident,
            "scores": fields.one_of("void", "stand", "rescale"),
            "factor": fields.decimal,
        },
    ),
    "absent": Schema(
        build=Absent,
        subject="who",
        optional={"stage": fields.ident, "match": fields.ident, "with": fields.ident},
    ),
    "decision": Schema(
        build=Decision,
        subject="topic",
        optional={
            "stage": fields.ident,
            "who": fields.idents,
            "groups": _groups,
            "games": _pairings,
            "round": _ROUND,
            "qualifiers": fields.whole,
            "machine": fields.ident,
            "machines": fields.idents,
            "group": fields.ident,
            "position": fields.whole_between(1, 100),
            "game": fields.ident,
            "match": fields.ident,
            "team": fields.ident,
        },
    ),
    "close": Schema(build=Close, subject="stage", optional={"qualifiers": fields.whole}),
    "match": Schema(
        build=SetMatch,
        subject="match",
        required={"home": fields.ident, "away": fields.ident},
        optional={"week": fields.whole, "venue": fields.ident, "stage": fields.ident, "tiebreak": fields.truth},
    ),
    "lineup": Schema(
        build=DeclareLineup, subject="match", required={"round": _ROUND, "team": fields.ident, "games": _lineup}
    ),
    "forfeit": Schema(
        build=Forfeit,
        subject="match",
        required={"team": fields.ident},
        optional={"stayed": fields.truth, "for": fields.ident, "round": _ROUND, "slot": fields.ident},
    ),
    "roster": Schema(
        build=ChangeRoster,
        subject="team",
        optional={
            "add": fields.ident,
            "drop": fields.ident,
            "set": fields.ident,
            "role": fields.one_of("starter", "reserve"),
        },
    ),
    "terms": Schema(
        build=AgreeTerms,
        subject="match",
        optional={
            "extra_balls": fields.whole_between(0, 100),
            "balls": fields.whole_between(1, 100),
            "challenge_modes": fields.truth,
        },
    ),
    "challenge": Schema(build=Challenge, subject="game", required={"team": fields.ident}),
    "end": Schema(build=EndMatch, subject="match"),
}
