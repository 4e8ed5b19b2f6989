"""Teams on the floor: who may play, which stage a match belongs to, who is recused, what an undone line-up leaves."""

from typing import Any

import pytest

from server.core import rules
from server.core.rules.teams.matches import outcome_of
from server.core.venue import commands as c
from server.core.venue.closing import stage_of
from server.core.venue.outcomes import Conflict, Refused
from server.core.venue.seeding import field_in
from server.core.venue.values import Place

from .conftest import KEEPER, World
from .league import HOME, LEAGUE, PLAYER, declare, place, refused, say, team


@pytest.fixture
def league() -> World:
    """A league with two matches, of which the second has nobody of the official's team."""
    world = World()
    world.done(c.OpenTournament(id="league", head=LEAGUE))
    say(world, match="x1", home="H", away="A", week=1, venue="v1")
    say(world, match="x2", home="B", away="C", week=1, venue="v1")
    return world


def test_a_roster_entry_brings_somebody_who_may_then_play(league: World):
    assert "not entered" in league.do(c.Assign(machine="m1", place=place(), players=("new", "a1"))).why
    say(league, roster="H", add="new", role="reserve")
    league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=("new", "a1", "h2", "a2")))


def test_a_match_says_to_which_stage_its_games_belong(league: World):
    assert stage_of(league.state, place(), "m1") == "season"
    say(league, close="season")
    assert stage_of(league.state, Place(tournament="league", stage="playoffs"), "m1") == "playoffs"


def test_a_score_stealing_machine_is_played_one_at_a_time_and_the_rest_is_filled_in_so(league: World):
    declare(league, 1)
    league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=("h1",)))
    league.start("g-1", "m1")
    league.end("g-1", 100, machine="m1")
    assert league.state.games["g-1"].status == "posted"
    for number, who in enumerate(("a1", "h2", "a2"), 2):
        assigned = league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=()))
        assert assigned["players"] == [who]
        league.start(f"g-{number}", "m1")
        league.end(f"g-{number}", 100, machine="m1")
    outcome = league.do(c.Assign(machine="m1", place=place(round=1, slot=1), players=()))
    assert isinstance(outcome, Refused)
    assert "has been played" in outcome.why


def test_players_are_filled_in_only_from_both_line_ups_and_on_the_declared_machine(league: World):
    wanted = c.Assign(machine="m1", place=place(round=1, slot=1), players=())
    outcome = league.do(wanted)
    assert isinstance(outcome, Refused)
    assert "A and H declared no line-up" in outcome.why or "H and A declared no line-up" in outcome.why
    declare(league, 1)
    outcome = league.do(c.Assign(machine="m3", place=place(round=1, slot=1), players=()))
    assert isinstance(outcome, Refused)
    assert "name m1" in outcome.why
    assert league.done(wanted)["players"] == ["h1", "a1", "h2", "a2"]


def test_an_official_who_plays_is_recused_in_matches_of_his_own_team_only(league: World):
    declare(league, 1)
    for match, scores in (("x1", {"h1": 4, "a1": 3, "h2": 2, "a2": 1}), ("x2", {"b1": 4, "c1": 3, "b2": 2, "c2": 1})):
        say(league, game=f"g-{match}", match=match, round=1, slot="1", machine="m1", scores=scores)
    say(league, PLAYER, correct="g-x2", scores={"b1": 5, "c1": 3, "b2": 2, "c2": 1})
    assert "PC42" in refused(league, PLAYER, correct="g-x1", scores={"h1": 9, "a1": 3, "h2": 2, "a2": 1})
    assert "PC42" in refused(league, PLAYER, penalty="a1", **{"for": "death-save"}, game="g-x1")
    assert "PC42" in refused(league, PLAYER, forfeit="x1", team="A")
    fixed = {"correct": "g-x1", "scores": {"h1": 9, "a1": 3, "h2": 2, "a2": 1}}
    own = c.RecordEntry(tournament="league", entry=fixed, why="misread", despite_recusal=True)
    outcome = league.do(own, PLAYER)
    assert isinstance(outcome, Refused)
    assert "who else has decided" in outcome.why
    by = c.RecordEntry(tournament="league", entry={**fixed, "by": "Olga"}, why="misread", despite_recusal=True)
    number = league.done(by, PLAYER)["number"]
    assert league.state.entries["league", number].recused == "h3"


