"""What tests of the page in a real browser share: what went wrong on it, its accessibility, its pictures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, WebError

ROOT = Path(__file__).parents[2]
AXE = ROOT / "node_modules/axe-core/axe.min.js"
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SCREENS = ROOT / "build/screens"

# Nothing but the page's own requests leaves the machine.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> tuple[str | None, str]:
    """Where the system's Chromium is, and otherwise why there is none."""
    done = subprocess.run([sys.executable, ROOT / "tools/browser.py"], capture_output=True, text=True, check=False)
    return (done.stdout.strip(), "") if done.returncode == 0 else (None, done.stderr.strip())


def do_without(reason: str) -> NoReturn:
    """Skip the test, but fail it in CI, where nothing is left out."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@dataclass
class Faults:
    """What a page complained of: errors and warnings on the console (breaches of the Content-Security-Policy and
    answers such as 404 are among them), uncaught exceptions, requests without a response."""

    found: list[str] = field(default_factory=list)
    _allowed: list[str] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        """Faults in which this regular expression is found are expected by the test."""
        self._allowed.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        return [fault for fault in self.found if not any(re.search(pattern, fault) for pattern in self._allowed)]

    def watch(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", self._exception)
        context.on("requestfailed", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.found.append(f"console {message.type}: {message.text} ({message.location['url']})")

    def _exception(self, error: WebError) -> None:
        self.found.append(f"exception: {error.error}")

    def _request(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page took the question back, or was left
            self.found.append(f"request: {request.failure} ({request.url})")


def axe(page: Page, crowded: str | None = None, **options: Any) -> None:
    """Fails unless axe-core finds nothing wrong with the page as it is shown now.

    ``crowded`` is a selector of links that may be small, because others on the page do the same (WCAG 2.2, 2.5.8).

    The script comes in by the debugger's door, which the page's Content-Security-Policy does not guard: the page under
    test keeps its policy.
    """
    if not AXE.exists():
        do_without(f"axe-core is missing ({AXE}). With Node.js, make lint installs it.")
    if not page.evaluate("'axe' in window"):
        session = page.context.new_cdp_session(page)
        session.send("Runtime.evaluate", {"expression": AXE.read_text("utf-8")})
        session.detach()
    run = {"runOnly": AXE_TAGS, "resultTypes": ["violations"]} | options
    found = page.evaluate("async (options) => (await axe.run(document, options)).violations", run)
    if crowded is not None:
        small = page.locator(crowded).evaluate_all("all => all.map((each) => each.outerHTML)")
        for rule in found:
            if rule["id"] == "target-size":
                rule["nodes"] = [node for node in rule["nodes"] if node["html"] not in small]
    faults = [
        f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html'][:200]}\n    {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]
    assert not faults, "\n".join(faults)


def until(page: Page, condition: Callable[[], object], milliseconds: int = 90_000) -> None:
    """Wait until a condition of the test's own process holds; meanwhile the events of the page come in."""
    end = time.monotonic() + milliseconds / 1000
    while not condition():
        assert time.monotonic() < end, "the condition never held"
        page.wait_for_timeout(20)


def choose(inside: Page | Locator, label: str, value: str) -> None:
    """Choose from a list box by the mouse, or press a button of a row."""
    box = inside.get_by_role("combobox", name=label, exact=True).or_(
        inside.get_by_role("group", name=label, exact=True)
    )
    if box.get_attribute("role") == "group":
        box.locator(f"button[data-value='{value}']").click()
        return
    box.click()
    box.locator(f"xpath=..//*[@role='option'][@data-value='{value}']").click()


def screenshot(page: Page, name: str) -> None:
    """Where MINEPROOF_SCREENS is set, a picture of what is seen, in build/screens."""
    if os.environ.get("MINEPROOF_SCREENS"):
        SCREENS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENS / f"{name}.png")
