"""Parts of JSON documents that every room uses.

A module ``wire`` declares the JSON documents of its room, as typed dictionaries. JSON Schema, the OpenAPI document, the
types of the page and `docs/reference/json.md` are made from these declarations or compared with them, by
`mineproof.web.schemas`. A key may be added to a document. Removing one, or changing its type, takes a new version of
its schema. Nothing imports these modules when a command starts: results only name their types.
"""

from typing import Annotated, Any

from msgspec import Meta

CellJson = Annotated[list[int], Meta(min_length=2, max_length=2)]  # row and column
CellValueJson = Annotated[list[int], Meta(min_length=3, max_length=3)]  # row, column, and a number
_CELL_AND_TEXT = {"prefixItems": [{"type": "integer"}, {"type": "integer"}, {"type": "string"}]}
CellTextJson = Annotated[list[Any], Meta(min_length=3, max_length=3, extra_json_schema=_CELL_AND_TEXT)]
IntervalJson = Annotated[list[float], Meta(min_length=2, max_length=2)]  # of 95 %
PairJson = Annotated[list[str], Meta(min_length=2, max_length=2)]  # two names
CountJson = Annotated[list[int], Meta(min_length=2, max_length=2)]  # a number, and how often it occurs
