"""Files of tasks and answers: JSON lines, or tasks as Parquet with the columns that training programs expect.

A task file has a task in each line, or a row for each task: ``id``, ``kind``, ``prompt``, ``answer`` and ``metadata``.
In Parquet, ``metadata`` is JSON text. An answer file has an answer in each line: a JSON text, which answers the task
of the same line, or an object with the ``id`` of its task and the answer as ``answer``, ``completion``, ``response`` or
``output``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mineproof.base import extras, files
from mineproof.errors import BoardSyntaxError
from mineproof.exams.json_lines import line_error, read_lines, read_values
from mineproof.exams.tasks import SCHEMA, Task

PARQUET_SUFFIXES = (".parquet", ".pq")
ANSWER_KEYS = ("answer", "completion", "response", "output")
COLUMNS = ("id", "kind", "prompt", "answer", "metadata")


def is_parquet(path: Path) -> bool:
    """Does a file have the name of a Parquet file?"""
    return path.suffix.lower() in PARQUET_SUFFIXES


def write_tasks(tasks: Iterable[Task], path: Path) -> int:
    """Write tasks to a file, Parquet if its name says so, and return how many. Replaces the file in one step."""
    if is_parquet(path):
        return _write_parquet(tasks, path)
    lines = [json.dumps(task.as_json()) for task in tasks]
    files.write(path, "".join(f"{line}\n" for line in lines))
    return len(lines)


def read_tasks(path: Path) -> Iterator[Task]:
    """Yield the tasks of a file. Raises BoardSyntaxError that names the line if one cannot be read."""
    if is_parquet(path):
        yield from _read_parquet(path)
        return
    for number, line in read_lines(path):
        try:
            task = Task.from_json(line)
        except ValueError as error:
            raise line_error(path, number, str(error)) from None
        yield task


def read_answers(path: Path) -> dict[str | int, object]:
    """Return the answers of a file by the id of their task, or by its place from 0 where they name none."""
    answers: dict[str | int, object] = {}
    for place, (number, value) in enumerate(read_values(path)):
        key: str | int = place
        answer = value
        if isinstance(value, dict) and (name := next((name for name in ANSWER_KEYS if name in value), None)):
            key = value.get("id", place)
            if not isinstance(key, str) and (key != place or isinstance(key, bool)):
                raise line_error(path, number, f"expected the id of a task as text, got {key!r}")
            answer = value[name]
        if key in answers:
            raise line_error(path, number, f"the task {key} has two answers")
        answers[key] = answer
    return answers


def answer_to(task: Task, place: int, answers: Mapping[str | int, object]) -> object:
    """Return the answer to a task of a file; None if there is none."""
    return answers[task.id] if task.id in answers else answers.get(place)


# Parquet


def load_parquet() -> Any:
    """Return pyarrow's Parquet module; ExtraMissing if it is not installed."""
    return extras.load("pyarrow.parquet", "mineproof[results]", "A Parquet file")


def _write_parquet(tasks: Iterable[Task], path: Path) -> int:
    parquet = load_parquet()
    import pyarrow as pa

    documents = [dict(task.as_json()) for task in tasks]
    columns = {name: [document[name] for document in documents] for name in COLUMNS[:-1]}
    columns["metadata"] = [json.dumps(document["metadata"]) for document in documents]
    schema = pa.schema([(name, pa.string()) for name in COLUMNS], metadata={"schema": SCHEMA})
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns, schema), sink, compression="zstd")
    files.write(path, sink.getvalue().to_pybytes())
    return len(documents)


def _read_parquet(path: Path) -> Iterator[Task]:
    parquet = load_parquet()
    import pyarrow as pa

    files.require_file(path)
    try:
        rows = parquet.read_table(path, columns=["kind", "metadata"]).to_pylist()
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        message = f"expected a Parquet file of tasks, got another file: {error}"
        raise BoardSyntaxError(message, source=str(path)) from None
    for number, row in enumerate(rows, 1):
        try:
            document = {"schema": SCHEMA, "kind": row["kind"], "metadata": json.loads(row["metadata"])}
            task = Task.from_json(json.dumps(document))
        except (TypeError, ValueError) as error:
            raise line_error(path, number, str(error)) from None
        yield task
