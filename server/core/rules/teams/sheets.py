"""The score sheet of a match: rounds with line-ups and games, whose turn it is, points, terms, challenges, signatures.

Only shaping what the rules know, for the people at the match. Invariant: nothing is decided here, and a line-up is
there only once it has been declared.
"""

from collections.abc import Mapping

from server.core.rules.scores import score_in
from server.core.rules.state import Game, State
from server.core.rules.teams.league import Slot, SlotResult, declares_first, plays_first, slot_results
from server.core.rules.teams.lineups_turns import turns
from server.core.rules.teams.matches import outcome_of
from server.core.rules.teams.order import lined_up, machine_of, order_of_play
from server.core.rules.teams.state import Match, TeamState
from server.core.rules.tournament import Player


def match_sheet(state: State, match: Match) -> dict[str, object]:
    """Give the sheet as plain data. `entry`, `confirmed` and `challenges` name entries of the log, counted from 1.

    `rounds` are those of a league (PC6): each with who declares first, who starts, who has to declare next, whose turn
    it is for which slots (`again`: after a breakdown, PC36), and its slots; other matches have none. `games` are all
    that were recorded for the match, in their order.
    """
    outcome = outcome_of(state, match)
    in_league = state.head.preset.first == "season"
    slots = slot_results(state, match) if in_league else ()
    terms = {"extra_balls": state.settings.extra_balls} if in_league else {}
    return {
        "id": match.id,
        "entry": match.entry,
        "stage": match.stage.id,
        "home": match.home,
        "away": match.away,
        "week": match.week,
        "venue": match.venue,
        "tiebreak": match.tiebreak,
        "status": outcome.status,
        "points": {team: outcome.points.get(team, 0) for team in match.teams},
        "winner": outcome.winner,
        "level": list(outcome.level),
        "terms": {**terms, **match.terms},
        "rounds": [_round(state, match, number, slots) for number in dict.fromkeys(one.slot.round for one in slots)],
        "games": [_game(state, game) for game in (*match.games, *match.tiebreaks)],
        "forfeits": [
            {"team": forfeit.team, "round": forfeit.round, "slot": forfeit.slot, "for": forfeit.offence, "entry": entry}
            for entry, forfeit in match.forfeits
        ],
        "challenges": [
            {"game": challenge.game, "team": challenge.team, "entry": entry} for entry, challenge in match.challenges
        ],
        "confirmed": dict(match.confirmed),
        "ended": match.ended or None,
    }


def roster_sheet(team: TeamState, players: Mapping[str, Player]) -> dict[str, object]:
    """Give a team with its captains and everybody who is or was on its roster; `until` is the first day without.

    `players` are those of the head, who give the names; somebody who came later may have none.
    """
    head = team.head
    return {
        "id": head.id,
        "name": head.name,
        "home": head.home,
        "division": head.division,
        "seed": head.seed,
        "group": team.group or None,
        "captains": list(head.captains),
        "roster": [
            {
                "id": one.who,
                "name": players[one.who].name if one.who in players else "",
                "role": one.role,
                "entry": one.entry or None,
                "since": None if one.since is None else one.since.isoformat(),
                "until": None if one.until is None else one.until.isoformat(),
            }
            for one in team.roster
        ],
        "status": "disqualified" if team.out else "active",
    }


def _round(state: State, match: Match, number: int, results: tuple[SlotResult, ...]) -> dict[str, object]:
    mine = [one for one in results if one.slot.round == number]
    first, second = declares_first(match, number), plays_first(match, number)
    turn = turns(state, match, number)
    undeclared = [team for team in (first, second) if (number, team) not in match.lineups]
    return {
        "round": number,
        "kind": mine[0].slot.kind,
        "declares_first": first,
        "plays_first": second,
        "to_declare": undeclared[0] if undeclared else None,
        "turn": {"team": turn.team, "slots": list(turn.slots), "again": turn.again},
        "slots": [_slot(state, match, one.slot, one) for one in mine],
    }


def _slot(state: State, match: Match, slot: Slot, result: SlotResult) -> dict[str, object]:
    lineups = {team: lined_up(match, slot.round, slot.slot, team) for team in match.teams}
    return {
        "slot": slot.slot,
        "worth": slot.points,
        "machine": machine_of(match, slot.round, slot.slot),
        "players": {team: None if game is None else list(game.players) for team, game in lineups.items()},
        "order": list(order_of_play(state, match, slot.round, slot.slot)),
        "status": result.status,
        "winner": result.winner,
        "points": dict(result.points),
        "sums": dict(result.sums),
        "games": list(result.games),
        "lost": list(result.lost),
    }


def _game(state: State, game: Game) -> dict[str, object]:
    act = game.played
    return {
        "game": game.id,
        "entry": game.entry,
        "round": act.round,
        "slot": act.slot,
        "machine": act.machine,
        "tiebreak": act.tiebreak,
        "format": act.format,
        "scores": {who: score_in(state, game, who) for who in game.scores},
        "void": game.is_void,
    }
