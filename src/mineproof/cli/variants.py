"""Boards of variants in place of boards: finding out that BOARD is one, and answers about it as text.

BOARD is one if --rules is given, if its first line names rules (``3x2x2 liar``), or if it is a JSON document of one.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mineproof.analysis.layouts import mines_json
from mineproof.base import files
from mineproof.base.budget import DEFAULT, Budget
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.cli import output, progress
from mineproof.cli.failure import usage_error
from mineproof.cli.input import BoardLine, is_file
from mineproof.cli.mine_counts import mines_on
from mineproof.cli.sizes import choose_seed
from mineproof.cli.variant_options import RULES_HELP
from mineproof.errors import BoardSyntaxError, MineproofError, OutsideError
from mineproof.variants.variant_board import VariantBoard, names_rules
from mineproof.wording.catalogue import message, plural
from mineproof.wording.cells import cell_list

_FOR_BOARDS = ("format_", "size", "flags")
_HEAD_BYTES = 400
NO, YES = 1, 0  # exit statuses


def rules_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--rules``."""
    return click.option("--rules", metavar="NAME,…", help=RULES_HELP)(function)


@dataclass(frozen=True, slots=True)
class VariantRequest:
    """A board of a variant, and the options that every command about boards has."""

    board: VariantBoard
    density: Fraction | None
    budget: Budget


Answer = Callable[..., int | None]


def takes_variant(answer: Answer, *, refuse: Sequence[str] = ()) -> Callable[[Answer], Answer]:
    """Let a command answer boards of variants by another function, which gets a `VariantRequest`.

    Options named in ``refuse`` are refused with such a board.
    """

    def decorate(function: Answer) -> Answer:
        @rules_option
        @functools.wraps(function)
        def command(board: str | None, rules: str | None, **options: Any) -> int | None:
            text = _variant_text(board, has_rules=rules is not None)
            if text is None:
                return function(board=board, **options)
            _refuse_options((*_FOR_BOARDS, *refuse))
            request = _read_request(text, board, rules, options)
            rest = {name: value for name, value in options.items() if name not in _COMMON}
            return answer(request, **rest)

        return command

    return decorate


_COMMON = ("mines", "topology", "format_", "size", "flags", "density", "budget", "states")


def _variant_text(board: str | None, *, has_rules: bool) -> str | None:
    """Return the text of a board of a variant, or None if BOARD is something else, which is then still unread."""
    if isinstance(board, BoardLine):
        return str(board) if has_rules or names_rules(board) else None
    if board is None or board == "-":
        if sys.stdin is None or (board is None and sys.stdin.isatty()):
            return None
        if not has_rules and not names_rules(_peek().decode(errors="replace")):
            return None
        return _decode(files.read_stream(sys.stdin.buffer, "standard input"))
    if not is_file(board):
        return board if has_rules or names_rules(board) else None
    if not has_rules:
        with Path(board).open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
        if not names_rules(head.decode(errors="replace")):
            return None
    return _decode(files.read(Path(board)))


def _peek() -> bytes:
    """Return the first bytes of standard input, and leave them there."""
    buffer: Any = sys.stdin.buffer
    if hasattr(buffer, "peek"):
        return bytes(buffer.peek(_HEAD_BYTES)[:_HEAD_BYTES])
    place = buffer.tell()
    head = bytes(buffer.read(_HEAD_BYTES))
    buffer.seek(place)
    return head


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BoardSyntaxError("expected UTF-8 text, got other bytes") from None


def _refuse_options(names: Iterable[str]) -> None:
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if given and parameter.name in names:
            raise click.UsageError(f"{parameter.opts[0]} is for plain boards. Boards of variants do not have it.")


def _read_request(text: str, name: str | None, rules: str | None, options: dict[str, Any]) -> VariantRequest:
    mines, topology = options.get("mines"), options.get("topology")
    try:
        if isinstance(mines, Fraction):
            plain = VariantBoard.parse(text, rules, topology=topology)
            mines = mines_on(mines, plain.position.most_mines())
        board = VariantBoard.parse(text, rules, total_mines=mines, topology=topology)
    except BoardSyntaxError as error:
        error.source = name if name is not None and is_file(name) else None
        raise
    except ValueError as error:
        raise usage_error(error) from None
    limit = Budget(seconds=options["budget"], states=options.get("states", DEFAULT.states))
    return VariantRequest(board, options.get("density"), limit)


# answers


