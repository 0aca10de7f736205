"""JSON is declared once: what is made of the declarations is up to date, and a declaration that lies is seen."""

import importlib.util
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest

import mineproof as mp
from mineproof.analysis.wire import AnalysisJson
from mineproof.web.routes import JSON, ROUTES
from mineproof.web.schemas import PREFIX, declared_types, document_types, json_schema, schema_name
from support.declared import closed, require, require_declared, route_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/json.md").read_text("utf-8")


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wire_tool", ROOT / "tools/wire.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BOARD = mp.Board.parse("1#/##", total_mines=1)


def test_files_made_of_the_declarations_are_up_to_date() -> None:
    tool, again = load_tool(), "run tools/wire.py"
    assert tool.SCHEMAS.read_text("utf-8") == tool.schemas_text(), again
    assert tool.TYPES.read_text("utf-8") == tool.types_text(), again


def test_every_declared_document_is_in_the_reference() -> None:
    documented = set(re.findall(r"^\| \[`mineproof/([a-z-]+/[0-9]+)`\]", PAGE, re.MULTILINE))
    assert documented == document_types().keys()


def test_names_are_unique() -> None:
    names = [kind.__name__ for kind in declared_types()]
    assert len(names) == len(set(names)) > 100


def test_the_json_schema_is_one() -> None:
    document = json_schema()
    jsonschema_rs.meta.validate(document)
    for kinds in document["documents"].values():
        jsonschema_rs.validator_for(kinds | {"$defs": document["$defs"]})


def test_every_route_declares_its_json() -> None:
    silent = {route.path for route in ROUTES if not route.answers and JSON in route.media_types}
    assert silent == {"/api/v1/openapi.json"}
    assert route_of("GET", "/api/v1/history/summary?level=expert").path == "/api/v1/history/summary"  # type: ignore[union-attr]


def test_a_declaration_that_lies_is_seen() -> None:
    document: dict[str, Any] = json.loads(json.dumps(mp.analyze(BOARD).as_json()))
    require_declared(document)
    without = {key: value for key, value in document.items() if key != "safe"}
    for lie in (without, document | {"more": 1}, document | {"rows": "2"}, document | {"safe": [[1, 2, 3]]}):
        with pytest.raises(AssertionError, match="is not the declared AnalysisJson"):
            require([AnalysisJson], lie)


def test_objects_with_keys_of_their_own_are_closed_at_every_depth() -> None:
    assert closed({"properties": {"a": {"items": {"properties": {}}}}}) == {
        "additionalProperties": False,
        "properties": {"a": {"items": {"additionalProperties": False, "properties": {}}}},
    }


def test_commands_start_without_the_declarations() -> None:
    code = "import sys, mineproof.cli.analyze, mineproof.cli.simulate; print([n for n in sys.modules if '.wire' in n])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


# the reference


def sections() -> dict[str, str]:
    """The text of each section of the reference, by its anchor."""
    parts = re.split(r"^### (.+)$", PAGE, flags=re.MULTILINE)
    names = [re.sub(r"[^a-z0-9-]", "", name.lower().replace(" ", "-")) for name in parts[1::2]]
    return dict(zip(names, parts[2::2], strict=True))


@cache
def definitions() -> dict[str, Any]:
    return dict(json_schema()["$defs"])


@cache
def keys_of(kind: type) -> set[str]:
    """The keys of a document and of all that is in it."""
    keys: set[str] = set()
    waiting, seen = [kind.__name__], set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            keys |= definitions()[name].get("properties", {}).keys()
            waiting += re.findall(r'"#/\$defs/(\w+)"', json.dumps(definitions()[name]))
    return keys


def described() -> list[tuple[str, str]]:
    """The schemas that have a section in the reference, with its anchor."""
    return re.findall(r"^\| \[`mineproof/([a-z-]+/[0-9]+)`\]\(#([\w-]+)\)", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("schema", "anchor"), described())
def test_the_reference_names_the_declared_keys(schema: str, anchor: str) -> None:
    """Every key of a document is in its section, and every key of a table there is declared."""
    plain, *_ = document_types()[schema]
    section = sections()[anchor]
    names = {name for kind in declared_types() if schema_name(kind) == schema for name in keys_of(kind)}
    own = set(definitions()[plain.__name__]["properties"]) - {"schema"}
    missing = {key for key in own if not re.search(rf"\b{key}\b", section)}
    assert not missing, f"{PREFIX}{schema} has keys that its section does not name"
    for table in re.findall(r"^\| key \|.*\n\|[-| ]+\n((?:\|.*\n)*)", section, re.MULTILINE):
        cells = [row.split("|")[1] for row in table.splitlines()]
        written = {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}
        others = {name for _, other in described() if other == anchor for name in names_in(other)}
        assert written <= names | others, f"keys in the tables of {anchor} that no declaration has"


def names_in(anchor: str) -> set[str]:
    """The keys of every schema that a section describes."""
    schemas = [schema for schema, other in described() if other == anchor]
    return {key for schema in schemas for kind in document_types()[schema] for key in keys_of(kind)}
