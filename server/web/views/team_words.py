"""Entries about teams in words: matches, line-ups, forfeits, rosters, terms, challenges.

Only wording. Invariant: every field of an entry is said, by name where it is a person, a team or a machine.
"""

from collections.abc import Callable, Mapping
from typing import Any

from server.web.views.names import listed

Name = Callable[[object], str]
"""Gives what somebody or something with an id is called."""
Entry = Mapping[str, Any]


def team_entry(entry: Entry, person: Name, machine: Name) -> str | None:
    """An entry about teams in one sentence; None for another kind."""
    kind = next(iter(entry), "")
    teller = _TELLERS.get(kind)
    return None if teller is None else teller(entry, person, machine)


def place_of(entry: Entry) -> str:
    """Of which match, round and game an entry is: ` in match x1, round 2, game 3`; empty where it says nothing."""
    words = {"match": "match", "round": "round", "slot": "game"}
    said = [f"{word} {entry[key]}" for key, word in words.items() if entry.get(key) is not None]
    return f" in {', '.join(said)}" if said else ""


def _match(entry: Entry, person: Name, _: Name) -> str:
    said = f"match {entry['match']}: {person(entry.get('home'))} against {person(entry.get('away'))}"
    said += "".join(f", {key} {entry[key]}" for key in ("week", "venue", "stage") if entry.get(key) is not None)
    return said + (", a tie-break match" if entry.get("tiebreak") else "")


def _lineup(entry: Entry, person: Name, machine: Name) -> str:
    games = [
        f"game {game.get('slot')} {listed(person(who) for who in game.get('players') or ())}"
        + (f" on {machine(game['machine'])}" if game.get("machine") is not None else "")
        for game in entry.get("games") or ()
        if isinstance(game, Mapping)
    ]
    where = f"match {entry['lineup']}, round {entry.get('round')}"
    return f"line-up of {person(entry.get('team'))} for {where}: {'; '.join(games) or 'nobody'}"


def _forfeit(entry: Entry, person: Name, _: Name) -> str:
    said = f"{person(entry.get('team'))} forfeits match {entry['forfeit']}"
    if entry.get("slot") is not None or entry.get("round") is not None:
        said = f"{person(entry.get('team'))} forfeits a game{place_of({**entry, 'match': entry['forfeit']})}"
    said += f" ({entry['for']})" if entry.get("for") else ""
    return said + (", the others stayed" if entry.get("stayed") else "")


def _roster(entry: Entry, person: Name, _: Name) -> str:
    words = {"drop": "without", "add": "with", "set": "with"}
    did = [f"{word} {person(entry[key])}" for key, word in words.items() if entry.get(key) is not None]
    role = f" as {entry['role']}" if entry.get("role") else ""
    return f"roster of {person(entry['roster'])}: {listed(did) or 'nothing changed'}{role}"


def _terms(entry: Entry, _: Name, __: Name) -> str:
    words = {"extra_balls": "extra balls", "balls": "balls", "challenge_modes": "challenge modes"}
    agreed = [f"{word} {_plain(entry[key])}" for key, word in words.items() if entry.get(key) is not None]
    return f"terms of match {entry['terms']}: {listed(agreed) or 'none'}"


def _challenge(entry: Entry, person: Name, _: Name) -> str:
    return f"{person(entry.get('team'))} contests game {entry['challenge']}"


def _end(entry: Entry, _: Name, __: Name) -> str:
    return f"match {entry['end']} is over"


def _plain(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


_TELLERS: Mapping[str, Callable[[Entry, Name, Name], str]] = {
    "match": _match,
    "lineup": _lineup,
    "forfeit": _forfeit,
    "roster": _roster,
    "terms": _terms,
    "challenge": _challenge,
    "end": _end,
}
