"""Why a player's score in a game is what it is: each step from the machine's number to the one that counts (C1).

The steps repeat what `scores.official` does, with the entries that did it. Invariant: the value of the last step is the
official score.
"""

from collections.abc import Iterator

from server.core.explain.grounds import Grounds, number
from server.core.explain.lines import Line
from server.core.explain.log import Note
from server.core.rules.acts import Correct, Penalty, Ruling, Void
from server.core.rules.attempts import rescale
from server.core.rules.scores import official
from server.core.rules.state import Game, Stage


def explain_score(grounds: Grounds, game: Game, who: str, stage: Stage | None = None) -> Line:
    """Give the line of a player's score in a game, with a part for each step; in a stage also as rescaled there (U3.3).

    Its value is None where no score is left: void, or disqualified.
    """
    score = official(game, who, grounds.state.games, grounds.settings.ring_bonus)
    steps = score_steps(grounds, game, who)
    machine = game.machine.head.id
    if score is not None and stage is not None and machine in stage.rescaled:
        factor, other = stage.rescaled[machine]
        last = score
        score = rescale(stage, machine, score)
        notes = [note for note in grounds.history.machines.get(machine, ()) if note.number == game.machine.out_entry]
        because = f"{number(last)} times {factor} is {number(score)}, rounded down: counts on {grounds.machine(other)}"
        steps.append(grounds.line("rescaled", because, score, stage=stage, note=notes[-1] if notes else None))
    name = grounds.machine(machine)
    said = f"{number(score)} on {name} in game {game.id}" if score is not None else f"no score in game {game.id}"
    entries = dict.fromkeys(entry for step in steps for entry in step.entries)
    return grounds.line("score", said, score, who=who, machine=machine, game=game.id, entries=entries, parts=steps)


def score_steps(grounds: Grounds, game: Game, who: str) -> list[Line]:
    """Give the steps of a score that the game has for the player, in the order in which they are taken."""
    steps = machine_steps(grounds, game, who)
    score = steps[-1].value
    notes = grounds.history.games.get(game.id, [])
    if not isinstance(score, int):
        return steps
    for note in notes:
        if isinstance(note.act, Ruling) and note.act.who in {None, who}:
            step = _ruling(grounds, note, note.act, score, who)
            steps.append(step)
            score = step.value if isinstance(step.value, int) else score
    if game.said is not None and who in game.said.zeroed:
        for note, offence in _zeroing(grounds, game.id, who):
            steps.append(grounds.line("zero", f"a penalty for {offence} makes it 0", 0, note=note))
        return steps + _by_conduct(grounds, game, who, 0) + _by_offence(grounds, game, who, 0)
    most = game.machine.head.max_score
    if most is not None and score > most:
        because = f"nobody gets more than {number(most)} on {grounds.machine(game.machine.head.id)}"
        steps.append(grounds.line("cap", because, most))
    return steps


def machine_steps(grounds: Grounds, game: Game, who: str) -> list[Line]:
    """C1.1 to C1.3: the machine's number as recorded and corrected, with roll-overs and rings; None once it is void."""
    name = grounds.machine(game.machine.head.id)
    score = game.played.scores[who]
    because = f"{name} showed {number(score)} in game {game.id}"
    steps = [grounds.line("machine-score", because, score, game=game.id, entries=(game.entry,))]
    for note in grounds.history.games.get(game.id, ()):
        if isinstance(note.act, Correct) and who in note.act.scores:
            because = f"corrected from {number(score)} to {number(note.act.scores[who])}"
            score = note.act.scores[who]
            steps.append(grounds.line("correction", because, score, note=note))
    if game.said is not None and game.said.has_no_score(who):
        return steps + _without_score(grounds, game, who)
    rolled = (game.played.rollovers or {}).get(who, 0)
    digits = game.machine.head.digits
    if rolled and digits is None:
        because = f"{rolled} times rolled over, but how many digits {name} has is not known: nothing is added"
        steps.append(grounds.line("roll-overs", because, score, entries=(game.entry,)))
    elif rolled and digits is not None:
        score += rolled * 10**digits
        because = f"rolled over {rolled} times past {digits} digits: {number(rolled * 10**digits)} more"
        steps.append(grounds.line("roll-overs", because, score, entries=(game.entry,)))
    rings = (game.played.rings or {}).get(who, 0)
    if rings:
        bonus = grounds.settings.ring_bonus
        score += rings * bonus
        because = f"rings noted: {rings}, {number(bonus)} for each"
        steps.append(grounds.line("rings", because, score, setting="ring_bonus", entries=(game.entry,)))
    return steps


def _without_score(grounds: Grounds, game: Game, who: str) -> list[Line]:
    steps = []
    for note in grounds.history.games.get(game.id, ()):
        act = note.act
        if isinstance(act, Void) and act.who in {None, who}:
            what = "the game is void" if act.who is None else "the score is void"
            steps.append(grounds.line("void", what, None, note=note))
        elif isinstance(act, Penalty) and act.who == who and _disqualifies(grounds, act):
            steps.append(grounds.line("disqualified", f"disqualified for {act.offence}", None, note=note))
    if game.said is not None and who in game.said.wiped:
        steps += _by_conduct(grounds, game, who, None)
    said = {entry for step in steps for entry in step.entries}
    return steps + [line for line in _by_offence(grounds, game, who, None) if not said.issuperset(line.entries)]


