"""Offences and absences of teams that play in groups (UT9 to UT12, UT16, EC9 to EC12).

Invariant: points that others have earned stay, whatever becomes of a team.
"""

from datetime import datetime

from server.core.rules import conduct
from server.core.rules.acts import Absent, Forfeit, Penalty
from server.core.rules.presets import Offence
from server.core.rules.state import Game, Stage, State
from server.core.rules.teams.bonus import BONUS, bonus_used, is_bonus
from server.core.rules.teams.group_games import freeze
from server.core.rules.teams.group_matches import counts_in, games_of
from server.core.rules.teams.group_seats import not_playing, under
from server.core.rules.teams.state import Match

OUT_OF_A_MATCH = "disqualified"
"""The offence that puts a team out of a match or of a game where one is named, else out of all."""


def penalise_in_groups(state: State, entry: int, act: Penalty) -> str | None:
    """UT9, UT10, UT16, EC9 to EC11: take an offence of a team, or of a player for his team."""
    if act.who not in state.teams and act.who not in state.players:
        return f"there is no team {act.who}"
    game = state.games.get(act.game) if act.game is not None else _bonus_named(state, act)
    if act.game is not None and game is None:
        return f"there is no game {act.game}"
    match = _match_named(state, act, game)
    if isinstance(match, str):
        return match
    team = _team_of(state, act.who, match, game)
    if team is None:
        return _no_side(act, match, game)
    if match is not None:
        match.penalties.append((entry, act))
    found = state.teams[team]
    found.offences[act.offence] = found.offences.get(act.offence, 0) + 1
    _apply(state, entry, act, (team, match, game))
    return None


def note_group_absent(state: State, entry: int, act: Absent) -> str | None:
    """UT10, UT11, EC9, EC12: a team that is not there for a match, or not at all, and who takes its place."""
    if act.who not in state.teams:
        missing = act.who in state.players  # UT12: a team may be one short, which changes nothing
        return None if missing and act.substitute is None else f"there is no team {act.who}"
    if act.match is not None:
        return _miss_match(state, entry, act)
    if act.stage is not None and act.stage not in state.stages:
        return f"there is no stage {act.stage}; there are {', '.join(state.stages)}"
    first = state.divisions[""].qualifying
    if act.stage is None and act.substitute is None and first.closed:
        return f"say what {act.who} is absent from (match: ..., or stage: ...)"
    stage = first if act.stage is None else state.stages[act.stage]
    return _leave(state, stage, entry, act) if stage is first else _miss_final(state, stage, entry, act)


def give_up_match(state: State, entry: int, _at: datetime | None, act: Forfeit) -> str | None:
    """A match that a team gives up is lost as one for which it does not come (UT10, EC9)."""
    if act.round is not None or act.slot is not None:
        return under(state, "late", f"{act.match} is lost as a whole: leave out `round` and `slot`")
    lost = _miss_match(state, entry, Absent(who=act.team, match=act.match))
    if lost is None:
        state.matches[act.match].forfeits.append((entry, act))
    return lost


def _bonus_named(state: State, act: Penalty) -> Game | None:
    """Give the bonus game of a team where the offence says no more than `slot: bonus`."""
    if act.match is not None or act.slot != BONUS:
        return None
    return bonus_used(state, state.divisions[""].qualifying, act.who)


def _match_named(state: State, act: Penalty, game: Game | None) -> Match | str | None:
    """Give the match that an offence is about: as named, else that of its game; a text says what is wrong."""
    match = state.matches.get(act.match) if act.match is not None else None
    if act.match is not None and match is None:
        return f"there is no match {act.match}"
    if game is None:
        return match
    of = _match_of(state, game)
    if match is not None and of is not match:
        return f"{game.id} is no game of {match.id}"
    return of


def _match_of(state: State, game: Game) -> Match | None:
    """Give the match of a game: also of one that counts there only through a ruling, or that breaks its draw."""
    drawn = state.games.get(game.played.tiebreak) if isinstance(game.played.tiebreak, str) else None
    named = (one.played.match for one in (game, counts_in(state, drawn or game)))
    return next((state.matches[name] for name in named if name in state.matches), None)


def _team_of(state: State, who: str, match: Match | None, game: Game | None) -> str | None:
    """Give the team that an offence is of: itself, or the one for which the player plays in that match or game."""
    if who not in state.teams:
        among = match.teams if match is not None else tuple(state.teams)
        sides = next((match.sides[one] for one in match.sides if who in match.sides[one]), {}) if match else {}
        rostered = (team for team in among if any(one.who == who for one in state.teams[team].roster))
        found = sides.get(who) or next(rostered, None)
        if found is None or (match is None and game is not None and found not in game.scores):
            return None
        return found
    if match is not None:
        return who if who in match.teams else None
    return who if game is None or who in game.scores else None


def _no_side(act: Penalty, match: Match | None, game: Game | None) -> str:
    if match is not None:
        return f"{act.who} does not play in {match.id}: {match.home} and {match.away} do"
    if game is not None:
        return f"{act.who} has no score in {game.id}"
    return f"{act.who} is on no roster: name the team"


