"""The 2CP Code of Conduct as a layer over any preset: the ladder of penalties for interference (CC5 to CC8).

What a penalty leaves on a game is kept with the game (`state.Said`), so that scores, tables and explanations need to
know nothing of the ladder. Invariant: each player counts alone, over the whole log; what was recorded stays recorded.
"""

from collections.abc import Mapping

from server.core.rules.acts import DeclareLineup, Penalty
from server.core.rules.conduct_matches import Label, games_of, label_of, slot_of
from server.core.rules.keeping import note_change
from server.core.rules.ranking import without
from server.core.rules.results import StageResult
from server.core.rules.state import NAMED, Game, PlayerState, State

INTERFERENCE, CHEATING = "interference", "cheating"
FOURTH_AT_ONCE = frozenset({"violence", "vandalism"})
OFFENCES = frozenset({INTERFERENCE, CHEATING}) | FOURTH_AT_ONCE
MATCH_AT, SEASON_AT = 3, 4


def is_on(state: State) -> bool:
    """Say whether the code of conduct lies over this tournament."""
    return state.settings.conduct == "2cp"


def counts(state: State, act: Penalty) -> bool:
    """Say whether a penalty is one of the ladder's: an offence of the code, by a person."""
    return covers(state, act.offence, act.who)


def covers(state: State, offence: str, who: str | None) -> bool:
    """Say whether the code tells what follows from an offence of somebody (CC5), so that officials need not decide."""
    return is_on(state) and offence in OFFENCES and who in state.players


def punish(state: State, entry: int, act: Penalty) -> None:
    """CC5, CC7, CC8: do what follows from one more offence of a player, of a penalty that was taken."""
    player = state.players[act.who]
    player.misconduct += 1
    if act.offence in FOURTH_AT_ONCE:
        player.misconduct = max(SEASON_AT, player.misconduct)
    game = state.games.get(act.game) if act.game is not None else None
    if act.offence == CHEATING:
        _suspend(state, player, entry, wipe=state.settings.cheating_wipes)
    elif player.misconduct >= SEASON_AT:
        _suspend(state, player, entry, wipe=True)
    elif player.misconduct == MATCH_AT:
        _forfeit_match(state, player, entry, act, game)
    elif game is None and act.match is not None and act.slot is not None:
        _forfeit(state, player, ("slot", act.match, str(act.round), act.slot), entry)
    elif game is None:
        why = f"offence {player.misconduct} of {act.who} (CC5): no game is named, so none is made 0"
        state.flag(entry, "needs-official", why, act.who)
    else:
        _zero(game, act.who, entry)
        if game.said is not None and game.said.has_no_score(act.who) and act.who not in game.said.wiped:
            why = f"{game.id} is void: offence {player.misconduct} of {act.who} counts, but no score is made 0 (CC5)"
            state.flag(entry, "needs-official", why, act.who)


def cannot_play(state: State, scores: Mapping[str, object]) -> str | None:
    """CC5: say why nobody of a game may play any more, None where all may."""
    for who in scores:
        player = state.players.get(who)
        if player is not None and player.suspended:
            return f"{who} is suspended (CC5): no further result of his counts; enter the others' without him"
    return None


def cannot_line_up(state: State, act: DeclareLineup) -> str | None:
    """CC5: say why somebody of a line-up may not play, None where all may."""
    listed = (who for game in act.games for who in game.players)
    out = next((who for who in listed if who in state.players and state.players[who].suspended), None)
    return None if out is None else f"{out} is suspended (CC5)"


def after_game(state: State, game: Game) -> None:
    """CC5: a game of a match that somebody has forfeited is 0 for him, also when it is played afterwards."""
    for who in game.scores:
        player = state.players.get(who)
        if player is not None and player.forfeited:
            for label in (label_of(state, game), slot_of(game)):
                if label is not None and (entry := player.forfeited.get(label)) is not None:
                    _zero(game, who, entry)


def after_ruling(state: State, game: Game, names: tuple[str, ...]) -> None:
    """CC5: a third offence in a game that is played again costs the match of the game that it is played for."""
    for player in state.players.values() if names else ():
        for name in names:
            entry = player.unplaced.pop(name, None)
            if entry is not None:
                _forfeit(state, player, label_of(state, game) or ("game", game.id), entry)


def leave_out(state: State, result: StageResult) -> None:
    """CC5: who has forfeited the tournament is in no table of a later stage; the others close up.

    In a bracket he keeps the round in which he went out, and his opponents what they have won.
    """
    form = result.stage.form
    if form is None or form.kind == "bracket":
        return
    gone = {who for who in result.ranks if who in state.players and state.players[who].wiped}
    if not gone:
        return
    result.ranks = without(result.ranks, gone)
    result.rows = [_at(row, result.ranks[str(row["who"])]) for row in result.rows if row["who"] not in gone]
    for group in result.groups or ():
        ranks = without({str(row["who"]): _rank(row) for row in group.rows}, gone)
        group.rows = [_at(row, ranks[str(row["who"])]) for row in group.rows if row["who"] not in gone]


def _rank(row: Mapping[str, object]) -> int:
    rank = row["rank"]
    return rank if isinstance(rank, int) else 0


def _at(row: dict[str, object], rank: int) -> dict[str, object]:
    return row if row["rank"] == rank else row | {"rank": rank}


def _forfeit_match(state: State, player: PlayerState, entry: int, act: Penalty, game: Game | None) -> None:
    """CC5: the third offence costs every game of the match that is being played."""
    if game is not None:
        _zero(game, act.who, entry)
    label: Label | None = None
    if act.match is not None:
        label = ("match", act.match)
        if not games_of(state, label) and act.match not in state.matches:
            why = f"{act.who} forfeits {act.match} (CC5), of which no game is recorded yet"
            state.flag(entry, "needs-official", why, act.who)
    elif game is not None:
        label = label_of(state, game)
    if label is not None:
        _forfeit(state, player, label, entry)
    elif game is not None and game.kind == NAMED:
        player.unplaced[game.id] = entry
    else:
        why = f"third offence of {act.who} (CC5): it costs the match, but neither a game nor a match is named"
        state.flag(entry, "needs-official", why, act.who)


def _forfeit(state: State, player: PlayerState, label: Label, entry: int) -> None:
    who = player.head.id
    player.forfeited.setdefault(label, entry)
    for game in games_of(state, label):
        if who in game.scores:
            _zero(game, who, entry)


def _suspend(state: State, player: PlayerState, entry: int, *, wipe: bool) -> None:
    """CC5, CC8: put a player out for good, with his scores or without."""
    player.suspended = player.suspended or entry
    player.ejected = True
    if not wipe or player.wiped:
        return
    player.wiped = True
    who = player.head.id
    for game in state.games.values():
        if who in game.scores:
            _wipe(state, game, who, entry)


def _wipe(state: State, game: Game, who: str, entry: int) -> None:
    """Take a player's score out of a game. In a game of teams his part of the team's score is 0; in a bracket what is
    decided stays, and he goes out of the match that he is in.
    """
    preset, form = state.head.preset, game.stage.form if game.stage is not None else None
    if preset.teams:
        _zero(game, who, entry)
        return
    if form is not None and form.kind == "bracket":
        return
    said = game.about()
    said.penalised.add(who)  # C5.4: what was used stays used
    said.wiped.add(who)
    said.conduct[who] = entry
    game.who = tuple(other for other in game.who if other != who)
    note_change(game, entry)


def _zero(game: Game, who: str, entry: int) -> None:
    said = game.about()
    said.zeroed.add(who)
    said.conduct.setdefault(who, entry)
    note_change(game, entry)