def test_an_undone_line_up_can_be_declared_again_and_restored_only_if_it_was_not(league: World):
    declare(league, 1)
    number = max(league.state.tournaments["league"].entries, 0)
    league.done(c.UndoEntry(tournament="league", number=number, why="he is ill"))
    games = [{"slot": "1", "players": ["h1", "h3"]}, {"slot": "2", "players": ["h2", "h4"]}]
    say(league, HOME, lineup="x1", round=1, team="H", games=games)
    assigned = league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=()), KEEPER)
    assert assigned["players"] == ["h1", "a1", "h3", "a2"]


def test_a_captured_game_of_a_match_moves_to_the_team_mate_who_played_it(league: World):
    players = ("h1", "a1", "h2", "a2")
    league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=players))
    league.start("g-1", "m1")
    league.end("g-1", 4, 3, 2, 1, machine="m1")
    game = league.state.entries["league", league.state.games["g-1"].entry or 0].entry["game"]
    league.done(c.MoveGame(tournament="league", game=game, who="h2", to="h5", why="it was h5"))
    number = league.state.games["g-1"].entry or 0
    assert dict(league.state.entries["league", number].entry["scores"]) == {"h1": 4, "a1": 3, "h5": 2, "a2": 1}
    away = c.MoveGame(tournament="league", game=game, who="h5", to="b1", why="no")
    assert isinstance(league.do(away), Refused)


def test_what_was_recorded_in_the_same_slot_meanwhile_is_a_conflict(league: World):
    seen = league.state.tournaments["league"].version
    scores = {"h1": 4, "a1": 3, "h2": 2, "a2": 1}
    say(league, game="g1", match="x1", round=1, slot="1", machine="m1", scores=scores)
    again = {"game": "g2", "match": "x1", "round": 1, "slot": "1", "machine": "m1", "scores": scores}
    assert isinstance(league.do(c.RecordEntry(tournament="league", entry=again, based_on=seen)), Conflict)
    other = {**again, "slot": "2", "machine": "m2", "scores": {"h3": 4, "a3": 3, "h4": 2, "a4": 1}}
    league.done(c.RecordEntry(tournament="league", entry=other, based_on=seen))
    end = {"end": "x1"}
    assert isinstance(league.do(c.RecordEntry(tournament="league", entry=end, based_on=seen)), Conflict)


def test_a_doubtful_reading_of_a_match_counts_for_nobody_until_it_is_decided(league: World):
    league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=("h1", "a1", "h2", "a2")))
    league.start("g-1", "m1")
    doubtful = {"player": 2, "score": 3, "confidence": 0.5}
    league.end("g-1", 4, doubtful, 2, 1, machine="m1")
    assert league.state.games["g-1"].status == "waiting"
    assert not league.book.rules_of(league.state, "league").matches["x1"].games
    [reading] = league.waiting()
    league.done(c.ConfirmReading(reading=reading))
    assert [game.id for game in league.book.rules_of(league.state, "league").matches["x1"].games]


