"""Tables of results: exact numbers, shared positions, what officials did, and the table that IFPA takes."""

import csv
import io

import pytest

from server.core import rules
from server.errors import InputInvalid
from server.exchange.results import TABLES, make_table, split_name
from server.exchange.sheets import write_sheet
from server.exchange.team_results import TEAM_TABLES
from server.tournament_file import loads

CLUB = """\
inlane: 1
tournament: Club night
preset: uk-kids
players:
  - {id: p1, name: "O'Brien, Pat", ifpa: 1234}
  - {id: p2, name: Zoë van Müller}
  - {id: p3, name: "=cmd|' /C calc'!A0"}
  - {id: p4, name: Cher}
machines:
  - {id: m1, name: Machine One}
log:
"""
FIVE = CLUB + "".join(f"  - {{game: g{n}, machine: m1, scores: {{p1: 12345678910}}}}\n" for n in range(1, 6))
SUMMED = FIVE + "  - {ruling: g1, kind: add-ball, games: [g2, g3, g4, g5]}\n"
TIED = (
    CLUB
    + "".join(f"  - {{game: g{n}, machine: m1, scores: {{p{n}: {score}}}}}\n" for n, score in
              enumerate((500, 500, 2**32, 2**53 + 1), 1))
    + "  - {correct: g1, scores: {p1: 400}, why: misread}\n"
    + "  - {correct: g1, scores: {p1: 500}, why: it was right}\n"
    + "  - {game: g2, machine: m1, scores: {p1: 9}}\n"
    + "  - {game: g5, machine: m1, scores: {p4: 8}}\n"
    + "  - {void: g5, why: stuck ball}\n"
)  # fmt: skip
TPC = """\
inlane: 1
preset: tpc
players: [{id: a, name: Ann, division: A}, {id: b, name: Bob, division: B}]
machines: [{id: m1, division: A}, {id: m2, division: B}]
log: [{game: g1, machine: m1, scores: {a: 5}}, {game: g2, machine: m2, scores: {b: 5}}]
"""


def rows(kind: str, text: str, **limits: str) -> list[dict[str, str]]:
    tournament = loads(text)
    table = make_table(kind, tournament, rules.evaluate(tournament), **limits)
    return list(csv.DictReader(io.StringIO(write_sheet(table.header, table.rows, bom=False).decode())))


def basis(text: str) -> str:
    tournament = loads(text)
    return make_table("ifpa", tournament, rules.evaluate(tournament)).basis


def test_five_games_of_twelve_thousand_million_sum_exactly():
    [row] = rows("standings", SUMMED)
    assert (row["position"], row["playerId"], row["score"]) == ("1", "p1", "61728394550")
    assert [row["score"] for row in rows("games", SUMMED)] == ["12345678910"] * 5
    assert rows("games", SUMMED)[0]["rulings"] == "add-ball"


def test_ties_share_a_position_and_scores_beyond_32_and_53_bits_are_exact():
    found = [(row["position"], row["playerId"], row["score"], row["ifpaId"]) for row in rows("standings", TIED)]
    assert found == [
        ("1", "p4", "9007199254740993", ""),
        ("2", "p3", "4294967296", ""),
        ("3", "p1", "500", "1234"),
        ("3", "p2", "500", ""),
    ]


def test_a_game_is_shown_with_what_officials_did_to_it():
    found = {row["entry"]: row for row in rows("games", TIED)}
    assert [found["1"][key] for key in ("gameId", "arenaName", "score", "firstScore")] == [
        "g1",
        "Machine One",
        "500",
        "",
    ]
    assert "g2" in found["7"]["refused"]
    assert (found["8"]["voided"], found["2"]["voided"]) == ("true", "false")
    corrected = rows("games", CLUB + "  - {game: g, machine: m1, scores: {p1: 5}}\n  - {correct: g, scores: {p1: 6}}\n")
    assert [(row["score"], row["firstScore"]) for row in corrected] == [("6", "5")]


def test_ifpa_gets_the_standings_of_the_last_stage_until_places_stand():
    found = [tuple(row.values()) for row in rows("ifpa", TIED)]
    assert found == [
        ("1", "", "Cher", ""),
        ("2", "", "'=cmd|'", "/C calc'!A0"),
        ("3", "1234", "Pat", "O'Brien"),
        ("3", "", "Zoë", "van Müller"),
    ]
    assert list(rows("ifpa", TIED)[0]) == ["position", "ifpa_id", "first_name", "last_name"]
    assert basis(TIED) == "not final: the standings of qualifying"
    assert basis(CLUB + "  []\n") == "nobody has a result yet"
    closed = TIED + "  - {close: qualifying}\n"
    assert basis(closed) == "final places 1 to 2, then the standings"
    assert basis(closed + "  - {game: t, machine: m1, scores: {p1: 1, p2: 2}, tiebreak: true}\n") == "final places"


