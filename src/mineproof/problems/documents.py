"""Problems as JSON: ``mineproof/problem/1``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from mineproof.base import checks
from mineproof.errors import BoardSyntaxError
from mineproof.problems.problem import ZERO_ONE, Constraint, Domain, Problem

if TYPE_CHECKING:
    from mineproof.problems.wire import ConstraintJson, ProblemJson

SCHEMA: Final = "mineproof/problem/1"
_NUMBER = re.compile(r"[0-9]{1,40}(/[0-9]{1,40}|\.[0-9]{1,40})?")  # a long exponent would fill the memory
_KEYS = ("schema", "variables", "constraints", "total", "density")
_CONSTRAINT_KEYS = ("cells", "sums", "coefficients", "name")


def problem_json(problem: Problem) -> ProblemJson:
    """Return the ``mineproof/problem/1`` document of a problem. `read_problem` reads it back."""
    checks.instance("problem", problem, Problem, "read_problem makes one")
    plain = set(problem.domains) <= {ZERO_ONE}
    return {
        "schema": SCHEMA,
        "variables": problem.variables if plain else [_domain_json(domain) for domain in problem.domains],
        "constraints": [_constraint_json(constraint) for constraint in problem.constraints],
        "total": None if problem.total is None else list(problem.total),
    }


def _domain_json(domain: Domain) -> int | list[str]:
    return len(domain) - 1 if set(domain) == {1} else [str(weight) for weight in domain]


def _constraint_json(constraint: Constraint) -> ConstraintJson:
    document: ConstraintJson = {"cells": list(constraint.cells), "sums": list(constraint.sums)}
    if set(constraint.coefficients) - {1}:
        document["coefficients"] = list(constraint.coefficients)
    return document | ({"name": constraint.name} if constraint.name else {})


def is_problem(text: str | bytes) -> bool:
    """Is this a JSON document with the schema of a problem?"""
    head = text[:200] if isinstance(text, str) else text[:200].decode("utf-8", "replace")
    return head.lstrip("\ufeff \t\r\n").startswith("{") and '"mineproof/problem/' in head


def read_problem(source: str | bytes | Mapping[str, Any]) -> Problem:
    """Read a ``mineproof/problem/1`` document from text or from parsed JSON.

    Raises BoardSyntaxError, which names the line or the key.

    >>> read_problem('{"schema": "mineproof/problem/1", "variables": 2, "constraints": [{"cells": [0, 1], "sums": 1}]}')
    <Problem: 2 variables, 1 constraint>
    """
    document = source if isinstance(source, Mapping) else _parse(source)
    _check_keys("", document, _KEYS)
    if document.get("schema") != SCHEMA:
        raise BoardSyntaxError(f"expected the schema {SCHEMA}, got {document.get('schema')!r}")
    with _naming(""):
        variables = document.get("variables")
        if isinstance(variables, list):
            variables = [
                [_read_number(weight) for weight in item] if isinstance(item, list) else item for item in variables
            ]
        density = document.get("density")
        constraints = _read_constraints(document.get("constraints", []))
        total = document.get("total")
        return Problem(
            variables,  # type: ignore[arg-type]  # checked there
            constraints,
            total=tuple(total) if isinstance(total, list) else total,
            density=None if density is None else _read_number(density),
        )


def _parse(source: str | bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(source)
    except json.JSONDecodeError as error:
        raise BoardSyntaxError(f"expected JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except (UnicodeDecodeError, RecursionError):
        raise BoardSyntaxError("expected JSON in UTF-8, got other bytes") from None
    if not isinstance(document, dict):
        raise BoardSyntaxError(f"expected a JSON object, got {type(document).__name__}")
    return document


def _read_constraints(listed: Any) -> list[Constraint]:
    if not isinstance(listed, list):
        raise BoardSyntaxError(f"constraints: expected a list, got {listed!r:.80}")
    return [_read_constraint(f"constraints[{place}]: ", item) for place, item in enumerate(listed)]


def _read_constraint(where: str, item: Any) -> Constraint:
    if not isinstance(item, Mapping):
        raise BoardSyntaxError(f"{where}expected an object with cells and sums, got {item!r:.80}")
    _check_keys(where, item, _CONSTRAINT_KEYS)
    for key in ("cells", "sums"):
        if key not in item:
            raise BoardSyntaxError(f"{where}{key} is missing")
    with _naming(where):
        return Constraint(item["cells"], item["sums"], item.get("coefficients"), item.get("name", ""))


def _check_keys(where: str, document: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in document:
        if key not in known:
            raise BoardSyntaxError(f"{where}expected the keys {', '.join(known)}, got {key!r:.80}")


def _read_number(value: Any) -> Any:
    """Return a number; fractions and decimals may be text, without an exponent."""
    if not isinstance(value, str):
        return value
    if _NUMBER.fullmatch(value):
        with suppress(ZeroDivisionError):
            return Fraction(value)
    raise ValueError(f"expected a number or a fraction such as '1/3', got {checks.shorten(value)}")


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """Errors of values become errors of the document."""
    try:
        yield
    except BoardSyntaxError:
        raise
    except (TypeError, ValueError) as error:
        raise BoardSyntaxError(f"{where}{error}") from None
