"""What would break the static site or its tests, checked without building it: names of tests, and parts left out."""

import ast
import re
import sys
from pathlib import Path

from support.static_site import NEEDS_SERVER


def test_each_test_that_needs_a_server_exists(root: Path) -> None:
    """So the list cannot name what was renamed."""
    missing = []
    for file, reasons in NEEDS_SERVER.items():
        path = root / "tests/browser" / file
        there = set(re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)) if path.exists() else set()
        named = set(reasons) if isinstance(reasons, dict) else set()
        missing += [f"{file}::{name}" for name in sorted(named - there)] + ([file] if not there else [])
    assert missing == []


def test_the_site_has_every_module_that_its_modules_import(root: Path) -> None:
    sys.path.append(str(root / "tools"))
    from static_site.contents import LEFT_OUT_ROOMS, PACKAGE, is_left_out

    assert [name for name in LEFT_OUT_ROOMS if not (PACKAGE / name).exists()] == []
    missing = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if is_left_out(path.relative_to(PACKAGE)):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                _, _, inner = module.partition("mineproof.")
                if inner and is_left_out(Path(*inner.split(".")).with_suffix(".py")):
                    missing.append(f"{path.relative_to(PACKAGE)}: {module}")
    assert missing == []
