"""Games of any moves against a naive model of the rules.

The model knows neighbours and brute force from ``tests/support``, keeps a copy of everything for each move that counts,
and decides on its own what is legal, what opens, who wins and what fairness must do. Which layout is drawn is left to
the game, but the model says when one must be, and that it is one of those allowed. Hypothesis looks for the shortest
game that goes wrong; games by a seed, most of whose moves are legal, see to it that every rule comes into play.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import get_args

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from mineproof.board.board import Board
from mineproof.board.start import FirstClick
from mineproof.errors import IllegalMoveError
from mineproof.game.game import Game, Outcome
from mineproof.game.layout import Layout
from mineproof.game.record import Move
from mineproof.game.rules import ChordRule, Fairness, MoveKind, Rules
from support.effort import examples
from support.oracle import ABSENT, COVERED, FLAGGED, Cell, brute_force, neighbours
from support.positions import CLASSIC

pytestmark = pytest.mark.property

Mines = frozenset[Cell]
MOST_CELLS = 12  # 4096 ways to lay mines, all of them tried


@dataclass(frozen=True)
class View:
    """The model: all that changes from move to move."""

    mines: Mines
    opened: frozenset[Cell] = frozenset()
    flags: frozenset[Cell] = frozenset()
    questions: frozenset[Cell] = frozenset()
    exploded: frozenset[Cell] = frozenset()
    redraws: int = 0


@dataclass
class Model:
    layout: Layout
    rules: Rules
    now: View
    before: list[View] = field(default_factory=list)  # one for each move that counts

    @property
    def cells(self) -> set[Cell]:
        places = {(row, column) for row in range(self.layout.rows) for column in range(self.layout.columns)}
        return places - self.layout.absent

    def around(self, cell: Cell) -> set[Cell]:
        return neighbours(self.layout.topology, self.layout.rows, self.layout.columns, cell) - self.layout.absent

    def number(self, cell: Cell) -> int:
        return len(self.around(cell) & self.now.mines)

    @property
    def status(self) -> str:
        if self.now.exploded:
            return "lost"
        if not self.now.opened:
            return "new"
        return "won" if self.now.opened == self.cells - self.now.mines else "running"

    @property
    def board(self) -> Board:
        shown = dict.fromkeys(self.cells, COVERED) | dict.fromkeys(self.now.flags, FLAGGED)
        shown |= {cell: self.number(cell) for cell in self.now.opened}
        places = ((row, column) for row in range(self.layout.rows) for column in range(self.layout.columns))
        codes = bytes(shown.get(cell, ABSENT) & 0xFF for cell in places)
        return Board(self.layout.rows, self.layout.columns, codes, len(self.now.mines), self.layout.topology)

    # what may be done

    def revealed(self, kind: MoveKind, cell: Cell) -> set[Cell]:
        """The cells an opening or a chord would open at once; none where it is illegal."""
        now = self.now
        closed = self.cells - now.opened - now.flags
        if kind == "open":
            return {cell} & closed
        flags, number = len(self.around(cell) & now.flags), self.number(cell)
        enough = flags >= number if self.rules.chord_rule == "at-least" else flags == number
        return self.around(cell) & closed if cell in now.opened and enough else set()

    def is_legal(self, kind: MoveKind, cell: Cell | None) -> bool:
        if kind == "undo" or cell is None:
            return bool(self.before) and kind == "undo" and cell is None
        if cell not in self.cells or self.status in ("won", "lost"):
            return False
        return cell not in self.now.opened if kind in ("flag", "question") else bool(self.revealed(kind, cell))

    # what it does

    def mark(self, kind: MoveKind, cell: Cell) -> None:
        self.before.append(self.now)
        flags, questions = self.now.flags - {cell}, self.now.questions - {cell}
        if kind == "flag" and cell not in self.now.flags:
            flags |= {cell}
        if kind == "question" and cell not in self.now.questions:
            questions |= {cell}
        self.now = replace(self.now, flags=flags, questions=questions)

    def reveal(self, cells: set[Cell], mines: Mines, fairly: bool) -> set[Cell]:
        self.before.append(self.now)
        self.now = replace(self.now, mines=mines, exploded=frozenset(cells & mines))
        opened, waiting = set(self.now.opened), cells - mines
        while waiting:
            opened |= waiting
            zeros = [cell for cell in waiting if self.number(cell) == 0]
            waiting = set().union(*map(self.around, zeros)) - opened - self.now.flags
        found = opened - self.now.opened
        questions, redraws = self.now.questions - opened, self.now.redraws + fairly
        self.now = replace(self.now, opened=frozenset(opened), questions=questions, redraws=redraws)
        return found

    def allowed(self, cells: set[Cell]) -> tuple[list[Mines], bool]:
        """The layouts that may be there when cells are revealed, and whether fairness is what changed them."""
        if self.status == "new" and self.rules.first_click != "any":
            (cell,) = cells
            return list(self.roomy(cell, self.around(cell) if self.rules.first_click == "open" else set())), False
        fits = list(brute_force(self.board.without_flags()).layouts())
        assert self.now.mines in fits
        free = [mines for mines in fits if not cells & mines]
        forced = not any(all(cell not in mines for mines in fits) for cell in self.cells - self.now.opened)
        hit, fairness = bool(cells & self.now.mines), self.rules.fairness
        protected = {"kind": True, "forced": forced, "strict": forced}.get(fairness, False)
        if fairness in ("safest", "local"):
            rivals = self.region(cells, fits) if fairness == "local" else self.cells - self.now.opened
            mined = len(fits) - len(free)
            protected = all(sum(cell in mines for mines in fits) >= mined for cell in rivals)
        if hit and free and protected:
            return free, True
        if fairness == "strict" and not hit and not forced and len(free) < len(fits):
            return [mines for mines in fits if cells & mines], True
        return [self.now.mines], False

    def region(self, cells: set[Cell], fits: list[Mines]) -> set[Cell]:
        """Cells linked by common numbers, found by merging sets: one for each number, one for cells without any."""
        possible = {cell for cell in self.cells - self.now.opened if not all(cell in mines for mines in fits)}
        groups = [group for number in self.now.opened if (group := self.around(number) & possible)]
        groups.append(possible - set().union(*groups))
        region = cells & possible
        while any(group & region and not group <= region for group in groups):
            region = region.union(*(group for group in groups if group & region))
        return region

    def roomy(self, cell: Cell, near: set[Cell]) -> Iterator[Mines]:
        """Layouts with as few mines as possible under a cell, then around it, that differ no more than they must."""
        everywhere = self.board.replace(dict.fromkeys(self.now.flags, COVERED))
        layouts = list(brute_force(everywhere).layouts())
        least = min((cell in mines, len(mines & near)) for mines in layouts)
        best = [mines for mines in layouts if (cell in mines, len(mines & near)) == least]
        closest = min(len(mines - self.now.mines) for mines in best)
        yield from (mines for mines in best if len(mines - self.now.mines) == closest)


class Pair:
    """A game and its model, which must agree after every move."""

    def __init__(self, layout: Layout, rules: Rules, seed: int) -> None:
        self.seconds = 0.0
        self.game = Game(layout, first_click=rules.first_click, fairness=rules.fairness, chord_rule=rules.chord_rule,
                         seed=seed, clock=self.clock)  # fmt: skip
        self.model = Model(layout, rules, View(layout.mines))
        self.seen = [str(self.game)]  # after each move
        self.check()

    def clock(self) -> float:
        return self.seconds

    def reveals(self) -> list[tuple[MoveKind, Cell]]:
        """All legal openings and chords."""
        kinds: list[MoveKind] = ["open", "chord"]
        moves = [(kind, cell) for kind in kinds for cell in sorted(self.model.cells)]
        return [move for move in moves if self.model.is_legal(*move)]

    def attempt(self, kind: MoveKind, cell: Cell | None) -> Outcome | None:
        before = self.game.record()
        outcome = None
        if self.model.is_legal(kind, cell):
            outcome = self.game.play(kind, cell)
            assert self.game.moves == (*before.moves, Move(kind, cell, before.ms))
            self.follow(kind, cell, outcome)
            self.seen.append(str(self.game))
        else:
            with pytest.raises(IllegalMoveError):
                self.game.play(kind, cell)
            assert self.game.record() == before
        self.check()
        return outcome

    def follow(self, kind: MoveKind, cell: Cell | None, outcome: Outcome) -> None:
        if cell is not None and kind in ("open", "chord"):
            self.follow_reveal(self.model.revealed(kind, cell), outcome)
            return
        if cell is None:
            self.model.now = self.model.before.pop()
        else:
            self.model.mark(kind, cell)
        assert outcome == Outcome({}, frozenset(), False, self.game.status)

    def follow_reveal(self, cells: set[Cell], outcome: Outcome) -> None:
        model = self.model
        allowed, fairly = model.allowed(cells)
        mines = self.game.record().redraws.get(len(self.game.moves) - 1)
        assert (mines is None) == (model.now.mines in allowed)
        assert mines is None or mines in allowed
        result = model.reveal(cells, model.now.mines if mines is None else mines, fairly)
        shown = {cell: model.number(cell) for cell in result}
        assert outcome == Outcome(shown, model.now.exploded, fairly, self.game.status)

    def chord_with_flags(self, cell: Cell, wanted: Collection[Cell]) -> Outcome | None:
        """Flag these of the covered cells around a number, and no others, and chord."""
        for other in sorted(self.model.around(cell) - self.model.now.opened):
            if (other in wanted) != (other in self.model.now.flags):
                self.attempt("flag", other)
        return self.attempt("chord", cell)

    # what holds after every move

    def check(self) -> None:
        self.check_model()
        self.check_kept()
        self.check_secret()

    def check_model(self) -> None:
        game, model = self.game, self.model
        assert game.board == model.board
        assert (game.status, game.questions, game.exploded) == (model.status, model.now.questions, model.now.exploded)
        assert game.mines_left == len(model.now.mines) - len(model.now.flags)
        assert (game.redraws, len(game.line)) == (model.now.redraws, len(model.before))
        assert game.is_over == (game.status in ("won", "lost"))

    def check_kept(self) -> None:
        """It comes back from its text, and can be replayed to any move."""
        game, record = self.game, self.game.record()
        again = Game.load(game.save(), clock=self.clock)
        assert again.record() == record
        assert (again.board, again.line, again.as_json()) == (game.board, game.line, game.as_json())
        count = len(self.seen) // 2
        assert str(Game.replay(record, upto=count)) == self.seen[count]

    def check_secret(self) -> None:
        game, saved = self.game, json.loads(self.game.save())
        plain = bits(self.model.layout)
        assert "*" not in str(game) + repr(game) + repr(game.record())
        if game.is_over:
            assert (saved["sealed"], saved["layout"]) == (False, plain)
            assert game.layout.mines == self.model.now.mines
            return
        assert saved["sealed"]
        assert saved["layout"] != plain
        assert "mines" not in game.as_json()
        with pytest.raises(IllegalMoveError):
            _ = game.layout


def bits(layout: Layout) -> str:
    """The mines as hexadecimal digits, row by row, highest bit first."""
    places = [(row, column) for row in range(layout.rows) for column in range(layout.columns)]
    text = "".join("01"[cell in layout.mines] for cell in places)
    length = -(-len(text) // 8)
    return f"{int(text.ljust(8 * length, '0'), 2):0{2 * length}x}"


# whatever Hypothesis thinks of


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    rows = draw(st.integers(1, 4))
    columns = draw(st.integers(1, MOST_CELLS // rows))
    places = [(row, column) for row in range(rows) for column in range(columns)]
    absent = draw(st.frozensets(st.sampled_from(places), max_size=min(3, len(places) - 1)))
    cells = [cell for cell in places if cell not in absent]
    count = draw(st.integers(0, len(cells)) | st.integers(0, len(cells) // 3))
    mines = draw(st.permutations(cells))[:count]
    return Layout(rows, columns, frozenset(mines), None, draw(st.sampled_from(CLASSIC)), absent)


marks_and_reveals = st.sampled_from(["open", "flag", "question", "chord"])


class Played(RuleBasedStateMachine):
    @initialize(
        layout=layouts(),
        rules=st.builds(
            Rules,
            st.sampled_from(get_args(FirstClick)),
            st.sampled_from(get_args(Fairness)),
            st.sampled_from(get_args(ChordRule)),
        ),
        seed=st.integers(0, 2**64 - 1),
    )
    def begin(self, layout: Layout, rules: Rules, seed: int) -> None:
        self.pair = Pair(layout, rules, seed)

    @rule(kind=marks_and_reveals, row=st.integers(-1, 4), column=st.integers(-1, 12))
    def move_anywhere(self, kind: MoveKind, row: int, column: int) -> None:
        self.pair.attempt(kind, (row, column))

    @rule(kind=marks_and_reveals, data=st.data())
    def move_inside(self, kind: MoveKind, data: st.DataObject) -> None:
        self.pair.attempt(kind, data.draw(st.sampled_from(sorted(self.pair.model.cells))))

    @precondition(lambda self: self.pair.reveals())
    @rule(data=st.data())
    def reveal_something(self, data: st.DataObject) -> None:
        self.pair.attempt(*data.draw(st.sampled_from(self.pair.reveals())))

    @precondition(lambda self: self.pair.model.status == "running")
    @rule(data=st.data())
    def chord_with_flags(self, data: st.DataObject) -> None:
        model = self.pair.model
        cell = data.draw(st.sampled_from(sorted(model.now.opened)))
        covered = sorted(model.around(cell) - model.now.opened)
        self.pair.chord_with_flags(cell, data.draw(st.permutations(covered))[: model.number(cell)])

    @rule()
    def undo(self) -> None:
        self.pair.attempt("undo", None)

    @rule(tenths=st.integers(0, 30))
    def wait(self, tenths: int) -> None:
        self.pair.seconds += tenths / 10


TestPlayed = Played.TestCase
TestPlayed.settings = settings(max_examples=examples(120), stateful_step_count=20)


# games by a seed


def some_layout(rng: random.Random) -> Layout:
    rows = rng.randint(1, 4)
    columns = rng.randint(1, MOST_CELLS // rows)
    places = [(row, column) for row in range(rows) for column in range(columns)]
    absent = frozenset(rng.sample(places, rng.choice([0, 0, min(2, len(places) - 1)])))
    cells = [cell for cell in places if cell not in absent]
    mines = rng.sample(cells, rng.randint(0, max(1, len(cells) // 2)))
    return Layout(rows, columns, frozenset(mines), None, rng.choice(CLASSIC), absent)


def a_move(rng: random.Random, pair: Pair) -> tuple[str, Outcome | None]:
    """Any sensible move, or now and then any at all."""
    model, cells = pair.model, sorted(pair.model.cells)
    choice = rng.random()
    if choice < 0.5 and (reveals := pair.reveals()):
        kind, cell = rng.choice(reveals)
        return kind, pair.attempt(kind, cell)
    if choice < 0.75 and model.status == "running":
        cell = rng.choice(sorted(model.now.opened))
        covered = sorted(model.around(cell) - model.now.opened)
        samples = rng.sample(covered, min(len(covered), model.number(cell) + rng.choice([0, 0, 0, 1])))
        return "chord", pair.chord_with_flags(cell, samples)
    if choice < 0.8 or (model.status == "lost" and choice < 0.9):
        return "undo", pair.attempt("undo", None)
    kind = rng.choice(get_args(MoveKind)[:4])
    return kind, pair.attempt(kind, rng.choice(cells))


def test_every_rule_comes_into_play() -> None:
    rng, seen = random.Random(2), Counter[str]()
    for number in range(GAMES):
        first_click, fairness, chord = (rng.choice(get_args(kind)) for kind in (FirstClick, Fairness, ChordRule))
        pair = Pair(some_layout(rng), Rules(first_click, fairness, chord), number)
        for _ in range(12):
            pair.seconds += rng.random()
            kind, outcome = a_move(rng, pair)
            if outcome is not None:
                seen[f"{fairness}: {kind} {'redrawn, ' * outcome.redrawn}{outcome.status}"] += 1
    assert seen.keys() >= MUST_BE_SEEN, sorted(MUST_BE_SEEN - seen.keys())


GAMES = 400
MUST_BE_SEEN = {
    f"{fairness}: {kind} {status}"
    for kind in ("open", "chord")
    for fairness, statuses in {
        "none": ["running", "won", "lost"],
        "forced": ["running", "won", "lost", "redrawn, running", "redrawn, won"],
        "kind": ["running", "won", "lost", "redrawn, running", "redrawn, won"],
        "strict": ["running", "won", "lost", "redrawn, running", "redrawn, won", "redrawn, lost"],
    }.items()
    for status in statuses
}
