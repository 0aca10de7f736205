"""A technique is one object in one file: everything else finds it in the ladder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mineproof.deduction.ladder import LADDER, register_technique, single_techniques
from mineproof.deduction.technique import Technique
from mineproof.wording.catalogue import has_message

MODULE = '''
"""A technique from outside the package: a 1 with one covered cell."""

from mineproof.deduction.ladder import register_technique
from mineproof.deduction.state import Finding
from mineproof.deduction.technique import Technique
from mineproof.wording.clauses import Clause


def find(state):
    for number, (cells, need) in state.restrictions().items():
        if need == 1 == cells.bit_count():
            yield Finding(0, cells, (number,), Clause("argument", parts=(Clause("so-mines", state.cells(cells)),)))


register_technique(
    Technique(
        "lone-cell", find, fewest_numbers=1, start_rating=650.0, single=True, finds_mines_only=True,
        english={"label": "Lone cell", "activity": "finding lone cells", "question-one": "How many cells?"},
    ),
    before="single-open",
)
'''


def run(tmp_path: Path, program: str) -> str:
    """Run a program in a process in which the module is imported first, before the lists are built."""
    (tmp_path / "lone_cell.py").write_text(MODULE)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "COLUMNS": "300"}
    code = f"import lone_cell\n{program}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def command(*arguments: str) -> str:
    lines = ["from mineproof.cli import main", "try:", f"    main({list(arguments)!r})", "except SystemExit as end:"]
    return "\n".join([*lines, "    assert not end.code"])


def test_in_the_ladder_and_in_deductions(tmp_path: Path) -> None:
    program = (
        "import json, mineproof as mp\n"
        "from mineproof.deduction.ladder import LADDER\n"
        "step = mp.deduce(mp.Board.parse('1#/11'))[0]\n"
        "print(json.dumps([list(LADDER), step.technique, step.text, mp.hint(mp.Board.parse('1#/11')).level(2)]))"
    )
    ladder, technique, text, hint = json.loads(run(tmp_path, program))
    assert ladder == ["lone-cell", *LADDER]
    assert (technique, text) == ("lone-cell", "So (0,1) is a mine.")
    assert "How many cells?" in hint


@pytest.mark.parametrize("name", ["puzzle", "solve", "generate"])
def test_in_the_help(tmp_path: Path, name: str) -> None:
    words = " ".join(run(tmp_path, command(name, "--help")).split()).replace("- ", "-")  # a line may end with a hyphen
    assert "lone-cell, single-open" in words


def test_on_the_command_line(tmp_path: Path) -> None:
    answer = json.loads(run(tmp_path, command("solve", "1#/11", "--technique", "lone-cell", "--json")))
    assert [step["technique"] for step in answer["steps"]] == ["lone-cell"]


def test_in_the_api_and_on_the_page(tmp_path: Path) -> None:
    program = (
        "import json, mineproof as mp\n"
        "from mineproof.web.openapi import document\n"
        "from mineproof.web.routes import ROUTES\n"
        "from mineproof.practice.progress import Training\n"
        f"with Training.open({str(tmp_path)!r}) as training:\n"
        "    print(json.dumps([document(ROUTES), training.techniques_json()]))"
    )
    document, techniques = json.loads(run(tmp_path, program))
    solve = document["components"]["schemas"]["SolveRequest"]["properties"]["technique"]
    assert "lone-cell" in json.dumps(solve)
    assert techniques[0] == {"name": "lone-cell", "label": "Lone cell", "rating": 650.0, "deviation": 150.0, "right": 0}


def test_in_the_table_of_the_documents(tmp_path: Path, root: Path) -> None:
    program = (
        f"import sys\nsys.path.insert(0, {str(root / 'tools')!r})\n"
        "import technique_table\nprint(technique_table.table())"
    )
    assert "| [`lone-cell`](#lone-cell) | Lone cell |" in run(tmp_path, program)


def test_the_table_of_the_documents_is_that_of_the_ladder(root: Path) -> None:
    """If this fails: ``python tools/technique_table.py``."""
    lines = (root / "docs/techniques.md").read_text("utf-8").splitlines()
    for name, technique in LADDER.items():
        row = f"| [`{name}`](#{name}) | {technique.label} | {technique.looks_at} | {technique.origin} |"
        assert row in lines, row


def test_no_other_file_lists_the_techniques(root: Path) -> None:
    """Three of these names in one file are a list by hand. Variants have techniques of their own with such names."""
    names = ('"partition"', '"elimination"', '"contradiction"', '"exhaustive"')
    for path in sorted((root / "src/mineproof").rglob("*.py")):
        if path.relative_to(root / "src/mineproof").parts[0] not in ("deduction", "variants"):
            text = path.read_text("utf-8")
            assert sum(name in text for name in names) < 3, path


def test_every_technique_has_its_texts() -> None:
    for name in LADDER:
        for topic in ("label", "activity", "question-many"):
            assert has_message(f"technique-{name}-{topic}"), (name, topic)


def test_a_name_is_registered_once() -> None:
    before = list(LADDER)
    with pytest.raises(ValueError, match="A technique named bounds is registered already"):
        register_technique(LADDER["bounds"])
    with pytest.raises(ValueError, match="before must be one of"):
        register_technique(Technique("new", LADDER["bounds"].find, 2, 1000.0), before="nothing")
    assert list(LADDER) == before


def test_single_techniques_come_first() -> None:
    assert single_techniques() == ["single-open", "single-flag"] == list(LADDER)[:2]
