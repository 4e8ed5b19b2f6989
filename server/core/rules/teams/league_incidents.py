"""Offences in the matches of a league: who loses what by them (PC12, PC13, PC27 to PC30), and who was not there (PC23).

What an offence does is in `league_offences`. Invariant: a score that an offence takes is kept; a second offence is
counted by match and team.
"""

from dataclasses import replace

from server.core.rules import conduct
from server.core.rules.acts import Absent, Penalty
from server.core.rules.state import Game, State
from server.core.rules.teams.league import find_slot, no_slot
from server.core.rules.teams.league_offences import DISQUALIFIED, LOGGED_IN, LOSING, PRACTICE, WARNED_FIRST, ZEROING
from server.core.rules.teams.league_scores import costs_game, fields_of, has_played
from server.core.rules.teams.rosters import members_on
from server.core.rules.teams.state import Incident, Match


def penalise_in_league(state: State, entry: int, act: Penalty) -> str | None:
    """Take an offence. It names its game, or match, round and slot where that game is not recorded yet.

    Gives the reason when refused.
    """
    if act.who not in state.players and act.who not in state.teams:
        return f"there is no player and no team {act.who}"
    game = state.games.get(act.game) if act.game is not None else None
    if act.game is not None and game is None:
        return f"there is no game {act.game}: name match, round and slot of a game that is not recorded yet"
    match = _match_of(state, game, act)
    if act.match is not None and (match is None or match.id != act.match):
        return f"there is no match {act.match}" if game is None else f"{act.game} is no game of {act.match}"
    if match is None:
        return _outside_matches(state, entry, game, act)
    team = _team_in(state, match, game, act.who)
    if team is None:
        return f"{act.who} plays for neither {match.home} nor {match.away}"
    key = _key_of(state, game, act)
    if isinstance(key, str):
        return key
    if game is None and key is not None and act.offence != PRACTICE:
        game = _recorded_at(state, match, key, act.who, team)
    incident = Incident(
        entry=entry,
        offence=act.offence,
        team=team,
        who=None if act.who in state.teams else act.who,
        game=game.id if game is not None else None,
        key=key,
    )
    if problem := _apply(state, match, game, incident):
        return problem
    match.penalties.append((entry, act))
    _count(state, act.who, act.offence)
    return None


def note_league_absent(state: State, entry: int, act: Absent) -> str | None:
    """PC23, PC24: what follows from an absence is written as a forfeit, so it is only put before an official."""
    if act.who not in state.players and act.who not in state.teams:
        return f"there is no player and no team {act.who}"
    if act.match is not None and act.match not in state.matches:
        return f"there is no match {act.match}"
    if act.substitute is not None:
        return f"PC3: nobody takes the place of {act.who}: change the roster, or declare another line-up"
    stage = state.stages.get(act.stage) if act.stage is not None else None
    if act.stage is not None and stage is None:
        return f"there is no stage {act.stage}; there are {', '.join(state.stages)}"
    if act.who in state.teams and act.match is None and stage is not None and stage.form is not None:
        stage.absent.setdefault(act.who, entry)
        why = f"{act.who} is absent from {stage.id}: the rules name nobody for its place, the others move up"
    else:
        why = f"{act.who} is absent: a team of three forfeits a single of each round, a smaller one all (PC21, PC24)"
    state.flag(entry, "needs-official", why)
    return None


def attach_incidents(match: Match, game: Game) -> None:
    """Bring offences to a game that were noted for its round and slot before it was recorded."""
    for index, incident in enumerate(match.incidents):
        if incident.game is None and incident.key == game.key and incident.offence != PRACTICE:
            who = incident.who if incident.who in game.scores else None
            if costs_game(incident) or who is not None:
                match.incidents[index] = replace(incident, game=game.id)
                _mark(match, game, match.incidents[index])


