"""The API as an OpenAPI 3.1 document, made from the table of routes and the classes of request bodies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from mineproof.errors import ErrorJson
from mineproof.version import VERSION
from mineproof.web.errors import LATER
from mineproof.web.routes import EVENTS, JSON, Route
from mineproof.web.schemas import components

REF = "#/components/schemas/{name}"
ALWAYS = (400, 403, 405, 429, 431, 500, 503)  # statuses that every route may answer with
OF_BODIES = (408, 413, 415)


def document(routes: Sequence[Route]) -> dict[str, Any]:
    bodies = [route.body for route in routes if route.body is not None]
    answers = [answer for route in routes for answer in route.answers]
    schemas, definitions = components([*bodies, *answers, ErrorJson], REF)
    body_schemas = dict(zip(bodies, schemas[: len(bodies)], strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, body_schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mineproof",
            "version": VERSION,
            "description": "Exact Minesweeper: questions about positions, and games whose mines stay on the server. "
            "The keys of the answers are those of the commands with --json.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [],
        "paths": paths,
        "components": {"schemas": definitions},
    }


def _operation(route: Route, bodies: dict[type[msgspec.Struct], dict[str, Any]]) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": route.name, "summary": route.summary}
    if parameters := [*_path_parameters(route.path), *_query_parameters(route)]:
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": bodies[route.body]}}}
    if route.accepts:
        operation["requestBody"] = {"required": True, "content": {media: {} for media in route.accepts}}
    operation["responses"] = {
        str(route.status): {"description": HTTPStatus(route.status).phrase, "content": _content(route)},
        **{
            str(status): _error(status)
            for status in sorted({*ALWAYS, *(OF_BODIES if "requestBody" in operation else ()), *route.errors})
        },
    }
    return operation


def _path_parameters(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _query_parameters(route: Route) -> list[dict[str, Any]]:
    if route.query is None:
        return []
    shape = msgspec.json.schema(route.query)["$defs"][route.query.__name__]
    return [
        {"name": name, "in": "query", "required": name in shape.get("required", []), "schema": schema}
        for name, schema in shape["properties"].items()
    ]


def _content(route: Route) -> dict[str, Any]:
    return {media: {"schema": _answer(route, media)} for media in route.media_types}


def _answer(route: Route, media: str) -> dict[str, Any]:
    """Return the schema of a response; of server-sent events, the schema of the data of each."""
    if media not in (JSON, EVENTS):
        return {"type": "string"}
    answers = (*route.answers, ErrorJson) if media == EVENTS else route.answers
    refs = [{"$ref": REF.format(name=answer.__name__)} for answer in answers]
    if not refs:
        return {"type": "object"}
    return refs[0] if len(refs) == 1 else {"anyOf": refs}


def _error(status: int) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "content": {JSON: {"schema": {"$ref": REF.format(name=ErrorJson.__name__)}}},
    }
    if status in LATER:
        response["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}}
    return response
