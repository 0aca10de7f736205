"""The files of the page: read once at the start, compressed once, and served from memory.

No request names a file of the disk: there is one route for each file that was there. An answer says ``no-cache``, so a
browser asks each time whether its copy is still right, by its ETag, and a file that has not changed costs it 304 and no
content. The compressed and the plain file have ETags of their own, as they are different bytes.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mineproof.web.guard import PAGE_HEADERS, Headers

STATIC = Path(__file__).with_name("static")
FIRST_PAGE = "index.html"

# By the end of the name; what is not listed is offered as bytes, which no browser runs or shows.
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_WORTH = 0.9  # a compressed file is kept if it is at most this much of the plain one

Pairs = list[tuple[bytes, bytes]]


class Sent(NamedTuple):
    """One answer."""

    status: int
    headers: Pairs
    content: bytes


class _Version(NamedTuple):
    """A file as it is sent: plain or compressed."""

    tag: bytes
    whole: Sent
    unchanged: Sent


class Page:
    """One file."""

    def __init__(self, name: str, content: bytes) -> None:
        media = MEDIA_TYPES.get(Path(name).suffix.lower(), "application/octet-stream").encode()
        small = gzip.compress(content, mtime=0)
        self._plain = _version(media, content, b"")
        self._small = _version(media, small, b"gzip") if len(small) <= _WORTH * len(content) else self._plain

    def answer(self, headers: Headers) -> Sent:
        """What a request with these headers gets."""
        version = self._small if accepts_gzip(headers.get(b"accept-encoding", b"")) else self._plain
        return version.unchanged if _names(headers.get(b"if-none-match", b""), version.tag) else version.whole


def _version(media: bytes, content: bytes, encoding: bytes) -> _Version:
    tag = b'"%s"' % hashlib.sha256(content).hexdigest()[:32].encode()
    always: Pairs = [(b"etag", tag), (b"vary", b"accept-encoding"), (b"cache-control", b"no-cache"), *PAGE_HEADERS]
    whole: Pairs = [(b"content-type", media), (b"content-length", b"%d" % len(content)), *always]
    if encoding:
        whole.append((b"content-encoding", encoding))
    return _Version(tag, Sent(200, whole, content), Sent(304, always, b""))


def accepts_gzip(accepted: bytes) -> bool:
    """What an Accept-Encoding says of gzip: named, or meant by ``*``, and not with the weight 0."""
    weights: dict[bytes, bool] = {}
    for part in accepted.lower().split(b","):
        name, _, weight = part.replace(b" ", b"").replace(b"\t", b"").partition(b";q=")
        weights[name] = weight.strip(b"0.") != b"" or weight == b""
    return weights.get(b"gzip", weights.get(b"*", False))


def _names(asked: bytes, tag: bytes) -> bool:
    """Does an If-None-Match name this ETag?"""
    return any(part.strip().removeprefix(b"W/") in (tag, b"*") for part in asked.split(b","))


def pages(folder: Path = STATIC) -> Mapping[str, Page]:
    """Every file of a folder, and of those in it, by its address; the first page is at ``/`` too."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    served = {f"/static/{name}": Page(name, path.read_bytes()) for name, path in found.items()}
    return {"/": served[f"/static/{FIRST_PAGE}"], **served}
