"""Tables in every encoding and shape that spreadsheets write, and nothing in a cell that a spreadsheet would run."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.exchange.columns import MACHINES, PLAYERS, headers, read_members
from server.exchange.sheets import SheetInvalid, protect, read_sheet, unprotect, write_sheet

KNOWN = headers(PLAYERS)
PEOPLE = ("Zoë Müller", "Łukasz N.", "O'Brien, Pat")
FEW = ("Zoë Müller", "O'Brien, Pat")


def names(data: bytes, encoding: str | None = None) -> tuple[str, ...]:
    sheet = read_sheet(data, name="x.csv", known=KNOWN, encoding=encoding)
    return tuple(member.name for member in read_members(sheet, PLAYERS).rows)


def table(people: tuple[str, ...], separator: str, end: str = "\r\n") -> str:
    rows = [["Name", "Country"], *([name, "PL"] for name in people)]
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_same_players_are_read_from_every_form_of_the_table(encoding: str, separator: str, end: str):
    assert names(table(PEOPLE, separator, end).encode(encoding)) == PEOPLE


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("said", ["cp1252", "CP1252", "windows-1252"])
def test_windows_1252_is_read_where_it_is_said_and_told_where_not(separator: str, said: str):
    data = table(FEW, separator).encode("cp1252")
    assert names(data, said) == FEW
    with pytest.raises(SheetInvalid, match=r"x\.csv, line 2: this is not UTF-8 \(byte 0xeb\).*--encoding cp1252"):
        names(data)


def test_a_broken_byte_is_told_with_its_line():
    data = table(("Ann", "Zoë", "Bob"), ",").encode().replace("ë".encode(), b"\xeb")
    with pytest.raises(SheetInvalid, match="line 3: this is not UTF-8") as caught:
        names(data)
    assert caught.value.line == 3


def test_utf_8_is_never_read_as_windows_1252():
    for data in (table(FEW, ",").encode(), table(FEW, ",").encode("utf-8-sig"), table(FEW, ",").encode("utf-16")):
        with pytest.raises(SheetInvalid, match="leave the encoding out"):
            names(data, "cp1252")


@pytest.mark.parametrize(
    ("data", "encoding", "words"),
    [
        (table(FEW, ",").encode("utf-16-le"), None, "UTF-16 without its mark"),
        (table(FEW, ",").encode("utf-16")[:-1], None, "line 3: this is not UTF-16-LE"),
        (table(FEW, ",").encode(), "klingon", "there are utf-8"),
        (table(FEW, ",").encode("utf-16-le"), "utf-16", "say utf-16-le"),
        (b"Name\r\nPat\x81\r\n", "cp1252", "line 2: this is not CP1252"),
    ],
    ids=["unmarked", "cut", "unknown", "said", "cp1252"],
)
def test_what_is_in_another_encoding_is_told(data: bytes, encoding: str | None, words: str):
    with pytest.raises(SheetInvalid, match=words):
        names(data, encoding)


def test_utf_16_without_its_mark_is_read_where_it_is_said():
    assert names(table(PEOPLE, ";").encode("utf-16-le"), "utf-16-le") == PEOPLE


WRONG = {
    "nothing": ("", 1, "nothing in it"),
    "blank lines": ("\r\n\r\n,,\r\n", 1, "nothing in it"),
    "no name": ("country,ifpa\nPL,1\n", 1, "no column is called name"),
    "two names": ("Name,Player\nA,B\n", 1, "a second column ('Player') gives the name"),
    "too many cells": ("name,ifpa\nA,1\nB,2,3\n", 3, "3 cells, but the first line names 2 columns"),
    "name with a comma": ("name\nA\nO'Brien, Pat\n", 3, "2 cells"),
    "quote never closed": ('name,ifpa\nA,1\n"B,2\nC,3\n', 3, "never closed"),
    "quote within": ('name,ifpa\nA,1\n"B" x,2\n', 3, "closing quote"),
    "no number": ("name,ifpa\nA,1\nB,x2\n", 3, "ifpa must be a whole number, not 'x2'"),
    "a fraction": ("name,ifpa\nA,1.0\n", 2, "whole number"),
    "empty name": ("name,ifpa\nA,1\n,2\n", 3, "the name is empty"),
    "long name": ("name\n" + "A" * 201 + "\n", 2, "200 characters"),
    "long cell": ("name,note\nA," + "x" * 5000 + "\n", 2, "4000 characters"),
    "huge cell": ("name,note\nA," + "x" * 200_000 + "\n", 2, "far too long"),
    "many columns": ("name" + "," * 150 + "\n", 1, "100 columns"),
    "many rows": ("name\n" + "A\n" * 10_001, 10_002, "10000 rows"),
    "line breaks within": ('name,ifpa\n"A\r\nB\r\n",1\nC,x\n', 5, "whole number"),
    "line 4000": ("name,ifpa\n" + "A,1\n" * 3998 + "B,1e5\n", 4000, "whole number"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_in_one_line_with_its_line(name: str):
    text, line, words = WRONG[name]
    with pytest.raises(SheetInvalid) as caught:
        names(text.encode())
    assert caught.value.line == line, str(caught.value)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_what_is_larger_than_allowed_is_refused_unread():
    with pytest.raises(SheetInvalid, match="larger than 8 MiB"):
        names(b"name\n" + b"A" * 2**23)


def test_the_separator_may_be_said_in_the_first_line():
    sheet = read_sheet(b"sep=|\r\nname|country\r\nA, B|PL\r\nC|x|y\r\n"[:-8], name="x", known=KNOWN)
    assert [row.cells for row in sheet.rows] == [("A, B", "PL")]
    with pytest.raises(SheetInvalid, match="line 4"):
        read_sheet(b"sep=|\r\nname|country\r\nA, B|PL\r\nC|x|y\r\n", name="x", known=KNOWN)


def test_line_breaks_within_quotes_are_of_the_cell():
    assert names(b'ifpa,name\r\n7,"Pat\r\nLee"\r\n8,Kim\r\n') == ("Pat Lee", "Kim")


@pytest.mark.parametrize(
    ("header", "row", "fields"),
    [
        ("playerId,name,ifpaId,status", "17,Pat,12345,active", {"id": "17", "name": "Pat", "ifpa": 12345}),
        ("IFPA #;First Name;LAST NAME", ";Pat;van Lee", {"name": "Pat van Lee"}),
        ("ifpaId,name", "null,Pat", {"name": "Pat"}),
        ("ifpaId,name", "0,Pat", {"name": "Pat"}),
        ("country,  Player  ,WPPR Rank", "NO,Pat,9", {"name": "Pat", "country": "NO", "wppr_rank": 9}),
    ],
)
def test_columns_are_told_by_their_names_in_any_order(header: str, row: str, fields: dict[str, object]):
    sheet = read_sheet(f"{header}\n{row}\n".encode(), name="x", known=KNOWN)
    assert read_members(sheet, PLAYERS).rows[0].fields == fields


def test_machines_of_match_play_are_read():
    sheet = read_sheet(b"arenaId,name,opdbId\n88,Attack from Mars,G4\n", name="x", known=headers(MACHINES))
    found = read_members(sheet, MACHINES)
    assert (found.rows[0].fields, found.unused) == ({"id": "88", "name": "Attack from Mars"}, ("opdbId",))


HOSTILE = [
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    " =1+1",
    '"=1+1',
    'a";=1+1',
    "a,=1+1",
    "a;  @x",
    "a\r\n=1+1",
    "'=1+1",
    "＝1+1",
    "x\t+1",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_begins_like_a_formula_for_any_separator(text: str):
    written = protect(text)
    for part in re.split(r"[,;|\t\r\n\"]", written):
        assert part.strip()[:1] not in set("=+-@＝＋－＠")
    assert written[0] not in "\t\r"
    assert unprotect(written) == text


@given(st.text(st.sampled_from("=+-@'\"\t\r\n,;| a\u00e9\u202e＝"), max_size=12))
def test_what_is_protected_is_the_same_text_again(text: str):
    assert unprotect(protect(text)) == text


cells = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=30)


@given(st.lists(st.tuples(cells, cells), max_size=5), st.booleans())
def test_a_table_is_read_back_as_it_was_written(rows: list[tuple[str, str]], bom: bool):  # noqa: FBT001
    rows = [("name", "note"), *rows]
    data = write_sheet(rows[0], rows[1:], bom=bom)
    sheet = read_sheet(data, name="x", known=KNOWN)
    wanted = [tuple(cell.strip(" \u00a0") for cell in row) for row in rows[1:] if any(cell.strip() for cell in row)]
    read = [tuple(unprotected.strip(" \u00a0") for unprotected in row.cells) for row in sheet.rows]
    assert read == wanted


def test_numbers_are_exact_and_no_spreadsheet_rounds_them():
    row = (2_147_483_648, 12_345_678_910, 61_728_394_550, 999_999_999_999_999, 10**15, 2**53 + 1, -5, True, None)
    spreadsheet = write_sheet(["a"] * 9, [row]).decode("utf-8-sig").split("\r\n")[1]
    tail = "-5,true,"
    assert spreadsheet == f"2147483648,12345678910,61728394550,999999999999999,'{10**15},'9007199254740993,{tail}"
    program = write_sheet(["a"] * 9, [row], bom=False).decode().split("\r\n")[1]
    assert program == spreadsheet.replace("'", "")
    sheet = read_sheet(f"name,max_score\nA,'{10**20}\n".encode(), name="x", known=headers(MACHINES))
    assert read_members(sheet, MACHINES).rows[0].fields["max_score"] == 10**20


@pytest.mark.parametrize("begins", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF"])
@pytest.mark.parametrize("encoding", [None, "cp1252"])
def test_a_workbook_is_told_from_a_table_whatever_encoding_is_said(begins: bytes, encoding: str | None):
    with pytest.raises(SheetInvalid, match="save the table as CSV, UTF-8"):
        names(begins + bytes(range(256)), encoding)
