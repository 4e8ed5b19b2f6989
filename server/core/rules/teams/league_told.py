"""What officials have to see of the matches of a league, and what a score sheet says beside its scores.

Invariant: told anew from the matches as they are, so that a correction takes back what no longer holds.
"""

from collections.abc import Iterator

from server.core.rules.state import Flag, State
from server.core.rules.teams.league import league_outcome
from server.core.rules.teams.state import Match, Outcome

NEEDS = "needs-official"
MOST_SHOWN = 12


def match_flags(state: State) -> list[Flag]:
    """Give the flags of all matches of a league: challenges (PC31), points that nobody has (PC6), no winner (PC19)."""
    if state.head.preset.first != "season":
        return []
    found = []
    for match in state.matches.values():
        for entry, act in match.challenges:
            why = f"PC31: {act.team} challenges {act.game} of {match.id}: its score stands until the league decides"
            found.append(Flag(entry=entry, kind="challenge", why=why))
        if match.ended or match.forfeits:
            found += _at_the_end(match, league_outcome(state, match))
    return found


def agreed_in(state: State, match: Match) -> dict[str, object]:
    """Give what was agreed before a match (PC33), and the games that are challenged (PC31)."""
    found: dict[str, object] = {"extra_balls": state.settings.extra_balls} | match.terms
    if match.challenges:
        found["challenged"] = list(dict.fromkeys(act.game for _, act in match.challenges))
    return found


def _at_the_end(match: Match, outcome: Outcome) -> Iterator[Flag]:
    whole = [(entry, act) for entry, act in match.forfeits if act.slot is None]
    entry = match.ended or max((number for number, _ in whole), default=0)
    if not entry:
        return
    full = any(act.offence != "left-early" for _, act in whole)
    if full:
        if match.games:
            why = f"PC24: {match.id} is forfeited: the games recorded for it do not count"
            yield Flag(entry=entry, kind=NEEDS, why=why)
        return
    if outcome.unplayed and match.ended:
        shown = [f"round {number} game {slot}" for number, slot in outcome.unplayed[:MOST_SHOWN]]
        rest = len(outcome.unplayed) - len(shown)
        games = ", ".join([*shown, *([f"and {rest} more"] if rest else [])])
        yield Flag(entry=entry, kind=NEEDS, why=f"PC6: nobody has the points of what {match.id} left unplayed: {games}")
    if outcome.level:
        why = f"nobody has the points of the drawn games of {match.id}: {', '.join(outcome.level)}"
        yield Flag(entry=entry, kind=NEEDS, why=why)
    if outcome.winner is None and match.ended:
        why = f"PC19: {match.id} has ended, but is level now: it needs a tie-break game before it counts"
        yield Flag(entry=entry, kind=NEEDS, why=why)
    elif outcome.winner is None:
        why = f"PC19: {match.id} was left level: the commissioner decides it (decision: winner, match, team)"
        yield Flag(entry=entry, kind=NEEDS, why=why)
