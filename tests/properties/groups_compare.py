"""Compares the product's answer to a team tournament in groups with that of the second evaluator.

Invariant: a difference is told with the entry, the match or the team that shows it.
"""

from collections.abc import Mapping
from typing import Any

from server.core.rules import evaluate, parse
from tests.properties import groups_book as book
from tests.properties.groups_book import Groups
from tests.properties.groups_made_up import REFUSED, TAKEN
from tests.properties.tournaments import Document


def differences(document: Document) -> list[str]:
    """What the product says otherwise than the book, or takes and refuses otherwise than it must."""
    state: Any = evaluate(parse(document))
    refused = {item["entry"]: item["why"] for item in state["refused"]}
    for number, entry in enumerate(document["log"], 1):
        if entry.get("note") == TAKEN and number in refused:
            return [f"{number}: {entry} is refused: {refused[number]}"]
        if entry.get("note") == REFUSED and number not in refused:
            return [f"{number}: {entry} is taken"]
    groups = Groups(document, [entry for number, entry in enumerate(document["log"], 1) if number not in refused])
    stages = {stage["id"]: stage for stage in state["stages"]}
    found = compare_matches(groups, state)
    found += compare_uk(groups, stages) if groups.is_uk else compare_country(groups, stages)
    return found


def compare_matches(groups: Groups, state: Mapping[str, Any]) -> list[str]:
    """The points of every match."""
    shown = {match["id"]: match["points"] for match in state["matches"]}
    wanted = {match["match"]: book.match_points(groups, match) for match in groups.book.about("match")}
    return [
        f"match {name}: {shown.get(name)}, the book: {wanted[name]}"
        for name in wanted
        if shown.get(name) != wanted[name]
    ]


def compare_uk(groups: Groups, stages: Mapping[str, Any]) -> list[str]:
    """UT4 to UT6: the points and the order of each group, and who is first."""
    stage, points, found = stages["qualifying"], book.totals(groups), []
    closed = bool(groups.book.about("close"))
    through, open_groups, doubtful = [], [], False
    played_off = {who for game in groups.games(tiebreak=True) for who in game["scores"]}
    for name, teams in book.members(groups).items():
        rows = next((group["standings"] for group in stage["groups"] if group["id"] == name), [])
        shown = {row["who"]: row["points"] for row in rows}
        wanted = {team: points[team] for team in teams if team not in book.banned(groups)}
        if shown != wanted:
            found.append(f"group {name}: {shown}, the book: {wanted}")
        if not closed or book.drawn(groups) & set(teams):
            doubtful = True  # one more game may change who is first
            continue
        first = book.first_of_group(groups, teams) if set(teams) - book.banned(groups) else []
        best = [row["who"] for row in rows if row["rank"] == 1]
        if not played_off & set(first) and sorted(best) != sorted(first):
            found.append(f"group {name}: first {best}, the book: {first}")
        if len(first) == 1:
            through.append(first[0])
        elif first and not played_off & set(first):
            open_groups.append(sorted(first))
    if closed and not played_off and not doubtful:
        ties = [tie["who"] for tie in stage["tiebreaks"] if tie["reason"] == "cut"]
        if stage["advance"] != through or sorted(ties) != sorted(open_groups):
            found.append(f"advance {stage['advance']}, ties {ties}; the book: {through}, {open_groups}")
    return found


def compare_country(groups: Groups, stages: Mapping[str, Any]) -> list[str]:
    """EC3 to EC7, EC13: the one list, who goes on, the points of the final."""
    stage, points, found = stages["qualifying"], book.totals(groups), []
    closes = groups.book.about("close")
    cut = closes[0].get("qualifiers", groups.rule("qualifiers")) if closes else 0
    order = book.country_order(groups, cut)
    played_off = bool(groups.games(tiebreak=True))
    shown = {row["who"]: (row["points"], 0 if played_off else row["rank"]) for row in stage["standings"]}
    wanted = {}
    for place, group in enumerate(order):
        rank = 0 if played_off else 1 + sum(map(len, order[:place]))
        wanted |= {team: (points[team], rank) for team in group}
    if shown != wanted:
        found.append(f"standings {shown}, the book: {wanted}")
    if closes and not played_off:
        through, ties, above = [], [], 0
        for group in order:
            if above + len(group) <= cut:
                through += sorted(group, key=lambda team: by_bonus_and_seed(groups, team))
            elif above < cut:
                ties.append(sorted(group))
            above += len(group)
        shown_ties = [tie["who"] for tie in stage["tiebreaks"] if tie["reason"] == "cut"]
        if stage["advance"] != through or shown_ties != ties:
            found.append(f"advance {stage['advance']}, ties {shown_ties}; the book: {through}, {ties}")
    return found + compare_final(groups, stages)


def by_bonus_and_seed(groups: Groups, team: str) -> tuple[int, int]:
    """EC6: level teams by the 4-ball score, then by seed; who replaced another has the other's."""
    taken = {entry["with"]: entry["absent"] for entry in groups.book.about("absent") if "with" in entry}
    seeds = {entry["id"]: entry.get("seed", 10**6) for entry in groups.document["teams"]}
    return -book.bonus_scores(groups).get(team, 0), min(seeds[team], seeds.get(taken.get(team, team), 10**6))


def compare_final(groups: Groups, stages: Mapping[str, Any]) -> list[str]:
    """EC13: the points of the final are those of its matches alone."""
    rows = stages.get("final", {}).get("standings", ())
    wanted: dict[str, int] = {row["who"]: 0 for row in rows}
    for match in groups.book.about("match"):
        if match.get("stage") == "final":
            for team, gained in book.match_points(groups, match).items():
                wanted[team] = wanted.get(team, 0) + gained
    shown = {row["who"]: row["points"] for row in rows}
    return [] if shown == wanted else [f"final {shown}, the book: {wanted}"]
