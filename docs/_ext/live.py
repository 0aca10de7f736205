"""The directive ``live``: a board that the reader of the static site edits, with its odds (`site/live.js`).

Elsewhere it is a block of text.
"""

from html import escape
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Live(SphinxDirective):
    has_content = True
    option_spec: ClassVar = {"mines": directives.nonnegative_int}

    def run(self) -> list[nodes.Node]:
        mines = f' data-mines="{self.options["mines"]}"' if "mines" in self.options else ""
        board = escape("\n".join(self.content))
        text = f'<div class="live"{mines}><pre>{board}</pre></div>'
        return [nodes.raw("", text, format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("live", Live)
    app.add_js_file("live.js", type="module")
    return {"parallel_read_safe": True}
