"""The files of the page as they are served."""

import pytest

from mineproof.web.app import STATIC
from support.served import Client

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
FILES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_served_as_what_it_is(client: Client, name: str) -> None:
    answer = client.ask("GET", f"/static/{name}")
    assert answer.status == 200
    assert answer.content == (STATIC / name).read_bytes()
    assert answer.headers["content-type"] == KINDS[(STATIC / name).suffix]
    assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_the_first_page_is_the_index(client: Client) -> None:
    assert client.ask("GET", "/").content == (STATIC / "index.html").read_bytes()
