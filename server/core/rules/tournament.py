"""A whole tournament as the rules see it: its head, and the log of what happened.

Nothing is computed here. Invariant: a Tournament is well-formed; every id in its head is there once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from server.core.rules import fields
from server.core.rules.entries import Entry, parse_entry
from server.core.rules.errors import Path, TournamentInvalid
from server.core.rules.growing import Growing
from server.core.rules.presets import PRESETS, Preset
from server.core.rules.settings import Settings
from server.core.rules.teams.heads import Team, read_teams

VERSION = 1
KEYS = ("inlane", "tournament", "preset", "rules", "timezone", "now", "players", "teams", "machines", "log")


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One of the people, as the head describes him."""

    id: str
    name: str = ""
    division: str | None = None
    ifpa: int | None = None
    wppr_rank: int | None = None
    season_rank: int | None = None
    country: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One of the machines. `players` is how many can play at once."""

    id: str
    name: str = ""
    division: str | None = None
    players: int | None = None
    venue: str | None = None
    max_score: int | None = None
    digits: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What is known before anything happens. `written` is the head as a document, without the log.

    `players` are those that the file lists, and after them everybody who is only in a roster.
    """

    name: str
    preset: Preset
    settings: Settings
    zone: tzinfo
    players: Mapping[str, Player]
    machines: Mapping[str, Machine]
    written: Mapping[str, object]
    teams: Mapping[str, Team] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A head, a log in order, and optionally the moment for which the state is asked (UTC)."""

    head: Head
    log: Growing[Entry] | tuple[Entry, ...]
    now: datetime | None = None


def parse(document: Mapping[str, object]) -> Tournament:
    """Read a document of the tournament file's format (already out of YAML or JSON; decimals as text or Decimal).

    Raises TournamentInvalid with the path of what is wrong.
    """
    given = fields.mapping(document, ())
    for key in given:
        if key not in KEYS and key != "expect":
            raise TournamentInvalid((str(key),), f"is no part of a tournament file; there are {', '.join(KEYS)}")
    if "inlane" not in given:
        raise TournamentInvalid((), "this is no tournament file: it does not begin with 'inlane: 1'")
    if fields.whole(given["inlane"], ("inlane",)) != VERSION:
        raise TournamentInvalid(("inlane",), f"this program reads version {VERSION} of the format only")
    head = _parse_head(given)
    log = fields.sequence(given.get("log"), ("log",))
    entries = Growing(parse_entry(entry, ("log", index), head.zone) for index, entry in enumerate(log))
    now = given.get("now")
    return Tournament(head=head, log=entries, now=None if now is None else fields.moment(now, ("now",), head.zone))


def with_entry(tournament: Tournament, entry: Entry | Mapping[str, object]) -> Tournament:
    """Give the tournament with one more log entry. A mapping is read first: TournamentInvalid when it is not one."""
    return replace(tournament, log=tournament.log + (read_entry(tournament, entry),))  # noqa: RUF005 - not a copy


def read_entry(tournament: Tournament, entry: Entry | Mapping[str, object]) -> Entry:
    """Give the entry that a mapping says, as the next of the log. Raises TournamentInvalid when it is none."""
    if isinstance(entry, Entry):
        return entry
    return parse_entry(entry, ("log", len(tournament.log)), tournament.head.zone)


def _parse_head(given: Mapping[object, object]) -> Head:
    if "preset" not in given:
        raise TournamentInvalid(("preset",), f"is missing; there are {', '.join(PRESETS)}")
    name = fields.ident(given["preset"], ("preset",))
    preset = PRESETS.get(name)
    if preset is None:
        raise TournamentInvalid(("preset",), f"there is no rule set {name!r}; there are {', '.join(PRESETS)}")
    overrides = given.get("rules")
    overrides = {} if overrides is None else fields.mapping(overrides, ("rules",))
    settings = preset.read(_with_divisions(preset, overrides, given.get("machines")))
    preset = preset.built_for(settings)
    if given.get("teams") and not preset.teams:
        raise TournamentInvalid(("teams",), f"{name} is played by single players, not by teams")
    teams = read_teams(given.get("teams"))
    zone = _zone(given.get("timezone"))
    title = given.get("tournament")
    title = "" if title is None else fields.text(title, ("tournament",))
    divisions = (*settings.skill_divisions, *settings.special_divisions) if preset.divisions else None
    players = _with_rosters(_people(given.get("players"), divisions), teams)
    machines = _machines(given.get("machines"), divisions)
    unknown = next((name for name in settings.targets if name not in machines), None)
    if unknown is not None:
        raise TournamentInvalid(("rules", "targets", unknown), f"there is no machine {unknown}")
    plain = {**given, "tournament": title}
    written = {key: fields.plain(plain[key]) for key in KEYS[:-1] if plain.get(key) is not None}
    return Head(
        name=title,
        preset=preset,
        settings=settings,
        zone=zone,
        players=players,
        machines=machines,
        teams=teams,
        written=written,
    )


def _with_divisions(preset: Preset, overrides: Mapping[object, object], machines: object) -> Mapping[object, object]:
    """Give the settings with the divisions that the machines serve, where a preset leaves open whether there are any.

    The one whose name comes first is the highest: A, B, C. What the settings say themselves holds.
    """
    if not preset.optional_divisions or "skill_divisions" in overrides:
        return overrides
    served = {
        fields.ident(item["division"], ("machines", index, "division"))
        for index, item in enumerate(fields.sequence(machines, ("machines",)))
        if isinstance(item, Mapping) and item.get("division") is not None
    }
    special = overrides.get("special_divisions")
    served -= set(fields.idents(special, ("rules", "special_divisions")))
    return {**overrides, "skill_divisions": sorted(served)} if served else overrides


def _zone(value: object) -> tzinfo:
    if value is None:
        return UTC
    name = fields.ident(value, ("timezone",))
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise TournamentInvalid(
            ("timezone",), f"there is no time zone {name!r}; write one such as Europe/London or America/Toronto"
        ) from None


def _people(value: object, divisions: tuple[str, ...] | None) -> dict[str, Player]:
    found: dict[str, Player] = {}
    for index, item in enumerate(fields.sequence(value, ("players",))):
        path: Path = ("players", index)
        player = Player(**fields.row(item, path, PLAYER))  # type: ignore[arg-type]
        if player.id in found:
            raise TournamentInvalid((*path, "id"), f"player {player.id} is there already")
        _check_division(player.division, divisions, path)
        found[player.id] = player
    return found


def _with_rosters(players: dict[str, Player], teams: Mapping[str, Team]) -> dict[str, Player]:
    """Add who is only in a roster. Scores are kept by player or by team, so no two of them have one id."""
    for index, team in enumerate(teams.values()):
        if team.id in players:
            raise TournamentInvalid(("teams", index, "id"), f"there is a player {team.id}: a team needs another id")
        for member in team.roster or ():
            if member.id in teams:
                raise TournamentInvalid(("teams", index, "roster"), f"{member.id} is a team: a player needs another id")
            known = players.setdefault(member.id, Player(id=member.id, name=member.name))
            if member.name and not known.name:
                players[member.id] = replace(known, name=member.name)
    return players


def _machines(value: object, divisions: tuple[str, ...] | None) -> dict[str, Machine]:
    found: dict[str, Machine] = {}
    for index, item in enumerate(fields.sequence(value, ("machines",))):
        path: Path = ("machines", index)
        machine = Machine(**fields.row(item, path, MACHINE))  # type: ignore[arg-type]
        if machine.id in found:
            raise TournamentInvalid((*path, "id"), f"machine {machine.id} is there already")
        _check_division(machine.division, divisions, path)
        found[machine.id] = machine
    return found


def _check_division(name: str | None, divisions: tuple[str, ...] | None, path: Path) -> None:
    if name is not None and divisions is not None and name not in divisions:
        raise TournamentInvalid(
            (*path, "division"), f"there is no such division as {name}; there are {', '.join(divisions)}"
        )


_RANK = fields.whole_between(1, 10**9)

PLAYER: Mapping[str, fields.Check] = {
    "id": fields.ident,
    "name": fields.text,
    "division": fields.ident,
    "ifpa": fields.whole_between(0, 10**12),
    "wppr_rank": _RANK,
    "season_rank": _RANK,
    "country": fields.ident,
}
MACHINE: Mapping[str, fields.Check] = {
    "id": fields.ident,
    "name": fields.text,
    "division": fields.ident,
    "players": fields.whole_between(1, 100),
    "venue": fields.ident,
    "max_score": fields.not_below_0,
    "digits": fields.whole_between(1, 100),
}
