"""Garbage in a document is told, with the place where it stands; what is understood never breaks the rules."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from server.core.rules import TournamentInvalid, evaluate, parse

PLAYERS = ["p1", "p2"]
GAMES = ["g1", "g2"]

who = st.sampled_from([*PLAYERS, "nobody"])
game = st.sampled_from(GAMES)
machine = st.sampled_from(["m1", "spare", "nothing"])
scores = st.dictionaries(who, st.one_of(st.integers(-1, 9), st.integers(0, 10**80)), max_size=3)


def document(log: list[object]) -> dict[str, object]:
    played = [{"game": name, "machine": "m1", "scores": {who: 5}} for name, who in zip(GAMES, PLAYERS, strict=True)]
    return {
        "inlane": 1,
        "preset": "tpc",
        "players": [{"id": who, "division": "A"} for who in PLAYERS],
        "machines": [{"id": "m1", "division": "A"}, {"id": "spare"}],
        "log": [*played, *log],
    }


anything = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.decimals(), st.datetimes(),
        st.sampled_from([*PLAYERS, *GAMES, "m1", "A", "A/semifinal", 10**2000, b"x", object()]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.one_of(st.text(max_size=3), st.integers(),
        st.sampled_from(PLAYERS)), inner, max_size=3)),
    max_leaves=6,
)  # fmt: skip
KINDS = ["register", "buy", "move", "game", "abandon", "correct", "void", "ruling", "penalty", "machine", "absent",
         "close", "match", "lineup", "forfeit", "roster", "terms", "challenge", "end", "nonsense"]  # fmt: skip
FIELDS = ["at", "machine", "scores", "division", "stage", "group", "round", "tiebreak", "makeup", "started_at",
          "entries", "rollovers", "games", "kind", "factor", "who", "for", "status", "with", "qualifiers", "game",
          "why"]  # fmt: skip


def trouble_with(written: dict[str, object]) -> TournamentInvalid | None:
    """Give what is told of a document; of one that is understood the output must be JSON."""
    try:
        tournament = parse(written)
    except TournamentInvalid as error:
        return error
    json.dumps(evaluate(tournament))
    return None


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(KINDS),
    st.one_of(who, game, anything),
    st.dictionaries(st.sampled_from(FIELDS), st.one_of(anything, who, machine, scores), max_size=5),
)
def test_garbage_in_an_entry_is_told_and_never_breaks_the_rules(kind: str, subject: object, fields: dict[str, object]):
    problem = trouble_with(document([{kind: subject, **fields}]))
    assert problem is None or problem.path[0] == "log"


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(
        ["inlane", "tournament", "preset", "rules", "timezone", "now", "players", "teams", "machines", "log"]
    ),
    anything,
)
def test_garbage_in_the_head_is_told(key: str, value: object):
    problem = trouble_with(document([]) | {key: value})
    assert problem is None or "\n" not in str(problem)