def _by_conduct(grounds: Grounds, game: Game, who: str, value: int | None) -> list[Line]:
    """CC5, CC7, CC8: give the penalty by which the code of conduct makes a score 0 or wipes it, in whatever game."""
    entry = game.said.conduct.get(who) if game.said is not None else None
    note = next((note for note in grounds.history.players.get(who, ()) if note.number == entry), None)
    if note is None or not isinstance(note.act, Penalty):
        return []
    about = f" in game {note.act.game}" if note.act.game not in {None, game.id} else ""
    does = "makes it 0" if value == 0 else "wipes it"
    return [grounds.line("conduct", f"a penalty for {note.act.offence}{about} {does}", value, note=note)]


def _by_offence(grounds: Grounds, game: Game, who: str, value: int | None) -> list[Line]:
    """Give the offence in a match of teams that took a score, also where it was noted before its game (PC13, PC28)."""
    entry = game.said.offences.get(who) if game.said is not None else None
    notes = (note for subject in grounds.history.players.values() for note in subject if note.number == entry)
    note = next(notes, None) if entry is not None else None
    if note is None or not isinstance(note.act, Penalty):
        return []
    does = "makes it 0" if value == 0 else "takes it"
    return [grounds.line("zero" if value == 0 else "disqualified", f"{note.act.offence} {does}", value, note=note)]


def _ruling(grounds: Grounds, note: Note, act: Ruling, score: int, who: str) -> Line:
    """C1.4, C1.7: one ruling, with the scores of the games that it takes."""
    taken = [_taken(grounds, name, who) for name in act.games]
    there = [line for line in taken if line is not None]
    named = [(line.value, line.game) for line in there if isinstance(line.value, int)]
    values = [value for value, _ in named]
    words = ", ".join(f"{number(value)} ({game})" for value, game in named)
    new, because = score, "ruling: the incident changes nothing"
    if act.kind == "zero":
        new, because = 0, "ruling: the score is 0"
    elif act.kind == "fraction" and act.factor is not None:
        numerator, denominator = act.factor.as_integer_ratio()
        new = score * numerator // denominator
        because = f"ruling: {number(score)} times {act.factor} is {number(new)}, rounded down"
    elif act.kind in {"add-ball", "best-of", "replay"} and not values:
        because = f"ruling: {', '.join(act.games)} has no score of this player, the own one stays"
    elif act.kind == "add-ball":
        new = score + sum(values)
        because = f"ruling: {number(score)} and {words} together"
    elif act.kind == "best-of":
        new = max(score, *values)
        because = f"ruling: the highest of {number(score)} and {words}"
    elif act.kind == "replay":
        new, because = values[-1], f"ruling: {number(values[-1])} of {named[-1][1]} counts instead"
    entries = [entry for line in there for entry in line.entries]
    return grounds.line("ruling", because, new, entries=entries, note=note, parts=there)


def _taken(grounds: Grounds, name: str, who: str) -> Line | None:
    """Give the machine score of a named game, None where the player has none in it."""
    game = grounds.state.games.get(name)
    if game is None or who not in game.played.scores:
        return None
    steps = machine_steps(grounds, game, who)
    score = steps[-1].value
    if isinstance(score, int) and game.said is not None and who in game.said.zeroed:
        score = 0
        because = f"a penalty makes the score of {name} 0"
        penalties = {note.number for note, _ in _zeroing(grounds, name, who)}
        others = _by_conduct(grounds, game, who, 0) + _by_offence(grounds, game, who, 0)
        penalties |= {entry for line in others for entry in line.entries}
        steps.append(grounds.line("zero", because, 0, entries=sorted(penalties)))
    entries = [entry for step in steps for entry in step.entries]
    because = f"{number(score)} in game {name}" if isinstance(score, int) else f"no score is left in game {name}"
    return grounds.line("named", because, score, game=name, entries=entries, parts=steps)


def _zeroing(grounds: Grounds, game: str, who: str) -> Iterator[tuple[Note, str]]:
    """Give the penalties that make a player's score in a game 0, each with its offence."""
    for note in grounds.history.games.get(game, ()):
        if isinstance(note.act, Penalty) and note.act.who == who and _zeroes(grounds, note.act):
            yield note, note.act.offence


def _zeroes(grounds: Grounds, act: Penalty) -> bool:
    offence = grounds.preset.offences.get(act.offence)
    return offence is not None and offence.zero


def _disqualifies(grounds: Grounds, act: Penalty) -> bool:
    offence = grounds.preset.offences.get(act.offence)
    return act.offence == "disqualified" or (offence is not None and offence.disqualify and not offence.zero)
