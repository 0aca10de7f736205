"""Detect a format by the content of a file; its name counts only if the content fits several formats.

The surest signs come first: bytes that begin like a picture, bytes that are a whole and sound board file, bytes
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
from mineproof.formats.exchange import decode, encoding_of
from mineproof.formats.table import FORMATS, RECORDINGS, SAVED
from mineproof.game import record

_CONTROL = bytes(sorted(set(range(32)) - set(b"\t\n\v\f\r")))
_COLOURS = re.compile(rb"\x1b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)?|[@-_])")
_HEX_PAIRS = re.compile(r"[0-9a-fA-F]{2}(?:\s+[0-9a-fA-F]{2})*")
_INNER_BLANK = re.compile(r"\S[^\S\r\n]+\S")
_HEX_FILE = re.compile("(?:[0-9a-fA-F]{2})+")
_CODE = re.compile("[a-z][A-Za-z0-9]{8,}")  # boards up to 1611 wide; wider ones come as a link or by name


def sniff(data: bytes | str, file: str = "") -> str:
    """Return the name of the format that fits ``data`` best; ``file`` is the file name."""
    if isinstance(data, bytes):
        if images.fits(data) and _is_binary(data):
            return "image"
        if mbf.fits(data):
            return "mbf"
        if (name := recording(data, file)) is not None:
            return name
        if _is_binary(data):
            return _binary(data, file)
        if rawvf.fits(rawvf.decode_replay(data)):
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
    """Return the name of the recording format of a file; None if neither its bytes nor its name fit one."""
    if not _is_binary(data):
        return None
    ending = file.lower().rpartition(".")[2]
    by_ending = ending if ending in RECORDINGS else None
    if data[:1] == b"\0" and by_ending is not None:  # how an EVF begins, and rare kinds of MVF and AVF
        return by_ending
    return next((name for name, fits in _RECORDINGS if fits(data)), by_ending)


# EVF and AVF have no magic number; they are recognized by their first numbers and by plausible mines. The first byte
# tells the formats apart, except that the magic number of RMV could be a version of AVF, so RMV comes first. Only
# parsing a file shows whether it is valid.
_RECORDINGS = [
    (name, fits) for name in sorted(RECORDINGS, key=lambda name: name != "rmv") if (fits := FORMATS[name].fits)
]


def game(data: bytes, file: str = "") -> str | None:
    """Return the name of the format of a replay or a saved game; None for anything else."""
    if (name := recording(data, file)) is not None:
        return name
    text = rawvf.decode_replay(data)
    if rawvf.fits(text):
        return "rawvf"
    return SAVED if record.fits(text) else None


def may_be_pasted(data: bytes | str, chosen: str) -> bool:
    """Can text that a format refuses still be a pasted board? Text that names another format cannot."""
    if chosen == "json":
        text = data if isinstance(data, str) else decode(data)
        return '"mineproof/' not in text
    return chosen in _ROWS


_ROWS = frozenset({*notation.ALPHABETS, "layout", "mbf-hex"})


def _is_binary(data: bytes) -> bool:
    if encoding_of(data) != "utf-8-sig":  # UTF-16 text is full of zero bytes
        return False
    if data.count(0) == 1 < len(data):  # a stray one, as the end of a string in C
        data = data.replace(b"\0", b"")
    if b"\x1b" in data:  # colours of a terminal
        data = _COLOURS.sub(b"", data)
    return len(data.translate(None, _CONTROL)) < len(data)


def _binary(data: bytes, file: str) -> str:
    """Return the format of bytes that are no text, no picture, no recording and no complete board file."""
    if mbf.could_be(data) or file.lower().endswith(FORMATS["mbf"].suffixes):
        return "mbf"
    byte = next(byte for byte in data if byte in _CONTROL)
    place = f"the control character {byte:02x} at offset {data.index(byte)}"
    raise BoardSyntaxError(f"expected text, a picture, a replay or an .mbf file, got {len(data)} bytes with {place}")


def _link(text: str) -> str | None:
    if "=" not in text and "://" not in text:
        return None
    parameters = links.parameters(text)
    if "analysis" in parameters:
        return "jsminesweeper"
    if "b" in parameters and "m" in parameters:
        return "ptta"
    if "://" in text and len(text.split()) == 1:
        links_read = "with analysis=, or with b= and m="
        advice = "Take a screenshot and use 'mineproof read screen.png'."
        raise BoardSyntaxError(f"expected a link {links_read}, got {quote(text)}: the link holds no position. {advice}")
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
