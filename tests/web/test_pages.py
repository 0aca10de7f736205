"""The files of the page: their types, compressed or not, and not sent again where a browser has them."""

import asyncio
import gzip
import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest

from mineproof.web import app, pages
from mineproof.web.bundle import FIRST_PAGE, build_page
from mineproof.web.pages import Page, accepts_gzip
from mineproof.web.routes import Reply
from mineproof.wording.catalogue import languages
from support.served import Client

TEXT = b"const some = 'words';\n" * 100


def sent(page: Page, **headers: str) -> tuple[int, dict[str, str], bytes]:
    asked = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}
    status, found, content = page.answer(asked)
    return status, {name.decode(): value.decode() for name, value in found}, content


CONTENTS = pages.page_files()
BUILT = build_page(CONTENTS)


def content_of(path: str) -> bytes:
    """A file as it is served: bundled in the folder of its version, or the source."""
    if path == "/":
        texts = f"static/{BUILT.version}/messages/en.json"
        link = f'<link rel="preload" href="{texts}" as="fetch" crossorigin>\n<script'
        return BUILT.first_page.replace("<script", link, 1).encode()
    name = path.removeprefix("/static/")
    return BUILT.files[name] if name in BUILT.files else CONTENTS[name]


@pytest.mark.parametrize("path", sorted(pages.pages()))
def test_every_file_is_served(client: Client, path: str) -> None:
    file = Path(path if path != "/" else FIRST_PAGE)
    plain = client.ask("GET", path, Accept_Encoding="identity")
    assert (plain.status, plain.content) == (200, content_of(path))
    assert plain.headers["content-type"] == pages.MEDIA_TYPES[file.suffix]
    assert "content-encoding" not in plain.headers
    assert "script-src 'self'" in plain.headers["content-security-policy"]
    small = client.ask("GET", path, Accept_Encoding="gzip, deflate, br")
    if small.headers.get("content-encoding") == "gzip":
        assert len(small.content) < len(plain.content)
        assert gzip.decompress(small.content) == plain.content
    for answer, accepted in ((plain, "identity"), (small, "gzip")):
        for_ever = f"/{BUILT.version}/" in path
        assert answer.headers["cache-control"] == ("public, max-age=31536000, immutable" if for_ever else "no-cache")
        assert answer.headers["vary"] == "accept-encoding" + (", accept-language" if path == "/" else "")
        again = client.ask("GET", path, Accept_Encoding=accepted, If_None_Match=answer.headers["etag"])
        assert (again.status, again.content, again.headers["etag"]) == (304, b"", answer.headers["etag"])
        head = client.ask("HEAD", path, Accept_Encoding=accepted)
        assert (head.status, head.content) == (200, b"")
        assert {name: value for name, value in head.headers.items() if name != "date"} == {
            name: value for name, value in answer.headers.items() if name != "date"
        }


def test_the_first_page_names_only_files_of_its_version(client: Client) -> None:
    page = client.ask("GET", "/").content.decode()
    assert 'data-languages="en:English,de:Deutsch"' in page
    names = re.findall(r'(?:href|src)="(static/[^"]+)"', page)
    assert len(names) >= 4
    for name in names:
        assert name.startswith(f"static/{BUILT.version}/")
        assert client.ask("GET", f"/{name}").status == 200


def test_the_texts_of_the_browsers_language_are_announced(client: Client) -> None:
    answers = {code: client.ask("GET", "/", Accept_Language=f"{code}-AT,en;q=0.5") for code in ("de", "fr")}
    for code, texts in (("de", "de"), ("fr", "en")):
        link = f'<link rel="preload" href="static/{BUILT.version}/messages/{texts}.json" as="fetch" crossorigin>'
        assert link in answers[code].content.decode()
    assert answers["de"].headers["etag"] != answers["fr"].headers["etag"]


def test_debug_loads_the_sources(client: Client) -> None:
    answer = client.ask("GET", "/?debug")
    assert answer.content == CONTENTS[FIRST_PAGE]
    assert b'src="static/app/main.js"' in answer.content
    assert client.ask("GET", "/?debugger").content != answer.content


def test_another_version_is_not_found(client: Client) -> None:
    path = f"/static/{BUILT.version}/app/main.js"
    assert client.ask("GET", path).status == 200
    assert client.ask("GET", path.replace(BUILT.version, "0" * 16)).status == 404


def test_the_first_page_comes_compressed(client: Client) -> None:
    assert client.ask("GET", "/", Accept_Encoding="gzip").headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("name", "media"),
    [
        ("app/board/view.js", "text/javascript; charset=utf-8"),
        ("app.webmanifest", "application/manifest+json"),
        ("icons/mine.svg", "image/svg+xml"),
        ("icons/mine.PNG", "image/png"),
        ("texts.json", "application/json"),
        ("style.css", "text/css; charset=utf-8"),
        ("a/b/c.html", "text/html; charset=utf-8"),
        ("what.is.this", "application/octet-stream"),
    ],
)
def test_files_in_folders_have_their_types(tmp_path: Path, name: str, media: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(TEXT)
    (tmp_path / FIRST_PAGE).write_bytes(b"<!doctype html>")
    served = pages.pages(tmp_path)
    messages = {f"/static/messages/{code}.json" for code in languages()}
    assert {path for path in served if not re.match("/static/[0-9a-f]{16}/", path)} == {
        "/", f"/static/{name}", *messages,
    }  # fmt: skip
    status, headers, content = sent(served[f"/static/{name}"])
    assert (status, content, headers["content-type"]) == (200, TEXT, media)
    assert "script-src 'self'" in headers["content-security-policy"]


def test_the_compressed_file_is_another_one() -> None:
    page = Page("a.js", TEXT)
    plain, small = sent(page)[1]["etag"], sent(page, accept_encoding="gzip")[1]["etag"]
    assert plain != small
    assert sent(page, if_none_match=plain)[0] == 304
    assert sent(page, if_none_match=small)[0] == 200
    assert sent(page, if_none_match=small, accept_encoding="gzip")[0] == 304
    assert sent(page, if_none_match=f'"other", W/{small}', accept_encoding="gzip")[0] == 304
    assert sent(page, if_none_match="*")[0] == 304
    assert sent(Page("a.js", TEXT + b"\n"), if_none_match=plain)[0] == 200


def test_what_does_not_get_smaller_is_sent_as_it_is() -> None:
    content = bytes(range(256))
    _, headers, sent_content = sent(Page("a.png", content), accept_encoding="gzip")
    assert ("content-encoding" in headers, sent_content) == (False, content)


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("", False), ("gzip", True), ("GZip, br", True), ("br;q=1.0, gzip;q=0.8, *;q=0.1", True), ("*", True),
        ("gzip;q=0", False), ("gzip; q=0.000, *", False), ("br, deflate", False), ("identity", False),
        ("*;q=0", False), ("gzipped", False), (";;q=,", False),
    ],
)  # fmt: skip
def test_what_a_browser_accepts(accepted: str, expected: bool) -> None:
    assert accepts_gzip(accepted.encode()) == expected


def test_an_answer_may_have_headers_of_its_own() -> None:
    messages: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        messages.append(message)

    named = (b"content-disposition", b'attachment; filename="board.mbf"')
    asyncio.run(app._send(send, 200, Reply(b"x", "application/octet-stream", headers=(named,))))
    assert named in messages[0]["headers"]
    assert (b"x-content-type-options", b"nosniff") in messages[0]["headers"]
    assert messages[1]["body"] == b"x"
