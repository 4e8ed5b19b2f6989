"""What officials say about games and people: corrections, voids, rulings, penalties, absences (C1, C3.3, C3.5, T14).

Each function takes one act and gives the reason when it is refused. Invariant: what was recorded stays; these only
add to it.
"""

from server.core.rules import conduct
from server.core.rules.accounts import charge, give_back
from server.core.rules.acts import Absent, Correct, Penalty, Ruling, Void
from server.core.rules.keeping import note_change
from server.core.rules.machine_points import standby_of
from server.core.rules.presets import Offence, StageForm
from server.core.rules.rounds_games import in_rounds
from server.core.rules.rounds_taking import withdraw
from server.core.rules.scores import score_in
from server.core.rules.stages import chain, left_out
from server.core.rules.state import ATTEMPT, FINALS, Game, PlayerState, Stage, State
from server.core.rules.strokes import bad_correction
from server.core.rules.teams.incidents import note_team_absent, penalise_in_teams

MAX_RULINGS = 100
"""Rulings on one game: no game needs a tenth of these, and numbers stay of a size that can be printed."""

MAX_FACTOR = 1000
COMPOSING = frozenset({"add-ball", "best-of", "replay"})


def correct(state: State, entry: int, act: Correct) -> str | None:
    """C1.1: the latest correction replaces the machine scores that it names."""
    game = state.games.get(act.game)
    if game is None:
        return f"there is no game {act.game}"
    for who, score in act.scores.items():
        if who not in game.scores:
            return f"{who} has no score in {act.game}"
        if score < 0:
            return f"a score is not below 0: {who}"
    if state.head.preset.first != "holes" and act.strokes:
        return f"{state.head.preset.name} counts no strokes"
    if state.head.preset.first == "holes":
        if problem := bad_correction(state.settings, game, act):
            return problem
        if act.balls or act.strokes:
            game.about().balls |= act.balls or {}
            game.about().strokes |= act.strokes or {}
    before, game.scores = game.scores, {**game.scores, **act.scores}
    if game.scores != before or act.balls or act.strokes:
        note_change(game, entry)
    return None


def void(state: State, entry: int, act: Void) -> str | None:
    """C1.6, C3.5, C5.4: no score is left, and what was used is given back."""
    game = state.games.get(act.game)
    if game is None:
        return f"there is no game {act.game}"
    if act.who is not None and act.who not in game.scores:
        return f"{act.who} has no score in {act.game}"
    for who in game.who if act.who is None else (act.who,):
        give_back(state, game, who)
    if act.who is None:
        game.about().void = True
        _unfreeze(game)
    else:
        game.about().voided.add(act.who)
    note_change(game, entry)
    return None


def rule(state: State, entry: int, act: Ruling) -> str | None:
    """C1.4, C1.7, C1.8: add a ruling to a game."""
    game = state.games.get(act.game)
    if game is None:
        return f"there is no game {act.game}"
    if act.who is not None and act.who not in game.scores:
        return f"{act.who} has no score in {act.game}"
    if act.kind in COMPOSING and not act.games:
        return f"{act.kind} needs the games that it takes scores from (games: [...])"
    for name in act.games:
        if name == act.game:
            return f"{name} cannot make up for itself"
        if name not in state.known:
            return f"there is no game {name}"
    if act.kind == "fraction" and (act.factor is None or not 0 <= act.factor <= MAX_FACTOR):
        return f"a fraction needs a factor from 0 to {MAX_FACTOR}"
    if len(game.about().rulings) >= MAX_RULINGS:
        return f"{act.game} has {MAX_RULINGS} rulings already"
    game.about().rulings.append(act)
    note_change(game, entry)
    conduct.after_ruling(state, game, act.games)
    return None


