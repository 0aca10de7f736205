"""Small pieces of lesson pages: escaped text, table cells, numbers, advice with links to puzzles."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as escape_html
from typing import TYPE_CHECKING

from mineproof.base.words import keep_units
from mineproof.practice.puzzles import technique_label
from mineproof.wording.catalogue import decimal, message

if TYPE_CHECKING:
    from mineproof.lessons.sentences import Sentence


def escape(text: str) -> str:
    """Escape text for HTML; a number and its unit stay on one line."""
    return escape_html(keep_units(text))


def td(text: str, *, right: bool = False) -> str:
    """A table cell."""
    return f'<td class="right">{escape(text)}</td>' if right else f"<td>{escape(text)}</td>"


def column_heads(*columns: tuple[str, bool]) -> list[str]:
    """Heads of columns: the key of a message (or nothing), and whether the column is aligned to the right."""
    return [
        f'<th scope="col"{" class=right" if right else ""}>{escape(message(key)) if key else ""}</th>'
        for key, right in columns
    ]


def format_decimal(value: float | None) -> str:
    """Two digits after the point; empty for None."""
    return "" if value is None else decimal(value, 2)


def format_share(value: float | None) -> str:
    """A whole percentage; empty for None."""
    return "" if value is None else f"{decimal(100 * value, 0)} %"


def advice_list(sentences: Iterable[Sentence], practise: str | None) -> str:
    """The five points of advice, each with a way to practise."""
    items = "".join(f"<li>{_advice_item(sentence, practise)}</li>" for sentence in sentences)
    return f'<ol class="summary">{items}</ol>'


def _advice_item(sentence: Sentence, practise: str | None) -> str:
    text = escape(sentence.text)
    if sentence.technique is None or sentence.command is None:
        return text
    return f"{text} {practise_link(sentence.technique, sentence.command, practise)}"


def practise_link(technique: str, command: str, practise: str | None) -> str:
    """The command that shows puzzles, and on a server a link to them."""
    code = f'<code class="practise">{escape(command)}</code>'
    if practise is None:
        return code
    text = message("lesson-puzzles", label=technique_label(technique))
    return f'<a class="practise" href="{escape(practise + technique)}">{escape(text)}</a> {code}'
