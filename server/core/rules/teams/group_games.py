"""Taking the games of teams in groups and in their finals (UT2, UT3, UT7, UT18, EC2, EC4, EC13, EC14).

Invariant: a game is refused whole, before anything of it is kept, and the reason says under which rule and what to do.
"""

from datetime import datetime

from server.core.rules.scores import score_in
from server.core.rules.stages import field_of, result_of, too_late
from server.core.rules.state import FINALS, TIEBREAK, Game, Stage, State
from server.core.rules.teams.bonus import BONUS, bonus_machines, bonus_used
from server.core.rules.teams.group_matches import counts_in
from server.core.rules.teams.group_seats import not_playing, not_seated, play_of, seats, under
from server.core.rules.teams.group_setting import not_in_final, not_to_be_played
from server.core.rules.teams.group_taking import take_match_game


def take_group_game(state: State, game: Game, begun: datetime | None) -> str | None:
    """Take a game of a match, a bonus game, a final, or one that breaks a tie. Gives the reason when refused."""
    act = game.played
    stage = state.stages.get(act.stage) if act.stage is not None else None
    if act.stage is not None and stage is None:
        return f"there is no stage {act.stage}; there are {', '.join(state.stages)}"
    if act.joker or act.makeup is not None:
        return f"{state.head.preset.name} has no jokers and no make-up games"
    if act.tiebreak is not False:
        return _take_tie_break(state, game, stage, begun)
    if act.match is not None:
        return take_match_game(state, game, stage, begun)
    if act.slot == BONUS:
        return _take_bonus(state, game, stage, begun)
    if stage is not None and stage.form is not None and stage.form.kind == "team_game":
        return _take_final(state, game, stage, begun)
    return f"{act.game} names no match (match: ...): without one it counts only where a ruling names it"


def _take_bonus(state: State, game: Game, stage: Stage | None, begun: datetime | None) -> str | None:
    """UT3, EC4: one game a team, on the group's machine."""
    act, first = game.played, state.divisions[""].qualifying
    if stage is not None and stage is not first:
        return under(state, "bonus", f"bonus games are played in {first.id}")
    teams = tuple(act.scores)
    if problem := not_playing(state, teams):
        return problem
    if len(teams) != 1:
        return under(state, "bonus", "a bonus game is a one-player game of one team: record one for each team")
    if problem := not_seated(state, teams):
        return problem
    team = teams[0]
    if problem := too_late(state, first, begun, act.game):
        return under(state, "close", problem)
    if (earlier := bonus_used(state, first, team)) is not None:
        return under(state, "bonus", f"{team} has played its bonus game: {earlier.id}")
    if problem := not_to_be_played(state, game.machine, begun, first) or _off_the_machine(state, game, first, team):
        return problem
    _keep(game, first)
    return None


def _off_the_machine(state: State, game: Game, stage: Stage, team: str) -> str | None:
    """UT3, UT13: why a group does not play its bonus game here; on too many machines (EC4) is only flagged."""
    play, name = play_of(state), game.machine.head.id
    group = state.teams[team].group
    among = seats(state)[group] if play.ranked == "apart" else tuple(state.teams)
    known = bonus_machines(stage, among)
    if name in known or len(known) < play.bonus_machines:
        return None
    if play.ranked == "apart":
        why = f"group {group} plays its bonus game on {known[0]}, another machine only where it replaces that one"
        return under(state, "bonus", f"{why} (machine: {known[0]}, status: replaced, with: {name}, scores: ...)")
    why = f"{team} has played on {name}: the bonus game is played on {' and '.join(known)}; are they identical?"
    state.flag(game.entry, "needs-official", under(state, "bonus", why))
    return None


def _take_final(state: State, game: Game, stage: Stage, begun: datetime | None) -> str | None:
    """UT7: one game of all who are in the final; in parts only where they are more than one game takes."""
    teams = tuple(game.played.scores)
    problem = not_playing(state, teams) or not_in_final(state, stage, teams)
    if problem:
        return problem
    absent = next((team for team in teams if team in stage.absent), None)
    if absent is not None:
        return under(state, "final", f"{absent} was absent when {stage.id} was called")
    if problem := too_late(state, stage, begun, game.id):
        return problem
    played = {team: other.id for other in stage.games for team in other.who if _is_spent(state, other, team)}
    again = next((team for team in teams if team in played), None)
    if again is not None:
        return under(state, "final", f"{again} has played in {stage.id}: {played[again]}; void that game first")
    field = [team for team in field_of(state, stage) or () if team not in stage.absent and not state.teams[team].out]
    missing = [team for team in field if team not in teams and team not in played]
    if missing and len(field) <= state.settings.tiebreak_group_max:
        why = f"{stage.id} is one game of {', '.join(field)}: {', '.join(missing)} not in it"
        return under(state, "final", f"{why}; who does not come is `absent: {missing[0]}, stage: {stage.id}`")
    if problem := not_to_be_played(state, game.machine, begun, stage):
        return problem
    freeze(state, stage)
    _keep(game, stage)
    return None


