"""Which format is this? Decided by what is in it; what the file is called counts only where that could be several.

The surest signs are asked first: bytes that begin like a picture, bytes that are a whole and sound board file, bytes
that begin or read as a recording, the board of a replay, an opening brace, a link's parameters, the shape of a game
ID, pairs of hexadecimal digits, a code of letters and digits that no row of cells could be, rows of nothing but stars
and dots. What is left is a position, and `notation.sniff` takes the alphabet. Hexadecimal digits and letters may also
be cells (``F`` is both a digit and a flag); what could be rows of cells is rows of cells.
"""

from __future__ import annotations

import re

from mineproof.board import notation
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError
from mineproof.formats import documents, images, links, mbf, mine_rows, rawvf, tatham
from mineproof.formats.exchange import decode
from mineproof.recordings import readers

_CONTROL = bytes(sorted(set(range(32)) - set(b"\t\n\v\f\r")))
_HEX_PAIRS = re.compile(r"[0-9a-fA-F]{2}(?:\s+[0-9a-fA-F]{2})*")
_INNER_BLANK = re.compile(r"\S[^\S\r\n]+\S")
_HEX_FILE = re.compile("(?:[0-9a-fA-F]{2})+")
_CODE = re.compile("[a-z][A-Za-z0-9]{8,}")  # boards up to 1611 wide; wider ones come as a link or by name


def sniff(data: bytes | str, file: str = "") -> str:
    """The name of the format ``data`` is in, or comes closest to; ``file`` is what it is called."""
    if isinstance(data, bytes):
        if images.fits(data) and _is_binary(data):
            return "image"
        if mbf.fits(data):
            return "mbf"
        if (found := recording(data, file)) is not None:
            return found
        if _is_binary(data):
            return "mbf"
        if rawvf.fits(rawvf.decoded(data)):
            return "rawvf"
        data = decode(data)
    elif notation.is_plain(data):
        return notation.MINEPROOF.name
    elif rawvf.fits(data):
        return "rawvf"
    text = data.removeprefix("\ufeff").strip()
    if documents.fits(text):
        return "json"
    return _link(text) or _one_word(text) or ("layout" if mine_rows.fits(text) else notation.sniff(data))


def recording(data: bytes, file: str = "") -> str | None:
    """The same of recordings alone; None where it is none, and by its bytes and its name was not meant to be one."""
    if not _is_binary(data):
        return None
    ending = file.lower().rpartition(".")[2]
    called = ending if ending in readers.READERS else None
    if data[:1] == b"\0" and called is not None:  # how an EVF begins, and rare kinds of MVF and AVF
        return called
    return readers.sniff(data) or called


def _is_binary(data: bytes) -> bool:
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")  # UTF-16 text is full of zero bytes
    return not marked and len(data.translate(None, _CONTROL)) < len(data)


def _link(text: str) -> str | None:
    if "=" not in text and "://" not in text:
        return None
    found = links.parameters(text)
    if "analysis" in found:
        return "jsminesweeper"
    if "b" in found and "m" in found:
        return "ptta"
    if "://" in text:
        raise BoardSyntaxError(f"found the link {quote(text)}, expected one with analysis= or with b= and m=")
    return None


def _one_word(text: str) -> str | None:
    if tatham.fits(text):
        return "tatham"
    symbols = "".join(text.split())
    cells = any(alphabet.symbols.issuperset(symbols) for alphabet in notation.ALPHABETS.values())
    # pairs one to a line may be rows of two cells, but rows have no blanks inside
    if _HEX_PAIRS.fullmatch(text) and (not cells or _INNER_BLANK.search(text)):
        return "mbf-hex"
    if cells:
        return None
    if _HEX_FILE.fullmatch(text) and mbf.fits(bytes.fromhex(text)):
        return "mbf-hex"
    return "jsminesweeper" if _CODE.fullmatch(text) else None
