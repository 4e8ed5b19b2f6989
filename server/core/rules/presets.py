"""The built-in rule sets: each a file of data in `formats/`, read once when the rules are imported.

Adding a format is adding a file, as long as the parts that it names are there. Invariant: every preset's own values
are valid settings.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from server.core.rules.ladder_rows import LadderRow
from server.core.rules.settings import Settings, read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class TiePolicy:
    """What ties are called that are played off: those across the cut, those inside the field. None: not played."""

    cut: str | None = None
    inside: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Groups for one size of field, in numbers of seeds from 1."""

    groups: tuple[tuple[int, ...], ...]
    go_on: int | None = None
    go_on_each: int | None = None

    @property
    def size(self) -> int:
        """How many players the groups seat."""
        return sum(len(group) for group in self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageForm:
    """A stage after the first: how it is played (`kind`), who plays in it, in which groups, how many go on.

    `after` names the stage that it takes its field from (the one before, where it is left out), and `takes` whether
    those who went `through` there, or the `rest`. `names` are the ids of its groups, dealt by `split` (`rows` has a
    table by size of the field instead). `go_on_each` is by group; `go_on_setting` names the setting for the whole.
    `vacancy` says who takes the seat of somebody absent: `skip` moves everybody up, `standby` calls the next in rank,
    `machine` the next on his machine.
    """

    name: str
    kind: str = "group_games"
    after: str | None = None
    takes: str = "through"
    ties: TiePolicy
    rows: Mapping[int, Row]
    go_on: int | None = None
    go_on_each: int | None = None
    go_on_setting: str | None = None
    from_field_of: int | None = None
    single_group: bool = False
    names: tuple[str, ...] = ("1",)
    split: str = "halves"
    vacancy: str = "skip"
    other_half: bool = False

    @property
    def in_groups(self) -> bool:
        """Say whether it is played in groups of several games, with points for places."""
        return self.kind in {"group_games", "ladder"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPlay:
    """How teams play in groups: each pair of a group one match, and each team one game of its own (the bonus game).

    `ranked` is `apart`, where each group has its table and sends its first, or `together`, where all are one list; the
    bonus game is ranked among the same teams, on so many machines. A game of a match has `side` players of each team,
    0 where a team plays one position; it `earns` what a `win` is worth, or points for the `places` of its players.
    `unplayed` is the bonus score of who has none in a tie. `broken` is what may become of the bonus scores on a machine
    that is replaced, `refuses` the rules that a refusal names.
    """

    ranked: str
    side: int
    games: int
    earns: str
    bonus_machines: int
    unplayed: int
    broken: tuple[str, ...]
    refuses: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offence:
    """What an offence does by itself; `loses_match` to the team whose match is named."""

    loses_match: bool = False
    zero: bool = False
    disqualify: bool = False
    warning: bool = False
    eject_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One rule set: how it is built, and the values of its settings as its file writes them.

    `first` is how the first stage is played, named `first_name`; `places` says whether only the `last` stage gives
    final places, or `all` stages do. `teams` says that teams play,
    `match_labels` that a game may name a match of single players, which no entry sets.
    `clauses` are the rule page's numbers, by setting, by kind of fact, and by
    `STAGE.kind` where a stage has its own.
    """

    name: str
    title: str
    divisions: bool
    registers: str
    rank_by: str
    first_player_only: bool
    machine_states: frozenset[str]
    ties: TiePolicy
    first: str
    first_name: str
    places: str
    finals: tuple[StageForm, ...]
    offences: Mapping[str, Offence]
    settings: Mapping[str, object] = field(repr=False)
    clauses: Mapping[str, str] = field(default_factory=dict, repr=False)
    optional_divisions: bool = False
    teams: bool = False
    match_labels: bool = False
    group_play: GroupPlay | None = None

    @property
    def knows_matches(self) -> bool:
        """Say whether a game or an offence may name a match."""
        return self.teams or self.match_labels

    def read(self, overrides: Mapping[object, object]) -> Settings:
        """Give the settings with a tournament's own values. Raises TournamentInvalid."""
        return read_settings(overrides, preset=self.name, base=self.settings, path=("rules",))

    def built_for(self, settings: Settings) -> "Preset":
        """Give the preset as a tournament's settings build it: with divisions where there are any, with its ladder."""
        divided = bool(settings.skill_divisions or settings.special_divisions)
        finals = self.finals + _ladder_forms(settings.ladder)
        return replace(self, divisions=divided if self.optional_divisions else self.divisions, finals=finals)


def load_preset(path: Path) -> Preset:
    """Read one preset's file; its name is the file's."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    form = document["format"]
    preset = Preset(
        name=path.stem,
        title=form["title"],
        divisions=form["divisions"] is True,
        optional_divisions=form["divisions"] == "optional",
        teams=form.get("teams", False),
        match_labels=form.get("match_labels", False),
        registers=form["registers"],
        rank_by=form["rank_by"],
        first_player_only=form["first_player_only"],
        machine_states=frozenset(form["machine_states"]),
        ties=TiePolicy(**form["ties"]["qualifying"]),
        first=form.get("first", "attempts"),
        first_name=form.get("first_name", "qualifying"),
        places=form.get("places", "last"),
        finals=tuple(_final(stage) for stage in form.get("finals", ())),
        offences={name: Offence(**effects) for name, effects in form.get("offences", {}).items()},
        settings=document["settings"],
        clauses=document.get("clauses", {}),
        group_play=_group_play(form.get("groups")),
    )
    preset.read({})
    return preset


def _group_play(form: dict[str, object] | None) -> GroupPlay | None:
    if form is None:
        return None
    return GroupPlay(**{**form, "broken": tuple(form["broken"])})  # type: ignore[arg-type]


def _final(stage: dict[str, object]) -> StageForm:
    values = dict(stage)
    rows = [_row(row) for row in values.pop("rows", ())]  # type: ignore[attr-defined]
    ties = TiePolicy(**values.pop("ties"))  # type: ignore[arg-type]
    if "names" in values:
        values["names"] = tuple(values["names"])  # type: ignore[arg-type]
    return StageForm(rows={row.size: row for row in rows}, ties=ties, **values)  # type: ignore[arg-type]


def _ladder_forms(rows: Sequence[LadderRow]) -> tuple[StageForm, ...]:
    """Give the stages of a ladder in the order in which its rows first name them."""
    forms: dict[str, StageForm] = {}
    for row in rows:
        known = forms.get(row.stage)
        table = {**(known.rows if known is not None else {}), row.field: Row(groups=row.groups, go_on_each=row.go_on)}
        last = row.go_on is None
        forms[row.stage] = StageForm(
            name=row.stage,
            kind="ladder",
            ties=TiePolicy(inside="place") if last else TiePolicy(cut="cut"),
            rows=table,
            go_on_each=known.go_on_each if known is not None else row.go_on,
        )
    return tuple(forms.values())


def _row(row: dict[str, list[list[int]]]) -> Row:
    return Row(groups=tuple(tuple(group) for group in row["groups"]), go_on=row.get("go_on"))  # type: ignore[arg-type]


FORMATS = Path(__file__).parent.parent / "formats"

PRESETS: Mapping[str, Preset] = {
    path.stem: load_preset(path) for path in sorted(FORMATS.glob("*.toml"), key=lambda path: path.stem)
}
