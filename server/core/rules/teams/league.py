"""A match of the league: rounds of doubles and singles, and what they come to (PC6, PC14 to PC19, PC24 to PC26, PC32).

Only reading: games are taken in `league_games`. What a match comes to is found slot by slot, a slot being one game of
one round, and kept as a SlotResult for whoever shows or explains it.
Invariant: the points of a match never come to more than what is at stake in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from server.core.rules.settings import Settings
from server.core.rules.state import Game, State
from server.core.rules.teams.league_scores import decided_in, fields_of, lost_in
from server.core.rules.teams.state import Match, Outcome

OPEN, PARTIAL, WON, LEVEL, NOBODY = "open", "partial", "won", "level", "nobody"
LEFT_EARLY = "left-early"
WITHOUT_PLAY = frozenset({"venue-closed", "moved-venue"})
"""PC25, PC26: the others have the higher number of points though they do not play on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One game of a match's form (PC6): its round from 1, its name in it, `doubles` or `singles`, what it is worth."""

    round: int
    slot: str
    kind: str
    points: int

    @property
    def side(self) -> int:
        """How many play for each team."""
        return 2 if self.kind == "doubles" else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotResult:
    """What one slot has come to.

    `status`: `open` (nothing of it counts), `partial` (parts or players are missing), `won`, `level` (equal scores:
    to be replayed), `nobody` (both have lost it: nobody has its points). `games` are those that count, in the order in
    which they were recorded, `sums` the combined scores by team (None: no score), `lost` the teams that lose it
    whatever the scores are (forfeit, PC12, PC27, PC29, PC30), `replays` the games that were to decide a drawn one.
    """

    slot: Slot
    status: str
    winner: str | None = None
    games: tuple[str, ...] = ()
    sums: Mapping[str, int | None]
    lost: tuple[str, ...] = ()
    replays: tuple[str, ...] = ()

    @property
    def points(self) -> Mapping[str, int]:
        """The points that it gives, by team."""
        return {} if self.winner is None else {self.winner: self.slot.points}

    @property
    def decided_by(self) -> str | None:
        """The replay that decided a drawn game."""
        return self.replays[-1] if self.replays and self.winner is not None else None


def slots_of(settings: Settings) -> tuple[Slot, ...]:
    """Give the form of a match in order of play (PC6)."""
    return _slots(
        settings.round_kinds,
        (settings.doubles_games, settings.doubles_points),
        (settings.singles_games, settings.singles_points),
    )


@lru_cache(maxsize=64)
def _slots(kinds: tuple[str, ...], doubles: tuple[int, int], singles: tuple[int, int]) -> tuple[Slot, ...]:
    found = []
    for number, kind in enumerate(kinds, 1):
        games, points = doubles if kind == "doubles" else singles
        found += [Slot(round=number, slot=str(name), kind=kind, points=points) for name in range(1, games + 1)]
    return tuple(found)


def find_slot(settings: Settings, number: int | None, name: str | None) -> Slot | None:
    """Give one slot of the form, None where there is none."""
    return next((slot for slot in slots_of(settings) if slot.round == number and slot.slot == name), None)


def no_slot(state: State, number: int | None, name: str | None) -> str:
    """Say what is wrong with a round and a slot that the form of a match does not have."""
    form = slots_of(state.settings)
    if number is None or name is None:
        return f"PC6: say which game of the match it is: round (1 to {form[-1].round}) and slot"
    names = [slot.slot for slot in form if slot.round == number]
    if not names:
        return f"PC6: a match has rounds 1 to {form[-1].round}, not {number}"
    return f"PC6: round {number} has games {', '.join(names)}, not {name}"


def side_of_first(number: int) -> str:
    """PC7: say which side declares first in a round, and plays second in it (PC11): `away` in rounds 1, 3, ..."""
    return "away" if number % 2 else "home"


def declares_first(match: Match, number: int) -> str:
    """PC7: give the team that declares first in a round, and names its machines."""
    return match.away if side_of_first(number) == "away" else match.home


def plays_first(match: Match, number: int) -> str:
    """PC11: give the team that starts the games of a round: the one that declared second."""
    return match.opponent(declares_first(match, number))


def slot_results(state: State, match: Match) -> tuple[SlotResult, ...]:
    """Give what each slot has come to, in order of play."""
    games: dict[tuple[object, ...], list[Game]] = {}
    for game in match.games:
        if not game.is_void:
            games.setdefault(game.key, []).append(game)
    return tuple(
        _result(state, match, slot, games.get((slot.round, slot.slot), [])) for slot in slots_of(state.settings)
    )


def slot_result(state: State, match: Match, slot: Slot) -> SlotResult:
    """Give what one slot has come to."""
    key = (slot.round, slot.slot)
    games = [game for game in match.games if game.key == key and not game.is_void]
    return _result(state, match, slot, games)


def league_outcome(state: State, match: Match) -> Outcome:
    """Give points, winner and status of a match of the league.

    It is final after its end or a forfeit, unless it is level then and needs its tie-break game (PC19). What is found
    is kept until something of the match changes (`matches_keeping`).
    """
    if match.known is None:
        match.known = _outcome(state, match)
    return match.known


