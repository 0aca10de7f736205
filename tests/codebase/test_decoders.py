"""What reads JSON into classes is made when its module is imported, under Python's lock of imports.

msgspec works out a class when it is first asked to read it, and shows what it has so far to other threads meanwhile.
Two that ask first at the same time crash the process, where a class has another one in it: a server did that reads
games of others in several threads.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from codebase.test_layers import KNOWLEDGE, TRUTH

ROOMS = (*KNOWLEDGE, *TRUTH, "formats", "replays", "history", "practice", "web")  # what a server calls in threads


@pytest.mark.slow
def test_no_decoder_is_made_on_the_way(root: Path) -> None:
    found = [where for room in ROOMS for where in made_on_the_way(root / "src/mineproof" / room)]
    assert found == []


def made_on_the_way(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=func, keywords=[*words]) if ast.unparse(func) == "msgspec.json.decode":
                    if any(word.arg == "type" for word in words):
                        yield f"{path.name}:{node.lineno}: {ast.unparse(node)}"


def test_the_walk_finds_them(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import msgspec\ndef f(text):\n    return msgspec.json.decode(text, type=int)\n")
    assert list(made_on_the_way(tmp_path)) == ["a.py:3: msgspec.json.decode(text, type=int)"]
