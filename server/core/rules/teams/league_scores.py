"""What the games of one slot come to by team: combined scores, who is missing, who has lost whatever the scores are.

Only reading. Invariant: a game that is void, or counts only through a ruling, adds nothing by itself.
"""

from collections.abc import Mapping, Sequence

from server.core.rules.scores import score_in
from server.core.rules.state import Game, State
from server.core.rules.teams.league_offences import DISQUALIFIED, LOSING
from server.core.rules.teams.state import Incident, Match


def fields_of(state: State, match: Match, side: int, games: Sequence[Game]) -> tuple[Mapping[str, int | None], bool]:
    """Give the combined scores by team (PC14 to PC16), and whether everybody who has to play has a score.

    A disqualified score is none, but its player has played; a void one has to be played again.
    """
    sums: dict[str, int | None] = dict.fromkeys(match.teams)
    for game in games:
        for who, team in match.sides[game.id].items():
            score = score_in(state, game, who)
            if score is not None:
                sums[team] = (sums[team] or 0) + score
    there = players_in(match, side, games)
    return sums, bool(games) and all(there[team] >= players_of(match, team, side, games) for team in match.teams)


def players_in(match: Match, side: int, games: Sequence[Game]) -> Mapping[str, int]:
    """Give how many have played a slot for each team; who is not void has, a team's own score stands for all of it."""
    there = dict.fromkeys(match.teams, 0)
    for game in games:
        playing = {who: team for who, team in match.sides[game.id].items() if has_played(game, who)}
        for team, count in players_in_game(side, playing).items():
            there[team] += count
    return there


def players_in_game(side: int, sides: Mapping[str, str]) -> Mapping[str, int]:
    """Give how many play a game for each team."""
    found: dict[str, int] = {}
    for who, team in sides.items():
        found[team] = found.get(team, 0) + (side if who == team else 1)
    return found


def has_played(game: Game, who: str) -> bool:
    """Say whether somebody has a score in a game that is not void; a disqualified one is one here."""
    return who in game.scores and not (game.said is not None and (game.said.void or who in game.said.voided))


def players_of(match: Match, team: str, side: int, games: Sequence[Game]) -> int:
    """Give how many play a slot for a team: as it has declared, one in a game of one against two (PC21), else all."""
    for game in games:
        round_, name = game.key
        lineup = match.lineups.get((round_, team))  # type: ignore[arg-type]
        declared = lineup.games.get(name) if lineup is not None else None  # type: ignore[arg-type]
        if declared is not None:
            return len(declared.players)
    alone = any(_counts(match, game, team) == (1, 2) for game in games)
    return 1 if alone else side


def lost_in(state: State, match: Match, key: tuple[int, str], games: Sequence[Game]) -> tuple[str, ...]:
    """Give the teams that have lost a slot whatever its scores are: by a forfeit, or by an offence in it."""
    lost = set(match.given_up.get(key, ()))
    for game in games:
        lost |= lost_by_offence(state, game)
    for incident in match.incidents:
        if incident.game is None and incident.key == key and costs_game(incident):
            lost.add(incident.team)
    return tuple(team for team in match.teams if team in lost)


def costs_game(incident: Incident) -> bool:
    """Say whether an offence loses the game for the team (PC12, PC27, PC29), as the disqualification of a team does."""
    return incident.offence in LOSING or (incident.offence == DISQUALIFIED and incident.who is None)


def lost_by_offence(state: State, game: Game) -> set[str]:
    """Give the teams that an offence in a game, or in one that its rulings name, costs the game (PC12, PC27, PC29)."""
    said = game.said
    if said is None or said.void:
        return set()
    lost = set(said.lost)
    for ruling in said.rulings:
        for name in ruling.games:
            other = state.games.get(name)
            if other is not None and other.said is not None and not other.is_void:
                lost |= other.said.lost
    return lost


def decided_in(state: State, match: Match, games: Sequence[Game]) -> str | None:
    """Give who has won games that break a tie: the first that is not drawn itself decides."""
    for game in games:
        if game.is_void:
            continue
        lost = lost_by_offence(state, game) & {*match.teams}
        if len(lost) == 1:
            return match.opponent(next(iter(lost)))
        sums: dict[str, int] = {}
        for who, team in match.sides[game.id].items():
            score = score_in(state, game, who)
            if score is not None:
                sums[team] = sums.get(team, 0) + score
        if not lost and sums and sums.get(match.home) != sums.get(match.away):
            return max(sums, key=lambda team: sums[team])
    return None


def _counts(match: Match, game: Game, team: str) -> tuple[int, int]:
    sides = match.sides[game.id]
    mine = sum(other == team for other in sides.values())
    return mine, len(sides) - mine