def complete(state: State, match: Match) -> bool:
    """Say whether nothing of the four rounds is left to be played; a drawn game has been played."""
    return all(result.status not in {OPEN, PARTIAL} for result in slot_results(state, match))


def is_level(state: State, match: Match) -> bool:
    """Say whether both teams have equally many points now."""
    points = league_outcome(state, match).points
    return points[match.home] == points[match.away]


def tie_break_winner(state: State, match: Match) -> str | None:
    """PC19: give who has won the tie-break game, None where there is none that decides."""
    return decided_in(state, match, _tie_breaks(match))


def is_over(match: Match) -> str | None:
    """Say why a match takes nothing more, None where it does (PC6, PC24, PC32)."""
    if match.ended:
        return f"PC6: {match.id} has ended (entry {match.ended}): what was recorded can only be corrected"
    for entry, forfeit in match.forfeits:
        if forfeit.slot is None:
            return f"PC6: {match.id} is over: {forfeit.team} has forfeited it (entry {entry})"
    return None


def _outcome(state: State, match: Match) -> Outcome:
    slots = slot_results(state, match)
    level = tuple(result.games[0] for result in slots if result.status == LEVEL)
    open_ = tuple((result.slot.round, result.slot.slot) for result in slots if result.status in {OPEN, PARTIAL})
    whole = {forfeit.team: forfeit for _, forfeit in match.forfeits if forfeit.slot is None}
    full = [team for team, forfeit in whole.items() if forfeit.offence != LEFT_EARLY]
    if full:
        return _forfeited(state, match, full, open_)
    points = dict.fromkeys(match.teams, 0)
    gains = match.opponent(next(iter(whole))) if len(whole) == 1 else None
    for result in slots:
        winner = gains if result.status in {OPEN, PARTIAL} else result.winner
        if winner is not None:
            points[winner] += result.slot.points
    ties = _tie_breaks(match)
    leader = _higher(match, points) or decided_in(state, match, ties) or match.decided
    over = bool(whole) or (match.ended > 0 and leader is not None)
    if ties and leader is None:
        level += (ties[-1].id,)
    return Outcome(
        points=points,
        winner=leader if over else None,
        losers=(match.opponent(leader),) if over and leader is not None else (),
        status="final" if over else "open" if _begun(match) else "scheduled",
        level=level,
        unplayed=open_,
    )


def _result(state: State, match: Match, slot: Slot, games: Sequence[Game]) -> SlotResult:
    sums, complete = fields_of(state, match, slot.side, games)
    lost = lost_in(state, match, (slot.round, slot.slot), games)
    status, winner = PARTIAL if games else OPEN, None
    if lost:
        winner = None if len(lost) > 1 else match.opponent(lost[0])
        status = NOBODY if winner is None else WON
    elif complete:
        winner = _higher(match, sums)
        status = WON if winner is not None else NOBODY if sums[match.home] is None else LEVEL
    replays = _replays(match, games) if status == LEVEL else []
    winner = decided_in(state, match, replays) if status == LEVEL else winner
    status = WON if winner is not None else status
    return SlotResult(
        slot=slot,
        status=status,
        winner=winner,
        games=tuple(game.id for game in games),
        sums=sums,
        lost=lost,
        replays=tuple(game.id for game in replays),
    )


def _replays(match: Match, games: Sequence[Game]) -> list[Game]:
    """Give the games that were played to break the tie in a drawn game, and the tie in such a one."""
    drawn = {game.id for game in games}
    found = []
    for game in match.tiebreaks:
        if game.played.tiebreak in drawn:
            drawn.add(game.id)
            found.append(game)
    return found


def _higher(match: Match, sums: Mapping[str, int | None]) -> str | None:
    """PC14, PC17: the higher score wins; who has none loses to whoever has one."""
    home, away = (sums[team] for team in match.teams)
    if home is None or away is None:
        return None if home is away else match.home if away is None else match.away
    return None if home == away else match.home if home > away else match.away


def _tie_breaks(match: Match) -> list[Game]:
    return [game for game in match.tiebreaks if game.key == () and not game.is_void]


def _forfeited(state: State, match: Match, full: Sequence[str], unplayed: tuple[tuple[int, str], ...]) -> Outcome:
    """PC24 to PC26: who forfeits loses with no points; where both do, both lose."""
    points = dict.fromkeys(match.teams, 0)
    if len(full) > 1:
        return Outcome(points=points, losers=match.teams, status="final", unplayed=unplayed)
    winner = match.opponent(full[0])
    forfeit = next(forfeit for _, forfeit in match.forfeits if forfeit.slot is None and forfeit.team == full[0])
    more = forfeit.stayed or forfeit.offence in WITHOUT_PLAY
    points[winner] = state.settings.forfeit_points_stayed if more else state.settings.forfeit_points
    return Outcome(points=points, winner=winner, losers=(full[0],), status="final", unplayed=unplayed)


def _begun(match: Match) -> bool:
    return bool(match.games or match.tiebreaks or match.lineups or match.forfeits or match.penalties)
