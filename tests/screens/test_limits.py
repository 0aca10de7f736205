"""Reading a picture has an end: in pixels, cells, memory and time, and on one processor."""

import ast
import io
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import mineproof as mp
from mineproof.base.budget import Budget
from mineproof.screens import lattice_fit, network, pixels
from mineproof.screens.lattice import LOOK
from support.patience import PATIENCE

BOARD = mp.Board.parse("000000/011100/02F211/03F###/03####/02####")
DRAWN = mp.draw(BOARD, coordinates=False).png()


def encoded(picture: Image.Image) -> bytes:
    held = io.BytesIO()
    picture.save(held, "PNG")
    return held.getvalue()


def lined(side: int, step: int = 16) -> bytes:
    """A picture that is all cells: a line every few pixels."""
    array = np.full((side, side), 192, np.uint8)
    array[::step] = array[:, ::step] = 90
    return encoded(Image.fromarray(array))


# time


def test_a_budget_without_time_reads_nothing() -> None:
    with pytest.raises(mp.BudgetExceeded) as caught:
        mp.read_image(DRAWN, budget=0)
    assert caught.value.limit == "seconds"


class Leaving:
    """A client that leaves at the ``last`` check."""

    def __init__(self, last: int) -> None:
        self.last, self.calls = last, 0

    def has_left(self) -> bool:
        self.calls += 1
        return self.calls >= self.last


@pytest.mark.slow
def test_a_reading_is_cancelled_at_every_step() -> None:
    staying = Leaving(10**9)
    assert mp.read_image(DRAWN, budget=Budget(cancelled=staying.has_left)).board == BOARD
    asked = staying.calls
    assert asked > 30, "too seldom to be heard in each step"
    for last in sorted({1, 2, 3, asked // 3, asked // 2, asked - 2, asked}):
        client = Leaving(last)
        with pytest.raises(mp.BudgetExceeded) as caught:
            mp.read_image(DRAWN, budget=Budget(cancelled=client.has_left))
        assert caught.value.limit == "cancelled"
        assert client.calls == last, "continued after it was cancelled"


@pytest.mark.slow
def test_what_a_person_says_has_a_budget_too() -> None:
    reading = mp.read_image(DRAWN)
    with pytest.raises(mp.BudgetExceeded):
        reading.confirm({(5, 5): "#"}, budget=0)
    assert reading.confirm({(5, 5): "#"}, budget=60).cells == reading.cells


# cells


@pytest.mark.slow
def test_a_picture_of_too_many_cells_is_refused_before_all_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice_fit, "MAX_CELLS", 300)
    with pytest.raises(mp.BoardSyntaxError, match="expected a board of at most"):
        mp.read_image(lined(500))


def test_looks_that_are_the_same_are_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    scores = network._scores

    def noted(looks: network.Floats) -> network.Floats:
        asked.append(len(looks))
        return scores(looks)

    monkeypatch.setattr(network, "_scores", noted)
    rng = np.random.default_rng(0)
    some = rng.random((3, LOOK, LOOK, 3), np.float32)
    repeated = some[[0, 1, 0, 2, 1, 0]]
    found = network.log_probabilities(repeated)
    assert asked == [3]
    np.testing.assert_array_equal(found, network.log_probabilities(some)[[0, 1, 0, 2, 1, 0]])


# pixels and memory


@pytest.mark.parametrize("size", [(1, 40_000_000), (100_000, 31)])
def test_a_picture_too_narrow_for_a_board_is_refused_before_it_is_decoded(size: tuple[int, int]) -> None:
    whole = encoded(Image.new("1", (min(size[0], 50_000), min(size[1], 50_000))))
    header = bytearray(whole[:33])
    header[16:24] = size[0].to_bytes(4, "big") + size[1].to_bytes(4, "big")
    header[29:33] = zlib.crc32(bytes(header[12:29])).to_bytes(4, "big")
    with pytest.raises(mp.BoardSyntaxError, match="at least 32 × 32 pixels, got"):
        mp.read_image(bytes(header) + whole[33:])


def test_what_is_looked_at_is_bounded() -> None:
    assert pixels.MAX_PIXELS / 4 <= pixels.MAX_WORKING_PIXELS


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "I;16"])
def test_a_large_picture_is_read_at_half_its_size(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    picture: Image.Image = Image.open(io.BytesIO(mp.draw(BOARD, coordinates=False).png(scale=2)))
    if mode == "I;16":
        picture = Image.fromarray(np.asarray(picture.convert("L"), np.uint16) * 257)
    else:
        picture = picture.convert("RGB").convert(mode)
    whole = mp.read_image(encoded(picture))
    monkeypatch.setattr(pixels, "MAX_WORKING_PIXELS", 1_000)
    assert pixels.decode(encoded(picture)).pixels.shape[:2] == (picture.height // 2, picture.width // 2)
    half = mp.read_image(encoded(picture))
    assert half.cells == whole.cells
    assert half.box == pytest.approx(whole.box, abs=10)  # of cells of 56 pixels


# processors


def test_products_are_what_they_should_be() -> None:
    rng = np.random.default_rng(1)
    for rows, depth, width in ((1, 5, 3), (77, 216, 32), (256, 3136, 96), (2, 4000, 100), (0, 4, 4)):
        left, right = rng.random((rows, depth), np.float32), rng.random((depth, width), np.float32)
        np.testing.assert_allclose(network.product(left, right), left @ right, rtol=1e-4)


def test_no_product_is_large_enough_for_threads_of_blas(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[tuple[int, int]] = []
    multiply = np.matmul

    def noted(left: network.Floats, right: network.Floats) -> Any:
        sizes.append((left.shape[-2], left.shape[-2] * left.shape[-1] * right.shape[-1]))
        return multiply(left, right)

    monkeypatch.setattr(np, "matmul", noted)
    network.log_probabilities(np.random.default_rng(0).random((300, LOOK, LOOK, 3), np.float32))
    assert sizes
    assert min(rows for rows, _ in sizes) >= 2
    assert max(multiplications for _, multiplications in sizes) <= network.ONE_THREAD


def test_nothing_else_in_the_reader_asks_blas() -> None:
    found = [
        f"{path.name}:{node.lineno}"
        for path in sorted(Path(network.__file__).parent.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult))
        or (isinstance(node, ast.Attribute) and node.attr in {"dot", "tensordot", "vdot"})
        or (isinstance(node, ast.Attribute) and ast.unparse(node) == "np.inner")  # a board has an `inner`, too
    ]
    assert found == []


THREADS_AT_WORK = """
import sys
from pathlib import Path
import mineproof as mp

def ticks():
    \"\"\"Processor time of each thread but this one.\"\"\"
    own = Path("/proc/self").resolve().name
    threads = [path for path in Path("/proc/self/task").iterdir() if path.name != own]
    return sum(sum(map(int, (path / "stat").read_text().rsplit(")", 1)[1].split()[11:13])) for path in threads)

data = Path(sys.argv[1]).read_bytes()
mp.read_image(data)  # threads that a library starts when it is imported begin with some work
before = ticks()
for _ in range(3):
    mp.read_image(data)
print(ticks() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux")
def test_reading_takes_one_processor(tmp_path: Path) -> None:
    """No thread but the calling one works, so that a busy machine does not make threads wait for each other."""
    (tmp_path / "screen.png").write_bytes(DRAWN)
    command = [sys.executable, "-c", THREADS_AT_WORK, str(tmp_path / "screen.png")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert int(done.stdout) <= 2
