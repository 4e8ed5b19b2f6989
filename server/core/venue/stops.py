"""How a decider stops: refuse, missing, conflict; and the checks that all deciders share.

Only deciders raise these, and only `decide` catches them.
"""

from typing import Any, NoReturn, TypeVar

from server.core.venue.outcomes import Actor, Conflict, Refused
from server.core.venue.state import Machine, State, Tournament

T = TypeVar("T")


class Stop(Exception):
    """Carries the refusal or conflict out of a decider."""

    def __init__(self, outcome: Refused | Conflict) -> None:
        super().__init__(outcome.why)
        self.outcome = outcome


def refuse(why: str) -> NoReturn:
    """Against the rules or the state of things."""
    raise Stop(Refused(why=why))


def invalid(why: str) -> NoReturn:
    """The command itself makes no sense."""
    raise Stop(Refused(why=why, status="invalid"))


def forbid(why: str) -> NoReturn:
    """The actor's role may not."""
    raise Stop(Refused(why=why, status="forbidden"))


def conflict(why: str, **newer: Any) -> NoReturn:  # noqa: ANN401 - JSON for the person
    """The thing has changed since the person looked."""
    raise Stop(Conflict(why=why, newer=newer))


def need(found: T | None, what: str) -> T:
    """The thing, or a refusal that there is none."""
    if found is None:
        raise Stop(Refused(why=f"there is no {what}", status="missing"))
    return found


def need_tournament(state: State, tournament: str) -> Tournament:
    """The tournament by its id."""
    return need(state.tournaments.get(tournament), f"tournament {tournament}")


def need_version(tournament: Tournament, based_on: int | None) -> None:
    """The tournament is still as the person saw it, where he says at which version that was."""
    if based_on is not None and based_on != tournament.version:
        conflict("the tournament has changed since you looked", version=tournament.version, by=tournament.changed_by)


def need_up(machine: Machine) -> None:
    """The machine may be played on."""
    if machine.condition in {"down", "disabled", "replaced", "closed"}:
        refuse(f"{machine.name} is {machine.condition}: record that it is up first (machine: {machine.id}, status: up)")


def need_players(tournament: Tournament, players: tuple[str | None, ...]) -> None:
    """All of them are entered, and nobody is named twice."""
    named = [player for player in players if player is not None]
    for player in named:
        if not tournament.knows(player):
            raise Stop(Refused(why=f"{player} is not entered in {tournament.name}", status="missing"))
    if len(set(named)) < len(named):
        invalid("a player is named twice")


def need_reason(why: object) -> str:
    """A reason that says something; what came out of a document may be anything."""
    if why is not None and not isinstance(why, str):
        invalid("why: a reason is a text")
    text = (why or "").strip()
    if not text:
        invalid("a reason is needed")
    return text


def need_role(actor: Actor, roles: frozenset[str], what: str) -> None:
    """The actor may do this part of the command."""
    if not actor.roles & roles:
        forbid(f"{what} needs the role {' or '.join(sorted(roles))}")
