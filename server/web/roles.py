"""Who may open which page: one table, from which the menu, the start page and the refusals follow.

What a person may do is decided again with each command by `server.core.venue.decide`. Nothing here reads a cookie.
"""

from dataclasses import dataclass

from server.core.venue.roles import ANYBODY, FLOOR, OFFICIALS, STAFF

__all__ = ["ANYBODY", "FLOOR", "OFFICIALS", "STAFF"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A page: `roles` may open it, None is everybody, logged in or not."""

    href: str
    word: str
    about: str
    roles: frozenset[str] | None


DOORS = (
    Door(href="/desk", word="Desk", about="The wall of machines, alarms, who plays where", roles=STAFF),
    Door(href="/rounds", word="Rounds", about="What is to be played: ties, groups, schedules, calls", roles=STAFF),
    Door(href="/review", word="Review", about="Doubtful readings and games nobody owns", roles=OFFICIALS),
    Door(
        href="/scorekeeper",
        word="Scorekeeper",
        about="A machine by hand: begin, final scores, malfunction",
        roles=FLOOR,
    ),
    Door(href="/board", word="Board", about="Standings and scores for the hall", roles=None),
    Door(href="/explain", word="Standings", about="Each number with where it comes from, and the rules", roles=None),
    Door(href="/machines", word="Machines", about="Each machine with its reader and agent", roles=ANYBODY),
    Door(href="/rulings", word="Rulings", about="What was decided and why; decisions of the staff", roles=STAFF),
    Door(href="/setup", word="Setup", about="Settings, names and facts, changed with why", roles=OFFICIALS),
    Door(href="/log", word="Log", about="Everything that happened: who, when, what, why", roles=STAFF),
)


def may_open(door: Door, roles: frozenset[str]) -> bool:
    """Whether somebody with these roles may open the page."""
    return door.roles is None or bool(door.roles & roles)


def doors_for(roles: frozenset[str]) -> tuple[Door, ...]:
    """The pages open to these roles, in the order of the menu."""
    return tuple(door for door in DOORS if may_open(door, roles))
