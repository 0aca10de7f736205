"""`draw` returns a picture of a board, an analysis, a move, a game or a review."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mineproof.advice.hints import Hint
from mineproof.advice.hints import hint as find_hint
from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base import checks, files
from mineproof.base.budget import Budget
from mineproof.base.cached import cached_property
from mineproof.board.board import Board
from mineproof.decision.best_moves import best_move
from mineproof.decision.moves import BestMove
from mineproof.deduction.deduction import Deduction
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Record
from mineproof.game.reviews import Review
from mineproof.pictures import scenes, variant_scenes
from mineproof.pictures.palette import THEMES, Theme
from mineproof.pictures.raster import MAX_SCALE, rasterise
from mineproof.pictures.rich_picture import RichPicture, rich_picture
from mineproof.pictures.scene import Scene, board_scene
from mineproof.pictures.svg import svg, written_size
from mineproof.practice.puzzles import Puzzle
from mineproof.variants.variant_analysis import VariantAnalysis
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_hints import VariantHint
from mineproof.variants.variant_moves import VariantBestMove
from mineproof.variants.variant_steps import VariantDeduction
from mineproof.wording.catalogue import language, use_language
from mineproof.wording.cells import cell_labels, use_cell_labels

if TYPE_CHECKING:
    from os import PathLike

    from mineproof.pictures.wire import PictureJson

SCHEMA: Final = "mineproof/picture/1"
PICTURE_MAX_CELLS = 40_000  # 3 MB of SVG
PNG_MAX_PIXELS = 50_000_000  # 200 MB of memory

VariantResult = VariantAnalysis | VariantHint | VariantBestMove | VariantDeduction
Drawable = (
    Board | str | Analysis | Hint | BestMove | Deduction | Game | Record | Review | Layout | Puzzle
    | VariantBoard | VariantResult
)  # fmt: skip
KINDS = (
    "a board, an Analysis, a Hint, a Deduction, a BestMove, a Game, a Record, a Review, a Layout, a Puzzle "
    "or a result about a VariantBoard"
)


class Picture:
    """A drawing; notebooks show it as SVG, rich terminals as text. Its language is that of the call of `draw`."""

    def __init__(self, what: object, scene: Scene, theme: Theme, *, legend: bool, coordinates: bool) -> None:
        self._what, self._scene, self._theme = what, scene, theme
        self._legend, self._coordinates = legend, coordinates
        self._language, self._cell_labels = language(), cell_labels()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and self.svg == other.svg

    def __hash__(self) -> int:
        return hash(self.svg)

    @cached_property
    def svg(self) -> str:
        """The picture as text."""
        return self._render(self._theme)

    def _render(self, theme: Theme) -> str:
        with use_language(self._language), use_cell_labels(self._cell_labels):
            return svg(self._scene, theme, legend=self._legend, coordinates=self._coordinates)

    @property
    def title(self) -> str:
        """Title of the picture: the size of the board and what is shown."""
        return self._scene.title

    def png(self, scale: float = 1) -> bytes:
        """Return the picture in pixels, ``scale`` of them for each unit; ImportError without the extra ``image``."""
        if not 0 < checks.number("scale", scale, 0) <= MAX_SCALE:
            raise ValueError(f"scale must be above 0 and at most {MAX_SCALE}, got {scale}")
        text = self._render("light" if self._theme == "auto" else self._theme)
        width, height = written_size(text)
        if width * height * scale**2 > PNG_MAX_PIXELS:
            size = f"{width * scale:,.0f} by {height * scale:,.0f} pixels"
            raise ValueError(f"A picture has at most {PNG_MAX_PIXELS:,} pixels, got {size}. Choose a smaller scale.")
        return rasterise(text, scale)

    def save(self, path: str | PathLike[str], *, scale: float = 1) -> None:
        """Write an SVG or PNG file in one step; the suffix of the name decides."""
        target = Path(path)
        match target.suffix.lower():
            case ".svg":
                files.write(target, self.svg.encode())
            case ".png":
                files.write(target, self.png(scale))
            case other:
                raise ValueError(f"the name must end with .svg or .png, got {other!r}")

    def as_json(self) -> PictureJson:
        """Return a JSON object of the schema ``mineproof/picture/1``."""
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
    density: float | Fraction | Decimal | None = None,
    theme: Theme = "auto",
    legend: bool = True,
    coordinates: bool = True,
    budget: Budget | float | None = None,
) -> Picture:
    """Return a picture of a board, or of a result about a board.

    On a board, ``odds`` adds the chance of a mine to every covered cell, ``hint`` the next step with the numbers of its
    proof, and ``best`` the best move with the numbers it can show. A `Hint`, a `BestMove` and a `Deduction` know their
    board; pass another one as ``board``, which a `Deduction` from a file needs. The picture of a game shows what the
    player sees, and the mines once the game is over. The picture of a review shows every guess on the last board.
    Flags count as mines, as in `analyze`. ``density`` is for the odds of a board with an unknown number of mines.

    ``theme`` is ``"light"``, ``"dark"``, or ``"auto"`` to follow the reader's system. ``legend`` adds the text below
    the board, ``coordinates`` the labels of rows and columns.

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
    overlays = _Overlays(odds, hint, best, density, Budget.of(budget))
    scene = _scene(what, _as_board(board), overlays)
    return Picture(what, scene, theme, legend=legend, coordinates=coordinates)


