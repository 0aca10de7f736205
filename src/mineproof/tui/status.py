"""The line above the board: mines left, time, state of the game, rules, and the cell under the cursor."""

from __future__ import annotations

from mineproof.board.cells import Cell
from mineproof.game.game import Game
from mineproof.tui.texts import cell_label, format_clock, topology_name
from mineproof.wording.catalogue import message, plural

FACES = {"new": ":-)", "running": ":-)", "won": "B-)", "lost": "X-("}


def status_line(game: Game, cursor: Cell, width: int, *, no_guess: bool = False, sea: str = "", odds: str = "") -> str:
    """Return as much of the line as fits, the most important parts first; unusual rules are always among them.

    If odds are shown, ``sea`` are the odds of all cells that touch no number, and ``odds`` those under the cursor.
    """
    label = cell_label(cursor)
    place = message("tui-status-odds", cell=label, odds=odds) if odds else label
    mines, time = message("tui-status-mines", count=game.mines_left), format_clock(game.seconds)
    face = FACES[game.status]
    state = f"{face} {message(f'tui-status-{game.status}')}"
    rule, redraws = message(f"tui-fairness-{game.rules.fairness}"), game.redraws
    is_fair = game.rules.fairness != "none"
    fairness = plural("tui-status-redraws", redraws, rule=rule) if is_fair else ""
    short_fairness = f"{rule} {redraws}" if is_fair else ""
    shape = "" if game.board.topology == "grid" else topology_name(game.board.topology)
    unusual = [message("tui-status-no-guess") if no_guess else "", shape, f"· {sea} %" if sea else ""]
    fairness_title = message("tui-status-fairness", rule=fairness or rule)
    redrawn = message("tui-status-redrawn", count=redraws) if redraws else ""
    for parts in (
        (mines, message("tui-status-time", time=time), state, fairness_title, *unusual,
         message("tui-status-cell", place=place)),
        (mines, time, state, fairness, *unusual, place),
        (mines, time, face, fairness, *unusual),
        (str(game.mines_left), time, face, short_fairness, *unusual),
        (str(game.mines_left), time, short_fairness, *unusual),
        (str(game.mines_left), time, face, redrawn),
    ):  # fmt: skip
        text = "  ".join(filter(None, parts))
        if len(text) <= width:
            break
    return text[:width]
