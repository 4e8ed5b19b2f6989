"""Whatever a peer sends, in whatever pieces: the Vector dialect raises nothing and comes to rest."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from capture.dialects import Setup
from capture.dialects.vector import VectorDialect
from hardware.catalog import load_profile
from tests.capture.vector_board import DEVICE, FAULT, ID, STATUS, answer, push, status

PROFILE = load_profile("vector")
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("GameActive", "BallInPlay", "PlayerUp", "PlayersInGame", "Scores", "game_num", "ActiveFormatId")


@st.composite
def statuses(draw: st.DrawFn) -> dict[str, Any]:
    """A status with something odd in it, more often than not."""
    scores = draw(st.lists(st.integers(0, 10**7), min_size=1, max_size=4))
    told = status(*scores, active=draw(st.booleans()), ball=draw(st.integers(0, 16)), number=draw(st.integers(0, 3)))
    for key in draw(st.lists(st.sampled_from(KEYS), max_size=2)):
        told[key] = draw(VALUES)
    return told


LINES = st.one_of(
    st.builds(lambda told: answer(STATUS, json.dumps(told)), statuses()),
    st.builds(lambda told: answer(FAULT, json.dumps(told)), VALUES),
    st.builds(lambda told: answer(ID, json.dumps(told)), st.just({"machine_id": DEVICE}) | VALUES),
    st.builds(lambda told: push("game_state", told), statuses()),
    st.builds(lambda told, device: push("game_state", told, device=device), statuses(), st.sampled_from([DEVICE, "b"])),
    st.builds(lambda told: push("end_of_game", told), VALUES),
    st.builds(
        lambda plays, n: push("end_of_game", {"plays": [["A", play] for play in plays], "try": 1, "game_num": n}),
        st.lists(st.integers(-1, 10**7), max_size=5), st.integers(0, 3),
    ),
    st.just(push("reset")),
    st.binary(max_size=60).map(lambda data: data + b"\n"),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(st.tuples(LINES, st.integers(0, 9_000), st.integers(0, 200), st.integers(1, 255)), max_size=25),
    passive=st.booleans(),
    device=st.none() | st.just(DEVICE),
)
def test_nothing_that_comes_breaks_it(
    lines: list[tuple[bytes, int, int, int]],
    passive: bool,  # noqa: FBT001 - drawn
    device: str | None,
):
    dialect, at = VectorDialect(PROFILE, Setup(device=device)), 0
    dialect.open(at, passive=passive)
    for line, pause, place, flip in lines:
        end = at + pause
        for _ in range(200):
            due = dialect.deadline()
            if due is None or due > end:
                break
            at = max(at, due)
            dialect.tick(at)
        at = end
        data = line
        if flip % 3 == 0 and place < len(line):
            data = line[:place] + bytes([line[place] ^ flip]) + line[place + 1 :]
        cut = place % (len(data) or 1)
        for hint in [*dialect.feed(data[:cut], at), *dialect.feed(data[cut:], at)]:
            assert hint.at <= at
        assert not (passive and dialect.outgoing())
    dialect.finish(at)
    dialect.close()
    assert dialect.deadline() is None
