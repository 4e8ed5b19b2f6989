"""The rules that explanations cite: from the preset's own file, for every setting, and the same as its comments say."""

import re
from pathlib import Path

import pytest

from server.core.explain.clauses import SHARED, clause
from server.core.explain.explanations import Explanations, NotThere
from server.core.explain.settings import show_value, tell_settings
from server.core.rules import PRESETS, parse
from server.core.rules.presets import FORMATS

COMMENTED = re.compile(r"^\[?(?:settings\.)?([a-z][a-z0-9_]*)\]?(?: = .*?)?\s+# ([A-Z]+[0-9][^:\n]*)", re.MULTILINE)
"""A setting, and the clauses at the beginning of its comment: `# C3.2, P5: ...`."""


@pytest.mark.parametrize("preset", PRESETS)
def test_each_setting_of_a_preset_has_its_clause(preset: str):
    built = PRESETS[preset]
    assert [name for name in built.settings if not clause(built, name, setting=name)] == []


@pytest.mark.parametrize("preset", PRESETS)
def test_the_clauses_cited_are_those_of_the_comments(preset: str):
    text = (FORMATS / f"{preset}.toml").read_text(encoding="utf-8")
    noted = dict(COMMENTED.findall(text[text.index("[settings]") :]))
    cited = {name: PRESETS[preset].clauses.get(name) for name in noted if name in PRESETS[preset].settings}
    assert {
        name: (rule, noted[name]) for name, rule in cited.items() if rule and rule not in noted[name].split(", ")
    } == {}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_names_clauses_only_of_its_settings_stages_and_of_facts_that_there_are(preset: str):
    built = PRESETS[preset]
    stages = {built.first_name, *(form.name for form in built.finals)}
    for name in built.clauses:
        stage, dot, what = name.rpartition(".")
        known = {*SHARED, *built.settings} if not dot else SHARED.keys()
        assert what in known, name
        assert not dot or stage in stages, name


def test_a_stage_has_its_own_clause_before_the_settings_and_the_presets():
    tpc = PRESETS["tpc"]
    assert clause(tpc, "total", stage="final") == "T10.2"
    assert clause(tpc, "total", stage="qualifying") == "T6.4"
    assert clause(tpc, "points", setting="machine_points") == "T6.2"
    assert clause(tpc, "points", setting="no_such_setting") == ""
    assert clause(tpc, "machine-score") == "C1.1"


def test_settings_are_told_as_they_hold_with_what_the_director_changed():
    head = parse(
        {
            "inlane": 1,
            "preset": "tpc",
            "rules": {"qualifiers": 12, "entry_price": {"A": {"single": 3}}, "tie_points": "high"},
        }
    ).head
    told = {each.name: each for each in tell_settings(head)}
    assert list(told) == list(PRESETS["tpc"].settings)
    assert [name for name, each in told.items() if each.changed] == ["qualifiers", "entry_price"]
    assert (told["qualifiers"].value, told["qualifiers"].preset) == (12, 8)
    assert told["entry_price"].value == {"A": {"single": 3}, "B": {"single": 2, "bundle": 4, "bundle_price": 5}}
    assert show_value(told["machine_points"].value) == "50, 42, 37, 36, 35, 34 ... 1 (39 places)"
    assert show_value(told["special_divisions"].value) == "none"


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"who": "zz"}, "there is no player zz"),
        ({"stage": "zz"}, "there is no stage zz; there are qualifying"),
        ({"machine": "zz"}, "there is no machine zz"),
    ],
)
def test_what_is_not_there_cannot_be_explained(asked: dict[str, str], text: str):
    explanations = Explanations(parse({"inlane": 1, "preset": "uk-kids", "players": [{"id": "p1"}]}))
    with pytest.raises(NotThere, match=text):
        explanations.about(**asked)


def test_the_formats_are_where_the_test_looks():
    assert {path.stem for path in Path(FORMATS).glob("*.toml")} == set(PRESETS)
