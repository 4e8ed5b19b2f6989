"""A tournament goes out, into a fresh database and out again as the same text, and every number is the same."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.book import Book
from server.core.venue.decide import decide
from server.core.venue.decide_import import TOGETHER
from server.core.venue.evolve import evolve
from server.core.venue.filing import Happened, body_of, kind_of, read_event
from server.core.venue.outcomes import Decision
from server.core.venue.state import State
from server.exchange.tournaments import document_of, read_arrival
from server.history import fold_ledger
from server.tournament_file import TournamentFileInvalid, dump, load

from .conftest import ADMIN, HEAD, Venue

FILES = sorted(path for path in (Path(__file__).parents[1] / "rules" / "files").rglob("*.yaml"))
READABLE = [path for path in FILES if "errors" not in path.parts]

Strategy = st.SearchStrategy[Any]
PLAYERS = [f"p{number}" for number in range(1, 6)]
text = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
who = st.sampled_from([*PLAYERS, "nobody"])
game = st.sampled_from([f"g{number}" for number in range(1, 6)])
score = st.integers(0, 10**30)
common = {"why": text, "at": st.sampled_from(["2026-05-14T10:00", "2026-05-14T12:30:00+02:00"])}


def kind(name: str, subject: Strategy, /, **fields: Strategy) -> Strategy:
    required = {key.strip("_"): value for key, value in fields.items()}
    mapping = st.fixed_dictionaries(required, optional=common)
    return st.builds(lambda named, rest: {name: named, **rest}, subject, mapping)


entries = st.one_of(
    kind("game", game, machine=st.sampled_from(["m1", "nothing"]), scores=st.dictionaries(who, score, max_size=3)),
    kind("buy", who, entries=st.integers(-1, 9)),
    kind("correct", game, scores=st.dictionaries(who, score, min_size=1, max_size=2)),
    kind("void", game),
    kind("ruling", game, kind=st.just("fraction"), factor=st.sampled_from(["0.8", "1.50", "0.000001"])),
    kind("machine", st.just("m1"), status=st.sampled_from(["down", "up", "closed"])),
    kind("penalty", who, for_=text.filter(str.strip).map(lambda word: word.strip()[:10] or "late")),
    kind("close", st.just("qualifying"), qualifiers=st.integers(0, 4)),
)
players = st.lists(
    st.fixed_dictionaries({"name": text}, optional={"country": st.sampled_from(["NO", "on"])}), max_size=5
)


def take_in(data: str) -> State:
    """A fresh venue without I/O, into which a file came; events go through JSON as in the ledger."""
    state, arrival = State(), read_arrival(data.encode(), name="x.yaml", id="t")
    decision = decide(state, arrival.command, ADMIN, 1, Book())
    assert isinstance(decision, Decision), decision
    for event in decision.events:
        body = json.loads(json.dumps(body_of(event)))
        event = read_event(kind_of(event), body)  # noqa: PLW2901
        assert event is not None
        evolve(state, Happened(position=state.position + 1, at=1, who="ada", event=event))
    return state


def give_out(state: State) -> rules.Tournament:
    return rules.parse(document_of(state, "t"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(players, st.lists(entries, max_size=12), st.one_of(st.none(), text))
def test_exported_imported_and_exported_again_is_the_same_text(
    people: list[dict[str, str]], log: list[dict[str, Any]], title: str | None
):
    head = {**HEAD, "players": [{"id": f"p{n}", **one} for n, one in enumerate(people, 1)]}
    document = {"inlane": 1, **head, **({} if title is None else {"tournament": title}), "log": log}
    try:
        tournament = rules.parse(document)
    except rules.TournamentInvalid:
        return  # a text that is no id: another law's affair
    first = dump(tournament)
    state = take_in(first)
    again = give_out(state)
    assert dump(again) == first
    assert rules.evaluate(again) == rules.evaluate(tournament)
    refused = {one["entry"]: one["why"] for one in rules.evaluate(tournament)["refused"]}
    assert {entry.number: entry.despite for entry in state.log("t") if entry.despite is not None} == refused


@pytest.mark.parametrize("path", READABLE[::6], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_case_of_the_rules_goes_through_a_database_unharmed(path: Path):
    tournament = load(path)
    again = give_out(take_in(dump(tournament)))
    assert dump(again) == dump(tournament)
    assert rules.evaluate(again) == rules.evaluate(tournament)


def test_every_entry_of_teams_goes_through_a_database_unharmed():
    kinds: set[str] = set()
    for path in (path for path in READABLE if rules.PRESETS[load(path).head.preset.name].teams):
        tournament = load(path)
        again = give_out(take_in(dump(tournament)))
        assert dump(again) == dump(tournament), path
        assert rules.evaluate(again) == rules.evaluate(tournament), path
        kinds |= {next(iter(entry.written)) for entry in tournament.log}
    assert {"match", "lineup", "game", "forfeit", "roster", "terms", "challenge", "end", "absent", "penalty"} <= kinds


def test_a_night_at_the_desk_goes_through_a_real_database(new_venue: Callable[[], Venue], venue: Venue):
    venue.record(buy="p1", entries=5)
    number = venue.record(game="g1", machine="m1", scores={"p1": 500})
    venue.record(game="g2", machine="m1", scores={"p2": 9 * 10**17})
    venue.record(correct="g1", scores={"p1": 600}, why="the sign's 6 is half dark")
    gone = venue.record(game="g3", machine="m1", scores={"p3": 1})
    venue.done(c.UndoEntry(tournament="club", number=gone, why="typed twice"))
    venue.done(c.MoveGame(tournament="club", game="g2", who="p2", to="p4", why="was Player 4's"))
    venue.record(close="qualifying")
    against = venue.record(game="g4", machine="m1", scores={"p5": 7}, despite=True, why="began in time")
    written = venue.export_text()
    assert number == 2
    assert "p3" not in written.split("log:")[1]
    assert "was Player 4's" in written
    assert "began in time" in written
    fresh = new_venue()
    told = fresh.import_text(written)
    assert [one["entry"] for one in told["refused"]] == [6]
    assert against == 8
    assert fresh.export_text() == written
    assert rules.evaluate(fresh.tournament()) == rules.evaluate(venue.tournament())
    with fresh.desk.reading() as state:
        assert [x.despite is not None for x in state.log("club")] == [False] * 5 + [True]


def test_what_is_imported_is_there_after_a_restart(venue: Venue):
    log = "".join(f"  - {{game: x{n}, machine: m1, scores: {{p1: {n}}}}}\n" for n in range(TOGETHER * 2 + 50))
    told = venue.import_text(
        f"inlane: 1\npreset: uk-kids\nplayers: [{{id: p1}}]\nmachines: [{{id: m1}}]\nlog:\n{log}", "x"
    )
    assert (told["entries"], told["current"]) == (250, False)
    with venue.desk.reading() as state:
        assert fold_ledger(venue.store) == state
        assert state.tournaments["x"].entries == 250
    number = venue.done(c.RecordEntry(tournament="x", entry={"game": None, "machine": "m1", "scores": {"p1": 9}}))
    assert number["number"] == 251
    venue.done(c.UndoEntry(tournament="x", number=17, why="a slip"))
    assert "x16," not in venue.export_text("x")


def test_nothing_on_the_floor_changes_where_another_tournament_is_running(venue: Venue):
    text = (
        "inlane: 1\npreset: uk-kids\nplayers: [{id: p1}]\nmachines: [{id: m1, name: Other}, {id: m9}]\n"
        "log: [{machine: m1, status: down}, {game: g, machine: m1, scores: {p1: 7}}]\n"
    )
    venue.import_text(text, "old")
    with venue.desk.reading() as state:
        assert (state.current, state.machines["m1"].name, state.machines["m1"].condition) == (
            "club",
            "Machine One",
            "up",
        )
        assert "m9" not in state.machines
    venue.import_text(text, "new", current=True)
    with venue.desk.reading() as state:
        machine = state.machines["m1"]
        assert (state.current, machine.name, machine.condition) == ("new", "Other", "down")


def test_an_id_that_is_taken_is_told_and_nothing_comes_in(venue: Venue):
    arrival = read_arrival(venue.export_text().encode(), name="x", id="club")
    before = venue.desk.hub.position
    outcome = venue.desk.submit(arrival.command, ADMIN)
    assert "there is a tournament club already" in outcome.why  # type: ignore[union-attr]
    assert venue.desk.hub.position == before


def test_an_error_in_line_4000_stops_the_whole_file():
    log = "".join(f"  - {{game: x{n}, machine: m1, scores: {{p1: {n}}}}}\n" for n in range(5, 4000))
    bad = "  - {game: y, machine: m1, scores: {p1: 4.5}}\n"
    text = f"inlane: 1\npreset: uk-kids\nmachines: [{{id: m1}}]\nlog:\n{log}{bad}"
    with pytest.raises(TournamentFileInvalid, match=r"^x\.yaml, line 4000: log entry 3996"):
        read_arrival(text.encode(), name="x.yaml")


def test_what_is_larger_than_64_mib_is_refused_unread():
    with pytest.raises(TournamentFileInvalid, match="larger than 64 MiB"):
        read_arrival(io.BytesIO(b"#" * (64 * 2**20 + 1)).getvalue(), name="x.yaml")


def test_an_id_is_made_of_the_title():
    made = [
        read_arrival(f'inlane: 1\npreset: uk-kids\ntournament: "{title}"\n'.encode(), name="x").command.id
        for title in ("Toronto 2010", "Zürich: Höhe!", "current", "x" * 90)
    ]
    assert made == ["toronto-2010", "zurich-hohe", "current-1", "x" * 40]
    with pytest.raises(TournamentFileInvalid, match="name one"):
        read_arrival(b"inlane: 1\npreset: uk-kids\ntournament: '!!!'\n", name="x")
