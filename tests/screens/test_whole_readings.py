"""Whole readings: the size of the board, certainty, pictures that are no board, turned pictures."""

import io
import pickle

import numpy as np
import pytest
from PIL import Image

import mineproof as mp
from mineproof.base.budget import Budget, Deadline
from mineproof.screens import cell_names, certainty, extent, figures, lattice, periods, skew
from mineproof.screens.board_fit import SIDES, BoardFit
from mineproof.screens.lattice import Lattice
from mineproof.screens.lattice_fit import frame
from mineproof.screens.patches import Canvas
from mineproof.screens.pixels import decode
from mineproof.screens.reader import SizeDoubt, read_pixels
from support.effort import examples
from support.skins import families, looks, non_boards, positions, scenes

BOARD = mp.Board.parse("000000/011100/02F211/03F###/03####/02####")
PICTURE = mp.draw(BOARD, coordinates=False).png(1)
BUDGET = Deadline(Budget(seconds=10_000))


def encoded(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    held = io.BytesIO()
    picture.save(held, kind, **options)
    return held.getvalue()


def pixels_of(scene: scenes.Scene) -> np.ndarray:
    return np.asarray(scene.picture.convert("RGB"))


def true_fit(seed: int) -> BoardFit:
    """A drawn board at its true place, with the strips around it."""
    rng = np.random.default_rng(seed)
    scene = scenes.draw_scene(looks.random_look(rng), positions.random_position(rng, largest=100), rng)
    rows, columns = scene.position.marks.shape
    x0, y0, x1, y1 = scene.box
    lattice = Lattice(x0, y0, (x1 - x0) / columns, (y1 - y0) / rows, rows, columns)
    return frame(Canvas.of(pixels_of(scene), BUDGET), lattice)


# the size


@pytest.mark.slow
def test_outer_strips_belong_and_those_beyond_do_not() -> None:
    right = count = 0
    for seed in range(300, 300 + examples(60, 0.1)):
        board = true_fit(seed)
        marks = cell_names.choose_marks(board.looks, board.chances, {}, BUDGET).marks
        chances = extent.changes(board, marks)
        right += sum(chance < 0.5 for chance in chances.values())
        count += len(chances)
    assert right >= 0.95 * count


@pytest.mark.parametrize("side", SIDES)
def test_the_same_strip_is_seen_from_every_side(side: str) -> None:
    board = true_fit(301)
    turned = extent.turn_patch(board.inner, side)
    across = side in {"left", "right"}
    assert turned.flat.shape == (board.inner.flat.shape[::-1] if across else board.inner.flat.shape)
    row = {"up": board.looks[0, 0], "down": board.looks[-1, 0], "left": board.looks[0, 0], "right": board.looks[0, -1]}
    first = turned.looks[0, 0]
    np.testing.assert_array_equal(np.sort(first.ravel()), np.sort(row[side].ravel()))


@pytest.mark.slow
def test_a_board_is_resized_within_what_is_known() -> None:
    reading = mp.read_image(PICTURE)
    smaller = reading.resize({"up": -1, "left": -1})
    assert (len(smaller.cells), len(smaller.cells[0])) == (5, 5)
    assert smaller.resize({"up": 1, "left": 1}).cells == reading.cells
    assert reading.resize({"down": 0}).cells == reading.cells
    with pytest.raises(ValueError, match="expected a side, one of up, down, left, right, got 'top'"):
        reading.resize({"top": 1})
    with pytest.raises(ValueError, match="expected a change of -3 to"):
        reading.resize({"up": -4})


@pytest.mark.slow
def test_confirmed_cells_move_with_the_rows() -> None:
    reading = mp.read_image(PICTURE).confirm({(2, 3): "7"})
    assert reading.resize({"up": -1, "left": -1}).cells[1][2] == "7"


@pytest.mark.slow
def test_an_answered_side_is_not_asked_again() -> None:
    reading = mp.read_image(PICTURE).resize(dict.fromkeys(SIDES, 0))
    assert reading.size_doubts == ()


@pytest.mark.slow
def test_a_size_doubt_makes_a_reading_unsure() -> None:
    import dataclasses

    reading = dataclasses.replace(mp.read_image(PICTURE), doubts=(), certainty=1.0)
    assert dataclasses.replace(reading, size_doubts=()).sure
    doubted = dataclasses.replace(reading, size_doubts=(SizeDoubt("up", -1, 0.3),))
    assert not doubted.sure
    assert doubted.as_json()["size_doubts"] == [{"side": "up", "change": -1, "chance": 0.3}]


@pytest.mark.slow
def test_a_reading_can_be_sent_to_another_process() -> None:
    reading = mp.read_image(PICTURE)
    again = pickle.loads(pickle.dumps(reading))
    assert again == reading
    assert again.resize({"up": -1}).cells == reading.resize({"up": -1}).cells


@pytest.mark.slow
@pytest.mark.parametrize("name", ["labels", "tall"])
def test_labels_and_oblong_cells_are_read(name: str) -> None:
    right = 0
    for seed in range(40, 43):
        scene = families.draw_family(name, np.random.default_rng(seed), largest=90)
        try:
            reading = read_pixels(pixels_of(scene), budget=10_000)
        except mp.BoardSyntaxError:
            continue
        right += (len(reading.cells), len(reading.cells[0])) == scene.position.marks.shape
    assert right >= 2


def test_digits_on_broad_cells_are_not_squeezed() -> None:
    picture = np.zeros((40, 120, 3), np.uint8)
    for left in (15, 55, 95):
        picture[5:15, left : left + 10] = 255  # a square in each of three cells of 40 × 20
    middles = lattice.middle_looks(picture, Lattice(0, 0, 40, 20, 2, 3))
    assert middles.shape == (2, 3, lattice.LOOK, lattice.LOOK, 3)
    for look in middles[0]:
        lit = np.argwhere(look[..., 0] > 0.5)
        height, width = lit.max(0) - lit.min(0) + 1
        assert (height, width) == pytest.approx((10, 10), abs=1)
    assert not middles[1].any()


# boards without lines


@pytest.mark.parametrize(("name", "seed"), [("rings", 42702), ("veils", 43303)])
def test_a_board_without_lines_is_found_by_its_figures(name: str, seed: int) -> None:
    """No distance repeats along its edges."""
    scene = families.draw_family(name, np.random.default_rng(seed), largest=200)
    reading = read_pixels(pixels_of(scene), budget=10_000)
    assert (len(reading.cells), len(reading.cells[0])) == scene.position.marks.shape


def test_few_columns_of_figures_have_the_right_pitch() -> None:
    """Middles of three columns agree nearly as well at distances that are a little too large."""
    rng = np.random.default_rng(0)
    middles = 42.0 * np.repeat([0, 1, 2], 6) + rng.normal(0, 1.2, 18)
    pitches = 30 * np.exp(np.arange(np.log(1.1), np.log(4.5), 0.004))
    pitch = figures._pitch(middles, pitches)
    assert pitch is not None
    assert pitch[0] == pytest.approx(42, abs=0.7)


def test_a_pitch_along_one_axis_is_tried_for_both() -> None:
    tile = (0, 0, 256, 256)
    (period,) = periods._pair_pitches([(23.0, 0.02)], [], tile, 2)
    assert (period.wide, period.tall, period.tile) == (46, 46, tile)


def test_figures_that_stand_anywhere_have_no_pitch() -> None:
    across = np.zeros((200, 200), np.float32)
    rng = np.random.default_rng(0)
    for _ in range(30):
        row, col = rng.integers(0, 185, 2)
        across[row : row + 10, col : col + 6] = 1
    assert not list(figures.figure_periods(across, np.zeros_like(across)))
    grid = np.zeros((200, 200), np.float32)
    for row in range(10, 180, 24):
        for col in range(6, 180, 20):
            grid[row : row + 10, col : col + 6] = 1
    (found,) = figures.figure_periods(grid, np.zeros_like(grid))
    assert (found.wide, found.tall) == pytest.approx((20, 24), rel=0.01)


# zeros and covered cells


def test_zeros_that_nearly_look_like_covered_cells_are_told_apart() -> None:
    """Zeros without lines, covered cells with faint ones: named together they were covered, and the reading sure."""
    scene = families.draw_family("labels", np.random.default_rng(42500), largest=200)
    reading = read_pixels(pixels_of(scene), budget=10_000)
    assert list(reading.cells) == ["".join(row) for row in scene.position.marks]


def test_looks_that_drift_are_one_kind_and_a_gap_parts_two() -> None:
    drift = np.linspace(0, 0.05, 12)[:, None] + np.zeros((1, 20))
    assert not cell_names.empty_kinds(drift).any()
    two = cell_names.empty_kinds(np.concatenate([drift, drift + 0.09]))
    assert len(set(two[:12])) == len(set(two[12:])) == 1
    assert two[0] != two[-1]
    assert len(set(cell_names.empty_kinds(np.concatenate([drift[:1], drift + 0.09])))) == 1, "one cell is no kind"


def test_zeros_that_break_no_rule_are_rewarded() -> None:
    marks = np.array([[cell_names.MARKS.index(mark) for mark in row] for row in ("001#", "001F", "0011")])
    groups = np.array([[0, 0, 1, 2], [0, 0, 1, 3], [0, 0, 1, 1]]).ravel()
    rewards = cell_names.opening_rewards(groups)
    shape = marks.shape[0], marks.shape[1]
    covered = np.where(marks == cell_names.ZERO, cell_names.COVERED, marks)
    assert cell_names.rule_cost(marks.ravel(), rewards, shape) < cell_names.rule_cost(covered.ravel(), rewards, shape)
    assert rewards[3] == 0, "a single cell that looks like no other"


# things over cells


@pytest.mark.parametrize("seed", [40003, 40023, 40049])
def test_a_cell_under_a_pointer_is_read_by_its_visible_part(seed: int) -> None:
    """A pointer made the network see a flag or a question mark there."""
    scene = families.draw_classic(np.random.default_rng(seed), largest=300)
    reading = read_pixels(pixels_of(scene), budget=10_000)
    assert list(reading.cells) == ["".join(row).replace("X", "F") for row in scene.position.marks]


def test_the_visible_part_tells_a_mark_that_the_picture_has() -> None:
    looks_of = np.full((4, 20, 20, 3), 0.8, np.float32)
    looks_of[:2, 4:16, 9:12] = 0.1  # two cells with a 1, one of them under something
    looks_of[1, :10, :8] = 0.5
    costs = np.full((4, len(cell_names.MARKS)), 7.0)
    costs[0, 1], costs[1, [2, 1]], costs[2:, cell_names.ZERO] = 0.0, (0.5, 1.5), 0.05
    extra = cell_names._visible_parts(looks_of, costs, np.array([0, 1, 2, 2]))
    assert extra[1, 1] < extra[1, cell_names.ZERO] < extra[1, cell_names.FLAG] + 1e-9
    assert not extra[[0, 2, 3]].any(), "clear cells"


def test_a_sign_that_is_nowhere_else_costs_more_where_a_cell_is_unclear() -> None:
    costs = np.full((3, len(cell_names.MARKS)), 7.0)
    costs[0, cell_names.MINE] = 0.0
    costs[1, [cell_names.QUESTION, cell_names.MINE]] = (0.4, 1.2)
    costs[2, cell_names.QUESTION] = 0.0
    groups = np.arange(3)
    assert not cell_names._absent_signs(costs, groups)[:, cell_names.QUESTION].any(), "a clear one is there"
    costs[2] = costs[0]
    extra = cell_names._absent_signs(costs, groups)
    assert extra[1, cell_names.QUESTION] > 0.8
    assert not extra[[0, 2]].any()
    assert not extra[1, cell_names.MINE]


# certainty


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(non_boards.KINDS))
def test_pictures_that_are_no_board_are_never_sure(kind: str) -> None:
    for seed in range(50, 50 + examples(10, 0.1)):
        picture = non_boards.draw_non_board(kind, np.random.default_rng(seed))
        try:
            reading = read_pixels(np.asarray(picture.convert("RGB")), budget=10_000)
        except mp.BoardSyntaxError:
            continue
        assert not reading.sure


