"""Tables of games: scores exactly as their digits, nobody's game twice, and nothing against the rules."""

import csv
import io

import pytest

from server.core import rules
from server.exchange.results import make_table
from server.exchange.sheets import SheetInvalid, write_sheet

from .conftest import Venue

SCORES = (2_147_483_647, 2_147_483_648, 4_294_967_296, 12_345_678_910)


def scores(venue: Venue) -> dict[str, int]:
    outcome = rules.evaluate(venue.tournament())
    return {row["who"]: row["score"] for row in outcome["stages"][0]["standings"]}  # type: ignore[index]


def games(venue: Venue) -> list[str]:
    return [str(entry.written["game"]) for entry in venue.tournament().log if "game" in entry.written]


def test_scores_of_every_size_come_in_exactly_and_the_same_table_again_adds_nothing(venue: Venue):
    rows = "".join(f"Machine One;Player {n};{score}\r\n" for n, score in enumerate((*SCORES, 10**18), 1))
    text = "Arena;Player;Score\r\n" + rows
    told = venue.import_table(text, "games")
    assert [(one["game"], one["line"]) for one in told["added"]] == [(f"g{n}", n + 1) for n in range(1, 6)]
    assert scores(venue) == {f"p{n}": score for n, score in enumerate((*SCORES, 10**18), 1)}
    again = venue.import_table(text, "games")
    assert (again["added"], again["there_already"], len(games(venue))) == ([], 5, 5)
    more = venue.import_table(text + "Machine One;Player 1;2147483647\r\n", "games")
    assert [(one["game"], one["line"]) for one in more["added"]] == [("g6", 7)]


def test_five_games_that_came_in_sum_exactly(venue: Venue):
    venue.import_table(
        "gameId,arenaId,playerId,score\n" + "".join(f"x{n},m1,p1,12345678910\n" for n in range(5)), "games"
    )
    venue.record(ruling="x0", kind="add-ball", games=["x1", "x2", "x3", "x4"], why="a broken flipper")
    assert scores(venue) == {"p1": 61_728_394_550}


def test_what_goes_out_comes_in_again(venue: Venue):
    venue.record(game="g1", machine="m1", scores={"p1": 2**53 + 1})
    venue.record(game="g2", machine="m1", scores={"p2": 7})
    venue.record(correct="g2", scores={"p2": 8}, why="misread")
    venue.record(game="g3", machine="m1", scores={"p3": 9})
    venue.record(void="g3", why="stuck ball")
    tournament = venue.tournament()
    table = make_table("games", tournament, rules.evaluate(tournament))
    text = write_sheet(table.header, table.rows).decode("utf-8-sig")
    told = venue.import_table(text, "games")
    assert (told["added"], told["there_already"]) == ([], 2)
    assert "line 4: voided or refused, not taken" in told["notes"]
    head = "inlane: 1\npreset: uk-kids\nplayers: [{id: p1}, {id: p2}]\nmachines: [{id: m1}]\n"
    venue.import_text(head, "other")
    with pytest.raises(SheetInvalid, match="player 'p3': not entered"):
        venue.import_table(text.replace(",true,", ",false,"), "games", "other")
    venue.import_table(text, "games", "other")
    rows = csv.DictReader(io.StringIO(text))
    assert [row["score"] for row in rows] == ["'9007199254740993", "8", "9"]
    log = [(entry.written["game"], entry.written["scores"]) for entry in venue.tournament("other").log]
    assert log == [("g1", {"p1": 2**53 + 1}), ("g2", {"p2": 8})]


WRONG = {
    "no score column": ("arenaId,playerId\nm1,p1\n", 1, "no column gives the score"),
    "no player": ("arenaId,score\nm1,5\n", 1, "no column gives the player"),
    "unknown machine": ("arenaId,playerId,score\nm9,p1,5\n", 2, "machine 'm9': not entered"),
    "unknown player": ("arenaId,playerId,score\nm1,p1,5\nm1,p9,5\n", 3, "player 'p9': not entered"),
    "id of another name": (
        "arenaId,playerId,name,score\nm1,p1,Player 2,5\n",
        2,
        "player p1 is 'Player 1', not 'Player 2'",
    ),
    "nobody": ("arenaId,playerId,score\nm1,,5\n", 2, "no player is named"),
    "empty score": ("arenaId,playerId,score\nm1,p1,\n", 2, "the score is empty"),
    "negative": ("arenaId,playerId,score\nm1,p1,-5\n", 2, "score must be a whole number, not '-5'"),
    "fraction": ("arenaId,playerId,score\nm1,p1,5.0\n", 2, "whole number"),
    "separators": ('arenaId,playerId,score\nm1,p1,"1,234"\n', 2, "whole number"),
    "huge": (f"arenaId,playerId,score\nm1,p1,{10**18}\nm1,p2,{10**18 + 1}\n", 3, "at most 1000000000000000000"),
    "exponent": ("arenaId,playerId,score\nm1,p1,1.2E+10\n", 2, "whole number"),
    "twice in a game": ("gameId,arenaId,playerId,score\na,m1,p1,5\na,m1,p1,6\n", 3, "p1 is in game a twice"),
    "on two machines": ("gameId,arenaId,playerId,score,round\na,m1,p1,5,1\na,m1,p2,6,2\n", 3, "another one in line 2"),
    "other scores": ("gameId,arenaId,playerId,score\ng1,m1,p1,6\n", 2, "is there with other scores"),
    "no such stage": ("arenaId,playerId,score,stage\nm1,p1,5,\nm1,p2,5,final\n", 3, "final"),
    "no time": ("arenaId,playerId,score,startedAt\nm1,p1,5,noon\n", 2, "started_at: must be a time"),
    "line 4000": ("arenaId,playerId,score\n" + "m1,p1,5\n" * 3998 + "m1,p1,5x\n", 4000, "whole number"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_table_with_one_wrong_row_is_refused_whole_with_its_line(venue: Venue, name: str):
    venue.record(game="g1", machine="m1", scores={"p1": 500})
    text, line, words = WRONG[name]
    before = venue.desk.hub.position
    with pytest.raises(SheetInvalid) as caught:
        venue.import_table(text, "games")
    assert (caught.value.line, words in str(caught.value)) == (line, True), str(caught.value)
    assert venue.desk.hub.position == before


def test_one_of_two_players_of_a_name_must_be_named_by_his_id(venue: Venue):
    venue.import_table("name\nPat Lee\nPat Lee\n")
    with pytest.raises(SheetInvalid, match=r"line 2: player 'Pat Lee': several players are called so \(p7, p8\)"):
        venue.import_table("arenaId,name,score\nm1,Pat Lee,5\n", "games")
    venue.import_table("arenaId,playerId,name,score\nm1,p8,Pat Lee,5\n", "games")
    assert scores(venue) == {"p8": 5}
