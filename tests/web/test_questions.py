"""Questions over HTTP have the answers of the commands."""

import base64
import json
from itertools import count
from typing import Any

import msgspec
import pytest

import mineproof as mp
from mineproof.board.geometry import Topology
from mineproof.web import answers
from mineproof.web.requests import AnalyzeRequest, SolveRequest
from support.command import mineproof
from support.recordings import OLD_MVF, WRITERS, small
from support.served import Client

LAYOUT = "*../.../..*"
NO_GUESS = {"rows": 9, "columns": 9, "mines": 10, "seed": 7, "no_guess": True}

CASES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("analyze", {"board": "1#/##", "mines": 1}, ["1#/##", "--mines", "1"]),
    ("analyze", {"board": "1#/##", "mines": 1, "exact": True}, ["1#/##", "--mines", "1", "--exact"]),
    ("analyze", {"board": "1#/##", "density": "1/5"}, ["1#/##", "--density", "1/5"]),
    ("analyze", {"board": "1#/##", "density": 0.2}, ["1#/##", "--density", "0.2"]),
    ("analyze", {"board": "1F/##", "mines": 1, "flags": "ignore"}, ["1F/##", "--mines", "1", "--flags", "ignore"]),
    ("analyze", {"board": "1#/##", "topology": "torus"}, ["1#/##", "--topology", "torus"]),
    ("analyze", {"board": "ajajaaakZS"}, ["ajajaaakZS"]),
    ("analyze", {"board": "1--1", "from": "minedetector", "size": "2x2"},
     ["1--1", "--from", "minedetector", "--size", "2x2"]),
    ("solve", {"board": "###/121"}, ["###/121"]),
    ("solve", {"board": "###/121", "technique": "single-open"}, ["###/121", "--technique", "single-open"]),
    ("solve", {"board": "01#/12#/###", "show": "matrix"}, ["01#/12#/###", "--show", "matrix"]),
    ("solve", {"board": "01#/12#/###", "show": "bounds"}, ["01#/12#/###", "--show", "bounds"]),
    ("hint", {"board": "###/121", "level": 1}, ["###/121", "--level", "1"]),
    ("hint", {"board": "###/121", "prefer": "safe"}, ["###/121", "--prefer", "safe"]),
    ("hint", {"board": "11/##", "mines": 1, "safe_only": True}, ["11/##", "--mines", "1", "--safe-only"]),
    ("hint", {"board": "1#/F1", "flags": "trust"}, ["1#/F1", "--flags", "trust"]),
    ("best", {"board": "#####/123##/###3#", "mines": 6}, ["#####/123##/###3#", "--mines", "6"]),
    ("best", {"board": "11/##", "mines": 1, "exact": True}, ["11/##", "--mines", "1", "--exact"]),
    ("best", {"board": "11/##", "mines": 1, "strategy": "fast", "playouts": 0},
     ["11/##", "--mines", "1", "--strategy", "fast", "--playouts", "0"]),
    ("best", {"board": "3x3x2", "exact": True, "first_click": "any"}, ["3x3x2", "--exact", "--first-click", "any"]),
    ("convert", {"board": "1#/##", "mines": 1}, ["1#/##", "--mines", "1"]),
    ("convert", {"board": LAYOUT, "start": [2, 0]}, [LAYOUT, "--start", "2,0"]),
    ("check", {"board": LAYOUT, "start": [2, 0]}, [LAYOUT, "--start", "2,0"]),
    ("check", {"board": LAYOUT, "anywhere": True}, [LAYOUT, "--anywhere"]),
    ("generate", {"level": "beginner", "seed": 7}, ["beginner", "--seed", "7"]),
    ("generate", {"rows": 4, "columns": 5, "mines": 6, "seed": 7, "number": 3},
     ["5x4x6", "--seed", "7", "--number", "3"]),
    ("generate", {**NO_GUESS, "start": [4, 4], "certificate": True},
     ["9x9x10", "--seed", "7", "--no-guess", "--start", "4,4", "--certificate"]),
    ("generate", {"level": "beginner", "seed": 7, "no_guess": True, "difficulty": [1, 4]},
     ["beginner", "--seed", "7", "--no-guess", "--difficulty", "1..4"]),
    ("generate", {"level": "beginner", "seed": 7, "bbbv": [10, 30], "openings": [2, None]},
     ["beginner", "--seed", "7", "--bbbv", "10..30", "--openings", "2.."]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "body", "arguments"), CASES)
