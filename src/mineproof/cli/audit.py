"""``mineproof audit``: labels that other programs gave to positions, checked by counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.board.notation import write_rows
from mineproof.cli import failure, options, output, progress, summary
from mineproof.cli.parameters import Choice, Count
from mineproof.cli.tables import table
from mineproof.errors import BudgetExceeded
from mineproof.exams.audits import AUDIT_VERDICTS, Audit
from mineproof.exams.labels import LABEL_FORMATS, LabelFormat
from mineproof.pictures import text as picture
from mineproof.wording.catalogue import message, number, plural

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

FAULTS = 1  # exit status


class _AuditSums:
    """Counts of positions and labelled cells by verdict."""

    def __init__(self) -> None:
        self.positions: Counter[str] = Counter()
        self.cells: Counter[str] = Counter()
        self.unchecked = 0  # positions that the budget did not suffice for
        self._status = 0

    def add(self, checked: Audit) -> None:
        """Count one more position. Missing cells are counted beside those that have labels."""
        self.positions[checked.verdict] += 1
        faults = Counter(fault.verdict for fault in checked.faults)
        self.cells.update(faults)
        labelled = faults.total() - faults["incomplete"]
        if not faults["impossible"]:
            self.cells["right"] += checked.claims - labelled

    def add_failure(self, status: int) -> None:
        """Count a position that could not be checked, and remember the exit status of its error."""
        self.unchecked += 1
        self._status = max(self._status, status)

    @property
    def status(self) -> int:
        """The exit status: that of an error, or 1 if any label is wrong, undecidable or missing."""
        return max(self._status, FAULTS if self.positions.total() > self.positions["right"] else 0)


@click.command("audit")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--from", "form", type=Choice(LABEL_FORMATS), metavar="NAME",
              help=f"Kind of file: {', '.join(LABEL_FORMATS)}.  [default: detected]")  # fmt: skip
@click.option("--limit", type=Count(0), default=10, show_default=True, metavar="N",
              help="Number of positions with faults to print.")  # fmt: skip
@options.budget_option(" for each position")
@options.as_json_option
@options.color_option
def command(file: Path, form: LabelFormat | None, limit: int, budget: float, as_json: bool, color: str) -> int:
    """Check a labelled dataset, and prove which labels are wrong or missing.

    FILE has a position with its labels in each line: {"board": "#1#", "total_mines": 1, "safe": [], "mines": [[0, 0]]}.
    docs/judge.md describes this form. Files of SynLogic and Game-RL are read, too.

    A label is wrong if the opposite is certain, and undecidable if the layouts that fit disagree. A list is incomplete
    if a certain cell is missing. A position is impossible if no layout fits. Every fault is printed with its proof. The
    exit status is 1 if there is a fault, else 0, or 5 if the budget did not suffice for a position.

    With --json, one object per line, schema mineproof/audit/1: id, verdict, claims, board and faults, each with cell,
    label, text, proof, two layouts and their numbers.

    \b
    Examples:
      mineproof audit labels.jsonl
      mineproof audit data.json --from game-rl --limit 3
      mineproof audit minesweeper.jsonl --from synlogic --json
    """
    from mineproof.exams.audits import audit
    from mineproof.exams.labels import read_labels

    sums, shown = _AuditSums(), 0
    with progress.waiting(Budget(seconds=budget)) as bound:
        for position in read_labels(file, form):
            try:
                checked = audit(position, budget=bound)
            except BudgetExceeded as error:
                if error.limit == "cancelled":
                    raise
                sums.add_failure(failure.report_one(error, files.printable_name(position.name), as_json=as_json))
                continue
            sums.add(checked)
            if as_json:
                output.print_json(checked.as_json())
            elif checked.faults and shown < limit:
                shown += 1
                with output.drawing(color) as console:
                    _draw_faults(checked, console)
    if not as_json:
        with output.drawing(color) as console:
            hidden = sums.positions.total() - sums.positions["right"] - shown
            if hidden:
                console.print(plural("cli-audit-more", hidden) + "\n")
            console.print(_sums_table(sums))
    return sums.status


def _draw_faults(checked: Audit, console: Console) -> None:
    board = checked.position.board
    verdict = message(f"audit-{checked.verdict}")
    title = summary.text(
        message("cli-audit-position", name=files.printable_name(checked.position.name), verdict=verdict), "bold"
    )
    console.print(title)
    if len(board.codes) <= picture.TEXT_PICTURE_MAX_CELLS:
        for line in write_rows(board.columns, board.codes):
            console.print(line)
    for line in _audit_lines(checked, console.width):
        console.print(summary.text(line))
    console.print()


def _audit_lines(checked: Audit, width: int) -> Iterator[str]:
    for fault in checked.faults:
        yield from output.fold(f"{message(f'audit-{fault.verdict}')}: {fault.text}", width)


def _sums_table(sums: _AuditSums) -> Table:
    heads = message("cli-audit-verdict"), message("cli-audit-positions"), message("cli-audit-cells")
    drawn = table((heads[0], "left"), (heads[1], "right"), (heads[2], "right"))
    for verdict in AUDIT_VERDICTS:
        if sums.positions[verdict] or sums.cells[verdict]:
            drawn.add_row(message(f"audit-{verdict}"), number(sums.positions[verdict]), number(sums.cells[verdict]))
    if sums.unchecked:
        drawn.add_row(message("cli-audit-unchecked"), number(sums.unchecked), "")
    positions = sums.positions.total() + sums.unchecked
    drawn.add_row(message("cli-audit-total"), number(positions), number(sums.cells.total()))
    return drawn
