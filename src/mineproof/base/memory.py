"""Detection of errors that mean that memory ran out."""

from __future__ import annotations


def is_out_of_memory(error: BaseException) -> bool:
    """Did memory run out? A thread that cannot be started is short of memory for its stack."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "start new thread" in str(error))
