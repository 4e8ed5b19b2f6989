"""Team tournaments in groups made up from a seed: matches, bonus games, what goes wrong, a close, a final.

A seed gives always the same tournament. An entry that must be taken or refused whatever else happens says so in its
note; who is in the final is read off the product's own output, as a desk does.
"""

from itertools import combinations
from random import Random
from typing import Any

from server.core.rules import PRESETS, evaluate, parse
from tests.properties.tournaments import Document

TAKEN, REFUSED = "must be taken", "must be refused"


def tournament(seed: int, preset: str) -> Document:
    """Make up a tournament of `uk-team` or `epc-country`."""
    chance = Random(seed)  # noqa: S311 - the same seed, the same tournament
    groups = dict(list(PRESETS[preset].settings["groups"].items())[: chance.randrange(1, 4)])
    seeds = [seed for group in groups.values() for seed in group if chance.random() < 0.9]
    teams = [{"id": f"t{seed}", "name": f"T{seed}", "seed": seed, "roster": roster(f"t{seed}")} for seed in seeds]
    teams.append({"id": "r1", "name": "Reserve", "roster": roster("r1")})
    head: Document = {
        "inlane": 1,
        "tournament": "made up",
        "preset": preset,
        "rules": {},
        "players": [],
        "teams": teams,
        "machines": [{"id": f"m{number}", "name": "M", "players": 4} for number in range(9)],
    }
    log: list[Document] = []
    there = {name: [f"t{seed}" for seed in group if seed in seeds] for name, group in groups.items()}
    change_teams(chance, log, there)
    todo: list[tuple[str, ...]] = [pair for group in there.values() for pair in combinations(group, 2)]
    todo += [(team,) for group in there.values() for team in group if chance.random() < 0.85]
    chance.shuffle(todo)
    machines = {team: f"m{place}" for place, group in enumerate(there.values()) for team in group}
    for what in todo:
        if len(what) == 1:
            bonus(chance, log, what[0], machines[what[0]])
        elif chance.random() < 0.8:
            match(chance, log, preset, *chance.sample(what, 2))
    firsts = [group[0] for group in there.values() if group]
    if len(firsts) > 1 and chance.random() < 0.3:
        one, other = firsts[:2]
        log.append({"match": "across", "home": one, "away": other, "note": REFUSED})
    if chance.random() < 0.15 and seeds:
        log.append({"penalty": f"t{chance.choice(seeds)}", "for": "disqualified", "why": "went on and on"})
    if chance.random() < 0.85:
        close(chance, head, log)
    return {**head, "log": log}


def roster(team: str) -> list[Document]:
    """Four members."""
    return [{"id": f"{team}{letter}"} for letter in "abcd"]


def change_teams(chance: Random, log: list[Document], there: dict[str, list[str]]) -> None:
    """Before play: a team that is missing, or replaced by the reserve."""
    group = there[chance.choice(list(there))]
    if not group or chance.random() < 0.6:
        return
    team = chance.choice(group)
    if chance.random() < 0.5:
        log.append({"absent": team, "with": "r1", "note": TAKEN})
        group[group.index(team)] = "r1"
    else:
        log.append({"absent": team, "stage": "qualifying", "note": TAKEN})
        group.remove(team)


def score(chance: Random) -> int:
    """A score, often one that another has too."""
    return chance.choice((chance.randrange(1, 5), chance.randrange(1, 5), chance.randrange(10**6), 0))


def bonus(chance: Random, log: list[Document], team: str, machine: str) -> None:
    """The game of a team for itself."""
    game = f"b{team}"
    log.append({"game": game, "slot": "bonus", "machine": machine, "scores": {team: score(chance)}, "note": TAKEN})
    if chance.random() < 0.1:
        again = {"game": f"{game}2", "slot": "bonus", "machine": machine, "scores": {team: 9}, "note": REFUSED}
        log.append(again)
    if chance.random() < 0.1:
        log.append({"penalty": team, "for": "slam-tilt", "game": game})
    elif chance.random() < 0.1:
        log.append({"correct": game, "scores": {team: score(chance)}, "why": "misread"})


