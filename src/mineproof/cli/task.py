"""``mineproof task``: questions about Minesweeper as text, for language models and other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base.budget import Budget
from mineproof.base.extras import ExtraMissing
from mineproof.cli import options, output, output_files, progress
from mineproof.cli.failure import usage_error
from mineproof.cli.parameters import Choice, Count, Parsed
from mineproof.cli.sizes import choose_seed
from mineproof.deduction.ladder import LADDER
from mineproof.exams.tasks import FORMS, KINDS
from mineproof.wording.catalogue import plural

if TYPE_CHECKING:
    from mineproof.exams.tasks import Task


def _parse_range(text: str) -> tuple[int | None, int | None]:
    least, dots, most = text.partition("..")
    if not least and not most:
        raise ValueError
    return (int(least) if least else None, int(most) if most else None) if dots else (int(least), int(least))


_RANGE = Parsed("range", _parse_range, "a number or a range such as 2..4")


@click.command("task")
@click.option("--kind", "kinds", type=Choice(KINDS), multiple=True, default=("safe-cell",), metavar="NAME",
              help=f"Kind of task: {', '.join(KINDS)}. Several kinds take turns.  [default: safe-cell]")  # fmt: skip
@click.option("--count", type=Count(1), default=1, show_default=True, metavar="N", help="Number of tasks.")
@options.level_option("beginner")
@click.option("--form", type=Choice(FORMS), default="grid", show_default=True,
              help="How to write the board: as a grid, as coordinates, or as constraints in words.")  # fmt: skip
@click.option("--technique", type=Choice(tuple(LADDER)), metavar="NAME",
              help=f"Hardest technique that the easiest way to an answer needs: {', '.join(LADDER)}.")  # fmt: skip
@click.option("--numbers", type=_RANGE, metavar="LEAST..MOST",
              help="How many numbers the easiest proof takes.")  # fmt: skip
@options.random_seed_option
@options.output_file_option("Write to this file: .jsonl for JSON lines, .parquet for Parquet.")
@options.force_option
@options.budget_option(" for each task")
@options.as_json_option
def command(
    kinds: tuple[str, ...],
    count: int,
    level: str | None,
    form: str,
    technique: str | None,
    numbers: tuple[int | None, int | None] | None,
    seed: int | None,
    path: Path | None,
    force: bool,
    budget: float,
    as_json: bool,
) -> int:
    """Write questions about Minesweeper as text, each with a right answer.

    The position, the seed and everything that a verdict needs are in the metadata of a task. 'mineproof judge' judges
    the answers. The same seed and options give the same tasks on every machine.

    With --json, one object per line, schema mineproof/task/1: id, kind, prompt, answer and metadata. Files of JSON
    lines have the same lines, and Parquet files have these columns.

    \b
    Examples:
      mineproof task
      mineproof task --kind mines --form words --level 6x6x6 --seed 1
      mineproof task --kind safe --kind claim --count 1000 --seed 1 -o tasks.jsonl
      mineproof task --kind safe-cell --technique partition --numbers 2..3 --count 10 --json
    """
    first = choose_seed(seed)
    if path is not None and not force and output_files.has_content(path):
        raise click.UsageError(f"{path} already exists. Use --force to replace it, or choose another name.")

    def tasks() -> Iterator[Task]:
        from mineproof.exams.task_generator import task

        with progress.waiting(Budget(seconds=budget)) as limit:
            for number in range(count):
                kind = kinds[number % len(kinds)]
                try:
                    yield task(
                        kind, level=level or "beginner", form=form, technique=technique, numbers=numbers,  # type: ignore[arg-type]
                        seed=first, number=number, budget=limit,
                    )  # fmt: skip
                except ValueError as error:
                    if type(error) is not ValueError:
                        raise
                    raise usage_error(error) from None

    if path is not None:
        return _write_tasks(tasks(), path)
    for place, task in enumerate(tasks()):
        if as_json:
            output.print_json(task.as_json())
        else:
            click.echo(("\n---\n\n" if place else "") + task.prompt)
    return 0


def _write_tasks(tasks: Iterator[Task], path: Path) -> int:
    from mineproof.exams.task_files import write_tasks

    try:
        written = write_tasks(tasks, path)
    except ExtraMissing as error:
        raise usage_error(error) from None
    output.note(plural("cli-tasks-written", written, path=json.dumps(str(path))[1:-1]))
    return 0
