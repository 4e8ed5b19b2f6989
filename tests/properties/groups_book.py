"""A second evaluator of team systems in groups, `uk-team` and `epc-country`: points, bonus games, who goes on.

Written from the two rule pages alone; it shares nothing with the product but the presets' tables, is told which entries
were refused, and counts everything anew for every question. Invariant: `log` holds only entries that were accepted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tests.properties import by_the_book
from tests.properties.by_the_book import Entry
from tests.properties.tournaments import Document


@dataclass(slots=True)
class Groups:
    """A document without its refused entries."""

    document: Document
    log: list[Entry]

    @property
    def book(self) -> by_the_book.Book:
        """The same, for the scores that C1 gives."""
        return by_the_book.Book(self.document, self.log)

    @property
    def is_uk(self) -> bool:
        """Say whether this is `uk-team`."""
        return bool(self.document["preset"] == "uk-team")

    def rule(self, name: str) -> Any:  # noqa: ANN401 - of any type
        """A value of the tournament, else of the preset."""
        return self.book.settings[name]

    def games(self, **fields: object) -> list[Entry]:
        """The games that say so and are not void."""
        void = {entry["void"] for entry in self.book.about("void") if "who" not in entry}
        return [
            game
            for game in self.book.about("game")
            if game["game"] not in void and all(game.get(key) == value for key, value in fields.items())
        ]


def members(groups: Groups) -> dict[str, list[str]]:
    """UT1, EC1, UT11, EC12: the teams of each group; who was replaced, or is missing, is not there."""
    found: dict[str, list[str]] = {}
    replaced = {entry["absent"]: entry["with"] for entry in groups.book.about("absent") if "with" in entry}
    missing = {entry["absent"] for entry in groups.book.about("absent") if "with" not in entry and "match" not in entry}
    for name, seeds in groups.rule("groups").items():
        for seed in seeds:
            for team in groups.document["teams"]:
                if team.get("seed") == seed:
                    here = team["id"]
                    while here in replaced:
                        here = replaced[here]
                    if here not in missing:
                        found.setdefault(name, []).append(here)
    return found


def banned(groups: Groups) -> set[str]:
    """UT16, EC11: teams that are not ranked and do not go on."""
    whole = [entry for entry in groups.book.about("penalty") if "match" not in entry and "game" not in entry]
    return {entry["penalty"] for entry in whole if entry["for"] in {"disqualified", "collusion"}}


def lost_by_rule(groups: Groups, match: str) -> set[str]:
    """UT9, UT10, EC9, EC10: teams that are disqualified from a match."""
    late = {entry["absent"] for entry in groups.book.about("absent") if entry.get("match") == match}
    return late | {
        entry["penalty"]
        for entry in groups.book.about("penalty")
        if entry.get("match") == match and entry["for"] in {"late", "slam-tilt"}
    }


def team_of(groups: Groups, who: str) -> str | None:
    """The team of a player, or the team itself."""
    for team in groups.document["teams"]:
        if who == team["id"] or any(member["id"] == who for member in team.get("roster", ())):
            return str(team["id"])
    return None


def places(table: Sequence[int], scores: dict[str, int]) -> dict[str, int]:
    """UT4, EC3, EC5: the points of each place; equals share the better one, the next is skipped."""
    found = {}
    for who, score in scores.items():
        place = sum(other > score for other in scores.values())
        found[who] = table[place] if place < len(table) else 0
    return found


def match_points(groups: Groups, match: Entry) -> dict[str, int]:
    """UT2, UT18, EC3: what a match gave each team."""
    teams = (match["home"], match["away"])
    lost = lost_by_rule(groups, match["match"]) & set(teams)
    points = dict.fromkeys(teams, 0)
    if lost:
        table = groups.rule("match_points" if groups.is_uk else "group_points")
        full = table[0] if groups.is_uk else 2 * sum(sorted(table, reverse=True)[:2])
        for team in set(teams) - lost:
            points[team] = full
        return points
    for game in groups.games(match=match["match"]):
        if "tiebreak" in game:
            continue
        scores = {who: by_the_book.official(groups.book, game, who) for who in game["scores"]}
        known = {who: score for who, score in scores.items() if score is not None}
        if groups.is_uk:
            won = winner_of(groups, game, known)
            if won is not None:
                points[won] += groups.rule("match_points")[0]
        else:
            for who, gained in places(groups.rule("group_points"), known).items():
                points[team_of(groups, who) or ""] += gained
    return points


def winner_of(groups: Groups, game: Entry, scores: dict[str, int]) -> str | None:
    """UT18: who won; equal scores wait for one more game."""
    best = [who for who, score in scores.items() if score == max(scores.values())]
    for other in groups.games(tiebreak=game["game"]) if len(best) > 1 else ():
        again = {who: by_the_book.official(groups.book, other, who) or 0 for who in other["scores"]}
        best = [who for who, score in again.items() if score == max(again.values())]
    return best[0] if len(best) == 1 and len(scores) > 1 else None


def drawn(groups: Groups) -> set[str]:
    """UT18: the teams whose match is drawn and waits for one more game."""
    found: set[str] = set()
    for game in groups.games():
        if "match" not in game or "tiebreak" in game or not groups.is_uk:
            continue
        scores = {who: by_the_book.official(groups.book, game, who) or 0 for who in game["scores"]}
        lost = lost_by_rule(groups, game["match"])
        if not lost and winner_of(groups, game, scores) is None:
            found |= set(scores)
    return found


def bonus_scores(groups: Groups) -> dict[str, int]:
    """UT3, UT9, UT13, EC4, EC10: the score of each team in its bonus game."""
    found: dict[str, int] = {}
    for game in groups.games(slot="bonus"):
        for who in game["scores"]:
            score = by_the_book.official(groups.book, game, who)
            if any(
                (entry.get("game"), entry["penalty"], entry["for"]) == (game["game"], who, "slam-tilt")
                for entry in groups.book.about("penalty")
            ):
                score = 0
            score = after_breakdown(groups, game, score)
            if score is not None:
                found[who] = score
    return found


def after_breakdown(groups: Groups, game: Entry, score: int | None) -> int | None:
    """UT13: bonus scores on a machine that was replaced are void, stand, or are rescaled."""
    before = groups.log.index(game)
    for entry in groups.log[before:]:
        if entry.get("machine") == game["machine"] and next(iter(entry)) == "machine" and score is not None:
            if entry.get("scores") == "void":
                return None
            if entry.get("scores") == "rescale":
                score = int(Fraction(score) * Fraction(Decimal(str(entry["factor"]))) // 1)
    return score


def bonus_points(groups: Groups) -> dict[str, int]:
    """UT4, UT11, EC5: by place among the scores above 0, of the group or of all."""
    scores = {who: score for who, score in bonus_scores(groups).items() if score > 0}
    found: dict[str, int] = {}
    if not groups.is_uk:
        return places(groups.rule("bonus_points"), scores)
    for teams in members(groups).values():
        found |= places(groups.rule("bonus_points"), {who: scores[who] for who in teams if who in scores})
    return found


def totals(groups: Groups) -> dict[str, int]:
    """UT5, EC6: the points of qualifying."""
    there = [team for teams in members(groups).values() for team in teams]
    found = dict.fromkeys(there, 0)
    for team, points in bonus_points(groups).items():
        if team in found:
            found[team] += points
    for match in groups.book.about("match"):
        if "stage" not in match:
            for team, points in match_points(groups, match).items():
                if team in found and {match["home"], match["away"]} <= set(found):
                    found[team] += points
    return found


def first_of_group(groups: Groups, teams: Sequence[str]) -> list[str]:
    """UT6: who is first of a group; more than one where the organisers decide."""
    points, scores = totals(groups), bonus_scores(groups)
    left = [team for team in teams if team not in banned(groups)]
    level = [team for team in left if points[team] == max(points[other] for other in left)]
    if len(level) > 1:
        level = [team for team in level if scores.get(team, -1) == max(scores.get(other, -1) for other in level)]
    if len(level) == 2:
        met = [match for match in groups.book.about("match") if {match["home"], match["away"]} == set(level)]
        won = match_points(groups, met[0]) if met else {}
        best = [team for team in level if won.get(team, 0) > 0]
        level = best if len(best) == 1 else level
    return level


def country_order(groups: Groups, cut: int) -> list[list[str]]:
    """EC6, EC7, EC18: the one list of `epc-country`; a tie over the cut goes by the 4-ball score."""
    points, scores = totals(groups), bonus_scores(groups)
    there = [team for team in points if team not in banned(groups)]
    order: list[list[str]] = []
    for value in sorted({points[team] for team in there}, reverse=True):
        same = [team for team in there if points[team] == value]
        above = sum(map(len, order))
        if above < cut < above + len(same):
            values = sorted({scores.get(team, 0) for team in same}, reverse=True)
            order += [[team for team in same if scores.get(team, 0) == score] for score in values]
        else:
            order.append(same)
    return order
