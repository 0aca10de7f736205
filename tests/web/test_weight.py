"""The page in all, every screen of it: what a browser is sent of it, compressed as it asks."""

from mineproof.web.pages import pages
from support.served import Client

LARGEST = 200_000  # bytes


def test_the_whole_page_is_small(client: Client) -> None:
    sent = {path: len(client.ask("GET", path, Accept_Encoding="gzip").content) for path in pages() if path != "/"}
    assert sum(sent.values()) < LARGEST, sent
    assert len(sent) > 20
