"""Make what is made of the declared JSON documents: `docs/reference/schemas.json`, and the types of the page.

    .venv/bin/python tools/wire.py

A test compares both files with the declarations, the modules `wire` of the rooms.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mineproof.errors import ErrorJson
from mineproof.web.routes import ROUTES
from mineproof.web.schemas import components, json_schema

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "docs/reference/schemas.json"
TYPES = ROOT / "tests/page/wire.d.ts"
HEAD = """\
// Made by tools/wire.py from the modules `wire` of mineproof: change those, not this file.
// The JSON documents of the server, and the bodies and queries of requests.
"""
SHORT_TUPLE = 4  # lists of a fixed length up to this one are tuples
SENT = ("Request", "Query", "Filter")  # names of what the page sends
PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def schemas_text() -> str:
    """Return `docs/reference/schemas.json`: a line for each definition."""
    document = json_schema()
    lines = [f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in document.items()]
    for place, key in ((2, "documents"), (3, "$defs")):
        parts = ",\n".join(f"    {json.dumps(name)}: {json.dumps(part)}" for name, part in document[key].items())
        lines[place] = f"  {json.dumps(key)}: {{\n{parts}\n  }}"
    return "{\n" + ",\n".join(lines) + "\n}\n"


def types_text() -> str:
    """Return the types of the page."""
    sent = {kind for route in ROUTES for kind in (route.body, route.query, *route.answers) if kind is not None}
    _, definitions = components([ErrorJson, *sent])
    kinds = [interface(name, schema) for name, schema in sorted(definitions.items())]
    return f"{HEAD}\n// prettier-ignore\ndeclare namespace Wire {{\n" + "\n".join(kinds) + "}\n"


def interface(name: str, schema: dict[str, Any]) -> str:
    """Return the declaration of one definition."""
    words = schema.get("description", "").partition("\n\n")[0]
    comment = f"  /** {words} */\n" if words else ""
    if "properties" not in schema:
        return f"{comment}  type {name} = {type_of(schema)};\n"
    required = set(schema.get("required", ()))
    missing = " | undefined" if name.endswith(SENT) else ""  # JSON.stringify leaves it out
    lines = [
        f"    {key}: {type_of(part)};\n" if key in required else f"    {key}?: {type_of(part)}{missing};\n"
        for key, part in schema["properties"].items()
    ]
    return f"{comment}  interface {name} {{\n{''.join(lines)}  }}\n"


def type_of(schema: dict[str, Any]) -> str:
    """Return the TypeScript type of a schema.

    >>> type_of({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2})
    '[number, number]'
    """
    match schema:
        case {"$ref": str(ref)}:
            return ref.rpartition("/")[2]
        case {"anyOf": parts}:
            return union(map(type_of, parts))
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return union(map(json.dumps, values))
        case {"type": "array"}:
            return list_of(schema)
        case {"type": "object", "additionalProperties": dict(part)}:
            return f"Record<string, {type_of(part)}>"
        case {"type": str(kind)} if kind in PLAIN:
            return PLAIN[kind]
        case _:
            return "unknown"


def list_of(schema: dict[str, Any]) -> str:
    """Return the type of an array: a tuple if its length is fixed and short."""
    if "prefixItems" in schema:
        return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
    part = type_of(schema.get("items", {}))
    length = schema.get("minItems")
    if length is not None and length == schema.get("maxItems") and length <= SHORT_TUPLE:
        return f"[{', '.join([part] * length)}]"
    return f"({part})[]" if " | " in part else f"{part}[]"


def union(parts: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(parts))


if __name__ == "__main__":
    SCHEMAS.write_text(schemas_text(), "utf-8")
    TYPES.write_text(types_text(), "utf-8")
