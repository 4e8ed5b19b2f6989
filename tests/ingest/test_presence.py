"""Births and wills: which count, which are late, and when two computers speak under one name."""

import pytest

from bridge.wire.control import Status
from server.ingest.acks import PATIENCE_MS, Waits
from server.ingest.presence import AgentGone, AgentOnline, Presence, TwoBoots

STREAM, NEW_CARD = "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d", "0199f0c2-6d0e-7c3a-8a53-000000000000"


def status(state: str, session: int, boot: str = "boot-1", stream: str = STREAM, host: str = "pi") -> Status:
    return Status(state=state, session=session, boot=boot, stream=stream, host=host)


def told(*statuses: Status) -> list[list[str]]:
    presence = Presence()
    return [[type(event).__name__ for event in presence.heard("pi-1", one)] for one in statuses]


ONLINE, GONE, TWO = ["AgentOnline"], ["AgentGone"], ["TwoBoots", "AgentOnline"]
CASES = {
    "a birth and a death": ([status("online", 1), status("lost", 1)], [ONLINE, GONE]),
    "a clean end, and no will after it": ([status("online", 1), status("stopped", 1)], [ONLINE, GONE]),
    "a late will of an older session": (
        [status("online", 1), status("online", 2), status("lost", 1), status("lost", 2)],
        [ONLINE, ONLINE, [], GONE],
    ),
    "a will after a good-bye": ([status("online", 1), status("stopped", 1), status("lost", 1)], [ONLINE, GONE, []]),
    "doubled messages": (
        [status("online", 1), status("online", 1), status("lost", 1), status("lost", 1)],
        [ONLINE, [], GONE, []],
    ),
    "back after its own will": (
        [status("online", 1), status("lost", 1), status("online", 1)],
        [ONLINE, GONE, ONLINE],
    ),
    "an old birth, late": ([status("online", 3), status("online", 2)], [ONLINE, []]),
    "a reboot": (
        [status("online", 1), status("lost", 1), status("online", 2, "boot-2"), status("lost", 1)],
        [ONLINE, GONE, ONLINE, []],
    ),
    "a new card counts its sessions anew": (
        [status("online", 57), status("online", 1, "boot-2", NEW_CARD), status("lost", 57)],
        [ONLINE, ONLINE, []],
    ),
    "a set-back card counts its sessions again": (
        [status("online", 57), status("online", 12, "boot-2"), status("lost", 57), status("lost", 12, "boot-2")],
        [ONLINE, ONLINE, [], GONE],
    ),
    "what a broker had kept from before": ([status("lost", 4), status("online", 5)], [GONE, ONLINE]),
    "a late birth of the boot before": (
        [status("online", 1), status("online", 2, "boot-2"), status("online", 1)],
        [ONLINE, ONLINE, []],
    ),
    "a boot that speaks again after another": (
        [status("online", 1), status("online", 2, "boot-2"), status("online", 3), status("online", 4, "boot-2")],
        [ONLINE, ONLINE, TWO, ONLINE],
    ),
    "a second program on the same computer": (
        [status("online", 5), status("online", 1, stream=NEW_CARD), status("online", 6)],
        [ONLINE, ONLINE, TWO],
    ),
    "an outbox that was renewed, and the old one's late birth": (
        [status("online", 5), status("online", 1, stream=NEW_CARD), status("online", 5), status("lost", 5)],
        [ONLINE, ONLINE, [], []],
    ),
    "two copies that count alike": (
        [status("online", 5), status("online", 5, "boot-2"), status("online", 6), status("online", 6, "boot-2")],
        [ONLINE, ONLINE, TWO, ONLINE],
    ),
}


@pytest.mark.parametrize(("statuses", "events"), CASES.values(), ids=CASES.keys())
def test_what_counts(statuses: list[Status], events: list[list[str]]):
    assert told(*statuses) == events


def test_the_alarm_names_both_hosts_and_agents_do_not_mix():
    presence = Presence()
    presence.heard("pi-1", status("online", 1, host="first"))
    presence.heard("pi-2", status("online", 1, "boot-9", host="another"))
    presence.heard("pi-1", status("online", 2, "boot-2", host="copy"))
    alarm, birth = presence.heard("pi-1", status("online", 3, host="first"))
    assert alarm == TwoBoots(agent="pi-1", hosts=("copy", "first"), boots=("boot-2", "boot-1"))
    assert birth == AgentOnline(agent="pi-1", status=status("online", 3, host="first"))
    assert presence.status("pi-2") == status("online", 1, "boot-9", host="another")
    assert presence.heard("pi-2", status("lost", 1, "boot-9")) == [
        AgentGone(agent="pi-2", status=status("lost", 1, "boot-9"))
    ]


def test_boots_are_not_remembered_without_end():
    presence = Presence()
    for number in range(1, 100):
        presence.heard("pi-1", status("online", number, f"boot-{number}"))
    assert len(presence._known["pi-1"].lives) <= 8


def test_a_stream_that_waits_is_asked_for_after_two_seconds_and_again():
    waits = Waits()
    waits.note("pi-1", STREAM, through=4, last=9, now=1_000)
    assert waits.next_deadline() == 1_000 + PATIENCE_MS
    assert waits.due(1_000 + PATIENCE_MS - 1) == []
    assert waits.due(1_000 + PATIENCE_MS) == [("pi-1", 5)]
    assert waits.due(1_000 + PATIENCE_MS + 1) == []
    assert waits.due(1_000 + 2 * PATIENCE_MS) == [("pi-1", 5)]


def test_progress_begins_the_patience_anew_and_what_is_whole_is_not_asked_for():
    waits = Waits()
    waits.note("pi-1", STREAM, through=4, last=9, now=0)
    waits.note("pi-1", STREAM, through=6, last=9, now=1_900)
    assert waits.due(2_000) == []
    assert waits.due(3_900) == [("pi-1", 7)]
    waits.note("pi-1", STREAM, through=9, last=9, now=4_000)
    assert (waits.due(99_000), waits.next_deadline()) == ([], None)
    waits.note("pi-1", STREAM, through=9, last=12, now=5_000)
    waits.forget("pi-1")
    assert waits.due(99_000) == []


def test_two_are_told_apart_in_words():
    presence = Presence()
    presence.heard("pi-1", status("online", 5))
    presence.heard("pi-1", status("online", 1, stream=NEW_CARD))
    (programs, _) = presence.heard("pi-1", status("online", 6))
    assert isinstance(programs, TwoBoots)
    assert programs.told == "two programs on pi speak as pi-1"
    presence = Presence()
    presence.heard("pi-1", status("online", 5))
    presence.heard("pi-1", status("online", 7, "boot-2", host="other"))
    (computers, _) = presence.heard("pi-1", status("online", 8))
    assert isinstance(computers, TwoBoots)
    assert computers.told == "two computers speak as pi-1: other and pi"
