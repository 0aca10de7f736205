"""Small pieces of the pages of lessons: text, cells of tables, sentences with where to practise."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as written
from typing import TYPE_CHECKING

from mineproof.practice.puzzles import LABELS

if TYPE_CHECKING:
    from mineproof.lessons.sentences import Sentence


def escape(words: str) -> str:
    """Text as HTML; a number and its per cent sign stay together."""
    return written(words.replace(" %", "\N{NO-BREAK SPACE}%"))


def td(words: str, *, right: bool = False) -> str:
    return f'<td class="right">{escape(words)}</td>' if right else f"<td>{escape(words)}</td>"


def heads(*names: tuple[str, bool]) -> list[str]:
    return [f'<th scope="col"{" class=right" if right else ""}>{escape(name)}</th>' for name, right in names]


def decimals(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}".replace("%", " %")


def summary(sentences: Iterable[Sentence], practise: str | None) -> str:
    return f'<ol class="summary">{"".join(f"<li>{_told(each, practise)}</li>" for each in sentences)}</ol>'


def _told(sentence: Sentence, practise: str | None) -> str:
    text = escape(sentence.text)
    if sentence.technique is None or sentence.command is None:
        return text
    return f"{text} {practise_link(sentence.technique, sentence.command, practise)}"


def practise_link(technique: str, command: str, practise: str | None) -> str:
    """Where puzzles of a technique are: a link where a server has them, and the command."""
    typed = f'<code class="practise">{escape(command)}</code>'
    if practise is None:
        return typed
    label = LABELS[technique]
    words = f"{label[0].lower()}{label[1:]}"
    return f'<a class="practise" href="{escape(practise + technique)}">Puzzles: {escape(words)}</a> {typed}'
