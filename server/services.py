"""Everything that the web and the commands need, composed once per program. No service locator, no globals.

The invariant: frozen; whoever needs a part is given it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from server.accounts import Accounts
from server.desk import Desk
from server.evidence import Evidence
from server.live import Hub
from server.store.database import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkHealth:
    """How the line to the broker is: `state` as the link says it (`up` is well), `why` in one line."""

    state: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts of a running server."""

    store: Store
    desk: Desk
    accounts: Accounts
    evidence: Evidence
    zone: ZoneInfo
    venue: str
    now: Callable[[], int]
    """Milliseconds since 1970 UTC."""
    broker: Callable[[], LinkHealth]
    """How the line to the broker is just now."""

    @property
    def hub(self) -> Hub:
        """Who looks on."""
        return self.desk.hub
