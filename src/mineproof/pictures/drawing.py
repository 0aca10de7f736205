"""`draw`: a picture of whatever there is to see."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mineproof.advice.hints import Hint
from mineproof.advice.hints import hint as find_hint
from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base import checks, files
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.decision.choosing import best_move
from mineproof.decision.moves import BestMove
from mineproof.deduction.deduction import Deduction
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Record
from mineproof.game.reviews import Review
from mineproof.pictures import scenes
from mineproof.pictures.palette import THEMES, Theme
from mineproof.pictures.raster import LARGEST_SCALE, rasterise
from mineproof.pictures.rich_picture import RichPicture, rich_picture
from mineproof.pictures.scene import Scene, bare
from mineproof.pictures.svg import svg, written_size
from mineproof.practice.puzzles import Puzzle

if TYPE_CHECKING:
    from os import PathLike

SCHEMA = "mineproof/picture/1"
MOST_CELLS = 40_000  # of a picture: 3 MB
MOST_PIXELS = 50_000_000  # of a PNG: 200 MB while it is made

Drawable = Board | str | Analysis | Hint | BestMove | Deduction | Game | Record | Review | Layout | Puzzle
KINDS = "a board, an Analysis, a Hint, a Deduction, a BestMove, a Game, a Record, a Review, a Layout or a Puzzle"


class Picture:
    """A drawing, which notebooks show as SVG and rich terminals as text."""

    def __init__(self, what: object, scene: Scene, theme: Theme, *, legend: bool, coordinates: bool) -> None:
        self._what, self._scene, self._theme = what, scene, theme
        self._legend, self._coordinates = legend, coordinates

    @cached_property
    def svg(self) -> str:
        """The picture as text."""
        return self._written(self._theme)

    def _written(self, theme: Theme) -> str:
        return svg(self._scene, theme, legend=self._legend, coordinates=self._coordinates)

    @property
    def title(self) -> str:
        return self._scene.title

    def png(self, scale: float = 1) -> bytes:
        """The same in pixels, so many for each unit; ImportError without the extra ``image``."""
        if not 0 < checks.number("scale", scale, 0) <= LARGEST_SCALE:
            raise ValueError(f"found scale={scale}, expected more than 0, at most {LARGEST_SCALE}")
        text = self._written("light" if self._theme == "auto" else self._theme)
        width, height = written_size(text)
        if width * height * scale**2 > MOST_PIXELS:
            size = f"{width * scale:,.0f} by {height * scale:,.0f} pixels"
            raise ValueError(
                f"found a picture of {size}, expected at most {MOST_PIXELS:,} in all: take a smaller scale"
            )
        return rasterise(text, scale)

    def save(self, path: str | PathLike[str], *, scale: float = 1) -> None:
        """Write a file, in one step: SVG or PNG, as its name ends."""
        target = Path(path)
        match target.suffix.lower():
            case ".svg":
                files.write(target, self.svg.encode())
            case ".png":
                files.write(target, self.png(scale))
            case other:
                raise ValueError(f"found a name that ends with {other!r}, expected .svg or .png")

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/picture/1`` shape."""
        return {"schema": SCHEMA, "title": self.title, "svg": self.svg}

    def _repr_svg_(self) -> str:
        return self.svg

    def __rich__(self) -> RichPicture | str:
        return rich_picture(self._what)

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"


