"""Each fault has its severity and the rule books' class, and none of it is decided here."""

import re
from pathlib import Path

import pytest

from capture.faults import FAULTS as CAPTURED
from server.core.venue import manual, troubles
from server.core.venue.facts import EXPLAINED
from server.core.venue.severity import FAULTS, UNKNOWN, rules_of, suggestion

DOCS = Path(__file__).parents[2] / "docs"
BOOKS = {"tpc", "uk-open", "uk-team", "epc-country", "2cp", "pinball-chicago"}
RULINGS = {"stand", "add-ball", "best-of", "replay", "zero", "fraction", "void"}


def documented() -> set[str]:
    page = (DOCS / "signals.md").read_text(encoding="utf-8")
    table = page[page.index("| fault |") :].partition("\n\n")[0]
    found: set[str] = set()
    for line in table.splitlines()[2:]:
        found |= set(re.findall(r"`([a-z-]+)`", line.split("|")[1]))
    assert "tilt" in found
    return found


def test_every_fault_that_can_be_raised_has_its_place():
    desk = {troubles.LOST, troubles.STRANGE, troubles.FORKED, troubles.MOVED, troubles.DOUBLE, "second-result"}
    assert set(CAPTURED) | documented() | desk | set(manual.REPORTABLE) | EXPLAINED | {"reader-failed"} <= set(FAULTS)


def test_a_tilt_warning_is_no_alarm_and_neither_is_a_tilt():
    assert suggestion("tilt-warning").severity == "note"
    assert suggestion("tilt").severity == "note"


def test_an_official_who_is_called_comes_before_all_else():
    assert [fault for fault, found in FAULTS.items() if found.first] == ["official-called"]


@pytest.mark.parametrize("fault", ["reset", "power-lost"])
def test_what_ends_play_for_all_is_suggested_as_catastrophic(fault: str):
    found = suggestion(fault)
    assert found.called.startswith("catastrophic malfunction")
    assert {rule.ruling for rule in found.rules if rule.book == "tpc"} == {"add-ball", "best-of"}


def test_what_nobody_knows_is_looked_at():
    assert suggestion("made-up") is UNKNOWN
    assert UNKNOWN.severity == "look"


def test_the_rules_of_the_tournament_itself_come_alone():
    slam = suggestion("slam-tilt")
    assert {rule.book for rule in rules_of(slam, "uk-open")} == {"uk-open"}
    assert {rule.book for rule in rules_of(slam, "epc")} == {"uk-open"}
    assert rules_of(slam, None) == slam.rules


def test_books_and_rulings_are_those_that_there_are():
    for found in FAULTS.values():
        for rule in found.rules:
            assert rule.book in BOOKS
            assert rule.ruling in RULINGS | {None}
            assert len(rule.says) < 120
