"""Why no layout fits: few numbers instead of many, and the flag that may be wrong.

An engine notices a contradiction somewhere among hundreds of numbers. Numbers are taken away, large chunks first,
as long as the rest stays contradictory; what is left is minimal: every one of its numbers is needed. A number is
taken away by giving its cell the code of a cell outside the board, which is free of mines and says nothing.

Cost: about twice the size of the answer times log(numbers) questions to the engine. What the budget does not
suffice to shrink is left in, so the blame stays true, only longer.
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof import engine
from mineproof.board import code_at
from mineproof.budget import Budget, Deadline
from mineproof.codes import ABSENT, COVERED, FLAGGED
from mineproof.errors import BudgetExceeded, Cell, ContradictionError
from mineproof.topology import Topology

MOST_NAMED = 12  # in words; `cells` always has them all
MOST_FLAGS_TRIED = 500  # for a contradiction with the total any flag may be the wrong one


def explain(
    topology: Topology, codes: bytes, total: int | None, error: ContradictionError, budget: Budget
) -> ContradictionError:
    """The same contradiction with a minimal set of numbers and the flags that would mend it."""
    limit = Deadline(budget)
    case = _Case(topology, codes, total if error.uses_total else None, limit)
    suspects = (
        [index for index, code in enumerate(codes) if code <= 8] if error.uses_total else _indices(error, topology)
    )
    blamed = case.shrink(suspects)
    flags = _Case(topology, codes, total, limit).wrong_flags(blamed, anywhere=error.uses_total)
    cells = [_cell(topology, index) for index in blamed]
    message = _words(case, blamed, error) + _flag_words([_cell(topology, flag) for flag in flags])
    wrong = [_cell(topology, flag) for flag in flags]
    return ContradictionError(message, cells, uses_total=error.uses_total, wrong_flags=wrong)


class _Case:
    def __init__(self, topology: Topology, codes: bytes, total: int | None, limit: Deadline) -> None:
        self.topology, self.codes, self.total, self.limit = topology, codes, total, limit

    def shrink(self, numbers: Sequence[int]) -> list[int]:
        """A part of these contradictory numbers of which none can be spared."""
        needed = list(numbers)
        chunk = len(needed)
        while chunk:
            at = 0
            while at < len(needed) and not self.limit.passed:
                rest = needed[:at] + needed[at + chunk :]
                if self.contradiction(self.only(rest)):
                    needed = rest
                else:
                    at += chunk
            chunk //= 2
        return needed

    def only(self, numbers: Sequence[int]) -> bytes:
        """The board without all other numbers."""
        keep = set(numbers)
        return bytes(ABSENT & 0xFF if code <= 8 and i not in keep else code for i, code in enumerate(self.codes))

    def contradiction(self, codes: bytes) -> ContradictionError | None:
        try:
            engine.solve(self.topology, codes, self.total, None, self.limit.rest())
        except ContradictionError as error:
            return error
        except BudgetExceeded:
            return None
        return None

    def wrong_flags(self, blamed: Sequence[int], anywhere: bool) -> list[int]:
        """Flags without which the whole position would be possible."""
        near = {other for index in blamed for other in self.topology.around(index)}
        flags = [i for i, code in enumerate(self.codes) if code == FLAGGED & 0xFF and (anywhere or i in near)]
        return [flag for flag in flags[:MOST_FLAGS_TRIED] if not self.limit.passed and self._possible_without(flag)]

    def _possible_without(self, flag: int) -> bool:
        codes = bytearray(self.codes)
        codes[flag] = COVERED & 0xFF
        try:
            engine.solve(self.topology, bytes(codes), self.total, None, self.limit.rest())
        except (ContradictionError, BudgetExceeded):
            return False
        return True


def _words(case: _Case, blamed: Sequence[int], error: ContradictionError) -> str:
    names = [f"the {case.codes[index]} at {_cell(case.topology, index)}" for index in blamed]
    if error.uses_total:
        told = case.contradiction(case.only(blamed))
        with_whom = f"with {_list(names)}, " if names else ""
        return with_whom + str(told or error)
    if len(blamed) > 1:
        return f"{_list(names)} cannot all be right"
    around = [code_at(case.codes, other) for other in case.topology.around(blamed[0])]
    return f"{names[0]} has {around.count(FLAGGED)} flagged and {around.count(COVERED)} covered cells around it"


def _flag_words(flags: Sequence[Cell]) -> str:
    if not flags:
        return ""
    if len(flags) == 1:
        return f"; the flag at {flags[0]} is wrong: without it the position is possible"
    return f"; one of the flags at {_list([str(flag) for flag in flags])} is wrong: without it the position is possible"


def _list(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _indices(error: ContradictionError, topology: Topology) -> list[int]:
    return [row * topology.columns + column for row, column in error.cells]


def _cell(topology: Topology, index: int) -> Cell:
    return divmod(index, topology.columns)
