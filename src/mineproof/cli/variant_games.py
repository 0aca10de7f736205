"""Games of variants, for ``play --rules`` and ``watch --rules``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base import files
from mineproof.board.levels import Size, size_on
from mineproof.board.start import FirstClick
from mineproof.cli import output
from mineproof.cli.failure import usage_error
from mineproof.cli.phrases import board_size
from mineproof.errors import MineproofError
from mineproof.game.variant_autoplayer import autoplay_variant, variant_watch_json
from mineproof.game.variant_deals import deal_variant
from mineproof.game.variant_gallery import gallery_size
from mineproof.game.variant_game import VariantGame
from mineproof.game.variant_layout import VARIANT_GAME_MAX_CELLS
from mineproof.variants.variant import Variant

if TYPE_CHECKING:
    from mineproof.board.cells import Cell
    from mineproof.board.geometry import Topology

SAVED_NAME = "variant.json"
SAVED_MAX_BYTES = 16 * 2**20


def variant_of(text: str) -> Variant:
    """Return the variant of names; UsageError for an unknown one."""
    try:
        return Variant.parse(text)
    except ValueError as error:
        raise usage_error(error) from None


def new_game(
    variant: Variant,
    size: Size | None,
    seed: int,
    first_click: FirstClick,
    start: Cell | None,
    topology: Topology = "grid",
) -> VariantGame:
    """Return a new game; without a size, that of the gallery."""
    try:
        variant.require_shape(topology)
    except ValueError as error:
        raise usage_error(error) from None
    rows, columns, mines = size or size_on(topology, gallery_size(variant.text))
    if rows * columns > VARIANT_GAME_MAX_CELLS:
        raise click.UsageError(f"A game of a variant has at most {VARIANT_GAME_MAX_CELLS:,} cells.")
    if mines >= rows * columns * variant.cell_max:
        raise click.UsageError("expected a cell without a mine, got a mine in every cell")
    if start is not None and not (start[0] < rows and start[1] < columns):
        raise click.UsageError(f"--start must be on the board of {board_size(rows, columns)}")
    layout = deal_variant(rows, columns, mines, variant, topology=topology, seed=seed, start=start)
    return VariantGame(layout, first_click=first_click, seed=seed)


def watch_variant(
    game: VariantGame, *, start: Cell | None, delay: float, budget: float, seed: int, as_json: bool
) -> None:
    """Print the steps of a game and its end."""
    if as_json:
        output.print_json(variant_watch_json(game, seed))
    try:
        for turn in autoplay_variant(game, start=start, budget=budget):
            if as_json:
                output.print_json(turn.as_json())
            else:
                click.echo(f"{turn.number:3}  {turn.kind:5}  {turn.text}")
            time.sleep(delay)
    finally:
        if as_json:
            output.print_json(game.as_json())
        else:
            click.echo(f"\n{game}\n\n{_end(game)}")


def _end(game: VariantGame) -> str:
    from mineproof.wording.catalogue import message

    return message(f"tui-status-{game.status}")


def play_variant(
    variant: Variant,
    size: Size | None,
    seed: int | None,
    first_click: FirstClick,
    path: Path,
    topology: Topology,
    *,
    fresh: bool,
) -> int:
    """Play games of a variant in the terminal: the unfinished game of the file with these rules, or new ones."""
    from mineproof.base.rng import fresh_seed
    from mineproof.tui.variant_app import VariantTerminalGame

    seeds = iter([seed] if seed is not None else [])

    def deal() -> VariantGame:
        return new_game(variant, size, next(seeds, fresh_seed()), first_click, None, topology)

    saved = None if fresh or size is not None or seed is not None else load_game(path)
    resumes = saved is not None and not saved.is_over and (saved.variant, saved.topology) == (variant, topology)
    game = saved if saved is not None and resumes else deal()
    app = VariantTerminalGame(game, deal, path, handle_signals=True)
    status = app.run()
    return (app.return_code or 0) if status is None else status


def saved_path() -> Path:
    """Return the file of the game that ``play --rules`` resumes."""
    return files.state_folder() / SAVED_NAME


def load_game(path: Path) -> VariantGame | None:
    """Return the game of a file, or None if there is none that can be read."""
    try:
        return VariantGame.load(files.read(path, SAVED_MAX_BYTES).decode("utf-8"))
    except (OSError, MineproofError, ValueError):
        return None
