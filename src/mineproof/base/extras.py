"""Optional dependencies, and the error that says how to install a missing one."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class ExtraMissing(ImportError):
    """An optional package is not installed. The message has the command that installs it."""


def install_advice(install: str) -> str:
    """Return the commands that install a package."""
    return f"pip install '{install}', or in a clone: make extras"


def load(module: str, install: str, what: str) -> ModuleType:
    """Import a module that ``what`` needs. Raises ExtraMissing with the command that installs it."""
    package = module.partition(".")[0]
    try:
        import_module(package)  # a submodule may be loaded although the package is not
        return import_module(module)
    except ImportError as error:
        raise ExtraMissing(f"{what} needs {package} ({error}): {install_advice(install)}") from None
