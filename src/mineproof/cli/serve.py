"""``mineproof serve``: the web page and the HTTP API, for this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from mineproof.base import files

PORT = 8642


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H",
              help="Address to listen at; 0.0.0.0 lets other machines in.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, metavar="P",
              help="Port to listen at; 0 takes a free one.")  # fmt: skip
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Folder of the games and the history.  [default: that of play]")  # fmt: skip
@click.option("--open/--no-open", "opens", default=None,
              help="Open the page in a browser.  [default: at a terminal with a screen]")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, hidden=True)
def command(host: str, port: int, data: Path | None, opens: bool | None, as_json: bool) -> int:
    """Open the web page on this machine, and answer programs over HTTP.

    The first line on standard output is the address, printed once it answers. Ctrl-C and SIGTERM end it. Games that are
    on survive that: they are in DIR, and so is the history.

    Nobody is asked for a password. Do not let other machines in unless everybody there may play and ask.

    \b
    Examples:
      mineproof serve
      mineproof serve --port 0 --no-open
      mineproof serve --data games
    """
    if as_json:
        raise click.UsageError("serve answers requests, in JSON; it prints nothing but its address")
    _check_server()
    from mineproof.web import server

    try:
        listening = server.bind(host, port)
    except (OSError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise click.UsageError(f"cannot listen at {host}:{port}: {reason}; --port 0 takes a free port") from None
    address = server.address(host, listening)

    def ready() -> None:
        click.echo(address)
        if _has_a_screen() if opens is None else opens:
            _open(address)

    with listening:
        folder = data or files.state_folder()
        try:
            ended = server.serve(host, listening, folder, ready)
        except BlockingIOError:
            raise click.UsageError(
                f"another server has the games in {folder}; --data DIR takes another folder"
            ) from None
    if not ended:
        server.end_now(0)
    return 0


def _check_server() -> None:
    try:
        import httptools as httptools
        import starlette as starlette
        import uvicorn as uvicorn
    except ImportError as error:
        wanted = "pip install 'mineproof[web]', or in a clone: make start"
        raise click.UsageError(f"serve needs Starlette and uvicorn ({error}): {wanted}") from None


def _has_a_screen() -> bool:
    """Is a person at a terminal of this machine, and can a window open? A browser for text would take the terminal."""
    window = (
        os.name == "nt" or sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return bool(window) and sys.stdout.isatty() and not os.environ.get("SSH_CONNECTION")


def _open(address: str) -> None:
    """Show the page, beside the server; a machine without a browser goes on without one."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
