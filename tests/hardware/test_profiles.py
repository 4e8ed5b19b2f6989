"""A profile that is wrong is refused with one line: file, line, key and what is allowed."""

from pathlib import Path

import pytest

from bridge.cli import main
from hardware.catalog import load_profile, profile_names
from hardware.errors import ProfileInvalid

WIRE = 'id = "m"\nname = "M"\nkind = "wire"\ndialect = "bcp"\n'
DISPLAY = 'id = "m"\nname = "M"\nkind = "display"\n[display]\ntype = "dmd"\ncolumns = 128\nrows = 32\n'

MISTAKES = {
    "bad TOML": (WIRE + "balls = = 3\n", ["line 5"]),
    "unknown key": (WIRE + "ballz = 3\n", ["line 5", "'ballz'", "did you mean 'balls'", "score_quantum"]),
    "unknown key in a table": (
        DISPLAY + "colour = 1\n",
        ["line 8", "'display.colour'", "columns, fonts, rows, type"],
    ),
    "a key of the display in a window": (
        DISPLAY.replace('"dmd"\ncolumns = 128\nrows = 32', '"reels"') + "[[display.windows]]\nzeros = 1\n",
        ["'display.windows.0.zeros' is unknown here: zeros stands in [display], for all windows"],
    ),
    "unknown key in an array of tables within a table": (
        WIRE.replace("bcp", "json") + '[[messages.read]]\nscore = "$.a"\nbal = "$.b"\n',
        ["line 7", "'messages.read.0.bal' is unknown (did you mean 'ball'?)", "first_player, number"],
    ),
    "unknown key in a table within a table": (
        WIRE.replace("bcp", "json")
        + '[messages.availability]\ntopic = "a"\nof = "b"\n[[messages.read]]\nscore = "$.a"\n',
        ["line 7", "'messages.availability.of' is unknown", "offline, online, path, topic"],
    ),
    "wrong type": (WIRE + 'balls = "3"\n', ["line 5", "'balls'", "valid integer", "'3'"]),
    "float for a whole number": (WIRE + "hold_ms = 1.5\n", ["line 5", "'hold_ms'", "1.5"]),
    "true for a number": (WIRE + "players = true\n", ["'players'", "True"]),
    "out of range": (WIRE + "players = 0\n", ["line 5", "'players'", "greater than or equal to 1"]),
    "unknown kind": (WIRE.replace('"wire"', '"wlre"'), ["line 3", "'kind'", "'wire' or 'display'"]),
    "unknown dialect": (WIRE.replace('"bcp"', '"bpc"'), ["line 4", "'dialect'", "'bcp'"]),
    "unknown display": (DISPLAY.replace("dmd", "crt"), ["line 5", "'display.type'", "'dmd'"]),
    "no name": (WIRE.replace('name = "M"\n', ""), ["'name' is missing"]),
    "wire without a dialect": (WIRE.replace('dialect = "bcp"\n', ""), ["needs dialect, one of: bcp"]),
    "display without a display": ('id = "m"\nname = "M"\nkind = "display"\n', ["needs a [display] table"]),
    "wire with a display": (WIRE + '[display]\ntype = "dmd"\ncolumns = 128\nrows = 32\n', ["has no [display]"]),
    "id with capitals": (WIRE.replace('"m"', '"M M"'), ["line 1", "'id'"]),
    "words that are numbers": (DISPLAY + "[words]\ntilt = [1]\n", ["words.tilt"]),
    "a number of 5,000 digits": (WIRE + "digits = " + "9" * 5000 + "\n", ["not valid TOML", "digits"]),
    "as many in hexadecimal": (WIRE + "digits = 0x" + "f" * 5000 + "\n", ["'digits'", "thousands of digits"]),
    "deep nesting": ("a = " + "[" * 5000, ["not valid TOML"]),
}


@pytest.mark.parametrize(("text", "said"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_named_in_one_line(tmp_path: Path, text: str, said: list[str]):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ProfileInvalid) as caught:
        load_profile(str(file))
    message = str(caught.value)
    assert message.startswith(str(file))
    assert "\n" not in message
    for part in said:
        assert part in message


def test_each_profile_that_ships_is_valid_and_named_as_its_file():
    assert {"mpf-bcp", "dmd-128x32"} <= set(profile_names())
    for name in profile_names():
        assert load_profile(name).id == name


def test_a_profile_of_ones_own_is_loaded_by_path_with_either_line_end(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + (WIRE + "balls = 5\n").replace("\n", "\r\n").encode())
    assert load_profile(str(file)).balls == 5


def test_words_of_a_display_can_be_given(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(DISPLAY + '[words]\ngame_over = ["SPIEL AUS", "ENDE"]\n')
    profile = load_profile(str(file))
    assert profile.words.game_over == ("SPIEL AUS", "ENDE")
    assert profile.words.tilt == ("TILT",)
    assert profile.source == "camera"


def test_an_unknown_name_lists_the_names_there_are():
    with pytest.raises(ProfileInvalid, match=r"'twilight'; there are: .*mpf-bcp"):
        load_profile("twilight")


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"#" * 70_000], ids=["not text", "huge"])
def test_a_file_that_is_no_profile_is_refused(tmp_path: Path, data: bytes):
    (tmp_path / "x.toml").write_bytes(data)
    with pytest.raises(ProfileInvalid, match="this is no machine profile"):
        load_profile(str(tmp_path / "x.toml"))


def test_missing_files_and_folders_are_told_apart(tmp_path: Path):
    with pytest.raises(ProfileInvalid, match="No such file"):
        load_profile(str(tmp_path / "none.toml"))
    with pytest.raises(ProfileInvalid, match="it is a folder"):
        load_profile(f"{tmp_path}/")
    with pytest.raises(ProfileInvalid, match="null"):
        load_profile("a/\0b")


def test_the_command_lists_by_default(capsys: pytest.CaptureFixture[str]):
    assert main(["profiles"]) == 0
    assert sorted(line.split()[0] for line in capsys.readouterr().out.splitlines()) == profile_names()


def test_the_command_shows_one_profile(capsys: pytest.CaptureFixture[str]):
    assert main(["profiles", "show", "dmd-128x32"]) == 0
    out = capsys.readouterr().out
    assert "display.columns" in out
    assert "128" in out


def test_two_windows_for_one_players_score_do_not_pass_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    windows = "[[display.windows]]\nplayer = 1\nright = 0.5\n[[display.windows]]\nplayer = 1\nleft = 0.5\n"
    file = tmp_path / "mine.toml"
    file.write_text(DISPLAY.replace('"dmd"\ncolumns = 128\nrows = 32', '"lcd"') + windows)
    assert main(["profiles", "check", str(file)]) == 1
    assert "windows 1, 2 are all scores of player 1" in capsys.readouterr().err
    file.write_text(DISPLAY + windows)  # several layouts of dots are one after the other
    assert main(["profiles", "check", str(file)]) == 0


def test_an_unknown_option_is_answered_by_the_command_it_was_given_to(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["profiles", "list", "--digts"])
    assert "inlane-agent profiles: unrecognized arguments: --digts (see inlane-agent profiles --help)" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [(["show"], "needs a name, such as"), (["show", "nope"], "there are: ")],
)
def test_the_commands_mistakes_are_one_line_and_status_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["profiles", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