def test_the_answer_is_that_of_the_command(client: Client, name: str, body: object, arguments: list[str]) -> None:
    answer = client.post(name, body)
    assert answer.status == 200, answer.content
    assert answer.headers["content-type"] == "application/json"
    found = answer.json
    assert ("read_as" in found) == (name == "convert")
    found.pop("read_as", None)
    texts = found.pop("step_texts", None)
    assert (texts is None) == (found.get("certificate") is None)
    if texts is not None:  # in the language of the request; without one they are those of the certificate
        assert texts == [step["text"] for step in found["certificate"]["steps"]]
    assert found == json.loads(mineproof(name, *arguments, "--json").out)


# files


def test_the_bytes_of_a_file_are_read_as_text_is(client: Client) -> None:
    """By every question, with its options."""
    for name, body, _ in CASES:
        if "board" in body and not body["board"].startswith("3x3x2"):
            data = base64.b64encode(body["board"].encode()).decode()
            rest = {key: value for key, value in body.items() if key != "board"}
            assert client.post(name, {"data": data, **rest}).json == client.post(name, body).json


def test_a_file_that_is_no_text(client: Client) -> None:
    layout = mp.generate(9, 9, 10, seed=7)
    data = base64.b64encode(mp.formats.write(layout, "mbf")).decode()  # type: ignore[arg-type]
    found = client.post("convert", {"data": data}).json
    assert found["mines"] == sorted(map(list, layout.mines))
    assert (found["read_as"]["format"], found["read_as"]["holds"]) == ("mbf", "layout")
    assert found["read_as"]["note"]
    assert client.post("check", {"data": data, "anywhere": True}).status == 200
    assert client.post("analyze", {"data": data}).code == "syntax"  # a layout hides nothing
    assert client.post("convert", {"board": json.dumps(found)}).json["mines"] == found["mines"]  # readable again


@pytest.mark.parametrize("name", ["avf", "mvf 0.97", "mvf 2007", "mvf 0.96", "rmv 1", "rmv 2", "evf 0", "evf 4"])
def test_a_replay_is_a_file(client: Client, name: str) -> None:
    data = (WRITERS | OLD_MVF)[name](small())
    found = client.post("convert", {"data": base64.b64encode(data).decode()}).json
    assert found["mines"] == sorted(map(list, small().layout.mines))
    assert (found["read_as"]["format"], found["read_as"]["holds"]) == (name[:3], "layout")
    cut = client.post("convert", {"data": base64.b64encode(data[:40]).decode(), "from": name[:3]})
    assert (cut.status, cut.code) == (400, "syntax")
    assert cut.json["message"].startswith("offset ")


def test_what_was_read_is_told(client: Client) -> None:
    game = mp.Game(mp.generate(4, 4, 2, seed=1))
    game.open(0, 0)
    for text, name, holds in [
        ("1#/##", "mineproof", "position"),
        ("*../...", "layout", "layout"),
        ("ajajaaakZS", "jsminesweeper", "position"),
        (game.save(), "json", "both"),
    ]:
        told = client.post("convert", {"board": text}).json["read_as"]
        assert (told["format"], told["holds"]) == (name, holds)


@pytest.mark.parametrize(
    "body",
    [{}, {"board": ""}, {"data": ""}, {"board": "1#", "data": "MSM="}, {"data": "no base64"}, {"data": [1]},
     {"data": "/9j/4AAQ"}],
)  # fmt: skip
def test_one_of_text_and_bytes_is_expected(client: Client, body: object) -> None:
    for name in ("analyze", "convert"):
        answer = client.post(name, body)
        assert (answer.status, answer.code) == (400, "syntax"), answer.content


