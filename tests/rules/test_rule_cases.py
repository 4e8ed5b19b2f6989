"""Every case of the two systems: our own files, and those that lie beside the project."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from server.core.rules import evaluate
from server.tournament_file import load

HERE = Path(__file__).parent
SHARED = HERE.parents[1].parent / "shared" / "rules" / "cases"
SYSTEMS = ("tpc", "uk-kids")

OWN = sorted(path for path in (HERE / "files").rglob("*.yaml") if path.parent.name != "errors")
HANDED = sorted(path for system in SYSTEMS for path in (SHARED / system).glob("*.yaml"))

Compare = Callable[[object, object], list[str]]


def expectation(path: Path) -> object:
    return yaml.safe_load(path.read_text(encoding="utf-8"))["expect"]


@pytest.mark.parametrize("path", OWN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_case_of_ours_holds(path: Path, compare: Compare):
    assert compare(expectation(path), evaluate(load(path))) == []


@pytest.mark.shared
@pytest.mark.skipif(not HANDED, reason="the cases that lie beside the project (../shared/rules/cases) are not there")
def test_every_handed_case_holds(compare: Compare):
    problems = {path.stem: compare(expectation(path), evaluate(load(path))) for path in HANDED}
    assert {name: found for name, found in problems.items() if found} == {}
    assert len(problems) >= 83
