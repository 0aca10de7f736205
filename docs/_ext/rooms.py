"""The directive ``room``: the public names of a room, as ``__init__.pyi`` lists them, and where names link to.

A public name is shown as people use it, ``mineproof.analyze``, whichever module it is made in. Names in the body of the
directive come first, public or not. A public name that no page shows is a warning.
"""

import inspect
from importlib import import_module

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.autodoc.mock import mock
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

import mineproof

ORDER = ("autofunction", "autoclass", "autoexception", "autodata")
PUBLIC = {name: module for name, module in mineproof._ROOMS.items() if module != "mineproof"}


def kind(module: str, name: str) -> str:
    """The directive of autodoc for a name."""
    thing = getattr(import_module(module), name)
    if inspect.isclass(thing):
        return "autoexception" if issubclass(thing, Exception) else "autoclass"
    return "autofunction" if inspect.isfunction(thing) else "autodata"


class Room(SphinxDirective):
    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        (room,) = self.arguments
        listed = [f"mineproof.{name}" for name, module in PUBLIC.items() if f"{module}.".startswith(f"{room}.")]
        with mock(self.config.autodoc_mock_imports):
            kinds = {name: kind(*name.rsplit(".", 1)) for name in [*self.content, *listed]}
        rest = sorted(
            set(listed).difference(self.content), key=lambda name: (ORDER.index(kinds[name]), listed.index(name))
        )
        lines = [line for name in [*self.content, *rest] for line in (f".. {kinds[name]}:: {name}", "")]
        return self.parse_text_to_nodes("\n".join(["`````{eval-rst}", *lines, "`````"]))


def link(app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.Element) -> nodes.Element | None:
    """A name that was not found where it was used: a public one, or a room."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    inside = next((f"{module}." for name, module in PUBLIC.items() if f"{target}.".startswith(f"{module}.{name}.")), "")
    name = target.removeprefix(inside)
    return env.domains["py"].resolve_xref(env, node["refdoc"], app.builder, "obj", f"mineproof.{name}", node, shown)


def sign(_app: Sphinx, _what: str, _name: str, _thing: object, _options: object, signature: str, returns: str | None):
    """A protocol is not called: the signature that Python makes up for it is left out."""
    return ("", None) if signature == "(*args, **kwargs)" else (signature, returns)


def check(_app: Sphinx, env: BuildEnvironment) -> None:
    for name in sorted(PUBLIC):
        if f"mineproof.{name}" not in env.domains["py"].objects:
            getLogger(__name__).warning("no page shows mineproof.%s", name)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("room", Room)
    app.connect("autodoc-process-signature", sign)
    app.connect("missing-reference", link)
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True}
