"""Every payload of version 1 decodes for ever. A file is added for a new shape; none is ever changed or removed."""

import json
from pathlib import Path

import pytest

from bridge.wire.control import CONTROL
from bridge.wire.facts import FACTS, read_fact
from bridge.wire.frame import Entry, decode

GOLDEN = sorted((Path(__file__).parent / "golden" / "v1").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_it_still_decodes_and_says_the_same(path: Path):
    payload = path.read_bytes()
    raw = json.loads(payload)
    name = path.stem.partition("-")[0]
    message = decode(payload) if name == "frame" else CONTROL[name].decode(payload)
    told = json.loads(message.encode())
    assert_holds(told, raw)
    if name == "frame":
        assert all(isinstance(entry, Entry) for entry in message.entries)
        for entry in message.entries:
            body = read_fact(entry.kind, entry.machine, entry.body)
            assert_holds(json.loads(body.encode()), entry.body)


def test_each_kind_of_fact_and_each_control_message_has_several():
    names = [path.stem for path in GOLDEN]
    for kind in FACTS:
        frame = json.loads((GOLDEN[0].parent / f"frame-{kind}.json").read_text())
        assert len([entry for entry in frame["entries"] if entry["kind"] == kind]) >= 2
    for name in CONTROL:
        assert len([stem for stem in names if stem.startswith(f"{name}-")]) >= 2, name


def assert_holds(told: object, raw: object) -> None:
    """What was understood is what was said, but for fields of a later version."""
    if isinstance(raw, dict):
        assert isinstance(told, dict)
        for key in raw.keys() & told.keys():
            assert_holds(told[key], raw[key])
        assert not {key for key in raw if key not in told} - {"later", "later_field", "x"}
    elif isinstance(raw, list):
        assert isinstance(told, list)
        assert len(told) == len(raw)
        for one, other in zip(told, raw, strict=True):
            assert_holds(one, other)
    else:
        assert told == raw
