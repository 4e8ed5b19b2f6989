"""The standings of whole tournaments, compared with those of an evaluator written from the rule pages alone.

More of them: INLANE_EXAMPLES=100000 pytest -n0 tests/properties/test_by_the_book.py
"""

import os
from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.core.rules import PRESETS, evaluate, parse
from tests.properties import by_the_book as naive
from tests.properties.tournaments import Document, play

Stage = Mapping[str, Any]
EXAMPLES = int(os.environ.get("INLANE_EXAMPLES", "200"))
made = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), print_blob=False
)
SYSTEMS = ("tpc", "uk-open", "epc", "epc-classic", "uk-kids")


def check(document: Document) -> None:
    """Compare every stage of a document."""
    state: Any = evaluate(parse(document))
    if any("seeds stand" in flag["why"] for flag in state["flags"]):
        return  # changed after the next stage had begun: officials decide
    refused = {item["entry"] for item in state["refused"]}
    book = naive.Book(document, [entry for number, entry in enumerate(document["log"], 1) if number not in refused])
    ranks: dict[str, int] = {}
    for stage in state["stages"]:
        name = stage["id"].rpartition("/")[2]
        if name == "qualifying":
            ranks = check_qualifying(book, stage, document)
        elif name in {"round2", "quarterfinal"} and document["preset"] in {"uk-open", "epc"}:
            check_pairs(book, stage, ranks)
        elif "score" in (stage["standings"] or [{}])[0]:
            check_one_game(book, stage)


def check_qualifying(book: naive.Book, stage: Stage, document: Document) -> dict[str, int]:
    """Points, ranks, who goes on. Gives the ranks."""
    games = naive.attempts(book, stage["id"])
    best = naive.best_on_machines(book, games)
    shown = {(row["who"], kept["machine"]): kept["score"] for row in stage["standings"] for kept in row["machines"]}
    assert shown == {(who, name): score for name, row in best.items() for who, score in row.items()}
    if document["preset"] == "epc-classic":
        played_off = any("tiebreak" in game for game in book.about("game"))
        if stage["status"] == "closed" and not stage["tiebreaks"] and not played_off:
            assert stage["advance"] == naive.winners(book, best)
        return {}
    totals = naive.totals(book, games)
    assert {row["who"]: row.get("points", row.get("score")) for row in stage["standings"]} == totals
    closed = stage["status"] == "closed"
    closes = [entry for entry in book.about("close") if entry["close"] == stage["id"]]
    cut = next((entry["qualifiers"] for entry in closes if "qualifiers" in entry), book.settings["qualifiers"])
    order = naive.split(book, stage["id"], totals, cut if closed else 0, inside=True)
    ranks = {who: 1 + sum(map(len, order[:place])) for place, group in enumerate(order) for who in group}
    assert {row["who"]: row["rank"] for row in stage["standings"]} == ranks
    if closed and not any("tiebreak" in game for game in book.about("game")):
        through = [group[0] for group in order if len(group) == 1 and ranks[group[0]] <= cut]
        later = [game for game in book.about("game") if "stage" in game and "tiebreak" not in game]
        assert stage["advance"] == through or later
    return ranks


def check_pairs(book: naive.Book, stage: Stage, ranks: dict[str, int]) -> None:
    """U4.4, U4.5, E3.7, E3.8: one ranking of all scores of a machine; equals by the better qualifying rank."""
    totals = dict.fromkeys((row["who"] for row in stage["standings"]), 0)
    totals |= naive.totals(book, naive.stage_games(book, stage["id"]))
    assert {row["who"]: row["points"] for row in stage["standings"]} == totals
    later = [row["who"] for row in stage["standings"] if ranks.get(row["who"]) is None]
    if book.settings.get("quarterfinal_ties") != "playoff" and not later and len(set(ranks.values())) == len(ranks):
        ordered = sorted(totals, key=lambda who: (-totals[who], ranks[who]))
        assert [row["who"] for row in stage["standings"]] == ordered


def check_one_game(book: naive.Book, stage: Stage) -> None:
    """U5.2, E4.2, L12: ranked by the raw score within the group."""
    games = naive.stage_games(book, stage["id"])
    for group in stage["groups"]:
        scores = {
            who: score
            for game in games
            for who in game["scores"]
            if who in group["who"] and (score := naive.official(book, game, who)) is not None
        }
        rows = {row["who"]: row for row in group["standings"]}
        assert {who: row["score"] for who, row in rows.items()} == dict.fromkeys(group["who"], 0) | scores
        for who, score in scores.items():
            for other, less in scores.items():
                assert score <= less or rows[who]["rank"] < rows[other]["rank"]


@made
@given(st.sampled_from([name for name in SYSTEMS if name in PRESETS]), st.integers(0, 2**32))
def test_standings_are_those_of_the_rule_pages(preset: str, seed: int):
    check(play(preset, seed, calm=True, wild=0.15))
