"""Taking a game of a match of teams: the right teams and players, no more games than the match has (UT2, EC2, EC13).

Invariant: of whom each score of a game counts is settled when the game is taken.
"""

from collections.abc import Mapping
from datetime import datetime

from server.core.rules.stages import result_of, too_late
from server.core.rules.state import FINALS, Game, Key, Stage, State
from server.core.rules.teams.group_matches import MatchGame, games_of
from server.core.rules.teams.group_seats import not_playing, not_seated, play_of, under
from server.core.rules.teams.group_setting import met_before, not_in_final, not_to_be_played
from server.core.rules.teams.rosters import day_of, members_on, team_of
from server.core.rules.teams.state import Match


def take_match_game(state: State, game: Game, stage: Stage | None, begun: datetime | None) -> str | None:
    """Take a game of a match, or a part of one. Gives the reason when refused."""
    act = game.played
    match = state.matches.get(act.match or "")
    if match is None:
        return f"there is no match {act.match}: set it first (match: {act.match}, home: ..., away: ...)"
    problem = _cannot_play(state, match, stage, begun, act.game)
    if problem:
        return problem
    sides, problem = _sides_of(state, match, game, begun)
    if problem is None:
        problem = _does_not_fit(state, match, game, sides)
    if problem := problem or not_to_be_played(state, game.machine, begun, match.stage):
        return problem
    if match.stage.form is not None and match.stage.seeds is None:
        result = result_of(state, match.stage)
        match.stage.seeds = result.seeds if result is not None else None
    game.kind = FINALS
    game.stage = match.stage
    game.who = tuple(act.scores)
    game.key = _key_of(match, game)
    _tell_of_the_machine(state, match, game)
    match.sides[game.id] = sides
    match.games.append(game)
    match.stage.games.append(game)
    return None


def _tell_of_the_machine(state: State, match: Match, game: Game) -> None:
    """EC2: tell officials of a match whose games are recorded on one machine: they are played at the same time."""
    for other in games_of(state, match):
        first = other.entries[0]
        if other.key != game.key and first.machine is game.machine:
            why = f"{game.id} is on {game.machine.head.id} as {first.id} is: a match is played on two machines at once"
            state.flag(game.entry, "needs-official", under(state, "match", why))


def _cannot_play(state: State, match: Match, stage: Stage | None, begun: datetime | None, name: str) -> str | None:
    if stage is not None and stage is not match.stage:
        return f"{match.id} is a match of {match.stage.id}, not of {stage.id}"
    problem = not_playing(state, match.teams)
    if match.stage.form is None:
        problem = problem or not_seated(state, match.teams)
    else:
        problem = problem or not_in_final(state, match.stage, match.teams)
    if problem is None and (late := too_late(state, match.stage, begun, name)):
        problem = under(state, "close", late) if match.stage.form is None else late
    if problem is None and (other := met_before(state, match)) is not None:
        problem = under(state, "match", f"{match.home} and {match.away} meet once: that is {other.id}")
    return problem


def _key_of(match: Match, game: Game) -> Key:
    """Name the game that an entry is part of: entries of equal round and slot are parts of one, others stand alone."""
    act = game.played
    if act.round is None and act.slot is None:
        return (match.id, None, None, act.game)
    return (match.id, act.round, act.slot)


def _sides_of(state: State, match: Match, game: Game, begun: datetime | None) -> tuple[dict[str, str], str | None]:
    """Give for which team each score of a game counts, and why one is for none of the two."""
    teams, side = match.teams, play_of(state).side
    found: dict[str, str] = {}
    for who in game.played.scores:
        if who in state.teams:
            if side:
                return {}, under(state, "match", f"scores of a match are by player, and {who} is a team")
            if who not in teams:
                return {}, under(state, "match", f"{who} does not play in {match.id}: {match.home} and {match.away} do")
            found[who] = who
            continue
        if who not in state.players:
            return {}, f"there is no {'player' if side else 'team'} {who}"
        if not side:
            return {}, under(state, "match", f"scores of a match are by team, and {who} is a player")
        day = day_of(state, begun)
        if all(who in members_on(state.teams[team], day) for team in teams):
            why = (
                f"{who} is on the rosters of {match.home} and {match.away}: take him off one (roster: ..., drop: {who})"
            )
            return {}, under(state, "match", why)
        team = team_of(state, who, teams, day) or _team_without_roster(state, who, teams)
        if team is None:
            why = f"{who} is on the roster of neither {match.home} nor {match.away}"
            return {}, under(state, "match", why)
        found[who] = team
    return found, None


def _team_without_roster(state: State, who: str, teams: tuple[str, str]) -> str | None:
    """A team whose players are not listed is not checked: who is of no listed team plays for the one that is not."""
    unlisted = [team for team in teams if state.teams[team].head.roster is None and not state.teams[team].roster]
    elsewhere = any(one.who == who for team in state.teams.values() for one in team.roster)
    return unlisted[0] if len(unlisted) == 1 and not elsewhere else None


def _does_not_fit(state: State, match: Match, game: Game, sides: Mapping[str, str]) -> str | None:
    """UT2, EC2: why a game is one too many for its match, or does not have the players that it needs."""
    play, key = play_of(state), _key_of(match, game)
    games = games_of(state, match)
    known = next((one for one in games if one.key == key), None)
    if known is None and len(games) >= play.games:
        first = games[0].entries[0].id
        count = "one game" if play.games == 1 else f"{play.games} games"
        extra = f", break a draw with tiebreak: {first}" if play.earns == "win" else ""
        return under(state, "match", f"{match.id} has {count}, and it is played: void {first} to play it anew{extra}")
    in_parts = game.played.round is not None or game.played.slot is not None
    together = {**(known.sides if known is not None else {}), **sides}
    problem = _wrong_sides(state, match, list(together.values()), exactly=not in_parts)
    return problem or _plays_twice(state, [one for one in games if one is not known], sides)


def _wrong_sides(state: State, match: Match, sides: list[str], *, exactly: bool) -> str | None:
    side = play_of(state).side
    for team in match.teams:
        count = sides.count(team)
        if count > (side or 1) or (exactly and count != (side or 1)):
            if not side:
                return under(state, "match", f"a game of {match.id} needs a score of {match.home} and of {match.away}")
            why = f"a game has {side} players of each team: {count} of {team}"
            return under(state, "match", why)
    return None


def _plays_twice(state: State, others: list[MatchGame], sides: Mapping[str, str]) -> str | None:
    for other in others:
        again = next((who for who in sides if who in other.sides), None)
        if again is not None:
            return under(state, "match", f"{again} plays in {other.entries[0].id}: a player is in one game of a match")
    return None
