"""Officials who play themselves: where they are concerned, and so recused (T12.12).

Nothing is recorded here. The invariant: who cannot be shown to be outside the matter is concerned in it.
"""

from collections.abc import Iterator

from server.core.venue.heads import member
from server.core.venue.state import State, Tournament
from server.core.venue.stops import refuse
from server.core.venue.values import Json, entry_kind, named_games


def concerned(state: State, tournament: Tournament, user: str, entry: Json) -> str | None:
    """The player that this official is, where an entry is about the division in which he plays; else None.

    Without divisions the tournament is one. A division that is not known may be his.
    """
    player = state.entered.get((tournament.id, user))
    if player is None:
        return None
    own = division_of(state, tournament, player)
    about = set(_divisions(state, tournament, entry))
    return player if own is None or not about or own in about or None in about else None


def refuse_recused(state: State, tournament: Tournament, user: str, entry: Json, *, despite: bool) -> str | None:
    """The player that this official is where he decides although he is concerned; stops him unless `despite`."""
    recused = concerned(state, tournament, user, entry)
    if recused is not None and not despite:
        refuse(f"you play there yourself as {recused} (T12.12): let another official rule, or say despite_recusal")
    return recused


def division_of(state: State, tournament: Tournament, player: str) -> str | None:
    """The division in which somebody plays, by the last entry that says so, else by the head."""
    for number in range(tournament.entries, 0, -1):
        found = state.entries[tournament.id, number]
        named = entry_kind(found.entry) in {"register", "move"} and found.entry[entry_kind(found.entry)] == player
        if named and found.entry.get("division") and state.counts(found, tournament.id):
            return str(found.entry["division"])
    return (member(tournament.head, "players", player) or {}).get("division")


def _divisions(state: State, tournament: Tournament, entry: Json) -> Iterator[str | None]:
    """The divisions that an entry speaks of: its own words, its stage's, its games', its people's."""
    if entry.get("division"):
        yield str(entry["division"])
    elif isinstance(entry.get("stage"), str):
        yield _of_stage(str(entry["stage"]))
    games = named_games(entry)
    for game in games:
        number = state.posted.get((tournament.id, game))
        found = state.entries.get((tournament.id, number or 0))
        if found is not None:
            yield _of_game(tournament, found.entry)
    if not games and not entry.get("division") and not entry.get("stage"):
        for who in _people(entry):
            yield division_of(state, tournament, who)


def _people(entry: Json) -> tuple[str, ...]:
    kind = entry_kind(entry)
    named = entry.get("who")
    listed = tuple(str(one) for one in named) if isinstance(named, list | tuple) else ()
    return (str(entry[kind]),) if kind in {"penalty", "absent"} else listed


def _of_stage(stage: str) -> str | None:
    return stage.split("/", maxsplit=1)[0] if "/" in stage else None


def _of_game(tournament: Tournament, game: Json) -> str | None:
    if game.get("division"):
        return str(game["division"])
    if isinstance(game.get("stage"), str):
        return _of_stage(str(game["stage"]))
    return (member(tournament.head, "machines", str(game.get("machine"))) or {}).get("division")
