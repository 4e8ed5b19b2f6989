"""Tables of teams: rosters with their days, matches with their points, games with the team of each score."""

from collections.abc import Sequence

import pytest

from server.core import rules
from server.errors import InputInvalid
from server.exchange.results import make_table
from server.exchange.sheets import Cell
from server.tournament_file import loads


def team(name: str) -> str:
    members = [f"{{id: {name}1, name: Captain {name.upper()}, role: starter}}"]
    members += [f"{{id: {name}{number}, role: starter}}" for number in range(2, 7)]
    captain = f"home: v1, captain: {name}1"
    return f"{{id: {name.upper()}, name: Team {name.upper()}, {captain}, roster: [{', '.join(members)}]}}"


LEAGUE = f"""inlane: 1
preset: pinball-chicago
timezone: America/Chicago
teams:
  - {team("a")}
  - {team("b")}
machines: [{{id: m1, name: Machine One, players: 4, venue: v1}}, {{id: m2, players: 4, venue: v1}}]
log:
  - {{match: x1, home: A, away: B, week: 3, venue: v1, at: 2026-03-02T19:00}}
  - {{game: g1, match: x1, round: 1, slot: "1", machine: m1, scores: {{a1: 5, b1: 3, a2: 4, b2: 2}}}}
  - {{game: g2, match: x1, round: 2, slot: "1", machine: m1, scores: {{b1: 30, a1: 20}}, at: 2026-03-02T20:50}}
  - {{roster: B, add: b7, role: reserve, at: 2026-03-03T12:00}}
"""


def rows(kind: str, text: str = LEAGUE) -> Sequence[dict[str, Cell]]:
    tournament = loads(text)
    table = make_table(kind, tournament, rules.evaluate(tournament))
    return [dict(zip(table.header, row, strict=True)) for row in table.rows]


def test_each_score_of_a_game_says_for_which_team_it_was():
    assert [(row["playerId"], row["teamId"]) for row in rows("games")] == [
        ("a1", "A"), ("b1", "B"), ("a2", "A"), ("b2", "B"), ("b1", "B"), ("a1", "A"),
    ]  # fmt: skip


def test_a_match_has_its_place_and_points():
    [match] = rows("matches")
    assert (match["matchId"], match["week"], match["homeName"], match["awayId"]) == ("x1", 3, "Team A", "B")
    assert (match["homePoints"], match["awayPoints"], match["winnerId"], match["status"]) == (2, 1, None, "open")


def test_who_came_later_is_on_the_roster_from_that_day():
    found = {row["playerId"]: row for row in rows("rosters")}
    assert (found["a1"]["name"], found["a1"]["role"], found["a1"]["from"]) == ("Captain A", "starter", None)
    assert (found["b7"]["teamId"], found["b7"]["role"], found["b7"]["from"]) == ("B", "reserve", "2026-03-03")


def test_teams_stand_with_their_record():
    [first, second] = rows("teams", LEAGUE + "  - {forfeit: x1, team: B}\n")
    assert (first["teamId"], first["captain"], first["wins"], first["losses"], first["points"]) == ("A", "a1", 1, 0, 9)
    assert (second["teamId"], second["wins"], second["losses"], second["points"]) == ("B", 0, 1, 0)


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("ifpa", LEAGUE, "IFPA ranks single players: teams have no such table"),
        (
            "rosters",
            "inlane: 1\npreset: uk-kids\n",
            "uk-kids is played by single players: there is no table of rosters",
        ),
    ],
)
def test_a_table_that_cannot_be_says_why(kind: str, text: str, words: str):
    with pytest.raises(InputInvalid, match=words):
        rows(kind, text)