@pytest.mark.slow
def test_a_grid_of_digits_is_refused_with_the_reason() -> None:
    picture = non_boards.draw_non_board("sudoku", np.random.default_rng(3))
    with pytest.raises(mp.BoardSyntaxError, match="no board in the picture"):
        read_pixels(np.asarray(picture.convert("RGB")), budget=10_000)


@pytest.mark.parametrize("rows", ["######/" * 5 + "######", "000000/" * 5 + "000000"])
def test_cells_without_a_number_are_never_sure(rows: str) -> None:
    marks = np.array([[cell_names.MARKS.index(mark) for mark in row] for row in rows.split("/")])
    costs = np.zeros((*marks.shape, len(cell_names.MARKS)))
    named = cell_names.CellMarks(marks, marks, costs, np.full(marks.shape, 12.0))
    assert certainty.reasons(named, certainty.unclear_signs(marks)) == [
        "no number is visible, so the empty cells may be open or covered"
    ]


@pytest.mark.parametrize(
    ("rows", "is_clear"),
    [
        ("1F1/111/000", True),
        ("1*1/111/00F", True),  # a finished game: all mines are visible
        ("1*100/11100/000##/000#*", True),  # players set no flag where no number is
        ("1*1/111/000", False),  # a mine but no flag: perhaps that is how flags look
        ("1#1/111/0*0", False),  # a mine is visible, but not the one that the numbers need
        ("1?1/111/000", False),  # a question mark, but no flag: perhaps that is the flag
        ("F?#/111/000", True),
    ],
)
def test_signs_must_fit_the_game(rows: str, is_clear: bool) -> None:
    marks = np.array([[cell_names.MARKS.index(mark) for mark in row] for row in rows.split("/")])
    named = cell_names.CellMarks(marks, marks, np.zeros((*marks.shape, len(cell_names.MARKS))), np.ones(marks.shape))
    assert certainty.reasons(named, certainty.unclear_signs(marks)) == (
        [] if is_clear else ["signs on covered cells may be flags, question marks or mines"]
    )


