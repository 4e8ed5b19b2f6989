"""What officials are told about rounds: who has no game, who sat out, games off the draw, changes after the fact.

Nothing is computed here that a table shows. Invariant: each is told at the entry that officials should look at.
"""

from collections.abc import Iterator, Sequence

from server.core.rules.rounds_games import players_of, strikes_count
from server.core.rules.rounds_survey import Round, Survey
from server.core.rules.state import Flag, Stage, State

MOST_NAMES = 20


def told_of_rounds(state: State, stage: Stage, found: Survey) -> Iterator[Flag]:
    """Give what is open or odd in each round (MP3, MP5)."""
    for index, round_ in enumerate(found.rounds):
        is_last = index + 1 == len(found.rounds)
        entry = stage.closed_entry if is_last else found.rounds[index + 1].first_entry
        if entry and round_.lacking:
            why = f"round {round_.number} is not complete: games are missing of {_names(sorted(round_.lacking))}"
            yield _flag(entry, why)
        elif _is_stuck(state, round_):
            why = f"{_names(round_.lacking)}: no game in round {round_.number}, and too few for one: post one or go on"
            yield _flag(round_.first_entry, why)
        if round_.unclear:
            why = f"{_names(round_.unclear)} sat out round {round_.number}: a bye, late, or missing? "
            yield _flag(round_.first_entry, f"{why}A pairing of one player gives a bye")
        if round_.left_out:
            why = f"{_names(round_.left_out)}: in no group of round {round_.number} as officials posted it"
            yield _flag(round_.first_entry, why)
        for game in round_.games:
            if len(players_of(game)) == 1:
                why = f"{game.entries[0].id} of round {round_.number} has one player: it gives nothing"
                yield _flag(game.entries[0].entry, why)
        yield from _off_the_draw(round_)


def changed_rounds(state: State, stage: Stage, found: Survey) -> Iterator[Flag]:
    """MP8: a change in a round when a later one had begun: the later draw stands, officials are told."""
    if state.settings.pairing != "swiss" and not strikes_count(state):
        return
    numbers = {game.id: number for number, games in stage.book.games.items() for game in games}
    for entry, name in stage.book.changed:
        number = numbers.get(name, 0)
        later = next((r for r in found.rounds if r.number > number and r.first_entry < entry and not r.posted), None)
        if number and later is not None:
            why = f"{name} of round {number} has changed, but round {later.number} has begun: its groups stand"
            yield _flag(entry, why)


def _is_stuck(state: State, round_: Round) -> bool:
    """Say whether nothing that was drawn is left to play, and those without a game are too few for a group."""
    left = set(round_.lacking)
    if round_.posted or not left or len(left) >= max(2, state.settings.group_size - 1):
        return False
    return not any(left.issuperset(pairing.players) for pairing in round_.pairings)


def _off_the_draw(round_: Round) -> Iterator[Flag]:
    """MP3: games with other players than posted; than drawn, where the round was played as drawn but for those."""
    groups = [frozenset(pairing.players) for pairing in round_.pairings]
    games = [(game, frozenset(players_of(game))) for game in round_.games]
    if not (round_.posted or any(who in groups for _, who in games if len(who) > 1)):
        return
    for game, who in games:
        if not any(who <= group for group in groups):
            why = (
                f"{game.entries[0].id} is played by others than round {round_.number} has together: it counts as it is"
            )
            yield _flag(game.entries[-1].entry, why)


def _names(who: Sequence[str]) -> str:
    more = f" and {len(who) - MOST_NAMES} more" if len(who) > MOST_NAMES else ""
    return ", ".join(who[:MOST_NAMES]) + more


def _flag(entry: int, why: str) -> Flag:
    return Flag(entry=entry, kind="needs-official", why=why)
