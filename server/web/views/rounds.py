"""What is to be played: each stage with its ties, groups and schedule, who chooses, what is open before it is closed.

Shaped from the rules' output; nothing is decided. The one invariant: a game offered here carries the stage, the group
and the round in which it counts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from server.core import rules
from server.core.venue.closing import Open
from server.core.venue.state import State, Tournament
from server.standings import Openness
from server.web.views.matches import Choice, Match, to_play
from server.web.views.names import in_order, listed, machine_name, people, stage_name, told_apart
from server.web.views.scene import Scene
from server.web.views.signs import CONDITIONS
from server.web.views.team_matches import team_games

REASONS = {"cut": "for the cut", "seed": "for seeding", "machine": "of scores exactly equal in one game"}
MOST = 400
"""Games of one stage that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage. `open` says in words what may still change it, `unset` that teams wait for a match to be set."""

    id: str
    name: str
    status: str
    open: tuple[str, ...]
    advance: tuple[str, ...]
    ties: tuple[Match, ...]
    matches: tuple[Match, ...]
    played: int
    left_out: int
    unset: bool = False

    @property
    def key(self) -> str:
        """An id for its element on a page."""
        return sha256(self.id.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the forms offer: machines that are up, and everybody."""

    machines: tuple[tuple[str, str], ...]
    players: tuple[tuple[str, str], ...]


def stages(scene: Scene, outcome: Mapping[str, Any], about: Mapping[str, Openness]) -> tuple[Stage, ...]:
    """All stages, the newest first: what is played now stands on top."""
    tournament = scene.tournament
    if tournament is None:
        return ()
    found = [
        _stage(scene, tournament, stage, about.get(str(stage["id"])), outcome) for stage in outcome.get("stages") or ()
    ]
    return tuple(sorted(found, key=lambda stage: stage.status == "final"))


def choices(scene: Scene) -> Choices:
    """What can be chosen from."""
    tournament = scene.tournament
    if tournament is None:
        return Choices(machines=(), players=())
    up = [name for name in tournament.machines if _is_up(scene.state, name)]
    names = people(tournament)
    return Choices(
        machines=tuple(told_apart((name, machine_name(scene.state, name)) for name in up).items()),
        players=tuple(sorted(names.items(), key=lambda one: in_order(one[1]))),
    )


def _is_up(state: State, machine: str) -> bool:
    found = state.machines.get(machine)
    return found is not None and found.condition not in CONDITIONS


def _stage(
    scene: Scene, tournament: Tournament, stage: Mapping[str, Any], about: Openness | None, outcome: Mapping[str, Any]
) -> Stage:
    names, wins = people(tournament), _wins(outcome)
    status = "open" if stage["status"] == "open" else "final" if about is not None and about.official else "provisional"
    there = team_games(scene, stage, outcome) if outcome.get("teams") else None
    found = _apart(_matches(scene, tournament, stage, wins) if there is None else there)
    waiting = [match for match in found if match.playable or match.sits_out or match.of_teams]
    return Stage(
        id=str(stage["id"]),
        name=stage_name(str(stage["id"])),
        status=status,
        open=tuple(_words(scene.state, names, one) for one in about.open) if about is not None else (),
        advance=tuple(names.get(who, who) for who in stage.get("advance") or ()),
        ties=tuple(_apart(_ties(scene, stage, {str(one["id"]) for one in outcome.get("matches") or ()}))),
        matches=tuple(waiting[:MOST]),
        played=len(found) - len(waiting),
        left_out=max(0, len(waiting) - MOST),
        unset=there == [] and status == "open",
    )


def _apart(matches: Iterable[Match]) -> list[Match]:
    """Number those of the same players in the same place, so that each has a key of its own."""
    seen: Counter[str] = Counter()
    found = []
    for match in matches:
        seen[match.key] += 1
        found.append(replace(match, nth=seen[match.key]))
    return found


def _ties(scene: Scene, stage: Mapping[str, Any], team_matches: set[str]) -> Iterable[Match]:
    for tie in stage.get("tiebreaks") or ():
        places: Sequence[int] = tie.get("places") or []
        title = _tie_title(str(tie.get("reason")), places)
        fields = {"stage": str(stage["id"]), "tiebreak": str(tie.get("game") or "true")}
        if tie.get("group") in team_matches:
            fields["match"] = str(tie["group"])
        elif tie.get("group") is not None:
            fields["group"] = str(tie["group"])
        groups: Sequence[Sequence[str]] = tie.get("groups") or [tie.get("who") or ()]
        for number, who in enumerate(groups, 1):
            one = f"{title} ({number} of {len(groups)})" if len(groups) > 1 else title
            note = "A drawn order is enough: record it as a decision (draw)." if tie.get("draw") else None
            yield to_play(scene, one, who, fields, note=note, machine=tie.get("machine"))


