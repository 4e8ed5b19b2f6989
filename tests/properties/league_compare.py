"""Compares the product's answer to a league's file with that of the second evaluator, entry by entry.

Invariant: a difference is always told with the entry or the match that shows it.
"""

from collections.abc import Mapping
from typing import Any

from server.core.rules import evaluate, parse
from tests.properties import league_book as book
from tests.properties import league_checks as checks
from tests.properties import league_facts as facts
from tests.properties import league_ladder as ladder
from tests.properties import league_outcome as outcomes
from tests.properties.league_book import League
from tests.properties.tournaments import Document


def differences(document: Document) -> list[str]:
    """What the product says otherwise than the book; the first refusal that differs hides what follows from it."""
    state: Any = evaluate(parse(document))
    refused = {item["entry"]: item["why"] for item in state["refused"]}
    league = League(document, [])
    if meets_itself(document):
        return []
    for number, entry in enumerate(document["log"], 1):
        broken = checks.verdict(league, entry)
        if broken != facts.EITHER and (broken is not None) != (number in refused):
            said = refused.get(number, "taken")
            return [f"{number}: the book says {broken or 'take it'}, the product: {said}; {dict(entry)}"]
        if number not in refused:
            league.take(entry)
            if (wanted := flag_of(league, entry)) and number not in {flag["entry"] for flag in state["flags"]}:
                return [f"{number}: the book wants a flag ({wanted}); {dict(entry)}"]
    found = compare_matches(league, state)
    muddled = any(
        outcome.winner is None and not outcome.losers and outcome.counts
        for outcome in (outcomes.outcome(league, match["match"]) for match in league.about("match"))
    )
    return found or ([] if muddled else compare_table(league, state))


def meets_itself(document: Document) -> bool:
    """PC5: somebody is on two teams that meet, which they should not: then the book does not know the sides."""
    people = {team["id"]: {member["id"] for member in team["roster"]} for team in document["teams"] if "roster" in team}
    for entry in document["log"]:
        if book.kind(entry) == "roster" and "add" in entry:
            people.setdefault(entry["roster"], set()).add(entry["add"])
    met = [(entry["home"], entry["away"]) for entry in document["log"] if book.kind(entry) == "match"]
    return any(people.get(home, set()) & people.get(away, set()) for home, away in met)


def flag_of(league: League, entry: Mapping[str, Any]) -> str | None:
    """PC6, PC20, PC31: entries that stand and are flagged. The league has taken the entry already."""
    if "challenge" in entry:
        return "PC31"
    if book.kind(entry) == "end":
        here = league.evening(entry["end"])
        match = here.match(entry["end"])
        whole = [item for item in here.about("forfeit", forfeit=entry["end"]) if "round" not in item]
        if match is not None and not whole:
            results = [outcomes.result(here, match, number, slot) for number, slot in outcomes.all_slots(here)]
            return "PC6" if "open" in results else None
    if book.kind(entry) != "game" or len(entry["scores"]) != 4 or "round" not in entry:
        return None
    match = league.match(entry["match"])
    if match is None or not book.is_doubles(league, entry["round"]):
        return None
    first = facts.chooser(match, entry["round"])
    ours = book.sides(league, match, entry)
    top = {team: [who for who in ours[team] if facts.is_restricted(league, who)] for team in ours}
    others = [who for team in ours if team != first for who in top[team]]
    fourth = list(entry["scores"])[3]
    return "PC20" if top[first] and not others and fourth not in top[first] else None


def compare_matches(league: League, state: Mapping[str, Any]) -> list[str]:
    """Points, winner and extra balls of every match."""
    shown = {match["id"]: match for match in state["matches"]}
    names = [match["match"] for match in league.about("match")]
    if sorted(shown) != sorted(names):
        return [f"matches {sorted(shown)}, the book has {sorted(names)}"]
    found = []
    for name in names:
        outcome = outcomes.outcome(league, name)
        if shown[name]["points"] != outcome.points or shown[name].get("winner") != outcome.winner:
            found.append(f"match {name}: {shown[name]}, the book: {outcome}")
        balls = [entry["extra_balls"] for entry in league.about("terms", terms=name) if "extra_balls" in entry]
        wanted = (balls or [league.rule("extra_balls")])[-1]
        if shown[name].get("extra_balls", wanted) != wanted:
            found.append(f"match {name}: extra balls {shown[name]['extra_balls']}, the book: {wanted}")
    return found


def compare_table(league: League, state: Mapping[str, Any]) -> list[str]:
    """Rank, points, wins and losses of every team; who goes on; the ties that are left."""
    stages = {stage["id"]: stage for stage in state["stages"]}
    stage = stages["season"]
    rows = {row["who"]: row for row in stage["standings"]}
    matches = list(ladder.season(league).values())
    found, through, ties = [], [], []
    several = len(ladder.conferences(league)) > 1
    for teams in ladder.conferences(league).values():
        above = 0
        for group in ladder.table(league, teams):
            for team in group:
                wins, losses, points = ladder.record(matches, team)
                wanted = {"rank": above + 1, "points": points, "wins": wins, "losses": losses}
                shown = {key: rows[team].get(key) for key in wanted}
                if several:
                    wanted["rank"] = shown["rank"] = 0
                if shown != wanted:
                    found.append(f"{team}: {shown}, the book: {wanted}")
            above += len(group)
        if league.about("close", close="season"):
            on, open_ties = ladder.going_on(league, teams)
            through.append(on)
            ties += [(reason, tuple(sorted(who))) for reason, who, _place in open_ties]
    shown_through = [[who for who in stage["advance"] if who in on] for on in through]
    if shown_through != through or len(stage["advance"]) != sum(map(len, through)):
        found.append(f"advance {stage['advance']}, the book: {through}")
    shown_ties = [(tie["reason"], tuple(tie["who"])) for tie in stage["tiebreaks"] if tie["reason"] != "machine"]
    if sorted(shown_ties) != sorted(ties):
        found.append(f"ties {shown_ties}, the book: {ties}")
    return found
