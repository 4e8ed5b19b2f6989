"""Whether an agent is there: births and wills, told apart by session and boot. Pure.

A will of an older session is late news and changes nothing. A boot, or a stream, that speaks again after another took
its place is a second computer (a copied card) or a second program under one agent's name: that is an alarm, since each
takes the connection away from the other.
"""

from collections import OrderedDict
from dataclasses import dataclass, field

from bridge.wire.control import Status

LIVES = 8
"""Lives, each a boot and a stream, remembered for each agent."""

Life = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOnline:
    """The agent was born (again): on each of its connections."""

    agent: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGone:
    """The agent ended (`status.state` is stopped) or was lost (lost)."""

    agent: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoBoots:
    """Two speak under one agent's name: `hosts` and `boots`, the one heard before and the one heard now.

    With one and the same boot these are two programs on one computer, with an outbox each.
    """

    agent: str
    hosts: tuple[str, str]
    boots: tuple[str, str]

    @property
    def told(self) -> str:
        """In words."""
        if self.boots[0] == self.boots[1]:
            return f"two programs on {self.hosts[1]} speak as {self.agent}"
        return f"two computers speak as {self.agent}: {self.hosts[0]} and {self.hosts[1]}"


PresenceEvent = AgentOnline | AgentGone | TwoBoots


@dataclass(slots=True)
class _Known:
    status: Status
    lives: OrderedDict[Life, int] = field(default_factory=OrderedDict)
    """Each life's highest session."""
    alarmed: set[Life] = field(default_factory=set)


class Presence:
    """What is known of every agent's presence."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def status(self, agent: str) -> Status | None:
        """The last status that counted."""
        known = self._known.get(agent)
        return None if known is None else known.status

    def heard(self, agent: str, status: Status) -> list[PresenceEvent]:
        """Take a status message; returns what it changes. Late, doubled and reordered ones change nothing."""
        known = self._known.get(agent)
        if known is None:
            known = self._known[agent] = _Known(status=status)
            known.lives[_life(status)] = status.session
            return [self._event(agent, status)]
        if status.state != "online":
            return self._ending(agent, known, status)
        return self._birth(agent, known, status)

    def _ending(self, agent: str, known: _Known, status: Status) -> list[PresenceEvent]:
        current = known.status
        same_life = (status.stream, status.boot) == (current.stream, current.boot)
        if not same_life or status.session < current.session or status.state == current.state:
            return []
        if current.state == "stopped" and status.session == current.session:
            return []  # its will, after it said good-bye
        known.status = status
        return [self._event(agent, status)]

    def _birth(self, agent: str, known: _Known, status: Status) -> list[PresenceEvent]:
        current, life = known.status, _life(status)
        before, other = known.lives.get(life, 0), life != _life(current)
        if (other and 0 < status.session <= before) or (not other and status.session < current.session):
            return []  # an earlier birth, late
        events: list[PresenceEvent] = []
        if other and life not in known.alarmed and _was_here(known, current, status):
            known.alarmed |= {life, _life(current)}
            hosts = (current.host, status.host)
            events.append(TwoBoots(agent=agent, hosts=hosts, boots=(current.boot, status.boot)))
        repeated = status == current
        known.status = status
        known.lives[life] = max(before, status.session)
        known.lives.move_to_end(life)
        while len(known.lives) > LIVES:
            known.lives.popitem(last=False)
        return events if repeated else [*events, self._event(agent, status)]

    @staticmethod
    def _event(agent: str, status: Status) -> PresenceEvent:
        online = status.state == "online"
        return AgentOnline(agent=agent, status=status) if online else AgentGone(agent=agent, status=status)


def _life(status: Status) -> Life:
    return status.boot, status.stream


def _was_here(known: _Known, current: Status, status: Status) -> bool:
    """Whether this boot or this life spoke before the present one did: neither ever comes back by itself."""
    if status.boot != current.boot:
        return any(boot == status.boot for boot, _ in known.lives)
    return _life(status) in known.lives