@pytest.mark.parametrize(
    ("to", "arguments"), [("layout", []), ("mbf-hex", []), ("tatham", ["--start", "2,0"]), ("ptta", [])]
)
def test_a_board_in_another_format_is_what_the_command_writes(client: Client, to: str, arguments: list[str]) -> None:
    start = {"start": [2, 0]} if arguments else {}
    answer = client.post("convert", {"board": LAYOUT, "to": to, **start})
    assert (answer.status, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert answer.content == mineproof("convert", LAYOUT, "--to", to, *arguments).out


def test_a_board_file_comes_as_its_bytes(client: Client) -> None:
    answer = client.post("convert", {"board": LAYOUT, "to": "mbf"})
    assert (answer.headers["content-type"], answer.content[:2]) == ("application/octet-stream", bytes([3, 3]))


def test_a_certificate_is_checked(client: Client) -> None:
    made = client.post("generate", {**NO_GUESS, "start": [4, 4], "certificate": True}).json
    asked = {"board": json.dumps(made["layout"]), "certificate": made["certificate"]}
    assert client.post("check", asked).json["certificate"] is None
    made["certificate"]["steps"].clear()
    assert client.post("check", asked).json["certificate"]["code"] == "certificate"


@pytest.mark.parametrize("topology", ["grid", "torus", "hex"])
def test_the_numbers_and_the_opened_board_of_a_new_layout(client: Client, topology: Topology) -> None:
    made = client.post("generate", {**NO_GUESS, "topology": topology, "certificate": True, "measures": True}).json
    layout = mp.generate(9, 9, 10, seed=7, no_guess=True, topology=topology)
    assert made["measures"] == mp.measure(layout).as_json()
    game = mp.Game(layout)
    for cell in layout.mines:
        game.flag(*cell)
    for cell in set(layout.cells()) - layout.mines:
        if game.board[cell] == mp.COVERED:
            game.open(*cell)
    assert made["board"] == game.board.as_json()
    opened = {*map(tuple, made["certificate"]["opened"])}
    opened.update(tuple(cell) for step in made["certificate"]["steps"] for cell in step["opened"])
    assert opened == set(layout.cells()) - layout.mines


def test_a_layout_without_a_seed_says_which_it_was_drawn_from(client: Client) -> None:
    made = client.post("generate", {"level": "beginner"}).json
    assert client.post("generate", {"level": "beginner", "seed": made["seed"]}).json == made


@pytest.mark.parametrize(
    ("name", "body", "status", "code"),
    [
        ("analyze", {"board": "1w"}, 400, "syntax"),
        ("analyze", {"board": "3#"}, 422, "contradiction"),
        ("analyze", {"board": "*..", "mines": 1}, 400, "syntax"),
        ("analyze", {"board": "1#/##", "density": "2"}, 400, "usage"),
        ("analyze", {"board": "1#/##", "density": 7.5}, 400, "usage"),
        ("analyze", {"board": "1#/##", "size": "two"}, 400, "syntax"),
        ("analyze", {"board": "1#/##", "from": "nothing"}, 400, "syntax"),
        ("analyze", {"board": "\n".join(["#" * 101] * 100)}, 413, "too-large"),
        ("analyze", {"board": "#2#/###", "states": 0}, 400, "syntax"),
        ("solve", {"board": "###/121", "technique": "magic"}, 400, "syntax"),
        ("solve", {"board": "###/121", "technique": "total", "show": "matrix"}, 400, "usage"),
        ("hint", {"board": "###/121", "level": 5}, 400, "syntax"),
        ("best", {"board": "1#/##"}, 400, "usage"),
        ("best", {"board": "1#/##", "mines": 1, "strategy": "luck"}, 400, "usage"),
        ("best", {"board": "1#/##", "mines": 1, "exact": True, "strategy": "fast"}, 400, "usage"),
        ("best", {"board": "1#/##", "mines": 1, "first_click": "any"}, 400, "usage"),
        ("best", {"board": "expert"}, 400, "usage"),
        ("best", {"board": "expert", "exact": True, "budget": 0.5}, 503, "budget"),
        ("convert", {"board": "1#/##", "to": "mbf"}, 400, "syntax"),
        ("convert", {"board": "1#/##", "to": "paper"}, 400, "usage"),
        ("convert", {"board": "1#/##", "start": [0, 0]}, 400, "usage"),
        ("convert", {"board": LAYOUT, "start": [9, 9]}, 409, "outside"),
        ("check", {"board": LAYOUT}, 400, "usage"),
        ("check", {"board": LAYOUT, "start": [0, 0]}, 409, "illegal-move"),
        ("check", {"board": "1#/##"}, 400, "syntax"),
        ("check", {"board": LAYOUT, "start": [2, 0], "certificate": {}}, 400, "syntax"),
        ("generate", {"level": "beginner", "rows": 1000, "columns": 1000}, 413, "too-large"),
        ("generate", {"rows": 3, "columns": 3}, 400, "usage"),
        ("generate", {"rows": 3, "columns": 3, "mines": 10}, 400, "syntax"),
        ("generate", {"level": "easy"}, 400, "syntax"),
        ("generate", {"level": "beginner", "seed": 2**64}, 400, "usage"),
        ("generate", {"level": "beginner", "certificate": True}, 400, "usage"),
        ("generate", {"level": "beginner", "needs": "total"}, 400, "usage"),
        ("simulate", {"level": "beginner", "games": 0}, 400, "syntax"),
        ("simulate", {"level": "nothing"}, 400, "syntax"),
    ],
)
def test_what_cannot_be_answered_says_why(client: Client, name: str, body: object, status: int, code: str) -> None:
    answer = client.post(name, body)
    assert (answer.status, answer.code) == (status, code), answer.content


def test_what_takes_too_long_is_given_up(client: Client) -> None:
    answer = client.post("generate", {"level": "expert", "no_guess": True, "bbbv": 1, "budget": 0.2, "seed": 1})
    assert (answer.status, answer.code, answer.headers["retry-after"]) == (503, "budget", "1")


STRIPES = "/".join(["1#" * 50 if row % 2 else "#" * 100 for row in range(40)])


@pytest.mark.parametrize(
    ("name", "asked"),
    [("solve", {"board": STRIPES[:1009], "show": "matrix"}),
     ("solve", {"board": "/".join(["121", "###", "121"] * 10), "show": "bounds"}),
     ("analyze", {"board": "/".join(["1#########"] * 40), "mines": 40, "exact": True})],
)  # fmt: skip
def test_what_is_shown_has_a_budget(name: str, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    body = msgspec.convert(asked, SolveRequest if name == "solve" else AnalyzeRequest)
    answer: Any = answers.solve_answer if name == "solve" else answers.analyze_answer
    looks = count()
    answer(body, lambda: next(looks) < 0)
    assert next(looks) > 5, "the server does not check whether the client has left"
    with pytest.raises(mp.BudgetExceeded):
        answer(body, lambda: next(looks) >= 0)
    clock = count()
    monkeypatch.setattr("mineproof.base.budget.time.monotonic", lambda: float(next(clock)))
    with pytest.raises(mp.BudgetExceeded):
        answer(body, lambda: False)


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("analyze", {"board": "1#", "flags": "maybe"}, "JSON: `flags` must be one of trust, ignore, got 'maybe'"),
        ("hint", {"board": "1#", "prefer": "x"}, "JSON: `prefer` must be one of easiest, safe, got 'x'"),
        ("solve", {"board": "1#", "technique": "x"}, "JSON: `technique` must be one of single-open, single-flag, "),
    ],
)
def test_a_value_that_is_not_allowed_is_answered_with_those_that_are(
    client: Client, path: str, body: dict[str, str], words: str
) -> None:
    answer = client.post(path, body)
    assert (answer.status, answer.code) == (400, "syntax")
    assert answer.json["message"].startswith(words)


