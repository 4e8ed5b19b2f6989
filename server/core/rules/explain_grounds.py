"""What an explanation rests on: the state after the log, the log by subject, how people, scores and rules are named.

Nothing is explained here. Invariant: a line that is made here always cites a rule.
"""

from collections.abc import Iterable, Sequence
from typing import NotRequired, TypedDict, Unpack

from server.core.rules.explain_clauses import clause
from server.core.rules.explain_lines import Line, Value
from server.core.rules.explain_log import Note, read_history
from server.core.rules.places import final_places
from server.core.rules.results import StageResult
from server.core.rules.stages import chain
from server.core.rules.state import Division, Stage
from server.core.rules.tournament import Tournament
from server.core.rules.walk import fold


class Facts(TypedDict):
    """What a line may say beside its kind, its sentence and its value."""

    setting: NotRequired[str]
    stage: NotRequired[Stage | None]
    who: NotRequired[str | None]
    machine: NotRequired[str | None]
    game: NotRequired[str | None]
    entries: NotRequired[Iterable[int]]
    note: NotRequired[Note | None]
    parts: NotRequired[Iterable[Line]]


class Grounds:
    """A tournament with all that is known of it."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.state = fold(tournament)
        self.settings = self.state.settings
        self.preset = self.state.head.preset
        self.history = read_history(tournament, self.state)
        self.places = final_places(self.state)

    def results(self, division: Division | None = None) -> list[StageResult]:
        """Give the stages that there are, of one division or of all."""
        divisions = self.state.divisions.values() if division is None else (division,)
        return [result for each in divisions for result in chain(self.state, each)]

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
            entries=tuple(dict.fromkeys(number for number in numbers if number)),
            noted=note.number if note is not None else None,
            reason=note.why if note is not None else None,
            by=note.by if note is not None else None,
            parts=tuple(facts.get("parts", ())),
        )

    def person(self, who: str) -> str:
        """Give what a player is called: the name with the id behind it."""
        player = self.state.players.get(who)
        name = player.head.name if player is not None else ""
        return f"{name} ({who})" if name and name != who else who

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