def draw(
    what: Drawable,
    board: Board | str | None = None,
    *,
    odds: bool = False,
    hint: bool = False,
    best: bool = False,
    density: float | Fraction | None = None,
    theme: Theme = "auto",
    legend: bool = True,
    coordinates: bool = True,
    budget: Budget | float | None = None,
) -> Picture:
    """A picture of a board, or of what was found out about one.

    Of a board, ``odds`` adds the chance of a mine of every covered cell, ``hint`` the next step with the numbers of its
    proof, and ``best`` the best move with what it may show. A `Hint`, a `BestMove` and a `Deduction` know the board
    they are about; another ``board`` may be handed in, and must be for a `Deduction` that was read from a file. Of a
    game, what the player sees is drawn, and its mines once it is over; of a review, every guess on the last board.
    Flags are taken for mines, as `analyze` does; ``density`` is for the odds of a board whose total is unknown.

    ``theme`` is ``"light"``, ``"dark"``, or ``"auto"`` for that of the reader's system. ``legend`` are the words below,
    ``coordinates`` the numbers of rows and columns.

    >>> picture = draw("1#/##", odds=True)
    >>> picture
    <Picture: Minesweeper, 2 × 2: odds>
    >>> picture.svg[:5]
    '<svg '
    """
    for name, value in (
        ("odds", odds),
        ("hint", hint),
        ("best", best),
        ("legend", legend),
        ("coordinates", coordinates),
    ):
        checks.flag(name, value)
    checks.one_of("theme", theme, THEMES)
    wishes = _Wishes(odds, hint, best, density, Budget.of(budget))
    scene = _scene(what, _as_board(board), wishes)
    return Picture(what, scene, theme, legend=legend, coordinates=coordinates)


def _as_board(value: object) -> Board | None:
    if value is None or isinstance(value, Board):
        return value
    return Board.parse(checks.instance("board", value, str, "or a Board"))


class _Wishes(NamedTuple):
    """What is to be worked out and added."""

    odds: bool
    hint: bool
    best: bool
    density: float | Fraction | None
    budget: Budget


def _scene(what: object, board: Board | None, wishes: _Wishes) -> Scene:
    match what:
        case Board():
            return _of_board(what, wishes)
        case str():
            return _of_board(Board.parse(what), wishes)
        case Deduction() | Hint() | BestMove():
            return _about(what, board, wishes)
        case Analysis():
            _require_small(what.board)
            return _added(scenes.of_analysis(what), what.board, wishes._replace(odds=False))
        case Game():
            return _of_game(what, wishes)
        case Record():
            return _of_game(Game.replay(what), wishes)
        case Review():
            _require_small(what.board)
            _refuse(wishes, "a Review")
            return scenes.of_review(what)
        case Puzzle():
            return _of_puzzle(what, wishes)
        case Layout():
            _require_small(what.board())
            _refuse(wishes, "a Layout")
            return scenes.of_layout(what)
    raise TypeError(f"found something of type {type(what).__name__}, expected {KINDS}")


def _of_board(board: Board, wishes: _Wishes) -> Scene:
    _require_small(board)
    return _added(bare(board), board, wishes)


def _added(scene: Scene, board: Board, wishes: _Wishes) -> Scene:
    """The picture of a board with what was wished for."""
    odds, hint, best, density, budget = wishes
    if odds:
        scenes.add_analysis(scene, analyze(board, density=density, budget=budget))
    if hint:
        scenes.add_hint(scene, find_hint(board, flags="trust", density=density, budget=budget))
    if best:
        scenes.add_best(scene, best_move(board, budget=budget))
    return scene


def _refuse(wishes: _Wishes, what: str) -> None:
    if wishes.odds or wishes.hint or wishes.best:
        raise ValueError(f"found {what}, expected a position for odds, hints and best moves")


def _of_game(game: Game, wishes: _Wishes) -> Scene:
    _require_small(game.board)
    if game.is_over:
        _refuse(wishes, "a game that is over")
    return _added(scenes.of_game(game), game.board, wishes)


def _about(what: Deduction | Hint | BestMove, board: Board | None, wishes: _Wishes) -> Scene:
    about = what.board if board is None else board
    if about is None:
        raise ValueError(f"found a {type(what).__name__} without board, expected the board that it is about")
    scene = _of_board(about, wishes._replace(hint=False, best=False))
    match what:
        case Deduction():
            scenes.add_step(scene, what)
        case Hint():
            scenes.add_hint(scene, what)
        case BestMove():
            scenes.add_best(scene, what)
    return scene


def _of_puzzle(what: Puzzle, wishes: _Wishes) -> Scene:
    scene = _of_board(what.board, wishes)
    scene.text = scene.text or what.task
    return scene


def _require_small(board: Board) -> None:
    if len(board.codes) > MOST_CELLS:
        raise ValueError(f"found a board of {len(board.codes):,} cells, expected at most {MOST_CELLS:,} in a picture")
