"""The matches of a single elimination as they stand: who meets whom, whose games count, who has won, who goes on where.

Games decide; where none does, who is absent loses. Invariant: where a later match has begun its players stand, whatever
has been corrected before it, and the conflict is named.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache

from server.core.draws.bracket import Match, draw_bracket
from server.core.rules.groups import WITHIN_A_GAME, rounds_of
from server.core.rules.ranking import classes
from server.core.rules.scores import score_in
from server.core.rules.state import Game, Stage, State
from server.core.rules.ties import Order, resolve

DISQUALIFIED = -1
"""Stands for the score of who was disqualified in a game: below every score, so that the other one wins it (C3.5)."""

Here = tuple[str | None, str | None]


@dataclass(slots=True, kw_only=True)
class Counted:
    """One game that counts in a match, with its scores and its order; `order.ties` are open."""

    game: Game
    scores: dict[str, int]
    order: Order

    @property
    def winner(self) -> str | None:
        """Who has won it, None while it is tied."""
        return self.order.groups[0][0] if not self.order.ties and len(self.order.groups) > 1 else None


@dataclass(slots=True, kw_only=True)
class Bout:
    """One match as it stands. `known`: it is known who comes to it; a None in `players` then is nobody.

    `decided`: nothing is left to be played; without a `winner` nobody goes on. `begun`: a game of it counts.
    """

    match: Match
    players: Here = (None, None)
    known: bool = False
    games: list[Counted] = field(default_factory=list)
    wins: dict[str, int] = field(default_factory=dict)
    winner: str | None = None
    decided: bool = False
    conflict: str | None = None

    @property
    def who(self) -> tuple[str, ...]:
        """Who is known to be in it."""
        return tuple(who for who in self.players if who is not None)

    @property
    def losers(self) -> tuple[str, ...]:
        """Who has lost it: both where neither came."""
        return tuple(who for who in self.who if who != self.winner) if self.decided else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The matches as they were after so many games of the stage, and from whom they were worked out."""

    seats: tuple[str, ...]
    out: AbstractSet[str]
    taken: int
    counted: Mapping[str, list[Counted]]
    bouts: dict[str, Bout]


def bouts_of(state: State, stage: Stage, seats: tuple[str, ...], out: AbstractSet[str]) -> dict[str, Bout]:
    """Give all matches by id, in order of play. `seats` are the players in order of seed, `out` who does not come.

    They are kept with the stage, and after further games only those are worked out again that hang on them: nobody may
    change them. Raises PairingImpossible but for 2 to 256 players.
    """
    known = stage.known
    if known is None or known.seats != seats or known.out != out:
        known = Known(seats=seats, out=out, taken=0, counted={}, bouts={})
    if known.bouts and known.taken == len(stage.games):
        return known.bouts
    counted = dict(known.counted)
    fresh: set[str] = set()
    for game in stage.games[known.taken :]:
        one, name = _counted(state, stage, game), str(game.key[0])
        if one is not None:
            counted[name] = [*counted.get(name, ()), one]
            fresh.add(name)
    bouts = dict(known.bouts)
    changed = fresh.union(*(_before(bouts[name]) for name in fresh if name in bouts))
    for match in _drawn(len(seats), third_place=state.settings.third_place):
        if match.id in bouts and match.id not in changed:
            continue
        bout = Bout(match=match, games=counted.get(match.id, []))
        _arrive(bout, seats, bouts)
        if bout.known:
            _decide(state, bout, out, _gone_on(match, counted))
        bouts[match.id] = bout
        changed.update(name for name in (match.winner_to, match.loser_to) if name is not None)
    stage.known = Known(seats=seats, out=out, taken=len(stage.games), counted=counted, bouts=bouts)
    return bouts


def _before(bout: Bout) -> set[str]:
    """Give the matches from which a match has its players: they hang on whether it has begun (B7)."""
    return {source.of for source in bout.match.sources if source.by != "seed"}


