"""What is refused before anything is read, and what every answer says to browsers.

Host    A page of another site may have its own name point at this machine (DNS rebinding), and then ask as if it came
        from here. So the Host must be a number, ``localhost`` or a name that the server was given: a number cannot be
        made to point elsewhere.
        Two of them are one too many: whoever stands in between might go by the other.
Origin  A browser names the page that asks. If it does, that page must be ours, with its scheme; that of a proxy in
        front of this server may be https.
Fetch   A browser says of requests without an Origin, too, whether a page of another site makes it (Sec-Fetch-Site).
        Such a page may link to ours; what it asks of the API is refused.
"""

from __future__ import annotations

import functools
import ipaddress
from collections.abc import Collection, Mapping

from mineproof.web.failure import Refused

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


@functools.lru_cache(maxsize=1000)
def may_be_proxy(peer: str) -> bool:
    """Is an address one of this machine or of a private network, where nobody from the internet comes from?

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
    """Knows the names that this server answers to."""

    def __init__(self, *names: str, proxies: Collection[str] = ()) -> None:
        self._proxies = {name.lower() for name in proxies}
        self._names = {"localhost", *(name.lower() for name in names), *self._proxies}
        self._known: set[bytes] = set()  # hosts that were found to be ours

    def check(self, headers: Headers, path: str, hosts: int = 1) -> None:
        """Refused unless a request is for this server and from a page of it, or from none."""
        if hosts > 1:
            raise Refused("forbidden", f"found {hosts} Hosts, expected one")
        host = headers.get(b"host", b"")
        if host not in self._known:
            if not self._is_ours(host.decode("latin-1")):
                raise Refused("forbidden", "found a Host that is not this server's, expected its address or localhost")
            if len(self._known) < 100:
                self._known.add(host)
        origin = headers.get(b"origin")
        if (
            origin is not None
            and origin != b"http://" + host
            and not (self._proxies and self._is_proxied(origin, host))
        ):
            raise Refused("forbidden", "found an Origin of another site, expected a page of this server")

        if headers.get(b"sec-fetch-site") == b"cross-site" and path.startswith("/api"):
            raise Refused("forbidden", "found a page of another site that asks, expected a page of this server")

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