def match(chance: Random, log: list[Document], preset: str, home: str, away: str) -> None:
    """A match of two teams with its game or games."""
    name = f"x{home}{away}"
    log.append({"match": name, "home": home, "away": away, "note": TAKEN})
    if chance.random() < 0.1:
        offence = chance.choice(("late", "slam-tilt"))
        who = chance.sample((home, away), chance.choice((1, 1, 2)))
        late = [{"absent": team, "match": name} for team in who]
        log.extend(late if chance.random() < 0.3 else [{"penalty": t, "for": offence, "match": name} for t in who])
        return
    if preset == "uk-team":
        one_game(chance, log, name, home, away)
    else:
        two_games(chance, log, name, home, away, "qualifying")


def one_game(chance: Random, log: list[Document], name: str, home: str, away: str) -> None:
    """UT2: one game by team, and one more where it is drawn."""
    scores = {home: score(chance), away: score(chance)}
    log.append({"game": f"g{name}", "match": name, "machine": "m7", "scores": scores, "note": TAKEN})
    if scores[home] == scores[away] and chance.random() < 0.7:
        again = {home: score(chance), away: score(chance)}
        log.append({"game": f"d{name}", "match": name, "tiebreak": f"g{name}", "machine": "m7", "scores": again})
    elif chance.random() < 0.1:
        log.append({"game": f"h{name}", "match": name, "machine": "m8", "scores": scores, "note": REFUSED})
    if chance.random() < 0.1 and scores[home] != scores[away]:
        log.append({"correct": f"g{name}", "scores": {home: 7, away: 8}, "why": "misread"})
    if chance.random() < 0.08:
        log.append({"penalty": home, "for": "slam-tilt", "match": name, "game": f"g{name}"})


def two_games(chance: Random, log: list[Document], name: str, home: str, away: str, stage: str) -> None:
    """EC2: two games of two players of each team."""
    extra = {"stage": stage} if stage == "final" else {}
    for part, pair in enumerate(("ab", "cd")[: chance.choice((1, 2, 2, 2))]):
        who = [f"{team}{letter}" for letter in pair for team in (home, away)]
        game = {"game": f"g{name}{part}", "match": name, "machine": f"m{part + 5}"} | extra
        if chance.random() < 0.05:
            log.append(game | {"scores": {f"{home}{letter}": 5 for letter in "abcd"}, "note": REFUSED})
        log.append(game | {"scores": {player: score(chance) for player in who}, "note": TAKEN})
    if chance.random() < 0.05:
        twice = {f"{team}{letter}": 5 for letter in "ab" for team in (home, away)}
        log.append({"game": f"h{name}", "match": name, "machine": "m8", "scores": twice, "note": REFUSED} | extra)


def close(chance: Random, head: Document, log: list[Document]) -> None:
    """Close qualifying, play off what the product says is tied, then the final."""
    many = {"qualifiers": chance.randrange(1, 7)} if head["preset"] == "epc-country" else {}
    log.append({"close": "qualifying", "note": TAKEN} | many)
    log.append({"game": "late", "slot": "bonus", "machine": "m0", "scores": {"r1": 5}, "note": REFUSED})
    state: Any = evaluate(parse({**head, "log": log}))
    stage = state["stages"][0]
    for number, tie in enumerate(stage["tiebreaks"]):
        if tie["reason"] == "cut" and chance.random() < 0.7:
            scores = {who: score(chance) for who in tie["who"]}
            log.append({"game": f"p{number}", "tiebreak": True, "machine": "m0", "scores": scores})
    if head["preset"] == "epc-country":
        state = evaluate(parse({**head, "log": log}))
        through = state["stages"][0]["advance"]
        if not state["stages"][0]["tiebreaks"]:
            for pair in combinations(through, 2):
                name = f"f{pair[0]}{pair[1]}"
                log.append({"match": name, "home": pair[0], "away": pair[1], "stage": "final", "note": TAKEN})
                two_games(chance, log, name, *pair, "final")
