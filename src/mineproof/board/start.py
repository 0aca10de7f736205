"""How a game may start: what the rules keep free of mines for the first click."""

from __future__ import annotations

from typing import Literal, get_args

FirstClick = Literal["any", "safe", "open"]  # nothing; the cell; the cell and its neighbours
FIRST_CLICKS: tuple[FirstClick, ...] = get_args(FirstClick)
