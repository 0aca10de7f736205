"""Write the table of techniques in docs/techniques.md from the ladder: ``python tools/technique_table.py``."""

from __future__ import annotations

import re
from pathlib import Path

from mineproof.deduction.ladder import LADDER

DOCUMENT = Path(__file__).parents[1] / "docs/techniques.md"
HEAD = "| technique | name for players | looks at | origin |\n|---|---|---|---|\n"


def table() -> str:
    """Return the table, one line for each technique, the simplest first."""
    rows = [
        f"| [`{name}`](#{name}) | {technique.label} | {technique.looks_at} | {technique.origin} |\n"
        for name, technique in LADDER.items()
    ]
    return HEAD + "".join(rows)


def with_table(text: str) -> str:
    """Return the document with the current table."""
    document, count = re.subn(r"\| technique \|.*\n\|[-|]+\n(?:\|.*\n)+", lambda _: table(), text, count=1)
    assert count == 1, f"{DOCUMENT.name} has no table of techniques"
    return document


if __name__ == "__main__":
    DOCUMENT.write_text(with_table(DOCUMENT.read_text("utf-8")), "utf-8")
