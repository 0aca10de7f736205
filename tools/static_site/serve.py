"""Serves the static site on this machine, for trying it out.

    python tools/static_site/serve.py [PORT]

The site lies below a path, as on many hosts: http://127.0.0.1:8643/mineproof/
"""

from __future__ import annotations

import gzip
import sys
from contextlib import suppress
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PREFIX = "/mineproof/"
PORT = 8643
PACKED = (".html", ".js", ".mjs", ".css", ".json", ".svg", ".wasm", ".webmanifest")  # what hosts compress


@lru_cache
def _small(path: Path, changed: float) -> bytes:
    del changed  # a file that was built again is another one
    return gzip.compress(path.read_bytes(), 9, mtime=0)


class Handler(SimpleHTTPRequestHandler):
    """Files of a folder below a prefix, compressed as hosts do."""

    def __init__(self, *arguments: Any, prefix: str, **options: Any) -> None:
        self.prefix = prefix
        super().__init__(*arguments, **options)

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(self.prefix.rstrip("/")))

    def do_GET(self) -> None:
        if not self.path.startswith(self.prefix):
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file() or path.suffix not in PACKED or "gzip" not in self.headers.get("Accept-Encoding", ""):
            super().do_GET()
            return
        content = _small(path, path.stat().st_mtime)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=600")  # as GitHub Pages
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def make_server(folder: Path, port: int, prefix: str = PREFIX) -> ThreadingHTTPServer:
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, prefix=prefix, directory=str(folder)))


if __name__ == "__main__":
    site = Path(__file__).parents[2] / "build/site"
    if not site.exists():
        raise SystemExit("There is no build/site yet. Run `make site`.")
    with make_server(site, int(sys.argv[1]) if len(sys.argv) > 1 else PORT) as server:
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}{PREFIX}\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            server.serve_forever()
