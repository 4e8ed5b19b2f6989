"""What people may send about a match of teams: line-ups, games, forfeits, terms, challenges, rosters. Strict, bounded.

`team` may be left out by a captain, who speaks for the own one.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from server.web.api.bodies import Body, Id, TypedBody, Version, Why

Round = Annotated[int, Field(ge=0, le=1000)]
Slot = int | Id


class NewMatchBody(Body):
    """A match that is set: who meets whom; `week` and `venue` in a league, `stage` after the first one."""

    match: Id
    home: Id
    away: Id
    week: Annotated[int, Field(ge=0, le=1000)] | None = None
    venue: Id | None = None
    stage: Id | None = None
    tiebreak: bool = False
    why: Why | None = None
    based_on: Version | None = None


class LinedUpBody(Body):
    """One game of a line-up; who declares first names its machine."""

    slot: Slot
    players: Annotated[list[Id], Field(min_length=1, max_length=16)]
    machine: Id | None = None

    def written(self) -> dict[str, Any]:
        """As the log has it."""
        found: dict[str, Any] = {"slot": str(self.slot), "players": list(self.players)}
        return found if self.machine is None else {**found, "machine": self.machine}


class OfTeamBody(Body):
    """Somebody speaks for a team."""

    team: Id | None = None
    why: Why | None = None
    despite_rules: bool = False
    despite_recusal: bool = False
    by: Id | None = None
    based_on: Version | None = None


class LineupBody(OfTeamBody):
    """A line-up for a round, or after a breakdown the games of it that are declared anew."""

    round: Round
    games: Annotated[list[LinedUpBody], Field(min_length=1, max_length=20)]


class MatchGameBody(TypedBody):
    """A typed game of the match, scores in order of play; `tiebreak` for its tie-break game."""

    tournament: Literal["current"] = "current"
    match: None = None


class ForfeitBody(OfTeamBody):
    """The whole match, or one game of it; `for` says why."""

    round: Round | None = None
    slot: Slot | None = None
    stayed: bool = False
    offence: Annotated[Id | None, Field(alias="for")] = None


class ChallengeBody(OfTeamBody):
    """A team contests a game of the match."""

    game: Id


class TermsBody(OfTeamBody):
    """What was agreed before the match."""

    extra_balls: Annotated[int, Field(ge=0, le=100)] | None = None
    balls: Annotated[int, Field(ge=1, le=100)] | None = None
    challenge_modes: bool | None = None


class RosterBody(Body):
    """One change of a roster, checked as a whole."""

    add: Id | None = None
    drop: Id | None = None
    set: Id | None = None
    role: Literal["starter", "reserve"] | None = None
    why: Why | None = None
    despite_rules: bool = False
    at: Id | None = None
    based_on: Version | None = None
