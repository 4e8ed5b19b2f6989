"""Deciding which player somebody of the staff is himself (T12.12): each says it of himself, officials of anybody.

The invariant: what is said stays in the ledger with who said it; nobody is barred by it from anything but rulings.
"""

from server.core.venue import commands as c
from server.core.venue.book import Book
from server.core.venue.log_events import OfficialEntered
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.roles import OFFICIALS
from server.core.venue.state import State
from server.core.venue.stops import invalid, need_players, need_role, need_tournament

LONGEST = 80


def enter_official(state: State, command: c.EnterOfficial, actor: Actor, _at: int, _book: Book) -> Decision:
    """Note that a user is a player of the tournament, or that he is none."""
    tournament = need_tournament(state, command.tournament)
    if not 1 <= len(command.user) <= LONGEST:
        invalid(f"user: the name with which somebody logs in, up to {LONGEST} characters")
    if command.user != actor.name:
        need_role(actor, OFFICIALS, "saying which player somebody else is")
    if command.player is not None:
        need_players(tournament, (command.player,))
    if state.entered.get((tournament.id, command.user)) == command.player:
        invalid(f"that is known of {command.user}")
    event = OfficialEntered(tournament=tournament.id, user=command.user, player=command.player)
    return Decision(events=(event,), result={"user": command.user, "player": command.player})
