"""Which agents the desk does not hear, or knows to hold facts that have not come."""

import uuid
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bridge.wire.control import Pulse, Status
from bridge.wire.frame import Sent
from server.floor import SILENT_MS, Floor
from server.ingest.presence import AgentGone, AgentOnline

STREAM = str(uuid.uuid4())


def status(state: Any, head: int = 0) -> Status:  # noqa: ANN401 - a life
    return Status(state=state, session=1, stream=STREAM, head=head, boot="b")


def pulse(depth: int) -> Pulse:
    made = SimpleNamespace(sent=Sent(boot="b", mono_ms=1), depth=depth, live=(), machines=())
    return cast("Pulse", made)


def why(floor: Floor, now: int = 1_000) -> str | None:
    found = floor.silent(["pi-1"], now)
    return found[0].why if found else None


@pytest.fixture
def floor() -> Floor:
    """A floor on which pi-1 is online."""
    made = Floor()
    made.heard(AgentOnline(agent="pi-1", status=status("online")), 1_000)
    return made


def test_an_agent_that_is_online_is_heard_until_it_is_silent_for_long(floor: Floor):
    assert why(floor) is None
    assert why(floor, 1_000 + SILENT_MS) == "is not heard"


def test_an_agent_of_which_nothing_was_ever_heard_is_named():
    assert why(Floor()) == "has not been heard since the server started"


def test_facts_alone_are_being_heard():
    floor = Floor()
    floor.facts("pi-1", STREAM, 3, 1_000)
    assert why(floor) is None


def test_a_lost_agent_is_not_heard_and_a_stopped_one_has_said_all(floor: Floor):
    floor.heard(AgentGone(agent="pi-1", status=status("stopped")), 1_000)
    assert why(floor, 10**9) is None
    floor.heard(AgentGone(agent="pi-1", status=status("lost")), 1_000)
    assert why(floor) == "is not heard"


def test_facts_that_an_agent_still_holds_are_counted_down_as_they_come(floor: Floor):
    floor.facts("pi-1", STREAM, 5, 1_000)
    floor.pulse("pi-1", pulse(2), 1_000)
    assert why(floor) == "holds 2 facts that the server has not"
    floor.facts("pi-1", STREAM, 6, 1_000)
    assert why(floor) == "holds a fact that the server has not"
    floor.facts("pi-1", STREAM, 6, 1_000)
    assert why(floor) == "holds a fact that the server has not"
    floor.facts("pi-1", STREAM, 7, 1_000)
    assert why(floor) is None


def test_an_agent_that_stopped_before_all_came_still_holds_something(floor: Floor):
    floor.facts("pi-1", STREAM, 5, 1_000)
    floor.heard(AgentGone(agent="pi-1", status=status("stopped", head=7)), 1_000)
    assert why(floor) == "holds 2 facts that the server has not"
