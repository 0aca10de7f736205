"""The directive ``essay``: the text at the head of a module, which explains an algorithm. The module is not imported.

Docstrings are plain text. Labels such as ``Idea`` and ``Cost`` stand in a column of their own with the text hung beside
them; here they become definitions, in essays and in the docstrings that autodoc reads. A module whose docstring has
such labels and that no page shows is a warning.
"""

import ast
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

SOURCE = Path(__file__).parents[2] / "src"
LABEL = re.compile(r"([A-Z][a-z]+(?: [a-z]+)?) {2,}(?=\S)")  # Idea    A reveal opens …
BULLET = re.compile(r"(\* ``[^`]+``) +(?=\S)")  # * ``none``    never;
ALIGNED = re.compile(r"\* ``[^`]+`` {2,}\S")
NOT_OURS = re.compile(r"Alias for field number \d+|[A-Z]\w+\(.*\)")  # what Python says of a NamedTuple or dataclass


def readable(lines: list[str]) -> list[str]:
    """A docstring as reStructuredText."""
    told: list[str] = []
    aligned = any(ALIGNED.match(line) for line in lines)
    hang, inner = 0, ""  # column of the text beside a label or bullet, in the source and in the output
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if start := LABEL.match(line) or BULLET.match(line):
            hang = start.end()
            if start.re is LABEL:
                inner = "    "
                told += ["", start[1], inner + line[hang:]]
            else:
                inner = "  "
                told.append(f"{start[1]}{':' if aligned else ''} {line[hang:]}")
        elif hang and text and indent == hang:
            told.append(inner + text)
        elif hang and text and indent > hang:  # a formula
            told += ["", f"{inner}    {text}", ""]
        else:
            hang = hang if indent or not text else 0
            told.append(line)
    return told


def source(module: str) -> Path:
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def docstring(path: Path) -> list[str]:
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")


class Essay(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (module,) = self.arguments
        self.env.note_dependency(source(module))
        lines = [f".. py:module:: {module}", "", *readable(docstring(source(module)))]
        return self.parse_text_to_nodes("\n".join(["`````{eval-rst}", *lines, "`````"]))


def process(_app: Sphinx, what: str, _name: str, _thing: object, _options: object, lines: list[str]) -> None:
    not_ours = what == "data" or any(map(NOT_OURS.fullmatch, lines[:1]))  # a constant has the docstring of its class
    lines[:] = [] if not_ours else readable(lines)


def check(_app: Sphinx, env: BuildEnvironment) -> None:
    shown = env.domains["py"].modules
    for path in sorted((SOURCE / "mineproof").rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        if module not in shown and any(map(LABEL.match, docstring(path))):
            getLogger(__name__).warning("no page shows the essay of %s", module)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("essay", Essay)
    app.connect("autodoc-process-docstring", process)
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True}
