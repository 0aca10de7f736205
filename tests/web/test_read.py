"""Screenshots over HTTP: read as the library reads them, or refused with a reason; nothing else is held up."""

import base64
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image

import mineproof as mp
from mineproof.screens import pixels, reader
from mineproof.web import answers, limits
from mineproof.web.routes import PICTURES
from support.screenshot import ROWS, encoded
from support.served import Answer, Client, serving, wait

PNG = encoded()
HEAD = b"POST /api/v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\nConnection: close\r\n"


def sent(client: Client, data: bytes, confirm: str = "", kind: str = "image/png") -> Answer:
    query = f"?confirm={quote(confirm)}" if confirm else ""
    return client.ask("POST", f"/api/v1/read{query}", data, Content_Type=kind)


def test_a_board_is_read_as_the_library_reads_it(client: Client) -> None:
    answer = sent(client, PNG)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json == mp.read_image(PNG).as_json()
    assert tuple(answer.json["cells"]) == ROWS


@pytest.mark.parametrize(
    ("kind", "media"),
    [
        ("PNG", "application/octet-stream"),
        ("JPEG", "image/jpeg"),
        ("WebP", "image/webp"),
        ("GIF", "IMAGE/GIF; a=b"),
        ("BMP", "image/png"),
    ],
)
def test_every_format_is_read_whatever_it_is_called(client: Client, kind: str, media: str) -> None:
    answer = sent(client, encoded(kind), kind=media)
    assert (answer.status, answer.json["rows"], answer.json["columns"]) == (200, 9, 9), answer.content


# what is confirmed


def test_a_mark_that_is_confirmed_is_believed(client: Client) -> None:
    after = sent(client, PNG, "3,2,?;8,8,#").json
    assert after == mp.read_image(PNG).confirm({(3, 2): "?", (8, 8): "#"}).as_json()
    assert (after["cells"][3][2], after["cells"][8][8]) == ("?", "#")


