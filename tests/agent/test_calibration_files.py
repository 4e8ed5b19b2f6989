"""Calibrations beside agent.toml, and machine profiles made at the page: written whole, read back, and used."""

from dataclasses import replace
from pathlib import Path

import pytest

from bridge.calibrate.draft import Draft, Drafts, Edit
from bridge.calibrate.profile_text import format_profile
from bridge.calibrate.save import Target, first_draft, save
from bridge.calibrated import remember_corners, with_calibrations
from bridge.calibration import Calibration, load_calibration, save_calibration
from bridge.config import load_config
from bridge.errors import ConfigInvalid, InputInvalid
from bridge.parts import CameraPart
from hardware.catalog import load_profile, profile_names
from hardware.displays import Window
from hardware.profile import parse_profile

CORNERS = ((10.5, 20.0), (600.0, 22.0), (598.0, 170.0), (8.0, 168.0))
PORT = "camera:///dev/v4l/by-id/usb-cam-index0?width=1280"
CONFIG = """# by hand
agent = "pi-1"      # a note
data = "data"
[broker]
host = "127.0.0.1"
[[machine]]
id = "mm-2"
profile = "{profile}"
port = "{port}"
{more}
"""


def write(folder: Path, *, profile: str = "dmd-128x32", port: str = PORT, more: str = "") -> Path:
    file = folder / "agent.toml"
    file.write_text(CONFIG.format(profile=profile, port=port, more=more), "utf-8")
    return file


def target(folder: Path, *, profile: str = "dmd-128x32") -> Target:
    return Target(machine="mm-2", port=PORT, profile=profile, folder=folder)


def test_what_is_saved_is_what_the_agent_takes_and_agent_toml_stays_as_it_was(tmp_path: Path):
    file = write(tmp_path)
    before = file.read_bytes()
    camera = CameraPart(exposure_ms=20.5, gain=12, white_balance=(1.9, 1.4))
    written = save(target(tmp_path), Draft(base="dmd-128x32", corners=CORNERS, camera=camera), (1280, 720))
    assert written == [tmp_path / "calibration" / "mm-2.toml"]
    assert file.read_bytes() == before
    config, said = with_calibrations(load_config(file), tmp_path)
    machine = config.machine[0]
    assert (machine.corners, machine.size, machine.profile) == (CORNERS, (1280, 720), "dmd-128x32")
    assert machine.port == f"{PORT}&exposure_ms=20.5&gain=12.0&white_balance=1.9,1.4"
    assert "calibrated by" in said[0]
    assert [entry.name for entry in (tmp_path / "calibration").iterdir()] == ["mm-2.toml"]


def test_places_make_a_machine_profile_that_is_read_with_and_edited_again(tmp_path: Path):
    windows = (Window(player=1, right=0.5, bottom=0.4), Window(shows="ball", left=0.5, top=0.75))
    draft = Draft(base="seg7", digits=7, players=2, windows=windows, corners=CORNERS)
    written = save(target(tmp_path, profile="seg7"), draft, (640, 360))
    assert written[1] == tmp_path / "profiles" / "mm-2.toml"
    config, _ = with_calibrations(load_config(write(tmp_path, profile="seg7")), tmp_path)
    profile = load_profile(config.machine[0].profile)
    assert (profile.id, profile.digits, profile.players, profile.facts) == ("mm-2", 7, 2, None)
    assert profile.display is not None
    assert profile.display.model_dump()["windows"] == tuple(window.model_dump() for window in windows)
    assert first_draft(target(tmp_path, profile="seg7"), None) == (draft, "")
    save(target(tmp_path, profile="seg7"), replace(draft, digits=6), (640, 360))
    assert load_profile(config.machine[0].profile).digits == 6


def test_a_profile_by_hand_is_never_written_over_and_its_neighbours_stay_beside_it(tmp_path: Path):
    own = tmp_path / "mine" / "mm-2.toml"
    own.parent.mkdir()
    own.write_text('id = "mm-2"\nname = "Mine"\nkind = "display"\n# by hand\n[display]\ntype = "reels"\n', "utf-8")
    written = save(target(tmp_path, profile=str(own)), Draft(base=str(own), digits=5, corners=CORNERS), None)
    assert written[1] == tmp_path / "mine" / "mm-2-calibrated.toml"
    assert "by hand" in own.read_text("utf-8")
    config, _ = with_calibrations(load_config(write(tmp_path, profile="mine/mm-2.toml")), tmp_path)
    assert load_profile(config.machine[0].profile).digits == 5


