"""Lessons in words: what to practise, what a choice cost."""

from __future__ import annotations

from mineproof.wording.catalogue import has_message
from mineproof.wording.phrases import Phrase, phrase


def practise_phrase(technique: str) -> Phrase:
    """The advice to practise a technique; a technique without a message of its own is called by its name."""
    key = f"lesson-technique-{technique}"
    return phrase(key) if has_message(key) else phrase("lesson-technique-other", technique=technique)
