from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

__version__: str

class Topology:
    def __init__(self, table: npt.NDArray[np.int32]) -> None: ...

def analyze(
    topology: Topology,
    codes: bytes,
    total: int,
    odds: float,
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, bytes, bytes, tuple[float, float, int, int], tuple[int, int, int, int, int, float, int]]: ...
def count_exactly(
    topology: Topology,
    codes: bytes,
    total: int,
    primes: Sequence[tuple[int, int, int]],
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, bytes, bytes, bytes, bytes, tuple[int, int, int, int, int, float, int]]: ...
def sample(
    topology: Topology,
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
def deal(topology: Topology, allowed: bytes, mines: int, seed: int, number: int) -> list[int]: ...
def no_guess(
    topology: Topology,
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
    topology: Topology,
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
    topology: Topology,
    codes: bytes,
    total: int,
    every: bool,
    most: int,
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, int, int, int, list[int], list[int], int, tuple[int, int, int, int, int, float, int]]: ...
def decide(
    topology: Topology,
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
    topology: Topology,
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
def linked_numbers(topology: Topology, codes: bytes, number: int) -> list[int]: ...
def largest_primes(count: int) -> list[int]: ...
def time_analyze(topology: Topology, positions: Sequence[bytes], total: int, rounds: int) -> list[float]: ...
