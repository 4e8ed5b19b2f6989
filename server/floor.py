"""What is known of the floor only now: agents' presence and heartbeats, live scores. Never stored, gone at a restart.

The invariant: nothing here ever counts; a stale heartbeat is shown as such, never as health.
"""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bridge.wire.control import Hearing, Live, Pulse, Status
from server.core.venue.closing import Silence
from server.ingest.presence import AgentOnline, PresenceEvent, TwoBoots

SILENT_MS = 45_000
"""An agent that says it is online but has not been heard for so long counts as lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLife:
    """An agent as it was last heard. `heard` is ms since 1970 of the last word, None if it was before the start;
    `delivered` counts the facts that have come since its last pulse, `through` is the last of them and its stream.
    """

    name: str
    status: Status | None = None
    heard: int | None = None
    pulse: Pulse | None = None
    notes: tuple[str, ...] = ()
    delivered: int = 0
    through: tuple[str, int] = ("", 0)

    def state(self, now: int) -> str:
        """`online`, `stopped`, `lost` or `never`."""
        if self.status is None and self.pulse is None:
            return "never"
        if self.status is not None and self.status.state != "online":
            return self.status.state
        return "online" if self.heard is not None and now - self.heard < SILENT_MS else "lost"

    @property
    def backlog(self) -> int:
        """Facts that the agent holds and the server has not acknowledged."""
        return self.pulse.depth if self.pulse is not None else 0

    @property
    def hearings(self) -> Mapping[str, Hearing]:
        """What the agent says of each machine."""
        return {} if self.pulse is None else {hearing.machine: hearing for hearing in self.pulse.machines}


@dataclass(slots=True)
class Floor:
    """All agents and all live scores. Any thread may call."""

    _agents: dict[str, AgentLife] = field(default_factory=dict)
    _live: dict[str, tuple[str, tuple[Live, ...]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def heard(self, event: PresenceEvent, now: int) -> None:
        """A birth or an end."""
        with self._lock:
            life = self._agents.get(event.agent) or AgentLife(name=event.agent)
            if isinstance(event, TwoBoots):
                life = replace(life, notes=(event.told,))
            else:
                life = replace(life, status=event.status, heard=now)
            self._agents[event.agent] = life
            if not isinstance(event, AgentOnline | TwoBoots):
                self._silence(event.agent)

    def facts(self, agent: str, stream: str, through: int, now: int | None) -> None:
        """The facts of a stream have come up to this number and are committed; `now` is None for what lay somewhere."""
        with self._lock:
            life = self._agents.get(agent) or AgentLife(name=agent)
            before = life.through[1] if life.through[0] == stream else through - 1
            last = max(before, through)
            self._agents[agent] = replace(
                life,
                heard=life.heard if now is None else now,
                delivered=life.delivered + last - before,
                through=(stream, last),
            )

    def pulse(self, agent: str, pulse: Pulse, now: int) -> tuple[str, ...]:
        """A heartbeat; returns the machines whose live scores it changed."""
        with self._lock:
            life = self._agents.get(agent) or AgentLife(name=agent)
            self._agents[agent] = replace(life, heard=now, pulse=pulse, delivered=0)
            said: dict[str, tuple[Live, ...]] = {}
            for live in pulse.live:
                said[live.machine] = (*said.get(live.machine, ()), live)
            before = {machine for machine, (whose, _) in self._live.items() if whose == agent}
            changed = [m for m, scores in said.items() if self._live.get(m) != (agent, scores)]
            for machine, scores in said.items():
                self._live[machine] = (agent, scores)
            for machine in before - set(said):
                del self._live[machine]
                changed.append(machine)
            return tuple(changed)

    def agents(self) -> dict[str, AgentLife]:
        """Every agent that was heard since the start."""
        with self._lock:
            return dict(self._agents)

    def live(self) -> dict[str, tuple[Live, ...]]:
        """The live scores of each machine."""
        with self._lock:
            return {machine: scores for machine, (_, scores) in self._live.items()}

    def silent(self, names: Iterable[str], now: int) -> tuple[Silence, ...]:
        """Of these agents those that are not heard now, or that hold facts which have not come; an agent that said
        farewell with nothing left in its outbox is neither.
        """
        agents = self.agents()
        found = [(name, _unheard(agents.get(name) or AgentLife(name=name), now)) for name in sorted(names)]
        return tuple(Silence(agent=name, why=why) for name, why in found if why is not None)

    def _silence(self, agent: str) -> None:
        for machine in [m for m, (whose, _) in self._live.items() if whose == agent]:
            del self._live[machine]


def _unheard(life: AgentLife, now: int) -> str | None:
    said = 0 if life.status is None or life.status.stream != life.through[0] else life.status.head - life.through[1]
    if (left := max(life.backlog - life.delivered, said)) > 0:
        return f"holds {'a fact' if left == 1 else f'{left} facts'} that the server has not"
    if life.state(now) == "stopped" or (life.heard is not None and now - life.heard < SILENT_MS):
        return "is not heard" if life.state(now) == "lost" else None
    return "has not been heard since the server started" if life.heard is None else "is not heard"
