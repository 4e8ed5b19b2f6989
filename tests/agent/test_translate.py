"""Every signal becomes a fact that the wire accepts, and no score is ever changed on the way."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.translate import LARGEST_SCORE, game_id, live, translate
from bridge.wire.facts import read_fact
from bridge.wire.frame import check_body
from capture import signals
from capture.signals import Picture, PlayerScore, Signal

GAME = "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11"
TEXT = st.text(max_size=700)
SCORE = st.builds(
    PlayerScore,
    player=st.integers(1, 16),
    score=st.none() | st.integers(0, 10**19),
    confidence=st.floats(0, 1),
    text=st.none() | TEXT,
    candidates=st.lists(st.integers(0, 10**19), max_size=40).map(tuple),
)
SCORES = st.lists(SCORE, max_size=16).map(tuple)
PICTURE = st.none() | st.just(Picture(data=b"png"))
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "at": st.integers(0, 2**40),
    "game": st.just("game-1"),
    "players": st.integers(0, 16),
    "joined_late": st.booleans(),
    "player": st.integers(1, 16),
    "ball": st.integers(1, 99),
    "scores": SCORES,
    "balls_played": st.none() | st.integers(0, 99),
    "source": st.sampled_from(["wire", "camera", "manual"]),
    "evidence": PICTURE,
    "why": TEXT,
    "text": TEXT,
    "candidates": st.lists(st.integers(0, 10**19), max_size=40).map(tuple),
    "confidence": st.floats(0, 1),
    "fault": st.sampled_from(["tilt", "link-lost"]),
    "detail": st.none() | TEXT,
    "port": st.text(min_size=1, max_size=300),
    "score": st.none() | st.integers(0, 10**19),
    "accepted": st.booleans(),
}
HOW = {
    signals.GameEnded: st.sampled_from(["normal", "slam-tilt", "ended-early"]),
    signals.GameAborted: st.sampled_from(["link-lost", "shutdown", "reset", "restart", "service", "display-lost"]),
}


def any_of(kind: type) -> st.SearchStrategy[Signal]:
    fields = {name: HOW[kind] if name == "how" else FIELDS[name] for name in kind.__dataclass_fields__}
    return st.builds(kind, **fields)


@given(st.one_of([any_of(kind) for kind in get_args(Signal) if kind is not signals.ScoreLive]))
def test_each_signal_becomes_a_fact_that_the_wire_accepts(signal: Signal):
    fact = translate(signal, game=GAME)
    assert fact is not None
    check_body(fact.body)
    read = read_fact(fact.kind, "mm-1", fact.body)
    assert getattr(read, "game", None) == (GAME if getattr(signal, "game", None) else None)
    for said, told in zip(getattr(signal, "scores", ()), getattr(read, "scores", ()), strict=True):
        assert told.score == (said.score if said.score is not None and said.score <= LARGEST_SCORE else None)
        assert said.score is None or told.score is not None or told.text
    if fact.picture is not None:
        assert fact.body["evidence"] == fact.picture.digest


def test_a_live_score_is_no_fact_and_rides_the_pulse():
    signal = signals.ScoreLive(at=1, game="game-1", player=2, score=500)
    assert translate(signal, game=GAME) is None
    told = live(signal, machine="mm-1", game=GAME)
    assert (told.player, told.score, told.accepted, told.game) == (2, 500, True, GAME)
    beyond = live(signals.ScoreLive(at=1, game="game-1", player=2, score=10**19), machine="mm-1", game=None)
    assert (beyond.score, beyond.accepted) == (None, False)


def test_a_game_that_nobody_started_is_no_fact():
    with pytest.raises(ValueError, match="nobody started"):
        translate(signals.GameAborted(at=1, game="game-7", how="reset", scores=()), game=None)


def test_a_games_name_is_made_of_its_place_in_the_stream():
    stream = "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d"
    assert game_id(stream, 7) == game_id(stream, 7) != game_id(stream, 8)
