"""Who sends a request: the one player of this machine, or one of many, known by a key.

A server that only this machine reaches has one player, who owns the whole history. Behind a proxy, or where other
machines can connect, there are many. Each has a key: 192 random bits, in a cookie for the page and in the header
``Mineproof-Player`` for programs. The key is all there is to a player. Stored are only hashes of keys, as owners of
games, histories and ratings, so a copy of the database does not let anyone act as a player.

A request without a key reads an empty history and writes to none. Cookies count only for pages of this server: a page
of another site that `Guard` lets in must send a key of its own.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from contextvars import ContextVar
from typing import Literal, NamedTuple, get_args

from mineproof.history.store import LOCAL
from mineproof.web.errors import Refused
from mineproof.web.guard import Headers, may_be_proxy

Mode = Literal["one", "many"]
MODES: tuple[Mode, ...] = get_args(Mode)
KEY_BYTES = 24
HEADER = b"mineproof-player"
COOKIE = b"mineproof_player"
COOKIE_SECONDS = 400 * 86400  # the longest that browsers keep one; each visit begins it anew
NOBODY = "nobody"  # owns nothing; shorter than any hash of a key
GET_ONE = "Get a key with POST /api/v1/player and send it in the header Mineproof-Player."

_KEY = re.compile(rb"[A-Za-z0-9_-]{32}")


class Player(NamedTuple):
    """The sender of a request."""

    owner: str | None  # of what is stored; None without a key
    is_alone: bool = False  # there are no other players

    @property
    def readable(self) -> str:
        """The owner whose history this player may read."""
        return NOBODY if self.owner is None else self.owner

    def require_change_of(self, owner: str | None) -> None:
        """Raise Refused unless this player may change a game. All who know the id may change a game without owner."""
        if not self.is_alone and owner not in (None, LOCAL, self.owner):
            raise Refused("forbidden", "This game belongs to another player. Only its player can change it.")


NO_KEY = Player(None)
PLAYER: ContextVar[Player] = ContextVar("player", default=NO_KEY)  # of the request that is being answered


def require_key(owner: str) -> None:
    """Raise Refused if the request has no key and therefore may not write."""
    if owner == NOBODY:
        raise Refused("no-player", f"This server has many players, and the request has no player key. {GET_ONE}")


def default_mode(host: str, *, is_proxied: bool) -> Mode:
    """One player where only this machine can connect, many otherwise.

    >>> default_mode("127.0.0.1", is_proxied=False), default_mode("localhost", is_proxied=False)
    ('one', 'one')
    >>> default_mode("0.0.0.0", is_proxied=False), default_mode("::1", is_proxied=True)
    ('many', 'many')
    """
    try:
        is_local = ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        is_local = host.lower() == "localhost"
    return "one" if is_local and not is_proxied else "many"


class Players:
    """Identifies players by the headers of their requests."""

    def __init__(self, mode: Mode, *, is_proxied: bool = False) -> None:
        self.mode, self._is_proxied = mode, is_proxied

    def new_key(self) -> str | None:
        """Return a new key; None if the server has one player, who needs none."""
        return None if self.mode == "one" else secrets.token_urlsafe(KEY_BYTES)

    def sender(self, headers: Headers) -> Player:
        """Return the player of a request; Refused if its key is invalid."""
        if self.mode == "one":
            return Player(LOCAL, is_alone=True)
        key = headers.get(HEADER)
        if key is None:
            key = _cookie(headers) if _is_own_page(headers) else None
        elif not _KEY.fullmatch(key):
            raise Refused("no-player", f"expected a key of 32 letters, digits, - and _ in Mineproof-Player. {GET_ONE}")
        return NO_KEY if key is None else Player(_owner(key))

    def page_headers(self, headers: Headers, peer: str) -> list[tuple[bytes, bytes]]:
        """Headers of the page: a cookie with the key of the browser, a new one unless it has sent one."""
        if self.mode == "one" or headers.get(b"sec-fetch-dest", b"document") != b"document":
            return []
        key = _cookie(headers) or secrets.token_urlsafe(KEY_BYTES).encode()
        secure = b"; Secure" if self._is_https(headers, peer) else b""
        value = b"%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Lax%s" % (COOKIE, key, COOKIE_SECONDS, secure)
        # A shared cache must not hand one player's cookie to another.
        return [(b"set-cookie", value), (b"cache-control", b"private, no-cache")]

    def _is_https(self, headers: Headers, peer: str) -> bool:
        """Whether a trusted proxy says that the browser connects to it by https."""
        scheme = headers.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip().lower()
        return self._is_proxied and scheme == b"https" and may_be_proxy(peer)


def _owner(key: bytes) -> str:
    return hashlib.sha256(b"mineproof player " + key).hexdigest()


def _cookie(headers: Headers) -> bytes | None:
    """The key in the cookies of a request; None without a valid one."""
    for part in headers.get(b"cookie", b"").split(b";"):
        name, _, value = part.strip().partition(b"=")
        if name == COOKIE and _KEY.fullmatch(value):
            return value
    return None


def _is_own_page(headers: Headers) -> bool:
    """Whether a request comes from a page of this server, or from no page."""
    origin, host = headers.get(b"origin"), headers.get(b"host", b"")
    own = origin is None or origin in (b"http://" + host, b"https://" + host)
    return own and headers.get(b"sec-fetch-site", b"none") != b"cross-site"
