"""A second evaluator of the code of conduct `2cp`, and events made up to try it.

Written from the rule page alone: offences are counted anew for every question. Invariant: a seed gives always the same
event; `log` holds only entries that were accepted.
"""

from random import Random

from tests.properties import by_the_book
from tests.properties.by_the_book import Book, Entry
from tests.properties.tournaments import Document

AT_ONCE = frozenset({"violence", "vandalism", "cheating"})


def about_match(book: Book, name: object) -> object:
    """The match that a game belongs to."""
    return next((game.get("match") for game in book.about("game") if game["game"] == name), None)


def offences(book: Book, who: str) -> list[Entry]:
    """CC5: the interferences of a player, in order."""
    return [entry for entry in book.about("penalty") if entry["penalty"] == who and entry["for"] == "interference"]


def is_suspended(book: Book, who: str) -> bool:
    """CC5, CC7, CC8: four offences, or one that counts as the fourth."""
    wiping = set(AT_ONCE) if book.settings["cheating_wipes"] else AT_ONCE - {"cheating"}
    at_once = any(entry["penalty"] == who and entry["for"] in wiping for entry in book.about("penalty"))
    return at_once or len(offences(book, who)) > 3


def score(book: Book, game: Entry, who: str) -> int | None:
    """CC1, CC5: the score that counts; None where there is none."""
    found = by_the_book.official(book, game, who)
    if found is None or is_suspended(book, who):
        return None
    mine = offences(book, who)
    third = {about_match(book, entry["game"]) for entry in mine[2:3]}
    here = any(entry["game"] == game["game"] for entry in mine)
    return 0 if here or game.get("match") in third else found


def counted(book: Book) -> list[Entry]:
    """CC10, CC2: the games that stand by themselves, on machines whose scores are used."""
    dead: set[str] = set()
    for entry in book.log:
        if next(iter(entry)) == "machine" and entry.get("scores") == "void":
            before = book.log[: book.log.index(entry)]
            dead |= {
                game["game"] for game in before if next(iter(game)) == "game" and game["machine"] == entry["machine"]
            }
    void = {entry["void"] for entry in book.about("void") if "who" not in entry}
    named = book.named()
    return [game for game in book.about("game") if "match" in game and game["game"] not in void | dead | named]


def rows(book: Book) -> dict[str, list[tuple[str, int, int]]]:
    """CC5, CC10: for each player the machine, score and place of each game, in order; the suspended are gone."""
    found: dict[str, list[tuple[str, int, int]]] = {}
    for game in counted(book):
        scores = {who: value for who in game["scores"] if (value := score(book, game, who)) is not None}
        for who, value in scores.items():
            place = 1 + sum(other > value for other in scores.values())
            found.setdefault(who, []).append((game["machine"], value, place))
    return found


def event(seed: int) -> Document:
    """Make up an event under the code of conduct."""
    chance = Random(seed)  # noqa: S311 - the same seed, the same event
    people = [f"p{number}" for number in range(1, chance.randrange(2, 6) + 1)]
    rules = {"event": chance.choice(("tournament", "league"))}
    log: list[Document] = []
    for number in range(1, chance.randrange(2, 14)):
        game, match = f"g{number}", f"r{(number + 2) // 3}"
        who = chance.sample(people, chance.randrange(2, len(people) + 1))
        scores = {player: chance.choice((chance.randrange(1, 6), chance.randrange(10**6))) for player in who}
        log.append({"game": game, "match": match, "machine": f"m{chance.randrange(1, 5)}", "scores": scores})
        bad = chance.choice(people[:2])
        if bad in scores and chance.random() < 0.5:
            log.append({"penalty": bad, "for": "interference", "game": game, "why": "nudged"})
        if chance.random() < 0.04:
            log.append({"penalty": bad, "for": chance.choice(sorted(AT_ONCE)), "why": "seen by all"})
        if chance.random() < 0.15:
            log.append({"game": f"{game}r", "machine": f"m{number}", "scores": {who[0]: chance.randrange(9)}})
            log[-1]["machine"] = next(entry["machine"] for entry in log if entry.get("game") == game)
            log.append({"ruling": game, "who": who[0], "kind": "replay", "games": [f"{game}r"], "why": "a lost ball"})
        if chance.random() < 0.1:
            log.append({"correct": game, "scores": {who[0]: chance.randrange(9)}, "why": "misread"})
        if chance.random() < 0.07:
            log.append({"void": game, "why": "nobody started it"})
        if chance.random() < 0.05:
            log.append({"machine": f"m{chance.randrange(1, 5)}", "status": "closed", "scores": "void"})
    return {
        "inlane": 1,
        "tournament": "conduct",
        "preset": "2cp",
        "rules": rules,
        "players": [{"id": who, "name": who} for who in people],
        "machines": [{"id": f"m{number}", "name": "M", "players": 4} for number in range(1, 5)],
        "log": log,
    }


def may_not_count(document: Document, number: int) -> bool:
    """CC2, CC5, C1.8: a game of somebody suspended, on a machine that is closed, or that nothing counts."""
    game, before = document["log"][number - 1], Book(document, document["log"][: number - 1])
    closed = any(entry["machine"] == game["machine"] for entry in before.about("machine"))
    return closed or "match" not in game or any(is_suspended(before, who) for who in game["scores"])