def warnings_of(match: Match, offence: str) -> dict[str, list[Incident]]:
    """Give by team the incidents of an offence whose first is a warning (PC13, PC30)."""
    found: dict[str, list[Incident]] = {}
    for incident in match.incidents:
        if incident.offence == offence:
            found.setdefault(incident.team, []).append(incident)
    return found


def _apply(state: State, match: Match, game: Game | None, incident: Incident) -> str | None:
    """Note an offence in a match, with what it does. Gives the reason when refused."""
    offence = incident.offence
    if offence == PRACTICE:
        return _practise(state, match, incident)
    known = offence in LOSING or offence in ZEROING or offence in {LOGGED_IN, DISQUALIFIED}
    first = offence == LOGGED_IN and incident.team not in warnings_of(match, LOGGED_IN)  # PC13: only a warning
    if known and not first and game is None and incident.key is None:
        return f"{offence}: say in which game (game), or match, round and slot"
    alone = offence in ZEROING or offence == LOGGED_IN or (offence == DISQUALIFIED and incident.who is not None)
    if alone and not first and game is None and incident.who is None:
        return f"{offence}: it costs a player's own score: name the player instead of {incident.team}"
    if alone and game is not None:
        who = _scorer(match, game, incident)
        if who is None:
            return f"{offence}: {incident.who or incident.team} has no score of his own in {game.id}: name the player"
        incident = replace(incident, who=who)
    match.incidents.append(incident)
    if game is not None:
        _mark(match, game, incident)
    if not known and not conduct.covers(state, offence, incident.who):
        why = f"{offence} by {incident.who or incident.team} in {match.id}: officials decide what follows"
        state.flag(incident.entry, "needs-official", why)
    elif offence == "slam-tilt" and _repeated(state, incident):
        why = f"PC29: {incident.who} has slam-tilted repeatedly: officials decide on discipline"
        state.flag(incident.entry, "needs-official", why)
    return None


def _practise(state: State, match: Match, incident: Incident) -> str | None:
    """PC30: the first of a team is a warning, the second forfeits the game; who is not assigned is an official's."""
    if incident.key is None:
        return "PC30: practice: say for which game the machine was declared (match, round and slot)"
    lineup = match.lineups.get((incident.key[0], incident.team))
    declared = lineup.games.get(incident.key[1]) if lineup is not None else None
    if incident.who is not None and lineup is not None and (declared is None or incident.who not in declared.players):
        why = f"PC30: {incident.who} is not assigned to that game: practice there is not allowed, officials decide"
        state.flag(incident.entry, "needs-official", why)
        match.incidents.append(replace(incident, offence=f"{PRACTICE}-unassigned"))
        return None
    if incident.team in warnings_of(match, PRACTICE):
        match.given_up.setdefault(incident.key, {}).setdefault(incident.team, incident.entry)
    match.incidents.append(incident)
    return None


def _mark(match: Match, game: Game, incident: Incident) -> None:
    """Do to a game what an offence in it does."""
    said = game.about()
    who = incident.who if incident.who is not None and incident.who in game.scores else incident.team
    if costs_game(incident):
        said.lost.add(incident.team)
    elif incident.offence in ZEROING:
        said.zeroed.add(who)
        said.offences[who] = incident.entry
    elif incident.offence == DISQUALIFIED or (incident.offence == LOGGED_IN and not _is_first(match, incident)):
        said.offences[who] = incident.entry
        if game.id in match.sides:
            said.disqualified.add(who)
        else:
            said.zeroed.add(who)
    said.penalised.add(who)


def _is_first(match: Match, incident: Incident) -> bool:
    return warnings_of(match, incident.offence)[incident.team][0].entry == incident.entry


def _scorer(match: Match, game: Game, incident: Incident) -> str | None:
    """Give whose score in a game an offence is about: the player's, else the team's only one."""
    if incident.who in game.scores:
        return incident.who
    mine = [who for who, team in match.sides.get(game.id, {}).items() if team == incident.team]
    return mine[0] if len(mine) == 1 and (incident.who is None or mine[0] == incident.team) else None