def _counted(state: State, stage: Stage, game: Game) -> Counted | None:
    """Give a game if it counts: both players have a score, or one was disqualified."""
    scores: dict[str, int] = {}
    for who in game.who:
        score = score_in(state, game, who)
        if score is not None:
            scores[who] = score
        elif game.said is not None and who in game.said.disqualified and not game.said.void:
            scores[who] = DISQUALIFIED
    if len(scores) == len(game.who) and any(score >= 0 for score in scores.values()):
        return Counted(game=game, scores=scores, order=_order(state, stage, game, scores))
    return None


def _order(state: State, stage: Stage, game: Game, scores: Mapping[str, int]) -> Order:
    """Order the players of a game by their scores, equal ones by the tie-breaks."""
    tied = classes(scores)
    if len(tied) == len(scores):
        return Order(groups=tied)
    rounds = rounds_of(state, stage.game_ties.get(game.key, ()))
    return resolve(tied, policy=WITHIN_A_GAME, cut=len(scores), rounds=rounds)


@lru_cache(maxsize=64)
def _drawn(seeds: int, *, third_place: bool) -> tuple[Match, ...]:
    """Draw the tree, which is the same each time."""
    return draw_bracket(seeds, third_place=third_place)


def _gone_on(match: Match, counted: Mapping[str, list[Counted]]) -> tuple[frozenset[str], frozenset[str]]:
    """Give who plays in the match of this one's winner, and in that of its loser, where those have begun."""
    winners, losers = (
        frozenset(who for game in counted.get(name or "", ()) for who in game.game.who)
        for name in (match.winner_to, match.loser_to)
    )
    return winners, losers


def _arrive(bout: Bout, seats: Sequence[str], bouts: Mapping[str, Bout]) -> None:
    """Find who comes to a match; who has begun to play it stands (B7)."""
    here: list[str | None] = []
    bout.known = True
    for source in bout.match.sources:
        if source.by == "seed":
            here.append(seats[int(source.of) - 1])
            continue
        earlier = bouts[source.of]
        bout.known &= earlier.decided
        losers = earlier.losers
        here.append(earlier.winner if source.by == "winner" else losers[0] if len(losers) == 1 else None)
    bout.players = here[0], here[1]
    if not bout.games:
        return
    playing = bout.games[0].game.who
    if not bout.known or set(playing) != set(here):
        came = " and ".join(who or "nobody" for who in here)
        due = came if bout.known else "not known"
        bout.conflict = f"{bout.match.id} has begun between {' and '.join(playing)}: they stand, though now it is {due}"
    bout.players = playing[0], playing[1]
    bout.known = True


def _decide(state: State, bout: Bout, out: AbstractSet[str], gone_on: tuple[frozenset[str], frozenset[str]]) -> None:
    """Find the winner: by games, else by who is absent; who plays on already has gone on (B5 to B7)."""
    here = bout.who
    bout.wins = dict.fromkeys(here, 0)
    for game in bout.games:
        if game.winner is not None:
            bout.wins[game.winner] += 1
    need = state.settings.best_of // 2 + 1
    by_games = next((who for who in here if bout.wins[who] >= need), None)
    coming = [who for who in here if who not in out]
    bout.winner = by_games
    bout.decided = by_games is not None
    if by_games is None and len(coming) < 2:
        bout.winner = coming[0] if coming else None
        bout.decided = True
    stands = _who_stands(here, gone_on)
    if stands is not None and stands != bout.winner:
        if bout.conflict is None:
            was = f"{bout.winner} has won" if bout.winner is not None else "nobody has won"
            bout.conflict = (
                f"{bout.match.id}: {was} it now, but {stands} has gone on and has begun to play: that stands"
            )
        bout.winner, bout.decided = stands, True


def _who_stands(here: Sequence[str], gone_on: tuple[frozenset[str], frozenset[str]]) -> str | None:
    """Give who has won a match as far as the matches after it say so by having begun."""
    winners, losers = gone_on
    on = [who for who in here if who in winners]
    if len(on) == 1:
        return on[0]
    beaten = [who for who in here if who in losers]
    if not on and len(beaten) == 1 and len(here) == 2:
        return next(who for who in here if who not in losers)
    return None
