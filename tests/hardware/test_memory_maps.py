"""Memory maps: every value comes out as the format says, and every mistake is named with file and key."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from capture.dialects.memory_values import read_memory, state_of
from hardware.errors import MapInvalid
from hardware.maps.cells import Memory
from hardware.maps.image import load_image
from hardware.maps.load import load_map, rom_of_image, shipped_map
from tests.hardware.memory_maps import game_state, memory, write_map

BYTES = {0: 0x12, 1: 0x34, 2: 0xF5, 3: 0xAB, 4: 0x00, 5: 0x81, 6: 0x4F, 7: 0x07}
LITTLE = {"endian": "little", "memory_layout": [{"address": 0, "size": 16, "type": "nvram"}]}
HIGH = {"endian": "big", "memory_layout": [{"address": 0, "size": 16, "type": "nvram", "nibble": "high"}]}


@pytest.mark.parametrize(
    ("descriptor", "value"),
    [
        ({"start": 0, "encoding": "int"}, 0x12),
        ({"start": 0, "length": 2, "encoding": "int"}, 0x1234),
        ({"start": "0x0", "end": "0x1", "encoding": "int"}, 0x1234),
        ({"start": 0, "length": 2, "encoding": "int", "endian": "little"}, 0x3412),
        ({"start": 0, "length": 2, "encoding": "bcd"}, 1234),
        ({"start": 0, "length": 2, "encoding": "bcd", "scale": 10}, 12340),
        ({"start": 0, "length": 2, "encoding": "bcd", "scale": 10, "offset": 5}, 12345),
        ({"start": 0, "length": 2, "encoding": "bcd", "endian": "little"}, 3412),
        ({"start": 2, "length": 1, "encoding": "bcd"}, 5),
        ({"start": 3, "length": 1, "encoding": "bcd"}, 0),
        ({"start": 0, "length": 2, "encoding": "bcd", "nibble": "low"}, 24),
        ({"start": 0, "length": 2, "encoding": "bcd", "nibble": "high"}, 13),
        ({"start": 0, "length": 2, "encoding": "int", "nibble": "low"}, 0x24),
        ({"start": 0, "length": 2, "encoding": "bcd", "packed": False}, 24),
        ({"start": 0, "length": 2, "encoding": "bcd", "packed": True}, 1234),
        ({"start": 5, "encoding": "int", "mask": "0x7F"}, 1),
        ({"start": 6, "encoding": "bcd", "mask": "0x0F"}, 0),
        ({"offsets": [1, 0], "encoding": "bcd"}, 3412),
        ({"offsets": ["0x01", "0x07"], "encoding": "int"}, 0x3407),
        ({"start": 4, "encoding": "bool"}, False),
        ({"start": 4, "encoding": "bool", "invert": True}, True),
        ({"start": 5, "encoding": "bool", "mask": "0x80"}, True),
        ({"start": 5, "encoding": "bool", "mask": "0x40"}, False),
        ({"start": 7, "encoding": "enum", "values": ["a"] * 8}, 7),
        ({"start": 7, "encoding": "bits", "values": [1, 20, 300, 4000]}, 321),
        ({"start": 7, "encoding": "bits", "values": [1, 20, 300], "offset": 1000}, 1321),
        ({"start": 4, "encoding": "int", "special_values": {"0": "OFF"}}, None),
        ({"start": 7, "encoding": "int", "special_values": {"0": "OFF"}}, 7),
        ({"start": 4, "encoding": "int", "offset": 1}, 1),
        ({"start": 7, "encoding": "int", "scale": 0.5}, None),
        ({"start": 5, "encoding": "int", "mask": 128, "scale": 0.5}, 64),
        ({"start": 16, "encoding": "int"}, None),
        ({"encoding": "dipsw", "offsets": [2, 1], "values": [3, 5, 4, 2]}, 4),
        ({"encoding": "dipsw", "offsets": [48], "values": [3, 5]}, 5),
    ],
)
def test_each_descriptor_comes_out_as_the_format_says(descriptor: dict[str, Any], value: object, tmp_path: Path):
    platform = {"endian": "big", "memory_layout": [{"address": 0, "size": 16, "type": "nvram"}]}
    state = {"scores": [{"start": 0, "encoding": "int"}], "credits": descriptor}
    loaded = load_map(write_map(tmp_path, state, platform=platform))
    held = Memory(cells=dict(BYTES), dips=(0b10, 0, 0, 0, 0, 0x80))
    got = read_memory(loaded, held).values["credits"]
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(("platform", "score"), [(LITTLE, 3412), (HIGH, 13)])
def test_a_platform_says_the_order_and_the_nibble(platform: dict[str, Any], score: int, tmp_path: Path):
    state = {"scores": [{"start": 0, "encoding": "bcd", "length": 2}]}
    loaded = load_map(write_map(tmp_path, state, platform=platform))
    assert read_memory(loaded, Memory(cells=dict(BYTES))).scores == (score,)


def test_a_map_without_a_platform_counts_in_the_file(tmp_path: Path):
    old = {
        "_fileformat": 0.2, "_roms": ["old_l1"], "_endian": "little",
        "last_game": [{"start": 2, "encoding": "bcd", "length": 2}],
    }  # fmt: skip
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old))
    image = tmp_path / "old_l1.nv"
    image.write_bytes(bytes([0, 0, 0x12, 0x34, 0, 0, 0, 0, 0, 0]))
    loaded = load_map(path, rom="old_l1")
    assert loaded.doubt is None
    assert read_memory(loaded, load_image(image, loaded)).scores == (3412,)


def test_attract_of_older_maps_says_that_no_game_runs(tmp_path: Path):
    state = game_state(attract={"start": "0xA9", "encoding": "enum", "values": ["IN GAME", "ATTRACT"]})
    del state["game_over"]
    loaded = load_map(write_map(tmp_path, state))
    for over in (0, 1):
        held = Memory()
        held.put(0, memory(over=over))
        assert state_of(read_memory(loaded, held), 0, verified=True).playing is (not over)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ({"scores": None}, "key 'game_state.scores': a list of 1 to 16 scores is needed, not None"),
        ({"scores": []}, "key 'game_state.scores': a list of 1 to 16 scores is needed, not []"),
        ({"scores": 5}, "key 'game_state.scores': a list of 16 at the most is needed, not 5"),
        ({"scores": [{"start": 0, "encoding": "bcd"}] * 17}, "key 'game_state.scores': a list of 16"),
        ({"scores": ["x"]}, "key 'game_state.scores[0]': an object in braces is needed, not 'x'"),
        ({"scores": [{"start": 0}]}, "key 'game_state.scores[0].encoding' is missing: one of int, bcd"),
        ({"scores": [{"start": 0, "encoding": "BCD"}]}, "key 'game_state.scores[0].encoding': one of int, bcd"),
        ({"scores": [{"start": 0, "encoding": "ch"}]}, "key 'game_state.scores[0].encoding': a score is bcd or int"),
        ({"scores": [{"encoding": "bcd"}]}, "key 'game_state.scores[0].start' is missing: a whole number"),
        ({"scores": [{"start": "0xZZ", "encoding": "bcd"}]}, "key 'game_state.scores[0].start': a whole number"),
        ({"scores": [{"start": -1, "encoding": "bcd"}]}, "key 'game_state.scores[0].start': a whole number from 0"),
        ({"scores": [{"start": True, "encoding": "bcd"}]}, "key 'game_state.scores[0].start': a whole number"),
        ({"scores": [{"start": 1.5, "encoding": "bcd"}]}, "key 'game_state.scores[0].start': a whole number"),
        ({"scores": [{"start": 0, "length": 0, "encoding": "bcd"}]}, ".length': a whole number from 1 to 64"),
        ({"scores": [{"start": 0, "length": 10**9, "encoding": "bcd"}]}, ".length': a whole number from 1 to 64"),
        ({"scores": [{"start": 9, "end": 3, "encoding": "bcd"}]}, ".end': a whole number from 9 to 72"),
        ({"scores": [{"start": 0, "end": 3, "length": 4, "encoding": "bcd"}]}, ".end': either end or length"),
        ({"scores": [{"start": 2**32 - 1, "length": 2, "encoding": "bcd"}]}, ".length': an end below 2^32"),
        ({"scores": [{"offsets": [], "encoding": "bcd"}]}, ".offsets': a list of addresses is needed"),
        ({"scores": [{"offsets": [1, "x"], "encoding": "bcd"}]}, ".offsets': a list of addresses is needed"),
        ({"scores": [{"start": 0, "encoding": "bcd", "mask": 256}]}, ".mask': a whole number from 0 to 255"),
        ({"scores": [{"start": 0, "encoding": "bcd", "scale": "much"}]}, ".scale': a number is needed, not 'much'"),
        ({"scores": [{"start": 0, "encoding": "bcd", "scale": 1e300}]}, ".scale': a number is needed"),
        ({"scores": [{"start": 0, "encoding": "bcd", "endian": "middle"}]}, ".endian': one of big, little"),
        ({"scores": [{"start": 0, "encoding": "bcd", "nibble": "left"}]}, ".nibble': one of both, high, low"),
        ({"game_over": {"start": 0, "encoding": "bool", "invert": 1}}, ".invert': true or false is needed, not 1"),
        ({"credits": {"encoding": "dipsw"}}, "key 'game_state.credits.offsets' is missing: a list of switches"),
        ({"credits": {"encoding": "dipsw", "offsets": [49]}}, "key 'game_state.credits.offsets': a list of switches"),
        ({"credits": {"encoding": "enum", "start": 0, "values": "none"}}, ".values': a list, or the name of a list"),
        ({"credits": {"encoding": "int", "start": 0, "special_values": {"x": "y"}}}, "special_values': its keys are"),
        ({"credits": {"encoding": "ch", "start": 0}}, "key 'game_state.credits.encoding': a number is needed"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_map_is_named_with_its_file_and_key(spoil: dict[str, Any], said: str, tmp_path: Path):
    path = write_map(tmp_path, game_state(**spoil))
    with pytest.raises(MapInvalid) as caught:
        load_map(path)
    text = str(caught.value)
    assert text.startswith(str(path))
    assert said in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not valid JSON"), (b"[]", "not a JSON object"), (b"{" * 100_000, "not valid JSON"),
        (b'{"a":' * 100_000, "nested too deeply"), (b"\xff\xfe", "not text in UTF-8"),
        (b"{}", "'game_state' is missing"),
        (b'{"game_state": []}', "an object in braces"), (b'{"_metadata": 5, "game_state": {}}', "'_metadata'"),
        (b'{"game_state": {"scores": [{"start": 1e999, "encoding": "bcd"}]}}', "scores[0].start"),
        (b'{"game_state": {"scores": [{"start": NaN, "encoding": "bcd"}]}}', "not valid JSON"),
        (b'{"_metadata": {"platform": "../x"}, "game_state": {}}', "_metadata.platform"),
        (b'{"_metadata": {"platform": "zz"}, "game_state": {}}', "put platforms/zz.json beside the map"),
        (b'{"_metadata": {"roms": "x"}, "game_state": {}}', "_metadata.roms"),
        (b" " * (5 << 20), "larger than 4096 KB"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_map_is_refused_in_one_line(content: bytes, said: str, tmp_path: Path):
    path = tmp_path / "x.map.json"
    path.write_bytes(content)
    with pytest.raises(MapInvalid) as caught:
        load_map(path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ([], "memory_layout': a list with memory"),
        ([{"type": "nvram", "address": 0, "size": 0}], "memory_layout[0].size"),
        ([{"type": "nvram", "address": 0, "size": "0x10000000"}], "memory_layout[0].size"),
        ([{"type": "ram", "address": 0, "size": 9}, {"type": "nvram", "address": 8, "size": 9}], "two regions overlap"),
        ([{"type": "ram", "address": 1 << 24 << i, "size": 16 << 20} for i in range(2)], "more than 16 MB"),
        ([{"type": "nvram", "address": 0, "size": 8, "nibble": "odd"}], "memory_layout[0].nibble"),
    ],
)
def test_a_mistake_in_a_platform_is_named(layout: list[Any], said: str, tmp_path: Path):
    path = write_map(tmp_path, game_state(), platform={"memory_layout": layout})
    with pytest.raises(MapInvalid) as caught:
        load_map(path)
    assert said in str(caught.value)
    assert "platforms/tst.json" in str(caught.value)


def test_what_is_not_needed_of_a_map_may_be_wrong(tmp_path: Path):
    path = write_map(tmp_path, game_state(volume={"encoding": "odd"}), high_scores=5, audits={"x": []})
    assert len(load_map(path).scores) == 4


def test_a_revision_that_is_not_listed_is_doubted(tmp_path: Path):
    path = write_map(tmp_path, game_state())
    assert load_map(path).doubt is None
    assert load_map(path, rom="TST_L2").doubt is None
    doubt = load_map(path, rom="tst_l9").doubt
    assert doubt == "revision 'tst_l9' is not among those that tst_l1.map.json is for (tst_l1, tst_l2)"


@pytest.mark.parametrize(
    ("name", "rom"),
    [
        ("tst_l2.nv", "tst_l2"), ("tst_l1-after.nv", "tst_l1"), ("TST_L1.NV", "tst_l1"), ("tst_x9.nv", "tst_x9"),
        ("tst_l1_after_ball_2.nv", "tst_l1"), ("image.nv", None), ("other_l1.nv", None), ("0001.txt", None), ("", None),
    ],
)  # fmt: skip
def test_an_image_that_pinmame_named_says_its_revision(name: str, rom: str | None, tmp_path: Path):
    assert rom_of_image(load_map(write_map(tmp_path, game_state())), Path("x") / name) == rom


def test_a_folder_of_maps_is_asked_for_the_revision(tmp_path: Path):
    factor = copy.deepcopy(game_state())
    for score in factor["scores"]:
        score["scale"] = 10
    write_map(tmp_path, game_state(), name="maps/a.map.json", roms=["tst_l1"])
    write_map(tmp_path, factor, name="maps/b.map.json", roms=["tst_l2"])
    index = {"_note": "made", "tst_l1": "maps/a.map.json", "tst_l2": "maps/b.map.json", "bad": "../../etc/passwd"}
    (tmp_path / "index.json").write_text(json.dumps(index))
    assert load_map(tmp_path, rom="tst_l1").scores[0].scale == 1
    assert load_map(tmp_path, rom="tst_l2").scores[0].scale == 10
    for rom, said in ((None, "say which revision"), ("zz", "no map of revision 'zz'"), ("bad", "within the folder")):
        with pytest.raises(MapInvalid, match=said):
            load_map(tmp_path, rom=rom)


def test_a_folder_without_an_index_is_told_what_to_name(tmp_path: Path):
    write_map(tmp_path, game_state())
    with pytest.raises(MapInvalid, match=r"has no index\.json: name one map's file"):
        load_map(tmp_path, rom="tst_l1")


def test_without_a_revision_a_map_that_has_brothers_is_doubted(tmp_path: Path):
    path = write_map(tmp_path, game_state(), name="maps/a.map.json", roms=["tst_l1"])
    write_map(tmp_path, game_state(), name="maps/b.map.json", roms=["tst_l2"])
    (tmp_path / "index.json").write_text(json.dumps({"tst_l1": "maps/a.map.json", "tst_l2": "maps/b.map.json"}))
    assert "several maps of this game (a.map.json, b.map.json)" in (load_map(path).doubt or "")
    assert load_map(path, rom="tst_l1").doubt is None


@pytest.mark.parametrize("name", ["protospace", "protospace-0200", "sim-memory"])
def test_the_maps_that_come_with_inlane_load(name: str):
    assert len(shipped_map(name).scores) >= 4


def test_a_map_that_does_not_come_with_inlane_is_named_with_those_that_do():
    with pytest.raises(MapInvalid, match="there are: protospace, protospace-0200, sim-memory"):
        shipped_map("../x")
