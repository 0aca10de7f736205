"""Types of options and arguments, with messages in one form: ``--games must be at least 1, got 0``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click import ParamType as ParamType

    _Choice = click.Choice[str]
else:
    _Choice = click.Choice

    class ParamType(click.ParamType):
        """`click.ParamType`, which accepts the type of its values in brackets only since click 8.4."""

        def __class_getitem__(cls, _: object) -> type[ParamType]:
            return cls


LARGEST_COUNT = 2**62 - 1  # of games, layouts and samples: the numbers that a seed has for them
LARGEST_SEED = 2**64 - 1
_POWERS = {LARGEST_COUNT: "2**62 - 1", LARGEST_SEED: "2**64 - 1"}
_QUOTED_CHARACTERS = 40


def parameter_name(param: click.Parameter | None) -> str:
    """What a user types or reads in the help: the longest name of an option, the metavar of an argument."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return "value" if param is None else param.human_readable_name


def invalid(param: click.Parameter | None, ctx: click.Context | None, allowed: str, value: str) -> click.UsageError:
    """The error of a value that is not allowed."""
    shown = value if len(value) <= _QUOTED_CHARACTERS else f"{value[:_QUOTED_CHARACTERS]}…"
    written = shown if re.fullmatch(r"-?[0-9][0-9,_]*(\.[0-9]+)?", shown) else repr(shown)
    return click.UsageError(f"{parameter_name(param)} must be {allowed}, got {written}", ctx)


class Choice(_Choice):
    """`click.Choice` with our message: ``--needs must be one of single-open, partition, got 'foo'``."""

    def __init__(self, choices: Sequence[str]) -> None:
        super().__init__(list(choices))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            raise invalid(param, ctx, f"one of {', '.join(self.choices)}", str(value)) from None


class Parsed(ParamType[Any]):
    """A value that a function parses, or raises ValueError; ``allowed`` completes "--option must be"."""

    def __init__(self, name: str, parse: Callable[[str], Any], allowed: str) -> None:
        self.name = name
        self._parse = parse
        self._allowed = allowed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):  # a default
            return value
        try:
            return self._parse(value)
        except ValueError:
            raise invalid(param, ctx, self._allowed, value) from None


class Explained(ParamType[Any]):
    """A value that a function parses, or raises ValueError with a message."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._parse(value)
        except ValueError as error:
            raise click.UsageError(f"{parameter_name(param)}: {error}", ctx) from None


class Count(ParamType[int]):
    """A whole number: 100000, 100_000, 100,000 or 1e5, within bounds."""

    name = "count"
    _WRITTEN = re.compile(r"-?[0-9]{1,30}|[0-9]{1,3}(?:[_,][0-9]{3}){1,9}|([1-9])[eE]\+?([0-9]{1,2})")

    def __init__(self, least: int, most: int = LARGEST_COUNT) -> None:
        self._least, self._most = least, most

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):  # a default
            return value
        written = self._WRITTEN.fullmatch(value.strip())
        if written is None:
            raise invalid(param, ctx, f"a whole number {self._range('such as 1000, 1_000 or 1e3')}", value)
        digit, zeros = written.groups()
        count = int(re.sub("[_,]", "", written[0])) if digit is None else int(digit) * 10 ** int(zeros)
        if not self._least <= count <= self._most:
            bound = f"at least {self._least:,}" if count < self._least else f"at most {self._largest()}"
            raise invalid(param, ctx, self._range(bound), value.strip())
        return count

    def _range(self, otherwise: str) -> str:
        """Both bounds where they are close enough to be worth naming."""
        return otherwise if self._most in _POWERS else f"from {self._least:,} to {self._largest()}"

    def _largest(self) -> str:
        return _POWERS.get(self._most, f"{self._most}" if self._most < 100_000 else f"{self._most:,}")


# values


def parse_cell(text: str) -> tuple[int, int]:
    """A cell from ``ROW,COLUMN``; ValueError for anything else."""
    match = re.fullmatch(r"([0-9]{1,7}),([0-9]{1,7})", text)
    if match is None:
        raise ValueError
    return int(match[1]), int(match[2])


def parse_positive(text: str) -> float:
    """A finite number above 0; ValueError for anything else."""
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError
    return value


def _parse_start(text: str) -> tuple[int, int] | str:
    return "random" if text == "random" else parse_cell(text)


def _parse_level(text: str) -> str:
    """The text, once it is known to be a level or a size."""
    from mineproof.board.levels import read_size

    read_size(text)
    return text


CELL = Parsed("cell", parse_cell, "ROW,COLUMN, counted from 0,0")
START = Parsed("start", _parse_start, "ROW,COLUMN, counted from 0,0, or random")
SECONDS = Parsed("seconds", parse_positive, "a number of seconds above 0")
NUMBER = Parsed("number", float, "a number")
LEVEL = Explained("level", _parse_level)
