"""`inlane-agent profiles`: a machine's font is taught from labelled pictures, checked, and never learnt from a lie."""

import csv
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from bridge.cli import main
from bridge.errors import InputInvalid
from bridge.examples import load_examples
from hardware.catalog import load_profile
from hardware.displays import DotMatrix
from hardware.sim import fonts

VALUES = (1_230, 4_560, 7_890, 34_560, 89_010, 77_660, 20_380, 61_970, 15_420, 938_270)
Capture = pytest.CaptureFixture[str]


def screen(value: int) -> np.ndarray:
    """Exact dots, 0 to 255: a number and the word that says whose it is."""
    dots = np.zeros((32, 128), np.uint8)
    glyph = fonts.number(value, 9, fonts.HANDS[2])
    dots[6:15, 20 : 20 + glyph.shape[1]] = 255 * glyph
    word = fonts.text("BALL 2", 5)
    dots[25:30, 4 : 4 + word.shape[1]] = 255 * word
    return dots


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures whose pixels are dots, with their labels."""
    made = tmp_path / "examples"
    made.mkdir()
    for value in VALUES:
        cv2.imwrite(str(made / f"{value}.png"), screen(value))
    label(made, [(f"{value}.png", f"{value:,}") for value in VALUES])
    return made


def label(folder: Path, rows: list[tuple[str, str]]) -> None:
    with (folder / "labels.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("file", "value"), *rows])


def test_a_lesson_writes_an_atlas_and_a_profile_that_uses_it(folder: Path, tmp_path: Path, capsys: Capture):
    out = tmp_path / "comet.toml"
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "10 of 10 examples teach" in said
    assert "0 wrong" in said
    assert "all ten digits, group marks" in said
    display = load_profile(str(out)).display
    assert isinstance(display, DotMatrix)
    assert [font.missing for atlas in display.atlases for font in atlas.fonts] == [""]
    assert (display.atlases[0].machine, load_profile(str(out)).id) == ("comet", "comet")
    assert main(["profiles", "check", str(out)]) == 0
    assert "all ten digits" in capsys.readouterr().out
    assert main(["profiles", "show", str(out)]) == 0
    assert "9 rows" in capsys.readouterr().out
    assert main(["read", "--profile", str(out), str(folder / "1230.png")]) == 0


def test_a_lesson_taught_again_replaces_its_own_files_and_no_others(folder: Path, tmp_path: Path, capsys: Capture):
    out = tmp_path / "comet.toml"
    call = ["profiles", "teach", "dmd-128x32", str(folder), "--out", str(out)]
    assert (main(call), main(call)) == (0, 0)
    assert main(["profiles", "teach", str(out), str(folder), "--out", str(out)]) == 0
    out.write_text("mine\n")
    assert main(call) == 2
    assert "is there already" in capsys.readouterr().err
    assert out.read_text() == "mine\n"


def test_a_place_that_cannot_be_written_is_one_line(folder: Path, tmp_path: Path, capsys: Capture):
    (tmp_path / "a.toml").mkdir()
    for out in (tmp_path / "a.toml", tmp_path / "nowhere" / "x.toml"):
        assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(out)]) == 1
        assert capsys.readouterr().err.count("\n") == 1


def test_digits_that_are_missing_are_named(folder: Path, tmp_path: Path, capsys: Capture):
    label(folder, [(f"{value}.png", str(value)) for value in VALUES if "9" not in str(value)])
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 0
    assert "still missing 9" in capsys.readouterr().out


def test_a_label_that_its_picture_does_not_show_teaches_nothing(folder: Path, tmp_path: Path, capsys: Capture):
    rows = [(f"{value}.png", str(value)) for value in VALUES]
    label(folder, [*rows[:-1], (rows[-1][0], "555")])
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 0
    said = capsys.readouterr().out
    assert "not 938270.png: the picture does not show 555" in said
    assert "938270.png is read as 938,270: either its label or its picture is another one's" in said
    label(folder, [*rows[:-1], (rows[-1][0], "938,370")])
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 0
    assert "not 938270.png: its 3 is drawn as the 2 of others" in capsys.readouterr().out


def test_nothing_is_written_where_nothing_was_taught(folder: Path, tmp_path: Path, capsys: Capture):
    label(folder, [("1230.png", "1230")])
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 1
    assert "nothing is written" in capsys.readouterr().err
    assert not list(tmp_path.glob("x.*"))


def test_a_copy_of_a_picture_teaches_and_examines_nothing(folder: Path, tmp_path: Path, capsys: Capture):
    for number in range(4):
        (folder / f"copy{number}.png").write_bytes((folder / "1230.png").read_bytes())
    label(folder, [("1230.png", "1230"), *((f"copy{number}.png", "1230") for number in range(4))])
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 1
    said = capsys.readouterr()
    assert "not copy3.png: the same picture as 1230.png" in said.out
    assert "in two pictures or more" in said.err
    assert not list(tmp_path.glob("x.*"))


def test_two_labels_of_one_picture_that_contradict_each_other_are_refused(
    folder: Path, tmp_path: Path, capsys: Capture
):
    label(folder, [*((f"{value}.png", str(value)) for value in VALUES), ("1230.png", "1,280")])
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 2
    said = capsys.readouterr()
    assert "1230.png is labelled 1,230 and 1,280" in said.err
    assert said.out == ""
    assert not list(tmp_path.glob("x.*"))


@pytest.mark.parametrize("out", ["ünï.toml", "x.txt", ".toml", "a b.toml"])
def test_a_name_that_cannot_be_written_is_said_before_the_lesson(
    folder: Path, tmp_path: Path, capsys: Capture, out: str
):
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / out)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert [entry.name for entry in tmp_path.iterdir()] == ["examples"]


def test_what_is_no_file_is_passed_over_and_not_waited_for(folder: Path, tmp_path: Path, capsys: Capture):
    os.mkfifo(folder / "pipe.png")
    (folder / "dir.png").mkdir()
    label(folder, [*((f"{value}.png", str(value)) for value in VALUES), ("pipe.png", "1"), ("dir.png", "2")])
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 0
    said = capsys.readouterr().out
    assert "10 of 12 examples teach" in said
    assert "not pipe.png: no file" in said


def test_a_folder_of_fonts_without_one_is_complained_of(folder: Path, tmp_path: Path, capsys: Capture):
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 0
    (tmp_path / "x.atlas").unlink()
    (tmp_path / "x.atlas").mkdir()
    assert main(["profiles", "check", str(tmp_path / "x.toml")]) == 2
    assert "a folder without a font atlas" in capsys.readouterr().err


def test_a_dump_of_dots_is_taught_from_by_its_times(folder: Path, tmp_path: Path, capsys: Capture):
    frames = []
    for number, value in enumerate(VALUES):
        rows = ["".join("f" if dot else "0" for dot in row) for row in screen(value)]
        frames.append("\n".join([f"0x{1000 * number:08x}", *rows, ""]))
    (folder / "game.txt").write_text("\n".join(frames))
    with (folder / "labels.csv").open("w", newline="") as file:
        labels = [("game.txt", str(value), str(1000 * number)) for number, value in enumerate(VALUES)]
        csv.writer(file).writerows([("file", "value", "at"), *labels, ("game.txt", "7", "77")])
    assert main(["profiles", "teach", "dmd-128x32", str(folder), "--out", str(tmp_path / "x.toml")]) == 0
    said = capsys.readouterr().out
    assert "10 of 11 examples teach" in said
    assert "no picture of that time" in said


def test_displays_without_fonts_are_measured_and_nothing_is_written(folder: Path, tmp_path: Path, capsys: Capture):
    assert main(["profiles", "teach", "seg7", str(folder), "--out", str(tmp_path / "x.toml")]) == 0
    said = capsys.readouterr().out
    assert "has no font to teach" in said
    assert "0 accepted though wrong" in said
    assert not list(tmp_path.glob("x.*"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n", "must name the columns file and value"),
        ("", "must name the columns file and value"),
        ("file,value\nx.png,twelve\n", "line 2: a value is a whole number"),
        ("file,value\nx.png,-5\n", "line 2: a value is a whole number"),
        ("file,value\nx.png," + "9" * 40 + "\n", "line 2: a value is a whole number"),
        ("file,value\n../x.png,1\n", "line 2: a file must lie beside"),
        ("file,value\n/etc/passwd,1\n", "line 2: a file must lie beside"),
        ("file,value,player\nx.png,1,99\n", "line 2: player is a whole number"),
        ("file,value,File\nx.png,1,y.png\n", "names the column file twice"),
        ('file,value\n"x.png,1\n', "unexpected end of data"),
    ],
)
def test_a_mistake_in_the_labels_is_one_line(tmp_path: Path, text: str, said: str):
    (tmp_path / "labels.csv").write_text(text)
    with pytest.raises(InputInvalid) as caught:
        load_examples(tmp_path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_labels_of_a_spreadsheet_are_read_and_empty_values_passed_over(tmp_path: Path):
    (tmp_path / "labels.csv").write_bytes(b"file,value\ra.png,1230\r")
    assert [(one.name, one.value) for one in load_examples(tmp_path)] == [("a.png", 1_230)]
    (tmp_path / "labels.csv").write_bytes("\ufeffFile;Value\r\na.png;1.234.560\r\nb.png;\r\n".encode())
    assert [(one.name, one.value) for one in load_examples(tmp_path)] == [("a.png", 1_234_560)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["teach", "dmd-128x32"], "needs examples"),
        (["teach", "mpf-bcp", "FOLDER"], "heard by wire"),
        (["teach", "dmd-128x32", "nowhere"], "cannot read nowhere"),
        (["teach", "dmd-128x32", "FOLDER", "--out", "x.txt"], "a .toml file"),
        (["show", "dmd-128x32", "more"], "takes one profile"),
        (["check"], "needs a name"),
        (["check", "nowhere.toml"], "cannot read the profile"),
    ],
)
def test_a_wrong_call_is_one_line(folder: Path, capsys: Capture, words: list[str], said: str):
    assert main(["profiles", *(str(folder) if word == "FOLDER" else word for word in words)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_profile_whose_parts_do_not_fit_is_complained_of(tmp_path: Path, capsys: Capture):
    file = tmp_path / "m.toml"
    file.write_text(
        'id = "m"\nname = "M"\nkind = "display"\nplayers = 1\n[display]\ntype = "dmd"\ncolumns = 128\nrows = 32\n'
        "[[display.windows]]\nplayer = 2\n"
    )
    assert main(["profiles", "check", str(file)]) == 1
    assert "window 1 is player 2's, but players = 1" in capsys.readouterr().err
