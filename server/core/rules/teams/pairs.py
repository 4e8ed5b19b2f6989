"""Who plays with whom: nobody twice in a round (PC8), no pair twice in a match (PC9), nobody alone twice (PC21).

Each function looks at the games of a sheet that have changed, and names the rule. Invariant: only games of the same
match matter, and a game never stands against itself.
"""

from collections.abc import Collection
from itertools import combinations

from server.core.rules.teams.lineups_sheet import Key, Sheet


def plays_twice(sheet: Sheet, team: str, changed: Collection[Key]) -> str | None:
    """PC8: say who would play twice in a round, None where nobody does."""
    for key in changed:
        players = sheet[key].players.get(team, ())
        for other, cell in sheet.items():
            if other == key or other[0] != key[0]:
                continue
            again = next((who for who in players if who in cell.players.get(team, ())), None)
            if again is not None:
                return f"PC8: nobody plays twice in a round: {again} plays game {other[1]} of round {key[0]}"
    return None


def pairs_again(sheet: Sheet, team: str, changed: Collection[Key]) -> str | None:
    """PC9: say which pair would play together a second time in a match, None where none does."""
    for key in changed:
        cell = sheet[key]
        if cell.slot.kind != "doubles":
            continue
        for pair in combinations(cell.players.get(team, ()), 2):
            for other, there in sheet.items():
                if other != key and there.slot.kind == "doubles" and {*pair} <= {*there.players.get(team, ())}:
                    return f"PC9: {pair[0]} and {pair[1]} play together in round {other[0]} already"
    return None


def alone_again(sheet: Sheet, team: str, changed: Collection[Key]) -> str | None:
    """PC21, PC22: one short game a round, another lone player in each round, and the lone player meets two."""
    for key in changed:
        lone = sheet[key].alone(team)
        if lone is None:
            continue
        for other, cell in sheet.items():
            if other == key:
                continue
            alone = cell.alone(team)
            if alone is not None and other[0] == key[0]:
                return f"PC21: one short game a round: {alone} plays game {other[1]} of round {key[0]} alone"
            if alone == lone:
                return (
                    f"PC21: {lone} plays alone in round {other[0]} already: another player is alone in round {key[0]}"
                )
        facing = next((who for one in sheet[key].players if one != team and (who := sheet[key].alone(one))), None)
        if facing is not None:
            return f"PC22: who plays alone meets two: {facing} is alone in game {key[1]} of round {key[0]}"
    return None
