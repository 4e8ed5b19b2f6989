"""What a league match is made of: each game of each round, with the scores of both sides and who has won it.

Results are those of `rules.teams.league`. Invariant: each slot of the match's form has its line, and their points add
up to those of the team.
"""

from collections.abc import Sequence
from dataclasses import replace

from server.core.explain.grounds import Grounds, count, number
from server.core.explain.lines import Line
from server.core.explain.scores import explain_score
from server.core.rules.state import Game
from server.core.rules.teams.forfeits import WINNER
from server.core.rules.teams.league import LEFT_EARLY, NOBODY, OPEN, PARTIAL, SlotResult, slot_results
from server.core.rules.teams.state import Match, Outcome

WORDS = {"open": "not played", "partial": "not complete", "level": "equal: to be replayed", "nobody": "nobody has it"}


def league_parts(grounds: Grounds, match: Match, team: str, outcome: Outcome) -> list[Line]:
    """Give the lines that a team's points in a match are made of: one for each slot, or the forfeit of the whole."""
    whole = [(entry, act) for entry, act in match.forfeits if act.slot is None]
    full = [(entry, act) for entry, act in whole if act.offence != LEFT_EARLY]
    results = slot_results(grounds.state, match)
    if full:
        return [_by_forfeit(grounds, match, team, outcome, [entry for entry, _ in full])]
    gains = match.opponent(whole[0][1].team) if len({act.team for _, act in whole}) == 1 else None
    left = [entry for entry, _ in whole]
    return [_slot(grounds, match, team, result, gains, left) for result in results]


def league_verdict(grounds: Grounds, match: Match) -> list[Line]:
    """PC19: give the lines of what decided a match whose points are level: its tie-break games, or officials."""
    lines = []
    for game in match.tiebreaks:
        if game.played.tiebreak is not True:
            continue
        scores = sides_of(grounds, match, game)
        because = f"tie-break game {game.id} on {grounds.machine(game.machine.head.id)}: {_sums(grounds, scores)}"
        entries = [entry for line in scores for entry in line.entries]
        lines.append(
            grounds.line("tie-break", because, None, match=match.id, game=game.id, entries=entries, parts=scores)
        )
    said = [note for note in grounds.history.matches.get(match.id, ()) if getattr(note.act, "topic", None) == WINNER]
    if match.decided is not None and said:
        because = f"left level: officials gave it to {grounds.person(match.decided)}"
        lines.append(grounds.line("tie-break", because, None, match=match.id, note=said[-1]))
    return lines


def sides_of(grounds: Grounds, match: Match, game: Game) -> list[Line]:
    """Give a line for each score of a game, with whose it is and for which team."""
    sides = match.sides.get(game.id, {})
    found = []
    for who in game.scores:
        line = explain_score(grounds, game, who)
        team = sides.get(who)
        for_team = f" for {grounds.person(team)}" if team is not None and team != who else ""
        found.append(replace(line, because=f"{grounds.person(who)}{for_team}: {line.because}", match=match.id))
    return found


def _slot(
    grounds: Grounds, match: Match, team: str, result: SlotResult, gains: str | None, left: Sequence[int]
) -> Line:
    slot, other = result.slot, match.opponent(team)
    place = f"round {slot.round}, {slot.kind} game {slot.slot}"
    games = [grounds.state.games[name] for name in (*result.games, *result.replays)]
    parts = [line for game in games for line in sides_of(grounds, match, game)]
    entries = [entry for part in parts for entry in part.entries]
    points, why = result.points.get(team, 0), ""
    if gains is not None and result.status in {OPEN, PARTIAL}:
        points = slot.points if gains == team else 0
        why = f"{grounds.person(match.opponent(gains))} has left: unplayed points go to {grounds.person(gains)}"
        entries += left
    elif result.lost:
        lost = grounds.people(result.lost)
        why = f"lost by {lost}, whatever the scores" if result.status != NOBODY else f"lost by {lost}: nobody has it"
        entries += _lost_by(match, result)
    elif result.winner is not None:
        ours, theirs = result.sums.get(team), result.sums.get(other)
        why = f"{_shown(ours)} to {_shown(theirs)}, {'won' if result.winner == team else 'lost'}"
        why += ", replayed" if result.replays else ""
    else:
        why = WORDS[result.status]
    because = f"{count(points, 'point')}: {place}"
    on = dict.fromkeys(game.machine.head.id for game in games)
    because += f" on {', '.join(grounds.machine(name) for name in on)}: {why}" if on else f": {why}"
    setting = f"{slot.kind}_points"
    return grounds.line(
        "slot",
        because,
        points,
        setting=setting,
        stage=match.stage,
        who=team,
        match=match.id,
        game=games[0].id if games else None,
        entries=entries,
        parts=parts,
    )


def _by_forfeit(grounds: Grounds, match: Match, team: str, outcome: Outcome, entries: Sequence[int]) -> Line:
    points = outcome.points.get(team, 0)
    losers = [loser for loser in match.teams if loser in outcome.losers]
    stayed = points != grounds.settings.forfeit_points
    setting = "forfeit_points_stayed" if points and stayed else "forfeit_points"
    because = f"{count(points, 'point')}: match forfeited by {grounds.people(losers)}"
    return grounds.line(
        "forfeit",
        because,
        points,
        setting=setting,
        stage=match.stage,
        who=team,
        match=match.id,
        entries=entries,
    )


def _lost_by(match: Match, result: SlotResult) -> list[int]:
    """Give the entries of the forfeit or of the offences that cost a team the slot."""
    key = (result.slot.round, result.slot.slot)
    entries = [entry for team, entry in match.given_up.get(key, {}).items() if team in result.lost]
    return entries + [
        incident.entry
        for incident in match.incidents
        if incident.team in result.lost and (incident.key == key or incident.game in result.games)
    ]


def _sums(grounds: Grounds, scores: Sequence[Line]) -> str:
    return ", ".join(
        f"{grounds.person(line.who or '')} {_shown(line.value if isinstance(line.value, int) else None)}"
        for line in scores
    )


def _shown(score: int | None) -> str:
    return "no score" if score is None else number(score)
