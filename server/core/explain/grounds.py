"""What an explanation rests on: the state after the log, the log by subject, how people, scores and rules are named.

Nothing is explained here. Invariant: a line that is made here always cites a rule.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict, Unpack

from server.core.explain.clauses import clause
from server.core.explain.lines import Line, Value
from server.core.explain.log import History, Note, read_history
from server.core.rules.places import final_places
from server.core.rules.results import StageResult
from server.core.rules.running import Running
from server.core.rules.stages import chain
from server.core.rules.state import Stage
from server.core.rules.tournament import Tournament


class Facts(TypedDict):
    """What a line may say beside its kind, its sentence and its value."""

    setting: NotRequired[str]
    stage: NotRequired[Stage | None]
    who: NotRequired[str | None]
    machine: NotRequired[str | None]
    game: NotRequired[str | None]
    match: NotRequired[str | None]
    entries: NotRequired[Iterable[int]]
    note: NotRequired[Note | None]
    parts: NotRequired[Iterable[Line]]


class Grounds:
    """A tournament with all that is known of it."""

    def __init__(self, tournament: Tournament) -> None:
        self._running = Running()
        self._rows: dict[str, Mapping[str, Mapping[str, Any]]] = {}
        self._places: dict[str, int] | None = None
        self.history = History()
        self.state = self._running.state_after(tournament)
        self.settings = self.state.settings
        self.preset = self.state.head.preset
        read_history(self.history, tournament, self.state)

    def carry_on(self, tournament: Tournament) -> None:
        """Go on to another version of the tournament; costs little where its log is longer by a few entries."""
        before = self.state
        self.state = self._running.state_after(tournament)
        self.settings = self.state.settings
        self.preset = self.state.head.preset
        if self.state is not before:
            self.history = History()
        read_history(self.history, tournament, self.state)
        self._rows.clear()
        self._places = None

    @property
    def places(self) -> Mapping[str, int]:
        """The final places that there are."""
        if self._places is None:
            self._places = final_places(self.state)
        return self._places

    def results(self) -> list[StageResult]:
        """Give the stages that there are, of all divisions."""
        return [result for division in self.state.divisions.values() for result in chain(self.state, division)]

    def row_of(self, result: StageResult, who: str) -> Mapping[str, Any] | None:
        """Give a player's row of a stage, None where he has none."""
        known = self._rows.get(result.stage.id)
        if known is None:
            known = self._rows[result.stage.id] = {str(row["who"]): row for row in result.rows}
        return known.get(who)

    def line(self, what: str, because: str, value: Value = None, **facts: Unpack[Facts]) -> Line:
        """Make a line; its rule is looked up by what it is, the stage and the setting."""
        stage, setting, note = facts.get("stage"), facts.get("setting", ""), facts.get("note")
        numbers = (*facts.get("entries", ()), *((note.number,) if note is not None else ()))
        return Line(
            what=what,
            because=because,
            value=value,
            rule=clause(self.preset, what, stage=stage.name if stage is not None else None, setting=setting),
            setting=setting,
            who=facts.get("who"),
            stage=stage.id if stage is not None else None,
            machine=facts.get("machine"),
            game=facts.get("game"),
            match=facts.get("match"),
            entries=tuple(dict.fromkeys(number for number in numbers if number)),
            noted=note.number if note is not None else None,
            reason=note.why if note is not None else None,
            by=note.by if note is not None else None,
            parts=tuple(facts.get("parts", ())),
        )

    def person(self, who: str) -> str:
        """Give what a player or a team is called: the name with the id behind it."""
        found = self.state.players.get(who) or self.state.teams.get(who)
        name = found.head.name if found is not None else ""
        return f"{name} ({who})" if name and name != who else who

    def is_out(self, who: str, division: str) -> bool:
        """Say whether officials have put a player or a team out."""
        team = self.state.teams.get(who)
        return bool(team.out) if team is not None else self.state.players[who].is_out(division)

    def people(self, who: Sequence[str], most: int = 4) -> str:
        """Give names as a sentence has them; of many only the first."""
        names = [self.person(each) for each in who[:most]]
        if len(who) > most:
            return f"{', '.join(names)} and {len(who) - most} more"
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"

    def machine(self, name: str) -> str:
        """Give what a machine is called."""
        machine = self.state.machines.get(name)
        title = machine.head.name if machine is not None else ""
        return f"{title} ({name})" if title and title != name else name


def number(value: int) -> str:
    """Write a whole number with its digits in groups of three."""
    return f"{value:,}"


def count(many: int, one: str, more: str | None = None) -> str:
    """Write `1 game`, `2 games`."""
    return f"{many} {one if many == 1 else more or one + 's'}"
