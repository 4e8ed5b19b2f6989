"""What people can want of a tournament's head while it runs. Nothing here checks or decides."""

from dataclasses import dataclass

from server.core.venue.values import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeHead:
    """Change settings, the name, the time zone, or facts of people and machines (by id) while the tournament runs.

    `changes` has the head's own keys: `rules` by setting, `players` and `machines` as rows with an id and what changes.
    """

    tournament: str
    changes: Json
    why: str
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTeams:
    """Add teams to a tournament, each as the tournament file's `teams` has them.

    One that is there without a roster may come again with one; a roster that is there changes by entries of the log.
    """

    tournament: str
    teams: tuple[Json, ...]
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterOfficial:
    """Somebody of the staff (`user`, as he logs in) is this player of a tournament, or with None nobody (T12.12)."""

    tournament: str
    user: str
    player: str | None = None
