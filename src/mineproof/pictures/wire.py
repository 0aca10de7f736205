"""JSON documents about pictures."""

from typing import Literal, TypedDict


class PictureJson(TypedDict):
    """A picture of a board."""

    schema: Literal["mineproof/picture/1"]
    title: str
    svg: str
