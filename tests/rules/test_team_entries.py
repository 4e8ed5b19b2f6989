"""What a tournament of teams does not know is refused with the name of its preset, and nothing else happens."""

from typing import Any

import pytest

from server.core.rules import PRESETS, evaluate, parse
from server.core.rules.acts import TeamAct
from server.core.rules.teams.handlers import HANDLERS, UNKNOWN

TEAMS = [{"id": "A", "seed": 1, "roster": [{"id": "a1"}]}, {"id": "B", "seed": 6, "roster": [{"id": "b1"}]}]
UNKNOWN_ENTRIES: list[dict[str, Any]] = [
    {"lineup": "x1", "team": "A", "round": 1, "games": [{"slot": 1, "players": ["a1"]}]},
    {"end": "x1"},
    {"terms": "x1", "balls": 3},
    {"challenge": "g1", "team": "A"},
]


def test_every_entry_about_teams_is_taken_or_refused_by_each_preset_of_teams():
    kinds = {kind for known in HANDLERS.values() for kind in known}
    assert kinds == {*TeamAct.__args__}
    assert {kind for known in HANDLERS.values() for kind in kinds - known.keys()} == {*UNKNOWN}
    assert {preset.first for preset in PRESETS.values() if preset.teams} - {"opponents"} == {*HANDLERS}


@pytest.mark.parametrize("preset", ["uk-team", "epc-country"])
@pytest.mark.parametrize("entry", UNKNOWN_ENTRIES, ids=lambda entry: next(iter(entry)))
def test_an_entry_of_a_league_is_refused_in_groups(preset: str, entry: dict[str, Any]):
    log = [{"match": "x1", "home": "A", "away": "B"}, entry]
    head = {"inlane": 1, "tournament": "T", "preset": preset, "teams": TEAMS, "rules": {"groups": {"A": [1, 6]}}}
    shown: Any = evaluate(parse({**head, "log": log}))
    assert [item["entry"] for item in shown["refused"]] == [2]
    assert shown["refused"][0]["why"].startswith(f"{preset} ")