STAGES = [
    {"id": "qualifying", "standings": [{"who": f"p{n}", "rank": rank} for n, rank in enumerate((1, 2, 3, 4, 4, 6), 1)]},
    {"id": "final", "standings": [{"who": "p2", "rank": 1}, {"who": "p1", "rank": 1}]},
]


@pytest.mark.parametrize(
    ("places", "status", "wanted", "words"),
    [
        ({}, {}, {"p1": 1, "p2": 1, "p3": 3, "p4": 4, "p5": 4, "p6": 6}, "not final: the standings of final and"),
        ({"p2": 1, "p1": 2}, {}, {"p2": 1, "p1": 2, "p3": 3, "p4": 4, "p5": 4, "p6": 6}, "final places 1 to 2, then"),
        ({"p2": 1, "p1": 2}, {"p4": "ejected"}, {"p2": 1, "p1": 2, "p3": 3, "p5": 4, "p6": 5}, "then the standings"),
        ({"p4": 4, "p5": 4, "p6": 6}, {}, {"p4": 4, "p5": 4, "p6": 6}, "others are still to be decided"),
    ],
)
def test_who_has_no_final_place_follows_in_the_order_of_his_last_stage(
    places: dict[str, int], status: dict[str, str], wanted: dict[str, int], words: str
):
    players = [
        {"id": who, "status": status.get(who, "active"), **({"place": places[who]} if who in places else {})}
        for who in (f"p{n}" for n in range(1, 7))
    ]
    people = ", ".join(f"{{id: p{n}}}" for n in range(1, 7))
    tournament = loads(f"inlane: 1\npreset: uk-kids\nplayers: [{people}]\n")
    table = make_table("ifpa", tournament, {"stages": STAGES, "players": players, "refused": []})
    assert {row[2]: row[0] for row in table.rows} == wanted
    assert words in table.basis


def test_where_there_are_divisions_one_is_named():
    with pytest.raises(InputInvalid, match="say of which division: A, B"):
        rows("ifpa", TPC)
    assert [row["first_name"] for row in rows("ifpa", TPC, division="B")] == ["Bob"]
    assert [row["playerId"] for row in rows("standings", TPC, division="A")] == ["a"]
    assert [row["playerId"] for row in rows("standings", TPC, stage="B/qualifying")] == ["b"]
    assert [
        row["first_name"] for row in rows("ifpa", TPC.replace(", {game: g2, machine: m2, scores: {b: 5}}", ""))
    ] == ["Ann"]


@pytest.mark.parametrize(
    ("kind", "limits", "words"),
    [
        ("scores", {}, "there are players, machines, games, standings, ifpa"),
        ("standings", {"stage": "B/qualifying"}, "there is no stage"),
        ("standings", {"division": "Z"}, "no division 'Z'"),
        ("ifpa", {"division": "Z"}, "no division 'Z'; there are none"),
        ("games", {"division": "A"}, "not of a single division"),
        ("ifpa", {"stage": "final"}, "not of a single stage"),
    ],
)
def test_a_table_that_is_not_there_is_told(kind: str, limits: dict[str, str], words: str):
    with pytest.raises(InputInvalid, match=words):
        rows(kind, TIED, **limits)


@pytest.mark.parametrize("kind", TABLES)
def test_every_table_of_an_empty_tournament_has_its_header(kind: str):
    preset = "pinball-chicago" if kind in TEAM_TABLES else "uk-kids"
    tournament = loads(f"inlane: 1\npreset: {preset}\n")
    table = make_table(kind, tournament, rules.evaluate(tournament))
    assert (len(table.header) > 1, table.rows) == (True, ())


def test_players_and_machines_are_written_as_they_are_read():
    [pat, *_] = rows("players", CLUB + "  - {buy: p1, entries: 3}\n")
    assert (pat["playerId"], pat["name"], pat["ifpaId"], pat["fees"]) == ("p1", "O'Brien, Pat", "1234", "3")
    assert rows("players", CLUB + "  []\n")[2]["name"] == "'=cmd|' /C calc'!A0"
    [machine] = rows("machines", CLUB + "  - {machine: m1, status: down}\n")
    assert (machine["arenaId"], machine["name"], machine["status"]) == ("m1", "Machine One", "down")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("O'Brien, Pat", ("Pat", "O'Brien")),
        ("Jan van der Berg", ("Jan", "van der Berg")),
        ("Cher", ("Cher", "")),
        ("", ("", "")),
    ],
)
def test_a_name_has_two_parts(name: str, parts: tuple[str, str]):
    assert split_name(name) == parts
