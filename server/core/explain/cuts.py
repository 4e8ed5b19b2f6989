"""Why somebody goes on or not: the number that goes on and who said it, who was passed over, which tie is still open.

Who goes on is the result's own `advance`. Invariant: what is still open is said to be open.
"""

from collections.abc import Iterator

from server.core.explain.grounds import Grounds, count
from server.core.explain.lines import Line
from server.core.explain.log import Note
from server.core.explain.winners import explain_seats
from server.core.rules.acts import Absent, Decision, Penalty
from server.core.rules.finals import cut_of
from server.core.rules.results import StageResult
from server.core.rules.stages import result_of
from server.core.rules.state import Stage


def explain_going_on(grounds: Grounds, result: StageResult, who: str) -> list[Line]:
    """Say whether a player goes on from a stage; nothing where no stage comes after it and nothing is won."""
    stage = result.stage
    winning = stage.form is None and not grounds.preset.finals
    if not result.following and not result.advance and not (winning and grounds.preset.first == "attempts"):
        return []
    over = stage.closed or result.complete
    parts = [*explain_cut(grounds, result), *_passed_over(grounds, result, who)]
    if grounds.preset.first == "winners" and stage.form is None:
        parts += explain_seats(grounds, result, who)
    entries = [stage.closed_entry] if stage.closed_entry else []
    if not over:
        return [
            grounds.line(
                "go-on", f"{stage.id} is open: who goes on is not settled", None, stage=stage, who=who, parts=parts
            )
        ]
    value, because = _verdict(grounds, result, who)
    entries += [entry for part in parts for entry in part.entries]
    entries += [] if value is True else _gone(grounds, result, who)
    entries += [note.number for stage in result.following for note in _set_by_officials(grounds, stage)]
    return [grounds.line("go-on", because, value, stage=stage, who=who, entries=entries, parts=parts)]


def _verdict(grounds: Grounds, result: StageResult, who: str) -> tuple[bool | str, str]:
    stage = result.stage
    through = [other for other in result.following if other.form is None or other.form.takes != "rest"]
    name = through[0].id if through else ""
    standing_in = _stood_in(grounds, result, who)
    if standing_in is not None:
        return standing_in
    if who in result.advance:
        place = result.advance.index(who) + 1
        begun = ""
        if through and through[0].seeds is not None:
            decided = _set_by_officials(grounds, through[0])
            begun = " (as officials decided)" if decided else " (its field stands since its first game)"
        bye = "has a bye: " if who in result.seeds and grounds.row_of(result, who) is None else ""
        return True, f"{bye}goes on to {name} as seed {place}{begun}" if name else f"is settled as number {place}"
    tie = next((tie for tie in result.ties if who in tie.tie.who and tie.game is None), None)
    if tie is not None:
        return "open", f"tied for places {tie.tie.places[0]} to {tie.tie.places[-1]}: not settled yet"
    if any(tie.game is not None for tie in result.ties):
        return "open", "not settled: a tie within a game is still to be played off"
    rest = next((other for other in result.following if other.form is not None and other.form.takes == "rest"), None)
    if rest is not None and who in result.rest:
        return False, f"does not go on to {name}: plays in {rest.id}"
    called = result.following if stage.form is not None else grounds.state.divisions[stage.division].stages.values()
    if any(who in other.absent for other in called):
        return False, "was absent when called"
    if grounds.is_out(who, stage.division):
        return False, "is out"
    return False, f"does not go on: rank {result.ranks.get(who, '-')}"


def _stood_in(grounds: Grounds, result: StageResult, who: str) -> tuple[bool | str, str] | None:
    """E3.3, E3.5: say of a seat that somebody else has taken, and of who has taken it; None where it is neither."""
    for stage in result.following:
        if stage.form is None or stage.form.vacancy != "standby" or not stage.absent:
            continue
        later = result_of(grounds.state, stage)
        for seed, seat in zip(later.seeds, later.seats, strict=False) if later is not None else ():
            if seed == who != seat:
                taken = f"{grounds.person(seat)} has the seat" if seat is not None else "the seat stays empty"
                return who in result.advance, f"went on to {stage.id}, but was absent: {taken}"
            if seat == who != seed:
                return False, f"does not go on by rank, but has the seat of {grounds.person(seed)} in {stage.id}"
    return None


