"""Why a player has his final place and his status (C3.5, T8.4, T10.7, E3.5, E4.6).

Places are those of the output. Invariant: who has no place yet gets no line about one.
"""

from server.core.explain.grounds import Grounds
from server.core.explain.lines import Line
from server.core.explain.log import Note
from server.core.rules import conduct
from server.core.rules.acts import Move, Penalty
from server.core.rules.state import PlayerState


def explain_place(grounds: Grounds, who: str) -> list[Line]:
    """Give the line of a player's final place, none before it stands."""
    place = grounds.places.get(who)
    if place is None:
        return []
    for result in reversed(grounds.results()):
        form = result.stage.form
        if form is not None and form.vacancy == "standby":
            for seed, seat in zip(result.seeds, result.seats, strict=False):
                if seed == who != seat:
                    instead = f"{grounds.person(seat)} took the seat" if seat is not None else "the seat stayed empty"
                    because = f"place {place}: absent from {result.stage.id}, {instead}"
                    entry = result.stage.absent.get(who, 0)
                    return [grounds.line("place", because, place, stage=result.stage, who=who, entries=(entry,))]
        rank = result.ranks.get(who)
        gone_on = who in result.advance and result.following
        if rank is None or gone_on or (result.places is not None and who not in result.places):
            continue
        entries = (result.stage.closed_entry,)
        because = f"place {place}: rank {rank} in {result.stage.id}, the last stage that counts for it"
        if result.places is None and rank > place:
            because += f", {rank - place} ahead were put out"
        return [grounds.line("place", because, place, stage=result.stage, who=who, entries=entries)]
    return [grounds.line("place", f"place {place}", place, who=who)]


def explain_status(grounds: Grounds, player: PlayerState) -> list[Line]:
    """Give the lines of what officials said of a player's conduct, of his moves, and whether he is out."""
    who = player.head.id
    notes = grounds.history.players.get(who, ())
    lines = [_penalty(grounds, note, note.act) for note in notes if isinstance(note.act, Penalty)]
    for note in notes:
        if isinstance(note.act, Move):
            because = f"moved to {note.act.division}: what was played and bought in the division left is void"
            lines.append(grounds.line("moved", because, note.act.division, who=who, note=note))
    if player.ejected or player.out_of:
        where = "the tournament" if player.ejected else ", ".join(sorted(player.out_of))
        entries = [note.number for note in notes if isinstance(note.act, Penalty)]
        line = grounds.line("status", f"out of {where}", "ejected", who=who, entries=entries)
        if player.suspended:
            because = f"suspended from {where}, with {player.misconduct} on the ladder of offences"
            line = grounds.line("status", because, "suspended", setting="conduct", who=who, entries=entries)
        lines.insert(0, line)
    if conduct.is_on(grounds.state) and player.misconduct:
        steps = [line.entries[0] for line in lines if line.what == "penalty"]
        because = f"{player.misconduct} on the ladder of offences"
        lines.append(grounds.line("offences", because, player.misconduct, setting="conduct", who=who, entries=steps))
    return lines


def _penalty(grounds: Grounds, note: Note, act: Penalty) -> Line:
    about = f" in game {act.game}" if act.game is not None else ""
    return grounds.line("penalty", f"{act.offence}{about}", act.offence, who=act.who, game=act.game, note=note)