def test_a_sign_that_may_be_another_one_is_asked_about_until_it_is_confirmed() -> None:
    """Mines but no flag, and the numbers touch all they need: a lost game, or flags that look like mines."""
    signs = mp.draw(mp.Board.parse("1F1/111/000/111/1F1"), coordinates=False).png(1)
    unsure = mp.read_image(signs).confirm({(0, 1): "*", (4, 1): "*"})
    assert not unsure.doubts, "confirmed"
    mines = certainty.unclear_signs(np.array([[1, cell_names.MINE, 1], [1, 1, 1]]))
    np.testing.assert_array_equal(mines, [[False, True, False], [False, False, False]])


def marks_of(text: str) -> np.ndarray:
    return np.array([[cell_names.MARKS.index(mark) for mark in row] for row in text.split("/")])


def costs_of(marks: np.ndarray, rival: int) -> np.ndarray:
    """Clear costs, but for a rival of the signs."""
    costs = np.full((marks.size, len(cell_names.MARKS)), 7.0)
    costs[np.arange(marks.size), marks.ravel()] = 0.0
    costs[np.isin(marks.ravel(), [cell_names.MINE, cell_names.QUESTION]), rival] = 2.0
    return costs


def test_mines_in_a_game_that_goes_on_are_flags() -> None:
    """Numbers touch fewer mines than they say: a program that shows mines shows all."""
    goes_on = marks_of("1*2#/112#/*111/1100")
    costs = costs_of(goes_on, cell_names.FLAG)
    costs += cell_names._missing_flags(goes_on.ravel(), costs, goes_on.shape)
    assert (costs[goes_on.ravel() == cell_names.MINE].argmin(1) == cell_names.FLAG).all()
    lost = marks_of("1*1#/1122/011*/0011")
    costs = costs_of(lost, cell_names.FLAG)
    assert not cell_names._missing_flags(lost.ravel(), costs, lost.shape).any(), "all mines are visible"
    flagged = marks_of("1*2#/112#/F111/1100")
    costs = costs_of(flagged, cell_names.FLAG)
    assert not cell_names._missing_flags(flagged.ravel(), costs, flagged.shape).any()


