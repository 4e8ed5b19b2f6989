"""Every topic of the wire: built and parsed here, and ids are validated here and nowhere else.

The root (`inlane/v1`) is configurable, which is how several venues share a broker. The version is part of the root.
"""

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import StringConstraints

from bridge.errors import WireInvalid

ROOT = "inlane/v1"
ID_PATTERN = r"^[a-z0-9-]{1,40}$"
Id = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
"""What names an agent, a machine or a fault: fit for a topic level, a file name, a user name and an address."""

_ID = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
_AGENT_LEAVES = {
    ("up", "status"): "status",
    ("up", "log"): "log",
    ("up", "pulse"): "pulse",
    ("up", "reply"): "reply",
    ("down", "ack"): "ack",
    ("down", "config"): "config",
    ("down", "cmd"): "command",
}


def is_id(text: str) -> bool:
    """Whether this may name an agent, a machine or a fault."""
    return _ID.fullmatch(text) is not None


def check_id(text: str, what: str = "id") -> str:
    """Return the id, or raise WireInvalid that says which letters are allowed."""
    if not is_id(text):
        raise WireInvalid(f"{what} {text[:60]!r}: use 1 to 40 of a-z, 0-9 and -")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What a topic says: `name` is host, status, log, pulse, reply, ack, config, command, machine or alert."""

    name: str
    agent: str | None = None
    machine: str | None = None
    fault: str | None = None


class Topics:
    """The topics under one root. All methods raise WireInvalid for an id that is none."""

    def __init__(self, root: str = ROOT) -> None:
        levels = root.split("/")
        if len(root) > 120 or not all(re.fullmatch(r"[A-Za-z0-9_.-]+", level) for level in levels):
            raise WireInvalid(f"topic root {root[:130]!r}: use words of letters, digits, . _ - with / between them")
        self.root = root
        self.host = f"{root}/host/status"

    def status(self, agent: str) -> str:
        """The agent's birth and will."""
        return self._agent(agent, "up/status")

    def log(self, agent: str) -> str:
        """The durable stream: frames."""
        return self._agent(agent, "up/log")

    def pulse(self, agent: str) -> str:
        """The heartbeat."""
        return self._agent(agent, "up/pulse")

    def reply(self, agent: str) -> str:
        """Answers to commands."""
        return self._agent(agent, "up/reply")

    def ack(self, agent: str) -> str:
        """How far the server has committed the agent's stream."""
        return self._agent(agent, "down/ack")

    def config(self, agent: str) -> str:
        """The wanted configuration."""
        return self._agent(agent, "down/config")

    def command(self, agent: str) -> str:
        """Commands; never retained."""
        return self._agent(agent, "down/cmd")

    def machine(self, machine: str) -> str:
        """A machine's state for observers."""
        return f"{self.root}/machine/{check_id(machine, 'machine')}/state"

    def alert(self, machine: str, fault: str) -> str:
        """An open malfunction for observers; deleted (an empty payload) when it is cleared."""
        return f"{self.root}/machine/{check_id(machine, 'machine')}/alert/{check_id(fault, 'fault')}"

    def for_agent(self, agent: str) -> tuple[str, ...]:
        """What an agent listens to. Its own status is among it: that is how it sees its own ghost's will."""
        return (self.host, self.ack(agent), self.config(agent), self.command(agent), self.status(agent))

    def for_host(self) -> tuple[str, ...]:
        """What the server listens to."""
        return (self.host, f"{self.root}/agent/+/up/+")

    def parse(self, topic: str) -> Topic | None:
        """What this topic says; None where it is none of ours."""
        if len(topic) > 400 or not topic.startswith(self.root + "/"):
            return None
        levels = topic[len(self.root) + 1 :].split("/")
        match levels:
            case ["host", "status"]:
                return Topic(name="host")
            case ["agent", agent, way, leaf] if (way, leaf) in _AGENT_LEAVES and is_id(agent):
                return Topic(name=_AGENT_LEAVES[way, leaf], agent=agent)
            case ["machine", machine, "state"] if is_id(machine):
                return Topic(name="machine", machine=machine)
            case ["machine", machine, "alert", fault] if is_id(machine) and is_id(fault):
                return Topic(name="alert", machine=machine, fault=fault)
        return None

    def _agent(self, agent: str, leaf: str) -> str:
        return f"{self.root}/agent/{check_id(agent, 'agent')}/{leaf}"
