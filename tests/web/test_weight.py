"""The page in all, every screen of it: what a browser is sent of it, compressed as it asks."""

import re

from mineproof.web.pages import pages
from support.served import Client

LARGEST = 200_000  # bytes of all screens in all languages
FIRST_VISIT = 120_000  # bytes of what the first page names


def test_the_whole_page_is_small(client: Client) -> None:
    bundled = [path for path in pages() if re.match("/static/[0-9a-f]{16}/", path)]
    sent = {path: len(client.ask("GET", path, Accept_Encoding="gzip").content) for path in bundled}
    assert sum(sent.values()) < LARGEST, sent
    assert len(sent) > 10


def test_the_start_is_small(client: Client) -> None:
    page = client.ask("GET", "/", Accept_Encoding="identity").content.decode()
    named = {f"/{name}" for name in re.findall(r'(?:href|src)="(static/[^"]+)"', page)}
    sent = {path: len(client.ask("GET", path, Accept_Encoding="gzip").content) for path in ("/", *named)}
    assert sum(sent.values()) < FIRST_VISIT, sent
    assert len(sent) <= 8
