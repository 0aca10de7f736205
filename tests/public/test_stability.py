"""What docs/stability.md promises: the keys and types of JSON, the layouts of seeds, and certificates that stay valid.

MINEPROOF_UPDATE_GOLDEN=1 adds what is new to the golden files. It never removes or changes what they hold: that takes a
new version of the schema, or a line in the changelog, and an edit by hand.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import mineproof as mp
from mineproof.board.geometry import Topology
from mineproof.decision.custom import strategies_json
from mineproof.deduction.ladder import solution_json
from mineproof.errors import MineproofError
from mineproof.game.record import GameExtras
from mineproof.generation.guess_check import no_guess_starts, starts_json
from mineproof.generation.requirements import Method
from mineproof.web.results import result_answer
from mineproof.web.variant_games import gallery_answer
from support import declared, documents
from support.command import mineproof
from support.engines import needs_kernel
from support.positions import CLASSIC

pytestmark = needs_kernel

HERE = Path(__file__).parents[1] / "golden"
SCHEMAS, SEEDS, CERTIFICATES = HERE / "schemas", HERE / "seeds.json", HERE / "certificates.json"
UPDATE = "MINEPROOF_UPDATE_GOLDEN" in os.environ
MAPS = {"used", "strategies"}  # objects whose keys are data, such as names of techniques

POSITION = mp.Board.parse("#####/123##/###3#", total_mines=6)
LIAR = mp.Board.parse("1##/##0", rules="liar", total_mines=2)
PROBLEM = mp.Problem([[1, 2], 2, 1], [mp.Constraint([0, 1], [1, 2], [1, 2], "a clue")], total=(0, 3))
WRAPPED: tuple[Topology, ...] = ("torus", "hex")
STUCK = mp.Layout(1, 5, frozenset([(0, 1), (0, 4)]), (0, 2))


@cache
def no_guess() -> mp.NoGuessLayout:
    return mp.generate(5, 7, 6, seed=4, no_guess=True, start=(2, 3))


@cache
def played() -> mp.Game:
    """A lost game with a flag, a chord and a guess."""
    game = mp.Game(mp.Layout(3, 4, frozenset([(0, 0), (2, 3)])), first_click="any")
    game.open(2, 0)
    game.flag(0, 0)
    game.open(2, 3)
    return game


@cache
def simulation(strategy: str = "fast") -> mp.Simulation:
    return mp.simulate("beginner", games=16, seed=1, strategy=strategy)


@cache
def variant_game() -> mp.VariantGame:
    """A game that ends at the second move, after the first drew another layout."""
    game = mp.VariantGame(mp.VariantLayout.of(1, 4, [(0, 0)], mp.Variant("liar")), seed=1)
    game.open(0, 0)
    game.open(0, next(column for column in range(4) if (0, column) in game._layout.mines))
    return game


@cache
def variant_without_guess() -> mp.GeneratedVariant:
    return mp.generate_variant(4, 4, 4, "liar", seed=1, no_guess=True)


@cache
def puzzle() -> mp.Puzzle:
    return mp.puzzle("bounds", level="beginner", seed=7)


def answer() -> mp.Answer:
    return mp.answer(puzzle(), min(puzzle().solution))


def wrong_answer() -> mp.Answer:
    other = mp.puzzle("partition", level="beginner", seed=4)
    return mp.answer(other, (0, 0))


def labelled() -> mp.LabelledPosition:
    """Labels that are undecidable, wrong and incomplete."""
    board = mp.Board.parse("#1##1#1", total_mines=2)
    return mp.LabelledPosition("one", board, safe=frozenset([(0, 0)]), mines=frozenset())


def error() -> MineproofError:
    try:
        mp.analyze(mp.Board.parse("1F#/F##"))
    except MineproofError as found:
        return found
    raise AssertionError("the 1 touches two flags")


def command(*arguments: str) -> Any:
    return json.loads(mineproof(*arguments, "--json").lines[0])


EXAMPLES: dict[str, Callable[[], Any]] = {
    "analysis/1": lambda: mp.analyze(POSITION).as_json(),
    "answer/1": lambda: answer().as_json(),
    "audit/1": lambda: mp.audit(labelled()).as_json(),
    "best/1": lambda: mp.best_move(POSITION).as_json(),
    "board/1": POSITION.as_json,
    "bounds/1": lambda: command("solve", "F33F/###F", "--show", "bounds"),
    "certificate/1": lambda: mp.certify(no_guess()).as_json(),
    "check/1": lambda: mp.check(STUCK).as_json(),
    "comparison/1": lambda: mp.compare(simulation(), simulation("strong")).as_json(),
    "daily/1": lambda: documents.practice_document("daily", [answer(), wrong_answer()]),
    "dashboard/1": lambda: documents.practice_document("dashboard", [answer(), wrong_answer()]),
    "dataset/1": lambda: documents.dataset_documents()["dataset/1"],
    "dataset-plan/1": lambda: documents.dataset_documents()["dataset-plan/1"],
    "error/1": lambda: error().as_json(),
    "exported/1": lambda: documents.history_documents()["exported/1"],
    "filled/1": lambda: documents.history_documents()["filled/1"],
    "forgotten/1": lambda: documents.history_documents()["forgotten/1"],
    "formats/1": lambda: command("convert", "--list"),
    "game/1": lambda: json.loads(played().save()),
    "generated/1": lambda: no_guess().generated_json(certificate=False, measures=True),
    "grade/1": lambda: mp.grade(STUCK).as_json(),
    "hint/1": lambda: mp.hint(POSITION).as_json(),
    "history/1": lambda: documents.history_documents()["history/1"],
    "imported/1": lambda: documents.history_documents()["imported/1"],
    "kept/1": lambda: documents.history_documents()["kept/1"],
    "layout/1": lambda: no_guess().as_json(),
    "layouts/1": lambda: command("layouts", "1#/##", "--mines", "1"),
    "league/1": lambda: mp.league(["fast", "strong"], "beginner", games=16, seed=1).as_json(),
    "lesson/1": lambda: documents.lesson().as_json(),
    "matrix/1": lambda: command("solve", "F33F/###F", "--show", "matrix"),
    "picture/1": lambda: mp.draw("1#/##", odds=True).as_json(),
    "plan/1": lambda: documents.sweep_documents()["plan/1"],
    "player/1": documents.player_document,
    "problem/1": lambda: mp.problem_json(PROBLEM),
    "problem-analysis/1": lambda: mp.analyze(PROBLEM).as_json(),
    "profile/1": documents.profile_document,
    "puzzle/1": lambda: puzzle().as_json(),
    "reading/1": documents.reading_document,
    "report/1": lambda: documents.sweep_documents()["report/1"],
    "result/1": lambda: result_answer(None, played().record(), GameExtras()),
    "review/1": lambda: mp.review(played()).as_json(),
    "run/1": lambda: documents.practice_document("run", []),
    "simulation/1": lambda: simulation().as_json(),
    "solution/1": lambda: solution_json(mp.deduce(mp.Board.parse("F33F/###F"))),
    "standing/1": lambda: documents.standing_document(answer()),
    "starts/1": lambda: starts_json(STUCK, no_guess_starts(STUCK)),
    "stats/1": lambda: command("stats", "*../.../..*"),
    "strategies/1": strategies_json,
    "summary/1": lambda: documents.history_documents()["summary/1"],
    "sweep/1": lambda: documents.sweep_documents()["sweep/1"],
    "task/1": lambda: mp.task("proof", level="5x5x4", seed=1).as_json(),
    "timeline/1": lambda: mp.timeline(played().record()).as_json(),
    "tournament/1": lambda: mp.tournament("beginner", strategies=["fast", "strong"], games=16, seed=1).as_json(),
    "variant-analysis/1": lambda: mp.analyze_variant(
        mp.VariantPosition.from_board(mp.Board.parse("1##/###/0##", total_mines=2)), mp.Variant("liar")
    ).as_json(),
    "variant-best/1": lambda: mp.best_move(LIAR).as_json(),
    "variant-board/1": LIAR.as_json,
    "variant-certificate/1": lambda: variant_without_guess().certificate_json(),
    "variant-check/1": lambda: mp.check_variant(variant_without_guess().solution, (2, 2)).as_json(),
    "variant-game/1": lambda: json.loads(variant_game().save()),
    "variant-generated/1": lambda: variant_without_guess().as_json(certificate=True),
    "variant-hint/1": lambda: mp.hint(LIAR).as_json(),
    "variant-layout/1": lambda: variant_game().layout.as_json(),  # noqa: PLW0108 (the game is played late)
    "variant-puzzle-check/1": lambda: command("check", "1##/##0", "--rules", "liar", "--mines", "2"),
    "variant-solution/1": lambda: command("solve", "1##/##0", "--rules", "liar", "--mines", "2"),
    "variant-view/1": lambda: variant_game().as_json(),
    "variants/1": gallery_answer,
    "verdict/1": lambda: mp.judge(mp.task("safe", level="5x5x4", seed=1), "[[0, 0], [0, 4], [9, 9]]").as_json(),
    "view/1": lambda: played().as_json(),
    "watch/1": lambda: command("watch", "5x5x3", "--seed", "1"),
}


# JSON


def paths(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every place in a JSON value, with the type of what is there."""
    if isinstance(value, dict):
        yield path, "object"
        name = path.rpartition(".")[2]
        for key, part in value.items():
            yield from paths(part, f"{path}.{'*' if name in MAPS else key}")
    elif isinstance(value, list | tuple):
        yield path, "list"
        for part in value:
            yield from paths(part, f"{path}[]")
    else:
        yield path, {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}[type(value)]


