"""The demo's director: sells entries, puts players on free machines, and stands in for the official who is away.

It works through the HTTP API only, as any desk would. What nobody at the pages decides within PATIENCE_S it decides
itself, from the truth that the simulated machines write down, so that the tournament goes on.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.sim import oracle
from server.errors import ServerError
from server.ops.cast import TITLE, TOURNAMENT, Machine, players
from server.ops.client import Client, Refused

PATIENCE_S = 60.0
"""How long a reading or an alarm waits for a person."""
START_S = 15.0
"""How long an assigned player may not press start before he is reminded."""
BUNDLE = 4

Json = dict[str, Any]


class Director:
    """Looks around and does what is due. Not for two threads."""

    def __init__(self, client: Client, cast: tuple[Machine, ...], folder: Path, *, say: Callable[[str], None]) -> None:
        self._client, self._folder, self._say = client, folder, say
        self._cast = {machine.id: machine for machine in cast}
        self._people = players(len(cast))
        self._played: dict[str, int] = {}
        self._waiting: dict[str, float] = {}
        self._truths: dict[str, int | None] = {}
        self._trouble = ""

    def look_around(self) -> None:
        """Do what is due now. Trouble with the server is said once and passes."""
        try:
            self._open()
            self._review()
            self._clear()
            self._assign()
        except ServerError as error:
            if str(error) != self._trouble:
                self._say(f"the desk waits: {error}")
            self._trouble = str(error)
        else:
            self._trouble = ""

    def _open(self) -> None:
        """Open the tournament, once."""
        if self._client.get("tournaments")["current"] is not None:
            return
        machines = [{"id": m.id, "name": m.name, "division": m.division, "players": 4} for m in self._cast.values()]
        head = {
            "tournament": TITLE,
            "preset": "tpc",
            "timezone": "America/Toronto",
            "players": self._people,
            "machines": machines,
        }
        self._client.post("tournaments", {"id": TOURNAMENT, "head": head})
        for person in self._people:
            self._client.post(f"tournaments/{TOURNAMENT}/players/{person['id']}/register", {})

    def _assign(self) -> None:
        """Put whoever has played least on each machine that is free, and let them press start."""
        machines = self._client.get("machines")["machines"]
        busy = {who for machine in machines if machine["assignment"] for who in machine["assignment"]["players"]}
        for machine in machines:
            ours = self._cast.get(machine["id"])
            if ours is None:
                continue
            if machine["status"] == "assigned" and self._has_waited(f"start {machine['assignment']['id']}", START_S):
                self._press_start(ours)
            if machine["status"] != "idle" or not machine["attached"]:
                continue
            chosen = self._next_player(ours.division, busy)
            if chosen is None:
                continue
            self._sell(chosen, ours.division)
            self._client.post(f"machines/{ours.id}/assign", {"tournament": TOURNAMENT, "players": [chosen]})
            busy.add(chosen)
            self._played[chosen] = self._played.get(chosen, 0) + 1
            self._press_start(ours)

    def _next_player(self, division: str, busy: set[str]) -> str | None:
        free = [str(p["id"]) for p in self._people if p["division"] == division and p["id"] not in busy]
        return min(free, key=lambda who: self._played.get(who, 0), default=None)

    def _sell(self, who: str, division: str) -> None:
        """Sell a bundle of entries to whoever has none left."""
        people = self._client.get(f"tournaments/{TOURNAMENT}/entries")["players"]
        left = next((person.get("entries_left", 0) for person in people if person["id"] == who), 0)
        if left < 1:
            body = {"player": who, "entries": BUNDLE, "division": division}
            self._client.post(f"tournaments/{TOURNAMENT}/entries", body)

    def _press_start(self, machine: Machine) -> None:
        path = self._folder / f"{machine.id}.start"
        half = path.with_suffix(".half")
        half.write_text("1", encoding="utf-8")
        half.replace(path)

    def _review(self) -> None:
        """Decide the readings that nobody looked at; the truth is what the picture would show a person."""
        for reading in self._client.get("readings?status=waiting")["readings"]:
            name = reading["id"]
            if name not in self._truths:
                self._truths[name] = self._true_score(reading)
            if not self._has_waited(f"reading {name}", PATIENCE_S):
                continue
            score = self._truths[name]
            body: Json = {"based_on": reading["version"]}
            if score is None:
                step, body["why"] = "reject", "no score can be seen"
            elif score == reading["proposed"]:
                step, body["score"] = "confirm", score
            else:
                step, body["score"], body["why"] = "correct", score, "read from the picture"
            self._quietly(f"readings/{name}/{step}", body)

    def _true_score(self, reading: Json) -> int | None:
        """The score of the machine's last finished game."""
        try:
            events = oracle.read(self._folder / f"{reading['machine']}.truth")
        except ValueError:
            return None
        last = next(iter(reversed(list(oracle.finished(events)))), None)
        slot = int(reading["player"]) - 1
        return last.scores[slot] if last is not None and slot < len(last.scores) else None

    def _clear(self) -> None:
        """Discard games that are nobody's and acknowledge alarms, when nobody else did."""
        for game in self._client.get("games?status=unmatched")["games"]:
            if self._has_waited(f"game {game['id']}", PATIENCE_S):
                body = {"why": "nobody was assigned", "based_on": game["version"]}
                self._quietly(f"games/{game['id']}/discard", body)
        for trouble in self._client.get("malfunctions")["malfunctions"]:
            step = "close" if trouble["source"] == "desk" else "acknowledge"
            done = not trouble["open"] if step == "close" else trouble["acknowledged_by"] is not None
            if done or trouble["severity"] == "note":
                continue
            if self._has_waited(f"malfunction {trouble['id']}", PATIENCE_S):
                body = {"why": "looked at the machine"} if step == "close" else {"note": "seen"}
                self._quietly(f"malfunctions/{trouble['id']}/{step}", body)

    def _quietly(self, path: str, body: Json) -> None:
        """Say something that a person may have said meanwhile: a refusal is fine."""
        try:
            self._client.post(path, body)
        except Refused as error:
            self._say(f"left to the people: {error}")

    def _has_waited(self, what: str, seconds: float) -> bool:
        """Whether this was first seen so long ago; starts anew once it is due."""
        now = time.monotonic()
        first = self._waiting.setdefault(what, now)
        if now - first < seconds:
            return False
        self._waiting[what] = now
        return True