def penalise(state: State, entry: int, act: Penalty) -> str | None:
    """T4.7, T14, C3.5: what the preset says of the offence; everything else is flagged for an official."""
    preset = state.head.preset
    if preset.teams:
        problem = penalise_in_teams(state, entry, act)
        if problem is None and conduct.counts(state, act):
            conduct.punish(state, entry, act)
        return problem
    player = state.players.get(act.who)
    if player is None:
        return f"there is no player {act.who}"
    if act.match is not None and not preset.knows_matches:
        return f"{preset.name} has no matches"
    game = state.games.get(act.game) if act.game is not None else None
    if act.game is not None and (problem := _not_in_game(state, act, game)):
        return problem
    if act.division is not None and act.division not in state.divisions:
        return f"there is no division {act.division}"
    if game is not None:
        _keep_used(state, game, act.who)
    if act.offence == "disqualified":
        _disqualify(player, game, entry, act.division)
    else:
        _apply_offence(state, player, game, entry, act)
    return None


def _not_in_game(state: State, act: Penalty, game: Game | None) -> str | None:
    if game is None:
        return f"there is no game {act.game}"
    if act.who not in game.scores:
        remedy = ": leave `game` out, and the offence counts all the same (CC5)" if conduct.counts(state, act) else ""
        return f"{act.who} has no score in {act.game}{remedy}"
    if act.match is not None and game.played.match not in {None, act.match}:
        return f"{act.game} is a game of {game.played.match}, not of {act.match}"
    return None


def note_absent(state: State, entry: int, act: Absent) -> str | None:
    """T8.1, T8.3: skipped as if not qualified, where the stage has not begun; no substitutes."""
    if state.head.preset.teams:
        return note_team_absent(state, entry, act)
    if act.who not in state.players:
        return f"there is no player {act.who}"
    if act.match is not None:
        return f"{state.head.preset.name} has no matches"
    stage = state.stages.get(act.stage) if act.stage is not None else None
    first = next(iter(state.divisions.values())).qualifying
    if in_rounds(state, first) and (act.stage is None or stage is first):
        return withdraw(state, first, entry, act.who)
    if stage is None or stage.form is None:
        finals = [stage.id for stage in state.stages.values() if stage.form is not None]
        return f"say for which stage {act.who} is absent: {', '.join(finals)}" if finals else "there are no finals"
    return _absent_from(state, stage, stage.form, entry, act)


def _absent_from(state: State, stage: Stage, form: StageForm, entry: int, act: Absent) -> str | None:
    if not stage.absent and (instead := left_out(state, stage)) is not None:  # T8.1: absences may have left it out
        return f"{stage.id} is not played: {instead.id} comes right after qualifying"
    if form.kind == "one_game" or form.vacancy == "standby":
        played = next((game for game in stage.games if _has_played(state, game, act.who)), None)
        if played is not None:
            return f"{act.who} has played in {stage.id}: {played.id}"
    if act.substitute is not None:
        if problem := _cannot_stand_in(state, stage, act.who, act.substitute):
            return problem
        stage.stand_ins[act.who] = act.substitute
    if stage.seeds is not None and act.who in stage.seeds and form.vacancy not in {"standby", "walkover"}:
        state.flag(entry, "needs-official", f"{act.who} is absent, but {stage.id} has begun: the seeds stand")
    stage.absent.setdefault(act.who, entry)
    return None


def _has_played(state: State, game: Game, who: str) -> bool:
    """Say whether a player has a score in a game, or had one that a penalty took."""
    penalised = game.said is not None and who in game.said.penalised
    return penalised or score_in(state, game, who) is not None


