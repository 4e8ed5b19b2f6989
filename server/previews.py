"""What a change of a tournament's head would do, before anybody does it: decided and evaluated, and nothing recorded.

The invariant: the answer is about exactly the version that it names; what is recorded later is not in it.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from server.consequences import told
from server.core import rules
from server.core.venue.book import Book
from server.core.venue.commands import ChangeHead
from server.core.venue.decide import decide
from server.core.venue.events import HeadChanged
from server.core.venue.heads import changed_head
from server.core.venue.outcomes import Actor, Conflict, Refused
from server.core.venue.state import State
from server.core.venue.values import Json
from server.standings import Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What would change: values in `before` and `after`, and under `told` what that does to what is settled."""

    version: int
    before: Json
    after: Json
    told: dict[str, Any]


def preview(
    standings: Standings,
    reading: Callable[[], AbstractContextManager[State]],
    command: ChangeHead,
    actor: Actor,
) -> Preview | Refused | Conflict:
    """Decide and evaluate a change without recording it. Takes as long as an evaluation of the whole log does."""
    with reading() as state:
        decision = decide(state, command, actor, state.at, Book())
        if isinstance(decision, Refused | Conflict):
            return decision
        head = state.tournaments[command.tournament].head
    event = next(one for one in decision.events if isinstance(one, HeadChanged))
    now = standings.of(command.tournament)
    if now is None:
        return Refused(why=f"there is no tournament {command.tournament}", status="missing")
    log = [entry.written for entry in now.page.tournament.log]
    changed = rules.parse({"inlane": 1, **changed_head(head, event.after), "log": log})
    page = replace(now.page, tournament=changed)
    then = replace(now, outcome=rules.evaluate(changed), page=page)
    return Preview(version=now.version, before=event.before, after=event.after, told=told(now, then))