def _apply(state: State, entry: int, act: Penalty, about: tuple[str, Match | None, Game | None]) -> None:
    team, match, game = about
    offence = state.head.preset.offences.get(act.offence, Offence())
    of_match = offence.loses_match or (act.offence == OUT_OF_A_MATCH and act.who in state.teams)
    if match is not None and of_match:
        _lose(state, match, team, entry)
    elif offence.eject_at is not None and act.who in state.teams and (game is None or act.offence != OUT_OF_A_MATCH):
        state.teams[team].out = state.teams[team].out or entry
        _touched(state, entry)
    elif game is not None and act.offence == OUT_OF_A_MATCH and act.who in state.teams:
        game.about().disqualified.add(team)  # C3.5: no score, and the game stays played
        game.about().penalised.add(team)
        _touched(state, entry)
    elif game is not None and (offence.zero or (offence.loses_match and not is_bonus(game))):
        game.about().zeroed.add(team)
        game.about().penalised.add(team)
        _touched(state, entry)
    elif offence.zero or offence.loses_match:
        why = f"{act.offence} by {act.who}: no match is named (match: ...), so nothing is changed"
        state.flag(entry, "needs-official", why)
    elif not (offence.warning or conduct.counts(state, act)):
        state.flag(entry, "needs-official", f"{act.offence} by {act.who}: officials decide what follows")


def _lose(state: State, match: Match, team: str, entry: int) -> None:
    match.lost.setdefault(team, entry)
    match.stage.touched = entry
    freeze(state, match.stage)


def _touched(state: State, entry: int) -> None:
    for stage in state.stages.values():
        stage.touched = entry


def _miss_match(state: State, entry: int, act: Absent) -> str | None:
    match = state.matches.get(act.match or "")
    if match is None:
        return f"there is no match {act.match}"
    if act.who not in match.teams:
        return f"{act.who} does not play in {match.id}: {match.home} and {match.away} do"
    if act.substitute is not None:
        why = f"a team comes in for the whole of the groups, not for one match: leave out `match: {match.id}`"
        return under(state, "absent", why)
    if games_of(state, match):
        return under(state, "late", f"{match.id} is being played: void its games first, or name the offence (penalty)")
    _lose(state, match, act.who, entry)
    return None


def _leave(state: State, stage: Stage, entry: int, act: Absent) -> str | None:
    """UT11, EC12: a team leaves its group; another one may sit there instead."""
    team = state.teams[act.who]
    if team.instead is not None or not team.group:
        why = f"{team.instead} plays in its place" if team.instead else "it has no place that another could take"
        return under(state, "absent", f"{act.who} is in no group: {why}")
    played = next((game.id for game in stage.games if _has_played(state, game, act.who)), None)
    if played is not None:
        why = f"{act.who} has come and played ({played}): what it misses now is `absent: {act.who}, match: ...`"
        return under(state, "absent", why)
    if act.substitute is not None:
        if problem := _cannot_come_in(state, act.who, act.substitute):
            return problem
        _come_in(state, entry, act.who, act.substitute)
    else:
        team.group = ""
    stage.absent[act.who] = entry
    stage.touched = entry
    return None


def _has_played(state: State, game: Game, team: str) -> bool:
    if game.is_void:
        return False
    match = state.matches.get(game.played.match or "")
    return team in game.who or (match is not None and team in match.sides.get(game.id, {}).values())


def _cannot_come_in(state: State, who: str, other: str) -> str | None:
    found = state.teams.get(other)
    if found is None:
        return f"there is no team {other}"
    if other == who:
        return f"{who} cannot come in for itself"
    if found.group:
        return under(state, "absent", f"{other} plays in group {found.group} itself: a reserve comes in")
    if found.out:
        return not_playing(state, (other,))
    return None


def _come_in(state: State, entry: int, who: str, other: str) -> None:
    """Give a team's place to another one, and with it the matches that are set and of which no game is played."""
    leaving, coming = state.teams[who], state.teams[other]
    coming.group, coming.place, coming.instead = leaving.group, leaving.place or who, None
    leaving.group, leaving.instead = "", other
    first = state.divisions[""].qualifying
    first.absent.pop(other, None)
    for match in state.matches.values():
        theirs = match.stage is first and who in match.teams and other not in match.teams and not match.games
        if not theirs:
            continue
        if match.lost.pop(who, None) is not None:
            why = f"{match.id} was lost by {who}, which did not come: it is {other}'s match now, and to be played"
            state.flag(entry, "needs-official", under(state, "absent", why))
        match.home, match.away = (other if team == who else team for team in match.teams)
        match.taken_over = entry


def _miss_final(state: State, stage: Stage, entry: int, act: Absent) -> str | None:
    """UT7, EC9: who does not come to the final is last in its game; in matches it loses each that it misses."""
    if act.substitute is not None:
        return under(state, "final", f"nobody takes a place in {stage.id}: officials set who plays (decision: field)")
    if stage.form is not None and stage.form.kind == "team_matches":
        why = f"{act.who} is absent from {stage.id}: each match that it misses is `absent: {act.who}, match: ...`"
        state.flag(entry, "needs-official", under(state, "late", why))
        return None
    played = next((game.id for game in stage.games if _has_played(state, game, act.who)), None)
    if played is not None:
        return under(state, "final", f"{act.who} has played in {stage.id}: {played}")
    stage.absent.setdefault(act.who, entry)
    return None
