"""``mineproof serve``: the web page and the HTTP API, for this machine."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from mineproof.base import files
from mineproof.cli import options, output
from mineproof.cli.parameters import Choice, Count, Explained, Parsed
from mineproof.errors import HistoryError
from mineproof.history.postgresql import Address
from mineproof.wording.catalogue import message

if TYPE_CHECKING:
    from mineproof.web.players import Mode
    from mineproof.web.server import ServerSettings

DEFAULT_PORT = 8642
MAX_WORKERS = 64


def _parse_address(text: str) -> Address:
    try:
        return Address(text)
    except HistoryError as error:
        raise ValueError(str(error)) from None


def _parse_host_name(text: str) -> str:
    if not text or set(text) & set("/: @"):
        raise ValueError
    return text


def _parse_origin(text: str) -> str:
    from mineproof.web.guard import read_origin

    return read_origin(text)


_HOST_NAME = Parsed("name", _parse_host_name, "a host name such as mines.example, without https:// and port")


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H",
              help="Address to listen on. 0.0.0.0 accepts other machines.")  # fmt: skip
@click.option("--port", type=Count(0, 65535), default=DEFAULT_PORT, show_default=True, metavar="P",
              help="Port to listen on. 0 takes a free port.")  # fmt: skip
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Folder of the games and the history.  [default: the folder of 'mineproof play']")  # fmt: skip
@click.option("--database", type=Explained("address", _parse_address), envvar="MINEPROOF_DATABASE", metavar="URL",
              help="PostgreSQL database for games and history, instead of a folder: postgresql://USER@HOST/NAME. "
              "Several servers can share it.  [env: MINEPROOF_DATABASE]")  # fmt: skip
@click.option("--workers", type=Count(1, MAX_WORKERS), default=1, show_default=True, metavar="N",
              help="Number of processes, which share the games. More of them speed up analysis. Moves get faster only "
              "with --database, because a folder accepts one write at a time.")  # fmt: skip
@click.option("--proxy", "proxies", type=_HOST_NAME, multiple=True, metavar="NAME",
              help="Public host name of a reverse proxy. Can be repeated. The server then trusts X-Forwarded-For "
              "from loopback and private addresses. Make sure that nothing but the proxy can connect from "
              "there.")  # fmt: skip
@click.option("--allow-origin", "origins", type=Explained("origin", _parse_origin), multiple=True, metavar="ORIGIN",
              help="Other site whose pages may use the API, such as https://game.example. Can be repeated.  "
              "[default: none]")  # fmt: skip
@click.option("--players", type=Choice(["one", "many"]),
              help="one: all clients share one history and one rating. many: each player "
              "has their own, by a key that the server gives each browser.  "
              "[default: one on 127.0.0.1, many with --proxy or another --host]")  # fmt: skip
@click.option("--open/--no-open", "opens", default=None,
              help="Open the page in a browser.  [default: if there is a terminal and a screen]")  # fmt: skip
@options.hidden_json_option
def command(
    host: str,
    port: int,
    data: Path | None,
    database: Address | None,
    workers: int,
    proxies: tuple[str, ...],
    origins: tuple[str, ...],
    players: Mode | None,
    opens: bool | None,
    as_json: bool,
) -> int:
    """Serve the web page and the HTTP API on this machine.

    The first line on standard output is the address, printed once the server is ready. Ctrl-C and SIGTERM stop it.
    Running games and the history are stored and survive a restart.

    There are no passwords: anyone who can connect can play. Listen on other addresses only in a network that you trust.

    \b
    Examples:
      mineproof serve
      mineproof serve --port 0 --no-open
      mineproof serve --data games
      mineproof serve --workers 2
    """
    if as_json:
        raise click.UsageError("serve has no --json. It prints only its address; the API returns JSON.")
    _check_server()
    from mineproof.web import server

    try:
        listening = server.bind(host, port)
    except (OSError, UnicodeError) as error:
        raise click.UsageError(f"Cannot listen on {host}:{port}: {_bind_advice(error)}") from None
    address = server.address(host, listening)

    def ready() -> None:
        click.echo(address)
        if _has_screen() if opens is None else opens:
            _open_browser(address)

    with listening:
        place = _place(data, database)
        try:
            setting = server.ServerSettings(host, place, proxies, workers, origins=origins, players=players)
            _note_players(setting)
            stopped = server.serve(setting, listening, ready)
        except BlockingIOError:
            raise click.UsageError(f"Another server uses {place}. Choose another folder with --data DIR.") from None
    if not stopped:
        server.end_now(0)
    return 0


def _note_players(setting: ServerSettings) -> None:
    """Print a note if the history of this machine is not shown."""
    if setting.players is None and setting.mode == "many":
        output.note(message("cli-serve-many-players"))


def _bind_advice(error: OSError | UnicodeError) -> str:
    """The reason, and the option that helps."""
    reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
    match getattr(error, "errno", None):
        case errno.EADDRINUSE:
            return f"{reason}. Choose another --port, or --port 0 for a free one."
        case errno.EACCES:
            return f"{reason}. Ports below 1024 often need special rights: choose another --port."
        case _:
            return f"{reason}. --host must be an address or a name of this machine."


def _place(data: Path | None, database: Address | None) -> Path | Address:
    """The place of the games and the history; --data has priority over the environment variable."""
    source = click.get_current_context().get_parameter_source("database")
    if data is not None and database is not None and source is ParameterSource.COMMANDLINE:
        raise click.UsageError("--data cannot be combined with --database")
    return data or database or files.state_folder()


def _check_server() -> None:
    try:
        import httptools as httptools
        import uvicorn as uvicorn
    except ImportError as error:
        install = "pip install 'mineproof[web]', or in a clone: make start"
        raise click.UsageError(f"serve needs uvicorn and httptools ({error}): {install}") from None


def _has_screen() -> bool:
    """Is there a terminal, and a screen for a window? A text browser would block the terminal."""
    window = (
        os.name == "nt" or sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return bool(window) and sys.stdout.isatty() and not os.environ.get("SSH_CONNECTION")


def _open_browser(address: str) -> None:
    """Open the page in a thread, so that the server does not wait for the browser."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
