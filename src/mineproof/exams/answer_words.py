"""The words "right" and "wrong" in prose, where "right" may be a direction and "no" may have nothing to do with it.

Order    1. behind a mark, the first line that begins with such a word;
         2. else the last such line, or the last statement about the claim: "it is not correct", "it does not hold";
         3. else the last such word of the last line that has one. ``not`` reverses a word.
"""

from __future__ import annotations

import re

_NOT = r"(?:not|(?:is|was|ca|could|does|do|did|would|wo|are|were|has)n['’]t|cannot|nicht|un|never|by\s+no\s+means)"
_RIGHT = r"right|true|correct|valid|sound|richtig|wahr|korrekt|gültig"
_WRONG = r"wrong|false|incorrect|invalid|untrue|unsound|falsch|unwahr|inkorrekt|ungültig"
_REASON = r"because|since|as|if|when|only|weil|denn|da|wenn|nur"  # after it, words are about something else
_PLACE = (  # "right" as a direction, "valid" as what layouts are, "true" as in "is it true that"
    r"(?!\s+(?:of|side|neighbou?rs?|edge|column|corner|half|end|part|hand|border|next\s+to|layouts?|arrangements?"
    r"|configurations?|solutions?|placements?|assignments?|answers?|statements?|claims?|that)\b|-)"
)
_WORD = re.compile(
    rf"(?<!-)\b(?P<no>(?:{_NOT})\s+(?:be\s+)?(?:(?:necessarily|quite|really|completely)\s+)?)?"
    rf"(?:(?P<right>(?<!to\sthe\s)(?<!on\sthe\s)(?<!at\sthe\s)(?<!top\s)(?<!bottom\s)(?<!upper\s)(?<!lower\s)"
    rf"(?:{_RIGHT}){_PLACE})|(?P<wrong>(?:{_WRONG}){_PLACE}))\b",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    rf"\b(?P<no>(?:(?:do(?:es)?|did|can)\s+)?(?:{_NOT})\s+)?(?P<right>holds?|stimmt|stimmen|gilt|trifft\s+zu)"
    r"(?P<after>\s+nicht)?\b|\b(?P<wrong>(?<=claim\s)fails|(?<=proof\s)fails|(?<=statement\s)fails|trifft\s+nicht\s+zu)\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    rf"\b(?:claim|statement|proof|assertion|it|that|this|answer|verdict|argument|behauptung|aussage|beweis|das|es|sie)\b"
    rf"(?:(?!\b(?:{_REASON})\b)[^.;\n]){{0,60}}?(?:\b(?:is|are|was|ist|war|(?:is|ca)n['’]t|cannot|must\s+be)\b|[:=])"
    rf"(?:(?!\b(?:{_REASON})\b)[^.;,\n]){{0,40}}?$"
    r"|\b(?:so|therefore|thus|hence|conclusion|also|daher|somit)\b[^\w\n]{1,4}$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"[^\w\n]*(?P<no>{_NOT}\s+)?(?:(?P<right>(?:{_RIGHT}|yes|ja|✓|✔|✅)(?!\w))|(?P<wrong>(?:{_WRONG}|no|nein|✗|✘|❌)(?!\w)))"
    r"(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:right|true|correct|valid|richtig|wahr) (?:or|oder) (?:\w+)\b", re.IGNORECASE
)  # the question
_GOES_ON = re.compile(r"\?|\s+(?!because|since|as|weil|denn|da\b|\W)\w", re.IGNORECASE)  # a sentence, or a question


def word_in_text(text: str, *, is_marked: bool) -> bool | None:
    """Return whether a text says right; None if it says neither right nor wrong.

    >>> word_in_text("Wrong. The cell to the right may be a mine.", is_marked=False)
    False
    """
    text = _CHOICE.sub(" ", text)
    starts = [place.end() for place in re.finditer(r"(?:^|\n)", text)]
    begin = [match for start in starts if (match := _begins(text, start))]
    if begin and is_marked:
        return _says_right(begin[0])
    said = [match for match in _matches(text) if _STATEMENT.search(text[max(0, match.start() - 120) : match.start()])]
    if stated := [*begin, *said, *_HOLDS.finditer(text)]:
        return _says_right(max(stated, key=re.Match.start))
    for line in reversed(text.splitlines()):
        if words := _matches(line):
            return _says_right(words[-1])
    return None


def _matches(text: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(text))


def _begins(text: str, start: int) -> re.Match[str] | None:
    """The word that a line begins with, unless a sentence with this word follows."""
    match = _FIRST.match(text, start)
    if match is None or _GOES_ON.match(match["rest"]) or match["rest"][:1] == "-":
        return None
    return match


def _says_right(match: re.Match[str]) -> bool:
    parts = match.groupdict()
    denied = bool(parts["no"]) != bool(parts.get("after"))
    return (parts["right"] is not None) is not denied
