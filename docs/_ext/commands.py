"""The directive ``commands``: what ``mineproof --help`` and ``mineproof COMMAND --help`` print, a section for each.

The help of commands below a command follows its own.
"""

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from mineproof.cli import COMMANDS, main

WIDTH = 84  # what a page shows without a bar


def help_of(command: click.Command, name: str) -> str:
    return command.get_help(click.Context(command, info_name=name, **main.context_settings | {"terminal_width": WIDTH}))


class Commands(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        group = click.Context(main, info_name="mineproof")
        shown: list[nodes.Node] = [self.literal(help_of(main, "mineproof"))]
        for name, summary in COMMANDS.items():
            command = main.get_command(group, name)
            assert command is not None, name
            section = nodes.section(ids=[name], names=[name])
            section += [nodes.title(text=name), nodes.paragraph(text=summary)]
            section += self.literal(help_of(command, f"mineproof {name}"))
            below = command.commands if isinstance(command, click.Group) else {}
            section += [self.literal(help_of(each, f"mineproof {name} {part}")) for part, each in below.items()]
            self.state.document.note_explicit_target(section)
            shown.append(section)
        return shown

    def literal(self, text: str) -> nodes.literal_block:
        return nodes.literal_block(text, text, language="text")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