def test_question_marks_without_a_flag_are_flags_if_they_look_nearly_so() -> None:
    marks = marks_of("1?1/111/000")
    costs = costs_of(marks, cell_names.FLAG)
    costs += cell_names._missing_flags(marks.ravel(), costs, marks.shape)
    assert costs[1].argmin() in {cell_names.FLAG, cell_names.QUESTION}
    assert costs[1, cell_names.FLAG] == 0


def covered_looks(signs: dict[int, float], count: int = 12) -> np.ndarray:
    """Plain covered cells, and a square in the middle of some, of this brightness."""
    inner = np.full((count, 20, 20, 3), 0.5, np.float32)
    for at, brightness in signs.items():
        inner[at, 7:13, 7:13] = brightness
    return inner


def test_what_is_drawn_alike_on_covered_cells_is_a_sign() -> None:
    """The network calls blocks and bars plain covered cells."""
    marks = np.full(12, cell_names.COVERED)
    groups = np.array([1, 2, *[0] * 10])
    inner = covered_looks({0: 0.9, 1: 0.88})
    odd = cell_names.odd_covered_cells(inner, marks, groups)
    np.testing.assert_array_equal(odd, groups > 0)
    costs = np.full((12, len(cell_names.MARKS)), 7.0)
    costs[:, cell_names.COVERED], costs[:, cell_names.FLAG] = 0.5, 3.0
    costs += cell_names._written_signs(inner, odd, costs)
    np.testing.assert_array_equal(costs.argmin(1) == cell_names.FLAG, odd)


