"""A second evaluator of the Pinball Chicago League: the players, pairs and machines of a round.

Invariant: as in `league_checks`.
"""

from collections.abc import Mapping

from tests.properties import league_book as book
from tests.properties import league_facts as facts
from tests.properties import league_outcome as outcomes
from tests.properties.by_the_book import Entry
from tests.properties.league_book import League


def side_problem(league: League, match: Entry, number: int, slots: Mapping[str, Entry], team: str) -> str | None:
    """PC3, PC8, PC9, PC21: what is against what one team has in a round: slot, `players`, `machine`.

    `slots` is the whole of the team's round as it would be, with the games of those slots.
    """
    everybody = [who for game in slots.values() for who in game["players"]]
    if len(set(everybody)) != len(everybody):
        return "PC8"
    size = 2 if book.is_doubles(league, number) else 1
    if any(not 1 <= len(game["players"]) <= size for game in slots.values()):
        return "PC6"
    if size == 2:
        alone = {slot for slot, game in slots.items() if len(game["players"]) == 1}
        if len(alone) > 1:
            return "PC21"
        pairs = [frozenset(game["players"]) for game in slots.values() if len(game["players"]) == 2]
        other_pairs, other_alone = elsewhere(league, match, number, team)
        if any(pair in other_pairs for pair in pairs):
            return "PC9"
        if any(slots[slot]["players"][0] in other_alone for slot in alone):
            return "PC21"
    return None


def elsewhere(league: League, match: Entry, number: int, team: str) -> tuple[set[frozenset[str]], set[str]]:
    """The pairs and the lone players of a team in the other doubles rounds of a match."""
    pairs: set[frozenset[str]] = set()
    alone: set[str] = set()
    for other in range(1, len(league.rule("rounds")) + 1):
        if other == number or not book.is_doubles(league, other):
            continue
        for slot, game in as_it_stands(league, match, other, team).items():
            if len(game["players"]) == 2:
                pairs.add(frozenset(game["players"]))
            elif len(game["players"]) == 1 and outcomes.needed(league, match, other, slot, team) == 1:
                alone.add(game["players"][0])
    return pairs, alone


def as_it_stands(league: League, match: Entry, number: int, team: str) -> dict[str, Entry]:
    """What a team has in a round: as declared, else as played."""
    found: dict[str, Entry] = {}
    for game in book.games_in(league, match["match"], number):
        players = book.sides(league, match, game)[team]
        seen = found.setdefault(str(game["slot"]), {"machine": game["machine"], "players": []})
        seen["players"] = [*seen["players"], *players]
    return found | book.lineup(league, match["match"], number, team)


def machine_problem(league: League, match: Entry, number: int, machines: Mapping[str, str]) -> str | None:
    """PC10: at least two machines a round, none more than twice; with one that works there is no limit."""
    working = [name for name in facts.machines_of(league, match) if not facts.is_out(league, match, name)]
    used = list(machines.values())
    if len(working) <= 1:
        return None
    if any(used.count(name) > 2 for name in used):
        return "PC10"
    return "PC10" if len(used) == book.slots_of(league, number) and len(set(used)) == 1 else None
