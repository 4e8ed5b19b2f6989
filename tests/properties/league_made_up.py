"""Seasons of a league made up from a seed: teams, venues, weeks of matches, rosters that change, a close, playoffs.

A seed gives always the same season. Who goes on is read off the product's own output, as a desk does; nothing here
knows how anything is ranked, and whatever is recorded may as well be refused.
"""

from datetime import UTC, datetime, timedelta
from itertools import combinations
from random import Random
from typing import Any

from server.core.rules import evaluate, parse
from tests.properties.league_happenings import Desk, Evening
from tests.properties.league_night import play
from tests.properties.tournaments import Document

FIRST_NIGHT = datetime(2026, 3, 3)  # noqa: DTZ001 - the clock of the venue, as in a file


def season(seed: int, teams: int = 0, weeks: int = 0, wild: float = 0.06) -> Document:
    """Make up a season; without a number of teams a small one."""
    chance = Random(seed)  # noqa: S311 - the same seed, the same season
    head = make_head(chance, teams or chance.randrange(2, 6))
    desk = Desk(chance=chance, head=head, wild=chance.choice((0, wild, wild)))
    timed = chance.random() < 0.6
    matches = timetable(desk, weeks or chance.randrange(1, 5))
    ahead = chance.random() < 0.3
    desk.now = FIRST_NIGHT if timed else None
    for match in matches if ahead else ():
        desk.add(match)
    for week, (number, match) in enumerate((match["week"], match) for match in matches):
        if timed:
            desk.now = FIRST_NIGHT + timedelta(days=7 * number, hours=chance.choice((12, 15)), minutes=week % 60)
        if desk.often(0.3):
            change_roster(desk)
        if timed:
            desk.now = FIRST_NIGHT + timedelta(days=7 * number, hours=20)
        if not ahead:
            desk.add(match)
        meet(desk, match)
        for machine in {entry["machine"] for entry in desk.log if next(iter(entry)) == "machine"} if timed else ():
            desk.add({"machine": machine, "status": "up"})
        if not timed:
            desk.log += [{"machine": name, "status": "up"} for name in sorted(not_up(desk))]
    finish(desk)
    return {**{key: value for key, value in desk.head.items() if key != "everybody"}, "log": desk.log}


def not_up(desk: Desk) -> set[str]:
    """The machines that some entry took out."""
    status = {entry["machine"]: entry["status"] for entry in desk.log if next(iter(entry)) == "machine"}
    return {name for name, found in status.items() if found != "up"}


def make_head(chance: Random, count: int) -> Document:
    """The head of a file: teams with their rosters and ranks, venues with machines of every kind."""
    teams, players, machines, everybody = [], [], [], []
    conferences = count >= 4 and chance.random() < 0.2
    for index in range(count):
        letter = chr(ord("A") + index)
        members = [f"{letter.lower()}{number}" for number in range(1, chance.choice((6, 7, 8, 9)) + 1)]
        everybody += members
        roles = [{"id": who, "role": "starter" if place < 6 else "reserve"} for place, who in enumerate(members)]
        if chance.random() < 0.5:
            rank = chance.choice((1, 100, 150, 151, 500, 501))
            player = {"id": members[-1], "name": members[-1], "wppr_rank": rank}
            if chance.random() < 0.3:
                player["season_rank"] = chance.choice((2, 150, 151, 900))
            players.append(player)
        team: Document = {"id": letter, "name": f"Team {letter}", "home": f"v{letter}", "captain": members[0]}
        teams.append(team | {"roster": roles} | ({"division": "ab"[index % 2]} if conferences else {}))
        for number in range(1, chance.choice((1, 2, 3, 4, 5)) + 1):
            places = 4 if number < 3 else chance.choice((4, 2, 1))
            machines.append({"id": f"{letter.lower()}m{number}", "name": "M", "players": places, "venue": f"v{letter}"})
    rules: Document = {}
    if chance.random() < 0.15:
        rules = {"forfeit_points": 8, "singles_points": 3, "restricted_rank": 1}
    return {
        "inlane": 1,
        "tournament": "made up",
        "preset": "pinball-chicago",
        "rules": rules,
        "timezone": chance.choice(("UTC", "America/Chicago")),
        "players": players,
        "teams": teams,
        "machines": machines,
        "everybody": everybody,
    }


def timetable(desk: Desk, weeks: int) -> list[Document]:
    """The matches of all weeks: each team at most once a week."""
    names = [team["id"] for team in desk.head["teams"]]
    found: list[Document] = []
    for week in range(1, weeks + 1):
        free = desk.chance.sample(names, len(names))
        while len(free) > 1:
            home, away = free.pop(), free.pop()
            match = {"match": f"x{len(found) + 1}", "home": home, "away": away, "week": week}
            found.append(match | ({"venue": f"v{home}"} if desk.often(0.5) else {}))
    return found


