"""Laws that hold for every log, tried on logs that Hypothesis makes up (garbage has a file of its own)."""

import json
from collections.abc import Mapping
from copy import deepcopy
from decimal import Decimal
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.core.rules import Running, evaluate, parse, refusal, with_entry
from server.tournament_file import dump, loads

quick = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])

PLAYERS = [f"p{number}" for number in range(1, 11)]
GAMES = [f"g{number}" for number in range(1, 9)]
HUGE = 10**80

who = st.sampled_from([*PLAYERS, "nobody"])
machine = st.sampled_from(["m1", "m2", "b1", "spare", "nothing"])
game = st.sampled_from(GAMES)
stage = st.sampled_from(["A/qualifying", "A/semifinal", "A/final", "B/qualifying", "nowhere"])
division = st.sampled_from(["A", "B", "Classics", "Z"])
score = st.one_of(st.integers(-1, 9), st.integers(0, HUGE))
scores = st.dictionaries(who, score, max_size=4)
moment = st.builds(
    "2010-05-{:02}T{:02}:{:02}".format, st.integers(14, 16), st.integers(0, 23), st.sampled_from([0, 30])
)


def entry(kind: str, subject: st.SearchStrategy[str], /, **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    required = {name.removesuffix("_"): value for name, value in optional.items() if not name.endswith("__")}
    rest = {name.removesuffix("__"): value for name, value in optional.items() if name.endswith("__")}
    mapping = st.fixed_dictionaries(required, optional={**rest, "at": moment})
    return st.builds(lambda name, fields: {kind: name, **fields}, subject, mapping)


plain_game = entry("game", game, machine=machine, scores=st.dictionaries(who, score, min_size=1, max_size=1))
entries = st.one_of(
    plain_game,
    entry(
        "game",
        game,
        machine=machine,
        scores=scores,
        stage__=stage,
        group__=st.sampled_from(["1", "2"]),
        round__=st.integers(0, 4),
        tiebreak__=st.one_of(st.booleans(), game),
        makeup__=machine,
        started_at__=moment,
        rollovers__=st.dictionaries(who, st.integers(-1, 3), max_size=2),
        rings__=st.dictionaries(who, st.integers(-1, 3), max_size=2),
    ),
    entry("register", who, division__=division),
    entry("buy", who, entries=st.integers(-1, 9), division__=division),
    entry("move", who, division=division, permission__=st.booleans()),
    entry("abandon", who, machine__=machine, game__=game),
    entry("correct", game, scores=scores),
    entry("void", game, who__=who),
    entry(
        "ruling",
        game,
        kind=st.sampled_from(["add-ball", "best-of", "replay", "zero", "fraction", "stand"]),
        who__=who,
        games__=st.lists(game, max_size=3, unique=True),
        factor__=st.sampled_from(["0.8", "0", "1.5", "-1", Decimal("0.25")]),
    ),
    entry(
        "penalty",
        who,
        for_=st.sampled_from(["interference", "violence", "restart", "slam-tilt", "disqualified", "late", "odd"]),
        game__=game,
        division__=division,
    ),
    entry(
        "machine",
        machine,
        status=st.sampled_from(["down", "up", "disabled", "closed", "replaced"]),
        with__=machine,
        scores__=st.sampled_from(["void", "stand", "rescale"]),
    ),
    entry("absent", who, stage__=stage),
    entry("close", stage, qualifiers__=st.integers(0, 16)),
    entry("end", game),
)
CLOSED = [{"close": "A/qualifying", "at": "2010-05-16T12:00"}]
SEMIFINAL = [
    {"game": f"s{group}{n}", "machine": f"m{n % 2 + 1}", "stage": "A/semifinal", "group": group, "round": n}
    | {"scores": {f"p{seed}": 9 - seed * n % 7 for seed in seeds}}
    for group, seeds in (("1", (1, 3, 5, 7)), ("2", (2, 4, 6, 8)))
    for n in (1, 2, 3)
]
finals_game = st.builds(
    lambda name, where, group, n, points: (
        {"game": name, "machine": where, "stage": "A/semifinal", "group": group}
        | {"round": n, "scores": {f"p{2 * seat + int(group)}": points[seat] for seat in range(4)}}
    ),
    game,
    machine,
    st.sampled_from(["1", "2"]),
    st.integers(1, 3),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
)
# From the first game, from the close of qualifying, from the end of the semifinal.
logs = st.builds(
    lambda before, then: [*before, *then],
    st.sampled_from([[], CLOSED, [*CLOSED, *SEMIFINAL], [*CLOSED, *SEMIFINAL, {"close": "A/semifinal"}]]),
    st.lists(st.one_of(entries, finals_game), max_size=20),
)
presets = st.sampled_from(["tpc", "uk-kids"])


def document(log: list[Any], preset: str = "tpc", **more: object) -> dict[str, object]:
    """Make a tournament whose first nine players have qualified on m1 in the order of their numbers."""
    tpc = preset == "tpc"
    qualified = [{"game": f"q{n}", "machine": "m1", "scores": {who: 100 - n}} for n, who in enumerate(PLAYERS, 1)]
    return {
        "inlane": 1,
        "preset": preset,
        "timezone": "America/Toronto",
        "now": "2010-05-17T00:00",
        "rules": {"special_divisions": ["Classics"]} if tpc else {},
        "players": [{"id": who, "name": who.upper()} | ({"division": "A"} if tpc else {}) for who in PLAYERS],
        "machines": [
            {"id": "m1", "division": "A", "max_score": HUGE // 2},
            {"id": "m2", "division": "A", "digits": 6},
            {"id": "b1", "division": "B"},
            {"id": "spare"},
        ],
        "log": [*qualified, *log],
        **more,
    }


def standings(state: Mapping[str, Any]) -> list[Any]:
    """Give what the state says of scores, without the numbers of log entries and the games that numbers come from."""
    stages = deepcopy(state["stages"])
    for one in stages:
        for row in [*one["standings"], *(row for group in one.get("groups", ()) for row in group["standings"])]:
            for kept in row["machines"]:
                del kept["game"]
    return [stages, sorted(state["players"], key=lambda player: str(player["id"])), state["machines"]]


@quick
@given(logs, presets)
def test_the_same_log_gives_the_same_output_and_it_is_json(log: list[Any], preset: str):
    first = evaluate(parse(document(log, preset)))
    assert evaluate(parse(document(log, preset))) == first
    assert json.loads(json.dumps(first)) == first


@quick
@given(logs, presets, st.permutations(range(len(PLAYERS))), st.lists(st.text(max_size=9), min_size=10, max_size=10))
def test_standings_depend_neither_on_names_nor_on_the_order_of_the_players(
    log: list[Any], preset: str, order: list[int], names: list[str]
):
    given_document = document(log, preset)
    people: list[Any] = given_document["players"]  # type: ignore[assignment]
    renamed = [people[index] | {"name": name} for index, name in zip(order, names, strict=True)]
    one, other = evaluate(parse(given_document)), evaluate(parse(given_document | {"players": renamed}))
    assert standings(one) == standings(other)
    assert one["refused"] == other["refused"]


@quick
@given(logs, presets)
def test_a_refused_entry_changes_nothing(log: list[Any], preset: str):
    whole = document(log, preset)
    state: Any = evaluate(parse(whole))
    refused = {item["entry"] for item in state["refused"]}
    kept = [one for number, one in enumerate(whole["log"], 1) if number not in refused]  # type: ignore[arg-type, var-annotated]
    without: Any = evaluate(parse(whole | {"log": kept}))
    assert without["refused"] == []
    assert standings(without) == standings(state)
    assert len(without["flags"]) == len(state["flags"])


@quick
@given(logs, entries)
def test_refusal_says_what_the_log_would_say(log: list[Any], one: dict[str, Any]):
    tournament = parse(document(log))
    longer = with_entry(tournament, one)
    state: Any = evaluate(longer)
    assert refusal(tournament, one) == next(
        (item["why"] for item in state["refused"] if item["entry"] == len(longer.log)), None
    )


@quick
@given(logs, st.data())
def test_a_kept_state_says_what_a_walk_over_the_whole_log_says(log: list[Any], data: st.DataObject):
    whole: Any = document([])
    tournament, running = parse(whole), Running()
    for one in log:
        assert running.refusal(tournament, one) == refusal(tournament, one)
        # What was asked about is recorded, or nothing is, or something else; the desk may even begin anew.
        recorded = data.draw(st.sampled_from([[one], [one], [one], [], [{"end": "x"}], [one, {"void": "g1"}]]))
        for each in recorded:
            tournament = with_entry(tournament, each)
        if data.draw(st.integers(0, 9)) == 0:
            tournament = parse(whole | {"log": [entry.written for entry in tournament.log]})


@quick
@given(st.lists(st.tuples(who, machine, score), max_size=25), st.randoms(use_true_random=False))
def test_the_order_of_independent_games_does_not_matter(played: list[Any], chance: Random):
    log = [
        {"game": f"x{number}", "machine": where, "scores": {player: points}}
        for number, (player, where, points) in enumerate(played)
    ]
    other = list(log)
    chance.shuffle(other)
    assert standings(evaluate(parse(document(log)))) == standings(evaluate(parse(document(other))))


@quick
@given(st.lists(plain_game, max_size=20), st.integers(0, 19))
def test_a_voided_game_recorded_again_gives_the_same_standings(log: list[Any], index: int):
    whole: Any = document(log)
    state: Any = evaluate(parse(whole))
    refused = {item["entry"] for item in state["refused"]}
    kept = [one for number, one in enumerate(whole["log"], 1) if number not in refused]
    chosen = kept[index % len(kept)]
    restored = [*kept, {"void": chosen["game"], "why": "a mistake"}, chosen | {"game": "again"}]
    assert standings(evaluate(parse(whole | {"log": restored})))[0] == standings(state)[0]


@quick
@given(st.lists(plain_game, max_size=20), st.sampled_from([f"q{n}" for n in range(1, 11)]), st.integers(0, HUGE))
def test_nobody_loses_a_game_by_the_correction_of_another(log: list[Any], corrected: str, new: int):
    player = PLAYERS[int(corrected[1:]) - 1]

    def games_of_the_others(state: Mapping[str, Any]) -> dict[str, Any]:
        rows = [row for one in state["stages"] for row in one["standings"] if row["who"] != player]
        return {
            row["who"]: [(kept["machine"], kept["score"], kept["game"]) for kept in row["machines"]] for row in rows
        }

    before = evaluate(parse(document(log)))
    change = {"correct": corrected, "scores": {player: new}, "why": "misread"}
    after = evaluate(parse(document([*log, change])))
    assert games_of_the_others(before) == games_of_the_others(after)


@quick
@given(st.lists(st.tuples(st.sampled_from(PLAYERS), st.sampled_from(["m1", "m2"]), st.integers(0, 30)), max_size=60))
def test_points_follow_from_the_table(played: list[Any]):
    best: dict[tuple[str, str], int] = {("m1", who): 100 - n for n, who in enumerate(PLAYERS, 1)}
    log = []
    for number, (player, where, points) in enumerate(played):
        best[where, player] = max(points, best.get((where, player), 0))
        log.append({"game": f"x{number}", "machine": where, "scores": {player: points}})
    table = [0, 50, 42, 37, *(40 - n for n in range(4, 40))]
    expected = dict.fromkeys(PLAYERS, 0)
    for (where, player), points in best.items():
        above = sum(other > points for (there, _), other in best.items() if there == where)
        expected[player] += table[above + 1] if points else 0
    state: Any = evaluate(parse(document(log)))
    assert {row["who"]: row["points"] for row in state["stages"][0]["standings"]} == expected


@quick
@given(logs, presets)
def test_what_is_written_to_a_file_is_read_the_same(log: list[Any], preset: str):
    tournament = parse(document(log, preset))
    text = dump(tournament)
    again = loads(text)
    assert dump(again) == text
    assert evaluate(again) == evaluate(tournament)


@quick
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_name_survives_a_file(title: str, name: str):
    tournament = parse({"inlane": 1, "preset": "uk-kids", "tournament": title, "players": [{"id": "p1", "name": name}]})
    again = loads(dump(tournament))
    assert (again.head.name, again.head.players) == (tournament.head.name, tournament.head.players)
