"""A stage in rounds as it stands: each round with its draw, its games, who sat out; totals; who is out (MP1 to MP13).

Shared by the taking of games and the tables. Invariant: nobody has anything for a round in which he neither played nor
had a bye that is certain.
"""

from dataclasses import dataclass, field

from server.core.rules.acts import Pairing
from server.core.rules.attempts import is_used
from server.core.rules.groups import GroupGame
from server.core.rules.point_tables import table_of
from server.core.rules.rounds_draw import Question, draw_of, field_of_round, question_of
from server.core.rules.rounds_games import (
    counting_in,
    has_left,
    is_away,
    last_begun,
    play_round,
    players_of,
    strikes_count,
)
from server.core.rules.state import PlayerState, Stage, State


@dataclass(slots=True, kw_only=True)
class Round:
    """One round that has begun. `players` are those who were to play, `pairings` the officials' (`posted`), else the
    draw as it stood then: only where it matters, in the last round or where it says who sat out.

    `byes` sat out and nobody else was to play, `lacking` are still to play (again), `unclear` may have had a bye or
    may not have been there yet, `left_out` are in no group that officials posted. `complete`: nobody is lacking, and no
    tie within a game is open.
    """

    number: int
    pairings: tuple[Pairing, ...]
    posted: bool
    players: tuple[str, ...]
    games: list[GroupGame]
    first_entry: int
    byes: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    complete: bool = False


@dataclass(slots=True, kw_only=True)
class Survey:
    """All rounds that have begun, what everybody has (points, or strikes), and in which round who went out."""

    rounds: list[Round]
    totals: dict[str, int] = field(default_factory=dict)
    out: dict[str, int] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    @property
    def last(self) -> int:
        """The number of the last round that has begun."""
        return self.rounds[-1].number if self.rounds else 0


def survey(state: State, stage: Stage, *, draws: bool = True) -> Survey:
    """Work out all rounds that have begun. A round of which every game was voided has not, if it is the last.

    Without `draws` the groups of the last round are left out where nothing but its tables hangs on them: drawing is
    what costs time here. What is found is kept until the next change: nobody may change it.
    """
    kept = stage.book.surveyed
    if kept is None or kept[0] != state.changes or draws > kept[1]:
        kept = stage.book.surveyed = state.changes, draws, _survey(state, stage, draws=draws)
    return kept[2]


def next_round(state: State, stage: Stage, found: Survey) -> int | None:
    """Give the number of the round that is to come, None where games are open or the stage is over (MP4)."""
    number, most = found.last + 1, state.settings.rounds
    if stage.closed or (most and number > most and not strikes_count(state)):
        return None
    ready = not found.rounds or found.rounds[-1].complete or stage.book.begin >= number or number in stage.pairings
    return number if ready and not is_decided(state, stage, found) else None


def is_decided(state: State, stage: Stage, found: Survey) -> bool:
    """Say whether strikes have left one player, or none, once the last round is complete (MP13)."""
    if not strikes_count(state) or not found.rounds or not found.rounds[-1].complete:
        return False
    return len(field_of_round(state, stage, found.last + 1, found.out)) < 2


def ask(state: State, stage: Stage, number: int, found: Survey) -> Question:
    """Say what a round that has not begun is to be drawn from, as things are now (MP4)."""
    players = field_of_round(state, stage, number, found.out)
    sign = -1 if strikes_count(state) else 1
    standing = {who: sign * found.totals.get(who, 0) for who in players}
    return question_of(state, stage, number, players, standing, _before(found))


def bye_points(state: State) -> int:
    """MP5: what a bye gives: as set, else as much as a win in a game of two; a bye is no strike."""
    if strikes_count(state):
        return 0
    if state.settings.bye_points is not None:
        return state.settings.bye_points
    return next(iter(table_of(state.settings.group_points, 2) or ()), 0)


def _survey(state: State, stage: Stage, *, draws: bool) -> Survey:
    found = Survey(rounds=[])
    last = last_begun(state, stage)
    for number in range(1, last + 1):
        round_ = _round(state, stage, number, with_draw=draws and number == last)
        _sit_out(state, stage, round_, found)
        _add_up(state, round_, found)
        found.rounds.append(round_)
    if strikes_count(state):
        _leave(state, stage, found)
    return found


def _before(found: Survey) -> list[tuple[str, ...]]:
    """Give the groups in which all rounds were played, each once, and the byes."""
    groups: list[tuple[str, ...]] = []
    for round_ in found.rounds:
        groups += list({frozenset(who): who for who in map(players_of, round_.games) if len(who) > 1}.values())
        groups += [(who,) for who in round_.byes]
    return groups


