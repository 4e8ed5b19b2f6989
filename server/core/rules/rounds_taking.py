"""Taking games of a stage in rounds, the ties within them, and withdrawals (MP2, MP3, MP5, MP7).

Invariant: nobody is twice in a round, and the draw of a round stands from its first game on.
"""

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from datetime import datetime

from server.core.rules.acts import Played
from server.core.rules.attempts import is_live, is_used
from server.core.rules.eligibility import not_eligible
from server.core.rules.machines import unavailable
from server.core.rules.rounds_draw import drawn_with_others
from server.core.rules.rounds_games import has_begun, has_left, is_away, last_begun, strikes_count
from server.core.rules.rounds_survey import Round, ask, next_round, survey
from server.core.rules.stages import too_late
from server.core.rules.state import FINALS, Division, Game, Key, Stage, State


def take_round_game(state: State, game: Game, division: Division, begun: datetime | None) -> str | None:
    """Take one game of a round. Gives the reason when the rules refuse it."""
    act, stage = game.played, division.qualifying
    if problem := _impossible(state, act, division):
        return problem
    if problem := too_late(state, stage, begun, act.game) or unavailable(game.machine, begun, stage):
        return problem
    number, problem = _round_of(state, stage, act)
    problem = problem or _one_too_many(state, stage, act, number)
    if problem:
        return problem
    fresh = not has_begun(state, stage, number)
    question = ask(state, stage, number, survey(state, stage, draws=False)) if fresh else stage.book.drawn.get(number)
    posted = stage.pairings.get(number)
    there = question.players if question is not None else ()
    if posted is not None:
        there = tuple(who for pairing in posted for who in pairing.players)
    if strikes_count(state) and (stranger := _is_out(state, stage, act, number, there)):
        return stranger
    if fresh and question is not None:
        stage.book.drawn[number] = question
        stage.book.draws.pop(number, None)
    game.kind, game.who = FINALS, tuple(act.scores)
    game.division, game.stage = division.name, stage
    game.key = _key(state, stage, act, number)
    stage.book.games.setdefault(number, []).append(game)
    stage.games.append(game)
    for who in act.scores:
        state.players[who].attempts.setdefault(division.name, []).append(game)
        if is_away(stage, who, number):
            state.flag(game.entry, "needs-official", f"{who} had withdrawn before round {number}: the game counts")
    return None


def file_round_tie(state: State, game: Game, stage: Stage, broken: str) -> str | None:
    """File a tie-break of one game (`tiebreak: GAME`) under it. Why it is refused."""
    if state.settings.game_ties != "playoff":
        return f"ties within a game are not played off here (game_ties: {state.settings.game_ties})"
    first = state.games.get(broken)
    if first is None:
        return f"there is no game {broken}"
    if first.stage is not stage or first.kind != FINALS:
        return f"{broken} is no game of {stage.id} that can be tied"
    players = {who for other in stage.games if other.key == first.key for who in other.scores}
    stranger = next((who for who in game.scores if who not in players), None)
    if stranger is not None:
        return f"{stranger} has no score in {broken}"
    stage.game_ties.setdefault(first.key, []).append(game)
    return None


def not_to_be_paired(state: State, stage: Stage, number: int, players: Iterable[str]) -> str | None:
    """Say why officials cannot post somebody for a round: he has withdrawn, or is out. None: they can."""
    found = survey(state, stage, draws=False)
    for who in players:
        if is_away(stage, who, number):
            return f"{who} has withdrawn"
        if found.out.get(who, number) < number:
            return f"{who} is out since round {found.out[who]}"
    return None


def withdraw(state: State, stage: Stage, entry: int, who: str) -> str | None:
    """MP5 (E06): from now on a player is not drawn any more; what he has stays. Why it is refused."""
    if stage.closed:
        return f"{stage.id} is closed"
    if who in stage.absent:
        return f"{who} has withdrawn already"
    found = survey(state, stage)
    number = found.last or 1
    if found.rounds and _is_done_with(state, stage, found.rounds[-1], who):
        number += 1
    stage.absent[who] = entry
    stage.book.away[who] = (*stage.book.away.get(who, ()), (number, None))
    return None


