"""JSON documents about the benchmark."""

from typing import Literal, TypedDict


class PlayDigestsJson(TypedDict):
    """Digests of answers and games."""

    answers: str
    states: int
    endgame: str
    endgame_nodes: int
    decisions: str | None


class PlaySignatureJson(PlayDigestsJson):
    """The part of the signature that games depend on."""

    engine: str


class SignatureJson(PlaySignatureJson):
    """The part of a benchmark that does not depend on the machine."""

    positions: int
    ladder: str
    ladder_steps: int


class BenchJson(SignatureJson):
    """Result of the benchmark."""

    schema: Literal["mineproof/bench/1"]
    median_microseconds: float
    positions_per_second: float
