"""A font atlas is text that is read strictly: what is written is read again, and a mistake is named in one line."""

from pathlib import Path

import pytest

from hardware.atlas import Atlas, Font, Glyph, format_atlas, parse_atlas
from hardware.catalog import load_profile
from hardware.displays import DotMatrix
from hardware.errors import ProfileInvalid

ONE = Glyph(sign="1", dots=(".#", "##", ".#"), seen=3)
COMMA = Glyph(sign=",", dots=("..", "-.", ".#", "#+"))
FONT = Font(name="5a", rows=3, drop=1, between=(1, 2), glyphs=(ONE, COMMA))
ATLAS = Atlas(machine="comet-3", columns=128, rows=32, fonts=(FONT,))
TEXT = format_atlas(ATLAS)
PROFILE = 'id = "m"\nname = "M"\nkind = "display"\n[display]\ntype = "dmd"\ncolumns = 128\nrows = 32\n'

MISTAKES = {
    "another file": (TEXT.replace("atlas 1", "atlas 2"), "line 1: a font atlas begins with 'inlane-atlas 1'"),
    "empty": ("", "a font atlas begins with"),
    "machine": (TEXT.replace("comet-3", "Comet 3"), "line 2: a line 'machine …'"),
    "display": (TEXT.replace("128x32", "128"), "line 3: a line 'display …' with COLUMNSxROWS"),
    "no font": (TEXT.partition("\nfont")[0], "no font is in it"),
    "font's name": (TEXT.replace("font 5a", "font ../5a"), "a font's name is made of"),
    "rows": (TEXT.replace("rows 3", "rows 300"), "rows must be 3 to 64"),
    "gap": (TEXT.replace("between 1-2", "between 2-1"), "between must be FEWEST-MOST"),
    "unknown sign": (TEXT.replace("glyph 1", "glyph A"), "a glyph begins with"),
    "row too few": (TEXT.replace("##\n", "", 1), "glyph '1' needs 3 rows of one width"),
    "ragged": (TEXT.replace("##\n", "###\n", 1), "glyph '1' needs 3 rows of one width"),
    "other letter": (TEXT.replace("##\n", "#o\n", 1), "glyph '1' needs 3 rows of one width"),
    "dark side": (TEXT.replace(".#\n##\n.#\n", ".#.\n##.\n.#.\n"), "has a dark column at its side"),
    "twice": (TEXT + TEXT.partition("\n\n")[2], "stands here twice"),
    "junk at the end": (TEXT + "glyph\n", "a line 'font NAME' is needed here"),
    "huge": ("#" * 300_000, "larger than 256 KB"),
}


def test_what_is_written_is_read_as_the_same_atlas():
    assert parse_atlas(TEXT, file="x") == ATLAS
    assert parse_atlas("# a note\n" + TEXT.replace("\nfont", "\n# another\n\nfont"), file="x") == ATLAS


@pytest.mark.parametrize(("text", "said"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_in_an_atlas_is_named_in_one_line(text: str, said: str):
    with pytest.raises(ProfileInvalid) as caught:
        parse_atlas(text, file="my.atlas")
    message = str(caught.value)
    assert message.startswith("my.atlas")
    assert said in message
    assert "\n" not in message


def test_a_profile_loads_the_fonts_beside_it_by_file_and_by_folder(tmp_path: Path):
    (tmp_path / "more").mkdir()
    (tmp_path / "one.atlas").write_text(TEXT)
    (tmp_path / "more" / "two.atlas").write_text(TEXT)
    (tmp_path / "m.toml").write_text(PROFILE + 'fonts = ["one.atlas", "more"]\n')
    display = load_profile(str(tmp_path / "m.toml")).display
    assert isinstance(display, DotMatrix)
    assert display.atlases == (ATLAS, ATLAS)


@pytest.mark.parametrize(
    ("fonts", "said"),
    [
        ('["none.atlas"]', "cannot read the font atlas"),
        ('["../up.atlas"]', "display.fonts"),
        ('["/etc/passwd"]', "display.fonts"),
        ('["small.atlas"]', "made for a display of 16x8 dots, not 128x32"),
    ],
)
def test_fonts_that_cannot_be_loaded_are_named_in_one_line(tmp_path: Path, fonts: str, said: str):
    (tmp_path / "small.atlas").write_text(TEXT.replace("128x32", "16x8"))
    (tmp_path / "m.toml").write_text(PROFILE + f"fonts = {fonts}\n")
    with pytest.raises(ProfileInvalid) as caught:
        load_profile(str(tmp_path / "m.toml"))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