def _tie_title(reason: str, places: Sequence[int]) -> str:
    between = f"{places[0]} to {places[-1]}" if len(places) > 1 else "".join(map(str, places))
    if reason == "place" and between:
        return f"Play-off for places {between}"
    return f"Play-off {REASONS.get(reason, '')}".strip() + (f" (places {between})" if between else "")


def _matches(scene: Scene, tournament: Tournament, stage: Mapping[str, Any], wins: int | None) -> Iterable[Match]:
    """The games of a schedule, else the groups with who chooses in them."""
    if stage["status"] != "open":
        return
    schedule = stage.get("schedule")
    if schedule:
        groups = {str(group["id"]) for group in stage.get("groups") or ()}
        several = len({game["round"] for game in schedule if game.get("group") in groups}) > 1
        unplayed = {game["round"] for game in schedule if game.get("game") is None and len(game["who"]) > 1}
        for game in schedule:
            alone = len(game["who"]) == 1
            if alone and game["round"] not in unplayed:
                continue
            fields = {"stage": str(stage["id"]), "round": str(game["round"])}
            title = f"Round {game['round']}"
            if game.get("group") is not None:
                fields["group"] = str(game["group"])
                title += f", group {game['group']}"
            playable = game.get("game") is None and not alone
            machine = game.get("machine")
            note = "Sits out" if alone else None
            found = to_play(scene, title, game["who"], fields, note=note, machine=machine, playable=playable)
            yield replace(found, scheduled=True, grouped=several)
        return
    chosen = {str(choice["group"]): choice for choice in stage.get("choices") or ()}
    for group in stage.get("groups") or ():
        yield _group(scene, tournament, stage, group, chosen.get(str(group["id"])), wins)


def _group(
    scene: Scene,
    tournament: Tournament,
    stage: Mapping[str, Any],
    group: Mapping[str, Any],
    choice: Mapping[str, Any] | None,
    wins: int | None,
) -> Match:
    names = people(tournament)
    fields, note, machine, who = {"stage": str(stage["id"]), "group": str(group["id"])}, None, None, group["who"]
    title = _group_title(str(group["id"]))
    playable, asked = len(who) > 1 and not _is_over(group, wins), None
    if choice is not None:
        fields["round"] = str(choice["round"])
        title += f", game {choice['round']}"
        machine = choice.get("machine")
        who = _in_order(who, choice.get("order"))
        if choice.get("status") == "chooses":
            asked = _choice(scene, choice)
            note = f"{names.get(asked.who, asked.who)} chooses now" if asked.who else "Officials decide now"
        playable = len(who) > 1 and choice.get("status") != "played"
    found = to_play(scene, title, who, fields, note=note, machine=machine, playable=playable)
    return replace(found, choice=asked) if asked is not None else found


def _group_title(group: str) -> str:
    """`r2-3` is the third match of a bracket's second round; `third` and `final` are its last ones."""
    match = re.fullmatch(r"r(\d+)-(\d+)", group)
    if match is not None:
        return f"Round {match[1]}, match {match[2]}"
    return {"final": "Final", "third": "For the third place"}.get(group, f"Group {group}")


def _wins(outcome: Mapping[str, Any]) -> int | None:
    """How many games win a match of a bracket, by the tournament's own rules or its preset's; None: it has none."""
    preset = rules.PRESETS.get(str(outcome.get("preset")))
    best_of = (outcome.get("rules") or {}).get("best_of") or (preset.settings.get("best_of") if preset else None)
    return best_of // 2 + 1 if type(best_of) is int else None


def _is_over(group: Mapping[str, Any], wins: int | None) -> bool:
    """Whether a group of one game has played it, or a match has its winner. Groups of several games have choices."""
    rows = group.get("standings") or ()
    if any("points" in row for row in rows):
        return wins is not None and any((row.get("points") or 0) >= wins for row in rows)
    return any(row.get("machines") for row in rows)


def _choice(scene: Scene, choice: Mapping[str, Any]) -> Choice:
    machines = tuple((str(name), machine_name(scene.state, str(name))) for name in choice.get("machines") or ())
    who = choice.get("who")
    return Choice(
        who=str(who) if who is not None else None, machines=machines, positions=tuple(choice.get("positions") or ())
    )


def _in_order(who: Sequence[str], order: object) -> Sequence[str]:
    """The order of play where it is chosen whole, else the order of the group."""
    chosen = [one for one in order if isinstance(one, str)] if isinstance(order, list) else []
    return chosen if sorted(chosen) == sorted(who) else who


def _words(state: State, names: Mapping[str, str], one: Open) -> str:
    where = machine_name(state, one.machine) if one.machine is not None else None
    who = listed(names.get(name, name) for name in one.who)
    return ": ".join(part for part in (where, who, one.why) if part)
