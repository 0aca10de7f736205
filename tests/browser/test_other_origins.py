"""A page of another origin asks the server, as a user script does: allowed and refused, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import DESKTOP, opened
from support.browser import Faults
from support.served import served

SCRIPT = Path(__file__).parents[2] / "examples/odds.user.js"
GAME = b"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Game</title>
<link rel="icon" href="data:,"></head><body>
<table class="minesweeper" data-mines="2"><tr>
<td class="covered"></td><td>1</td><td class="covered"></td><td>1</td><td class="covered"></td>
</tr></table></body></html>"""


class GamePage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(GAME)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def game() -> Iterator[str]:
    """The origin of a game on another port, which is another origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), GamePage) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def script_on(browser: Browser, game: str, faults: Faults, port: int) -> Iterator[Page]:
    with opened(browser, game, faults, DESKTOP) as page:
        page.goto("/")
        page.add_script_tag(content=SCRIPT.read_text("utf-8").replace("127.0.0.1:8642", f"127.0.0.1:{port}"))
        yield page


def test_an_allowed_page_shows_odds(browser: Browser, game: str, faults: Faults, tmp_path: Path) -> None:
    with served(tmp_path, "--allow-origin", game) as (_, client), script_on(browser, game, faults, client.port) as page:
        expect(page.locator("#mineproof-odds")).to_have_text("1 layout fits.")
        odds = [cell.get_attribute("data-odds") for cell in page.locator("td").all()]
        assert odds == ["100 %", None, "0 %", None, "100 %"]
        page.evaluate("""() => {
            const [cell] = document.querySelectorAll("td:nth-child(3)");
            cell.classList.remove("covered");
            cell.textContent = "0";
        }""")
        expect(page.locator("td:nth-child(3)")).not_to_have_attribute("data-odds", "0 %")
        page.evaluate("document.querySelector('td').className = 'flag'")
        expect(page.locator("td").first).not_to_have_attribute("data-odds", "100 %")


def test_another_page_is_refused(browser: Browser, game: str, faults: Faults, tmp_path: Path) -> None:
    faults.allow("CORS policy")
    faults.allow("net::ERR_FAILED")
    with served(tmp_path, "--allow-origin", "http://127.0.0.1:1") as (_, client):
        with script_on(browser, game, faults, client.port) as page:
            message = f"No answer from http://127.0.0.1:{client.port}. Is mineproof running, and does it allow {game}?"
            expect(page.locator("#mineproof-odds")).to_have_text(message)
            assert page.locator("td[data-odds]").count() == 0
        assert client.get("history").status == 200, "the server itself works"
    assert any("CORS policy" in fault for fault in faults.found)


def test_no_page_is_allowed_without_the_option(browser: Browser, game: str, faults: Faults, tmp_path: Path) -> None:
    faults.allow("CORS policy")
    faults.allow("net::ERR_FAILED")
    with served(tmp_path) as (_, client), opened(browser, game, faults, DESKTOP) as page:
        page.goto("/")
        result = page.evaluate(
            """async (address) => {
                try { return (await fetch(address, {method: "POST", body: "{}"})).status; }
                catch (error) { return error.name; }
            }""",
            f"http://127.0.0.1:{client.port}/api/v1/games",
        )
    assert result == "TypeError"
