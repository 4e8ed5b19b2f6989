"""What officials may post instead of what was proposed: the groups of a stage, the games of a round (T7.3, U4.2, E3.9).

Each proposal is text, a line for each group or game, as the form shows it for changing. The one invariant: what is
proposed reads back as exactly what stands now.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.core import rules
from server.core.venue.state import Tournament
from server.web.views.names import machine_name, people, plain
from server.web.views.scene import Scene

MATCH = re.compile(r"r\d+-\d+|third|final")
"""Ids of the matches of a bracket, which follow from its seeds."""
ROWS = (4, 16)
"""Lines of a text field, least and most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """One form: `topic` is `groups` or `pairings`, the latter of a round. `lines` is what stands now."""

    topic: str
    round: int | None
    lines: str

    @property
    def rows(self) -> int:
        """How high the text field is."""
        return min(max(self.lines.count("\n") + 2, ROWS[0]), ROWS[1])


def postings(scene: Scene, outcome: Mapping[str, Any]) -> Mapping[str, tuple[Posting, ...]]:
    """What may be posted, by stage: groups until a stage has begun, pairings of the round that is on or comes next."""
    tournament = scene.tournament
    if tournament is None:
        return {}
    found: dict[str, tuple[Posting, ...]] = {}
    through: dict[str, Sequence[str]] = {}
    for stage in outcome.get("stages") or ():
        division = str(stage["id"]).rpartition("/")[0]
        field, through[division] = through.get(division, ()), stage.get("advance") or ()
        if stage["status"] != "open":
            continue
        if stage.get("schedule") is not None:
            found[str(stage["id"])] = (_pairings(scene, tournament, stage),)
        elif _takes_groups(str(outcome.get("preset")), stage):
            found[str(stage["id"])] = (Posting(topic="groups", round=None, lines=_groups(tournament, stage, field)),)
    return found


def _takes_groups(preset: str, stage: Mapping[str, Any]) -> bool:
    """Whether it is a later stage of groups, of which no game counts yet."""
    known = rules.PRESETS.get(preset)
    name = str(stage["id"]).rsplit("/", maxsplit=1)[-1]
    groups = stage.get("groups")
    if known is None or groups is None or name == known.first_name:
        return False
    form = next((form for form in known.finals if form.name == name), None)
    if form is not None and (form.single_group or not form.in_groups):
        return False
    if groups and all(MATCH.fullmatch(str(group["id"])) for group in groups):
        return False
    return not any(row.get("machines") for row in stage.get("standings") or ())


def _groups(tournament: Tournament, stage: Mapping[str, Any], field: Sequence[str]) -> str:
    """The groups as they stand; where there are none, those whom the stage before sends, on one line."""
    written = _people(tournament)
    groups: Sequence[Sequence[str]] = [group["who"] for group in stage.get("groups") or ()]
    return "\n".join(written.of(who) for who in groups or [field])


def _pairings(scene: Scene, tournament: Tournament, stage: Mapping[str, Any]) -> Posting:
    """All games of the first round that is not over, the played ones too: what is posted stands for the whole round.

    Nobody is named twice: where a game was played off the draw, who is left over stands on a line of its own.
    """
    written, machines = _people(tournament), _machines(scene, tournament)
    schedule: Sequence[Mapping[str, Any]] = stage["schedule"]
    open_rounds = [game["round"] for game in schedule if game.get("game") is None and len(game["who"]) > 1]
    last = max((game["round"] for game in schedule), default=0)
    number = min(open_rounds, default=last + 1)
    lines: list[str] = []
    named: set[str] = set()
    games = [game for game in schedule if game["round"] == number]
    for game in sorted(games, key=lambda game: game.get("game") is None):
        if named.isdisjoint(game["who"]):
            named.update(game["who"])
            machine = game.get("machine")
            lines.append(written.of(game["who"]) + (f" @ {machines.of([machine])}" if machine else ""))
    rest = dict.fromkeys(who for game in games for who in game["who"] if who not in named)
    lines += [written.of(rest)] if rest else []
    return Posting(topic="pairings", round=number, lines="\n".join(lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writing:
    """Names by id that read back as their owner: an id stands where a name is not clear or holds one of the `signs`."""

    names: Mapping[str, str]
    called: Counter[str]
    signs: frozenset[str]

    def of(self, ids: Iterable[str]) -> str:
        return ", ".join(self._one(one) for one in ids)

    def _one(self, one: str) -> str:
        name = " ".join(self.names.get(one, one).split())
        clear = name and self.called[plain(name)] == 1 and name not in self.names and not self.signs & set(name)
        return name if clear else one


def _writing(names: Mapping[str, str], signs: str) -> _Writing:
    return _Writing(names=names, called=Counter(map(plain, names.values())), signs=frozenset(signs))


def _people(tournament: Tournament) -> _Writing:
    return _writing(people(tournament), ",@;")


def _machines(scene: Scene, tournament: Tournament) -> _Writing:
    return _writing({one: machine_name(scene.state, one) for one in tournament.machines}, "@")