def _is_spent(state: State, game: Game, team: str) -> bool:
    penalised = game.said is not None and team in game.said.penalised
    return penalised or score_in(state, game, team) is not None


def freeze(state: State, stage: Stage) -> None:
    """Keep who is in a stage after the first, now that something of it counts."""
    if stage.form is not None and stage.seeds is None and (result := result_of(state, stage)) is not None:
        stage.seeds = result.seeds


def _keep(game: Game, stage: Stage) -> None:
    game.kind = FINALS
    game.stage = stage
    game.who = tuple(game.played.scores)
    stage.games.append(game)


def _take_tie_break(state: State, game: Game, stage: Stage | None, begun: datetime | None) -> str | None:
    """UT18: one more game of a drawn match; UT6, UT8, EC7, EC14: a play-off for a place."""
    act = game.played
    tied = state.games.get(act.tiebreak) if isinstance(act.tiebreak, str) else None
    if isinstance(act.tiebreak, str) and tied is None:
        return f"there is no game {act.tiebreak}"
    tied = None if tied is None else counts_in(state, tied)
    if tied is not None and tied.played.match is None:
        if tied.stage is None or tied.stage.form is None or tied.kind != FINALS:
            return f"{tied.id} is no game that can be drawn: equal bonus scores share the place"
        stage = stage or tied.stage
    elif tied is not None or act.match is not None:
        return _take_extra_game(state, game, tied, begun)
    return _take_play_off(state, game, stage or state.divisions[""].qualifying, begun)


def _take_extra_game(state: State, game: Game, tied: Game | None, begun: datetime | None) -> str | None:
    act = game.played
    name = act.match if tied is None else tied.played.match
    match = state.matches.get(name or "")
    if match is None:
        return f"there is no match {name}"
    if tied is not None and (act.match not in {None, name} or tied not in match.games):
        return f"{tied.id} is no game of {act.match or name} that counts"
    if play_of(state).earns != "win":
        return under(state, "points", "equal scores share the place and its points: there is no tie-break game")
    if {*act.scores} != {*match.teams}:
        why = f"the extra game of {match.id} is played by {match.home} and {match.away}"
        return not_playing(state, act.scores) or under(state, "drawn", why)
    if problem := not_playing(state, match.teams) or not_to_be_played(state, game.machine, begun, match.stage):
        return problem
    game.kind, game.stage, game.who = TIEBREAK, match.stage, tuple(act.scores)
    match.tiebreaks.append(game)
    return None


def _take_play_off(state: State, game: Game, stage: Stage, begun: datetime | None) -> str | None:
    teams = tuple(game.played.scores)
    if problem := not_playing(state, teams):
        return problem
    if stage.form is not None:
        problem = not_in_final(state, stage, teams)
    else:
        problem = not_seated(state, teams)
        apart = play_of(state).ranked == "apart" and len({state.teams[team].group for team in teams}) > 1
        if problem is None and apart:
            problem = under(state, "first", "a play-off is among teams of one group")
    if problem := problem or not_to_be_played(state, game.machine, begun, stage):
        return problem
    _tell_of_the_machine(state, game)
    game.kind, game.stage, game.who = TIEBREAK, stage, teams
    stage.tiebreaks.append(game)
    return None


def _tell_of_the_machine(state: State, game: Game) -> None:
    """EC7, EC14: tell officials of a play-off on a machine on which matches are played, and no bonus game."""
    name = game.machine.head.id
    if play_of(state).ranked == "apart" or name in bonus_machines(state.divisions[""].qualifying, state.teams):
        return
    if any(other.machine is game.machine for match in state.matches.values() for other in match.games):
        why = f"{game.id} is a play-off on {name}, where matches are played: it belongs on a 4-ball machine"
        state.flag(game.entry, "needs-official", under(state, "play-off", why))
