"""Final places (E4.6): given as soon as they are settled, and never before, whatever happens on the way."""

import random
from collections.abc import Iterator

import pytest

from server.core.rules import Running, evaluate, parse, with_entry
from server.core.rules.places import final_places
from server.core.rules.walk import fold

PLAYERS = [f"p{number:02d}" for number in range(1, 16)]
MACHINES = [f"m{number}" for number in range(1, 7)]
RULES = {
    "epc": {"qualifiers": 8, "standby": 3, "quarterfinal_qualifiers": 8},
    "uk-open": {"qualifiers": 12, "round2_qualifiers": 8},
}
SECOND = {"epc": "quarterfinal", "uk-open": "round2"}
Entry = dict[str, object]


def whole_tournament(preset: str, chance: random.Random) -> Iterator[Entry]:
    """Play a tournament with few different scores, so with many ties; who is missing is noted before a stage begins."""
    second = SECOND[preset]
    for number, who in enumerate(PLAYERS):
        for machine in chance.sample(MACHINES, 2):
            yield {"game": f"q{number}-{machine}", "machine": machine, "scores": {who: chance.randint(1, 6)}}
    yield {"close": "qualifying"}
    yield from ties("qualifying", chance)
    missing = chance.sample(PLAYERS, chance.choice([0, 1, 3, 6]))
    if preset == "epc":
        for who in missing:
            yield {"absent": who, "stage": second}
            yield {"decision": "draw", "stage": "qualifying", "who": chance.sample(PLAYERS, len(PLAYERS))}
    yield {"ask": second}
    yield {"close": second}
    yield {"play": "semifinal"}
    yield from ties("semifinal", chance)
    yield {"play": "playoff"}
    yield from ties("playoff", chance)
    yield {"play": "final"}
    yield from ties("final", chance)


def ties(stage: str, chance: random.Random) -> Iterator[Entry]:
    for _ in range(12):
        yield {"tie": stage, "chance": chance}


def played_out(preset: str, seed: int) -> Iterator[tuple[Entry, dict[str, int], dict[str, object]]]:
    """Give each entry with the places and the output after it."""
    chance = random.Random(seed)  # noqa: S311 - makes up a tournament
    tournament = parse(
        {
            "inlane": 1,
            "preset": preset,
            "rules": RULES[preset],
            "players": [{"id": who} for who in PLAYERS],
            "machines": [{"id": name} for name in MACHINES],
            "log": [],
        }
    )
    count = 0
    output: dict[str, object] = evaluate(tournament)
    for entry in whole_tournament(preset, chance):
        for real in made_real(entry, output, chance):
            count += 1
            named = {"game": f"x{count}", **real} if "scores" in real and "game" not in real else real
            tournament = with_entry(tournament, named)
            output = evaluate(tournament)
            yield named, final_places(fold(tournament)), output


def made_real(entry: Entry, output: dict[str, object], chance: random.Random) -> Iterator[Entry]:
    """Turn a wish (play a stage, play its ties off) into log entries by what the output says now."""
    stages = {stage["id"]: stage for stage in output["stages"]}  # type: ignore[attr-defined, index]
    if "tie" in entry:
        for tie in stages.get(entry["tie"], {}).get("tiebreaks", ()):
            scores = {who: chance.randint(1, 3) for who in tie["who"]}
            yield {
                "game": f"t{chance.random()}",
                "machine": "m1",
                "scores": scores,
                "tiebreak": True,
                "stage": entry["tie"],
            }
    elif "ask" in entry or "play" in entry:
        name = entry.get("ask") or entry.get("play")
        for group in stages.get(name, {}).get("groups", ()):
            who = group["who"]
            size = 2 if "ask" in entry else 4
            for first in range(0, len(who), size):
                scores = {each: chance.randint(1, 5) for each in who[first : first + size]}
                machine = MACHINES[first // 2 % len(MACHINES)]
                yield {"game": f"g{chance.random()}", "machine": machine, "scores": scores, "stage": name,
                       "group": group["id"]}  # fmt: skip
    else:
        yield entry


@pytest.mark.parametrize("preset", ["epc", "uk-open"])
@pytest.mark.parametrize("seed", range(8))
def test_a_place_once_given_stays_and_no_two_players_take_the_same_but_by_equal_rank(preset: str, seed: int):
    given: dict[str, int] = {}
    output: dict[str, object] = {}
    for entry, places, after in played_out(preset, seed):
        changed = {who: (place, places.get(who)) for who, place in given.items() if places.get(who) != place}
        assert changed == {}, entry
        given, output = places, after
    assert output["refused"] == []
    assert set(given) == set(PLAYERS)
    for place in set(given.values()):
        above = sum(other < place for other in given.values())
        equal = sum(other == place for other in given.values())
        assert place in range(above + 1, above + equal + 1) or place > 8, (place, given)
    assert sorted(given.values())[:8] == list(range(1, 9))


def test_who_may_still_go_on_or_stand_by_has_no_place():
    tournament = parse(
        {
            "inlane": 1,
            "preset": "epc",
            "rules": RULES["epc"],
            "players": [{"id": who} for who in PLAYERS],
            "machines": [{"id": "m1"}],
            "log": [
                *(
                    {"game": who, "machine": "m1", "scores": {who: 1000 - 10 * rank}}
                    for rank, who in enumerate(PLAYERS)
                ),
                {"close": "qualifying"},
            ],
        }
    )
    assert final_places(fold(tournament)) == {"p12": 12, "p13": 13, "p14": 14, "p15": 15}
    assert Running().refusal(tournament, {"absent": "p01", "stage": "quarterfinal"}) is None
