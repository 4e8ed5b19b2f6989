"""Teams and rosters out of tables: whole or not at all, told by id or name, and what is there is never changed."""

from collections.abc import Callable

import pytest

from server.core.rules import evaluate
from server.exchange.results import make_table
from server.exchange.sheets import SheetInvalid, write_sheet
from server.exchange.team_tables import plan_teams

from .conftest import Venue

LEAGUE = "inlane: 1\ntournament: Night League\npreset: pinball-chicago\nmachines: [{id: m1}]\n"
TEAMS = "team,seed,home,captain\nThe Kings,1,v1,k1\nThe Lions,2,v2,\n"
ROSTERS = "team,teamname,playerid,name,role\n" + "".join(
    f"{team},,{who}{number},{name} {number},Starter\n"
    for team, who, name in (("the-kings", "k", "King"), ("the-lions", "l", "Lion"))
    for number in range(1, 7)
)


@pytest.fixture
def league(venue: Venue) -> Venue:
    venue.import_text(LEAGUE, "league", current=True)
    return venue


def test_teams_then_their_rosters_come_in_and_the_same_again_adds_nothing(league: Venue):
    told = league.import_table(TEAMS, "teams", "league")
    assert [(one["id"], one["seed"]) for one in told["added"]] == [("the-kings", 1), ("the-lions", 2)]
    told = league.import_table(ROSTERS, "rosters", "league")
    assert [len(one["roster"]) for one in told["added"]] == [6, 6]
    teams = league.tournament("league").head.teams
    assert teams["the-kings"].captains == ("k1",)
    assert teams["the-lions"].roster is not None
    assert teams["the-lions"].roster[0].role == "starter"
    for table, part, there in ((TEAMS, "teams", 2), (ROSTERS, "rosters", 12)):
        again = league.import_table(table, part, "league")
        assert (again["added"], again["there_already"]) == ([], there)


def test_a_roster_table_brings_teams_that_are_not_there_by_name(league: Venue):
    told = league.import_table("teamname;name\nÉtoiles;Ann\nÉtoiles;Ben\n", "rosters", "league")
    [team] = told["added"]
    assert (team["id"], team["name"], [one["name"] for one in team["roster"]]) == ("etoiles", "Étoiles", ["Ann", "Ben"])
    with league.desk.reading() as state:
        assert "etoiles-1" in state.tournaments["league"].members


def test_what_is_exported_comes_in_elsewhere(league: Venue, new_venue: Callable[[], Venue]):
    league.import_table(TEAMS, "teams", "league")
    league.import_table(ROSTERS, "rosters", "league")
    tournament = league.tournament("league")
    other = new_venue()
    other.import_text(LEAGUE, "league", current=True)
    for part in ("teams", "rosters"):
        table = make_table(part, tournament, evaluate(tournament))
        other.import_table(write_sheet(table.header, table.rows, bom=False).decode(), part, "league")
    assert other.tournament("league").head.teams == tournament.head.teams
    assert other.export_text("league") == league.export_text("league")


@pytest.mark.parametrize(
    ("part", "table", "words"),
    [
        ("teams", "seed\n1\n", "line 1: no column says the name"),
        ("teams", "team,seed\nA,x\n", "line 2: seed must be a whole number"),
        ("teams", "team,seed\nA,1\nB,1\n", "line 3: seed: 1 is the seed of a already"),
        ("teams", "teamid,team\na,A\na,A\n", "line 3: team a is there twice"),
        ("teams", "team\n" + "x" * 201 + "\n", "line 2: the name has more than 200"),
        ("rosters", "name\nAnn\n", "line 1: no column says which team"),
        ("rosters", "team,playerid,role\nK,k1,boss\n", "line 2: role must be starter or reserve"),
        ("rosters", "team,playerid\nK,k1\nK,k1\n", "line 3: k1 is twice in the roster of K"),
        ("rosters", "team,playerid\nK,\n", "line 2: no player is named"),
        ("rosters", "team,playerid\n,k1\n", "line 2: no team is named"),
        ("rosters", "team,playerid\nL,l9\n", "line 2: team L has a roster: who comes later is a roster entry"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_its_line(part: str, table: str, words: str):
    head = {"preset": "pinball-chicago", "teams": [{"id": "L", "roster": [{"id": "l1"}]}]}
    with pytest.raises(SheetInvalid, match=words):
        plan_teams(table.encode(), part, head, name="x.csv")


def test_teams_do_not_join_a_tournament_of_single_players():
    with pytest.raises(SheetInvalid, match="uk-kids is played by single players"):
        plan_teams(b"team\nKings\n", "teams", {"preset": "uk-kids"}, name="x.csv")
