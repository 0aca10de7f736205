"""Files that a command writes because an option names them.

A file with other content is replaced only with --force. A device or a pipe is written to. Folders follow the rule of
`mineproof.base.files`: the folder of a file must exist, and a named folder is created if its parent exists.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from mineproof.base import files


class OutputFile(click.Path):
    """A file to write. A missing folder is reported before any work is done."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        files.require_folder_of(path)
        return path


def write(path: Path, content: str | bytes, *, force: bool) -> None:
    """Write a file; raise UsageError if it has other content and ``force`` is not set."""
    require_free(path, content, force=force)
    files.write(path, content)


def require_free(path: Path, content: str | bytes, *, force: bool) -> None:
    """Raise UsageError if a file has other content and ``force`` is not set."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    if not force and has_content(path) and not _is_same(path, data):
        raise click.UsageError(f"{path} already exists. Use --force to replace it, or choose another name.")


def has_content(path: Path) -> bool:
    """Is this a file that is not empty?"""
    return path.is_file() and path.stat().st_size > 0


def _is_same(path: Path, data: bytes) -> bool:
    return path.stat().st_size == len(data) and files.read(path, max(len(data), 1)) == data
