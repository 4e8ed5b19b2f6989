"""Officials who play themselves: where they are concerned, and so recused (T12.12, PC42).

Nothing is recorded here. The invariant: who cannot be shown to be outside the matter is concerned in it.
"""

from collections.abc import Iterator

from server.core.venue.captains import player_of
from server.core.venue.heads import member
from server.core.venue.outcomes import Actor
from server.core.venue.state import State, Tournament
from server.core.venue.stops import refuse
from server.core.venue.teams import match_of, sides_of, teams_of
from server.core.venue.values import Json, entry_kind, named_games


def concerned(state: State, tournament: Tournament, actor: Actor, entry: Json) -> str | None:
    """The player that this official is, where an entry is about the division in which he plays; else None.

    Without divisions the tournament is one. A division that is not known may be his. Where teams play, it is their
    matches that count: what is about no match of his own team, and about nobody of it, is another's affair.
    """
    player = player_of(state, tournament, actor)
    if player is None:
        return None
    if tournament.head.get("teams"):
        return player if _about_teams(state, tournament, teams_of(state, tournament.id, player), entry) else None
    own = division_of(state, tournament, player)
    about = set(_divisions(state, tournament, entry))
    return player if own is None or not about or own in about or None in about else None


def refuse_recused(state: State, tournament: Tournament, actor: Actor, entry: Json, *, despite: bool) -> str | None:
    """The player that this official is where he decides although he is concerned; stops him unless `despite`."""
    recused = concerned(state, tournament, actor, entry)
    if recused is not None and not despite:
        clause = "PC42" if tournament.head.get("teams") else "T12.12"
        refuse(f"you play there yourself as {recused} ({clause}): let another official rule, or say despite_recusal")
    return recused


def need_third_party(tournament: Tournament, actor: Actor, recused: str, entry: Json) -> None:
    """PC42: what somebody records of the own match, another has decided: his name stands with it."""
    by = str(entry.get("by") or "").strip()
    if tournament.head.get("teams") and by.casefold() in {"", actor.name.casefold(), recused.casefold()}:
        refuse(f"PC42: you play there yourself as {recused}: say in `by` who else has decided it")


def division_of(state: State, tournament: Tournament, player: str) -> str | None:
    """The division in which somebody plays, by the last entry that says so, else by the head."""
    for number in range(tournament.entries, 0, -1):
        found = state.entries[tournament.id, number]
        named = entry_kind(found.entry) in {"register", "move"} and found.entry[entry_kind(found.entry)] == player
        if named and found.entry.get("division") and state.counts(found, tournament.id):
            return str(found.entry["division"])
    return (member(tournament.head, "players", player) or {}).get("division")


def _about_teams(state: State, tournament: Tournament, mine: frozenset[str], entry: Json) -> bool:
    """Whether an entry is about one of these teams: its match's, its game's, its people's; or about no team."""
    kind = entry_kind(entry)
    if kind == "forfeit" and entry.get("team") in mine:
        return False  # one's own loss is nobody's advantage
    match = match_of(state, tournament.id, entry)
    if match is not None:
        sides = sides_of(state, tournament.id, match)
        return not sides or bool(sides & mine)
    people = set(_people(entry))
    for game in named_games(entry):
        found = state.entries.get((tournament.id, state.posted.get((tournament.id, game), 0)))
        people |= set() if found is None else set(map(str, found.entry.get("scores") or ()))
    return not people or any(teams_of(state, tournament.id, who) & mine for who in people)


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