def test_a_doubt_that_is_confirmed_is_gone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the reader is sure of: here it doubts all that it is not told."""
    monkeypatch.setattr(reader, "SURE", 1.0)
    doubts = sent(client, PNG).json["doubts"]
    assert sum(len(doubt["cells"]) for doubt in doubts) == 81
    monkeypatch.setattr(reader, "SURE", 0.9)
    told = ";".join(f"{doubt['cells'][0][0]},{doubt['cells'][0][1]},{doubt['mark']}" for doubt in doubts)
    answer = resized(client, "up,0;down,0;left,0;right,0", told).json
    assert (answer["sure"], answer["doubts"], tuple(answer["cells"])) == (True, [], ROWS)


@pytest.mark.parametrize(
    ("confirm", "told"),
    [
        ("0,0", "`confirm`: expected R,C,MARK with one of 0-8 # F ? *, got '0,0'"),
        ("0,0,9", "F ? *, got '0,0,9'"),
        ("0,0,12", "F ? *, got '0,0,12'"),
        ("0,0,X", "F ? *, got '0,0,X'"),
        ("-1,0,1", "F ? *, got '-1,0,1'"),
        ("0,0,1;", "F ? *, got ''"),
        ("0,0,1;00,0,2", "`confirm`: expected each cell once, got (0,0) twice"),
        ("0,9,1", "`confirm`: expected a cell on the 9 × 9 board, got (0,9)"),
        ("9,0,1", "`confirm`: expected a cell on the 9 × 9 board, got (9,0)"),
        ("٣,0,1", "F ? *, got '٣,0,1'"),
    ],
)
def test_what_cannot_be_confirmed_is_named(client: Client, confirm: str, told: str) -> None:
    answer = sent(client, PNG, confirm)
    assert (answer.status, answer.code) == (400, "usage")
    assert told in answer.json["message"]


def test_another_query_is_refused(client: Client) -> None:
    answer = client.ask("POST", "/api/v1/read?confirmed=0,0,1", PNG, Content_Type="image/png")
    assert (answer.status, answer.code) == (400, "usage")


# the size


def resized(client: Client, size: str, confirm: str = "") -> Answer:
    query = f"size={quote(size)}" + (f"&confirm={quote(confirm)}" if confirm else "")
    return client.ask("POST", f"/api/v1/read?{query}", PNG, Content_Type="image/png")


def test_an_answer_about_the_size_changes_the_board(client: Client) -> None:
    answer = resized(client, "up,-1;left,0", "0,0,#").json
    assert (answer["rows"], answer["columns"]) == (8, 9)
    assert tuple(answer["cells"]) == ROWS[1:]
    assert not {"up", "left"} & {doubt["side"] for doubt in answer["size_doubts"]}


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("up", "`size`: expected SIDE,CHANGE with up, down, left or right, got 'up'"),
        ("top,1", "got 'top,1'"),
        ("up,1;up,0", "`size`: expected each side once, got up twice"),
        ("up,-9", "expected a change of -6 to"),
    ],
)
def test_a_size_that_cannot_be_is_named(client: Client, size: str, told: str) -> None:
    answer = resized(client, size)
    assert (answer.status, answer.code) == (400, "usage")
    assert told in answer.json["message"]


# what is refused


def cases() -> dict[str, bytes]:
    plain = encoded(image=Image.new("RGB", (300, 200), (90, 120, 90)))
    return {
        "nothing": b"",
        "text": b"1#/##",
        "SVG": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "half a PNG": PNG[: len(PNG) // 2],
        "the head of a PNG": PNG[:20],
        "half a JPEG": encoded("JPEG")[:3000],
        "a GIF of one byte more than its head": b"GIF89a\x00",
        "noughts": b"\0" * 10_000,
        "a picture without a board": plain,
        "a picture of one pixel": encoded(image=Image.new("RGB", (1, 1))),
    }


@pytest.mark.parametrize("name", cases())
def test_what_holds_no_board_is_refused_with_a_reason(client: Client, name: str) -> None:
    answer = sent(client, cases()[name])
    assert (answer.status, answer.code) == (400, "syntax"), answer.content
    reasons = {"a picture without a board": "no board in the picture", "a picture of one pixel": "at least 32 × 32"}
    assert reasons.get(name, "the picture cannot be decoded") in answer.json["message"]


def test_another_media_type_is_refused(client: Client) -> None:
    for kind in ("application/json", "multipart/form-data", "image/svg+xml", "text/plain", ""):
        answer = sent(client, PNG, kind=kind)
        assert (answer.status, answer.code) == (415, "media-type")
        assert all(media in answer.json["message"] for media in PICTURES)


def test_too_many_bytes_are_refused_however_they_come(client: Client) -> None:
    said = client.raw(HEAD + b"Content-Length: %d\r\n\r\n" % (limits.MAX_PICTURE_BYTES + 1))
    assert said.startswith(b"HTTP/1.1 413")
    assert b"16,777,216 bytes" in said
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    whole = chunk * (limits.MAX_PICTURE_BYTES // 0x10000)
    said = client.raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + whole + b"1\r\n \r\n0\r\n\r\n")
    assert b'"too-large"' in said
    assert sent(client, PNG).status == 200


def test_a_picture_may_be_larger_than_other_bodies(client: Client) -> None:
    padded = PNG + b"\0" * limits.MAX_BODY_BYTES
    assert tuple(sent(client, padded).json["cells"]) == ROWS


def test_too_many_pixels_are_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pixels, "MAX_PIXELS", 300 * 330 - 1)
    answer = sent(client, PNG)
    assert (answer.status, answer.code) == (400, "syntax")
    assert "at most 40,000,000 pixels" in answer.json["message"]


def test_too_many_cells_are_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_CELLS", 80)
    answer = sent(client, PNG)
    assert (answer.status, answer.code) == (413, "too-large")


def test_without_pillow_it_says_what_to_install(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    answer = sent(client, PNG)
    assert (answer.status, answer.code) == (501, "not-installed")
    assert "pip install 'mineproof[image]'" in answer.json["message"]


def test_questions_send_pictures_to_where_they_are_read(client: Client) -> None:
    data = base64.b64encode(encoded("GIF")).decode()
    for more in ({}, {"from": "image"}):
        answer = client.post("analyze", {"data": data, **more})
        assert (answer.status, answer.code) == (400, "syntax")
        assert "POST /api/v1/read" in answer.json["message"]


# how much at once


def test_so_many_at_a_time_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as (client, service):
        with service.pictures.place_of("somebody", 1):
            assert sent(client, PNG).status == 200
        monkeypatch.setattr(limits, "PICTURES_PER_CLIENT", 0)
        mine = sent(client, PNG)
        assert (mine.status, mine.code, mine.headers["retry-after"]) == (429, "too-many", "1")
        monkeypatch.setattr(limits, "PICTURES_PER_CLIENT", 1)
        monkeypatch.setattr(limits, "PICTURES", 0)
        monkeypatch.setattr(limits, "PICTURES_WAITING", 0)
        everybody = sent(client, PNG)
        assert (everybody.status, everybody.code) == (429, "too-many")
        monkeypatch.setattr(limits, "PICTURES", 1)
        assert sent(client, PNG).status == 200, "a place is given back"
        assert wait(lambda: service.pictures.load == 0)
