"""``mineproof serve``: the web page and the HTTP API, for this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
from click.core import ParameterSource

from mineproof.base import files
from mineproof.board.notation import quote
from mineproof.errors import HistoryError
from mineproof.history.postgresql import Address

PORT = 8642
MOST_WORKERS = 64


def _address(text: str) -> Address:
    try:
        return Address(text)
    except HistoryError as error:
        raise click.BadParameter(str(error)) from None


def _name(text: str) -> str:
    if not text or set(text) & set("/: @"):
        raise click.BadParameter(
            f"found {quote(text)}, expected a name such as mines.example, without https:// or a port"
        )
    return text


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H",
              help="Address to listen at; 0.0.0.0 lets other machines in.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, metavar="P",
              help="Port to listen at; 0 takes a free one.")  # fmt: skip
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Folder of the games and the history.  [default: that of play]")  # fmt: skip
@click.option("--database", type=_address, envvar="MINEPROOF_DATABASE", metavar="URL",
              help="PostgreSQL of the games and the history, which other servers may share, instead of a folder: "
              "postgresql://USER@HOST/NAME.  [env: MINEPROOF_DATABASE]")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, MOST_WORKERS), default=1, show_default=True, metavar="N",
              help="Processes that answer; they share the games.")  # fmt: skip
@click.option("--proxy", "proxies", type=_name, multiple=True, metavar="NAME",
              help="A name by which a proxy in front of this server is reached; may be given again. X-Forwarded-For "
              "is believed then, from loopback and private addresses: let only the proxy in from there.")  # fmt: skip
@click.option("--open/--no-open", "opens", default=None,
              help="Open the page in a browser.  [default: at a terminal with a screen]")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, hidden=True)
def command(
    host: str,
    port: int,
    data: Path | None,
    database: Address | None,
    workers: int,
    proxies: tuple[str, ...],
    opens: bool | None,
    as_json: bool,
) -> int:
    """Open the web page on this machine, and answer programs over HTTP.

    The first line on standard output is the address, printed once it answers. Ctrl-C and SIGTERM end it. Games that are
    on survive that: they are in DIR or in the database, and so is the history.

    Nobody is asked for a password. Do not let other machines in unless everybody there may play and ask.

    \b
    Examples:
      mineproof serve
      mineproof serve --port 0 --no-open
      mineproof serve --data games
      mineproof serve --workers 2
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
        place = _place(data, database)
        try:
            ended = server.serve(server.Setting(host, place, proxies, workers), listening, ready)
        except BlockingIOError:
            raise click.UsageError(
                f"another server has the games in {place}; --data DIR takes another folder"
            ) from None
    if not ended:
        server.end_now(0)
    return 0


def _place(data: Path | None, database: Address | None) -> Path | Address:
    """Where the games and the history are; --data is nearer than a variable of the environment."""
    source = click.get_current_context().get_parameter_source("database")
    if data is not None and database is not None and source is ParameterSource.COMMANDLINE:
        raise click.UsageError("found --data and --database, expected one of them: both say where the games are")
    return data or database or files.state_folder()


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
