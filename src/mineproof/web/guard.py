"""Checks before a request is read, and security headers of every response.

Host    A page of another site may have its own name point at this machine (DNS rebinding), and then ask as if it came
        from here. So the Host must be a number, ``localhost`` or a name that the server was given: a number cannot be
        made to point elsewhere.
Origin  A browser names the page that asks. If it does, that page must be ours, with its scheme; that of a proxy in
        front of this server may be https. ``--allow-origin`` allows
        pages of other sites. Their browsers need the headers of CORS in every answer, and ask before (OPTIONS).
Fetch   A browser says of requests without an Origin, too, whether a page of another site makes it (Sec-Fetch-Site).
        Such a page may link to ours; what it asks of the API is refused.

Each of these headers comes once: of two, a proxy in front might go by the other one.
"""

from __future__ import annotations

import functools
import ipaddress
import re
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import urlsplit

from mineproof.web.errors import Refused

# Of every answer. What is no page needs no more: it holds nothing that a browser could run, and may not be framed.
HEADERS: list[tuple[bytes, bytes]] = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
]

# Of the files of the page.
PAGE_HEADERS: list[tuple[bytes, bytes]] = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        b"font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]

Headers = Mapping[bytes, bytes]
Pairs = Sequence[tuple[bytes, bytes]]
ONCE = (b"host", b"origin", b"sec-fetch-site", b"mineproof-player")  # headers that decide who may ask
DEFAULT_PORTS = {"http": 80, "https": 443}
PREFLIGHT_SECONDS = 600  # that a browser may remember what pages of another site may ask
# Headers of a request that pages of other sites may set.
ASKED_WITH = b"content-type, accept-language, mineproof-cell-labels, mineproof-player"


_NOT_SHARED: Pairs = ((b"vary", b"origin"),)


def _shared_with(origin: bytes) -> Pairs:
    """Return the headers that let a page of another site read a response. Cookies are neither sent nor read."""
    return (
        (b"access-control-allow-origin", origin),
        (b"access-control-expose-headers", b"retry-after"),
        *_NOT_SHARED,
    )


def _require_once(pairs: Pairs) -> None:
    for name in ONCE:
        count = sum(header == name for header, _ in pairs)
        if count > 1:
            raise Refused("forbidden", f"expected one {name.decode()} header, got {count}")


_HOST = re.compile(r"[a-z0-9._:-]+")  # of an origin; above all, no wildcard


def read_origin(text: str) -> str:
    """Return an origin as browsers write it; ValueError if it is none.

    >>> read_origin("https://Game.example:443"), read_origin("http://localhost:8000")
    ('https://game.example', 'http://localhost:8000')
    """
    parts = urlsplit(text)
    if (
        parts.scheme not in DEFAULT_PORTS
        or not parts.hostname
        or not text.isascii()
        or _HOST.fullmatch(parts.hostname) is None
        or parts.username is not None
        or text.partition("://")[2] != parts.netloc
    ):
        raise ValueError(f"expected an origin such as https://game.example, got {text!r}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = "" if parts.port in (None, DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


@functools.lru_cache(maxsize=1000)
def may_be_proxy(peer: str) -> bool:
    """Return whether an address is of this machine or of a private network, which the internet cannot reach.

    >>> may_be_proxy("127.0.0.1"), may_be_proxy("10.0.0.7"), may_be_proxy("fd00::1"), may_be_proxy("::ffff:10.0.0.7")
    (True, True, True, True)
    >>> may_be_proxy("8.8.8.8"), may_be_proxy("2606:4700::1111"), may_be_proxy("::ffff:8.8.8.8"), may_be_proxy("")
    (False, False, False, False)
    """
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_private


class Guard:
    """Checks requests against the names of this server and the sites that may use its API."""

    def __init__(self, *names: str, proxies: Collection[str] = (), origins: Collection[str] = ()) -> None:
        self._proxies = {name.lower() for name in proxies}
        self._origins = {origin.encode("latin-1") for origin in origins}
        self._names = {"localhost", *(name.lower() for name in names), *self._proxies}
        self._known: set[bytes] = set()  # hosts that were found to be ours

    def check(self, headers: Headers, path: str, pairs: Pairs = ()) -> Pairs:
        """Return the headers that the answer needs for its browser.

        Refused unless a request is for this server and from a page that may ask, or from none. ``pairs`` are the
        headers as they came, which may have one of them twice.
        """
        if len(pairs) > len(headers):
            _require_once(pairs)
        host = headers.get(b"host", b"")
        if host not in self._known:
            if not self._is_ours(host.decode("latin-1")):
                raise Refused("forbidden", "expected the address of this server or localhost as Host, got another one")
            if len(self._known) < 100:
                self._known.add(host)
        origin = headers.get(b"origin")
        if origin in self._origins and path.startswith("/api"):
            return _shared_with(origin or b"")
        if (
            origin is not None
            and origin != b"http://" + host
            and not (self._proxies and self._is_proxied(origin, host))
        ):
            raise Refused(
                "forbidden", "Requests from other sites are not allowed. Use --allow-origin to allow this one."
            )

        if headers.get(b"sec-fetch-site") == b"cross-site" and path.startswith("/api"):
            raise Refused("forbidden", "Requests from pages of other sites are not allowed.")
        return _NOT_SHARED if self._origins else ()

    def preflight(self, headers: Headers, methods: Collection[str]) -> Pairs:
        """Return the response to a CORS preflight request."""
        more = [
            (b"access-control-allow-methods", ", ".join(methods).encode()),
            (b"access-control-allow-headers", ASKED_WITH),
            (b"access-control-max-age", b"%d" % PREFLIGHT_SECONDS),
        ]
        if headers.get(b"access-control-request-private-network") == b"true":
            more.append((b"access-control-allow-private-network", b"true"))
        return more

    def _is_proxied(self, origin: bytes, host: bytes) -> bool:
        name = host.decode("latin-1").partition(":")[0].lower().removesuffix(".")
        return name in self._proxies and origin == b"https://" + host

    def _is_ours(self, host: str) -> bool:
        name, bracket, rest = host.removeprefix("[").partition("]")
        if not bracket:
            name, _, rest = host.partition(":")
            rest = f":{rest}" if rest else ""
        if rest and not (rest.startswith(":") and rest[1:].isdigit()):
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower().removesuffix(".") in self._names
        return True
