"""Announced times (C3.4, T7.2): when qualifying closes in venue time, and a number of qualifiers decided too late."""

import pytest

from server.core.rules import TournamentInvalid, evaluate, parse

Entry = dict[str, object]


def played(preset: str, log: list[Entry], rules: object = None) -> dict[str, object]:
    division = {"division": "A"} if preset == "tpc" else {}
    return evaluate(
        parse(
            {
                "inlane": 1,
                "preset": preset,
                "rules": rules or {},
                "timezone": "Europe/London",
                "players": [{"id": "p1", **division}],
                "machines": [{"id": "m1", **division}],
                "log": log,
            }
        )
    )


def game(begun: str) -> Entry:
    return {"game": "g", "machine": "m1", "scores": {"p1": 1}, "started_at": begun, "at": begun}


def closes(output: dict[str, object]) -> object:
    return output["stages"][0].get("closes")  # type: ignore[index]


@pytest.mark.parametrize(
    ("preset", "rules", "log", "announced"),
    [
        ("uk-open", {"date": "2010-08-14"}, [], "2010-08-14T16:00:00+01:00"),
        ("uk-open", {"date": "2010-12-18", "qualifying_closes": "09:30"}, [], "2010-12-18T09:30:00+00:00"),
        ("uk-open", {}, [], None),
        ("uk-open", {"qualifying_closes": ""}, [game("2010-08-14T10:00")], None),
        ("uk-open", {}, [game("2010-08-14T10:00")], "2010-08-14T16:00:00+01:00"),
        ("epc", {}, [game("2009-07-24T18:05")], "2009-07-25T17:00:00+01:00"),
        ("epc", {"date": "2009-07-25"}, [game("2009-07-24T18:05")], "2009-07-25T17:00:00+01:00"),
        ("epc", {"qualifying_closes": "Sun 01:30"}, [game("2009-10-23T18:00")], "2009-10-25T01:30:00+01:00"),
        ("tpc", {"qualifying_closes": "Sat 22:00"}, [game("2010-05-14T18:00")], "2010-05-15T22:00:00+01:00"),
        ("tpc", {}, [game("2010-05-14T18:00")], None),
    ],
)
def test_the_announced_closing_time_is_in_venue_time(preset: str, rules: object, log: list[Entry], announced: object):
    assert closes(played(preset, log, rules)) == announced


@pytest.mark.parametrize(
    ("decided", "late"), [("2010-05-15T22:00", False), ("2010-05-15T22:01", True), ("2010-05-14T23:00", False)]
)
def test_a_number_of_qualifiers_decided_after_saturday_ten_is_flagged_and_counts(decided: str, late: bool):  # noqa: FBT001
    first = game("2010-05-14T18:00")
    decision: Entry = {"decision": "qualifiers", "stage": "A/qualifying", "qualifiers": 12, "at": decided}
    flags = played("tpc", [first, decision])["flags"]
    assert [flag["entry"] for flag in flags if "decided by" in flag["why"]] == [2] * late  # type: ignore[attr-defined]


def test_a_close_says_what_was_decided_before_and_is_not_flagged():
    close: Entry = {"close": "A/qualifying", "qualifiers": 12, "at": "2010-05-16T11:00"}
    flags = played("tpc", [game("2010-05-14T18:00"), close])["flags"]
    assert [flag for flag in flags if "decided by" in flag["why"]] == []  # type: ignore[attr-defined]


def test_a_wrong_closing_time_says_what_it_may_be():
    with pytest.raises(TournamentInvalid, match="weekday"):
        played("epc", [], {"qualifying_closes": "Sat"})
    with pytest.raises(TournamentInvalid, match="time of day"):
        played("epc", [], {"qualifying_closes": "25:00"})
