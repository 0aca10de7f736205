"""Questions, in two lanes: one for those that are answered quickly, one for those that take long.

Most questions do not show how long they take. So they start among the light ones, with a short time limit. If that is
not enough they start again among the long ones, with their whole budget. A flood of long questions then leaves
hints, odds and the history as quick as they were. A client whose question took long starts among the long ones for some
seconds, or many clients could fill the light lane with questions that are bound to fail there.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from mineproof.base.budget import Budget, budget_error
from mineproof.errors import BudgetExceeded
from mineproof.web import limits
from mineproof.web.pool import CLIENT, SERVER, Cancelled, Lane, Receive, Share
from mineproof.web.slots import Slots

T = TypeVar("T")
MAX_REMEMBERED_CLIENTS = 10_000  # clients
GRACE_SECONDS = 0.1  # between the budget of a search and the deadline of its request


class Questions:
    """Answers questions in threads."""

    def __init__(self, slots: Slots | None = None) -> None:
        self.light = Lane(
            "light", limits.LIGHT, limits.LIGHT_WAITING, share=Share(*limits.LIGHT_PER_CLIENT),
            niceness=limits.LIGHT_NICENESS,
        )  # fmt: skip
        self.long = Lane(
            "questions", limits.WORKERS, limits.WAITING, share=Share(*limits.WORKERS_PER_CLIENT),
            niceness=limits.LONG_NICENESS, slots=slots,
        )  # fmt: skip
        self._slow: OrderedDict[str, float] = OrderedDict()  # clients, and when their last question took long

    async def answer(self, work: Callable[[Budget], T], budget: Budget, receive: Receive) -> T:
        """Return what the work returns, which must depend on nothing but its question.

        The work may be done twice: with a short budget, then with the given one. BudgetExceeded if that is not enough.
        """
        if self._was_slow():
            return await self.think(lambda stop: work(replace(budget, cancelled=stop)), receive, budget.seconds)
        short = replace(budget, seconds=min(limits.LIGHT_SECONDS, budget.seconds))
        try:
            return await self.light.run(
                within(short.seconds, lambda stop: work(replace(short, cancelled=stop))), receive
            )
        except BudgetExceeded as error:
            if error.limit != "seconds" or short.seconds == budget.seconds:
                raise
        self._remember()
        return await self.think(lambda stop: work(replace(budget, cancelled=stop)), receive, budget.seconds)

    def _was_slow(self) -> bool:
        """Did the last question of this client take long, a moment ago?"""
        then = self._slow.get(CLIENT.get())
        return then is not None and time.monotonic() - then < limits.REMEMBERED_SECONDS

    def _remember(self) -> None:
        client = CLIENT.get()
        if client == SERVER:
            return
        self._slow[client] = time.monotonic()
        self._slow.move_to_end(client)
        if len(self._slow) > MAX_REMEMBERED_CLIENTS:
            self._slow.popitem(last=False)

    async def look(self, work: Callable[[Cancelled], T], receive: Receive | None = None) -> T:
        """Return what the work returns, which only looks something up."""
        return await self.light.run(within(limits.SECONDS, work), receive)

    async def think(
        self, work: Callable[[Cancelled], T], receive: Receive | None = None, seconds: float = limits.SECONDS
    ) -> T:
        """Return what the work returns, which is known to take long."""
        return await self.long.run(within(seconds, work), receive)


def within(seconds: float, work: Callable[[Cancelled], T]) -> Callable[[Cancelled], T]:
    """Return the work with one deadline for all that it does: BudgetExceeded when it is over.

    Work of several steps may give each of them its whole budget. All of them ask whether they are cancelled, and from
    the deadline on they are. It is `GRACE_SECONDS` after their own: a search that ends by itself says what it tried.
    """

    def run(cancelled: Cancelled) -> T:
        begun = time.monotonic()

        def is_over() -> bool:
            return cancelled() or time.monotonic() - begun > seconds + GRACE_SECONDS

        try:
            return work(is_over)
        except BudgetExceeded as error:
            if error.limit != "cancelled" or cancelled():
                raise
            raise budget_error("seconds", time.monotonic() - begun, error.states, error.width) from None

    return run
