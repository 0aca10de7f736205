"""What is installed only where it is asked for: one error that says what is missing, and how to get it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class ExtraMissing(ImportError):
    """A package that only some things need is not installed; the message names the command."""


def wanted(install: str) -> str:
    """How to get it."""
    return f"pip install '{install}', or in a clone: make extras"


def load(module: str, install: str, what: str) -> ModuleType:
    """A module that ``what`` needs, and that comes with ``pip install`` of ``install``."""
    package = module.partition(".")[0]
    try:
        import_module(package)  # a module of it may be loaded though it is not
        return import_module(module)
    except ImportError as error:
        raise ExtraMissing(f"{what} needs {package} ({error}): {wanted(install)}") from None
