"""The examples of README and docs are well typed: each document is one program for mypy --strict and pyright.

pytest runs the same examples as doctests. Here their types are checked, so that code copied from a document passes the
type checker of the reader's project.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FENCE = re.compile(r"^```(pycon|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
UNTYPED = ("dask_jobqueue", "dask_kubernetes", "distributed", "pandas", "polars", "pyarrow", "torch")

MYPY = """\
[mypy]
strict = True
allow_redefinition_new = True
local_partial_types = True
untyped_calls_exclude = distributed
""" + "".join(f"\n[mypy-{name}.*]\nignore_missing_imports = True\n" for name in UNTYPED)  # fmt: skip


def program(document: str) -> str:
    """The Python code of a document, as one program."""
    parser = doctest.DocTestParser()
    parts = [
        body if kind == "python" else "".join(example.source for example in parser.get_examples(body))
        for kind, body in FENCE.findall(document)
    ]
    return "\n".join(parts)


@pytest.fixture(scope="module")
def programs(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program for each document that has examples."""
    folder = tmp_path_factory.mktemp("programs")
    for path in (root / "README.md", *sorted((root / "docs").rglob("*.md"))):
        document = path.relative_to(root)
        if code := program(path.read_text("utf-8")):
            name = re.sub(r"\W", "_", str(document.with_suffix("")))
            (folder / f"{name}.py").write_text(code, "utf-8")
    return folder


def test_programs_are_found(programs: Path) -> None:
    assert {"README.py", "docs_generate.py", "docs_first_steps.py"} <= {path.name for path in programs.iterdir()}
    assert program("```pycon\n>>> a = 1\n>>> a\n1\n```\nwords\n```python\nb = a\n```\n") == "a = 1\na\n\nb = a\n"


@pytest.mark.slow
def test_mypy(programs: Path, root: Path, tmp_path: Path) -> None:
    config = tmp_path / "mypy.ini"
    config.write_text(MYPY, "utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(config),
        "--cache-dir",
        str(root / "build/mypy-examples"),
        ".",
    ]
    done = subprocess.run(command, check=False, cwd=programs, capture_output=True, text=True, env=environment(root))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_pyright(programs: Path, root: Path) -> None:
    pyright = root / "node_modules/.bin/pyright"
    if not pyright.exists() or shutil.which("node") is None:
        assert "CI" not in os.environ, "pyright is missing: make installs it where Node.js 20.19 or newer and npm are"
        pytest.skip("pyright is missing: it needs Node.js 20.19 or newer and npm, and make installs it")
    settings = {
        "include": ["."],
        "extraPaths": [str(root / "src")],
        "pythonVersion": "3.11",
        "reportMissingImports": False,  # packages without types; mypy sees the rest
    }
    (programs / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = [str(pyright), "--project", str(programs), "--pythonpath", sys.executable, "--level", "error"]
    done = subprocess.run(command, check=False, cwd=programs, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def environment(root: Path) -> dict[str, str]:
    return {**os.environ, "MYPYPATH": str(root / "src")}
