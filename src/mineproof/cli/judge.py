"""``mineproof judge``: verdicts on answers to a file of tasks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.base.extras import ExtraMissing
from mineproof.cli import failure, options, output, progress
from mineproof.cli.failure import usage_error
from mineproof.cli.tables import table
from mineproof.errors import BudgetExceeded, ContradictionError, MineproofError
from mineproof.exams.scores import OUTCOMES, ScoreSums, sum_verdicts
from mineproof.wording.catalogue import decimal, message, number, plural

if TYPE_CHECKING:
    from rich.table import Table

    from mineproof.exams.tasks import Task
    from mineproof.exams.verdicts import Verdict

_FILE = click.Path(dir_okay=False, path_type=Path)
_OUTCOME_HEADS = {
    "right": "cli-judge-right",
    "partial": "cli-judge-partial",
    "lucky": "cli-judge-lucky",
    "wrong": "cli-judge-wrong",
    "unreadable": "cli-judge-unreadable",
}


@click.command("judge")
@click.argument("tasks", type=_FILE)
@click.argument("answers", type=_FILE)
@options.budget_option(" for each task")
@options.as_json_option
@options.color_option
def command(tasks: Path, answers: Path, budget: float, as_json: bool, color: str) -> int:
    """Judge answers to tasks by counting. Proofs and lucky guesses count separately.

    TASKS is a file of 'mineproof task'. ANSWERS has one JSON value per line: a text, which answers the task of the same
    line, or an object with the id of a task and its answer (or completion, response, output). A task without an answer
    counts as unreadable. A task that cannot be judged, because its position contradicts itself or takes too long, is
    reported and left out.

    The table has the number of answers with each outcome, and two mean rewards. Proof is what the answers prove. Luck
    is the chance that a judge who only looks at the mines accepts them.

    With --json, one object per line, schema mineproof/verdict/1: id, kind, outcome, score, luck, the proved, lucky,
    wrong and missed cells, and text.

    \b
    Examples:
      mineproof judge tasks.jsonl answers.jsonl
      mineproof judge tasks.parquet answers.jsonl --json
    """
    verdicts: list[Verdict] = []
    status = 0
    try:
        with progress.waiting(Budget(seconds=budget)) as limit:
            for task, judged in _judge_all(tasks, answers, limit):
                if isinstance(judged, MineproofError):
                    status = max(status, failure.report_one(judged, files.printable_name(task.id), as_json=as_json))
                elif as_json:
                    output.print_json(judged.as_json())
                else:
                    verdicts.append(judged)
    except ExtraMissing as error:
        raise usage_error(error) from None
    if not as_json:
        with output.drawing(color) as console:
            console.print(_score_table(sum_verdicts(verdicts)))
    return status


def _judge_all(tasks: Path, answers: Path, budget: Budget) -> Iterator[tuple[Task, Verdict | MineproofError]]:
    """Yield every task with its verdict, or with the error of a task that cannot be judged."""
    from mineproof.exams.task_files import answer_to, read_answers, read_tasks
    from mineproof.exams.verdicts import judge

    given = read_answers(answers)
    unknown = {key for key in given if isinstance(key, str)}
    for place, task in enumerate(read_tasks(tasks)):
        unknown.discard(task.id)
        try:
            yield task, judge(task, answer_to(task, place, given), budget)
        except (BudgetExceeded, ContradictionError) as error:
            if isinstance(error, BudgetExceeded) and error.limit == "cancelled":
                raise
            yield task, error
    if unknown:
        name = files.printable_name(min(unknown))
        output.note(plural("cli-judge-unknown", len(unknown), task=name))


def _score_table(sums: dict[str, ScoreSums]) -> Table:
    heads = [message("cli-judge-tasks"), *(message(_OUTCOME_HEADS[name]) for name in OUTCOMES)]
    rewards = [message("cli-judge-proof"), message("cli-judge-luck")]
    drawn = table((message("cli-judge-kind"), "left"), *((head, "right") for head in [*heads, *rewards]))
    for kind, part in sums.items():
        counts = [number(part.outcomes[name]) for name in OUTCOMES]
        drawn.add_row(kind, number(part.tasks), *counts, decimal(part.mean_score, 3), decimal(part.mean_luck, 3))
    return drawn
