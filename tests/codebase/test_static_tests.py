"""The tests of the page that are named as needing a server exist, so the list cannot name what was renamed."""

import re
from pathlib import Path

from support.static_site import NEEDS_SERVER


def test_each_test_that_needs_a_server_exists(root: Path) -> None:
    missing = []
    for file, reasons in NEEDS_SERVER.items():
        path = root / "tests/browser" / file
        there = set(re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)) if path.exists() else set()
        named = set(reasons) if isinstance(reasons, dict) else set()
        missing += [f"{file}::{name}" for name in sorted(named - there)] + ([file] if not there else [])
    assert missing == []
