"""Remove the packaging of a pasted text: colours, HTML, Markdown, quotes, invisible characters, emoji in parts.

Every step maps a text to one of the same length, see `sheet`. Cost: linear; no pattern can look at a character more
than a fixed number of times. HTML is read by one pattern for tags rather than by `html.parser`, which takes quadratic
time on some malformed input up to Python 3.13.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from mineproof.board.paste.sheet import VOID, Sheet
from mineproof.board.paste.symbols import SHORTCODES, symbol_of

_COLOURS = re.compile(
    r"\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]"  # a control sequence
    r"|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)?"  # a title or a link
    r"|\x1b[@-_]"
    r"|\[(?:[0-9]{1,3}(?:;[0-9]{1,3}){0,5})?m"  # what is left where a program dropped the escape character
)
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_INVISIBLE = re.compile(
    "[\x00\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u20e3\U0001f3fb-\U0001f3ff]"
)
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_LINE_ENDS = re.compile("\r\n?|[\v\f\u0085\u2028\u2029]")
_SHORTCODE = re.compile(r":([a-z_]{1,30}):")
_SPOILER = re.compile(r"\|\|([^|\s]{1,40})\|\|")
_TILDES = re.compile(rf"[\s{VOID}]*?(?m:^)(~~~)[^\n~]{{0,80}}\n[^~]*\n(~~~)[\s{VOID}]*")
_TITLE = re.compile(r"^([^/\n:]{0,80}[^\W\d]{2}[^/\n:]{0,80}:)[ ]")
_PROMPT = re.compile(
    rf"(?m)^[ \t{VOID}]{{0,60}}(?:[^\s#FfHC0-9]{{0,80}}[$%]|[A-Za-z]:\\[^\n#>]{{0,80}}>)[ \t{VOID}]{{0,60}}$"
)
_CONTINUED = re.compile(rf"(?m)[/\\][ \t{VOID}]{{0,60}}$")
_COMMENT = re.compile(r"(?m)(?<=[\])},])([ \t]{0,60})(?://|#(?= ?[^\W\d]{2}))[^\n\[\](){}]{0,300}$")
_BOLD = re.compile(r"(?<=[|\s])\*\*([^*|\s]{1,20})\*\*(?=[|\s])")
_ITEM = re.compile(r"""(?m)^[ \t]{0,60}-(?=[ \t]{1,60}["'\[])""")
_ROW_NAME = re.compile(r"(?mi)^[ \t]{0,60}(?:r|row|line|y) ?[0-9]{1,7} ?[:=)]")
_R_LABEL = re.compile(r"\[[0-9]{1,7},\]|\[,[0-9]{1,7}\]")
_FENCE = re.compile(rf"(?m)^[ \t{VOID}]{{0,60}}```[^\n]{{0,80}}$")
_QUOTED = re.compile(rf"(?m)^(?:[ \t{VOID}]{{0,60}}>)+ ?")
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,20})([^<>]{0,2000})>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,32});")
_LATEX = re.compile(
    r"\\(?:begin|end)\{(?:tabular|array|[pbvBV]?matrix)\*?\}(?:\[[a-z]\])?(?:\{[^{}\n]{0,80}\})?|\\[ht]line|\$"
)
_LATEX_ROW_END = re.compile(r"\\\\[ \t]{0,60}\n?")
_LATEX_ESCAPE = re.compile(r"\\(?=[#_&$%])")
_CELL_OF_A_PAGE = re.compile(r"<(div|span|button|cell)\b[^<>]{0,2000}>([^<>]{1,8})</\1>", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"""\balt\s{0,3}=\s{0,3}["']?([^"'>]{0,20})""")


def unwrap(source: str) -> Sheet:
    """The text without its packaging; BoardSyntaxError where it is no text at all."""
    text = _COLOURS.sub(_void, source)
    strange = _CONTROL.search(text)
    if strange is not None:
        message = f"expected text, got the control character U+{ord(strange[0]):04X}"
        raise Sheet(source, source).error(strange.start(), message)
    text = _LINE_ENDS.sub(lambda end: VOID * (len(end[0]) - 1) + "\n", text)
    if not text.isascii():
        text = text.translate(_FULL_WIDTH)
    if "<" in text:
        text = _without_tags(text)
    if "&" in text and "\\\\" in text:
        text = _without_latex(text)
    if "&" in text:
        text = _ENTITY.sub(lambda entity: _pad_to_length(html.unescape(entity[0]), entity[0]), text)
    text = _BLANKS.sub(" ", _INVISIBLE.sub(VOID, text))
    if ":" in text:
        text = _SHORTCODE.sub(_emoji, text)
    if "||" in text:
        text = _SPOILER.sub(lambda spoiler: f"{VOID * 2}{spoiler[1]}{VOID * 2}", text)
    if "```" in text:
        text = _FENCE.sub(_void, text)
    if "~~~" in text and (tildes := _TILDES.fullmatch(text)) is not None:
        text = _void_spans(text, [tildes.span(1), tildes.span(2)])
    text = _QUOTED.sub(_void, text).replace("`", VOID)
    return Sheet(source, _row_ends(_without_marks(text)))