@pytest.mark.parametrize(
    "entry",
    [
        {"forfeit": "x1", "team": ["A"]},
        {"forfeit": "x1", "team": {"A": 1}, "round": 2},
        {"lineup": "x1", "round": 1, "team": ["H"], "games": []},
        {"lineup": "x1", "round": 1, "team": "H", "games": [{"slot": "1", "players": 7}]},
        {"lineup": "x1", "round": 1, "team": "H", "games": "m1"},
        {"decision": "confirmed", "match": ["x1"], "team": "H"},
        {"roster": "H", "add": ["new"]},
        {"roster": "H", "role": "captain"},
        {"terms": "x1", "balls": "three"},
        {"game": "g1", "match": ["x1"], "machine": "m1", "scores": {"h1": 1}},
        {"end": "x1", "team": "H"},
        {"forfeit": "x" * 10**6, "team": "H"},
    ],
)
def test_what_is_no_entry_is_refused_in_one_line_from_captains_and_officials_who_play(
    league: World, entry: dict[str, Any]
):
    for actor in (HOME, PLAYER):
        outcome = league.do(c.RecordEntry(tournament="league", entry=entry, why="so"), actor)
        assert isinstance(outcome, Refused), outcome
        assert len(outcome.why) < 500
        assert "\n" not in outcome.why
    assert league.state.tournaments["league"].entries == 2


def test_a_season_is_not_closed_unseen_while_a_game_of_a_match_waits_or_runs(league: World):
    league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=("h1", "a1", "h2", "a2")))
    league.start("g-1", "m1")
    close = {"close": "season"}
    outcome = league.do(c.RecordEntry(tournament="league", entry=close))
    assert isinstance(outcome, Conflict)
    assert "a game is running" in outcome.why
    league.end("g-1", {"player": 1, "score": 4, "confidence": 0.5}, 3, 2, 1, machine="m1")
    outcome = league.do(c.RecordEntry(tournament="league", entry=close))
    assert isinstance(outcome, Conflict)
    assert "waits for an official" in outcome.why


def test_a_game_of_a_match_that_was_running_when_the_season_closed_counts(league: World):
    league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=("h1", "a1", "h2", "a2")))
    league.start("g-1", "m1")
    league.done(c.RecordEntry(tournament="league", entry={"close": "season"}, despite_open=True))
    league.end("g-1", 4, 3, 2, 1, machine="m1")
    game = league.state.games["g-1"]
    assert [score.score for score in game.scores] == [4, 3, 2, 1]
    assert (game.status, game.against) == ("posted", None)


def test_a_captured_game_that_was_undone_comes_back_and_its_match_with_it(league: World):
    league.done(c.Assign(machine="m1", place=place(round=1, slot=1), players=("h1", "a1", "h2", "a2")))
    league.start("g-1", "m1")
    league.end("g-1", 4, 3, 2, 1, machine="m1")
    number = league.state.games["g-1"].entry or 0
    league.done(c.UndoEntry(tournament="league", number=number, why="another match"))
    assert league.state.games["g-1"].status == "waiting"
    assert not league.book.rules_of(league.state, "league").matches["x1"].games
    league.done(c.RestoreEntry(tournament="league", number=number, why="no, this one"))
    assert [game.id for game in league.book.rules_of(league.state, "league").matches["x1"].games]


def test_a_game_that_nobody_was_assigned_to_is_matched_to_its_slot_by_the_line_ups(league: World):
    declare(league, 1)
    league.fact("game.started", "m1", game="g-1", players=4, joined_late=False)
    league.end("g-1", 4, 3, 2, 1, machine="m1")
    assert league.state.games["g-1"].status == "unmatched"
    league.done(c.MatchGame(game="g-1", place=place(round=1, slot=1), players=()))
    number = league.state.games["g-1"].entry or 0
    assert dict(league.state.entries["league", number].entry["scores"]) == {"h1": 4, "a1": 3, "h2": 2, "a2": 1}


