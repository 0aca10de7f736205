"""Every certain cell of a board of a variant, one step at a time, the easiest first, each with its proof.

The techniques are in `mineproof.variants.reasoning`. The engine confirms every step, and removes clues that the proof
does not need. What no technique finds, the engine shows to be certain: `exhaustive`. What only rules on the shape of
all mines decide is `judged` by listing layouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from mineproof.analysis.shrink import shrink
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.notebook import Shown
from mineproof.board.cells import Cell, pairs
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.problems.problem import Problem
from mineproof.variants import reasoning
from mineproof.variants.clues import clue_rule, clue_text
from mineproof.variants.facts import Fact
from mineproof.variants.reasoning import TECHNIQUES, Insight, Situation
from mineproof.variants.variant import CELL_MAX, Statement
from mineproof.variants.variant_analysis import VariantAnalysis, analyze_variant
from mineproof.variants.variant_board import VariantBoard
from mineproof.wording.catalogue import use_language
from mineproof.wording.variant_arguments import render_variant_argument
from mineproof.wording.variant_clauses import VARIANT_ARGUMENT, Source, VariantClause

if TYPE_CHECKING:
    from mineproof.variants.wire import VariantSolutionJson, VariantStepJson

SCHEMA: Final = "mineproof/variant-solution/1"
EXHAUSTIVE_MAX_TRIES = 6  # cells of which the one with the fewest clues is explained


@dataclass(frozen=True, slots=True)
class VariantDeduction(Shown):
    """Cells of a variant that are certain, with a proof.

    The clues in ``because``, with the constraints of the rules named in ``rules`` and the number of mines if
    ``uses_total``, force every one of these cells without the help of other clues. ``argument`` is the reasoning as
    data, and ``text`` the same in sentences.
    """

    technique: str
    safe: frozenset[Cell]
    mines: frozenset[Cell]
    because: tuple[Cell, ...]
    rules: tuple[str, ...]
    uses_total: bool
    argument: VariantClause = field(repr=False)
    board: VariantBoard = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The argument in sentences, in the current language."""
        return render_variant_argument(self.argument)

    def text_in(self, language: str) -> str:
        """Return the argument in sentences, in a language such as ``"de"``."""
        with use_language(language):
            return self.text

    def as_json(self) -> VariantStepJson:
        """Return a step of the ``mineproof/variant-solution/1`` document."""
        return {
            "technique": self.technique,
            "safe": pairs(self.safe),
            "mines": pairs(self.mines),
            "because": [list(cell) for cell in self.because],
            "rules": list(self.rules),
            "uses_total": self.uses_total,
            "text": self.text,
            "argument": self.argument.as_json(),
        }


def variant_solution_json(steps: list[VariantDeduction]) -> VariantSolutionJson:
    """Return the ``mineproof/variant-solution/1`` document of some steps."""
    for step in checks.instance("steps", steps, list, "deduce returns them"):
        checks.instance("steps", step, VariantDeduction)
    return {
        "schema": SCHEMA,
        "safe": pairs(cell for step in steps for cell in step.safe),
        "mines": pairs(cell for step in steps for cell in step.mines),
        "steps": [step.as_json() for step in steps],
    }


