"""HTML pages in one file, with their style, that load nothing else.

Light and dark follow the reader's system. Wide tables scroll sideways on a phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

STYLE = Path(__file__).with_name("page.css").read_text("utf-8")


def document(title: str, parts: Iterable[str], style: str = "", script: str = "", *, language: str = "en") -> str:
    """Return a page. Empty ``parts`` are left out; ``style`` follows the common style."""
    body = "\n".join(part for part in parts if part)
    run = f'<script type="module">{script}</script>\n' if script else ""
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n{run}"
        "</body>\n</html>\n"
    )


def section(title: str, *parts: str) -> str:
    """Return a section with a title; empty parts are left out."""
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(part for part in parts if part) + "\n</section>"


def facts(named: Iterable[tuple[str, str]]) -> str:
    """Return names with their values, next to each other."""
    entries = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in named)
    return f'<dl class="facts">{entries}</dl>'


def table(label: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of ``<th>`` and ``<td>`` elements."""
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return (
        f'<div class="table" tabindex="0" role="region" aria-label="{escape(label)}"><table>\n'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def bullets(sentences: Iterable[str]) -> str:
    """Return a list of sentences."""
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"