def analyze(request: VariantRequest, exact: bool, as_json: bool, color: str) -> None:
    """Print the odds."""
    from mineproof.pictures.variant_text import odds_of, variant_rows

    with progress.waiting(request.budget) as budget:
        analysis = request.board.analyze(density=request.density, budget=budget)
        if as_json:
            output.print_json(analysis.as_json(exact=exact) | {"board": request.board.as_json()})
            return
        lines = [*_board_head(request.board), plural("variant-layouts", analysis.layouts), ""]
        lines += variant_rows(request.board, odds_of(analysis))
        lines += ["", message("variant-odds-legend"), *_certain_lines(analysis.safe, analysis.mines)]
        if exact:
            lines += [f"{cell_list([cell])}  {analysis.exact(*cell)}" for cell in request.board.cells("covered")]
    _print(lines)


def solve(
    request: VariantRequest, explains: bool, technique: str | None, show: str | None, as_json: bool, color: str
) -> None:
    """Print the certain cells, and the steps."""
    from mineproof.pictures.variant_text import certain_marks, variant_rows
    from mineproof.variants.variant_steps import variant_solution_json

    with progress.waiting(request.budget) as budget:
        if as_json or explains:
            steps = request.board.deduce(budget=budget)
            if as_json:
                output.print_json(variant_solution_json(steps) | {"board": request.board.as_json()})
                return
            safe = frozenset(cell for step in steps for cell in step.safe)
            mines = frozenset(cell for step in steps for cell in step.mines)
        else:
            analysis = request.board.analyze(budget=budget)
            steps, safe, mines = [], analysis.safe, analysis.mines
        lines = [*_board_head(request.board), "", *variant_rows(request.board, certain_marks(safe, mines)), ""]
        lines += _certain_lines(safe, mines)
        for place, step in enumerate(steps, 1):
            lines += ["", f"{place}  {step.technique}", *_fold(step.text, indent=3)]
    _print(lines)


def hint(request: VariantRequest, level: int, prefer: str, safe_only: bool, as_json: bool, color: str) -> int:
    """Print one step."""
    from mineproof.pictures.variant_text import certain_marks, variant_rows

    with progress.waiting(request.budget) as budget:
        step = request.board.hint(prefer=prefer, density=request.density, budget=budget)
        shown = min(level, 2) if safe_only and not step.certain else level
        if as_json:
            output.print_json(step.as_json(shown) | {"board": request.board.as_json()})
        else:
            marks = certain_marks(step.safe, step.mines) if shown > 2 else {}
            if step.cell is not None and shown > 2:
                marks = {step.cell: "G"}
            used = step.deduction.because if step.deduction is not None and shown > 1 else ()
            _print([*variant_rows(request.board, marks, used), "", *_fold(step.level(shown))])
    return NO if safe_only and not step.certain else YES


def best(request: VariantRequest, as_json: bool, color: str, **_: Any) -> int:
    """Print the best move."""
    from mineproof.cli.phrases import exact_chance
    from mineproof.pictures.variant_text import variant_rows

    if request.board.total_mines is None:
        raise click.UsageError("best needs --mines N: the chance to win depends on the number of mines")
    with progress.waiting(request.budget) as budget:
        move = request.board.best_move(budget=budget)
        if as_json:
            output.print_json(move.as_json() | {"board": request.board.as_json()})
            return YES
        marks = {} if move.cell is None else {move.cell: "G" if move.mine_fraction else "S"}
        lines = [*variant_rows(request.board, marks), "", *_fold(move.text)]
        for option in move.moves:
            win = "" if option.win_fraction is None else f"   {message('variant-best-wins')} {option.win_fraction}"
            lines.append(f"{cell_list([option.cell]):>8}  {exact_chance(option.mine_fraction)}{win}")
    _print(lines)
    return YES


def layouts(
    request: VariantRequest, count: bool, limit: int | None, sample: int | None, seed: int | None, as_json: bool
) -> None:
    """List, sample or count layouts."""
    from mineproof.pictures.variant_text import variant_rows
    from mineproof.variants.variant_layouts import variant_layouts_json

    if sum([count, limit is not None, sample is not None]) > 1:
        raise click.UsageError("Use only one of --count, --limit and --sample.")
    if seed is not None and sample is None:
        raise click.UsageError("--seed needs --sample")
    board = request.board
    if count or as_json:
        with progress.waiting(request.budget) as budget:
            total = board.analyze(density=request.density, budget=budget).layouts
        if as_json:
            output.print_json(variant_layouts_json(board, total))
        else:
            click.echo(str(total))
    if count:
        return
    try:
        layouts = _find_layouts(request, limit, sample, seed or 0)
    except ValueError as error:
        if isinstance(error, click.ClickException) or hasattr(error, "code"):
            raise
        raise usage_error(error) from None
    for place, mines in enumerate(layouts):
        if as_json:
            output.print_json(mines_json(mines))
        else:
            covered = dict.fromkeys(board.cells("covered"), "_")
            rows = variant_rows(board, covered | dict.fromkeys(mines, "*"))
            click.echo("\n".join([*([""] if place else []), *rows]))


