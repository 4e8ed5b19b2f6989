"""Topics are built and parsed in one place, and ids checked there."""

import pytest

from bridge.errors import WireInvalid
from bridge.loopback import matches
from bridge.wire.topics import Topic, Topics

TOPICS = Topics()
ALL = [
    ("inlane/v1/host/status", Topic(name="host")),
    (TOPICS.status("pi-1"), Topic(name="status", agent="pi-1")),
    (TOPICS.log("pi-1"), Topic(name="log", agent="pi-1")),
    (TOPICS.pulse("pi-1"), Topic(name="pulse", agent="pi-1")),
    (TOPICS.reply("pi-1"), Topic(name="reply", agent="pi-1")),
    (TOPICS.ack("pi-1"), Topic(name="ack", agent="pi-1")),
    (TOPICS.config("pi-1"), Topic(name="config", agent="pi-1")),
    (TOPICS.command("pi-1"), Topic(name="command", agent="pi-1")),
    (TOPICS.machine("mm-2"), Topic(name="machine", machine="mm-2")),
    (TOPICS.alert("mm-2", "ball-search"), Topic(name="alert", machine="mm-2", fault="ball-search")),
]


@pytest.mark.parametrize(("topic", "said"), ALL, ids=str)
def test_what_is_built_is_parsed_again(topic: str, said: Topic):
    assert TOPICS.parse(topic) == said


def test_the_topics_are_those_that_the_outside_knows():
    assert [topic for topic, _ in ALL] == [
        "inlane/v1/host/status",
        "inlane/v1/agent/pi-1/up/status",
        "inlane/v1/agent/pi-1/up/log",
        "inlane/v1/agent/pi-1/up/pulse",
        "inlane/v1/agent/pi-1/up/reply",
        "inlane/v1/agent/pi-1/down/ack",
        "inlane/v1/agent/pi-1/down/config",
        "inlane/v1/agent/pi-1/down/cmd",
        "inlane/v1/machine/mm-2/state",
        "inlane/v1/machine/mm-2/alert/ball-search",
    ]


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "inlane/v1",
        "inlane/v2/host/status",
        "inlane/v1/agent/PI/up/log",
        "inlane/v1/agent//up/log",
        "inlane/v1/agent/pi-1/up/ack",
        "inlane/v1/agent/pi-1/up/log/more",
        "inlane/v1/agent/" + "a" * 41 + "/up/log",
        "inlane/v1/agent/pi\n/up/log",
        "inlane/v1/agent/pi-١/up/log",
        "x" * 70_000,
    ],
)
def test_what_is_none_of_ours_is_none(topic: str):
    assert TOPICS.parse(topic) is None


@pytest.mark.parametrize("name", ["", "A", "a/b", "+", "#", "a b", "a" * 41, "pi\n", "é"])
def test_an_id_that_is_none_is_refused_with_what_is_allowed(name: str):
    with pytest.raises(WireInvalid, match="use 1 to 40 of a-z, 0-9 and -"):
        TOPICS.log(name)


@pytest.mark.parametrize("root", ["", "/a", "a/", "a//b", "a/+", "#", "a b", "a" * 121])
def test_a_root_that_no_broker_takes_is_refused(root: str):
    with pytest.raises(WireInvalid, match="topic root"):
        Topics(root)


def test_another_root_shares_the_broker():
    other = Topics("venue-2/inlane/v1")
    assert other.parse(other.log("pi-1")) == Topic(name="log", agent="pi-1")
    assert other.parse(TOPICS.log("pi-1")) is None


def test_each_side_listens_to_what_the_other_says():
    said_to_agent = [TOPICS.ack("pi-1"), TOPICS.config("pi-1"), TOPICS.command("pi-1"), TOPICS.host]
    said_to_host = [TOPICS.status("pi-1"), TOPICS.log("pi-1"), TOPICS.pulse("pi-1"), TOPICS.reply("pi-1")]
    assert all(any(matches(pattern, topic) for pattern in TOPICS.for_agent("pi-1")) for topic in said_to_agent)
    assert all(any(matches(pattern, topic) for pattern in TOPICS.for_host()) for topic in said_to_host)
    assert not any(matches(pattern, TOPICS.ack("pi-1")) for pattern in TOPICS.for_host())
    assert not any(matches(pattern, TOPICS.log("pi-2")) for pattern in TOPICS.for_agent("pi-1"))
