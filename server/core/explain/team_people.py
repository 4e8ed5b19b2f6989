"""What a team came to, and what its members have done: rosters, places, the games that each one played.

Nothing is ranked here. Invariant: every recorded game of a member is named, whatever became of it.
"""

from server.core.explain.attempts import explain_denied
from server.core.explain.grounds import Grounds, number
from server.core.explain.lines import Line
from server.core.explain.log import Note
from server.core.explain.scores import explain_score
from server.core.rules.acts import Absent, Act, ChangeRoster, Penalty
from server.core.rules.state import Game
from server.core.rules.teams.state import Membership


def explain_team(grounds: Grounds, team: str) -> list[Line]:
    """Give the lines of a team beside its stages: place, status, offences, how its roster changed."""
    state = grounds.state.teams[team]
    lines = []
    for result in reversed(grounds.results()):
        place = (result.places or {}).get(team)
        if place is not None:
            because = f"place {place}: rank {result.ranks.get(team, '-')} in {result.stage.id}"
            entries = (result.stage.closed_entry,)
            lines.append(grounds.line("place", because, place, stage=result.stage, who=team, entries=entries))
            break
    if state.out:
        because = "disqualified: not ranked, does not go on; what others earned stays"
        lines.append(grounds.line("status", because, "disqualified", who=team, entries=(state.out,)))
    lines += [
        _said(grounds, team, note, note.act)
        for note in grounds.history.players.get(team, ())
        if isinstance(note.act, (Penalty, Absent, ChangeRoster))
    ]
    return lines


def explain_member(grounds: Grounds, who: str) -> list[Line]:
    """Give the lines of somebody who plays for teams: on which rosters he has been, and each game that he played."""
    lines = [
        _membership(grounds, team, one)
        for team, found in grounds.state.teams.items()
        for one in found.roster
        if one.who == who
    ]
    lines += [_played(grounds, game, who) for game in grounds.history.played.get(who, ())]
    return lines + [explain_denied(grounds, who, denied) for denied in grounds.history.denied.get(who, ())]


def _membership(grounds: Grounds, team: str, one: Membership) -> Line:
    since = f" from {one.since}" if one.since is not None else ""
    until = f", no longer from {one.until} on" if one.until is not None else ""
    role = f" as {one.role}" if one.role else ""
    because = f"on the roster of {grounds.person(team)}{role}{since}{until}"
    return grounds.line("roster", because, team, who=one.who, entries=(one.entry,))


def _played(grounds: Grounds, game: Game, who: str) -> Line:
    score = explain_score(grounds, game, who)
    match = game.played.match
    where = f", match {match}" if match is not None else ""
    shown = number(score.value) if isinstance(score.value, int) else "no score"
    because = f"{shown} in game {game.id} on {grounds.machine(game.machine.head.id)}{where}"
    return grounds.line(
        "played",
        because,
        score.value,
        stage=game.stage,
        who=who,
        machine=game.machine.head.id,
        game=game.id,
        entries=score.entries,
        parts=[score],
    )


def _said(grounds: Grounds, team: str, note: Note, act: Act) -> Line:
    if isinstance(act, Penalty):
        about = f" in match {act.match}" if act.match is not None else f" in game {act.game}" if act.game else ""
        return grounds.line("penalty", f"{act.offence}{about}", act.offence, who=team, game=act.game, note=note)
    if isinstance(act, ChangeRoster):
        moves = (("drops", act.drop), ("adds", act.add), ("sets", act.set))
        did = " and ".join(f"{word} {grounds.person(each)}" for word, each in moves if each is not None)
        role = f" as {act.role}" if act.role is not None else ""
        return grounds.line("roster", f"{did}{role}", None, who=team, note=note)
    about = f" from match {act.match}" if isinstance(act, Absent) and act.match is not None else ""
    instead = isinstance(act, Absent) and act.substitute
    stead = f": {grounds.person(instead)} instead" if instead else ""
    return grounds.line("absent", f"absent{about}{stead}", None, who=team, note=note)
