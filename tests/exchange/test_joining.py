"""Tables of players and machines: who is new is added, nobody twice, nobody changed, and doubts are told."""

import pytest

from server.exchange.joining import plan_joining
from server.exchange.sheets import SheetInvalid

from .conftest import HEAD, Venue

TPC = {"preset": "tpc", "players": [{"id": "p1", "name": "Ann", "division": "A", "ifpa": 5}], "machines": []}


def people(venue: Venue) -> list[tuple[str, str]]:
    return [(player["id"], player["name"]) for player in venue.head()["players"]]


def test_the_same_table_twice_adds_nobody(venue: Venue):
    text = 'Name;IFPA\r\nZoë Müller;7\r\nŁukasz N.;\r\n"O\'Brien, Pat";\r\nPlayer 1;\r\n'
    first = venue.import_table(text)
    assert [(one["id"], one["name"], one["line"]) for one in first["added"]] == [
        ("p7", "Zoë Müller", 2),
        ("p8", "Łukasz N.", 3),
        ("p9", "O'Brien, Pat", 4),
    ]
    assert first["there_already"] == 1
    before = people(venue)
    again = venue.import_table(text)
    assert (again["added"], again["there_already"], people(venue)) == ([], 4, before)


def test_two_of_one_name_in_a_table_are_two_and_told_and_again_nobody_is_added(venue: Venue):
    text = "name\nPat Lee\npat  LEE\n"
    first = venue.import_table(text)
    assert [one["id"] for one in first["added"]] == ["p7", "p8"]
    assert first["notes"] == ["2 players are called Pat Lee: p7, p8"]
    assert venue.import_table(text)["added"] == []
    third = venue.import_table(text + "Pat Lee\n")
    assert [(one["id"], one["line"]) for one in third["added"]] == [("p9", 4)]


def test_numbers_say_who_somebody_is():
    head = {**HEAD, "players": [{"id": "p1", "name": "Pat Lee", "ifpa": 5}, {"id": "p2", "name": "Pat Lee"}]}
    plan = plan_joining(b"name,ifpa\nPat Lee,6\nPat Lee,5\n", "players", head, name="x.csv")
    assert (plan.added, plan.there) == ((), 2)
    assert plan.notes == ("line 2: Pat Lee is there; its ifpa stays empty, not 6",)
    plan = plan_joining(b"name,ifpa\nPat Lee,6\nPat Lee,7\n", "players", head, name="x.csv")
    assert ([one["ifpa"] for one in plan.added], plan.there) == ([7], 1)


def test_ids_of_another_program_are_kept_and_names_of_our_own_avoid_them():
    plan = plan_joining(b"playerId,name\np7,Ann\n,Bob\n", "players", HEAD, name="x.csv")
    assert [one["id"] for one in plan.added] == ["p7", "p8"]


CONTRADICTIONS = {
    "id of somebody else": ("id,name\np1,Player 1\np2,Zoe\n", 3, "id p2 is 'Player 2' already, not 'Zoe'"),
    "id twice": ("id,name\np8,A\np9,B\np8,C\n", 4, "id p8 is in line 2 already"),
    "ifpa twice": ("name,ifpa\nA,7\nB,7\n", 3, "ifpa 7 is in line 2 already"),
    "long id": ("id,name\n" + "x" * 41 + ",A\n", 2, "40 characters"),
    "huge rank": ("name,wppr_rank\nA,1\nB,99999999999\n", 3, "wppr_rank: must be from 1 to"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_table_that_contradicts_is_refused_whole_with_its_line(venue: Venue, name: str):
    text, line, words = CONTRADICTIONS[name]
    before = people(venue)
    with pytest.raises(SheetInvalid) as caught:
        venue.import_table("name,wppr_rank\n" + text if text.startswith("A,") else text)
    assert (caught.value.line, words in str(caught.value)) == (line, True), str(caught.value)
    assert people(venue) == before


def test_a_division_that_is_not_there_is_told_with_its_line():
    with pytest.raises(SheetInvalid, match=r"x\.csv, line 4: division: there is no such division as C; there are A, B"):
        plan_joining(b"name,division\nBob,A\nCid,\nDan,C\n", "players", TPC, name="x.csv")


def test_the_number_says_who_it_is_also_under_another_id():
    plan = plan_joining(b"id,name,ifpa\n17,Ann,5\n", "players", TPC, name="x.csv")
    assert (plan.added, plan.notes) == ((), ("line 2: Ann is there; its id stays p1, not 17",))
    with pytest.raises(SheetInvalid, match=r"line 3: ifpa 5 is the number of Ann \(p1\) already"):
        plan_joining(b"id,name,ifpa\np1,Ann,\n17,Anna,5\n", "players", TPC, name="x.csv")


def test_what_steers_a_terminal_is_no_part_of_a_name():
    plan = plan_joining(b"name\r\n\x1b[31mBob\x07\r\n\x1a", "players", TPC, name="x.csv")
    assert [one["name"] for one in plan.added] == ["[31mBob"]


def test_columns_that_nothing_is_made_of_are_told():
    plan = plan_joining(b"name,e-mail,ifpaId\nBob,b@x.org,\n", "players", TPC, name="x.csv")
    assert plan.notes == ("column 'e-mail' is not used",)


def test_machines_get_ids_that_agents_could_have(venue: Venue):
    text = "Arena,Players\nAttack from Mars (LE),4\nÉxtra!,2\nMachine One,4\nAttack from Mars LE,\n!!!,\n"
    told = venue.import_table(text, "machines")
    assert [one["id"] for one in told["added"]] == ["attack-from-mars-le", "extra", "attack-from-mars-le-2", "machine"]
    assert told["notes"] == ["line 4: Machine One is there; its players stays empty, not 4"]
    assert venue.import_table(text, "machines")["added"] == []


def test_names_that_look_like_formulas_come_back_as_they_were(venue: Venue):
    name = "=cmd|' /C calc'!A0"
    venue.import_table(f'name\n"{name}"\n\u202eevil\n')
    assert [player["name"] for player in venue.head()["players"]][-2:] == [name, "\u202eevil"]


def test_notes_are_as_many_as_somebody_may_read():
    rows = "".join(f"Player {n},{n % 500}\n" for n in range(1, 1001))
    plan = plan_joining(f"name,wppr_rank\n{rows}".replace(",0\n", ",1\n").encode(), "players", TPC, name="x.csv")
    head = {**TPC, "players": [{**one, "wppr_rank": 7} for one in plan.added]}
    again = plan_joining(f"name,wppr_rank\n{rows}".replace(",0\n", ",1\n").encode(), "players", head, name="x.csv")
    assert (again.added, len(again.told()["notes"]), again.told()["notes"][-1]) == ((), 201, "and 798 more")
    many = plan_joining(b"name\n" + b"Same\n" * 50, "players", TPC, name="x.csv")
    assert many.notes == ("50 players are called Same: p2, p3, p4, p5, p6, p7, p8, p9, p10, p11 and 40 more",)
