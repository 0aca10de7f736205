"""The language of answers and the names of cells in them: chosen by headers, in the threads that compute, too."""

import asyncio
import json

import pytest

from mineproof.web import pages, routes
from mineproof.web.events import Tell, stream
from mineproof.web.pool import Cancelled, Lane
from mineproof.wording.catalogue import languages, listing, load_catalogue, use_language
from mineproof.wording.cells import cell_label, use_cell_labels
from support import declared
from support.served import Client


def sample() -> dict[str, str]:
    """Texts in the current language and with the current labels."""
    return {"list": listing(["a", "b"]), "cell": cell_label((0, 2))}


@pytest.fixture
def answering(client: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client of a server that answers with sample texts, made in a thread of a lane."""
    monkeypatch.setattr(routes, "strategies_json", sample)
    monkeypatch.setattr(declared, "require_answer", lambda *_: None)  # samples are no documents
    return client


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, {"list": "a and b", "cell": "(0,2)"}),
        ({"Accept_Language": "de"}, {"list": "a und b", "cell": "(0,2)"}),
        ({"Accept_Language": "fr-FR, de-AT;q=0.8, en;q=0.5"}, {"list": "a und b", "cell": "(0,2)"}),
        ({"Mineproof_Cell_Labels": "ruler"}, {"list": "a and b", "cell": "C1"}),
        ({"Mineproof_Cell_Labels": "other"}, {"list": "a and b", "cell": "(0,2)"}),
        ({"Accept_Language": "de", "Mineproof_Cell_Labels": "ruler"}, {"list": "a und b", "cell": "C1"}),
        ({"Accept_Language": "xx;q=nan, ;;q=, \xe4" + "," * 3000}, {"list": "a and b", "cell": "(0,2)"}),
    ],
)
def test_headers_choose_language_and_labels(
    answering: Client, headers: dict[str, str], expected: dict[str, str]
) -> None:
    assert answering.get("strategies", **headers).json == expected
    assert answering.get("strategies").json == {"list": "a and b", "cell": "(0,2)"}, "the next request has its own"


def test_events_are_in_the_language_of_their_request() -> None:
    def work(_: Cancelled, tell: Tell) -> bytes:
        return json.dumps(sample()).encode()

    async def listen() -> list[bytes]:
        lane = Lane("testing", 1, 1)
        with use_language("de"), use_cell_labels("ruler"):
            return [event async for event in stream(lane, work)]

    [event] = asyncio.run(listen())
    assert json.loads(event.partition(b"data: ")[2]) == {"list": "a und b", "cell": "C1"}


@pytest.mark.parametrize("code", languages())
def test_the_texts_of_the_page_are_a_file(client: Client, code: str) -> None:
    document = client.ask("GET", f"/static/messages/{code}.json").json
    assert document["language"] == code
    english = load_catalogue("en").texts
    assert set(document["messages"]) == {key for key in english if key.startswith(pages.MESSAGE_PREFIX)}
    assert document["messages"]["page-screen-play"] == load_catalogue(code).texts["page-screen-play"][0]
    assert document["messages"]["page-mines-left"] == list(load_catalogue(code).texts["page-mines-left"])


def test_the_first_page_lists_the_languages(client: Client) -> None:
    names = ",".join(f"{code}:{load_catalogue(code).name}" for code in languages())
    assert f'data-languages="{names}"' in client.ask("GET", "/").content.decode()
    assert "de:Deutsch" in names
