"""What teams agree on and what they contest: terms before a match, challenges of a game (PC31, PC33).

Invariant: neither changes a score.
"""

from bisect import insort
from datetime import datetime

from server.core.rules.acts import AgreeTerms, Challenge
from server.core.rules.state import Game, State
from server.core.rules.teams.league import LEFT_EARLY, is_over
from server.core.rules.teams.state import Match

FEW_MACHINES = 3
"""PC33: at venues with so many machines, or fewer, the home team may rule the extra ball out."""

LEAST_BALLS = 3
"""PC33: what play may be limited to."""


def agree(state: State, entry: int, _at: datetime | None, act: AgreeTerms) -> str | None:
    """PC33: take what was agreed before a match. Gives the reason when refused."""
    match = state.matches.get(act.match)
    if match is None:
        return f"there is no match {act.match}"
    named = {"extra_balls": act.extra_balls, "balls": act.balls, "challenge_modes": act.challenge_modes}
    agreed = {key: value for key, value in named.items() if value is not None}
    if not agreed:
        return "PC33: say what was agreed: extra_balls, balls or challenge_modes"
    if problem := is_over(match):
        return problem
    if match.games:
        return f"PC33: terms are set before the first game: {match.games[0].id} of {match.id} has been played"
    if problem := _not_to_agree(state, match, act):
        return problem
    if act.extra_balls == 0 or act.balls is not None:
        _flag_unknown_venue(state, match, entry)
    match.terms |= agreed
    return None


def challenge(state: State, entry: int, at: datetime | None, act: Challenge) -> str | None:
    """PC31: take a challenge that comes in time. Gives the reason when refused."""
    game = state.games.get(act.game)
    if game is None:
        return f"there is no game {act.game}"
    match = next((one for one in state.matches.values() if game.id in one.sides), None)
    if match is None:
        return f"PC31: {act.game} is no game of a match"
    if act.team not in match.teams:
        return f"PC31: {act.team} does not play in {match.id}: {match.home} and {match.away} do"
    if (problem := is_over(match)) and not _left_early(match):
        return f"PC31: a game is challenged before its match is over; {problem}"
    earlier = next((number for number, one in match.challenges if one == act), None)
    if earlier is not None:
        return f"PC31: {act.team} has challenged {act.game} already (entry {earlier})"
    if late := _too_late(match, game, at, entry):
        return late
    match.challenges.append((entry, act))
    if at is not None:
        match.challenged_at[entry] = at
    return None


def drop_late_challenges(state: State, match: Match) -> None:
    """PC31: refuse what turns out to have come too late, now that a game is recorded that had begun before it."""
    for number, act in list(match.challenges):
        late = _too_late(match, state.games[act.game], match.challenged_at.get(number), number)
        if late is not None:
            match.challenges.remove((number, act))
            insort(state.refused, (number, late))


def _too_late(match: Match, game: Game, at: datetime | None, entry: int) -> str | None:
    """PC31: a game may be challenged until one of a later round begins (`started_at`), or is recorded."""
    round_ = game.key[0] if game.key else None
    if not isinstance(round_, int):
        return None
    for other in match.games:
        later = other.key[0]
        if not isinstance(later, int) or later <= round_:
            continue
        begun = other.played.started_at
        known = begun is not None and at is not None
        if at >= begun if known else other.entry < entry:  # type: ignore[operator]
            return f"PC31: too late: round {later} had begun with {other.id} (entry {other.entry})"
    return None


def _left_early(match: Match) -> bool:
    """PC32: say whether a match is over only as a team left it: no `end` says so, and its played games stand."""
    return not match.ended and all(act.offence == LEFT_EARLY for _, act in match.forfeits if act.slot is None)


def _not_to_agree(state: State, match: Match, act: AgreeTerms) -> str | None:
    usual = state.settings.extra_balls
    machines = _machines_at(state, match)
    many = f"PC33: {match.id} is played at {machines} machines: only with 1 to {FEW_MACHINES} may {match.home}"
    if act.extra_balls is not None and act.extra_balls != usual:
        if act.extra_balls != 0:
            return f"PC33: extra balls are {usual}, or 0 where the home team rules them out, not {act.extra_balls}"
        if match.stage.form is not None:
            return f"PC33: in the {match.stage.id} one extra ball is played"
        if machines > FEW_MACHINES:
            return f"{many} rule extra balls out"
    if act.balls is not None:
        if act.balls != LEAST_BALLS:
            return f"PC33: play may be limited to {LEAST_BALLS} balls, not to {act.balls}"
        if machines > FEW_MACHINES:
            return f"{many} limit play to {LEAST_BALLS} balls"
    if act.challenge_modes is not None and any(number == 1 for number, _ in match.lineups):
        return f"PC33: challenge modes are agreed on before the machines of round 1 of {match.id} are chosen"
    return None


def _machines_at(state: State, match: Match) -> int:
    """Give how many machines the match's venue has; where no machine says its venue, all are there."""
    places = [machine.head.venue for machine in state.machines.values()]
    return len(places) if not any(places) else sum(place == match.venue for place in places)


def _flag_unknown_venue(state: State, match: Match, entry: int) -> None:
    if not _machines_at(state, match):
        why = f"PC33: no machine of {match.venue} is listed: whether it has three or fewer is not known"
        state.flag(entry, "needs-official", why)
