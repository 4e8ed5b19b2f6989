"""A second evaluator of the Pinball Chicago League: what may be recorded, clause by clause: matches and line-ups.

`verdict` gives the clause that an entry breaks, None where it must be taken, and EITHER where the rule page is silent:
then the product's own answer is followed. Invariant: nothing here asks the product.
"""

from collections.abc import Callable, Mapping

from tests.properties import league_book as book
from tests.properties import league_desk as desk
from tests.properties import league_facts as facts
from tests.properties import league_games as games
from tests.properties import league_ladder as ladder
from tests.properties import league_rounds as rounds
from tests.properties.by_the_book import Entry
from tests.properties.league_book import League


def verdict(league: League, entry: Entry) -> str | None:
    """The clause that an entry breaks, None if it must be taken, or facts.EITHER."""
    check = CHECKS.get(book.kind(entry))
    return facts.EITHER if check is None else check(league, entry)


def check_match(league: League, entry: Entry) -> str | None:
    """PC38, PC39: who may meet."""
    if league.match(entry["match"]) is not None or entry["home"] == entry["away"]:
        return "PC6"
    if entry.get("tiebreak"):
        return facts.EITHER
    if entry.get("stage") == "playoffs":
        return ladder.playoff_problem(league, entry)
    return "C3.2" if facts.is_shut(league, entry) else None


def check_lineup(league: League, entry: Entry) -> str | None:
    """PC7 to PC10, PC20, PC21, PC36."""
    match, number, team = league.match(entry["lineup"]), entry["round"], entry["team"]
    if match is None or facts.is_over(league, entry["lineup"]) or facts.is_shut(league, match):
        return "PC7"
    if not 1 <= number <= len(league.rule("rounds")) or team not in {match["home"], match["away"]}:
        return "PC7"
    here = league.evening(entry["lineup"])
    slots = {str(game["slot"]): game for game in entry["games"]}
    if not slots or not set(slots) <= {str(slot) for slot in range(1, book.slots_of(here, number) + 1)}:
        return "PC6"
    problem = turn_problem(here, match, entry, slots)
    if problem is None and team == facts.chooser(match, number):
        problem = first_problem(here, match, entry, slots)
    elif problem is None:
        theirs = book.lineup(here, match["match"], number, facts.chooser(match, number))
        problem = answer_problem(slots, theirs) or answering_top(here, slots, theirs)
    after = {**rounds.as_it_stands(here, match, number, team), **slots}
    return problem or rounds.side_problem(here, match, number, after, team) or off_roster(league, entry, team, slots)


def turn_problem(league: League, match: Entry, entry: Entry, slots: Mapping[str, Entry]) -> str | None:
    """PC7, PC36: whose turn it is to declare, and what may be declared again."""
    number, team = entry["round"], entry["team"]
    first = facts.chooser(match, number)
    mine, firsts = (book.lineup(league, match["match"], number, name) for name in (team, first))
    played = {str(game["slot"]) for game in book.games_in(league, match["match"], number)}
    if mine:
        again = [may_redeclare(league, match, entry, slot) and slot not in played for slot in slots]
        return None if all(again) else "PC36"
    if team != first and not firsts:
        return "PC7"
    missing = book.slots_of(league, number) - len(slots)
    if played & set(slots) or missing > (not book.is_doubles(league, number)):
        return facts.EITHER  # after the game; or a part of a line-up, where no three players explain it
    return None


def may_redeclare(league: League, match: Entry, entry: Entry, slot: str) -> bool:
    """PC36: the machine of the game has failed and the chooser names another; then the other may answer, once."""
    number, team = entry["round"], entry["team"]
    first = facts.chooser(match, number)
    machine = book.lineup(league, match["match"], number, first).get(slot, {}).get("machine")
    if team == first:
        return machine is not None and facts.is_out(league, match, machine)
    times = [len(declared(league, match, number, slot, name)) for name in (first, team)]
    return machine is not None and times[1] < times[0] and not facts.is_out(league, match, machine)


def declared(league: League, match: Entry, number: int, slot: str, team: str) -> list[Entry]:
    """All that a team has declared for a game, one after the other."""
    entries = league.about("lineup", lineup=match["match"], round=number, team=team)
    return [game for entry in entries for game in entry["games"] if str(game["slot"]) == slot]


def first_problem(league: League, match: Entry, entry: Entry, slots: Mapping[str, Entry]) -> str | None:
    """PC7, PC10, PC36: the first names a working machine of the venue for every game."""
    if any("machine" not in game for game in slots.values()):
        return "PC7"
    for game in slots.values():
        if game["machine"] not in facts.machines_of(league, match) or facts.is_out(league, match, game["machine"]):
            return "PC36"
    mine = book.lineup(league, match["match"], entry["round"], entry["team"])
    taken = {slot: game["machine"] for slot, game in {**mine, **slots}.items()}
    return rounds.machine_problem(league, match, entry["round"], taken)


def answer_problem(slots: Mapping[str, Entry], theirs: Mapping[str, Entry]) -> str | None:
    """PC7, PC20: the second takes the machines as named, and restricted players only against such."""
    for slot, game in slots.items():
        if slot not in theirs:
            return facts.EITHER
        if len(game["players"]) == len(theirs[slot]["players"]) == 1 and len(theirs) == 2:
            return facts.EITHER  # PC22: one against one, where each should meet two
        if game.get("machine", theirs[slot]["machine"]) != theirs[slot]["machine"]:
            return "PC7"
    return None


def answering_top(league: League, slots: Mapping[str, Entry], theirs: Mapping[str, Entry]) -> str | None:
    """PC20: the second lines up restricted players only against such."""
    for slot, game in slots.items():
        ours, others = (
            any(facts.is_restricted(league, who) for who in side["players"]) for side in (game, theirs.get(slot, game))
        )
        if ours and not others:
            return "PC20"
    return None


def off_roster(league: League, entry: Entry, team: str, slots: Mapping[str, Entry]) -> str | None:
    """PC3, PC5, PC40: only players of the day's roster, in the playoffs only those who may play there."""
    match = league.match(entry["lineup"])
    assert match is not None
    members = book.roster(league, team, book.day(league, entry.get("at")))
    everybody = [who for game in slots.values() for who in game["players"]]
    if members is None:
        return facts.EITHER
    if any(who not in members for who in everybody):
        return "PC3"
    return ladder.playoff_player_problem(league, everybody) if match.get("stage") == "playoffs" else None


CHECKS: Mapping[str, Callable[[League, Entry], str | None]] = {
    "match": check_match,
    "lineup": check_lineup,
    "game": games.check_game,
    "forfeit": desk.check_forfeit,
    "end": desk.check_end,
    "roster": desk.check_roster,
    "challenge": desk.check_challenge,
    "terms": desk.check_terms,
}
