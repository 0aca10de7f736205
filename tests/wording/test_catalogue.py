"""Message catalogues: gettext files as we write them, and files that are damaged."""

import re

import pytest

from mineproof.wording.catalogue import languages, load_catalogue, parse_catalogue

HEADER = r"""
msgid ""
msgstr ""
"X-Language-Name: Test\n"
"Plural-Forms: nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);\n"
"""


def test_texts_plurals_escapes_and_comments() -> None:
    text = (
        HEADER
        + r"""
# a comment with "quotes"
msgid "one"
msgstr "a \"quoted\" word, a backslash \\ and "
"a second line\n"

msgid "cells"
msgid_plural "cells"
msgstr[0] "{count} cell"
msgstr[1] "two cells"
msgstr[2] "{count} cells"

msgid "not-translated"
msgstr ""
"""
    )
    catalogue = parse_catalogue(text, "xx")
    assert dict(catalogue.texts) == {
        "one": ('a "quoted" word, a backslash \\ and a second line\n',),
        "cells": ("{count} cell", "two cells", "{count} cells"),
    }
    assert catalogue.name == "Test"
    assert [catalogue.plural_form(count) for count in (1, 2, 3)] == [0, 1, 2]


@pytest.mark.parametrize(
    "line", ['msgstr "no end', "msgstr no quotes", 'msgtxt "x"', 'msgstr "a"b"', 'msgstr "a\\"', "text"]
)
def test_a_damaged_line_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=r"xx\.po: expected msgid, msgstr or a quoted text, got") as caught:
        parse_catalogue(f'msgid "key"\n{line}\n', "xx")
    assert repr(line) in str(caught.value)


def test_a_key_stands_once() -> None:
    with pytest.raises(ValueError, match=r"xx\.po has two messages with the key 'a'"):
        parse_catalogue('msgid "a"\nmsgstr "x"\n\nmsgid "a"\nmsgstr "y"\n', "xx")


# Words that mean something for which German has another word here: the head of de.po lists those we use.
OTHER_WORDS = (
    "Fahne|Fähnchen|Akkord|Spielfeld|Minenwahrscheinlichkeit|Ratezüge|Ratezügen|Experte|Rätsel|Hinweis|Folgerung|Historie"
    "|Replay|eindeutig|aufdeck|aufgedeckt|Belegung|gewiss"
)


def other_words(text: str) -> list[str]:
    return re.findall(rf"\b(?:{OTHER_WORDS})\w*", text)


def test_german_has_one_word_for_one_thing() -> None:
    texts = load_catalogue("de").texts
    assert {key: words for key, forms in texts.items() if (words := other_words(" ".join(forms)))} == {}
    english = load_catalogue("en").texts
    undecided = [key for key, forms in english.items() if "undecided" in " ".join(forms)]
    assert [key for key in undecided if "unentschieden" not in " ".join(texts[key])] == [], "offen is open"
    assert other_words("Setze eine Fahne auf das Spielfeld.") == ["Fahne", "Spielfeld"]


def test_every_language_has_every_message_with_its_fields() -> None:
    english = load_catalogue("en").texts
    for language in languages():
        texts = load_catalogue(language).texts
        assert set(texts) == set(english)
        assert [key for key in english if fields(texts[key]) != fields(english[key])] == []
        assert [key for key in english if (len(texts[key]) > 1) != (len(english[key]) > 1)] == []


def fields(forms: tuple[str, ...]) -> set[str]:
    """The fields of a message; only some of its plural forms may need the count."""
    return {*re.findall(r"\{(\w+)\}", " ".join(forms))} - ({"count"} if len(forms) > 1 else set())
