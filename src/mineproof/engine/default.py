"""The default engine: the native kernel, or the reference in plain Python.

``MINEPROOF_ENGINE=reference`` selects the reference. A package without its kernel does not fall back to it: an error
message is better than a program that is suddenly hundreds of times slower.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import NoReturn, cast

from mineproof.base import checks
from mineproof.engine.answers import Engine, Strategy
from mineproof.errors import EngineMissing
from mineproof.version import VERSION

VARIABLE = "MINEPROOF_ENGINE"
NAMES = ("kernel", "reference")
ADVICE = (
    "Install a C++20 compiler and install mineproof again, "
    f"or set {VARIABLE}=reference to use the slow engine in plain Python."
)


@cache
def default_engine() -> Engine:
    """Return the engine that ``MINEPROOF_ENGINE`` names, by default the kernel."""
    name = os.environ.get(VARIABLE) or "kernel"
    if name not in NAMES:
        return missing_engine(f"{VARIABLE} must be kernel or reference, got {name!r}. Unset it to use the kernel.")
    return engine_named(name)


def chosen_engine(engine: Engine | None) -> Engine:
    """Return the given engine, or the default one."""
    if engine is None:
        return default_engine()
    if not callable(getattr(engine, "solve", None)):
        raise TypeError(f"engine must be an Engine, got {type(engine).__name__} (engine_named returns one)")
    return engine


def engine_named(name: str) -> Engine:
    """Return the engine ``kernel`` or ``reference``.

    Raises ValueError for another name. If the kernel is not installed, every method of the engine raises EngineMissing
    with the reason.
    """
    checks.one_of("name", checks.instance("name", name, str), NAMES)
    if name == "reference":
        from mineproof.engine.reference_engine import ReferenceEngine

        return ReferenceEngine()
    try:
        from mineproof.engine import kernel
    except ImportError as error:
        return missing_engine(f"The native kernel cannot be loaded ({error}). {ADVICE}")
    if kernel.VERSION != VERSION:
        return missing_engine(f"The native kernel has version {kernel.VERSION}, mineproof {VERSION}. {ADVICE}")
    return kernel.KernelEngine()


def missing_engine(reason: str) -> Engine:
    """Return an engine each of whose methods raises EngineMissing with the reason."""
    return cast("Engine", _MissingEngine(reason))


class _MissingEngine:
    name = "none"
    plays = False
    strategies: tuple[Strategy, ...] = ()

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __getattr__(self, name: str) -> Callable[..., NoReturn]:
        if name.startswith("_") or not hasattr(Engine, name):
            raise AttributeError(name)

        def refuse(*_: object, **__: object) -> NoReturn:
            raise EngineMissing(self._reason)

        return refuse
