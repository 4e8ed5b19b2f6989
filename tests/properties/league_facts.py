"""A second evaluator of the Pinball Chicago League: what its checks ask of venues, machines, ranks and ends.

Written from the rule page alone. Invariant: nothing here asks the product.
"""

from tests.properties import league_book as book
from tests.properties.by_the_book import Entry
from tests.properties.league_book import League

EITHER = "either"
"""The rule page is silent: the product's own answer is followed."""


def venue(league: League, match: Entry) -> str | None:
    """Where a match is played: as it says, else where the home team is at home."""
    return match.get("venue") or league.team(match["home"]).get("home")


def machines_of(league: League, match: Entry) -> list[str]:
    """PC10: the machines of the venue."""
    return [machine["id"] for machine in league.document["machines"] if machine.get("venue") == venue(league, match)]


def is_out(league: League, match: Entry, machine: str) -> bool:
    """PC36: down, or taken out of this match while it was being played."""
    status, out_here = "up", False
    for entry in league.about("machine", machine=machine):
        status = entry["status"]
        out_here = out_here or (status == "disabled" and match["match"] in played_at(league, entry))
    return out_here or status in {"down", "closed", "replaced"}


def played_at(league: League, moment: Entry) -> set[str]:
    """The matches that had begun by an entry and were not over; where none had, the only one that was set."""
    log = league.document["log"]
    before = log[: next(number for number, entry in enumerate(log) if entry is moment)]
    over = {entry[what] for entry in before for what in ("end", "forfeit") if what in entry and "slot" not in entry}
    there = {entry["match"] for entry in before if book.kind(entry) == "match"} - over
    begun = {entry.get("match", entry.get("lineup")) for entry in before if book.kind(entry) in {"game", "lineup"}}
    return there & begun or (there if len(there) == 1 else set())


def chooser(match: Entry, number: int) -> str:
    """PC7: who declares first and names the machines."""
    return str(match["away"] if number % 2 else match["home"])


def is_restricted(league: League, who: str) -> bool:
    """PC20: in the top 150 of the season's list."""
    facts: Entry = next((player for player in league.document.get("players", ()) if player["id"] == who), {})
    rank = facts.get("season_rank", facts.get("wppr_rank"))
    return rank is not None and rank <= league.rule("restricted_rank")


def is_over(league: League, name: object) -> bool:
    """The match has ended or was forfeited."""
    whole = [entry for entry in league.about("forfeit", forfeit=name) if "round" not in entry]
    return bool(whole or league.about("end", end=name))


def is_shut(league: League, match: Entry) -> bool:
    """C3.2: the season is closed, and with it its matches."""
    return "stage" not in match and not match.get("tiebreak") and bool(league.about("close", close="season"))
