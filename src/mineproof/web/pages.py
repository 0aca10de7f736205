"""The files of the page: read and bundled once at the start, compressed when first needed, and served from memory.

No request names a file of the disk: there is one route for each file that was there. A browser revalidates the first
page each time: its answer says ``no-cache``, and costs 304 without content while its ETag is the same. It names
the bundled scripts, styles and texts (`mineproof.web.bundle`) in a folder with their version, so a browser keeps those
for ever and asks for them once. An address of another version answers 404, and the page then loads itself again.

The sources are served, too: ``/?debug`` is the page that loads them, module by module. The compressed and the plain
file have ETags of their own, as they are different bytes.

The texts of the page are files, too: ``messages/de.json`` holds the messages of the German catalogue whose keys begin
with ``page-``. The first page lists the languages, so that the browser loads one file only. It names the file of the
language that the browser prefers, which then loads together with the scripts.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mineproof.base.cached import cached_property
from mineproof.web.bundle import FIRST_PAGE, build_page
from mineproof.web.guard import PAGE_HEADERS, Headers
from mineproof.wording.catalogue import DEFAULT_LANGUAGE, best_language, languages, load_catalogue

STATIC = Path(__file__).with_name("static")
MAX_LANGUAGE_BYTES = 200  # of Accept-Language; the rest is ignored
DEBUG_QUERY = b"debug"  # of the first page: load the sources

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
MESSAGE_PREFIX = "page-"
LANGUAGES_ATTRIBUTE = 'data-languages="en:English"'  # of the first page; the file on disk knows English only
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


REVALIDATE = b"no-cache"
IMMUTABLE = b"public, max-age=31536000, immutable"


class Page:
    """One file."""

    def __init__(self, name: str, content: bytes, keep: bytes = REVALIDATE, vary: bytes = b"accept-encoding") -> None:
        media = MEDIA_TYPES.get(Path(name).suffix.lower(), "application/octet-stream").encode()
        self._media, self._content = media, content
        self._kept: Pairs = [(b"vary", vary), (b"cache-control", keep), *PAGE_HEADERS]

    @cached_property
    def _plain(self) -> _Version:
        return _version(self._media, self._content, b"", self._kept)

    @cached_property
    def _small(self) -> _Version:
        small = gzip.compress(self._content, mtime=0)
        if len(small) > _WORTH * len(self._content):
            return self._plain
        return _version(self._media, small, b"gzip", self._kept)

    def answer(self, headers: Headers, query: bytes = b"") -> Sent:
        """What a request with these headers gets. A file is the same for every query."""
        del query
        version = self._small if accepts_gzip(headers.get(b"accept-encoding", b"")) else self._plain
        return version.unchanged if _names(headers.get(b"if-none-match", b""), version.tag) else version.whole


class FirstPage(Page):
    """The first page: with the texts of the reader's language announced, or with ``?debug`` the one of the sources."""

    def __init__(self, content: str, texts: str, sources: bytes) -> None:
        vary = b"accept-encoding, accept-language"
        super().__init__(FIRST_PAGE, content.encode(), vary=vary)
        self._languages = {
            code: Page(FIRST_PAGE, _announce(content, texts.format(code=code)).encode(), vary=vary)
            for code in languages()
        }
        self._sources = Page(FIRST_PAGE, sources, vary=vary)

    def answer(self, headers: Headers, query: bytes = b"") -> Sent:
        """What a request with these headers and this query gets."""
        if DEBUG_QUERY in query.split(b"&"):
            return self._sources.answer(headers)
        code = best_language(headers.get(b"accept-language", b"")[:MAX_LANGUAGE_BYTES].decode("latin-1"))
        return self._languages[code].answer(headers)


def _announce(page: str, address: str) -> str:
    """Let the browser load the texts while the scripts arrive."""
    link = f'<link rel="preload" href="{address}" as="fetch" crossorigin>\n<script'
    return page.replace("<script", link, 1)


def _version(media: bytes, content: bytes, encoding: bytes, kept: Pairs) -> _Version:
    tag = b'"%s"' % hashlib.sha256(content).hexdigest()[:32].encode()
    always: Pairs = [(b"etag", tag), *kept]
    whole: Pairs = [(b"content-type", media), (b"content-length", b"%d" % len(content)), *always]
    if encoding:
        whole.append((b"content-encoding", encoding))
    return _Version(tag, Sent(200, whole, content), Sent(304, always, b""))


def accepts_gzip(accepted: bytes) -> bool:
    """Does an Accept-Encoding header allow gzip, by name or by ``*``, with a weight above 0?"""
    weights: dict[bytes, bool] = {}
    for part in accepted.lower().split(b","):
        name, _, weight = part.replace(b" ", b"").replace(b"\t", b"").partition(b";q=")
        weights[name] = weight.strip(b"0.") != b"" or weight == b""
    return weights.get(b"gzip", weights.get(b"*", False))


def _names(condition: bytes, tag: bytes) -> bool:
    """Does an If-None-Match name this ETag?"""
    return any(part.strip().removeprefix(b"W/") in (tag, b"*") for part in condition.split(b","))


def page_files(folder: Path = STATIC) -> dict[str, bytes]:
    """Return every file of a folder and its subfolders, and the messages, by name."""
    contents = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
    contents[FIRST_PAGE] = _list_languages(contents[FIRST_PAGE].decode()).encode()
    return contents | {f"messages/{code}.json": messages(code) for code in languages()}


def pages(folder: Path = STATIC) -> Mapping[str, Page]:
    """Return every file that the server has, by address: the first page, the bundled files, and the sources."""
    contents = page_files(folder)
    built = build_page(contents)
    first = FirstPage(built.first_page, f"static/{built.version}/messages/{{code}}.json", contents.pop(FIRST_PAGE))
    sources = {f"/static/{name}": Page(name, content) for name, content in contents.items()}
    bundled = {f"/static/{name}": Page(name, content, IMMUTABLE) for name, content in built.files.items()}
    return {"/": first, **sources, **bundled}


def write_page(target: Path, folder: Path = STATIC) -> None:
    """Write the bundled page as files for a static host; it may lie in a folder of that host."""
    built = build_page(page_files(folder))
    texts = f"static/{built.version}/messages/{DEFAULT_LANGUAGE}.json"
    files = {FIRST_PAGE: _announce(built.first_page, texts).encode()}
    files |= {f"static/{name}": content for name, content in built.files.items()}
    for name, content in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)


def messages(code: str) -> bytes:
    """Return the texts of the page in a language, as JSON; what it lacks is in English.

    A message is a text, or a list of plural forms.
    """
    texts = {**load_catalogue(DEFAULT_LANGUAGE).texts, **load_catalogue(code).texts}
    entries = {
        key: forms[0] if len(forms) == 1 else forms for key, forms in texts.items() if key.startswith(MESSAGE_PREFIX)
    }
    return json.dumps({"language": code, "messages": entries}, ensure_ascii=False, separators=(",", ":")).encode()


def _list_languages(page: str) -> str:
    names = ",".join(f"{code}:{load_catalogue(code).name}" for code in languages())
    return page.replace(LANGUAGES_ATTRIBUTE, f'data-languages="{html.escape(names)}"')
