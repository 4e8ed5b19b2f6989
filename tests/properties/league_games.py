"""A second evaluator of the Pinball Chicago League: which games of a match may be recorded.

Invariant: as in `league_checks`.
"""

from collections.abc import Mapping

from tests.properties import league_book as book
from tests.properties import league_facts as facts
from tests.properties import league_ladder as ladder
from tests.properties import league_outcome as outcomes
from tests.properties import league_rounds as rounds
from tests.properties.by_the_book import Entry
from tests.properties.league_book import League


def check_game(league: League, entry: Entry) -> str | None:
    """What is against a game of a match."""
    if "match" not in entry:
        return facts.EITHER if entry["game"] in named_in(league) else "C1.8"  # the ruling may be refused
    match = league.match(entry["match"])
    over = match is not None and (facts.is_over(league, entry["match"]) or facts.is_shut(league, match))
    if match is None or over or not entry["scores"] or league.about("game", game=entry["game"]):
        return "PC6"
    league, whole = league.evening(entry["match"]), league
    if entry["machine"] not in facts.machines_of(league, match):
        return facts.EITHER
    if facts.is_out(league, match, entry["machine"]):
        return "PC36"
    if "tiebreak" in entry:
        return tiebreak_problem(whole, match, entry)
    number, slot = entry.get("round"), str(entry.get("slot"))
    if (number, slot) not in {(one, str(other)) for one, other in outcomes.all_slots(league)}:
        return "PC6"
    shown = book.sides(league, match, entry)
    if any(on_both(league, match, who, entry) for who in entry["scores"]):
        return facts.EITHER
    if sum(map(len, shown.values())) != len(entry["scores"]):
        return "PC3"
    if match.get("stage") == "playoffs" and (problem := ladder.playoff_player_problem(whole, entry["scores"])):
        return problem
    return shape_problem(league, match, entry, shown)


def on_both(league: League, match: Entry, who: str, entry: Entry) -> bool:
    """PC5: somebody is on both teams, which should not meet."""
    rosters = [book.roster(league, match[key], book.day(league, entry.get("at"))) or {} for key in ("home", "away")]
    return all(who in found for found in rosters)


def named_in(league: League) -> set[str]:
    """C1.8: the games that the rulings of the whole file name."""
    return {name for entry in league.document["log"] if book.kind(entry) == "ruling" for name in entry.get("games", ())}


def tiebreak_problem(league: League, match: Entry, entry: Entry) -> str | None:
    """PC19: only in a match that is level and complete, once."""
    if entry["tiebreak"] is not True or set(entry["scores"]) != {match["home"], match["away"]}:
        return facts.EITHER
    here = league.evening(match["match"])
    won = [outcomes.result(here, match, number, slot) for number, slot in outcomes.all_slots(here)]
    found = outcomes.outcome(league, match["match"])
    if "open" in won or not found.level:
        return "PC19"
    earlier = [game for game in here.about("game", tiebreak=True) if not book.is_void(here, game)]
    return facts.EITHER if earlier or "level" in won else None


def shape_problem(league: League, match: Entry, entry: Entry, shown: Mapping[str, list[str]]) -> str | None:
    """PC7 to PC10, PC15, PC16, PC20, PC21: how a game fits into its round."""
    number, slot = entry["round"], str(entry["slot"])
    if (problem := slot_problem(league, match, entry, shown)) is not None:
        return problem
    for team in shown:
        if (problem := lined_up(league, match, entry, team, shown[team])) is not None:
            return problem
    taken = {
        name: game["machine"]
        for team in shown
        for name, game in rounds.as_it_stands(league, match, number, team).items()
        if "machine" in game
    }
    problem = rounds.machine_problem(league, match, number, taken | {slot: entry["machine"]})
    return problem or top_problem(league, match, entry, shown)


def slot_problem(league: League, match: Entry, entry: Entry, shown: Mapping[str, list[str]]) -> str | None:
    """PC8, PC15, PC16, PC21, PC30: whether the slot takes one more game."""
    number, slot = entry["round"], str(entry["slot"])
    size = 2 if book.is_doubles(league, number) else 1
    if outcomes.losers(league, match, number, slot):
        return "PC30"
    places = {machine["id"]: machine["players"] for machine in league.document["machines"]}[entry["machine"]]
    pairs = [len(players) for players in shown.values()]
    before = {team: as_played(league, match, number, slot, team) for team in shown}
    elsewhere = any(game["machine"] != entry["machine"] for game in book.games_in(league, match["match"], number, slot))
    if elsewhere or len(entry["scores"]) > places or (size == 2 and places > 2 and pairs == [1, 1]):
        return facts.EITHER  # more than the machine lets play; or one against one where four could
    if any(set(before[team]) & set(shown[team]) for team in shown):
        return "PC8"
    full = any(len(before[team]) + len(shown[team]) > size for team in shown)
    closed = any(before.values()) and outcomes.result(league, match, number, slot) != "open"
    return "PC6" if full or closed else None


def lined_up(league: League, match: Entry, entry: Entry, team: str, players: list[str]) -> str | None:
    """PC7 to PC9, PC21: a team plays as declared; without a line-up as its other games of the match allow."""
    number, slot = entry["round"], str(entry["slot"])
    declared = book.lineup(league, match["match"], number, team)
    if declared:
        named = book.lineup(league, match["match"], number, facts.chooser(match, number)).get(slot, {})
        stranger = slot not in declared or not set(players) <= set(declared[slot]["players"])
        return "PC7" if stranger or named.get("machine", entry["machine"]) != entry["machine"] else None
    stands = rounds.as_it_stands(league, match, number, team)
    there = as_played(league, match, number, slot, team)
    stands[slot] = {"machine": entry["machine"], "players": [*there, *players]}
    filled = {name: game for name, game in stands.items() if game["players"]}
    problem = rounds.side_problem(league, match, number, filled, team)
    partly = problem == "PC21" and (len(entry["scores"]) < 3 or is_partly(league, match, number))
    return facts.EITHER if partly else problem


def is_partly(league: League, match: Entry, number: int) -> bool:
    """Some game of the round is not complete, so that who is alone in it is not known."""
    return any(
        outcomes.result(league, match, number, game["slot"]) == "open"
        for game in book.games_in(league, match["match"], number)
    )


def as_played(league: League, match: Entry, number: int, slot: str, team: str) -> list[str]:
    """The players of a team who have a score in a game."""
    games = book.games_in(league, match["match"], number, slot)
    return [who for game in games for who in book.sides(league, match, game)[team]]


def top_problem(league: League, match: Entry, entry: Entry, shown: Mapping[str, list[str]]) -> str | None:
    """PC20: on machines of the others' choice only against another of the top."""
    number, slot = entry["round"], str(entry["slot"])
    first = facts.chooser(match, number)
    second = match["home"] if first == match["away"] else match["away"]
    if not any(facts.is_restricted(league, who) for who in shown[second]):
        return None
    declared = book.lineup(league, match["match"], number, first).get(slot)
    others = declared["players"] if declared else shown[first]
    if any(facts.is_restricted(league, who) for who in others):
        return None
    whole = len(entry["scores"]) >= (3 if book.is_doubles(league, number) else 2)
    return "PC20" if whole or declared else facts.EITHER