def _without_marks(text: str) -> str:
    """The text without what programs, shells and editors write beside rows."""
    text = text.replace('"""', VOID * 3).replace("'''", VOID * 3)
    if "|" in text:
        text = _BOLD.sub(lambda bold: f"{VOID * 2}{bold[1]}{VOID * 2}", text)
    for pattern in (_COMMENT, _ITEM, _PROMPT, _R_LABEL):
        text = pattern.sub(_void, text)
    if len(_ROW_NAME.findall(text)) > 1:
        text = _ROW_NAME.sub(_void, text)
    return _CONTINUED.sub(_void, text) if "\n" in text.strip() else text


def _void_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for begin, end in spans:
        text = text[:begin] + VOID * (end - begin) + text[end:]
    return text


def without_void(line: str) -> str:
    """A line as it looks."""
    return line.replace(VOID, "")


def _void(match: re.Match[str]) -> str:
    return VOID * len(match[0])


def _pad_to_length(content: str, place: str) -> str:
    """Something in the place of something longer."""
    return content.ljust(len(place), VOID) if len(content) <= len(place) else place


def _emoji(match: re.Match[str]) -> str:
    return _pad_to_length(SHORTCODES[match[1]], match[0]) if match[1] in SHORTCODES else match[0]


def _row_ends(text: str) -> str:
    """In a text of one line ``/`` ends a row, and so does ``\\n`` typed as two characters."""
    if "\n" in text.replace(VOID, "").strip():
        return text
    text = text.replace("\\r\\n", f"\n{VOID * 3}").replace("\\n", f"\n{VOID}")
    if "/" in text:
        return _TITLE.sub(lambda title: f"{title[1]}\n", text).replace("/", "\n")
    for sign in ";|, ":
        rows = text.replace(VOID, "").strip().split(sign)
        if _are_rows(rows, sign):
            return text.replace(sign, "\n")
    return text


def _are_rows(pieces: Sequence[str], sign: str) -> bool:
    """Are the pieces of a single line rows of equal length rather than cells?"""
    if len(pieces) < 2 or len({len(piece) for piece in pieces}) > 1 or len(pieces[0]) < 2:
        return False
    if sign == ";" and all("," in piece for piece in pieces):
        return all(symbol_of(cell.strip()) for piece in pieces for cell in piece.split(","))
    return not any(map(symbol_of, pieces)) and all(symbol_of(cell) for piece in pieces for cell in piece)


def _without_latex(text: str) -> str:
    """A LaTeX table as rows of ``1 | # | 2``."""
    text = _LATEX_ROW_END.sub(lambda end: VOID * (len(end[0]) - 1) + "\n", text)
    return _LATEX_ESCAPE.sub(VOID, _LATEX.sub(_void, text)).replace("&", "|")


def _without_tags(text: str) -> str:
    """HTML as rows of ``|1|#|``; head cells are left out, and an image is its alternative text."""
    if "<td" not in text:
        text = _CELL_OF_A_PAGE.sub(_cell_of_a_page, text)
    parts: list[str] = []
    has_labels, is_first = _has_labels(text), False
    end, in_table, in_head = 0, False, False
    for tag in _TAG.finditer(text):
        parts.append(_content(text[end : tag.start()], in_table, in_head))
        name, closing = tag[1].lower(), tag[0].startswith("</")
        if name == "table":
            in_table = not closing
        if name in ("td", "th", "tr"):
            is_label = has_labels and is_first and name == "td"
            in_head = (name == "th" or is_label) and not closing
            is_first = name == "tr" or (is_first and closing and name != "td")
        sign = "" if in_head else _sign(name, closing, in_table)
        parts.append(_pad_to_length(sign, tag[0]) if name != "img" else _image(tag))
        end = tag.end()
    parts.append(_content(text[end:], in_table, in_head))
    return "".join(parts)


def _has_labels(text: str) -> bool:
    """Is the first cell of each row its number, below a row of heads that begins with an empty one?"""
    rows = re.split(r"(?i)<tr\b", text)[1:]
    heads = [row for row in rows if "<th" in row]
    if not heads or any("<td" in row for row in heads):
        return False
    corner = re.search(r"<th[^<>]*>\s*(?:&nbsp;)?\s*</th>", heads[0])
    return corner is not None and corner.start() == heads[0].find("<th")


def _cell_of_a_page(element: re.Match[str]) -> str:
    """One cell in an element of its own, as ``<div class="cell">1</div>``, with a blank before it."""
    content = html.unescape(element[2]).strip()
    return _pad_to_length(f" {content}", element[0]) if symbol_of(content) else element[0]


def _content(text: str, in_table: bool, in_head: bool) -> str:
    if in_head:
        return VOID * len(text)
    return text.replace("\n", VOID) if in_table else text


def _sign(name: str, closing: bool, in_table: bool) -> str:
    """What a tag stands for in rows of text."""
    if name == "td" and not closing:
        return "|"
    if name == "tr":
        return "|\n" if closing else "\n"
    return "\n" if name in ("br", "p", "div", "li", "table", "row", "line") and not in_table else ""


def _image(tag: re.Match[str]) -> str:
    shown = _ALTERNATIVE.search(tag[0])
    if shown is None:
        return _void(tag)
    begin, end = shown.span(1)
    return VOID * begin + tag[0][begin:end] + VOID * (len(tag[0]) - end)
