"""The page about the rules names everything that there is."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.core.rules import PRESETS
from server.core.rules.entries import SCHEMAS
from server.core.rules.settings import CHECKS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_each_setting_has_its_row_with_the_presets_that_have_it():
    rows = dict(re.findall(r"^\| `([a-z_0-9]+)` \| ([a-z0-9, -]+) \|", PAGE, flags=re.MULTILINE))
    having = {name: [preset for preset in PRESETS if name in PRESETS[preset].settings] for name in CHECKS}
    assert {name: row.split(", ") for name, row in rows.items()} == having


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_is_named_and_each_of_its_settings_explained_in_its_file(preset: str):
    assert f"- `{preset}`: " in PAGE
    text = (ROOT / "server" / "core" / "formats" / f"{preset}.toml").read_text(encoding="utf-8")
    values = text.split("\n[settings]\n")[1]
    silent = [
        name for name in PRESETS[preset].settings if not re.search(rf"{name}( = .*)?\]? +(\[ +)?# .*[A-Z]\d", values)
    ]
    assert silent == []


def test_each_kind_of_entry_is_named():
    assert [kind for kind in SCHEMAS if f"`{kind}" not in PAGE] == []


def test_the_example_of_the_page_is_a_tournament(state_of: Callable[[str], dict[str, Any]]):
    example = PAGE.split("```yaml\n")[1].split("```")[0]
    state = state_of(example)
    assert state["refused"] == []
    assert state["stages"][0]["standings"][0]["machines"][0]["score"] == 48213440


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_shown_for_each_preset_can_be_set(preset: str, state_of: Callable[[str], dict[str, Any]]):
    found = re.search(rf"^- `{preset}`: .*\n\n      (rules: .*)$", PAGE, flags=re.MULTILINE)
    assert found is not None
    head = f"inlane: 1\npreset: {preset}\n{found[1]}\nplayers: [{{id: p1}}]\nmachines: [{{id: m1}}, {{id: m2}}]\n"
    assert state_of(f"{head}log: []\n")["rules"]
