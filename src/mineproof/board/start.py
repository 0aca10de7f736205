"""Rules for the first click: which cells are free of mines."""

from __future__ import annotations

from typing import Literal, get_args

FirstClick = Literal["any", "safe", "open"]  # nothing; the cell; the cell and its neighbours
FIRST_CLICKS: tuple[FirstClick, ...] = get_args(FirstClick)