def test_places_between_two_hundredths_are_saved_and_read_back(tmp_path: Path):
    drafts = Drafts(Draft(base="seg7"))
    drafts.edit(Edit(windows=(Window(player=1, top=0.1 + 0.2, bottom=0.45 + 0.4, right=1 / 3),)))
    assert drafts.now.windows == (Window(player=1, top=0.3, bottom=0.85, right=0.3333),)
    for draft in (drafts.now, Draft(base="seg7", windows=(Window(right=1 / 3, bottom=0.45 + 0.4),))):
        save(target(tmp_path, profile="seg7"), draft, None)
        assert first_draft(target(tmp_path, profile="seg7"), None)[0].windows == draft.windows


@pytest.mark.parametrize("name", [name for name in profile_names() if load_profile(name).kind == "display"])
def test_every_profile_reads_back_from_its_text(name: str):
    profile = load_profile(name).model_copy(update={"name": 'A "quoted" \\ näme\x7f'})
    assert parse_profile(format_profile(profile, origin=name), file="x.toml").model_dump() == profile.model_dump()


@pytest.mark.parametrize("changed", [{"port": "camera:///dev/other"}, {"profile": "dmd-128x16"}])
def test_a_calibration_for_another_port_or_profile_does_not_count_and_that_is_said(
    tmp_path: Path, changed: dict[str, str]
):
    save(target(tmp_path), Draft(base="dmd-128x32", corners=CORNERS), (1280, 720))
    config, said = with_calibrations(load_config(write(tmp_path, **changed)), tmp_path)
    assert config.machine[0].corners is None
    assert "does not count" in said[0]


@pytest.mark.parametrize(
    "text",
    ["port = 1", "port = [", 'port = "a"\nprofile = "b"\ncorners = [[0,0],[1,1]]', 'port = "a"\nprofile = "b"\nx = 1',
     'port = "a"\nprofile = "b"\ncorners = [[nan,0],[1,0],[1,1],[0,1]]', "x" * 70_000, 'port = ""'],
)  # fmt: skip
def test_a_damaged_calibration_is_one_line_with_its_file(tmp_path: Path, text: str):
    file = tmp_path / "calibration" / "mm-2.toml"
    file.parent.mkdir()
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigInvalid, match=r"mm-2\.toml") as caught:
        with_calibrations(load_config(write(tmp_path)), tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = [", "no calibration"),
        (f'port = "{PORT}"\nprofile = "seg7"\nuse_profile = "profiles/gone.toml"\nmade_of = "seg7"', "gone.toml"),
        (f'port = "{PORT}"\nprofile = "seg7"\nuse_profile = "mpf-bcp"', "no display"),
        (f'port = "{PORT}"\nprofile = "seg7"\ncorners = [[0,0],[9,9],[9,0],[0,9]]', "go round"),
        ('port = "camera://7"\nprofile = "seg7"', "another port"),
    ],
)  # fmt: skip
def test_a_calibration_that_cannot_be_used_is_said_and_the_page_begins_without_it(tmp_path: Path, text: str, said: str):
    file = tmp_path / "calibration" / "mm-2.toml"
    file.parent.mkdir()
    file.write_text(text, "utf-8")
    draft, why = first_draft(target(tmp_path, profile="seg7"), CORNERS)
    assert draft == Draft(base="seg7", corners=CORNERS)
    assert said in why
    assert "\n" not in why
    save(target(tmp_path, profile="seg7"), draft, None)
    assert first_draft(target(tmp_path, profile="seg7"), None) == (draft, "")


def test_a_calibration_whose_profile_is_gone_is_one_line_with_its_file(tmp_path: Path):
    save(target(tmp_path, profile="seg7"), Draft(base="seg7", digits=5), None)
    (tmp_path / "profiles" / "mm-2.toml").unlink()
    with pytest.raises(ConfigInvalid, match=r"calibration/mm-2\.toml: cannot read the profile"):
        with_calibrations(load_config(write(tmp_path, profile="seg7")), tmp_path)


