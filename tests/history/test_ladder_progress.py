"""The right answers of a player by technique, which the ladder of lessons shows."""

from pathlib import Path

import mineproof as mp
from mineproof.practice.answers import answer
from mineproof.practice.progress import Training


def test_right_answers_are_counted_by_technique(tmp_path: Path) -> None:
    with Training.open(tmp_path) as training:
        assert {technique["right"] for technique in training.techniques_json()} == {0}
        for seed in (1, 2):
            task = mp.puzzle("single-open", seed=seed)
            assert training.add(answer(task, min(task.solution)))
        wrong = mp.puzzle("single-open", seed=3)
        other = next(cell for cell in sorted(wrong.board.cells(-1)) if cell not in wrong.solution)
        training.add(answer(wrong, other))
        counts = {technique["name"]: technique["right"] for technique in training.techniques_json()}
        assert counts.pop("single-open") == 2
        assert set(counts.values()) == {0}
        assert {technique["right"] for technique in training.techniques_json("somebody else")} == {0}
