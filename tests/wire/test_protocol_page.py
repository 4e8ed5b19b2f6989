"""The page and the schema in docs/ say what the code says."""

import inspect
import json
from pathlib import Path

import pytest

from bridge.wire import schema
from bridge.wire.control import CONTROL
from bridge.wire.facts import FACTS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_schema_file_is_current():
    assert (DOCS / "protocol.schema.json").read_text(encoding="utf-8") == schema.schema_text(), (
        "run: python -m bridge.wire.schema"
    )


def test_the_tables_of_the_page_are_current():
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    assert page == schema.with_tables(page), "run: python -m bridge.wire.schema"
    assert all(f"### {name}\n" in page for name in [*FACTS, *CONTROL, "frame"])


@pytest.mark.parametrize(("name", "model"), [*FACTS.items(), *CONTROL.items()])
def test_the_example_of_each_message_is_one(name: str, model: type):
    text = inspect.getdoc(model) or ""
    example = json.loads(text[text.index("{") :])
    assert json.loads(model.read(example).encode()).items() >= {}.items(), name
    assert not set(example) - {field.alias or key for key, field in model.model_fields.items()}
