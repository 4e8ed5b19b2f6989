"""Whether an agent is there: births and wills, told apart by session and boot. Pure.

A will of an older session is late news and changes nothing. A boot that speaks again after another boot took its place
is a second computer under one agent's name (a copied card): that is an alarm, since each would lose facts of the other.
"""

from collections import OrderedDict
from dataclasses import dataclass, field

from bridge.wire.control import Status

BOOTS = 8
"""Boots remembered for each agent."""


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
    """Two computers speak under one agent's name: `hosts` and `boots`, the one heard before and the one heard now."""

    agent: str
    hosts: tuple[str, str]
    boots: tuple[str, str]


PresenceEvent = AgentOnline | AgentGone | TwoBoots


@dataclass(slots=True)
class _Known:
    status: Status
    boots: OrderedDict[str, tuple[int, str]] = field(default_factory=OrderedDict)
    """Each boot's highest session, and its host's name."""
    alarmed: set[str] = field(default_factory=set)


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
            known.boots[status.boot] = (status.session, status.host)
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
        current = known.status
        before, _ = known.boots.get(status.boot, (0, ""))
        fresh = status.session > before or status.stream != current.stream
        if status.boot != current.boot and before and not fresh:
            return []  # an earlier boot's birth, late
        if status.boot == current.boot and not fresh and status.session < current.session:
            return []
        events: list[PresenceEvent] = []
        if status.boot != current.boot and before and status.boot not in known.alarmed:
            known.alarmed |= {status.boot, current.boot}
            hosts = (current.host, status.host)
            events.append(TwoBoots(agent=agent, hosts=hosts, boots=(current.boot, status.boot)))
        repeated = status == current
        known.status = status
        known.boots[status.boot] = (max(before, status.session), status.host)
        known.boots.move_to_end(status.boot)
        while len(known.boots) > BOOTS:
            known.boots.popitem(last=False)
        return events if repeated else [*events, self._event(agent, status)]

    @staticmethod
    def _event(agent: str, status: Status) -> PresenceEvent:
        online = status.state == "online"
        return AgentOnline(agent=agent, status=status) if online else AgentGone(agent=agent, status=status)