def shape(value: Any) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for path, kind in paths(json.loads(json.dumps(value))):
        found.setdefault(path, set()).add(kind)
    return {path: "|".join(sorted(kinds)) for path, kinds in sorted(found.items())}


def held(path: Path, found: dict[str, Any]) -> dict[str, Any]:
    """What a golden file holds; with MINEPROOF_UPDATE_GOLDEN what is new is added to it first."""
    golden: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    if UPDATE:
        golden = {**found, **golden}
        path.write_text(json.dumps(dict(sorted(golden.items())), indent=1) + "\n", "utf-8")
    return golden


@pytest.mark.slow
@pytest.mark.parametrize("schema", EXAMPLES)
def test_keys_and_types_of_a_schema(schema: str) -> None:
    document = EXAMPLES[schema]()
    assert document["schema"] == f"mineproof/{schema}"
    declared.require_declared(json.loads(msgspec.json.encode(document)))
    found = shape(document)
    golden = held(SCHEMAS / f"{schema.replace('/', '-')}.json", found)
    gone = golden.keys() - found.keys()
    assert not gone, f"removed from {schema}: {sorted(gone)}. That takes a new version of the schema"
    changed = {path: (kinds, found[path]) for path, kinds in golden.items() if found[path] != kinds}
    assert not changed, f"another type in {schema}: {changed}. That takes a new version of the schema"
    new = found.keys() - golden.keys()
    assert not new, f"new in {schema}: {sorted(new)}. Run this test with MINEPROOF_UPDATE_GOLDEN=1 and commit the file"


