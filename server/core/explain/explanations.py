"""Explanations: where each number of the output comes from, the rule that it follows and the log entries behind it.

Nothing is computed anew: numbers are those of the output. Invariant: every entry that is named is in the log, and every
line cites a rule.
"""

from collections.abc import Iterable

from server.core.explain.accounts import explain_account
from server.core.explain.cells import kind_of
from server.core.explain.grounds import Grounds
from server.core.explain.holes import explain_hole
from server.core.explain.lines import Line
from server.core.explain.machines import Together, explain_position, together
from server.core.explain.matches import explain_match
from server.core.explain.people import explain_place, explain_status
from server.core.explain.stages import explain_row
from server.core.explain.state import explain_machine_state, explain_stage_state
from server.core.explain.team_people import explain_member, explain_team
from server.core.explain.teams import explain_team_row
from server.core.rules.results import StageResult
from server.core.rules.tournament import Tournament


class NotThere(LookupError):
    """Somebody or something was asked about that the tournament does not have; the text says what to ask for."""


class Explanations:
    """All that can be said about a tournament at one moment. For one thread at a time."""

    def __init__(self, tournament: Tournament) -> None:
        self._grounds = Grounds(tournament)
        self._rivals: dict[str, Together] = {}
        self._ranked: dict[str, list[Line]] = {}

    def carry_on(self, tournament: Tournament) -> None:
        """Go on to another version of the tournament; costs little where its log is longer by a few entries."""
        self._grounds.carry_on(tournament)
        self._rivals.clear()
        self._ranked.clear()

    def about(self, *, who: str | None = None, stage: str | None = None, machine: str | None = None) -> list[Line]:
        """Explain a player (in one stage, on one machine, where they are given), a machine, or a stage.

        Of a whole stage the ranks and totals are told. With nothing given: each stage, what became of machines, and
        every player. Raises NotThere.
        """
        self._check(who, stage, machine)
        results = [result for result in self._grounds.results() if stage in {None, result.stage.id}]
        if who is not None:
            return self._person(who, results, machine, everything=stage is None)
        if machine is not None:
            return self._machine(machine, results)
        lines = self.overview() if stage is None else explain_stage_state(self._grounds, results[0]) if results else []
        if stage is not None:
            return lines + [line for result in results for line in self._ranks(result)]
        for each in (*self._grounds.state.teams, *self._grounds.state.players):
            lines += self._person(each, results, None, everything=True)
        return lines

    def overview(self) -> list[Line]:
        """Explain the stages and the machines, without the players: how many go on, which ties are open."""
        lines = [line for result in self._grounds.results() for line in explain_stage_state(self._grounds, result)]
        lines += [explain_match(self._grounds, match, brief=True) for match in self._grounds.state.matches.values()]
        for name in self._grounds.state.machines:
            lines += explain_machine_state(self._grounds, name)
        return lines

    def match(self, name: str) -> list[Line]:
        """Explain one match: its winner, the points of both teams, and what was said of it. Raises NotThere."""
        match = self._grounds.state.matches.get(name)
        if match is None:
            raise NotThere(f"there is no match {name}")
        return [explain_match(self._grounds, match)]

    def _person(self, who: str, results: Iterable[StageResult], machine: str | None, *, everything: bool) -> list[Line]:
        grounds = self._grounds
        found = [line for result in results for line in self._row(result, who)]
        if who in grounds.state.teams:
            found += explain_team(grounds, who) if everything else []
        lines = found if machine is None else [part for line in found for part in _on_machine(line, machine)]
        player = grounds.state.players.get(who)
        if player is None:
            return lines
        if everything and machine is None:
            lines += explain_member(grounds, who) if grounds.state.teams else []
            lines += explain_place(grounds, who)
            lines += explain_account(grounds, player)
            lines += explain_status(grounds, player)
        return lines

    def _row(self, result: StageResult, who: str, *, brief: bool = False) -> list[Line]:
        """Explain what a stage says of a player or a team; of a member of a team it says nothing."""
        if self._grounds.state.teams:
            return explain_team_row(self._grounds, result, who, brief=brief) if who in self._grounds.state.teams else []
        return explain_row(self._grounds, result, who, None if brief else self._together(result))

    def _ranks(self, result: StageResult) -> list[Line]:
        """Explain the whole table of a stage, each rank with its total; what that rests on is told of one player."""
        known = self._ranked.get(result.stage.id)
        if known is None:
            known = self._ranked[result.stage.id] = [
                line for row in result.rows for line in self._row(result, str(row["who"]), brief=True)
            ]
        return known

    def _machine(self, machine: str, results: Iterable[StageResult]) -> list[Line]:
        grounds = self._grounds
        lines = explain_machine_state(grounds, machine)
        for result in results:
            if kind_of(grounds, result) == "holes":
                cells = [cell for rivals in self._together(result).values() for cell in rivals.cells]
                lines += [explain_hole(grounds, result, cell, ()) for cell in cells if cell.machine == machine]
                continue
            for rivals in self._together(result).values():
                here = [cell for cell in rivals.cells if cell.machine == machine and (cell.rank or cell.points is None)]
                for cell in sorted(here, key=lambda cell: (cell.rank or 0, cell.who)):
                    lines.append(explain_position(grounds, result, cell, rivals))
        return lines

    def _together(self, result: StageResult) -> Together:
        known = self._rivals.get(result.stage.id)
        if known is None:
            known = self._rivals[result.stage.id] = together(self._grounds, result)
        return known

    def _check(self, who: str | None, stage: str | None, machine: str | None) -> None:
        state = self._grounds.state
        if who is not None and who not in state.players and who not in state.teams:
            raise NotThere(f"there is no player {who}" if not state.teams else f"there is no player or team {who}")
        if stage is not None and stage not in state.stages:
            raise NotThere(f"there is no stage {stage}; there are {', '.join(state.stages)}")
        if machine is not None and machine not in state.machines:
            raise NotThere(f"there is no machine {machine}")


def _on_machine(line: Line, machine: str) -> Iterable[Line]:
    """Give the parts that are about one machine, the uppermost ones."""
    if line.machine == machine:
        yield line
        return
    for part in line.parts:
        yield from _on_machine(part, machine)
