"""Whether JSON is as it is declared: every key of its schema, no other one, and values of the declared types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import jsonschema_rs

from mineproof.errors import ErrorJson
from mineproof.web.routes import EVENTS, JSON, ROUTES, Route
from mineproof.web.schemas import PREFIX, REF, components, declared_types, document_types

HTTP_METHODS = {"GET", "POST", "DELETE"}


def closed(schema: Any) -> Any:
    """A schema whose objects have no other keys than those declared."""
    if isinstance(schema, dict):
        extra = {"additionalProperties": False} if "properties" in schema else {}
        return extra | {key: closed(value) for key, value in schema.items()}
    return [closed(part) for part in schema] if isinstance(schema, list) else schema


@cache
def _definitions() -> Any:
    return closed(components(declared_types())[1])


@cache
def _validator(kinds: tuple[type, ...]) -> Any:
    refs = [{"$ref": REF.format(name=kind.__name__)} for kind in kinds]
    return jsonschema_rs.validator_for({"anyOf": refs, "$defs": _definitions()})


def require(kinds: Iterable[type], document: Any) -> None:
    """Fail unless a document is one of these declared types."""
    kinds = tuple(kinds)
    names = " | ".join(kind.__name__ for kind in kinds)
    validators = [_validator((kind,)) for kind in kinds]
    if not any(validator.is_valid(document) for validator in validators):
        faults = [
            f"{kind.__name__} {'.'.join(map(str, error.instance_path))}: {error.message[:300]}"
            for kind, validator in zip(kinds, validators, strict=True)
            for error in validator.iter_errors(document)
        ]
        raise AssertionError(f"{json.dumps(document)[:500]}\nis not the declared {names}:\n" + "\n".join(faults))


def require_declared(document: Any, *also: str) -> None:
    """Fail unless a document is what its schema declares; it may have the keys ``also`` besides."""
    shown = {key: value for key, value in document.items() if key not in also}
    require(document_types()[shown["schema"].removeprefix(PREFIX)], shown)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str], Route]]:
    return [(route.method, re.compile(re.sub(r"{\w+}", "[^/]+", route.path)), route) for route in ROUTES]


def route_of(method: str, path: str) -> Route | None:
    """The route that answers a request."""
    plain = path.partition("?")[0]
    matches = [route for asked, pattern, route in _patterns() if asked == method and pattern.fullmatch(plain)]
    return next((route for route in matches if "{" not in route.path), matches[0] if matches else None)


def require_answer(method: str, path: str, status: int, media_type: str, content: bytes) -> None:
    """Fail unless a response of the server is one that its route declares."""
    if media_type == JSON and status >= 400:
        require([ErrorJson], json.loads(content))
        return
    route = route_of(method, path)
    if route is None or not route.answers or method not in HTTP_METHODS:
        return
    if media_type == JSON:
        require(route.answers, json.loads(content))
    elif media_type == EVENTS:
        for data in re.findall(rb"^data: (.*)$", content, re.MULTILINE):
            require([*route.answers, ErrorJson], json.loads(data))