def explain_cut(grounds: Grounds, result: StageResult) -> list[Line]:
    """Say how many go on from a stage, and who or what says so."""
    stage, form = result.stage, result.stage.form
    if stage.form is None and grounds.preset.first == "winners":
        because = f"the best of each of the {grounds.settings.bank} machines goes on"
        return [grounds.line("cut", because, grounds.settings.bank, stage=stage)]
    if form is not None and form.go_on_each is not None:
        because = f"the best {form.go_on_each} of each group go on"
        return [grounds.line("cut", because, form.go_on_each, stage=stage)]
    if stage.qualifiers is not None:
        entries = (stage.closed_entry,)
        because = f"{stage.qualifiers} go on, as the close of {stage.id} says"
        return [grounds.line("cut", because, stage.qualifiers, stage=stage, entries=entries)]
    if grounds.preset.teams:
        return _cut_of_teams(grounds, result)
    if stage.wanted is not None and (form is None or form.kind == "machine_points"):
        because = f"{stage.wanted} go on, as officials decided"
        decided = _decided(grounds, stage, "qualifiers")
        return [grounds.line("cut", because, stage.wanted, stage=stage, entries=[note.number for note in decided])]
    if form is None and grounds.preset.first != "attempts":
        return [grounds.line("cut", f"{result.cut} go on", result.cut, stage=stage)] if result.following else []
    if form is None:
        most = grounds.settings.qualifiers
        return [grounds.line("cut", f"{most} go on", most, stage=stage, setting="qualifiers")]
    if form.go_on_setting is not None:
        most = getattr(grounds.settings, form.go_on_setting)
        return [grounds.line("cut", f"{most} go on", most, stage=stage, setting=form.go_on_setting)]
    if form.kind == "group_games" and not form.single_group:
        most = cut_of(stage, form, len(result.seeds))
        return [grounds.line("cut", f"{most} of the {len(result.seeds)} go on", most, stage=stage)] if most else []
    return []


def _cut_of_teams(grounds: Grounds, result: StageResult) -> list[Line]:
    """PC39, UT6, EC6: say how many teams go on from the first stage; from the later ones none does."""
    stage, settings = result.stage, grounds.settings
    if stage.form is not None:
        return []
    play = grounds.preset.group_play
    if play is not None and play.ranked == "apart":
        many = len(settings.groups)
        return [grounds.line("cut", "the first of each group goes on", many, stage=stage, setting="groups")]
    each = " of each conference" if grounds.preset.first == "season" and result.groups is not None else ""
    most = settings.qualifiers
    return [grounds.line("cut", f"{most} go on{each}", most, stage=stage, setting="qualifiers")]


def _set_by_officials(grounds: Grounds, stage: Stage) -> list[Note]:
    """Give the decision of officials who plays in a stage, the last one; none where there is none."""
    return [] if stage.seeds is None else _decided(grounds, stage, "field")


def _decided(grounds: Grounds, stage: Stage, topic: str) -> list[Note]:
    """Give the last decision of officials on a topic of a stage; none where there is none."""
    notes = grounds.history.stages.get(stage.id, ())
    return [note for note in notes if isinstance(note.act, Decision) and note.act.topic == topic][-1:]


def _passed_over(grounds: Grounds, result: StageResult, who: str) -> list[Line]:
    """T8.1, T8.4: those ahead of the player who were skipped, and the entries that say so."""
    rank = result.ranks.get(who)
    if rank is None:
        return []
    lines = []
    for other, above in result.ranks.items():
        if above >= rank and other != who:
            continue
        entries = list(_gone(grounds, result, other))
        if entries and other not in result.advance:
            name = grounds.person(other)
            because = f"{name}, rank {above}, was passed over" if other != who else "absent or out: passed over"
            lines.append(grounds.line("passed-over", because, above, stage=result.stage, who=other, entries=entries))
    if len(lines) > 1:
        entries = [entry for line in lines for entry in line.entries]
        because = f"{count(len(lines), 'player')} ahead were passed over"
        return [grounds.line("passed-over", because, len(lines), stage=result.stage, entries=entries, parts=lines)]
    return lines


def _gone(grounds: Grounds, result: StageResult, who: str) -> Iterator[int]:
    """Give the entries that noted a player absent from the next stage, or put him out."""
    skips = {
        stage.id for stage in result.following if stage.form is not None and stage.form.vacancy in {"skip", "machine"}
    }
    out = grounds.is_out(who, result.stage.division)
    for note in grounds.history.players.get(who, ()):
        if (isinstance(note.act, Absent) and note.act.stage in skips and result.stage.form is None) or (
            out and isinstance(note.act, Penalty)
        ):
            yield note.number