def _match_of(state: State, game: Game | None, act: Penalty) -> Match | None:
    """Give the match of an offence; that of a game which only a ruling names is the ruled game's."""
    if game is None:
        return state.matches.get(act.match or "")
    own = state.matches.get(game.played.match or "")
    if own is not None and game.id in own.sides:
        return own
    for match in state.matches.values():
        if game.id in match.sides:
            return match
    for match in state.matches.values():
        for other in (*match.games, *match.tiebreaks):
            if other.said is not None and any(game.id in ruling.games for ruling in other.said.rulings):
                return match
    return None


def _team_in(state: State, match: Match, game: Game | None, who: str) -> str | None:
    """Give for which team of a match somebody has offended: as he played, else as the rosters have him."""
    if who in match.teams:
        return who
    played = match.sides.get(game.id, {}).get(who) if game is not None else None
    if played is not None:
        return played
    ever = {team for sides in match.sides.values() for one, team in sides.items() if one == who}
    listed = {team for team in match.teams if who in members_on(state.teams[team], None)}
    teams = ever or listed
    return next(iter(teams)) if len(teams) == 1 else None


def _key_of(state: State, game: Game | None, act: Penalty) -> tuple[int, str] | str | None:
    """Give the round and slot that an offence is about, None where it names none, or what is wrong with them."""
    if game is not None and game.key:
        return int(game.key[0] or 0), str(game.key[1])
    if act.round is None and act.slot is None:
        return None
    if find_slot(state.settings, act.round, act.slot) is None or act.slot is None or act.round is None:
        return no_slot(state, act.round, act.slot)
    return act.round, act.slot


def _recorded_at(state: State, match: Match, key: tuple[int, str], who: str, team: str) -> Game | None:
    """Give the game that stands for a round and slot: the one of the player, else of the team once all are in."""
    games = [game for game in match.games if game.key == key and not game.is_void]
    own = [game for game in games if has_played(game, who)]
    slot = find_slot(state.settings, *key)
    if own or slot is None or not fields_of(state, match, slot.side, games)[1]:
        return own[-1] if own else None
    return next((game for game in reversed(games) if team in match.sides[game.id].values()), None)


def _outside_matches(state: State, entry: int, game: Game | None, act: Penalty) -> str | None:
    """Take an offence in no match: in a game that only a ruling names, or by officials altogether (C3.5)."""
    if game is not None:
        teams = [team for team, one in state.teams.items() if act.who == team or act.who in members_on(one, None)]
        if act.offence in LOSING:
            game.about().lost.update(teams)
        elif act.offence in ZEROING or act.offence == DISQUALIFIED:
            if act.who not in game.scores:
                return f"{act.who} has no score in {game.id}"
            game.about().zeroed.add(act.who)
            game.about().offences[act.who] = entry
        elif not conduct.counts(state, act):
            why = f"{act.offence} by {act.who} in {game.id}: officials decide what follows"
            state.flag(entry, "needs-official", why)
    elif act.offence == DISQUALIFIED and act.who in state.players:
        state.players[act.who].ejected = True
    elif act.offence in {*LOSING, *ZEROING, *WARNED_FIRST}:
        return f"{act.offence}: say in which game (game), or match, round and slot"
    else:
        if act.offence == DISQUALIFIED:
            state.teams[act.who].out = entry
        if not conduct.counts(state, act):
            state.flag(entry, "needs-official", f"{act.offence} by {act.who}: officials decide what follows")
    _count(state, act.who, act.offence)
    return None


def _count(state: State, who: str, offence: str) -> None:
    player = state.players.get(who)
    counts = state.teams[who].offences if player is None else player.offences
    counts[offence] = counts.get(offence, 0) + 1


def _repeated(state: State, incident: Incident) -> bool:
    player = state.players.get(incident.who or "")
    return player is not None and player.offences.get(incident.offence, 0) > 0
