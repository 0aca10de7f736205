"""Messages by key, in the language of the reader.

A language is one gettext file beside this module. Its keys (`msgid`) are names such as ``hint-look``, its texts have
named fields: ``Look at the {number}.`` English is complete; a message that another language lacks appears in English.
A message with a plural has one text per plural form, chosen by the rule in the header of its file.

The language is chosen for the whole program (`set_default_language`) or for a block of code (`use_language`), which
holds for one thread or task only, so that a server can answer two people in two languages at the same time.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import NamedTuple

DEFAULT_LANGUAGE = "en"

_FOLDER = Path(__file__).parent
# A field with a quoted text, a quoted text that continues the line before, or a mistake; not a comment.
_LINE = re.compile(
    r'^(?:(msgid|msgid_plural|msgstr(?:\[[0-3]\])?) )?"([^"\\\n]*(?:\\.[^"\\\n]*)*)"$|^([^#\n].*)$', re.MULTILINE
)
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}
_PLURAL_RULE = re.compile(r"plural=([^;]+);")


class Catalogue(NamedTuple):
    """The messages of one language: the texts of each key, and the plural form that a count takes."""

    language: str
    name: str  # of the language, in that language
    texts: Mapping[str, tuple[str, ...]]
    plural_form: Callable[[int], int]


class _State:
    """The language of the whole program."""

    default = DEFAULT_LANGUAGE


_chosen: ContextVar[str | None] = ContextVar("language", default=None)


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages that have a catalogue, English first."""
    codes = sorted(path.stem for path in _FOLDER.glob("*.po"))
    return tuple(sorted(codes, key=lambda language: language != DEFAULT_LANGUAGE))


def language() -> str:
    """The language of messages in this thread or task."""
    return _chosen.get() or _State.default


def set_default_language(code: str) -> None:
    """Choose the language of the whole program."""
    _State.default = _check_language(code)


@contextmanager
def use_language(code: str | None) -> Iterator[None]:
    """Choose the language of a block of code; None keeps the current one."""
    token = _chosen.set(_chosen.get() if code is None else _check_language(code))
    try:
        yield
    finally:
        _chosen.reset(token)


def best_language(accepted: str) -> str:
    """The first known language of an ``Accept-Language`` header, or English.

    >>> best_language("fr, de-AT;q=0.8, en;q=0.5")
    'de'
    """
    weighted = []
    for place, part in enumerate(accepted.split(",")):
        code, _, options = part.strip().partition(";")
        weight = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", options)
        weighted.append((-float(weight[1]) if weight else -1.0, place, code.strip().lower().partition("-")[0]))
    return next((code for weight, _, code in sorted(weighted) if weight and code in languages()), DEFAULT_LANGUAGE)


def message(key: str, /, **values: object) -> str:
    """The text of a key in the current language, with its fields filled in."""
    return _texts(key)[1][0].format_map(values) if values else _texts(key)[1][0]


def plural(key: str, count: int, /, **values: object) -> str:
    """The text of a key for a count, which is also the field ``{count}``."""
    catalogue, texts = _texts(key)
    return texts[catalogue.plural_form(count)].format_map({"count": number(count), **values})


def has_message(key: str) -> bool:
    """Is there a message with this key?"""
    return key in load_catalogue(DEFAULT_LANGUAGE).texts


def number(value: int) -> str:
    """A whole number with the separators of the current language: ``1,000``."""
    return f"{value:,}".replace(",", message("number-thousands"))


def decimal(value: float, digits: int) -> str:
    """A number with a fixed number of digits after the point of the current language."""
    whole, _, fraction = f"{value:,.{digits}f}".partition(".")
    whole = whole.replace(",", message("number-thousands"))
    return f"{whole}{message('number-point')}{fraction}" if fraction else whole


def listing(names: list[str] | tuple[str, ...], key: str = "list-and") -> str:
    """``a``, ``a and b``, ``a, b and c``; with the key ``list-or``, ``a, b or c``."""
    if len(names) < 2:
        return "".join(names)
    return message(key, first=message("list-separator").join(names[:-1]), last=names[-1])


def sentence(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


@cache
def load_catalogue(code: str) -> Catalogue:
    """The catalogue of a language, read once."""
    return parse_catalogue((_FOLDER / f"{code}.po").read_text("utf-8"), code)


def parse_catalogue(text: str, code: str) -> Catalogue:
    """Read a gettext file: keys, texts and plural forms."""
    texts: dict[str, tuple[str, ...]] = {}
    for key, forms in _entries(text, code):
        if key in texts:
            raise ValueError(f"{code}.po has two messages with the key {key!r}")
        if any(forms):
            texts[key] = tuple(forms)
    header = dict(line.split(": ", 1) for line in texts.pop("", ("",))[0].splitlines() if ": " in line)
    rule = _PLURAL_RULE.search(header.get("Plural-Forms", "") + ";")
    form = gettext.c2py(rule[1]) if rule else lambda count: int(count != 1)
    return Catalogue(code, header.get("X-Language-Name", code), texts, form)


def _entries(text: str, code: str) -> Iterator[tuple[str, list[str]]]:
    """The keys of a file, each with its texts; one pass, because every start of the program waits for it."""
    forms: list[str] = []
    key, is_key, started = "", False, False
    for field, quoted, mistake in _LINE.findall(text):
        if mistake:
            raise _syntax_error(code, mistake)
        words = _unescape(quoted) if "\\" in quoted else quoted
        if field == "msgid":
            if started:
                yield key, forms
            key, forms, is_key, started = words, [], True, True
        elif field == "msgid_plural":
            is_key = False
        elif field:
            forms.append(words)
            is_key = False
        elif is_key:
            key += words
        elif forms:
            forms[-1] += words
    if started:
        yield key, forms


def _unescape(quoted: str) -> str:
    return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), quoted)


def _syntax_error(code: str, line: str) -> ValueError:
    return ValueError(f"{code}.po: expected msgid, msgstr or a quoted text, got {line!r}")


def _check_language(code: str) -> str:
    if code not in languages():
        raise ValueError(f"language must be one of {', '.join(languages())}, got {code!r}")
    return code


def _texts(key: str) -> tuple[Catalogue, tuple[str, ...]]:
    catalogue = load_catalogue(language())
    texts = catalogue.texts.get(key)
    if texts is None:
        catalogue = load_catalogue(DEFAULT_LANGUAGE)
        texts = catalogue.texts[key]
    return catalogue, texts
