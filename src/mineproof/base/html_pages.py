"""Pages that are one HTML file: with their style in them, and asking for nothing from elsewhere.

Light and dark follow the reader's system. Tables scroll sideways where they are wider than a phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

STYLE = Path(__file__).with_name("page.css").read_text("utf-8")


def document(title: str, parts: Iterable[str], style: str = "", script: str = "") -> str:
    """The whole page; ``parts`` that are empty are left out, ``style`` comes after the one that all pages have."""
    body = "\n".join(part for part in parts if part)
    run = f'<script type="module">{script}</script>\n' if script else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n{run}"
        "</body>\n</html>\n"
    )


def section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(part for part in parts if part) + "\n</section>"


def facts(named: Iterable[tuple[str, str]]) -> str:
    """Names with their values, which stand beside each other."""
    told = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in named)
    return f'<dl class="facts">{told}</dl>'


def table(label: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of elements, ``<th>`` and ``<td>``, that are written already."""
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return (
        f'<div class="table" tabindex="0" role="region" aria-label="{escape(label)}"><table>\n'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def bullets(sentences: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(each)}</li>" for each in sentences) + "</ul>"