def test_one_odd_covered_cell_is_only_in_doubt() -> None:
    """Something may lie over it."""
    groups = np.array([1, *[0] * 11])
    inner = covered_looks({0: 0.9})
    odd = cell_names.odd_covered_cells(inner, np.full(12, cell_names.COVERED), groups)
    assert odd.sum() == 1
    assert not cell_names._written_signs(inner, odd, np.ones((12, len(cell_names.MARKS)))).any()
    looks_of = np.pad(inner.reshape(3, 4, 20, 20, 3), ((0, 0), (0, 0), (4, 4), (4, 4), (0, 0)), mode="edge")
    chances = np.full((3, 4, len(cell_names.MARKS) + 1), -7.0, np.float32)
    chances[..., cell_names.COVERED] = 0
    named = cell_names.choose_marks(looks_of, chances, {}, BUDGET)
    assert (named.marks == cell_names.COVERED).all()
    assert named.margins[0, 0] == cell_names.ODD_MARGIN < named.margins[2, 3]
    confirmed = cell_names.choose_marks(looks_of, chances, {(0, 0): cell_names.COVERED}, BUDGET)
    assert confirmed.margins[0, 0] > cell_names.ODD_MARGIN


def test_covered_cells_drawn_as_discs_are_no_mines() -> None:
    """The network is sure of mines, but no number touches so many."""
    marks = marks_of("****/*111/*100/*100")
    costs = np.full((marks.size, len(cell_names.MARKS)), 7.0)
    costs[np.arange(marks.size), marks.ravel()] = 0.0
    groups = np.unique(marks, return_inverse=True)[1].ravel()
    covered, _ = cell_names._covered_instead_of_mines(marks.ravel(), costs, groups, marks.shape, BUDGET)
    np.testing.assert_array_equal(covered, np.where(marks == cell_names.MINE, cell_names.COVERED, marks).ravel())
    lost = marks_of("1*1#/1122/011*/0011")
    same, _ = cell_names._covered_instead_of_mines(lost.ravel(), costs, groups, lost.shape, BUDGET)
    np.testing.assert_array_equal(same, lost.ravel())