def come_back(stage: Stage, last: int, who: str) -> str | None:
    """MP5: who had withdrawn is drawn again from the next round on; what he missed he has not played. Why not."""
    if not has_left(stage, who):
        return f"{who} has not withdrawn"
    *before, (first, _) = stage.book.away[who]
    stage.book.away[who] = (*before, (first, max(first, last + 1)))
    del stage.absent[who]
    return None


def _impossible(state: State, act: Played, division: Division) -> str | None:
    for who in act.scores:
        if problem := not_eligible(state, who, division):
            return problem
    if act.makeup is not None or act.joker:
        return f"{state.head.preset.name} has no {'jokers' if act.joker else 'make-up games'}"
    most = state.settings.group_size
    if len(act.scores) > most:
        return f"{act.game} has {len(act.scores)} players: a group has at most {most} (group_size)"
    return None


def _is_done_with(state: State, stage: Stage, on: Round, who: str) -> bool:
    """Say whether somebody has nothing left to play in the round that is on: he has played, or was drawn alone."""
    played = bool(_games_in(state, stage, who, on.number))
    return on.complete or played or any(pairing.players == (who,) for pairing in on.pairings)


def _round_of(state: State, stage: Stage, act: Played) -> tuple[int, str | None]:
    """MP3: the round that is named; else the one that is on, or the next for who has played in it."""
    last, most = last_begun(state, stage), state.settings.rounds
    if act.round is not None:
        if act.round < 1 or (most and act.round > most):
            return 0, f"there is no round {act.round}: rounds are {f'1 to {most}' if most else 'numbered from 1'}"
        if act.round > last + 1:
            return 0, f"nobody has played round {last + 1} yet: {act.game} cannot be of round {act.round}"
        return act.round, None
    if last == 0:
        return 1, None
    done = [who for who in act.scores if len(_games_in(state, stage, who, last)) >= state.settings.games_per_round]
    drawn = _to_play(stage, last)
    open_ = [who for who in act.scores if who not in done and who in drawn]
    if not done and open_:
        return last, None
    if done and open_ and not survey(state, stage, draws=False).rounds[-1].complete:
        return 0, f"say in which round: {done[0]} has played round {last}, {open_[0]} has not"
    if done or next_round(state, stage, survey(state, stage, draws=False)) is not None:
        if most and last >= most:
            return 0, f"{', '.join(done or act.scores)} played all {most} rounds"
        return last + 1, None
    return last, None


def _to_play(stage: Stage, number: int) -> AbstractSet[str]:
    """Give who had a game to play in a round: all of its draw but who was drawn alone."""
    posted = stage.pairings.get(number)
    if posted is None:
        return drawn_with_others(stage, number)
    return {who for pairing in posted if len(pairing.players) > 1 for who in pairing.players}


def _games_in(state: State, stage: Stage, who: str, number: int) -> list[str]:
    """Give the games that a player has played in a round."""
    return [
        game.id
        for game in state.players[who].attempts.get(stage.division, ())
        if game.key and game.key[0] == number and is_used(state, stage, game, who)
    ]


def _one_too_many(state: State, stage: Stage, act: Played, number: int) -> str | None:
    """MP2, MP3: no more games in a round than the setting says."""
    limit = state.settings.games_per_round
    for who in act.scores:
        games = _games_in(state, stage, who, number)
        if len(games) >= limit:
            return f"{who} has played in round {number}: {', '.join(games)}"
    return None


def _is_out(state: State, stage: Stage, act: Played, number: int, there: Collection[str]) -> str | None:
    """MP12: who was not drawn for a round though he has played before is out."""
    for who in act.scores:
        played = any(
            game.key and isinstance(game.key[0], int) and game.key[0] < number and is_used(state, stage, game, who)
            for game in state.players[who].attempts.get(stage.division, ())
        )
        if played and who not in there and not has_left(stage, who):
            return f"{who} is not in round {number}: out with {state.settings.strikes} strikes"
    return None


def _key(state: State, stage: Stage, act: Played, number: int) -> Key:
    """MP3: entries with equal round, group and machine are parts of one game, where they have no player in common."""
    own: Key = (number, act.group, act.machine, act.game)
    if act.group is None:
        return own
    shared: Key = (number, act.group, act.machine)
    there = [other for other in stage.book.games.get(number, ()) if other.key == shared]
    live = {who for other in there for who in other.who if is_live(state, stage, other, who)}
    most = state.settings.group_size
    return own if live & act.scores.keys() or len(live | act.scores.keys()) > most else shared
