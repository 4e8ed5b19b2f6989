"""A second evaluator of the Pinball Chicago League: who won a game, what a match gave.

Written from the rule page alone. Invariant: as in `league_book`.
"""

from dataclasses import dataclass

from tests.properties import by_the_book
from tests.properties import league_book as book
from tests.properties.by_the_book import Entry
from tests.properties.league_book import League

TEAM_LOSES = frozenset({"out-of-turn", "slam-tilt", "machine-damage", "interference"})
"""PC12, PC27, PC29: offences that lose the game for the team."""


@dataclass(slots=True)
class Outcome:
    """How a match stands: the points, who won, whether the table counts it, and who lost it without a winner."""

    points: dict[str, int]
    winner: str | None = None
    counts: bool = False
    losers: frozenset[str] = frozenset()
    level: bool = False


def losers(league: League, match: Entry, number: int, slot: object) -> set[str]:
    """PC12, PC21, PC27, PC29, PC30: teams that lost a game whatever its scores."""
    name = match["match"]
    found = {
        entry["team"]
        for entry in league.about("forfeit", forfeit=name, round=number)
        if str(entry.get("slot")) == str(slot)
    }
    for game in book.games_in(league, name, number, slot):
        for entry in league.about("penalty", game=game["game"]):
            if entry["for"] in TEAM_LOSES:
                found.add(offender(league, match, game, entry["penalty"]))
    seen: dict[str, int] = {}
    for entry in league.about("penalty", match=name):
        if entry["for"] == "practice":
            team = next(iter(league.seated[f"practice of {entry['penalty']} in {name}"]))
            seen[team] = seen.get(team, 0) + 1
            if seen[team] > 1 and (entry["round"], str(entry["slot"])) == (number, str(slot)):
                found.add(team)
    return found


def offender(league: League, match: Entry, game: Entry, who: str) -> str:
    """For which team somebody has offended: as in the game, else as the rosters say."""
    for other in (game, *book.games_in(league, match["match"])):
        for team, players in book.sides(league, match, other).items():
            if who in players:
                return team
    return book.side(league, match, who, book.day(league, game.get("at"))) or ""


def score(league: League, match: Entry, game: Entry, who: str) -> int | None:
    """C1, PC13, PC28: the score with which somebody counts."""
    for entry in league.about("penalty", game=game["game"], penalty=who):
        if entry["for"] == "death-save":
            return 0
    warned: set[str] = set()
    for entry in league.log:
        if book.kind(entry) != "penalty" or entry["for"] != "logged-in":
            continue
        where = next(iter(league.about("game", game=entry["game"])), {})
        if where.get("match") == match["match"]:
            team = offender(league, match, where, entry["penalty"])
            if team in warned and (entry["game"], entry["penalty"]) == (game["game"], who):
                return 0
            warned.add(team)
    return by_the_book.official(league.book, game, who)


def needed(league: League, match: Entry, number: int, slot: object, team: str) -> int | None:
    """How many scores of a team a game wants, as far as that is known."""
    declared = book.lineup(league, match["match"], number, team).get(str(slot))
    if declared is not None:
        return len(declared["players"])
    if not book.is_doubles(league, number):
        return 1
    games = book.games_in(league, match["match"], number, slot)
    if len(games) == 1 and len(games[0]["scores"]) > 2:
        return len(book.sides(league, match, games[0])[team])  # PC21: one against two, in one game
    return 2


def result(league: League, match: Entry, number: int, slot: object) -> str:
    """How a game went: the team that won it, or `open`, `level`, `nobody`."""
    lost = losers(league, match, number, slot)
    if len(lost) == 2:
        return "nobody"
    if lost:
        return next(str(team) for team in (match["home"], match["away"]) if team not in lost)
    games = book.games_in(league, match["match"], number, slot)
    totals = {}
    for team in (match["home"], match["away"]):
        scores = [score(league, match, game, who) for game in games for who in book.sides(league, match, game)[team]]
        if None in scores or len(scores) != needed(league, match, number, slot, team):
            return "open"
        totals[team] = sum(value or 0 for value in scores)
    if totals[match["home"]] == totals[match["away"]]:
        return "level"
    return str(max(totals, key=totals.__getitem__))


def all_slots(league: League) -> list[tuple[int, int]]:
    """Every game of a match: its round and its slot."""
    rounds = range(1, len(league.rule("rounds")) + 1)
    return [(number, slot) for number in rounds for slot in range(1, book.slots_of(league, number) + 1)]


def outcome(league: League, name: object) -> Outcome:
    """PC6, PC19, PC24 to PC26, PC32: how a match stands."""
    league = league.evening(name)
    match = league.match(name)
    assert match is not None
    home, away = match["home"], match["away"]
    whole = [entry for entry in league.about("forfeit", forfeit=name) if "round" not in entry]
    given_up = {entry["team"] for entry in whole if entry.get("for") != "left-early"}
    if given_up:
        return forfeited(league, match, given_up, whole)
    left = {entry["team"] for entry in whole}
    points = {home: 0, away: 0}
    for number, slot in all_slots(league):
        won = result(league, match, number, slot)
        if won == "open" and len(left) == 1:
            won = away if home in left else home
        if won in points:
            points[won] += book.worth(league, number)
    counts = bool(left) or bool(league.about("end", end=name))
    winner = max(points, key=points.__getitem__) if points[home] != points[away] else None
    level = winner is None
    if winner is None:
        for game in league.about("game", match=name):
            if game.get("tiebreak") is True and not book.is_void(league, game):
                shown = {team: by_the_book.official(league.book, game, team) or 0 for team in points}
                winner = max(shown, key=shown.__getitem__) if shown[home] != shown[away] else None
    lost = frozenset({home, away} - {winner}) if winner is not None and counts else frozenset()
    return Outcome(points=points, winner=winner if counts else None, counts=counts, losers=lost, level=level)


def forfeited(league: League, match: Entry, given_up: set[str], whole: list[Entry]) -> Outcome:
    """PC24 to PC26: 0 and a loss; the others 9, or 12 where they stayed or the venue was the reason."""
    teams = {match["home"], match["away"]}
    points = dict.fromkeys((match["home"], match["away"]), 0)
    winner = next(iter(teams - given_up)) if len(given_up) == 1 else None
    if winner is not None:
        full = any(entry.get("stayed") or entry.get("for") in {"venue-closed", "moved-venue"} for entry in whole)
        points[winner] = league.rule("forfeit_points_stayed" if full else "forfeit_points")
    return Outcome(points=points, winner=winner, counts=True, losers=frozenset(given_up))
