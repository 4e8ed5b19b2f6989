"""What tournaments made up for the laws do in rounds and brackets: settings, the game that is due, what goes wrong.

Who plays next is read off the output. Invariant: a seed gives always the same tournament.
"""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from server.core.rules import PRESETS

if TYPE_CHECKING:
    from tests.properties.tournaments import Course, Document

SETTINGS: Mapping[str, tuple[object, ...]] = {
    "rounds": (0, 2, 3, 5),
    "group_size": (2, 3, 4),
    "games_per_round": (1, 1, 1, 2),
    "pairing": ("swiss", "random", "balanced"),
    "game_ties": ("high", "low", "playoff"),
    "strikes": (1, 2, 3),
    "play_off_places": (0, 3),
    "seeding": ("players", "wppr_rank", "draw", "qualifying"),
    "best_of": (1, 1, 3),
    "third_place": (False, True),
}


def is_in_rounds(preset: str) -> bool:
    """Say whether a preset's first stage is played in rounds."""
    return PRESETS[preset].first in {"rounds", "strikes"}


def settings_of(preset: str, chance: Random) -> "Document":
    """Choose values of the settings that rounds and brackets alone have."""
    if not is_in_rounds(preset) and PRESETS[preset].first != "entrants":
        return {}
    known = {key: choices for key, choices in SETTINGS.items() if key in PRESETS[preset].settings}
    chosen = {key: chance.choice(choices) for key, choices in known.items() if chance.random() < 0.6}
    if preset == "match-play":
        chosen["qualifiers"] = chance.choice((0, 0, 4, 8))
    return chosen


def record_due(course: "Course") -> None:
    """Record a game of a group or a match that has one to play; now and then one that has not."""
    chance = course.chance
    stages = course.now()["stages"]
    stage = next((one for one in reversed(stages) if one.get("groups")), stages[0])
    groups: list[Mapping[str, Any]] = stage.get("groups") or [{"id": None, "who": course.players[:2], "standings": []}]
    due = [group for group in groups if len(group["who"]) > 1 and not any(row["points"] for row in group["standings"])]
    group = chance.choice(due if due and chance.random() < 0.9 else groups)
    named: Document = {} if group["id"] is None or chance.random() < 0.5 else {"group": group["id"]}
    number = max((game["round"] for game in stage.get("schedule", ())), default=1)
    if is_in_rounds(course.head["preset"]) and chance.random() < 0.4:
        named["round"] = number if chance.random() < 0.9 else chance.randrange(1, 5)
    who = list(group["who"])
    if chance.random() < 0.05:
        who = chance.sample(course.players, len(who))
    course.game(chance.choice(course.machines), who[: 1 if chance.random() < 0.03 else 8], **named)


def incidents(course: "Course", who: str) -> "list[Document]":
    """Give what happens in rounds besides games: somebody goes or comes back, officials post a round or begin one."""
    if not is_in_rounds(course.head["preset"]):
        return []
    chance, stage = course.chance, PRESETS[course.head["preset"]].first_name
    number, some = chance.randrange(1, 6), chance.sample(course.players, 4)
    return [
        {"absent": who, "stage": stage},
        {"absent": who, "stage": stage},
        {"decision": "returned", "stage": stage, "who": [who]},
        {"decision": "round", "stage": stage, "round": number},
        {
            "decision": "pairings",
            "stage": stage,
            "round": number,
            "games": [{"players": some[:2]}, {"players": some[2:], "machine": course.machines[0]}],
        },
    ]