def test_a_save_that_fails_leaves_both_files_as_they_were(tmp_path: Path):
    where = target(tmp_path, profile="seg7")
    profile, calibration = tmp_path / "profiles" / "mm-2.toml", tmp_path / "calibration" / "mm-2.toml"
    save(where, Draft(base="seg7", digits=5), None)
    before = profile.read_bytes()
    calibration.unlink()
    calibration.mkdir()
    with pytest.raises(ConfigInvalid, match=r"mm-2\.toml cannot be written: it is a folder"):
        save(where, Draft(base="seg7", digits=6), None)
    calibration.rmdir()
    calibration.parent.rmdir()
    calibration.parent.write_text("a file", "utf-8")
    with pytest.raises(ConfigInvalid, match="cannot be written"):
        save(where, Draft(base="seg7", digits=6), None)
    assert profile.read_bytes() == before
    assert [file.name for file in profile.parent.iterdir()] == ["mm-2.toml"]


def test_corners_that_do_not_go_round_are_refused_in_agent_toml(tmp_path: Path):
    with pytest.raises(ConfigInvalid, match=r"corners.*must go round"):
        load_config(write(tmp_path, more="corners = [[0, 0], [9, 9], [9, 0], [0, 9]]"))


def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_left(tmp_path: Path):
    (tmp_path / "calibration").write_text("a file", "utf-8")
    with pytest.raises(ConfigInvalid, match="cannot be written"):
        save(target(tmp_path), Draft(base="dmd-128x32", corners=CORNERS), None)


def test_what_a_camera_is_fixed_to_in_agent_toml_goes_into_its_address_and_a_calibration_takes_its_place(
    tmp_path: Path,
):
    file = write(tmp_path, more="[machine.camera]\nexposure_ms = 25\nfocus = 30.0\n")
    assert load_config(file).machine[0].port == f"{PORT}&exposure_ms=25.0&focus=30.0"
    save(target(tmp_path), Draft(base="dmd-128x32", camera=CameraPart(exposure_ms=40)), None)
    assert with_calibrations(load_config(file), tmp_path)[0].machine[0].port == f"{PORT}&exposure_ms=40.0"


def test_a_camera_table_for_a_wire_is_refused(tmp_path: Path):
    file = write(tmp_path, port="tcp://127.0.0.1:5051", more="[machine.camera]\ngain = 2\n")
    with pytest.raises(ConfigInvalid, match="camera"):
        load_config(file)


def test_corners_that_the_running_agent_moved_are_kept_beside_what_was_calibrated(tmp_path: Path):
    machine = load_config(write(tmp_path)).machine[0]
    remember_corners(tmp_path, machine, CORNERS, (640, 360))
    assert with_calibrations(load_config(write(tmp_path)), tmp_path)[0].machine[0].corners == CORNERS
    file = tmp_path / "calibration" / "mm-2.toml"
    save_calibration(file, Calibration(port=PORT, profile="dmd-128x32", camera=CameraPart(gain=3), corners=CORNERS))
    moved = ((11.0, 20.0), *CORNERS[1:])
    remember_corners(tmp_path, machine, moved, (640, 360))
    kept = load_calibration(file)
    assert kept is not None
    assert (kept.corners, kept.camera.gain) == (moved, 3)


def test_corners_that_moved_are_not_put_into_another_cameras_calibration(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    file = tmp_path / "calibration" / "mm-2.toml"
    save_calibration(file, Calibration(port="camera://7", profile="dmd-128x32", corners=CORNERS))
    before = file.read_bytes()
    remember_corners(tmp_path, load_config(write(tmp_path)).machine[0], ((11.0, 20.0), *CORNERS[1:]), (640, 360))
    assert file.read_bytes() == before
    assert "another port or profile" in caplog.text


def test_corners_that_moved_are_kept_where_a_profile_was_made(tmp_path: Path):
    save(target(tmp_path, profile="seg7"), Draft(base="seg7", digits=5, corners=CORNERS), None)
    machine = with_calibrations(load_config(write(tmp_path, profile="seg7")), tmp_path)[0].machine[0]
    moved = ((11.0, 20.0), *CORNERS[1:])
    remember_corners(tmp_path, machine, moved, (640, 360))
    kept = load_calibration(tmp_path / "calibration" / "mm-2.toml")
    assert kept is not None
    assert kept.corners == moved


def test_a_profile_that_is_not_known_is_refused():
    with pytest.raises(InputInvalid, match="no profile"):
        Draft(base="nobody").profile()