def test_a_lost_key_and_another_type_are_seen() -> None:
    before = shape({"cells": [[1, 2]], "odds": 0.5, "text": None})
    assert before == {"": "object", ".cells": "list", ".cells[]": "list", ".cells[][]": "integer", ".odds": "number",
                      ".text": "null"}  # fmt: skip
    after = shape({"cells": [["1", 2]], "odds": 0.5})
    assert before.keys() - after.keys() == {".text"}
    assert after[".cells[][]"] == "integer|string"


# A bench takes 15 s. The example in docs/reference/json.md names all its keys, and pytest runs it.
OTHERS = {"bench/1"}


def test_every_documented_schema_is_held_or_named() -> None:
    text = (HERE.parents[1] / "docs/reference/json.md").read_text("utf-8")
    documented = set(re.findall(r"^\| \[`mineproof/([a-z-]+/[0-9]+)`\]", text, re.MULTILINE))
    assert len(documented) > 30
    assert documented == EXAMPLES.keys() | OTHERS


def test_every_schema_in_the_code_is_held_or_named() -> None:
    sources = (path.read_text("utf-8") for path in (HERE.parents[1] / "src").rglob("*.py"))
    written = {schema for source in sources for schema in re.findall(r'"mineproof/([a-z-]+/[0-9]+)"', source)}
    assert written == EXAMPLES.keys() | OTHERS