def _cannot_stand_in(state: State, stage: Stage, seat: str, who: str) -> str | None:
    """E2.8, E3.3: officials name the stand-by who was drawn for a seat. Why he cannot take it."""
    form = stage.form
    if form is not None and form.vacancy == "walkover":
        return _cannot_replace(state, stage, seat, who)
    if form is None or form.vacancy != "standby":
        return f"{state.head.preset.name} has no substitutes: nobody takes the place of {seat}"
    results = chain(state, state.divisions[stage.division])
    there = next((result for result in results if result.stage is stage), None)
    if there is None:
        return f"{stage.id} has not begun"
    if seat not in there.seeds:
        return f"{seat} has no seat in {stage.id}"
    sitting = stage.stand_ins.get(seat)
    if sitting is not None and any(_has_played(state, game, sitting) for game in stage.games):
        return f"{sitting} has played in the seat of {seat}"
    elsewhere = who in (other for place, other in stage.stand_ins.items() if place != seat)
    waiting = (other for tied in standby_of(state, stage, results[0], there.seeds) for other in tied)
    if elsewhere or who in stage.absent or who not in waiting:
        return f"{who} is no stand-by who is free"
    return None


def _cannot_replace(state: State, stage: Stage, seat: str, who: str) -> str | None:
    """B6: before the start somebody else may take a seat of the bracket. Why he cannot."""
    there = next((one for one in chain(state, state.divisions[stage.division]) if one.stage is stage), None)
    if there is None:
        return f"{stage.id} has not been drawn yet"
    if any(_has_played(state, game, player) for game in stage.games for player in game.who):
        return f"{stage.id} has begun: nobody takes the place of {seat}, his opponent goes through"
    if seat not in there.seeds:
        return f"{seat} has no seat in {stage.id}"
    if who not in state.players:
        return f"there is no player {who}"
    if who in there.players or who in stage.absent or state.players[who].is_out(stage.division):
        return f"{who} cannot take the place of {seat}: he is in {stage.id} himself, absent or out"
    return None


def _unfreeze(game: Game) -> None:
    """A stage of whose games none counts has not begun; playoffs have, once a match of them is set."""
    stage = game.stage
    if stage is not None and stage.form is not None and stage.form.kind == "playoffs":
        return
    if stage is not None and game.kind == FINALS and all(other.is_void for other in stage.games):
        stage.seeds, stage.seats, stage.bank = stage.fielded, None, ()
        if stage.form is None or stage.form.vacancy != "walkover":
            stage.stand_ins.clear()


def _keep_used(state: State, game: Game, who: str) -> None:
    """C5.4: after a penalty the entry stays used, also where the game is void."""
    said = game.about()
    said.penalised.add(who)
    given_back = (said.void or who in said.voided) and who not in game.charged and not game.gone
    if game.kind == ATTEMPT and given_back and who in game.who and not game.played.makeup:
        booked = state.players[who].bookings
        if any(one.what == "registration" and one.entry < game.entry for one in booked):  # C5.1: else it used none
            charge(state, game, who)


def _disqualify(player: PlayerState, game: Game | None, entry: int, division: str | None) -> None:
    if game is not None:
        game.about().disqualified.add(player.head.id)
        note_change(game, entry)
    elif division is not None and division:
        player.out_of.add(division)
    else:
        player.ejected = True


def _apply_offence(state: State, player: PlayerState, game: Game | None, entry: int, act: Penalty) -> None:
    """Do what the preset says of an offence, and what the code of conduct says where it lies over the preset."""
    name, who = act.offence, player.head.id
    offence = state.head.preset.offences.get(name, Offence())
    count = player.offences.get(name, 0) + 1
    player.offences[name] = count
    if offence.eject_at is not None and count >= offence.eject_at:
        player.ejected = True
    if game is not None and (offence.zero or offence.disqualify):
        (game.about().zeroed if offence.zero else game.about().disqualified).add(who)
        note_change(game, entry)
    if conduct.counts(state, act):
        conduct.punish(state, entry, act)
    elif game is None and (offence.zero or offence.disqualify):
        state.flag(entry, "needs-official", f"{name} by {who}: no game is named, so none is changed")
    elif offence == Offence():
        state.flag(entry, "needs-official", f"{name} by {who}: officials decide what follows")
