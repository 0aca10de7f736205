"""``mineproof mcp``: a server for the Model Context Protocol."""

from __future__ import annotations

import socket

import click

from mineproof.base import extras
from mineproof.cli.failure import usage_error
from mineproof.cli.parameters import Count

DEFAULT_PORT = 8643


@click.command("mcp")
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H", help="With --http: address to listen on.")
@click.option("--port", type=Count(1, 65535), default=DEFAULT_PORT, show_default=True, metavar="P",
              help="With --http: port to listen on.")  # fmt: skip
def command(http: bool, host: str, port: int) -> None:
    """Serve tools for language models over the Model Context Protocol.

    The tools analyse boards, give hints and best moves, check and generate layouts, read screenshots, and play games.
    The mines of a running game stay secret. docs/mcp.md says how to add the server to a client.

    With --http, only addresses of this machine may connect unless --host says otherwise, and screenshots cannot be read
    from files.

    \b
    Examples:
      mineproof mcp
      mineproof mcp --http --port 8643
    """
    try:
        extras.load("mcp", "mineproof[mcp]", "mineproof mcp")
    except extras.ExtraMissing as error:
        raise usage_error(error) from None
    from mineproof.mcp.server import build_server

    server = build_server(local_files=not http)
    if http:
        _require_free(host, port)
        click.echo(f"http://{host}:{port}/mcp", err=True)
        server.run("streamable-http", host=host, port=port)
    else:
        server.run("stdio")


def _require_free(host: str, port: int) -> None:
    """Raise UsageError if the server cannot listen there: the SDK would only log that."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except (OSError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise click.UsageError(f"Cannot listen on {host}:{port}: {reason}. Choose another --host or --port.") from None
