"""A whole small tournament of each system over HTTP alone: played as the desk is told, typed and captured in turn.

The stronger player always scores more, so the order of the places is known beforehand; and the standings at the end
are those of the exported file.
"""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from .conftest import Agent
from .words import T, ok, say

Login = Callable[[str | None], httpx2.Client]
OPEN = {"qualifying_closes": ""}
CASES: dict[str, dict[str, Any]] = {
    "uk-kids": {"people": 5, "machines": 1, "rules": OPEN},
    "tpc": {"people": 9, "machines": 2, "rules": {"qualifiers_by": "Sun 23:59"}, "division": "A", "buys": 8},
    "uk-open": {"people": 10, "machines": 6, "rules": OPEN | {"qualifiers": 8, "round2_rounds": 3}},
    "epc": {"people": 10, "machines": 6, "rules": OPEN | {"qualifiers": 8, "standby": 2}},
    "epc-classic": {"people": 9, "machines": 8, "rules": OPEN, "buys": 8},
    "papa": {"people": 9, "machines": 2, "rules": {"qualifiers": 8}},
    "match-play": {"people": 8, "machines": 4, "rules": {"rounds": 2, "qualifiers": 4}},
    "knockout": {"people": 6, "machines": 4, "rules": {"strikes": 2}},
    "single-elimination": {"people": 7, "machines": 4, "rules": {"third_place": True}},
}
IN_ORDER = ("uk-kids", "tpc", "uk-open", "epc", "papa")
"""Systems in which nobody is placed before somebody stronger; elsewhere the draw decides who meets whom."""
LAST_ONLY = ("tpc", "epc-classic")
"""Systems that give places to those of the last stage only."""
MOST_STEPS = 400


class Day:
    """One tournament's day at the desk."""

    def __init__(self, login: Login, agent: Agent, preset: str) -> None:
        self.case, self.preset, self.agent = CASES[preset], preset, agent
        self.official, self.desk, self.keeper = login("official"), login("desk"), login("scorekeeper")
        self.people = [f"p{n}" for n in range(1, self.case["people"] + 1)]
        self.machines = [f"m{n}" for n in range(1, self.case["machines"] + 1)]
        self.typing = itertools.cycle((True, False))
        self.turn = itertools.count()
        self.played: set[tuple[str, str, int]] = set()
        ok(login("admin").post("/tournaments", json={"id": "day", "head": self._head()}))

    def _head(self) -> dict[str, Any]:
        division = {"division": self.case["division"]} if "division" in self.case else {}
        return {
            "tournament": self.preset,
            "preset": self.preset,
            "rules": self.case["rules"],
            "players": [{"id": who, "name": who.upper()} for who in self.people],
            "machines": [{"id": name, "name": name.upper(), **division} for name in self.machines],
        }

    def registers(self) -> None:
        division = {"division": self.case["division"]} if "division" in self.case else {}
        for who in self.people:
            ok(self.desk.post(f"{T}/players/{who}/register", json=division))
            if "buys" in self.case:
                ok(self.desk.post(f"{T}/entries", json={"player": who, "entries": self.case["buys"], **division}))

    def score(self, who: str, machine: str, *, later: bool) -> int:
        """The stronger (the smaller number) the more; in the classics each first wins a machine of his own."""
        own = self.preset == "epc-classic" and who[1:] == machine[1:] and not later
        return 50_000_000 - 1_000_000 * int(who[1:]) + 60_000_000 * own + next(self.turn) % 7 * 1000

    def plays(self, who: list[str], machine: str, **place: Any) -> None:  # noqa: ANN401 - fields of a game
        scores = {one: self.score(one, machine, later="stage" in place) for one in who}
        if next(self.typing):
            ok(self.keeper.post(f"{T}/games", json={"machine": machine, "scores": scores, **place}))
            return
        ok(self.keeper.post(f"/machines/{machine}/assign", json={"players": who, **place}))
        game = self.agent.plays_together(machine, *scores.values())
        found = ok(self.official.get(f"/games/{game}"))
        assert found["status"] == "posted", found

    def stages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = ok(self.official.get(f"{T}/standings"))["stages"]
        return found

    def step(self) -> bool:
        """Play or close the next thing that the standings tell; False where nothing is left."""
        stages = self.stages()
        for stage in stages:
            for tie in stage["tiebreaks"]:
                fields = {"group": tie["group"]} if "group" in tie else {}
                machine = tie.get("machine") or self.machines[0]
                self.plays(tie["groups"][0], machine, stage=stage["id"], tiebreak=tie.get("game") or True, **fields)
                return True
        for stage in stages:
            if stage["status"] != "open":
                continue
            if self._plays_in(stage):
                return True
            if stage["standings"]:
                say(self.official, close=stage["id"], why="all is played")
                return True
        return False

    def _plays_in(self, stage: dict[str, Any]) -> bool:
        for game in stage.get("schedule") or ():
            if game["game"] is None and len(game["who"]) > 1:
                fields = {"group": game["group"]} if "group" in game else {}
                self.plays(
                    game["who"], game["machine"] or self.machines[0], stage=stage["id"], round=game["round"], **fields
                )
                return True
        if "schedule" in stage:
            return False
        choices = {
            choice["group"]: choice["round"] for choice in stage.get("choices") or () if choice["status"] != "played"
        }
        for group in stage.get("groups") or ():
            number = choices.get(group["id"], 1)
            if len(group["who"]) < 2 or (stage["id"], group["id"], number) in self.played:
                continue
            self.played.add((stage["id"], group["id"], number))
            fields = {"round": number} if group["id"] in choices else {}
            self.plays(
                group["who"], self.machines[number % len(self.machines)], stage=stage["id"], group=group["id"], **fields
            )
            return True
        return False

    def places(self) -> dict[str, int | None]:
        return {row["id"]: row.get("place") for row in ok(self.official.get(f"{T}/entries"))["players"]}


def qualifying(day: Day) -> Iterator[None]:
    """Each plays the first machines once (all where a place is won on each), unless the first stage is drawn."""
    if day.preset in {"match-play", "knockout", "single-elimination"}:
        return
    for machine in day.machines if day.preset == "epc-classic" else day.machines[:2]:
        for who in reversed(day.people):
            day.plays([who], machine)
            yield


@pytest.mark.parametrize("preset", CASES)
def test_a_whole_tournament_over_http_is_what_its_exported_file_says(
    login: Login, agent: Agent, tmp_path: Path, preset: str
):
    day = Day(login, agent, preset)
    day.registers()
    for _ in qualifying(day):
        pass
    steps = 0
    while day.step():
        steps += 1
        assert steps < MOST_STEPS, [(one["id"], one["status"]) for one in day.stages()]
    places = day.places()
    last = [stage for stage in day.stages() if stage["standings"]][-1]
    placed = [row["who"] for row in last["standings"]] if preset in LAST_ONLY else day.people
    assert {who for who, place in places.items() if place is not None} == set(placed), places
    assert places["p1"] == 1
    if preset in IN_ORDER:
        assert sorted(placed, key=lambda who: (places[who] or 0, int(who[1:]))) == day.people[: len(placed)]
    file = tmp_path / "day.yaml"
    file.write_bytes(day.official.get("/export", params={"format": "yaml"}).content)
    ran = subprocess.run(
        [sys.executable, "-m", "server.cli", "standings", str(file), "--json"], capture_output=True, check=True
    )
    again = json.loads(ran.stdout)
    assert {row["id"]: row.get("place") for row in again["players"]} == places
    assert again["refused"] == []
    for mine, theirs in zip(day.stages(), again["stages"], strict=True):
        assert {key: mine[key] for key in theirs} == theirs
