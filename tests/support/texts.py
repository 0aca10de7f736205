"""Texts of the page by key, so that tests do not repeat sentences; and the library's texts as the page gets them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from mineproof.board.cells import Cell
from mineproof.deduction.deduction import Deduction
from mineproof.wording.catalogue import load_catalogue, message, plural, use_language
from mineproof.wording.cells import cell_label, use_cell_labels


def text(key: str, count: int | None = None, /, **fields: object) -> str:
    """The English text of a key; with a count, its plural form."""
    return text_in("en", key, count, **fields)


def text_in(language: str, key: str, count: int | None = None, /, **fields: object) -> str:
    """The text of a key in a language."""
    with use_language(language):
        return message(key, **fields) if count is None else plural(key, count, **fields)


def pattern(key: str, /, **fields: object) -> re.Pattern[str]:
    """A regular expression for a text, in any plural form, whose other fields may be anything."""
    return re.compile(f"^{_choice(key, fields)}$")


def part(key: str, /, **fields: object) -> re.Pattern[str]:
    """The same for a text that may be part of another one."""
    return re.compile(_choice(key, fields))


def _choice(key: str, fields: Mapping[str, object]) -> str:
    forms = []
    for form in load_catalogue("en").texts[key]:
        parts = re.split(r"\{(\w+)\}", form)
        filled = [
            re.escape(part) if place % 2 == 0 else re.escape(str(fields[part])) if part in fields else ".*?"
            for place, part in enumerate(parts)
        ]
        forms.append("".join(filled).replace("\N{NO-BREAK SPACE}", r"\s").replace(r"\ ", r"\s"))
    return f"(?:{'|'.join(forms)})"


def at(cell: Cell) -> str:
    """The name of a cell on the ruler of a board."""
    with use_cell_labels("ruler"):
        return cell_label(cell)


@contextmanager
def as_on_the_page() -> Iterator[None]:
    """Texts of the library in this block are as the server sends them to the page."""
    with use_language("en"), use_cell_labels("ruler"):
        yield


def as_chips(deduction: Deduction) -> str:
    """The text of a step as the page shows it in English, where chips name the cells: "This 1 needs 1 mine." """
    with use_language("en"), use_cell_labels("chips"):
        words = deduction.text

    def chip(match: re.Match[str]) -> str:
        role, count = match[1], match[2].count(";") + 1
        return f"this {role}" if role.isdigit() else "this cell" if count == 1 else f"these {count} cells"

    sentences = re.sub(r"⟦(\w+)\|([\d,;]+)⟧", chip, words).split(". ")
    return ". ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)