def test_a_matrix_that_is_too_large_is_refused(client: Client) -> None:
    answer = client.post("solve", {"board": STRIPES, "show": "matrix"})
    assert (answer.status, answer.code) == (413, "too-large")
    assert "expected a matrix of at most 1,000,000 entries, got 3,000,000" in answer.json["message"]


def test_an_answer_at_once_is_that_of_a_thread(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    game = mp.Game(mp.generate("expert", seed=7, start=(8, 15), first_click="open"), first_click="any")
    game.open(8, 15)
    asked = {"board": str(game.board)}
    at_once = client.post("analyze", asked).json
    monkeypatch.setattr(answers, "AT_ONCE", mp.Budget(seconds=0.0, states=0))
    assert client.post("analyze", asked).json == at_once == mp.analyze(game.board).as_json()


def test_what_is_not_answered_at_once_is_left_to_a_thread() -> None:
    def at_once(**asked: Any) -> object:
        return json.loads(msgspec.json.encode(answers.analyze_at_once(msgspec.convert(asked, AnalyzeRequest))))

    assert at_once(board="1#/##", mines=1) == mp.analyze(mp.Board.parse("1#/##", total_mines=1)).as_json()
    assert at_once(board="3#/##", mines=1) is None  # a contradiction, which is to be explained
    assert at_once(board="1#/##", mines=1, exact=True) is None
    assert at_once(board="/".join(["#" * 30] * 30), mines=1) is None


def test_the_numbers_that_a_cell_can_show_have_chances(client: Client) -> None:
    board = {"board": "#####/123##/###3#", "mines": 6}
    document = client.post("analyze", {**board, "cell": [0, 1]}).json
    assert [one["number"] for one in document["numbers"]] == [0, 1, 2]
    assert [one["chance"] for one in document["numbers"]] == pytest.approx([0.3, 0.4, 0.1])
    assert document["mine_probability"][0][1] == pytest.approx(0.2)
    assert "numbers" not in client.post("analyze", board).json


def test_numbers_have_no_chances_without_the_number_of_mines(client: Client) -> None:
    document = client.post("analyze", {"board": "1#/##", "cell": [1, 1]}).json
    assert document["numbers"] == [{"number": 1, "chance": None}]
    flagged = client.post("analyze", {"board": "1F/##", "mines": 1, "flags": "ignore", "cell": [0, 1]}).json
    assert [one["number"] for one in flagged["numbers"]] == [1]


@pytest.mark.parametrize("cell", [[0, 0], [2, 0], [0, -1]])
def test_a_cell_that_is_not_covered_has_no_numbers(client: Client, cell: list[int]) -> None:
    assert client.post("analyze", {"board": "1#/##", "mines": 1, "cell": cell}).status in (400, 409)
