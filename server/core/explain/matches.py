"""Why a match came out as it did: what each of its games gave, forfeits, who was put out of it, who has won.

Points and winners are those of the match's outcome. How the points arise is told by the kind of stage that it belongs
to. Invariant: the points of a match's parts add up to its points.
"""

from collections.abc import Callable, Mapping, Sequence

from server.core.explain.grounds import Grounds, count
from server.core.explain.league import league_parts, league_verdict
from server.core.explain.lines import Line
from server.core.explain.team_groups import group_parts, group_verdict
from server.core.rules.acts import Absent, Challenge, Forfeit, Penalty
from server.core.rules.teams.matches import kind_of, outcome_of
from server.core.rules.teams.state import Match, Outcome

Parts = Callable[[Grounds, Match, str, Outcome], list[Line]]

PARTS: Mapping[str, Parts] = {
    "season": league_parts,
    "playoffs": league_parts,
    "team_groups": group_parts,
    "team_matches": group_parts,
}
"""What a team's points in a match are made of, by the kind of its stage."""

VERDICTS: Mapping[str, Callable[[Grounds, Match], list[Line]]] = {
    "season": league_verdict,
    "playoffs": league_verdict,
    "team_groups": group_verdict,
    "team_matches": group_verdict,
}
"""What decided a match whose points are equal, by the kind of its stage."""


def explain_points(grounds: Grounds, match: Match, team: str, *, counts: bool = True, brief: bool = False) -> Line:
    """Give the line of a team's points in a match, with each game and whatever else decided it.

    `counts`: it is part of a total; where it is not, its value is none. `brief` leaves out what the points rest on.
    """
    outcome = outcome_of(grounds.state, match)
    other = match.opponent(team)
    points, against = outcome.points.get(team, 0), outcome.points.get(other, 0)
    parts = [] if brief else PARTS[kind_of(grounds.state, match.stage)](grounds, match, team, outcome)
    because = f"{count(points, 'point')} in match {match.id} against {grounds.person(other)}: {points} to {against}"
    because += f", {_word(outcome, team)}" if counts else f", {_word(outcome, team)}: does not count here"
    entries = [match.entry, *(entry for part in parts for entry in part.entries), match.ended]
    return grounds.line(
        "match",
        because,
        points if counts else None,
        stage=match.stage,
        who=team,
        match=match.id,
        entries=entries,
        parts=parts,
    )


def explain_match(grounds: Grounds, match: Match, *, brief: bool = False) -> Line:
    """Give the line of a match as a whole: its winner, with the points of both teams and what was said of it."""
    outcome = outcome_of(grounds.state, match)
    home, away = (grounds.person(team) for team in match.teams)
    score = " to ".join(str(outcome.points.get(team, 0)) for team in match.teams)
    if outcome.winner is not None:
        because = f"{grounds.person(outcome.winner)} has won match {match.id}: {home} against {away}, {score}"
    else:
        because = f"match {match.id}, {home} against {away}, {score}: {_no_winner(outcome)}"
    if match.week is not None:
        because += f" (week {match.week})"
    parts = [*VERDICTS[kind_of(grounds.state, match.stage)](grounds, match), *_said(grounds, match)]
    parts += [explain_points(grounds, match, team, brief=brief) for team in match.teams]
    entries = [match.entry, *(entry for part in parts for entry in part.entries), match.ended]
    return grounds.line(
        "winner", because, outcome.winner, stage=match.stage, match=match.id, entries=entries, parts=parts
    )


def _word(outcome: Outcome, team: str) -> str:
    if outcome.status != "final":
        return "not over yet" if outcome.status == "open" else "not begun"
    return "won" if outcome.winner == team else "lost" if team in outcome.losers or outcome.winner else "no winner"


def _no_winner(outcome: Outcome) -> str:
    if outcome.status == "final":
        return "both have lost" if len(outcome.losers) > 1 else "nobody has won"
    return "not over yet" if outcome.status == "open" else "not begun"


def _said(grounds: Grounds, match: Match) -> list[Line]:
    """Give the lines of what was recorded of the match beside its games: forfeits, offences, absences, challenges."""
    lines = []
    notes = [*grounds.history.matches.get(match.id, ())]
    games = [game.id for game in (*match.games, *match.tiebreaks)]
    notes += [note for game in games for note in grounds.history.games.get(game, ())]
    for note in sorted({note.number: note for note in notes}.values(), key=lambda note: note.number):
        act = note.act
        if isinstance(act, Forfeit):
            of = f" game {act.slot} of round {act.round}" if act.slot is not None else ""
            why = f" ({act.offence})" if act.offence is not None else ""
            because = f"{grounds.person(act.team)} forfeits{of}{why}"
            lines.append(grounds.line("forfeit", because, None, match=match.id, note=note))
        elif isinstance(act, Penalty):
            about = f" in game {act.game}" if act.game is not None else ""
            because = f"{grounds.person(act.who)}: {act.offence}{about}"
            lines.append(grounds.line("penalty", because, act.offence, match=match.id, game=act.game, note=note))
        elif isinstance(act, Absent):
            because = f"{grounds.person(act.who)} was absent when called"
            lines.append(grounds.line("absent", because, None, match=match.id, note=note))
        elif isinstance(act, Challenge) and any(number == note.number for number, _ in match.challenges):
            because = f"{grounds.person(act.team)} contests game {act.game}: no score changes by itself"
            lines.append(grounds.line("challenge", because, None, match=match.id, game=act.game, note=note))
    return lines


def added(parts: Sequence[Line]) -> int:
    """Give what the parts of a number add up to."""
    return sum(part.value for part in parts if isinstance(part.value, int))