# seeds


def layouts() -> Iterator[tuple[str, mp.Layout]]:
    for level in ("beginner", "intermediate", "expert", "7x5x6"):
        for seed in (0, 7, 2**64 - 1):
            yield f"{level}, seed {seed}", mp.generate(level, seed=seed)
    for topology in WRAPPED:
        yield f"9x9x10, {topology}", mp.generate("9x9x10", seed=1, topology=topology)
    yield "9x9x10, hole", mp.generate("9x9x10", seed=1, absent=[(4, 4), (0, 0)])
    yield "expert, number 5, open", mp.generate("expert", seed=3, number=5, start=(8, 15), first_click="open")
    yield "expert, 3BV", mp.generate("expert", seed=3, bbbv=(100, 140))
    for method in get_args(Method):
        for level in ("beginner", "expert"):
            yield f"{level}, {method}", mp.generate(level, seed=7, no_guess=True, method=method)
    for topology in WRAPPED:
        yield f"9x9x10, {topology}, no guess", mp.generate("9x9x10", seed=1, topology=topology, no_guess=True)
    yield "30x16x130, no guess", mp.generate("30x16x130", seed=7, no_guess=True)
    yield "beginner, needs", mp.generate("beginner", seed=2, no_guess=True, needs="partition", hardest="bounds")
    yield "beginner, difficulty", mp.generate("beginner", seed=2, no_guess=True, difficulty=(3, 6))


def digest(layout: mp.Layout) -> str:
    return hashlib.sha256(json.dumps(sorted(layout.mines)).encode()).hexdigest()[:16]


def test_seeds_give_the_same_layouts() -> None:
    found = {name: digest(layout) for name, layout in layouts()}
    assert held(SEEDS, found) == found


def test_samples_and_puzzles_of_a_seed() -> None:
    sample = [sorted(layout) for layout in mp.sample_layouts(POSITION, 2, seed=5)]
    assert hashlib.sha256(json.dumps(sample).encode()).hexdigest()[:16] == SAMPLE
    assert (puzzle().technique, sorted(puzzle().solution)) == ("bounds", [(0, 4)])
    assert mp.daily_puzzle(date(2026, 11, 16)).seed == 20261116


SAMPLE = "9b0bdc5d85cac4fa"


# certificates


def test_certificates_stay_valid() -> None:
    """The stored ones were made when this test was written, with and without a digest."""
    made: dict[str, Any] = {
        str(topology): {"layout": layout.as_json(), "certificate": layout.certificate.as_json()}
        for topology in CLASSIC
        for layout in [mp.generate(6, 6, 7, seed=3, topology=topology, no_guess=True)]
    }
    made["without a digest"] = json.loads(json.dumps(made["grid"]))
    del made["without a digest"]["certificate"]["digest"]
    golden = held(CERTIFICATES, made)
    assert len(golden) == 4
    for stored in golden.values():
        layout = mp.formats.read(json.dumps(stored["layout"])).value
        assert isinstance(layout, mp.Layout)
        mp.verify(mp.Certificate.from_json(json.dumps(stored["certificate"])), layout)
