"""JSON documents about formats."""

from typing import Literal, TypedDict

from mineproof.formats.exchange import Holds


class FormatJson(TypedDict):
    """A format of boards."""

    name: str
    holds: Holds
    reads: bool
    writes: bool
    description: str


class FormatsJson(TypedDict):
    """Every format of boards."""

    schema: Literal["mineproof/formats/1"]
    formats: list[FormatJson]


class FormatReadingJson(TypedDict):
    """How a text was read."""

    format: str
    holds: Literal["layout", "position", "both"]
    note: str
    notes: list[str]
