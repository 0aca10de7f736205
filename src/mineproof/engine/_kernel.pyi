from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

__version__: str

class Geometry:
    def __init__(self, table: npt.NDArray[np.int32]) -> None: ...

def analyze(
    geometry: Geometry,
    codes: bytes,
    total: int,
    odds: float,
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, bytes, bytes, tuple[float, float, int, int], tuple[int, int, int, int, int, float, int]]: ...
def count_exactly(
    geometry: Geometry,
    codes: bytes,
    total: int,
    primes: Sequence[tuple[int, int, int]],
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, bytes, bytes, bytes, bytes, tuple[int, int, int, int, int, float, int]]: ...
def sample(
    geometry: Geometry,
    codes: bytes,
    total: int,
    odds: float,
    seed: int,
    first: int,
    count: int,
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, bytes, bytes, tuple[int, int, int, int, int, float, int]]: ...
def deal(geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]: ...
def no_guess(
    geometry: Geometry,
    codes: bytes,
    allowed: bytes,
    mines: int,
    start: int,
    repair: bool,
    seed: int,
    number: int,
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[bool, list[int], tuple[int, int, int, int], tuple[int, float, int]]: ...
def simulate(
    geometry: Geometry,
    codes: bytes,
    allowed: bytes,
    mines: int,
    first: int,
    strategy: int,
    seed: int,
    first_game: int,
    games: int,
    seconds: float,
    cancelled: Callable[[], bool] | None,
) -> tuple[tuple[int, int, int, int, int, float, int], bytes]: ...
def optimal(
    geometry: Geometry,
    codes: bytes,
    total: int,
    every: bool,
    most: int,
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, int, int, int, list[int], list[int], int, tuple[int, int, int, int, int, float, int]]: ...
def decide(
    geometry: Geometry,
    codes: bytes,
    total: int,
    strategy: int,
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[
    int,
    int,
    int,
    list[tuple[int, float, float, float, float, float, list[tuple[int, float, int, float, float]]]],
    tuple[int, int, int, int, int, float, int],
]: ...
def play_on(
    geometry: Geometry,
    codes: bytes,
    total: int,
    firsts: Sequence[int],
    strategy: int,
    seed: int,
    count: int,
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[bool, list[int]]: ...
def linked_numbers(geometry: Geometry, codes: bytes, number: int) -> list[int]: ...
def largest_primes(count: int) -> list[int]: ...
def time_analyze(geometry: Geometry, positions: Sequence[bytes], total: int, rounds: int) -> list[float]: ...
