"""Taking a recorded game into the tournament: as an attempt, a finals game, a tie-break, or only for a ruling.

Everything that can make the rules refuse a game is here. Invariant: a game is refused whole, before anything of it
is kept, and the reason says what to look at.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from server.core.rules import conduct
from server.core.rules.accounts import barred_from, charge, is_used, lacks_entry
from server.core.rules.acts import Played
from server.core.rules.attempts import counts_on, too_many_attempts
from server.core.rules.eligibility import not_eligible
from server.core.rules.finals_games import find_game_tie, take_finals_game
from server.core.rules.holes import no_hole_result
from server.core.rules.machines import unavailable
from server.core.rules.opponents_games import take_opponents_game
from server.core.rules.rounds_games import in_rounds
from server.core.rules.rounds_taking import file_round_tie, take_round_game
from server.core.rules.scores import score_in
from server.core.rules.stages import too_late
from server.core.rules.state import ATTEMPT, NAMED, TIEBREAK, Division, Game, Stage, State
from server.core.rules.teams.taking import take_team_game


def take_game(state: State, entry: int, at: datetime | None, act: Played) -> str | None:
    """Take one game into the state. Gives the reason when the rules refuse it."""
    governed = state.settings.conduct != "none"
    if problem := _impossible(state, act) or (conduct.cannot_play(state, act.scores) if governed else None):
        return problem
    game = Game(
        id=act.game,
        entry=entry,
        played=act,
        machine=state.machines[act.machine],
        kind=NAMED,
        scores=act.scores,
        noted=bool(act.rollovers or act.rings),
    )
    begun = act.started_at or at
    if act.game not in state.named:
        take = _take_tiebreak if act.tiebreak is not False else _take_for_stage
        preset = state.head.preset
        if preset.teams:
            take = take_team_game
        elif preset.match_labels:
            take = take_opponents_game
        if problem := take(state, game, begun):
            return problem
    elif unknown := next((who for who in act.scores if who not in state.players and who not in state.teams), None):
        return f"there is no player {unknown}"
    if game.noted and game.machine.head.digits is None and any((act.rollovers or {}).values()):
        why = f"{act.machine} has no `digits`: the roll-overs noted for {act.game} are not added"
        state.flag(entry, "needs-official", why)
    state.games[act.game] = game
    if governed:
        conduct.after_game(state, game)
    return None


def _impossible(state: State, act: Played) -> str | None:
    """Say what makes a game impossible under any rules."""
    if act.game in state.games:
        return f"there is a game {act.game} already"
    if act.game in state.given_up:
        return f"the entry of {act.game} was given up"
    if act.machine not in state.machines:
        return f"there is no machine {act.machine}"
    if not act.scores:
        return f"{act.game} has no scores"
    if act.match is not None and not state.head.preset.knows_matches:
        return f"{state.head.preset.name} has no matches"
    if act.strokes and state.head.preset.first != "holes":
        return f"{state.head.preset.name} counts no strokes"
    for who, score in act.scores.items():
        if score < 0:
            return f"a score is not below 0: {who}"
    if act.rollovers or act.rings:
        return _bad_note(act, "rollovers", act.rollovers or {}) or _bad_note(act, "rings", act.rings or {})
    return None


def _bad_note(act: Played, what: str, notes: Mapping[str, int]) -> str | None:
    for who, count in notes.items():
        if who not in act.scores:
            return f"{what} are noted for {who}, who has no score in {act.game}"
        if not 0 <= count <= 1_000_000:
            return f"{what} of {who}: a number from 0 to 1000000"
    return None


def _take_for_stage(state: State, game: Game, begun: datetime | None) -> str | None:
    act = game.played
    stage = state.stages.get(act.stage) if act.stage is not None else None
    if act.stage is not None and stage is None:
        return f"there is no stage {act.stage}; there are {', '.join(state.stages)}"
    if stage is not None and stage.form is not None:
        return take_finals_game(state, game, stage, begun)
    name = game.machine.division
    if name is None:
        return f"{act.machine} serves no division"
    if state.settings.bank and game.machine.number == 0 and game.machine.status in {"up", "down"}:
        return f"{act.machine} is a spare: it is played once it replaces a machine"
    division = state.divisions[name]
    if (stage is not None and stage is not division.qualifying) or (act.division or name) != name:
        return f"{act.machine} serves {name or 'a tournament without divisions'}"
    return TAKING[state.head.preset.first](state, game, division, begun)


def _take_attempt(state: State, game: Game, division: Division, begun: datetime | None) -> str | None:
    act = game.played
    everybody = tuple(act.scores)
    counting = everybody[:1] if state.head.preset.first_player_only else everybody
    for who in counting:
        problem = not_eligible(state, who, division) or too_many_attempts(state, act, who, division)
        if problem is None and act.makeup is not None:
            problem = _makeup_refused(state, who, act.makeup, division)
        elif problem is None and state.settings.require_entry and lacks_entry(state, who, division.name):
            problem = f"{who} has no entry left"
        if problem:
            return problem
    stage = division.qualifying
    if problem := too_late(state, stage, begun, act.game) or unavailable(game.machine, begun, stage):
        return problem
    game.kind = ATTEMPT
    game.who = counting
    game.division = division.name
    game.stage = stage
    division.attempts.append(game)
    if begun is not None and (state.first_game_at is None or begun < state.first_game_at):
        state.first_game_at = begun
    for who in counting:
        _count_attempt(state, game, who, division)
    if len(everybody) > 1 and state.settings.machines_per_player is not None:
        why = f"{act.game} has {len(everybody)} players: qualifying is played alone"
        state.flag(game.entry, "needs-official", why)
    if len(everybody) > len(counting):
        dropped = ", ".join(everybody[len(counting) :])
        state.flag(game.entry, "needs-official", f"qualifying is played alone: the score of {dropped} is dropped")
    return None


def _take_hole(state: State, game: Game, division: Division, begun: datetime | None) -> str | None:
    """G1 to G3, G6: a game of a hole, with strokes that are possible."""
    stranger = next((who for who in game.played.scores if who not in state.players), None)
    if stranger is not None:
        return f"there is no player {stranger}"
    return no_hole_result(state, game, division) or _take_attempt(state, game, division, begun)


def _take_of_entrants(state: State, game: Game, division: Division, begun: datetime | None) -> str | None:
    """B2, B4: a game of the qualifying, where there is one; else everything that is played belongs to the bracket."""
    if state.settings.seeding == "qualifying":
        return _take_attempt(state, game, division, begun)
    if game.played.stage is not None:
        return f"{division.qualifying.id} is only the list of seeds: nothing is played in it"
    bracket = next(stage for stage in division.stages.values() if stage.form is not None)
    return take_finals_game(state, game, bracket, begun)


TAKING: Mapping[str, Callable[[State, Game, Division, datetime | None], str | None]] = {
    "attempts": _take_attempt,
    "winners": _take_attempt,
    "entrants": _take_of_entrants,
    "holes": _take_hole,
    "rounds": take_round_game,
    "strikes": take_round_game,
}
"""How a game of the first stage is taken, by the preset's `first`."""


