"""The strategies there are: the kernel's table, and which of them can be asked what."""

from __future__ import annotations

from mineproof.base import checks
from mineproof.engine.answers import Engine, Strategy
from mineproof.engine.choice import chosen_engine

__all__ = ["Strategy", "deciding", "require_strategy", "strategies"]


def strategies(engine: Engine | None = None) -> tuple[Strategy, ...]:
    """Every strategy of an engine, the quickest first, then those of the originals."""
    return chosen_engine(engine).strategies


def deciding(engine: Engine | None = None) -> list[str]:
    """The names of those that can be asked about a single position."""
    return [each.name for each in strategies(engine) if each.decides]


def require_strategy(name: str, engine: Engine) -> Strategy:
    """The strategy of a name that can be asked about a single position; ValueError where there is none.

    An engine that does not play lets every name pass, and refuses once a guess is to be weighed.
    """
    known = {each.name: each for each in engine.strategies}
    checks.instance("strategy", name, str, "the name of one")
    if name not in known and not engine.plays:
        return Strategy(name, decides=True, weighs=True, looks_ahead=True, layouts=0)
    expected = ", ".join(deciding(engine))
    if name not in known:
        raise ValueError(f"found strategy={name!r}, expected one of {expected}")
    if not known[name].decides:
        raise ValueError(f"strategy {name!r} plays whole games only (simulate); expected one of {expected}")
    return known[name]
