"""One match of a made-up league: line-ups, games on machines of every kind, and what goes wrong in an evening.

A seed gives always the same evening. Whoever plays it knows roughly what is lawful and does the other thing now and
then; whatever is recorded may as well be refused.
"""

from tests.properties.league_happenings import Evening, happen, is_full, record, spoil
from tests.properties.tournaments import Document


def play(evening: Evening) -> None:
    """Play a match from its terms to its end."""
    desk, name = evening.desk, evening.match["match"]
    if desk.often(0.15):
        terms: Document = desk.chance.choice(({"extra_balls": 0}, {"balls": 3}, {"challenge_modes": True}))
        desk.add({"terms": name} | terms)
    stop = desk.chance.randrange(1, 5) if desk.often(0.15) else 5
    for number in range(1, 5):
        if number == stop:
            break
        play_round(evening, number)
    finish(evening, cut_short=stop < 5)


def finish(evening: Evening, *, cut_short: bool) -> None:
    """End a match: a tie-break game where it may be needed, somebody who leaves, an end."""
    desk, name = evening.desk, evening.match["match"]
    home, away = evening.match["home"], evening.match["away"]
    if cut_short and desk.often(0.5):
        for team in desk.chance.sample((home, away), desk.chance.choice((1, 1, 2))):
            desk.add({"forfeit": name, "team": team, "for": "left-early"})
        return
    if desk.often(0.3):
        desk.add({"end": name})
    one, other = desk.score(), desk.score()
    if one != other:
        machine = next(iter(evening.machines))
        scores = {away: one, home: other}
        desk.add({"game": desk.name(), "match": name, "tiebreak": True, "machine": machine, "scores": scores})
    desk.add({"end": name})
    if desk.often(desk.wild):
        desk.add({"forfeit": name, "team": home})
    if desk.often(desk.wild) and evening.last:
        desk.add({"challenge": evening.last, "team": away, "why": "after the end"})


def play_round(evening: Evening, number: int) -> None:
    """One round: line-ups or none, then its games."""
    desk = evening.desk
    size, slots = (2, 2) if number in {1, 4} else (1, 4)
    first = evening.match["away" if number % 2 else "home"]
    second = evening.match["home" if number % 2 else "away"]
    plan = {team: seat(evening, team, number, size, slots) for team in (first, second)}
    machines = pick_machines(evening, slots, parts_allowed=evening.declared or all(map(is_full, plan.values())))
    if evening.declared:
        declare(evening, number, first, plan[first], machines)
        declare(evening, number, second, plan[second], None)
        if desk.often(0.1):
            machines = break_down(evening, number, plan, machines)
        if desk.often(0.1):
            practise(evening, number, plan, first)
    order = list(range(slots))
    if desk.often(0.3):
        desk.chance.shuffle(order)
    for index in order:
        where: Document = {"match": evening.match["match"], "round": number}
        if size == 1 and forfeit_empty(evening, where, plan, index):
            continue
        where["slot"] = desk.chance.choice((index + 1, str(index + 1)))
        play_game(evening, where, machines[index], [plan[second][index], plan[first][index]], size)


def forfeit_empty(evening: Evening, where: Document, plan: dict[str, list[list[str]]], index: int) -> bool:
    """PC21: the single that a short team cannot play."""
    empty = [team for team in plan if index >= len(plan[team])]
    for team in empty:
        evening.desk.add({"forfeit": where["match"], "team": team, "round": where["round"], "slot": index + 1})
    return bool(empty)


def play_game(evening: Evening, where: Document, machine: str, turn: list[list[str]], size: int) -> None:
    """A game in its slot: before it something unlawful, after it what is said of it."""
    desk = evening.desk
    if size == 2 and desk.often(0.05):
        turn = [turn[1], turn[0]]
    if desk.often(desk.wild):
        spoil(evening, where, machine, turn)
    record(evening, where, machine, turn, size)
    if desk.often(0.2):
        happen(evening, where, machine, turn)


