"""The wall of machines: what each does, who plays, how its reader fares. A tile says at a glance what needs a hand."""

from dataclasses import dataclass, replace

from server.core.venue.state import Game, Machine, Malfunction
from server.web.views import signs
from server.web.views.names import in_order, machine_name, person_name, told_apart, tournament_of
from server.web.views.scene import Agent, LiveScore, Scene, copied
from server.web.views.signs import Sign, fault_sign

LOUD = frozenset({"warn", "bad"})
QUIET = 45_000
"""Milliseconds without a word from an agent after which its tile says so."""
ON_ITS_WAY = 16
"""Facts that an agent may have in flight (its session's window) without being behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One player of a machine: `score` as it stands, `doubtful` where the reader is not sure, `up` whose turn it is."""

    number: int
    name: str | None
    score: int | None
    doubtful: bool = False
    up: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Last:
    """The game before: who, and what became of it. `score` is None while it is being checked."""

    name: str
    score: int | None
    sign: Sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One machine of the wall. `urgent` marks what needs a hand; `ball` says in words how far the game is."""

    id: str
    name: str
    version: int
    sign: Sign
    slots: tuple[Slot, ...]
    ball: str
    since: int | None
    seconds: float
    reader: Sign
    faults: tuple[Sign, ...]
    queue: tuple[str, ...]
    queued: int
    assigned: bool
    last: Last | None
    urgent: bool
    port: str | None = None
    agent: str | None = None
    heard: int | None = None
    notes: tuple[str, ...] = ()
    planned: int | None = None
    """Until when a power cycle is announced."""
    freezable: bool = False
    """An agent can be asked to keep the scores."""


def tiles(scene: Scene) -> tuple[Tile, ...]:
    """Every machine, by name; those of one name with their ids."""
    machines = copied(scene.state.machines)
    names = told_apart((machine.id, machine_name(scene.state, machine.id)) for machine in machines)
    found = (replace(tile(scene, machine), name=names[machine.id]) for machine in machines)
    return tuple(sorted(found, key=lambda tile: (in_order(tile.name), in_order(tile.id))))


def tile(scene: Scene, machine: Machine) -> Tile:
    """One machine's tile."""
    state = scene.state
    game = state.games.get(machine.game) if machine.game else None
    open_now = (state.malfunctions[name] for name in machine.open if name in state.malfunctions)
    faults = [fault for fault in open_now if fault.raised(scene.now)]
    sign = state_sign(machine, game)
    since = _since(machine, game)
    agent = scene.agents.get(machine.agent) if machine.agent else None
    return Tile(
        id=machine.id,
        name=machine_name(state, machine.id),
        version=machine.version,
        sign=sign,
        slots=_slots(scene, machine, game),
        ball=_ball(game, scene.live.get(machine.id, ())),
        since=since,
        seconds=0.0 if since is None else (scene.now - since) / 1000,
        reader=reader_sign(machine, agent, scene.now),
        faults=_fault_signs(faults, sign),
        queue=tuple(person_name(state, waiter.tournament, waiter.player) for waiter in machine.queue[:2]),
        queued=len(machine.queue),
        assigned=machine.assignment is not None,
        last=_last(scene, machine) if game is None and machine.assignment is None else None,
        urgent=sign.tone in LOUD or any(f.acknowledged_by is None and _sign_of(f).tone in LOUD for f in faults),
        planned=machine.planned_at(scene.now),
        freezable=machine.agent is not None,
        port=machine.port,
        agent=machine.agent,
        heard=agent.heard if agent is not None and agent.heard is not None else state.heard.get(machine.id),
        notes=agent.notes if agent is not None else (),
    )


def state_sign(machine: Machine, game: Game | None) -> Sign:
    """The one word for what the machine does now."""
    if machine.condition in signs.CONDITIONS:
        return signs.CONDITIONS[machine.condition]
    if game is not None:
        return signs.PLAYING if game.assignment is not None or any(game.players) else signs.NOBODY
    if machine.assignment is not None:
        return signs.READY
    return signs.IDLE


