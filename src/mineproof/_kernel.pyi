from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

__version__: str

# (conflict, fewest, most, width, limit, seconds, states): why a question has no answer.
Trouble = tuple[int, int, int, int, int, float, int]
# (log2 of the layouts, bits of the largest count, cells of the largest component, states spent)
Facts = tuple[float, float, int, int]
# (status, verdicts, mine probabilities, facts, trouble)
Analyzed = tuple[int, bytes, bytes, Facts, Trouble]

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
) -> Analyzed: ...
def count_exactly(
    topology: Topology,
    codes: bytes,
    total: int,
    primes: Sequence[tuple[int, int, int]],
    seconds: float,
    states: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[int, bytes, bytes, bytes, bytes, Trouble]: ...
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
) -> tuple[int, bytes, bytes, Trouble]: ...
def linked_numbers(topology: Topology, codes: bytes, number: int) -> list[int]: ...
def largest_primes(count: int) -> list[int]: ...
def time_analyze(topology: Topology, positions: Sequence[bytes], total: int, rounds: int) -> list[float]: ...
