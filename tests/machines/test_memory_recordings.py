"""Recordings of a memory through `inlane-agent replay`: lines with times, folders of images, and what is none."""

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from bridge.cli import main
from hardware.ports.replay_memory import BETWEEN_MS, timed
from tests.hardware.memory_maps import dump, game_state, memory, write_map

Replay = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return write_map(tmp_path / "maps", game_state())


def sample(at: float, over: int, ball: int, *scores: int) -> str:
    """One moment, as lines of a recording."""
    cells = memory(over=over, ball=ball, scores=scores)
    parts = [(0x200, 16), (0xA8, 6), (0x38, 1), (0x788, 1), (0x726, 1)]
    return "".join(f"{at:.3f} 0x{start:04X} {cells[start : start + size].hex(' ')}\n" for start, size in parts)


def life(samples: Iterable[tuple[int, int, int]], *, step: float = 0.25) -> str:
    return "".join(sample(place * step, *one) for place, one in enumerate(samples))


THREE_BALLS = (
    *([(1, 0, 0)] * 10 + [(0, 1, 9770 * place // 19) for place in range(20)] + [(255, 1, 9770)]),
    *([(0, 2, 9770 + 30_830 * place // 19) for place in range(20)] + [(255, 2, 40_600)] * 2),
    *([(0, 3, 40_600 + 19_020 * place // 19) for place in range(20)] + [(1, 3, 59_620)] * 21),
)
"""The game-over byte shows all ones for an instant at each change of balls."""


def ends(facts: list[dict[str, Any]]) -> list[Any]:
    return [[one["score"] for one in fact["body"]["scores"]] for fact in facts if fact["kind"] == "game.ended"]


def kinds(facts: list[dict[str, Any]], kind: str) -> int:
    return sum(fact["kind"] == kind for fact in facts)


@pytest.mark.parametrize(
    "wrapping", ["plain", "gz", "crlf", "bom", "upper", "no 0x", "joined", "colon", "0x each", "later lines", "decimal"]
)
def test_a_recording_says_the_same_in_every_wrapping(wrapping: str, tmp_path: Path, chart: Path, replayed: Replay):
    lines = life(THREE_BALLS).splitlines()
    if wrapping == "no 0x":
        lines = [line.replace("0x", "") for line in lines]
    if wrapping == "decimal":
        parts = [line.split(None, 2) for line in lines]
        lines = [f"{at} {int(address, 16)} {cells}" for at, address, cells in parts]
    if wrapping in {"joined", "colon", "0x each"}:
        parts = [line.split() for line in lines]
        join = {"joined": "", "colon": " ", "0x each": " 0x"}[wrapping]
        mark = ":" if wrapping == "colon" else ""
        lead = "0x" if wrapping == "0x each" else ""
        lines = [f"{at} {address}{mark} {lead}{join.join(cells)}" for at, address, *cells in parts]
    if wrapping == "later lines":  # each line of a sample with its own time
        lines = [
            f"{float(line.split()[0]) + place % 5 * 0.008:.3f} {line.split(None, 1)[1]}"
            for place, line in enumerate(lines)
        ]
    text = ("\r\n" if wrapping == "crlf" else "\n").join(lines)
    data = (text.upper().replace("0X", "0x") if wrapping == "upper" else text).encode()
    data = b"\xef\xbb\xbf" + data if wrapping == "bom" else data
    file = tmp_path / "x.txt"
    file.write_bytes(gzip.compress(data) if wrapping == "gz" else data)
    facts = replayed(file, "--map", str(chart), profile="pinmame-map")
    assert kinds(facts, "game.started") == 1
    assert ends(facts) == [[59_620]]


def test_all_noughts_for_an_instant_are_the_same_game(tmp_path: Path, chart: Path, replayed: Replay):
    file = tmp_path / "x.txt"
    samples = [(1, 0, 0)] * 10 + [(0, 1, 100)] * 4 + [(0, 2, 40_600)] * 10 + [(0, 2, 0)] + [(0, 2, 40_600)] * 10
    file.write_text(life([*samples, *[(0, 3, 50_000)] * 10, *[(1, 3, 50_000)] * 40]))
    facts = replayed(file, "--map", str(chart), profile="pinmame-map")
    assert (kinds(facts, "game.started"), ends(facts)) == (1, [[50_000]])


@pytest.mark.parametrize(("scale", "score"), [(None, 53_580), (10, 535_800)])
def test_the_factor_is_the_maps(scale: int | None, score: int, tmp_path: Path, replayed: Replay):
    state = game_state()
    for one in state["scores"] if scale else []:
        one["scale"] = scale
    chart = write_map(tmp_path / "maps", state)
    file = tmp_path / "x.txt"
    file.write_text(life([(1, 0, 0)] * 10 + [(0, 3, 53_580)] * 10 + [(1, 3, 53_580)] * 40))
    assert ends(replayed(file, "--map", str(chart), profile="pinmame-map")) == [[score]]
    told = replayed(file, "--map", str(chart), "--rom", "tst_x1", profile="pinmame-map")
    assert ends(told) == [[None]]
    (read,) = [fact["body"] for fact in told if fact["kind"] == "score.read"]
    assert read["candidates"] == [score]
    assert not any(fact["body"]["accepted"] for fact in told if fact["kind"] == "score.live")


def test_a_rollover_is_held(tmp_path: Path, chart: Path, replayed: Replay):
    profile = tmp_path / "rolls.toml"
    profile.write_text(
        'id = "rolls"\nname = "x"\nkind = "wire"\ndialect = "memory"\ndigits = 8\n'
        '[memory]\nmap = "maps/tst_l1.map.json"\n'
    )
    scores = [0] * 4 + [99_200_000] * 8 + [99_990_000] * 8 + [310_000] * 8 + [1_540_000] * 8
    file = tmp_path / "x.txt"
    file.write_text(life([(1, 0, 0)] * 10 + [(0, 3, score) for score in scores] + [(1, 3, 1_540_000)] * 40))
    facts = replayed(file, profile=str(profile))
    assert ends(facts) == [[None]]
    (read,) = [fact["body"] for fact in facts if fact["kind"] == "score.read"]
    assert 101_540_000 in read["candidates"]
    assert ends(replayed(file, "--map", str(chart), profile="pinmame-map")) == [[None]]


def test_a_folder_of_images_by_milliseconds_is_a_game(tmp_path: Path, chart: Path, replayed: Replay):
    folder = tmp_path / "images"
    folder.mkdir()
    for place, (over, ball, score) in enumerate(THREE_BALLS):
        cells = memory(over=over, ball=ball, scores=(score,))
        image = folder / (f"{place * 250}.nv" if place % 2 else f"{place * 250}.txt")
        image.write_bytes(cells if place % 2 else dump(cells))
    (folder / "1001.nv").write_bytes(b"short")
    assert ends(replayed(folder, "--map", str(chart), profile="pinmame-map")) == [[59_620]]


def test_what_the_memory_says_is_shown_though_no_game_runs(tmp_path: Path, chart: Path, replayed: Replay):
    file = tmp_path / "idle.txt"
    file.write_text(sample(0, 1, 0, 59_620, 1_230))
    facts = replayed(file, "--map", str(chart), profile="pinmame-map")
    seen = [fact["body"] for fact in facts if fact["kind"] == "state.seen"]
    assert [(one["playing"], one["scores"][:2]) for one in seen] == [(False, [59_620, 1_230])]
    assert {fact["kind"] for fact in facts} <= {"state.seen", "machine.attached"}


def test_a_folder_of_images_by_order_is_a_game(tmp_path: Path, chart: Path, replayed: Replay):
    folder = tmp_path / "images"
    folder.mkdir()
    lives = [("a1-fresh", 1, 0, 0), ("a2-first", 0, 1, 1000), ("a10-second", 0, 2, 2000), ("a11-over", 1, 2, 2000)]
    for name, over, ball, score in lives:
        (folder / f"{name}.nv").write_bytes(memory(over=over, ball=ball, scores=(score,)))
    assert ends(replayed(folder, "--map", str(chart), profile="pinmame-map")) == [[2000]]


@pytest.mark.parametrize(
    ("names", "moments"),
    [
        (["0.nv", "250.nv", "1000.nv"], [0, 250, 1000]),
        (["t_250.txt", "t_1000.txt"], [250, 1000]),
        (["1.nv", "2.nv", "3.nv"], [0, BETWEEN_MS, 2 * BETWEEN_MS]),
        (["b.txt", "a2.txt", "a10.txt"], [0, BETWEEN_MS, 2 * BETWEEN_MS]),
    ],
)
def test_images_have_the_times_of_their_names_or_an_order(names: list[str], moments: list[int]):
    files, _ = timed([Path(name) for name in names])
    assert [at for at, _ in files] == moments
    assert [file.name for _, file in files] == (["a2.txt", "a10.txt", "b.txt"] if "b.txt" in names else names)


def test_damaged_lines_are_skipped_and_counted(tmp_path: Path, chart: Path, capsys: pytest.CaptureFixture[str]):
    lines = life(THREE_BALLS).encode().splitlines()
    for place, rubbish in ((5, b"\xff\xfe\x00"), (90, b"0.1 zz 00"), (120, b"9" * 200_000), (121, b"1.0 0x10 0")):
        lines.insert(place, rubbish)
    file = tmp_path / "x.txt"
    file.write_bytes(b"\n".join(lines))
    assert main(["replay", "--profile", "pinmame-map", "--map", str(chart), str(file), "--json"]) == 0
    out, error = capsys.readouterr()
    assert ends([json.loads(line) for line in out.splitlines()]) == [[59_620]]
    assert error == f"inlane-agent: {file}: 4 damaged lines were skipped\n"


def test_what_a_reader_said_is_a_recording_too(tmp_path: Path, chart: Path, replayed: Replay):
    said = []
    for place, (over, ball, score) in enumerate(THREE_BALLS):
        cells = memory(over=over, ball=ball, scores=(score,))
        rows = dump(cells, rows=(0x30, 0xA0, 0x200, 0x720, 0x780)).decode().splitlines()
        said += [f"{place * 0.25:.3f} < {row}" for row in rows]
    file = tmp_path / "x.txt"
    file.write_text("\n".join(said))
    assert ends(replayed(file, "--map", str(chart), profile="pinmame-map")) == [[59_620]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay", "--profile", "pinmame-map", "{file}"], "without its memory map: give --map FILE"),
        (["read", "--profile", "pinmame-map", "{file}"], "needs a memory map: --map FILE"),
        (["read", "--profile", "pinmame-map", "--map", "{chart}", "--digits", "7", "{file}"],
         "--digits is of displays"),
        (["read", "--profile", "dmd-128x32", "--map", "{chart}", "{file}"],
         "--map: profile 'dmd-128x32' reads no memory"),
        (["replay", "--profile", "mpf-bcp", "--rom", "x", "{file}"], "--rom: profile 'mpf-bcp' reads no memory"),
        (["read", "--profile", "pinmame-map", "--map", "{chart}", "--rom", "a b", "{file}"], "PinMAME's names have"),
        (["read", "--profile", "pinmame-map", "--map", "/nowhere", "{file}"], "cannot read the memory map '/nowhere'"),
        (["replay", "--profile", "pinmame-map", "--map", "{chart}", "{folder}"], "holds no images (.nv or .txt)"),
        (["replay", "--profile", "pinmame-map", "--map", "{chart}", "/nowhere"], "cannot read"),
        (["read", "--profile", "pinmame-map", "--map", "{chart}", "/nowhere", "{file}"],
         "cannot read the memory image"),
        (["replay", "--profile", "pinmame-map", "--map", "{chart}", "{chart}"], "but the memory of tst has 2048"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_answered_in_one_line(
    words: list[str], said: str, tmp_path: Path, chart: Path, capsys: pytest.CaptureFixture[str]
):
    file, folder = tmp_path / "tst_l1.nv", tmp_path / "empty"
    file.write_bytes(memory())
    folder.mkdir()
    assert main([word.format(file=file, chart=chart, folder=folder) for word in words]) in {1, 2}
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert error.startswith("inlane-agent: ")


def test_a_bad_image_does_not_keep_the_others_from_being_read(
    tmp_path: Path, chart: Path, capsys: pytest.CaptureFixture[str]
):
    good, bad = tmp_path / "good.nv", tmp_path / "bad.nv"
    good.write_bytes(memory(players=2, scores=(1230, 4560)))
    bad.write_bytes(b"x")
    assert main(["read", "--profile", "pinmame-map", "--map", str(chart), str(bad), str(good)]) == 1
    out, error = capsys.readouterr()
    assert out == (
        f"{good}: player 1: 1,230; player 2: 4,560; player 3: 0; player 4: 0 (accepted); a game runs, up 1, ball 1,"
        " of 3, credits 12\n"
    )
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        ({"rom": "tst_x1"}, "unverified: revision 'tst_x1' is not among those"),
        ({"cells": (0xAC, 0x77)}, "a number of players that cannot be"),
        ({"cells": (0x203, 0xFF)}, "digits of a score are dark"),
    ],
)
def test_what_cannot_be_is_held(
    spoil: dict[str, Any], why: str, tmp_path: Path, chart: Path, capsys: pytest.CaptureFixture[str]
):
    cells = bytearray(memory(scores=(1230,)))
    if "cells" in spoil:
        cells[spoil["cells"][0]] = spoil["cells"][1]
    image = tmp_path / "x.nv"
    image.write_bytes(cells)
    more = ["--rom", spoil["rom"]] if "rom" in spoil else []
    assert main(["read", "--profile", "pinmame-map", "--map", str(chart), *more, "--json", str(image)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert not answer["accepted"]
    assert why in answer["why"]
    assert answer["scores"][0]["score"] in {None, 1200 if "dark" in why else 1230}


@pytest.mark.parametrize("left_out", [("0x0038",), ("0x0038", "0x0788"), ("0x0726", "0x0788")])
def test_a_recording_may_leave_out_what_it_has_not(
    left_out: tuple[str, ...], tmp_path: Path, chart: Path, replayed: Replay
):
    file = tmp_path / "x.txt"
    lines = life(THREE_BALLS).splitlines(keepends=True)
    file.write_text("".join(line for line in lines if line.split()[1] not in left_out))
    facts = replayed(file, "--map", str(chart), profile="pinmame-map")
    assert kinds(facts, "game.started") == 1
    assert ends(facts) == [[59_620]]
