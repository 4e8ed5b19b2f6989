"""Reading and writing the tournament file: what is not understood is told with its line, and nothing breaks."""

from collections.abc import Callable
from pathlib import Path

import pytest

from server.core.rules import Tournament, evaluate
from server.tournament_file import TournamentFileInvalid, dump, load, loads

HEAD = "inlane: 1\npreset: tpc\nplayers:\n  - {id: p1, division: A}\nmachines:\n  - {id: m1, division: A}\n"
GAME = HEAD + "log:\n  - {game: g0, machine: m1, scores: {p1: 5}}\n"  # the next entry is line 9

UNREADABLE = {
    "not a mapping": ("- 1\n", 1, "inlane: 1"),
    "empty": ("", 1, "inlane: 1"),
    "no version": ("preset: tpc\n", 1, "inlane: 1"),
    "another version": ("inlane: 2\npreset: tpc\n", 1, "version 1"),
    "no preset": ("inlane: 1\n", 1, "uk-kids"),
    "unknown preset": ("inlane: 1\npreset: no-such\n", 2, "epc, epc-classic,"),
    "unknown part": ("inlane: 1\npreset: tpc\nplayer: []\n", 3, "no part of"),
    "unknown setting": ("inlane: 1\npreset: uk-kids\nrules:\n  ball_count: 1\n", 4, "its settings are cheating_wipes, conduct, entry_price"),
    "setting of the wrong type": ("inlane: 1\npreset: tpc\nrules:\n  registration_fee: much\n", 4, "whole number"),
    "setting out of range": ("inlane: 1\npreset: tpc\nrules: {qualifiers: 4}\n", 3, "at least qualifiers_min, 8"),
    "division not there": ("inlane: 1\npreset: tpc\nrules: {bar_rank: {C: 5}}\n", 3, "there is no division C"),
    "bad cut-off": ("inlane: 1\npreset: tpc\nrules: {disable_cutoff: '20:00'}\n", 3, "Sat 20:00"),
    "bad duration": ("inlane: 1\npreset: tpc\nrules: {disable_after: 2 hours}\n", 3, "2h, 90m"),
    "bad price": ("inlane: 1\npreset: tpc\nrules: {entry_price: {A: {single: 4, bundle: 4}}}\n", 3, "go together"),
    "unknown zone": ("inlane: 1\npreset: tpc\ntimezone: Toronto\n", 3, "America/Toronto"),
    "zone outside": ("inlane: 1\npreset: tpc\ntimezone: ../../etc/passwd\n", 3, "no time zone"),
    "player twice": (HEAD.replace("machines:", "  - {id: p1}\nmachines:"), 5, "p1 is there already"),
    "player of no division": (HEAD.replace("p1, division: A", "p1, division: C"), 4, "there are A, B"),
    "teams": (HEAD + "teams: [{id: t1}]\n", 7, "single players"),
    "entry of no kind": (GAME + "  - {gmae: g1}\n", 9, "the first key"),
    "empty entry": (GAME + "  - {}\n", 9, "it is empty"),
    "entry is text": (GAME + "  - game g1\n", 9, "must be a mapping"),
    "unknown field": (GAME + "  - game: g1\n    machine: m1\n    score: {p1: 5}\n", 11, "no field of a 'game' entry"),
    "missing field": (GAME + "  - {game: g1, machine: m1}\n", 9, "needs 'scores'"),
    "score is text": (GAME + "  - game: g1\n    machine: m1\n    scores:\n      p1: many\n", 12, "whole number"),
    "score is quoted": (GAME + "  - {game: g1, machine: m1, scores: {p1: '500'}}\n", 9, "without quotes"),
    "score with leading zeros": (GAME + "  - {game: g1, machine: m1, scores: {p1: 0012340}}\n", 9, "leading zeros"),
    "score is a fraction": (GAME + "  - {game: g1, machine: m1, scores: {p1: 1.5}}\n", 9, "whole number, not 1.5"),
    "score is true": (GAME + "  - {game: g1, machine: m1, scores: {p1: true}}\n", 9, "whole number, not true"),
    "score is nothing": (GAME + "  - {game: g1, machine: m1, scores: {p1: }}\n", 9, "whole number, not nothing"),
    "score of thousands of digits": (GAME + "  - {correct: g0, scores: {p1: " + "9" * 5000 + "}}\n", 9, "1000 digits"),
    "player twice in a game": (GAME + "  - {game: g1, machine: m1, scores: {p1: 5, p1: 6}}\n", 9, "twice"),
    "bad time": (GAME + "  - {game: g1, machine: m1, scores: {p1: 5}, at: yesterday}\n", 9, "2010-05-15T21:00"),
    "day for a time": (GAME + "  - {game: g1, machine: m1, scores: {p1: 5}, at: 2010-05-15}\n", 9, "2010-05-15T21:00"),
    "time of no calendar": (GAME + "  - {close: A/qualifying, at: 2010-02-30T10:00}\n", 9, "time such as"),
    "unknown state": (GAME + "  - {machine: m1, status: broken}\n", 9, "down, up, disabled"),
    "unknown ruling": (GAME + "  - {ruling: g0, kind: redo}\n", 9, "add-ball, best-of"),
    "factor is no number": (GAME + "  - {ruling: g0, kind: fraction, factor: most}\n", 9, "such as 0.8"),
    "permission is a word": (GAME + "  - {move: p1, division: A, permission: yes}\n", 9, "true or false"),
    "id is a list": (GAME + "  - {void: [g0]}\n", 9, "must be an id"),
    "log is a mapping": (HEAD + "log: {}\n", 7, "must be a list"),
    "tab": (GAME + "\t- {void: g0}\n", 9, "tab"),
    "unclosed": (GAME + "  - {void: g0\n  - {void: g0}\n", 10, ""),
    "two documents": (GAME + "---\ninlane: 1\n", 9, "second document"),
    "anchor": (HEAD.replace("{id: m1", "&x {id: m1"), 6, "anchors"),
    "alias": (GAME + "  - *x\n", 9, "anchors"),
    "tag": (GAME + "  - !!python/object:os.system {void: g0}\n", 9, "tags"),
    "key is a list": (GAME + "  - {[1]: g0}\n", 9, "a key must be"),
    "deep": (HEAD + "log: " + "[" * 30 + "]" * 30 + "\n", 7, "20 levels"),
    "control character": (GAME + "  - {void: g0, why: a\x07b}\n", 9, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_understood_is_told_in_one_line_with_its_line(name: str):
    text, line, words = UNREADABLE[name]
    with pytest.raises(TournamentFileInvalid) as caught:
        loads(text, name="x.yaml")
    assert (caught.value.line, "\n" in str(caught.value)) == (line, False)
    assert str(caught.value).startswith(f"x.yaml, line {line}: ")
    assert words in str(caught.value)
    assert len(str(caught.value)) < 600


def test_an_error_in_line_4000_is_found():
    entries = "".join(f"  - {{game: x{n}, machine: m1, scores: {{p1: {n}}}}}\n" for n in range(9, 4000))
    with pytest.raises(TournamentFileInvalid, match=r"line 4000: log entry 3993, scores\.p1: must be a whole number"):
        loads(GAME + entries + "  - {game: y, machine: m1, scores: {p1: 4.5}}\n")


@pytest.mark.parametrize(
    ("raw", "line", "words"),
    [
        (GAME.encode() + b"  - {void: g0, why: caf\xe9}\n", 9, "not UTF-8"),
        (GAME.encode("utf-16"), 1, "UTF-16"),
        (b"\x00\x01\x02", 1, "not allowed"),
    ],
)
def test_a_file_in_another_encoding_is_told(tmp_path: Path, raw: bytes, line: int, words: str):
    file = tmp_path / "x.yaml"
    file.write_bytes(raw)
    with pytest.raises(TournamentFileInvalid, match=words) as caught:
        load(file)
    assert caught.value.line == line


def test_a_file_that_is_not_there_a_folder_and_a_huge_one_are_told(tmp_path: Path):
    with pytest.raises(TournamentFileInvalid, match="No such file"):
        load(tmp_path / "x.yaml")
    with pytest.raises(TournamentFileInvalid, match="directory"):
        load(tmp_path)
    huge = tmp_path / "huge.yaml"
    with huge.open("wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(TournamentFileInvalid, match="larger than 64 MiB"):
        load(huge)


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path):
    file = tmp_path / "x.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode())
    assert load(file) == loads(GAME)


def test_ids_may_be_numbers_and_country_codes_stay_text(read: Callable[[str], Tournament]):
    text = (
        "inlane: 1\npreset: tpc\nplayers: [{id: 7, division: A, country: NO}, {id: on, division: A}]\n"
        "machines: [{id: 1, division: A}]\nlog: [{game: 9, machine: 1, scores: {7: 1_000, on: 3}}]\n"
    )
    tournament = read(text)
    assert list(tournament.head.players) == ["7", "on"]
    assert tournament.head.players["7"].country == "NO"
    assert tournament.log[0].written["scores"] == {"7": 1000, "on": 3}


def test_a_key_without_a_value_is_not_given(read: Callable[[str], Tournament]):
    tournament = read(GAME + "  - {void: g0, who: , why: a slip, of the pen}\n")
    assert tournament.log[1].written == {"void": "g0", "why": "a slip"}


FILES = (Path(__file__).parent / "files").rglob("*.yaml")
OWN = sorted(path for path in FILES if path.parent.name != "errors")


def test_exported_imported_and_exported_again_is_the_same_text():
    for path in OWN:
        tournament = load(path)
        text = dump(tournament)
        again = loads(text)
        assert dump(again) == text
        assert evaluate(again) == evaluate(tournament)


def test_what_is_written_is_safe_for_every_reader(read: Callable[[str], Tournament]):
    text = GAME.replace("id: p1", 'id: p1, name: "Zoë \\"no\\" #1: O\'Brien \\u2028\\U0001F4A5", country: "NO"')
    written = dump(read(text))
    assert 'country: "NO"' in written
    assert "💥" in written
    assert read(written).head.players == read(text).head.players