def _as_board(value: object) -> Board | None:
    if value is None or isinstance(value, Board):
        return value
    return Board.parse(checks.instance("board", value, str, "or a Board"))


class _Overlays(NamedTuple):
    """Results to compute and add to a picture."""

    odds: bool
    hint: bool
    best: bool
    density: float | Fraction | Decimal | None
    budget: Budget


def _scene(what: object, board: Board | None, overlays: _Overlays) -> Scene:
    match what:
        case Board():
            return _of_board(what, overlays)
        case str():
            return _of_board(Board.parse(what), overlays)
        case Deduction() | Hint() | BestMove():
            return _of_result(what, board, overlays)
        case Analysis():
            _require_small(what.board)
            return _add_overlays(scenes.of_analysis(what), what.board, overlays._replace(odds=False))
        case Game():
            return _of_game(what, overlays)
        case Record():
            return _of_game(Game.replay(what), overlays)
        case Review():
            _require_small(what.board)
            _require_no_overlays(overlays, "a Review")
            return scenes.of_review(what)
        case Puzzle():
            return _of_puzzle(what, overlays)
        case Layout():
            _require_small(what.board())
            _require_no_overlays(overlays, "a Layout")
            return scenes.of_layout(what)
        case VariantBoard():
            return _of_variant(what, overlays)
        case VariantAnalysis() | VariantHint() | VariantBestMove() | VariantDeduction():
            return _of_variant_result(what)
    raise TypeError(f"expected {KINDS}, got {type(what).__name__}")


def _of_board(board: Board, overlays: _Overlays) -> Scene:
    _require_small(board)
    return _add_overlays(board_scene(board), board, overlays)


def _add_overlays(scene: Scene, board: Board, overlays: _Overlays) -> Scene:
    """Compute the requested results and add them to a scene."""
    odds, hint, best, density, budget = overlays
    if odds:
        scenes.add_analysis(scene, analyze(board, density=density, budget=budget))
    if hint:
        scenes.add_hint(scene, find_hint(board, flags="trust", density=density, budget=budget))
    if best:
        scenes.add_best(scene, best_move(board, budget=budget))
    return scene


def _require_no_overlays(overlays: _Overlays, what: str) -> None:
    if overlays.odds or overlays.hint or overlays.best:
        raise ValueError(f"odds, hints and best moves need a position, got {what}")


def _of_game(game: Game, overlays: _Overlays) -> Scene:
    _require_small(game.board)
    if game.is_over:
        _require_no_overlays(overlays, "a game that is over")
    return _add_overlays(scenes.of_game(game), game.board, overlays)


def _of_result(what: Deduction | Hint | BestMove, board: Board | None, overlays: _Overlays) -> Scene:
    result_board = what.board if board is None else board
    if result_board is None:
        raise ValueError(f"The {type(what).__name__} has no board. Pass `board`.")
    scene = _of_board(result_board, overlays._replace(hint=False, best=False))
    match what:
        case Deduction():
            scenes.add_step(scene, what)
        case Hint():
            scenes.add_hint(scene, what)
        case BestMove():
            scenes.add_best(scene, what)
    return scene


def _of_puzzle(what: Puzzle, overlays: _Overlays) -> Scene:
    scene = _of_board(what.board, overlays)
    scene.text = scene.text or what.task
    return scene


def _of_variant(board: VariantBoard, overlays: _Overlays) -> Scene:
    _require_few(len(board.position.cells))
    scene = variant_scenes.of_variant(board)
    if overlays.odds:
        analysis = board.analyze(density=overlays.density, budget=overlays.budget)
        variant_scenes.add_variant_odds(scene, analysis)
    if overlays.hint:
        variant_scenes.add_variant_hint(scene, board.hint(density=overlays.density, budget=overlays.budget))
    if overlays.best:
        variant_scenes.add_variant_best(scene, board.best_move(budget=overlays.budget))
    return scene


def _of_variant_result(what: VariantResult) -> Scene:
    board = VariantBoard(what.position, what.variant) if isinstance(what, VariantAnalysis) else what.board
    _require_few(len(board.position.cells))
    scene = variant_scenes.of_variant(board)
    match what:
        case VariantAnalysis():
            variant_scenes.add_variant_odds(scene, what)
        case VariantHint():
            variant_scenes.add_variant_hint(scene, what)
        case VariantBestMove():
            variant_scenes.add_variant_best(scene, what)
        case VariantDeduction():
            variant_scenes.add_variant_step(scene, what)
    return scene


def _require_small(board: Board) -> None:
    _require_few(len(board.codes))


def _require_few(cells: int) -> None:
    if cells > PICTURE_MAX_CELLS:
        raise ValueError(f"A picture has at most {PICTURE_MAX_CELLS:,} cells, got {cells:,}")