def variant_steps(
    board: VariantBoard,
    *,
    upto: str = "judged",
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[VariantDeduction]:
    """Yield every cell that the techniques up to one of them make certain, the easiest step first.

    With all techniques these are all certain cells. Raises ContradictionError if no layout fits.

    >>> for step in variant_steps(VariantBoard.parse("0#", "liar")):
    ...     print(step.text)
    The 0 at (0,0) is off by one, so there is 1 mine around it. Only (0,1) is undecided. Without a mine \
there, the 0 at (0,0) would not fit. So (0,1) is a mine.
    """
    checks.instance("board", board, VariantBoard, "VariantBoard.parse reads text")
    checks.one_of("upto", upto, TECHNIQUES)
    limit, using = Budget.of(budget), chosen_engine(engine)
    analysis = analyze_variant(board.position, board.variant, budget=limit, engine=using)
    return steps_of(board, analysis, upto=upto, budget=limit, engine=using)


def steps_of(
    board: VariantBoard, analysis: VariantAnalysis, *, upto: str = TECHNIQUES[-1], budget: Budget, engine: Engine
) -> Iterator[VariantDeduction]:
    """Yield the steps of `variant_steps` for a board that was analyzed already."""
    return _Climb(board, analysis, TECHNIQUES[: TECHNIQUES.index(upto) + 1], budget, engine).steps()


class _Proof:
    """Constraints, by their places, that force a cell; with the total if it is needed."""

    __slots__ = ("facts", "uses_total")

    def __init__(self, facts: frozenset[int], *, uses_total: bool) -> None:
        self.facts, self.uses_total = facts, uses_total


class _Climb:
    """The state of a climb: what is known, with the proof of each cell."""

    def __init__(
        self, board: VariantBoard, analysis: VariantAnalysis, usable: Sequence[str], budget: Budget, engine: Engine
    ) -> None:
        self.board, self.analysis, self.usable, self.engine = board, analysis, usable, engine
        self.deadline = Deadline(budget)
        variant, position = board.variant, board.position
        self.problem = variant.problem(position).without_weights()
        self.statements = variant.statements(position)
        domains = [tuple(value for value, weight in enumerate(weights) if weight) for weights in self.problem.domains]
        facts = [Fact(place, one.constraint, _source(one)) for place, one in enumerate(self.statements)]
        total = None
        if position.total_mines is not None:
            total = reasoning.total_fact(range(len(domains)), position.total_mines)
        rules = (clue_rule(variant.clues).name, *(rule.name for rule in variant.local))
        if variant.cell_max > 1:
            rules = (*rules, f"{CELL_MAX}:{variant.cell_max}")
        self.situation = Situation(facts, domains, board.columns, total, self.deadline, rules)
        self.proofs: dict[int, _Proof] = {}
        self.left = {board.position.index(cell) for cell in analysis.safe | analysis.mines}

    def steps(self) -> Iterator[VariantDeduction]:
        techniques = {
            "clue": reasoning.of_clues,
            "pair": reasoning.of_pairs,
            "total": reasoning.of_total,
            "contradiction": reasoning.of_trials,
            "exhaustive": self._exhaustive,
            "judged": self._judge,
        }
        while self.left:
            for name in self.usable:
                new = self._new_findings(techniques[name](self.situation), several=name == "clue")
                if new:
                    yield from map(self._learn, new)
                    break
            else:
                return

    def _new_findings(self, findings: Iterator[Insight], *, several: bool) -> list[Insight]:
        """Return the first finding, or several that have no cell in common, without those that are known already."""
        new: list[Insight] = []
        left = set(self.left)
        for finding in findings:
            decided = finding.safe | finding.mines
            if decided <= left:
                new.append(finding)
                left -= decided
                if not several:
                    break
        return new

    def _learn(self, finding: Insight) -> VariantDeduction:
        proof = self._proof(finding)
        decided = finding.safe | finding.mines
        self.situation.learn(finding.safe, finding.mines)
        self.left -= decided
        for cell in decided:
            self.proofs[cell] = proof
        sources = [self.statements[place] for place in sorted(proof.facts)]
        rules = [statement.rule for statement in sources if statement.cell is None]
        if finding.technique == "judged":
            rules += [rule.name for rule in self.board.variant.shapes]
        return VariantDeduction(
            finding.technique,
            frozenset(self.situation.cells(finding.safe)),
            frozenset(self.situation.cells(finding.mines)),
            tuple(statement.cell for statement in sources if statement.cell is not None),
            tuple(dict.fromkeys(rules)),
            proof.uses_total,
            finding.argument,
            self.board,
        )

    # proofs

    def _proof(self, finding: Insight) -> _Proof:
        """Return constraints that force a finding: those of its argument, and what the cells around them rest on."""
        named = {fact.place for fact in finding.facts if fact.place >= 0}
        uses_total = any(fact.place == reasoning.TOTAL for fact in finding.facts)
        if finding.technique == "judged":
            return _Proof(frozenset(range(len(self.statements))), uses_total=self.problem.total is not None)
        earlier = {cell for fact in finding.facts for cell in fact.cells if cell in self.proofs}
        facts = named.union(*(self.proofs[cell].facts for cell in earlier))
        uses_total |= any(self.proofs[cell].uses_total for cell in earlier)
        others = sorted(facts - named)
        assert self._forces(sorted(facts), uses_total, finding), f"{finding} does not follow"
        if others:
            required = sorted(named)
            others = shrink(others, lambda some: self._forces([*required, *some], uses_total, finding))
        return _Proof(frozenset([*named, *others]), uses_total=uses_total)

    def _forces(self, places: Sequence[int], uses_total: bool, finding: Insight) -> bool:
        return _forces(self.problem.keep(places, total=uses_total), finding.safe, finding.mines, self)

    # what no technique finds

    def _exhaustive(self, situation: Situation) -> Iterator[Insight]:
        """Yield the certain cells that need the fewest clues, of some that are tried."""
        certain = self._certain_by_counting()
        tried = sorted(certain & self.left, key=lambda cell: (len(situation.around.get(cell, ())) == 0, cell))
        best: tuple[int, bool, list[int], bool, int] | None = None
        for cell in tried[:EXHAUSTIVE_MAX_TRIES]:
            is_safe = divmod(cell, self.board.columns) in self.analysis.safe
            places, uses_total = self._fewest(cell, is_safe=is_safe)
            candidate = (len(places) + 2 * uses_total, not is_safe, places, uses_total, cell)
            best = candidate if best is None else min(best, candidate)
        if best is None:
            return
        _, _, places, uses_total, cell = best
        one, none = frozenset([cell]), frozenset[int]()
        safe, mines = (none, one) if best[1] else (one, none)
        facts = [situation.facts[place] for place in places]
        named = [fact.source.rule for fact in facts]
        used = [rule for rule in situation.rules if rule in named or rule.startswith(f"{CELL_MAX}:")]
        clauses = [VariantClause("rule", sources=(Source(rule),)) for rule in used if rule != "classic"]
        count = self._ways(facts, uses_total)
        sources = [fact.source for fact in facts]
        if uses_total:
            facts.append(situation.total)  # type: ignore[arg-type]  # a total is used, so there is one
            sources.append(Source())
        clauses.append(VariantClause("ways-together", sources=tuple(sources), count=count))
        clauses += situation.in_every_way(count, safe, mines)
        argument = VariantClause(VARIANT_ARGUMENT, parts=tuple(clauses))
        yield Insight("exhaustive", safe, mines, tuple(facts), argument, len(facts))

    def _certain_by_counting(self) -> set[int]:
        if not self.board.variant.shapes:
            return self.left
        counted = self.engine.solve_problem(self.problem, self.deadline.rest())
        return {cell for cell in self.left if 0 not in (values := counted.possible(cell)) or values == (0,)}

    def _fewest(self, cell: int, *, is_safe: bool) -> tuple[list[int], bool]:
        """Return few constraints that force a cell, and whether the total is needed."""
        one, none = frozenset([cell]), frozenset[int]()
        safe, mines = (one, none) if is_safe else (none, one)
        everything = range(len(self.statements))
        uses_total = self.problem.total is not None and not _forces(
            self.problem.keep(everything, total=False), safe, mines, self
        )
        row, column = divmod(cell, self.board.columns)

        def distance(place: int) -> int:
            cells = self.statements[place].constraint.cells
            return max((abs(r - row) + abs(c - column) for r, c in map(self.situation.cell, cells)), default=0)

        order = sorted(everything, key=distance, reverse=True)  # the first are removed first

        def holds(places: Sequence[int]) -> bool:
            return _forces(self.problem.keep(places, total=uses_total), safe, mines, self)

        return sorted(shrink(order, holds)), uses_total

    def _ways(self, facts: Sequence[Fact], uses_total: bool) -> int:
        """Return in how many ways the unknown cells of some facts can be filled."""
        places = [fact.place for fact in facts]
        part = self.problem.keep(places, total=uses_total)
        inside = {cell for fact in facts for cell in fact.cells} if not uses_total else set(range(part.variables))
        domains = []
        for cell, weights in enumerate(self.problem.domains):
            known = self.situation.domains[cell]
            allowed = [Fraction(value in known) for value in range(len(weights))]
            if cell not in inside:
                allowed = [Fraction(value == known[0]) for value in range(len(weights))]
            domains.append(allowed)
        small = Problem(domains, part.constraints, total=part.total)
        return self.engine.solve_problem(small, self.deadline.rest()).solutions()

    def _judge(self, situation: Situation) -> Iterator[Insight]:
        """Yield all that only the rules on the shape of the mines decide."""
        shapes = self.board.variant.shapes
        if not shapes:
            return
        index = self.board.position.index
        safe = frozenset(cell for cell in map(index, self.analysis.safe) if cell in self.left)
        mines = frozenset(self.left) - safe
        sources = tuple(Source(rule.name) for rule in shapes)
        clauses = [VariantClause("rule", sources=(source,)) for source in sources]
        clauses.append(VariantClause("judged", sources=sources, count=self.analysis.layouts))
        clauses += situation.in_every_way(self.analysis.layouts, safe, mines)
        yield Insight("judged", safe, mines, (), VariantClause(VARIANT_ARGUMENT, parts=tuple(clauses)))


def _forces(problem: Problem, safe: frozenset[int], mines: frozenset[int], climb: _Climb) -> bool:
    counted = climb.engine.solve_problem(problem, climb.deadline.rest())
    return all(counted.possible(cell) == (0,) for cell in safe) and all(0 not in counted.possible(c) for c in mines)


def _source(statement: Statement) -> Source:
    return Source(statement.rule, statement.cell, "|".join(map(clue_text, statement.clues)))
