"""The strategies of an engine: the kernel's table, with a description of each one from the catalogue.

A strategy is a row of the kernel's table and a message ``strategy-<name>`` in each catalogue. Help texts, completion,
the page and the tables of the documents are made from these two.
"""

from __future__ import annotations

from mineproof.base import checks
from mineproof.engine.answers import Engine, Strategy
from mineproof.engine.default import chosen_engine
from mineproof.wording.catalogue import message

__all__ = ["TIMED_STRATEGIES", "Strategy", "deciding", "describe_strategy", "require_strategy", "strategies"]

TIMED_STRATEGIES = ("best", "deep")  # can think for a given time; the kernel's table has no column for this


def strategies(engine: Engine | None = None) -> tuple[Strategy, ...]:
    """Return all strategies of an engine: its own from the fastest to the slowest, then those of other programs."""
    return chosen_engine(engine).strategies


def deciding(engine: Engine | None = None) -> list[str]:
    """Return the names of the strategies that can choose a move in a single position."""
    return [strategy.name for strategy in strategies(engine) if strategy.decides]


def describe_strategy(name: str) -> str:
    """Return the description of one of the kernel's strategies in the current language."""
    return message(f"strategy-{name}")


def require_strategy(name: str, engine: Engine) -> Strategy:
    """Return the strategy with this name; ValueError if it does not exist or cannot choose a single move.

    An engine that does not play accepts every name, and raises an error when a guess has to be compared.
    """
    known = {strategy.name: strategy for strategy in engine.strategies}
    checks.instance("strategy", name, str, "the name of one")
    if name not in known and not engine.plays:
        return Strategy(name, decides=True, weighs=True, looks_ahead=True, layouts=0)
    expected = ", ".join(deciding(engine))
    if name not in known:
        raise ValueError(f"strategy must be one of {expected}, got {name!r}")
    if not known[name].decides:
        raise ValueError(f"strategy must be one of {expected}, got {name!r}, which plays whole games only")
    return known[name]