def _count_attempt(state: State, game: Game, who: str, division: Division) -> None:
    """C5.4, T13.8: an attempt uses an entry, a make-up game none; T2.1: who ranks too high is shown to an official."""
    player = state.players[who]
    player.attempts.setdefault(division.name, []).append(game)
    player.tried.add(game.machine.head.id)
    if game.played.makeup is not None:
        player.makeups[game.played.makeup] = game
    else:
        charge(state, game, who)
    if player.head.wppr_rank and not player.barred_noted and (barred := barred_from(state, player, division.name)):
        player.barred_noted = True
        state.flag(game.entry, "needs-official", barred)


def _makeup_refused(state: State, who: str, name: str, division: Division) -> str | None:
    """T13.8, T13.9: one game for a score that a disabled machine lost, on any machine of the division."""
    lost = state.machines.get(name)
    if lost is None:
        return f"there is no machine {name}"
    if not lost.scores_void:
        return f"the scores of {name} are not void: there is nothing to make up"
    if lost.division != division.name:
        return f"{name} serves {lost.division}"
    player = state.players[who]
    earlier = player.makeups.get(name)
    if earlier is not None and is_used(earlier):
        return f"{who} has made up for {name} already"
    for attempt in player.attempts.get(division.name, ()):
        if attempt.machine is lost and score_in(state, attempt, who) is not None:
            return None
    return f"{who} has lost no score on {name}"


def _stage_of_tie(state: State, game: Game) -> Stage | None:
    """C4.2: the stage that is named, else that of the tied game, else the qualifying of the machine's division."""
    act = game.played
    if act.stage is not None:
        return state.stages.get(act.stage)
    tied = state.games.get(act.tiebreak) if isinstance(act.tiebreak, str) else None
    if tied is not None and tied.stage is not None:
        return tied.stage
    division = state.divisions.get(act.division or game.machine.division or "")
    return division.qualifying if division is not None else None


def _stranger_to_tie(state: State, act: Played, division: Division) -> str | None:
    """C4.5, L10: a tie of the first stage is between players who have played there, on the machine that it is on."""
    stage = division.qualifying
    on_machine = counts_on(stage, act.machine) if state.head.preset.first == "winners" else None
    for who in act.scores:
        played = {counts_on(stage, game.machine.head.id) for game in state.players[who].attempts.get(division.name, ())}
        if not played:
            return f"{who} has no score in {stage.id}"
        if on_machine is not None and on_machine not in played:
            return f"{who} has no score on {act.machine}: a tie is played off on the machine that it is on"
    return None


def _take_tiebreak(state: State, game: Game, begun: datetime | None) -> str | None:
    """C4.4, C4.5, C6.4: kept beside the stage; what it decides is found out when the stage is ranked."""
    act = game.played
    stage = _stage_of_tie(state, game)
    if stage is None:
        return f"say in which stage the tie is: {', '.join(state.stages)}"
    division = state.divisions[stage.division]
    for who in act.scores:
        problem = not_eligible(state, who, division)
        if problem:
            return problem
    if problem := unavailable(game.machine, begun, stage):
        return problem
    if isinstance(act.tiebreak, str):
        file_tie = file_round_tie if in_rounds(state, stage) else find_game_tie
        problem = file_tie(state, game, stage, act.tiebreak)
    elif stage.form is None:
        problem = _stranger_to_tie(state, act, division)
    else:
        problem = find_game_tie(state, game, stage, None)
    if problem:
        return problem
    game.kind = TIEBREAK
    game.who = tuple(act.scores)
    game.division = stage.division
    game.stage = stage
    if not isinstance(act.tiebreak, str):
        stage.tiebreaks.append(game)
    return None
