"""No property shares a lock between objects."""

import ast
from pathlib import Path

import pytest


def locking(source: str) -> list[int]:
    """Lines that use `functools.cached_property`, which has one lock for a whole class until Python 3.12."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if (
            isinstance(node, ast.ImportFrom)
            and node.module == "functools"
            and any(alias.name == "cached_property" for alias in node.names)
        )
        or (isinstance(node, ast.Attribute) and ast.unparse(node) == "functools.cached_property")
    ]


@pytest.mark.slow
def test_cached_properties_are_our_own(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{line}"
        for path in sorted((root / "src").rglob("*.py"))
        for line in locking(path.read_text("utf-8"))
    ]
    assert found == []


def test_a_cached_property_of_functools_is_seen() -> None:
    assert locking("from functools import cache, cached_property") == [1]
    assert locking("import functools\n\nvalue = functools.cached_property(len)") == [3]
    assert locking("from mineproof.base.cached import cached_property") == []
