"""The lines below the board with the current message; a key opens a message that is too long for them."""

from __future__ import annotations

from textual.widgets import Static

from mineproof.base.words import wrap_text
from mineproof.wording.catalogue import message


class MessageLines(Static):
    """A message, wrapped between words; `text` is the whole message."""

    def __init__(self, text: str = "") -> None:
        super().__init__(markup=False)
        self.text = text

    def show_text(self, text: str) -> None:
        self.text = text
        self._wrap()

    def on_resize(self) -> None:
        self._wrap()

    def _wrap(self) -> None:
        width, height = self.content_size
        lines = wrap_text(self.text, width)
        if len(lines) > height > 0:
            more = f" {message('tui-more')}"
            lines[height - 1 :] = [lines[height - 1][: max(0, width - len(more))] + more]
        self.update("\n".join(lines))
