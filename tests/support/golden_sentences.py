"""Golden files of sentences: one file per topic and language, so that editing a sentence changes one file.

`MINEPROOF_UPDATE_GOLDEN=1` writes them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from mineproof.wording.catalogue import languages, use_language

FOLDER = Path(__file__).parents[1] / "golden" / "sentences"


def check_sentences(topic: str, render: Callable[[], Iterable[str]]) -> None:
    """Compare the rendered lines with the golden file of each language."""
    for language in languages():
        with use_language(language):
            text = "".join(f"{line}\n" for line in render())
        path = FOLDER / language / f"{topic}.txt"
        if "MINEPROOF_UPDATE_GOLDEN" in os.environ:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert text.splitlines() == path.read_text("utf-8").splitlines(), f"{path}: MINEPROOF_UPDATE_GOLDEN=1 writes it"
