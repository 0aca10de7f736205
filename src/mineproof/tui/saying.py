"""The lines below the board that say what happened; what does not fit is a key away."""

from __future__ import annotations

import textwrap

from textual.widgets import Static

MORE = " … (t: all of it)"


class Saying(Static):
    """A message, folded between words; `message` is all of it."""

    def __init__(self, message: str = "") -> None:
        super().__init__(markup=False)
        self.message = message

    def say(self, message: str) -> None:
        self.message = message
        self._fold()

    def on_resize(self) -> None:
        self._fold()

    def _fold(self) -> None:
        width, height = self.content_size
        lines = textwrap.wrap(self.message, max(1, width), break_on_hyphens=False)
        if len(lines) > height > 0:
            lines[height - 1 :] = [lines[height - 1][: max(0, width - len(MORE))] + MORE]
        self.update("\n".join(lines))