def meet(desk: Desk, match: Document) -> None:
    """One match: played, or forfeited."""
    if desk.often(0.25):
        team = desk.chance.choice((match["home"], match["away"]))
        how = desk.chance.choice(
            ({}, {"stayed": True}, {"for": "no-show"}, {"for": "venue-closed"}, {"for": "moved-venue"})
        )
        team = match["home"] if how.get("for") == "moved-venue" else team
        desk.add({"forfeit": match["match"], "team": team} | how)
        if desk.often(0.2) and how in ({}, {"for": "no-show"}):
            other = match["away"] if team == match["home"] else match["home"]
            desk.add({"forfeit": match["match"], "team": other})
        return
    play(evening_of(desk, match))


def evening_of(desk: Desk, match: Document, tops: frozenset[str] | None = None) -> Evening:
    """The people and machines of a match."""
    dropped = {entry[key] for entry in desk.log if next(iter(entry)) == "roster" for key in ("drop",) if key in entry}
    there = {}
    for name in (match["home"], match["away"]):
        team = next(team for team in desk.head["teams"] if team["id"] == name)
        people = [member["id"] for member in team["roster"] if member["id"] not in dropped]
        present = 3 if desk.often(0.15) else desk.chance.randrange(5, 7)
        top = top_players(desk)
        there[name] = [who for who in people if who not in top][:3] if present == 3 else people[-present:]
        if len([who for who in there[name] if who not in top]) < 4 and present > 3:
            there[name] = [who for who in people if who not in top][:4]
    venue = match.get("venue") or f"v{match['home']}"
    machines = {m["id"]: m["players"] for m in desk.head["machines"] if m["venue"] == venue}
    return Evening(
        desk=desk,
        match=match,
        home=there[match["home"]],
        away=there[match["away"]],
        tops=tops if tops is not None else top_players(desk),
        machines=machines,
        declared=desk.often(0.5),
    )


def top_players(desk: Desk) -> frozenset[str]:
    """Who is in the top 150; now and then nobody heeds it."""
    if desk.often(desk.wild / 3):
        return frozenset()
    return frozenset(p["id"] for p in desk.head["players"] if p.get("season_rank", p["wppr_rank"]) <= 150)


def change_roster(desk: Desk) -> None:
    """A change of a roster, lawful or not, before or after the hour."""
    team = desk.chance.choice(desk.head["teams"])
    members = [member["id"] for member in team["roster"]]
    new = f"{team['id'].lower()}n{desk.chance.randrange(1, 6)}"
    old = desk.chance.choice(members[1:] if desk.often(0.8) else members)
    other = desk.chance.choice(desk.head["everybody"])
    role = desk.chance.choice(("starter", "reserve"))
    how: Any = desk.chance.choice(
        (
            {"add": new, "role": "reserve"},
            {"add": new, "role": role},
            {"drop": old},
            {"drop": old, "add": new, "role": "starter"},
            {"set": old, "role": role},
            {"add": other, "role": role},
            {"add": old, "role": role},
        )
    )
    if how.get("add") in desk.head["everybody"] and desk.often(0.7):
        return
    desk.add({"roster": team["id"]} | how)


def finish(desk: Desk) -> None:
    """Close the season, play off a tie, begin the playoffs."""
    if desk.often(0.2):
        return
    if desk.now is not None and desk.often(0.5):
        change_roster(desk)
    if desk.now is not None:
        desk.now += timedelta(days=1)
    many = desk.chance.choice((1, 2, 2, 3, 4))
    desk.add({"close": "season"} | ({"qualifiers": many} if desk.often(0.9) else {}))
    if desk.often(0.3):
        change_roster(desk)
    stage = told(desk)
    for tie in stage["tiebreaks"]:
        if len(tie["who"]) == 2 and tie["reason"] == "cut" and desk.often(0.7):
            home, away = desk.chance.sample(tie["who"], 2)
            name = f"t{len(desk.log)}"
            desk.add({"match": name, "home": home, "away": away, "tiebreak": True, "venue": f"v{home}"})
            if desk.often(0.5):
                desk.add({"forfeit": name, "team": home})
            else:
                play(evening_of(desk, {"match": name, "home": home, "away": away, "venue": f"v{home}"}))
    begin_playoffs(desk)


def told(desk: Desk) -> Any:  # noqa: ANN401 - the output
    """What the product says of the season."""
    head = {key: value for key, value in desk.head.items() if key != "everybody"}
    state: Any = evaluate(parse({**head, "log": desk.log}))
    return next(stage for stage in state["stages"] if stage["id"] == "season")


def begin_playoffs(desk: Desk) -> None:
    """Meetings of those who go on and of those who do not, at home where they should be or not."""
    names = [team["id"] for team in desk.head["teams"]]
    through = told(desk)["advance"]
    if desk.now is not None:
        desk.now += timedelta(days=6)
    for number, pair in enumerate(list(combinations(through, 2))[:3]):
        home, away = pair if desk.often(0.8) else desk.chance.sample(names, 2)
        match = {"match": f"q{number}", "home": home, "away": away, "stage": "playoffs", "venue": f"v{home}"}
        desk.add(match)
        if desk.often(0.4):
            desk.add({"forfeit": match["match"], "team": desk.chance.choice((home, away))})
        else:
            play(evening_of(desk, match))


def as_time(moment: datetime) -> str:
    """A time of the venue, as a file has it."""
    return moment.replace(tzinfo=UTC).isoformat()
