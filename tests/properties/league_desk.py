"""A second evaluator of the Pinball Chicago League: forfeits, ends, rosters, challenges, terms.

Invariant: as in `league_checks`.
"""

from collections.abc import Mapping

from tests.properties import league_book as book
from tests.properties import league_facts as facts
from tests.properties import league_outcome as outcomes
from tests.properties.by_the_book import Entry
from tests.properties.league_book import League


def check_forfeit(league: League, entry: Entry) -> str | None:
    """PC21, PC24 to PC26, PC32."""
    match = league.match(entry["forfeit"])
    if match is None or entry["team"] not in {match["home"], match["away"]} or facts.is_shut(league, match):
        return "PC24"
    if league.about("end", end=entry["forfeit"]):
        return "PC24"
    if "round" not in entry:
        return whole_forfeit(league, entry)
    here = league.evening(entry["forfeit"])
    slots = {(number, str(slot)) for number, slot in outcomes.all_slots(here)}
    if facts.is_over(league, entry["forfeit"]) or (entry["round"], str(entry.get("slot"))) not in slots:
        return "PC21"
    if book.games_in(here, entry["forfeit"], entry["round"], entry["slot"]):
        return facts.EITHER
    mine = here.about("forfeit", forfeit=entry["forfeit"], round=entry["round"], team=entry["team"])
    return facts.EITHER if mine or book.is_doubles(here, entry["round"]) else None


def whole_forfeit(league: League, entry: Entry) -> str | None:
    """PC24, PC32: once a match; the second team may leave too."""
    earlier = [other for other in league.about("forfeit", forfeit=entry["forfeit"]) if "round" not in other]
    if any(other["team"] == entry["team"] or other.get("for") != entry.get("for") for other in earlier):
        return facts.EITHER
    played = book.games_in(league, entry["forfeit"])
    return facts.EITHER if played and entry.get("for") != "left-early" else None


def check_end(league: League, entry: Entry) -> str | None:
    """PC19: not while level."""
    match = league.match(entry["end"])
    if match is None or facts.is_over(league, entry["end"]) or facts.is_shut(league, match):
        return facts.EITHER if match is not None and not facts.is_shut(league, match) else "PC6"
    found = outcomes.outcome(League(league.document, [*league.log, entry], seated=league.seated), entry["end"])
    return "PC19" if found.winner is None else None


def check_roster(league: League, entry: Entry) -> str | None:
    """PC1 to PC5, PC40: the change as a whole."""
    if league.about("close", close="season"):
        return "PC40"
    on = book.begins(league, entry)
    members = book.roster(league, entry["roster"], on)
    if members is None:
        return facts.EITHER
    asked = {key: entry[key] for key in ("add", "drop", "set") if key in entry}
    if not asked or len(set(asked.values())) < len(asked):
        return facts.EITHER
    if any(key in entry and entry[key] not in members for key in ("drop", "set")) or entry.get("add") in members:
        return "PC3"
    if any(
        "drop" in past and past["drop"] == entry.get("add") for past in league.about("roster", roster=entry["roster"])
    ):
        return "PC4"
    if "add" in entry:
        teams = [team["id"] for team in league.document["teams"]]
        rosters = [book.roster(league, team, on) or {} for team in teams if team != entry["roster"]]
        if sum(entry["add"] in found for found in rosters) >= 2:
            return "PC5"
    after = book.changed(members, entry)
    starters = sum(role == "starter" for role in after.values())
    if not 6 <= len(after) <= 10 or starters < 6 or len(after) - starters > 4:
        return "PC1"
    captain = league.team(entry["roster"]).get("captain")
    if captain is not None and after.get(captain) != "starter":
        return facts.EITHER if entry.get("drop") == captain else "PC1"
    return top_limits(league, entry.get("add"), after)


def top_limits(league: League, added: str | None, after: Mapping[str, str]) -> str | None:
    """PC2: on recruiting at most two of the top 500 and one of the top 150."""
    ranks = {player["id"]: player.get("wppr_rank") for player in league.document.get("players", ())}
    for limit, most in ((500, 2), (150, 1)):
        top = [who for who in after if (ranks.get(who) or 10**9) <= limit]
        if added is not None and len(top) > most:
            return "PC2" if added in top else facts.EITHER
    return None


def check_challenge(league: League, entry: Entry) -> str | None:
    """PC31: until a later round has started."""
    game = next(iter(league.about("game", game=entry["challenge"])), None)
    if game is None or "match" not in game:
        return "PC31"
    match = league.match(game["match"])
    if match is None or entry["team"] not in {match["home"], match["away"]}:
        return "PC31"
    if facts.is_over(league, game["match"]):
        return "PC31"
    same = league.about("challenge", challenge=entry["challenge"], team=entry["team"])
    if "tiebreak" in game or book.is_void(league, game) or same:
        return facts.EITHER
    later = [other for other in league.about("game", match=game["match"]) if other.get("round", 99) > game["round"]]
    asked = book.local(league, entry.get("at"))
    for other in league.document["log"]:
        if book.kind(other) == "game" and other.get("match") == game["match"] and other.get("round", 0) > game["round"]:
            started = book.local(league, other.get("started_at"))
            if started is not None and asked is not None and other not in later and started <= asked:
                return facts.EITHER if other.get("doubtful") else "PC31"
    started = [book.local(league, other.get("started_at", other.get("at"))) for other in later]
    if later and asked is not None and all(moment is not None and moment > asked for moment in started):
        return facts.EITHER
    return "PC31" if later else None


def check_terms(league: League, entry: Entry) -> str | None:
    """PC33: at one to three machines, before the first game."""
    match = league.match(entry["terms"])
    if match is None or facts.is_over(league, entry["terms"]) or match.get("stage") == "playoffs":
        return facts.EITHER
    if league.about("game", match=entry["terms"]):
        return "PC33" if any(book.games_in(league, entry["terms"])) else facts.EITHER
    return "PC33" if {"extra_balls", "balls"} & set(entry) and len(facts.machines_of(league, match)) >= 4 else None
