"""Profiles of real machines: many, of every era, and each as the sources that it names say."""

import csv
from pathlib import Path

import pytest

from bridge.cli import main
from bridge.profile_check import complaints
from hardware.catalog import generic_names, load_profile, machine_names
from hardware.errors import ProfileInvalid
from hardware.opdb import find_machines, machines
from hardware.profile import MachineProfile

SHARED = Path(__file__).parents[3] / "shared" / "data"
PROFILES = [load_profile(name) for name in machine_names()]
DISPLAY = 'id = "m"\nname = "M"\nkind = "display"\n[display]\ntype = "reels"\n'


def test_there_are_machines_of_every_era_and_display():
    kinds = [profile.display.type for profile in PROFILES if profile.display]
    assert {kind: kinds.count(kind) >= 15 for kind in ("reels", "segments", "dmd", "lcd")} == dict.fromkeys(
        ("reels", "segments", "dmd", "lcd"), True
    )
    assert len({profile.opdb for profile in PROFILES}) == len(PROFILES) >= 150
    assert {(profile.year or 0) // 10 for profile in PROFILES} >= {196, 197, 198, 199, 200, 201, 202}


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.id)
def test_each_fits_together_and_is_as_the_open_pinball_database_says(profile: MachineProfile):
    assert list(complaints(profile)) == []
    assert profile.facts
    assert profile.opdb
    known = [one for one in machines() if one.opdb.startswith(profile.opdb)]
    fits = [one for one in known if (one.maker, one.year) == (profile.maker, profile.year)]
    assert fits
    assert {(one.display, one.players) for one in fits} == {(profile.display.type, profile.players)}


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the measured data does not lie beside the project")
def test_usual_scores_are_those_that_were_counted():
    rows = list(csv.DictReader((SHARED / "results" / "machine_score_ranges.csv").read_text("utf-8").splitlines()))
    counted = {(int(row["p01"]), int(row["median"]), int(row["p99"]), int(row["n"])) for row in rows}
    usual = [profile.usual for profile in PROFILES if profile.usual]
    assert len(usual) >= 100
    assert {(one.low, one.median, one.high, one.games) for one in usual} <= counted


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the measured data does not lie beside the project")
def test_the_database_is_the_whole_one():
    rows = list(csv.DictReader((SHARED / "opdb" / "opdb_machines_full.csv").read_text("utf-8").splitlines()))
    assert {row["opdb_id"] for row in rows} == {one.opdb for one in machines()}


def test_usual_scores_fit_the_digits_of_the_display():
    for profile in PROFILES:
        if profile.usual and profile.digits:
            assert profile.usual.high < 10**profile.digits, profile.id


def test_machines_are_found_by_words_and_by_id():
    assert [one.name for one in find_machines("comet williams")][:1] == ["Comet"]
    assert [one.opdb for one in find_machines("GrXzD-MjBPX")] == ["GrXzD-MjBPX"]
    assert find_machines("no such machine") == []
    assert find_machines(" ") == []


def test_profiles_are_listed_by_words(capsys: pytest.CaptureFixture[str]):
    assert main(["profiles", "list", "stern", "lcd"]) == 0
    listed = capsys.readouterr().out
    assert "godzilla" in listed
    assert "comet" not in listed
    assert main(["profiles"]) == 0
    everything = capsys.readouterr().out
    assert all(f"\n{name} " in "\n" + everything for name in [*generic_names(), *machine_names()])
    assert main(["profiles", "list", "nonesuch"]) == 0
    assert "profiles new ID nonesuch" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["Comet"], ["GweeP-MW95j"], ["Royal", "Flush", "1976"], ["El", "Dorado", "1975"]])
def test_a_new_profile_passes_the_check(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "mine.toml"
    assert main(["profiles", "new", "mine", *words, "--out", str(file)]) == 0
    assert load_profile(str(file)).opdb
    assert main(["profiles", "check", str(file)]) == 0
    before = file.read_text()
    assert main(["profiles", "new", "mine", *words, "--out", str(file)]) == 2
    assert "there already" in capsys.readouterr().err
    assert file.read_text() == before


def test_a_machine_of_each_display_can_be_begun(tmp_path: Path):
    for number, display in enumerate(("dmd", "segments", "reels", "lcd", "lights")):
        known = next(one for one in machines() if one.display == display)
        file = tmp_path / f"m{number}.toml"
        assert main(["profiles", "new", f"m{number}", known.opdb, "--out", str(file)]) == 0
        assert load_profile(str(file)).display.type == display


def test_a_copy_is_begun_under_its_own_id(tmp_path: Path):
    file = tmp_path / "own.toml"
    assert main(["profiles", "new", "own", "--like", "eight-ball-deluxe", "--out", str(file)]) == 0
    assert (load_profile(str(file)).id, load_profile(str(file)).digits) == ("own", 7)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new"], "needs an id"),
        (["new", "Bad Id", "Comet"], "is no id"),
        (["new", "x"], "say which machine"),
        (["new", "x", "nonesuch"], "has no 'nonesuch'"),
        (["new", "x", "star", "trek"], "machines are called so"),
        (["new", "x", "Comet", "--like", "seg7"], "not both"),
        (["list", "--like", "seg7"], "--like is for profiles new"),
        (["show", "seg7", "more"], "takes one profile"),
    ],
)
def test_a_call_that_cannot_be_done_says_what_to_do(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert main(["profiles", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_mistake_in_a_table_of_windows_has_its_line(tmp_path: Path):
    file = tmp_path / "m.toml"
    file.write_text(DISPLAY + "[[display.windows]]\nplayer = 1\n[[display.windows]]\nplayer = 99\n")
    with pytest.raises(ProfileInvalid, match=r"m\.toml, line 9: key 'display\.windows\.1\.player'"):
        load_profile(str(file))