def test_playoffs_go_on_with_captured_games_and_their_field_is_told(league: World):
    for match, teams in (("x1", "HA"), ("x2", "BC")):
        one, two = teams.lower()
        for slot, n in ((1, 1), (2, 3)):
            scores = {f"{one}{n}": 9, f"{two}{n}": 3, f"{one}{n + 1}": 2, f"{two}{n + 1}": 1}
            game = {"game": f"{match}-{slot}", "round": 1, "slot": slot, "machine": f"m{slot}", "scores": scores}
            say(league, **game, match=match)
        say(league, forfeit=match, team=teams[1], **{"for": "left-early"})
    say(league, close="season", qualifiers=2)
    page = league.book.page(league.state, "league")
    outcome = rules.evaluate(page.tournament)
    [season, *_] = outcome["stages"]
    assert [tie["reason"] for tie in season["tiebreaks"]] == ["seed"]
    say(league, decision="draw", stage="season", who=["H", "B"])
    say(league, match="q1", home="H", away="B", stage="playoffs", venue="v1")
    assert stage_of(league.state, Place(tournament="league", match="q1"), "m1") == "playoffs"
    where = Place(tournament="league", match="q1", round=1, slot=1)
    league.done(c.Assign(machine="m1", place=where, players=("h1", "b1", "h2", "b2")))
    league.start("g-1", "m1")
    league.end("g-1", 4, 3, 2, 1, machine="m1")
    assert league.state.games["g-1"].status == "posted", league.state.games["g-1"].why
    page = league.book.page(league.state, "league")
    field = field_in(page, rules.evaluate(page.tournament), "playoffs")
    assert field is not None
    assert (field.begun, set(field.who), set(field.given or ())) == (True, {"H", "B"}, {"H", "B"})


def test_a_level_match_is_given_to_a_team_by_an_official_who_says_why_and_plays_for_neither(league: World):
    for name in "HA":
        say(league, forfeit="x1", team=name, **{"for": "left-early"})
    entry = {"decision": "winner", "match": "x1", "team": "A"}
    assert "official" in refused(league, KEEPER, **entry)
    assert "PC42" in refused(league, PLAYER, **entry)
    without = league.do(c.RecordEntry(tournament="league", entry=entry))
    assert isinstance(without, Refused)
    assert "reason" in without.why
    say(league, **entry)
    known = league.book.rules_of(league.state, "league")
    assert outcome_of(known, known.matches["x1"]).winner == "A"


@pytest.mark.parametrize("preset", ["uk-team", "epc-country"])
def test_a_team_that_withdrew_may_return(preset: str):
    world = World()
    teams = [{**team(f"t{n}", f"x{n}-"), "seed": n} for n in range(1, 21 if preset == "epc-country" else 17)]
    head = {"tournament": "T", "preset": preset, "teams": teams, "machines": LEAGUE["machines"]}
    world.done(c.OpenTournament(id="league", head=head))
    gone = world.done(c.Withdraw(tournament="league", player="t1", why="late", stage=None))
    assert ("league", "t1") in world.state.withdrawn
    assert gone["entry"] in {"absent", "decision"}
    world.done(c.Return(tournament="league", player="t1", why="here they are"))
    assert ("league", "t1") not in world.state.withdrawn
    assert not world.book.rules_of(world.state, "league").refused


def test_a_captured_compensation_ball_waits_until_an_official_keeps_it_for_a_ruling(league: World):
    scores = {"h1": 100, "a1": 90, "h2": 10, "a2": 10}
    say(league, game="g1", match="x1", round=1, slot="1", machine="m1", scores=scores)
    league.done(c.Assign(machine="m1", place=Place(tournament="league"), players=("a1",)))
    league.start("g-2", "m1")
    league.end("g-2", 50, machine="m1")
    assert league.state.games["g-2"].status == "waiting"
    kept = c.MatchGame(game="g-2", place=Place(tournament="league"), players=("a1",), despite_rules=True)
    number = league.done(kept)["number"]
    name = league.state.entries["league", number].entry["game"]
    say(league, ruling="g1", who="a1", kind="add-ball", games=[name])
    known = league.book.rules_of(league.state, "league")
    assert not known.refused
    assert outcome_of(known, known.matches["x1"]).points == {"H": 0, "A": 2}
