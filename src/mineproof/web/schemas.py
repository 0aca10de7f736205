"""JSON Schema of every document of the program, made from the modules `wire` of the rooms."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final, get_args, get_type_hints

import msgspec

from mineproof.errors import ErrorJson
from mineproof.game.record import RecordJson
from mineproof.game.variant_game import VariantRecordJson

ROOMS = (
    "board", "problems", "analysis", "variants", "deduction", "decision", "advice", "game", "generation", "simulation",
    "bench", "sweeps", "reports", "leagues", "datasets", "screens", "formats", "stats", "history", "practice",
    "exams", "pictures", "lessons", "web",
)  # fmt: skip
PREFIX: Final = "mineproof/"
REF: Final = "#/$defs/{name}"


def schema_name(kind: type) -> str | None:
    """Return the schema of a document, such as ``analysis/1``; None for a part of a document.

    >>> schema_name(ErrorJson)
    'error/1'
    """
    if issubclass(kind, msgspec.Struct):
        tag = kind.__struct_config__.tag
        return tag.removeprefix(PREFIX) if isinstance(tag, str) else None
    names = get_args(get_type_hints(kind).get("schema"))
    return str(names[0]).removeprefix(PREFIX) if names else None


def declared_types() -> list[type]:
    """Return every declared document and part of one."""
    modules = [import_module(f"mineproof.{room}.wire") for room in ROOMS]
    declared = [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    ]
    return [ErrorJson, RecordJson, VariantRecordJson, *declared]


def document_types() -> dict[str, list[type]]:
    """Return the types of each schema. The library's is first; those after it have more keys, or answer other input."""
    types: dict[str, list[type]] = {}
    for kind in declared_types():
        if (name := schema_name(kind)) is not None:
            types.setdefault(name, []).append(kind)
    return dict(sorted(types.items()))


def components(types: Iterable[Any], ref: str = REF) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """Return the schemas of some types, and the definitions that they refer to."""
    schemas, definitions = msgspec.json.schema_components(types, ref_template=ref)
    definitions = msgspec.json.decode(msgspec.json.encode(definitions))  # defaults may be tuples
    for definition in definitions.values():
        if "description" in definition:  # a docstring, which Python 3.13 no longer indents
            definition["description"] = inspect.cleandoc(definition["description"])
    return schemas, definitions


def json_schema() -> dict[str, Any]:
    """Return one JSON Schema document with the definition of every document and part.

    ``documents`` has the definitions of each schema: of a plain document, and of those with more keys.
    """
    _, definitions = components(declared_types())
    documents = {
        f"{PREFIX}{name}": {"anyOf": [{"$ref": REF.format(name=kind.__name__)} for kind in types]}
        for name, types in document_types().items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "mineproof",
        "documents": documents,
        "$defs": dict(sorted(definitions.items())),
    }
