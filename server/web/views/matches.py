"""One game that is to be played, as pages offer and show it.

Only shape; `rounds` and `team_matches` make them of the rules' output. The one invariant: its `fields` and its players
are all that a form needs to put it where it counts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from server.web.views.names import machine_name, people
from server.web.views.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is chosen now in a group (T11): by `who`, or by officials where it is None."""

    who: str | None
    machines: tuple[tuple[str, str], ...]
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Players for one game. `fields` are those of the game; `machine` is None where it is to be chosen or drawn."""

    title: str
    who: tuple[tuple[str, str], ...]
    fields: Mapping[str, str]
    machine: str | None = None
    machine_name: str | None = None
    note: str | None = None
    on: str | None = None
    """The machine on which all of them are now."""
    playable: bool = True
    choice: Choice | None = None
    scheduled: bool = False
    """Whether it is of a schedule, whose round is in the fields."""
    grouped: bool = False
    """Whether its round is one of several groups, each with rounds of its own."""
    of_teams: bool = False
    """Whether it is a match of two teams: its games are played one by one, of a league as the line-ups say."""
    slots: bool = False
    """Whether a game of it is put on a machine by its round and its number in it."""
    there: frozenset[str] | None = None
    """The machines of its venue; None where all may be chosen."""
    nth: int = 1
    """Which it is of the same players' games in the same place."""

    @property
    def sits_out(self) -> bool:
        """Whether he is drawn alone, and plays nobody."""
        return self.scheduled and len(self.who) == 1

    @property
    def ids(self) -> str:
        """The players as a form sends them, in order of play."""
        return ",".join(who for who, _ in self.who)

    @property
    def key(self) -> str:
        """An id for its element on a page: the same for the same players in the same place."""
        place = "\x1f".join([*(f"{name}={value}" for name, value in self.fields.items()), self.ids, str(self.nth)])
        return f"game-{sha256(place.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def to_play(
    scene: Scene,
    title: str,
    who: Iterable[str],
    fields: Mapping[str, str],
    *,
    note: str | None = None,
    machine: object = None,
    playable: bool = True,
) -> Match:
    """A game that is to be played by these players, with the machine on which all of them are now."""
    tournament = scene.tournament
    names = people(tournament) if tournament is not None else {}
    players = tuple((one, names.get(one, one)) for one in who)
    running = tournament.id if tournament is not None else ""
    now = {scene.state.assigned.get((running, one)) for one, _ in players}
    on = now.pop() if len(now) == 1 else None
    named = str(machine) if machine is not None else None
    return Match(
        title=title,
        who=players,
        fields=fields,
        machine=named,
        machine_name=machine_name(scene.state, named) if named is not None else None,
        note=note,
        on=machine_name(scene.state, on) if on is not None else None,
        playable=playable and len(players) > 0,
    )