def _round(state: State, stage: Stage, number: int, *, with_draw: bool) -> Round:
    games = play_round(state, stage, number)
    posted, question = stage.pairings.get(number), stage.book.drawn.get(number)
    return Round(
        number=number,
        pairings=posted or (draw_of(stage, number).pairings if with_draw else ()),
        posted=posted is not None,
        players=tuple(who for pairing in posted for who in pairing.players)
        if posted is not None
        else question.players
        if question is not None
        else (),
        games=games,
        first_entry=min((entry.entry for game in games for entry in game.entries), default=0),
    )


def _sit_out(state: State, stage: Stage, round_: Round, found: Survey) -> None:
    """MP5: find out who has still to play, and who sat out: never more than were left over in the draw.

    Left over is who was drawn alone, and whom a withdrawal leaves alone: he has the bye. Who is left over otherwise,
    the last without a game of all or of his posted group, has nobody to play with: nothing is known of him but that.
    """
    played: dict[str, int] = {}
    for game in stage.book.games.get(round_.number, ()):
        for who in game.who:
            if is_used(state, stage, game, who):
                played[who] = played.get(who, 0) + 1
    there = [who for who in round_.players if _is_there(state, stage, who, round_)]
    idle = [who for who in there if not played.get(who)]
    if idle and not round_.pairings and len(idle) <= 1 + len(round_.players) - len(there):
        round_.pairings = draw_of(stage, round_.number).pairings
    groups = [(len(pairing.players), [who for who in pairing.players if who in there]) for pairing in round_.pairings]
    alone = {group[0] for size, group in groups if len(group) == 1 and (size == 1 or not played.get(group[0]))}
    if round_.posted:
        byes = [who for who in idle if who in alone]
        waiting = [[who for who in group if who in idle] for _, group in groups]
        last = [group[0] for group in waiting if len(group) == 1 and group[0] not in alone]
    else:
        byes = idle if len(idle) <= len(alone) else []
        last = idle if len(idle) == 1 and not byes else []
    for who in byes:
        certain = who in alone and (round_.posted or state.players[who].registered)
        (round_.byes if certain else round_.unclear).append(who)
    round_.unclear += last
    short = [who for who in there if 0 < played.get(who, 0) < state.settings.games_per_round]
    sitting = {*byes, *last, *alone}
    round_.lacking = [who for who in idle if who not in sitting] + short
    if round_.posted:
        field_ = field_of_round(state, stage, round_.number, found.out)
        round_.left_out = [
            who
            for who in field_
            if who not in round_.players and not played.get(who) and _came_before(state, who, round_, found)
        ]
    round_.complete = not round_.lacking and not any(game.ties for game in round_.games)


def _is_there(state: State, stage: Stage, who: str, round_: Round) -> bool:
    """Say whether a round had to do with a player: neither gone before it, nor registered after it had begun."""
    player = state.players[who]
    if player.is_out(stage.division) or (stage.book.away and is_away(stage, who, round_.number)):
        return False
    return round_.posted or not player.registered or _registered_in(player) < round_.first_entry


def _came_before(state: State, who: str, round_: Round, found: Survey) -> bool:
    """Say whether somebody was certainly there when a round began: registered, or seen before."""
    player = state.players[who]
    return who in found.seen or (player.registered and _registered_in(player) < round_.first_entry)


def _registered_in(player: PlayerState) -> int:
    """Give the number of the entry that registered a player, 0 where none has."""
    return next((booking.entry for booking in player.bookings if booking.what == "registration"), 0)


def _add_up(state: State, round_: Round, found: Survey) -> None:
    gains: dict[str, int] = dict.fromkeys(round_.byes, bye_points(state))
    for game in round_.games:
        for who in counting_in(game):
            gains[who] = gains.get(who, 0) + game.points.get(who, 0)
    limit = state.settings.strikes if strikes_count(state) else None
    for who, gain in gains.items():
        found.seen.add(who)
        found.totals[who] = total = found.totals.get(who, 0) + gain
        if limit is not None and total >= limit:
            found.out.setdefault(who, round_.number)


def _leave(state: State, stage: Stage, found: Survey) -> None:
    """MP13: who withdraws goes out in the round that he does not play any more, who is put out after his last one."""
    for who, away in stage.book.away.items():
        number = away[-1][0]
        if has_left(stage, who) and found.out.get(who, number) >= number:
            found.out[who] = number
    for who in found.seen:
        if state.players[who].is_out(stage.division):
            last = max(round_.number for round_ in found.rounds if _was_in(round_, who))
            found.out.setdefault(who, last)


def _was_in(round_: Round, who: str) -> bool:
    return who in round_.byes or any(who in players_of(game) for game in round_.games)