def seat(evening: Evening, team: str, number: int, size: int, slots: int) -> list[list[str]]:
    """Who of a team plays in which game; three who are there play one game alone."""
    there = evening.players(team, number)
    if len(there) < 4:
        one, two, three = there[:3]
        if size == 1:
            return [[one], [two], [three]]
        return [[one], [two, three]] if number == 1 else [[one, three], [two]]
    if size == 1:
        return [[who] for who in evening.desk.chance.sample(there, slots)]
    if number == 1:
        evening.fixed[hash_free(team)] = there[:4]
        return [[there[0], there[1]], [there[2], there[3]]]
    before = evening.fixed.get(hash_free(team), [])
    free = [who for who in before if who in there] + [who for who in there if who not in before]
    chosen = free[:4]
    pairs = [[chosen[0], chosen[2]], [chosen[1], chosen[3]]]
    for pair in pairs:
        pair.sort(key=lambda who: who in evening.tops)
    return pairs


def hash_free(team: str) -> int:
    """A number of a team that does not hang on how text is hashed."""
    return int.from_bytes(team.encode())


def pick_machines(evening: Evening, slots: int, *, parts_allowed: bool) -> list[str]:
    """The machines of a round, none more than twice and more than one where there are more."""
    names = [name for name, places in evening.machines.items() if places >= 4 or parts_allowed]
    evening.desk.chance.shuffle(names)
    if len(evening.machines) == 1:
        return names * slots
    names = names if len(names) > 1 else list(evening.machines)
    if slots == 2:
        return names[:2]
    return (names * 2)[:slots] if len(names) < slots else names[:slots]


def declare(evening: Evening, number: int, team: str, plan: list[list[str]], machines: list[str] | None) -> None:
    """Declare a line-up; now and then something else first."""
    desk = evening.desk
    games: list[Document] = [{"slot": index + 1, "players": players} for index, players in enumerate(plan)]
    if machines is not None:
        games = [game | {"machine": machine} for game, machine in zip(games, machines, strict=False)]
    entry = {"lineup": evening.match["match"], "round": number, "team": team, "games": games}
    if desk.often(desk.wild):
        everybody = sorted({*evening.home, *evening.away, *desk.head["everybody"]})
        index = desk.chance.randrange(len(games))
        wrong = [*games[:index], games[index] | {"players": desk.chance.sample(everybody, 2)}, *games[index + 1 :]]
        twice = [game | {"players": games[0]["players"]} for game in games]
        other = [game | {"machine": desk.chance.choice(list(evening.machines))} for game in games]
        bare = [{"slot": game["slot"], "players": game["players"]} for game in games]
        desk.add(
            entry | {"games": desk.chance.choice((wrong, twice, other, bare, games[:1] if len(games) > 2 else bare))}
        )
    desk.add(entry)
    if desk.often(desk.wild):
        desk.add(entry)


def break_down(evening: Evening, number: int, plan: dict[str, list[list[str]]], machines: list[str]) -> list[str]:
    """A machine fails after the line-ups: another is named for its games, and the players may change."""
    desk = evening.desk
    failed = desk.chance.choice(machines)
    rest = [name for name in evening.machines if name != failed]
    desk.add({"machine": failed, "status": desk.chance.choice(("down", "down", "disabled"))})
    if not rest:
        desk.add({"machine": failed, "status": "up"})
        return machines
    after = list(machines)
    for index, name in enumerate(machines):
        if name != failed:
            continue
        counts = {other: after.count(other) for other in rest}
        after[index] = min(rest, key=lambda other: (counts[other], other))
        for team in plan if desk.often(0.9) else reversed(list(plan)):
            if index < len(plan[team]):
                game: Document = {"slot": index + 1, "players": plan[team][index]}
                if team == next(iter(plan)):
                    game["machine"] = after[index]
                desk.add({"lineup": evening.match["match"], "round": number, "team": team, "games": [game]})
    evening.machines = {name: places for name, places in evening.machines.items() if name != failed}
    return after


def practise(evening: Evening, number: int, plan: dict[str, list[list[str]]], team: str) -> None:
    """Somebody practises on the declared machine, now and then two of a team."""
    for index in evening.desk.chance.sample(range(len(plan[team])), evening.desk.chance.choice((1, 2))):
        where = {"match": evening.match["match"], "round": number, "slot": index + 1}
        evening.desk.add({"penalty": plan[team][index][0], "for": "practice"} | where)
