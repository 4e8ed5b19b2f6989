"""Files over HTTP, by a client without sockets: every form out, whole files in, and nothing of what is refused."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx2
import pytest

from server import tournament_file
from server.accounts import Accounts
from server.evidence import Evidence
from server.exchange import sheets
from server.services import LinkHealth, Services
from server.web.app import create_app
from server.web.sessions import cookie_name, digest_of, new_token

from .conftest import Venue

T = "/api/v1/tournaments/club"
YAML = 'inlane: 1\ntournament: Old Times\npreset: uk-kids\nplayers: [{id: p1, name: "=1+1"}]\nmachines: [{id: m1}]\n'
GAMES = "log: [{game: g1, machine: m1, scores: {p1: 7}}, {game: g1, machine: m1, scores: {p1: 8}}]\n"


class Web:
    """The application, and clients of it by role."""

    def __init__(self, venue: Venue, folder: Path) -> None:
        self.venue, self.accounts = venue, Accounts(venue.store, cheap=True)
        services = Services(
            store=venue.store,
            desk=venue.desk,
            accounts=self.accounts,
            evidence=Evidence(folder / "evidence", budget=8 * 2**20),
            zone=ZoneInfo("UTC"),
            venue="Test hall",
            now=lambda: 1_800_000_000_000,
            broker=lambda: LinkHealth(state="up"),
        )
        self.app = create_app(services)
        self.clients: list[httpx2.AsyncClient] = []

    def client(self, role: str | None) -> httpx2.AsyncClient:
        cookies = {}
        if role is not None:
            token = new_token()
            if self.accounts.find(role) is None:
                self.accounts.add_user(role, frozenset({role}), "long enough", now=1)
            self.accounts.keep_session(str(digest_of(token)), role, now=1_800_000_000_000)
            cookies = {cookie_name(secure=False): token}
        transport = httpx2.ASGITransport(app=self.app)
        client = httpx2.AsyncClient(transport=transport, base_url="http://hall", cookies=cookies, timeout=60)
        self.clients.append(client)
        return client


@pytest.fixture
async def web(venue: Venue, tmp_path: Path) -> AsyncIterator[Web]:
    """The application of a venue with a club night in which one game was played."""
    venue.record(game="g1", machine="m1", scores={"p1": 2**53 + 1})
    made = Web(venue, tmp_path)
    yield made
    for client in made.clients:
        await client.aclose()


async def test_every_form_comes_out_under_its_name(web: Web):
    staff = web.client("official")
    wanted = {
        "yaml": ("club.yaml", "application/yaml"),
        "ledger": ("club-ledger.jsonl", "application/x-ndjson"),
        "players": ("club-players.csv", "text/csv; charset=utf-8"),
        "machines": ("club-machines.csv", "text/csv; charset=utf-8"),
        "games": ("club-games.csv", "text/csv; charset=utf-8"),
        "standings": ("club-standings.csv", "text/csv; charset=utf-8"),
        "ifpa": ("club-ifpa.csv", "text/csv; charset=utf-8"),
    }
    for form, (name, media) in wanted.items():
        answer = await staff.get(f"{T}/export", params={"format": form})
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert answer.headers["content-type"] == media
        assert answer.content.startswith(b"\xef\xbb\xbf") == name.endswith(".csv")
        again = await staff.get("/api/v1/export", params={"format": form})
        assert again.content == answer.content
    assert (await staff.get("/api/v1/export")).text == web.venue.export_text()
    answer = await staff.get(f"{T}/export", params={"format": "ifpa"})
    assert answer.headers["inlane-basis"] == "not final: the standings of qualifying"


async def test_the_form_may_be_asked_for_by_what_is_accepted(web: Web):
    staff = web.client("official")
    answer = await staff.get(f"{T}/export", params={"bom": "false"}, headers={"accept": "text/csv"})
    assert answer.text.splitlines()[1] == "qualifying,open,1,p1,Player 1,,,9007199254740993,,,,"
    lines = (await staff.get(f"{T}/export", headers={"accept": "application/x-ndjson"})).text.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["tournament.opened", "tournament.entry"]
    assert json.loads(lines[1])["body"]["entry"]["scores"] == {"p1": 2**53 + 1}
    assert (await staff.get(f"{T}/export", headers={"accept": "text/html,*/*"})).text.startswith("inlane: 1")


@pytest.mark.parametrize(
    ("role", "form", "status"),
    [
        (None, "yaml", 401),
        ("viewer", "yaml", 403),
        ("desk", "ifpa", 200),
        ("desk", "ledger", 403),
        ("admin", "xls", 422),
    ],
)
async def test_who_may_have_which_file(web: Web, role: str | None, form: str, status: int):
    assert (await web.client(role).get(f"{T}/export", params={"format": form})).status_code == status


async def test_a_tournament_comes_in_with_what_the_rules_refuse_in_it_told(web: Web):
    admin = web.client("admin")
    answer = await admin.post("/api/v1/tournaments/import", params={"name": "old.yaml"}, content=YAML + GAMES)
    assert answer.status_code == 200, answer.text
    told = answer.json()["result"]
    assert (told["tournament"], told["entries"], told["current"]) == ("old-times", 2, False)
    assert [one["entry"] for one in told["refused"]] == [2]
    shown = (await admin.get("/api/v1/tournaments/old-times/log")).json()["log"]
    assert shown[1]["despite"] == told["refused"][0]["why"]
    first = (await admin.get("/api/v1/tournaments/old-times/export")).text
    await admin.post("/api/v1/tournaments/import", params={"id": "again"}, content=first)
    assert (await admin.get("/api/v1/tournaments/again/export")).text == first
    names = (await admin.get("/api/v1/tournaments/again/export", params={"format": "players"})).text
    assert ",'=1+1," in names


async def test_a_file_that_cannot_be_understood_is_told_with_its_line_and_nothing_comes_in(web: Web):
    admin, before = web.client("admin"), web.venue.desk.hub.position
    bad = YAML + "log:\n" + "  - {buy: p1, entries: 1}\n" * 3994 + "  - {buy: p1, entries: some}\n"
    answer = await admin.post("/api/v1/tournaments/import", params={"name": "old\n.yaml"}, content=bad)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("old .yaml, line 4001: log entry 3995, entries: must be a whole number")
    for params, body, status, words in (
        ({"id": "club"}, YAML, 409, "there is a tournament club already"),
        ({"id": "NO!"}, YAML, 422, "small letters"),
        ({"what": "x"}, YAML, 422, "unknown"),
        ({}, b"\xff\xfe", 422, "UTF-16"),
        ({}, b"", 422, "inlane: 1"),
        ({}, b"#" * (tournament_file.MAX_BYTES + 1), 422, "larger than 64 MiB"),
        ({}, b"#" * (tournament_file.MAX_BYTES + 2), 413, "larger"),
    ):
        answer = await admin.post("/api/v1/tournaments/import", params=params, content=body)
        assert (answer.status_code, words in answer.text) == (status, True), answer.text
    assert web.venue.desk.hub.position == before


@pytest.mark.parametrize(
    ("role", "path", "status"),
    [
        (None, "/api/v1/tournaments/import", 401),
        ("official", "/api/v1/tournaments/import", 403),
        ("scorekeeper", f"{T}/players/import", 403),
        ("desk", f"{T}/machines/import", 403),
        ("desk", f"{T}/games/import", 403),
        ("official", f"{T}/games/import", 422),
        ("desk", f"{T}/players/import", 200),
        ("admin", f"{T}/machines/import", 200),
        ("admin", f"{T}/scores/import", 422),
        ("admin", "/api/v1/tournaments/nothing/players/import", 404),
    ],
)
async def test_who_may_bring_which_file(web: Web, role: str | None, path: str, status: int):
    answer = await web.client(role).post(path, content="name\nNew One\n")
    assert answer.status_code == status, answer.text


async def test_tables_come_in_by_their_encoding_and_twice_adds_nobody(web: Web):
    desk = web.client("desk")
    table = "Name;IFPA\r\nZoë Müller;17\r\n".encode("cp1252")
    answer = await desk.post(f"{T}/players/import", params={"name": "people.csv"}, content=table)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("people.csv, line 2: this is not UTF-8")
    for added in (1, 0):
        answer = await desk.post(f"{T}/players/import", params={"encoding": "cp1252"}, content=table)
        told = answer.json()["result"]
        assert (len(told["added"]), told["there_already"]) == (added, 1 - added)
    assert web.venue.head()["players"][-1] == {"id": "p7", "name": "Zoë Müller", "ifpa": 17}
    answer = await desk.post(f"{T}/players/import", content=b"x" * (sheets.MAX_BYTES + 2))
    assert answer.status_code == 413


async def test_a_file_may_come_in_a_form(web: Web):
    admin = web.client("admin")
    table = {"file": ("people.csv", "\ufeffName\r\nZoë\r\n".encode(), "text/csv")}
    answer = await admin.post(f"{T}/players/import", files=table)
    assert [one["name"] for one in answer.json()["result"]["added"]] == ["Zoë"], answer.text
    answer = await admin.post("/api/v1/tournaments/import", files={"file": ("old.yaml", YAML.encode())})
    assert answer.json()["result"]["tournament"] == "old-times"
    for form in ({"data": {"file": "name"}, "files": {}}, {"files": {"a": b"name\nA\n", "b": b"name\nB\n"}}):
        answer = await admin.post(f"{T}/players/import", **form)
        assert (answer.status_code in {400, 422}, list(answer.json())) == (True, ["error"])
    broken = {"content-type": "multipart/form-data; boundary=x"}
    answer = await admin.post(f"{T}/players/import", content=b"--y\r\nno form", headers=broken)
    assert (answer.status_code in {400, 422}, list(answer.json())) == (True, ["error"])


async def test_the_page_of_the_log_leads_to_files_to_keep(web: Web):
    desk = web.client("desk")
    links = re.findall(r'href="(/api/v1/export[^"]+)" download', (await desk.get("/log")).text)
    assert len(links) == 5
    for link in links:
        answer = await desk.get(link)
        assert (answer.status_code, answer.headers["content-disposition"][:11]) == (200, "attachment;")