def test_a_number_cannot_touch_more_visible_mines_than_it_says() -> None:
    mines, flags = cell_names.breaches(marks_of("*1*/111")), cell_names.breaches(marks_of("F1F/111"))
    assert mines[0, 1] == 1 > flags[0, 1] > 0


def test_empty_cells_have_a_rival_if_nothing_decides() -> None:
    marks = np.array([[cell_names.MARKS.index(mark) for mark in row] for row in ("00", "00")])
    costs = np.zeros((2, 2, len(cell_names.MARKS)))
    named = cell_names.CellMarks(marks, np.zeros((2, 2), int), costs, np.full((2, 2), 12.0))
    assert certainty.empty_rival(named) == 0
    costs[..., cell_names.COVERED] = 100
    assert certainty.empty_rival(named) == certainty.MAX_RIVAL


# orientation


@pytest.mark.parametrize("orientation", range(1, 9))
def test_pictures_of_phones_are_turned_upright(orientation: int) -> None:
    from PIL import ImageOps

    picture = Image.fromarray(np.random.default_rng(0).integers(0, 255, (40, 60, 3)).astype(np.uint8))
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(picture, exif=exif)
    expected = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))))
    np.testing.assert_array_equal(decode(data).pixels, expected)


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [0.8, -2.0])
def test_a_turned_picture_is_straightened(degrees: float) -> None:
    straight = decode(PICTURE).pixels
    assert skew.turned_by(straight) == 0
    turned = np.asarray(Image.fromarray(straight).rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255)))
    warp = skew.straighten(turned)[1]
    assert warp is not None
    assert warp.degrees == pytest.approx(degrees, abs=0.3)
    reading = read_pixels(turned, budget=10_000)
    assert reading.board == BOARD
    assert reading.notes[-1].startswith("the picture is turned by")


def from_the_side(pixels: np.ndarray, share: float) -> np.ndarray:
    """A picture whose upper side is shorter by a share on both ends, as a camera below the middle sees it."""
    height, width = pixels.shape[:2]
    straight = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    seen = straight + np.array([(share * width, 0), (-share * width, 0), (0, 0), (0, 0)])
    matrix = skew._matrix(seen, straight)
    data = (matrix / matrix[2, 2]).ravel()[:8].tolist()
    picture = Image.fromarray(pixels)
    size, way = picture.size, Image.Transform.PERSPECTIVE
    return np.asarray(picture.transform(size, way, data, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255)))


def test_a_picture_taken_at_an_angle_is_straightened() -> None:
    picture = np.pad(decode(mp.draw(BOARD, coordinates=False).png(2)).pixels, ((9, 9), (9, 9), (0, 0)), mode="edge")
    reading = read_pixels(from_the_side(picture, 0.04), budget=10_000)
    assert reading.board == BOARD
    assert reading.notes[-1] == "the picture was taken at an angle: it was straightened"
    assert reading.box == pytest.approx(read_pixels(picture, budget=10_000).box, abs=20), "of the picture as it came"


def test_a_picture_taken_at_too_large_an_angle_is_refused() -> None:
    picture = np.pad(decode(mp.draw(BOARD, coordinates=False).png(2)).pixels, ((9, 9), (9, 9), (0, 0)), mode="edge")
    with pytest.raises(mp.BoardSyntaxError, match="taken at too large an angle"):
        read_pixels(from_the_side(picture, 0.14), budget=10_000)


def test_a_part_that_leans_on_a_straight_screen_is_left_alone() -> None:
    picture = np.full((400, 400, 3), 255, np.uint8)
    picture[:, ::20], picture[::20] = 0, 0
    leaning = np.asarray(Image.fromarray(picture).rotate(3, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255)))
    picture[280:] = leaning[280:]
    assert skew.straighten(picture)[1] is None


def test_a_picture_that_is_turned_too_far_is_refused() -> None:
    straight = decode(PICTURE).pixels
    turned = np.asarray(Image.fromarray(straight).rotate(-7, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255)))
    with pytest.raises(mp.BoardSyntaxError, match="turned by about"):
        read_pixels(turned)
