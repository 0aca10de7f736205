"""A server behind a proxy: it answers to the name of the proxy, and knows its clients by what the proxy tells."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mineproof.web.app import Service
from support.command import mineproof
from support.served import Client, serving

PROXY = "mines.example"


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        (PROXY, f"https://{PROXY}", 201),
        (PROXY, f"http://{PROXY}", 201),
        (PROXY.upper(), f"https://{PROXY.upper()}", 201),
        (f"{PROXY}:8443", f"https://{PROXY}:8443", 201),
        (PROXY, None, 201),
        (PROXY, f"https://{PROXY}:8443", 403),
        (PROXY, "https://other.example", 403),
        (PROXY, "null", 403),
        ("other.example", "https://other.example", 403),
        ("127.0.0.1", "https://127.0.0.1", 403),  # this proxy is not configured
        ("127.0.0.1", "http://127.0.0.1", 201),
    ],
)
def test_pages_of_the_proxy_may_ask(named: Client, host: str, origin: str | None, status: int) -> None:
    headers = {"Host": host} | ({} if origin is None else {"Origin": origin})
    assert named.post("games", {"level": "beginner"}, **headers).status == status


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("proxied"), PROXY) as (client, _):
        yield client


def test_without_a_proxy_its_name_is_another_site(client: Client) -> None:
    assert client.post("games", {"level": "beginner"}, Host=PROXY).status == 403


@pytest.mark.parametrize(
    ("peer", "client"),
    [
        ("127.0.0.1", "192.0.2.1"),
        ("::1", "192.0.2.1"),
        ("10.1.2.3", "192.0.2.1"),
        ("fd00::7", "192.0.2.1"),
        ("8.8.8.8", "8.8.8.8"),  # no known proxy: its headers do not count
        ("2606:4700::1111", "2606:4700::1111"),
        ("::ffff:8.8.8.8", "::ffff:8.8.8.8"),
    ],
)
def test_a_client_is_believed_from_a_private_address_only(tmp_path: Path, peer: str, client: str) -> None:
    service = Service(tmp_path, proxied=True)
    try:
        told = {b"x-forwarded-for": b"192.0.2.1"}
        assert service.client({"client": (peer, 50000), "mineproof.headers": told}) == client
        assert service.client({"client": (peer, 50000), "mineproof.headers": {}}) == peer
    finally:
        assert service.close()


def test_each_client_of_the_proxy_has_limits_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.web.store.GAMES_PER_CLIENT", 1)
    small = {"layout": "..*/.../..."}

    def begin(client: Client, **headers: str) -> int:
        answer = client.post("games", small, **headers)
        if answer.status == 201:
            move = {"kind": "flag", "cell": [0, 0]}
            assert client.post(f"games/{answer.json['id']}/moves", move).status == 200
        return answer.status

    with serving(tmp_path / "behind", PROXY) as (client, _):
        assert begin(client, X_Forwarded_For="192.0.2.1") == 201
        assert begin(client, X_Forwarded_For="192.0.2.1") == 429
        assert begin(client, X_Forwarded_For="192.0.2.2") == 201
        # What stands before the address that the proxy wrote is the client's own.
        assert begin(client, X_Forwarded_For="192.0.2.9, 192.0.2.1") == 429
        assert begin(client, X_Forwarded_For="192.0.2.1, 192.0.2.9") == 201
    with serving(tmp_path / "alone") as (client, _):
        assert begin(client, X_Forwarded_For="192.0.2.1") == 201
        assert begin(client, X_Forwarded_For="192.0.2.2") == 429  # anybody could write it


@pytest.mark.parametrize("name", ["https://mines.example", "mines.example:443", "a/b", ""])
def test_a_name_is_a_name(name: str) -> None:
    done = mineproof("serve", "--proxy", name)
    assert done.status == 2
    assert "must be a host name such as mines.example" in " ".join(done.err.split())
