"""The OpenAPI document is sound, says what is served, and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mineproof.errors import STATUS
from mineproof.web import errors
from mineproof.web.openapi import document
from mineproof.web.routes import ROUTES
from mineproof.web.schemas import schema_name
from support.served import Client

ROOT = Path(__file__).parents[2]
QUESTIONS = ("analyze", "solve", "hint", "best", "convert", "check", "generate")
PROMISED = {
    *(("POST", f"/api/v1/{name}") for name in QUESTIONS),
    ("POST", "/api/v1/games"),
    ("POST", "/api/v1/games/{id}/moves"),
    ("GET", "/api/v1/games/{id}"),
    *(("GET", f"/api/v1/games/{{id}}/{name}") for name in ("hint", "odds", "best", "review", "record")),
    ("GET", "/api/v1/openapi.json"),
}


@pytest.fixture(scope="module")
def api() -> dict[str, Any]:
    return document(ROUTES)


def operations(api: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def test_it_is_served(client: Client, api: dict[str, Any]) -> None:
    answer = client.get("openapi.json")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json == api


def test_every_route_is_in_it_and_those_of_the_contract_are_served(api: dict[str, Any]) -> None:
    listed = {(method, path) for method, path, _ in operations(api)}
    assert listed == {(route.method, route.path) for route in ROUTES}
    assert listed >= PROMISED


def test_it_is_a_sound_document(api: dict[str, Any]) -> None:
    assert re.fullmatch(r"3\.1\.\d+", api["openapi"])
    assert {"title", "version"} <= set(api["info"])
    names = [operation["operationId"] for _, _, operation in operations(api)]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in names)
    assert all(re.fullmatch(r"[a-zA-Z0-9._-]+", name) for name in api["components"]["schemas"])
    for reference in references(api):
        place: Any = api
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
    for method, path, operation in operations(api):
        named = {each["name"] for each in operation.get("parameters", []) if each["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))
        bodies = {(route.method, route.path) for route in ROUTES if route.body is not None or route.accepts}
        assert ("requestBody" in operation) == ((method, path) in bodies)
        assert all(re.fullmatch(r"[1-5]\d\d", status) for status in operation["responses"])
        assert all(each["description"] for each in operation["responses"].values())


def test_the_statuses_of_errors_are_in_it(api: dict[str, Any]) -> None:
    told = {int(status) for _, _, operation in operations(api) for status in operation["responses"]}
    assert {*errors.HTTP.values(), 422, 409} <= told
    assert {status.http for status in STATUS.values()} <= told


def test_every_schema_is_told_in_the_documents() -> None:
    page = (ROOT / "docs/reference/json.md").read_text("utf-8")
    named = {f"mineproof/{name}" for route in ROUTES for kind in route.answers if (name := schema_name(kind))}
    assert len(named) > 30
    assert {name for name in named if name not in page} == set()


def test_every_question_is_told_on_the_page_of_the_server() -> None:
    page = (ROOT / "docs/serve.md").read_text("utf-8")
    assert [route.path for route in ROUTES if route.path not in page] == []


def test_games_of_the_history_may_be_too_large(api: dict[str, Any]) -> None:
    told = {path: set(operation["responses"]) for _, path, operation in operations(api)}
    assert "413" in told["/api/v1/history/{number}/review"]
