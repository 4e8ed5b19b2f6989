"""Each kind of tournament file that cannot be understood: status 2, one line, its place, and what to mend."""

from pathlib import Path

import pytest
import yaml

from server.cli import main
from server.exchange.tournaments import read_arrival
from server.tournament_file import TournamentFileInvalid

FILES = sorted((Path(__file__).parents[1] / "rules" / "files" / "errors").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_cannot_be_understood_is_told_and_nothing_comes_of_it(path: Path, capfd: pytest.CaptureFixture[str]):
    wanted = yaml.safe_load(path.read_text(encoding="utf-8"))["expect"]["error"].removeprefix("~")
    assert main(["standings", "--json", str(path)]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert wanted in err
    assert err.startswith(f"inlane-server: {path}, line ")
    assert len(err) < 900
    with pytest.raises(TournamentFileInvalid, match=r"x\.yaml, line "):
        read_arrival(path.read_bytes(), name="x.yaml")


def test_there_is_a_case_of_each_kind():
    assert len(FILES) >= 50