def _find_layouts(
    request: VariantRequest, limit: int | None, sample: int | None, seed: int
) -> Iterator[frozenset[Cell]]:
    if sample is None:
        return islice(request.board.enumerate_layouts(budget=request.budget), limit)
    return request.board.sample_layouts(sample, seed=seed, density=request.density, budget=request.budget)


def check(request: VariantRequest, start: Cell | None, as_json: bool, color: str, **_: Any) -> int:
    """Check whether a layout needs a guess, or whether a puzzle has exactly one solution."""
    from mineproof.generation.variant_puzzles import check_variant, puzzle_check_json
    from mineproof.pictures.variant_text import variant_rows

    board = request.board
    with progress.waiting(request.budget) as budget:
        if next(board.cells("covered"), None) is not None:
            solutions = board.analyze(budget=budget).layouts
            if as_json:
                output.print_json(puzzle_check_json(board, solutions))
            else:
                _print([plural("variant-layouts", solutions)])
            return YES if solutions == 1 else NO
        if start is None:
            raise click.UsageError("The layout has no start cell. Add --start R,C.")
        try:
            result = check_variant(board, start, budget=budget)
        except OutsideError:
            raise
        except ValueError as error:
            if isinstance(error, MineproofError):
                raise
            raise usage_error(error) from None
    if as_json:
        output.print_json(result.as_json())
    else:
        key = "variant-no-guess" if result.no_guess else "variant-needs-guess"
        _print([message(key, start=cell_list([start])), "", *variant_rows(result.board)])
    return YES if result.no_guess else NO


def takes_rules_of_new_boards(function: Answer) -> Answer:
    """Give `generate` the options --rules and --unique; with --rules, another function makes the boards."""

    @click.option("--unique", is_flag=True, help="With --rules: make puzzles with exactly one solution.")
    @rules_option
    @functools.wraps(function)
    def command(size: Size, rules: str | None, unique: bool, **options: Any) -> int | None:
        if rules is None:
            if unique:
                raise click.UsageError("--unique needs --rules. Plain puzzles have --rules classic.")
            return function(size=size, **options)
        _refuse_options(_FOR_LAYOUTS)
        _generate(size, rules, unique=unique, **options)
        return None

    return command


_FOR_LAYOUTS = (
    "first_click", "method", "needs", "hardest", "difficulty", "bbbv", "openings", "islands", "zini", "human_zini",
    "format_", "folder", "force", "threads",
)  # fmt: skip


def _generate(
    size: Size,
    rules: str,
    *,
    unique: bool,
    no_guess: bool,
    start: Cell | None,
    count: int,
    seed: int | None,
    number: int,
    topology: Topology,
    budget: float,
    certificate: bool,
    as_json: bool,
    **_: Any,
) -> None:
    from mineproof.generation.variant_puzzles import generate_variant
    from mineproof.variants.variant import Variant

    if certificate and not (no_guess and as_json):
        raise click.UsageError("--certificate with --rules needs --no-guess and --json")
    try:
        Variant.parse(rules)
    except ValueError as error:
        raise usage_error(error) from None
    chosen = choose_seed(seed)
    for place in range(count):
        with progress.waiting(Budget(seconds=budget)) as limit:
            try:
                made = generate_variant(
                    *size, rules, topology=topology, seed=chosen, number=number + place, start=start,
                    no_guess=no_guess, unique=unique, budget=limit,
                )  # fmt: skip
            except ValueError as error:
                if isinstance(error, MineproofError):
                    raise
                raise usage_error(error) from None
        if as_json:
            output.print_json(made.as_json(certificate=certificate))
        else:
            _print([*([""] if place else []), str(made.board if unique else made.solution)])


# text


def _board_head(board: VariantBoard) -> list[str]:
    from mineproof.cli.phrases import board_size
    from mineproof.wording.variant_arguments import rule_text

    total = message("cli-total-unknown") if board.total_mines is None else plural("cli-mines", board.total_mines)
    names = board.rules.split(",")
    rules = [line for name in names for line in _fold(f"{name}: {rule_text(name)}")]
    return [f"{board_size(board.rows, board.columns, board.topology)}, {total}", *rules]


def _certain_lines(safe: frozenset[Cell], mines: frozenset[Cell]) -> list[str]:
    if not safe and not mines:
        return [message("variant-nothing-certain")]
    lines = []
    for key, cells in (("variant-certain-safe", safe), ("variant-certain-mines", mines)):
        if cells:
            lines += _fold(message(key, cells=cell_list(cells)))
    return lines


def _fold(text: str, indent: int = 0) -> list[str]:
    width = output.terminal_width()
    return [" " * indent + line for line in output.fold(text, width, indent=indent)]


def _print(lines: Iterable[str]) -> None:
    click.echo("\n".join(lines))