def reader_sign(machine: Machine, agent: Agent | None, now: int) -> Sign:
    """How the machine's reader fares: the agent first, then its port."""
    if machine.agent is None:
        return signs.NO_READER
    if agent is not None and agent.state in {"lost", "stopped"}:
        return Sign(word=f"Agent {agent.state}", tone="bad" if agent.state == "lost" else "warn", icon="cut")
    if agent is not None and agent.heard is not None and now - agent.heard > QUIET:
        return Sign(word="Agent silent", tone="warn", icon="cut")
    if machine.attached is False:
        return signs.UNHEARD
    if agent is not None and agent.backlog > ON_ITS_WAY:
        return Sign(word=f"Catching up, {agent.backlog} behind", tone="warn", icon="clock")
    return Sign(word="Reader fine", tone="good", icon="ok")


def _since(machine: Machine, game: Game | None) -> int | None:
    if game is not None and game.started is not None:
        return game.started
    return machine.assignment.at if machine.assignment is not None else machine.since


def _last(scene: Scene, machine: Machine) -> Last | None:
    game = scene.state.games.get(machine.last_game) if machine.last_game else None
    if game is None or len(game.scores) != 1 or game.status not in signs.GAME_STATUS:
        return None
    who = game.players[0] if game.players else None
    score = game.scores[0].score if game.status == "posted" else None
    name = person_name(scene.state, tournament_of(game), who)
    return Last(name=name, score=score, sign=signs.GAME_STATUS[game.status])


def _ball(game: Game | None, live: tuple[LiveScore, ...]) -> str:
    if game is None:
        return ""
    now = next((score.ball for score in live if score.up and score.ball is not None), None)
    if now is not None:
        return f"ball {now}"
    return f"after ball {game.ball}" if game.ball is not None else ""


def _slots(scene: Scene, machine: Machine, game: Game | None) -> tuple[Slot, ...]:
    assignment = machine.assignment
    if game is None:
        if assignment is None:
            return ()
        names = [person_name(scene.state, assignment.place.tournament, who) for who in assignment.players]
        return tuple(Slot(number=number, name=name, score=None) for number, name in enumerate(names, 1))
    tournament = tournament_of(game)
    who = game.players or (game.assignment.players if game.assignment else ())
    now = {live.player: live for live in scene.live.get(machine.id, ())}
    settled = {score.player: score.score for score in game.scores}
    count = max([game.slots or 0, len(who), *now, *settled, 1])
    found = []
    for number in range(1, count + 1):
        player = who[number - 1] if number <= len(who) else None
        live = now.get(number)
        found.append(
            Slot(
                number=number,
                name=None if player is None else person_name(scene.state, tournament, player),
                score=live.score if live is not None else settled.get(number),
                doubtful=live is not None and not live.accepted,
                up=live is not None and live.up,
            )
        )
    return tuple(found)


def _fault_signs(faults: list[Malfunction], sign: Sign) -> tuple[Sign, ...]:
    # That nobody is assigned is said once: by the state while a game runs, by the alarm after it.
    told = sign == signs.NOBODY
    found = [_sign_of(fault) for fault in faults if not (told and fault.fault == "unassigned-play")]
    return tuple(dict.fromkeys(fault for fault in found if fault.word != sign.word))


def _sign_of(fault: Malfunction) -> Sign:
    return fault_sign(fault.fault, in_game=fault.game is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLine:
    """One agent of the list."""

    name: str
    sign: Sign
    machines: tuple[str, ...]
    backlog: int
    heard: int | None
    notes: tuple[str, ...]


def agents(scene: Scene) -> tuple[AgentLine, ...]:
    """Every agent that was heard, by name."""
    found = [
        AgentLine(
            name=agent.name,
            sign=_AGENT_SIGNS.get(agent.state, signs.NO_READER),
            machines=tuple(machine_name(scene.state, machine) for machine in agent.machines),
            backlog=agent.backlog,
            heard=agent.heard,
            notes=agent.notes,
        )
        for agent in scene.agents.values()
    ]
    return tuple(sorted(found, key=lambda line: in_order(line.name)))


_AGENT_SIGNS = {
    "online": Sign(word="Online", tone="good", icon="ok"),
    "stopped": Sign(word="Stopped", tone="warn", icon="stop"),
    "lost": Sign(word="Lost", tone="bad", icon="cut"),
    "never": Sign(word="Not heard yet", icon="cut"),
}
