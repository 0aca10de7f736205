"""Numbers of mines as options take them: 99, or 20% of the cells."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import click

from mineproof.cli.parameters import Count, ParamType, invalid


class MineCount(ParamType[int | Fraction]):
    """A number of mines, or a share of the cells such as 20%, which `mines_on` turns into a number."""

    name = "mines"
    _SHARE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%")

    def convert(
        self, value: str | int | Fraction, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | Fraction:
        if not isinstance(value, str):
            return value
        share = self._SHARE.fullmatch(value.strip())
        if share is not None and Fraction(share[1]) <= 100:
            return Fraction(share[1]) / 100
        if re.fullmatch(r"-?[0-9][0-9_,]*(?:[eE]\+?[0-9]+)?", value.strip()):
            return Count(0).convert(value, param, ctx)
        raise invalid(param, ctx, "a number such as 99, or a percentage of the cells from 0% to 100%", value)


def mines_on(mines: int | Fraction | None, cells: int) -> int | None:
    """The number of mines on a board with this many cells; a share is rounded to the nearest number."""
    return math.floor(mines * cells + Fraction(1, 2)) if isinstance(mines, Fraction) else mines
