"""Files that a command writes because an option names them: nothing that is there is written over unless asked.

What holds the same already, or nothing at all, is no loss; a device or a pipe is written into.
"""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.base import files

force_option = click.option("--force", is_flag=True, help="Write over a file that is there already.")


def write(path: Path, content: str | bytes, *, force: bool) -> None:
    """Write a file; UsageError where that would write over another content, unless ``force``."""
    require_free(path, content, force=force)
    files.write(path, content)


def require_free(path: Path, content: str | bytes, *, force: bool) -> None:
    """UsageError if a file cannot be written: it would take the place of another content, and there is no ``force``."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    if not force and holds_something(path) and not _holds(path, data):
        raise click.UsageError(f"{path} is there already: --force writes over it, or name another file")


def holds_something(path: Path) -> bool:
    """Is this a file with something in it?"""
    return path.is_file() and path.stat().st_size > 0


def _holds(path: Path, data: bytes) -> bool:
    return path.stat().st_size == len(data) and files.read(path, max(len(data), 1)) == data
