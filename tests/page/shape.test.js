// Where cells are on the screen, and which touch.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  around,
  cellAt,
  centre,
  extent,
  fits,
  isPlace,
  OUTLINES,
  outlineOf,
  SHAPES,
  visible,
  wrap,
} from "../../src/mineproof/web/static/app/board/shape.js";

/** @typedef {import("../../src/mineproof/web/static/app/board/shape.js").Topology} Topology */

const TOPOLOGIES = /** @type {Topology[]} */ (Object.keys(SHAPES));
/** @type {Partial<Record<Topology, [number, number]>>} */
const SIZES = { cube: [4, 12], sphere: [7, 10] };

/** @param {Topology} topology */
function boardOf(topology) {
  const [rows, columns] = SIZES[topology] ?? [6, 7];
  return { rows, columns, topology };
}

/** Every cell of a board. @param {import("../../src/mineproof/web/static/app/board/shape.js").Board} board @returns {[number, number][]} */
function cells(board) {
  const { rows, columns } = board;
  const places = Array.from({ length: rows * columns }, (_, place) => /** @type {[number, number]} */ ([Math.floor(place / columns), place % columns])); // prettier-ignore
  return places.filter(([row, column]) => isPlace(row, column, board));
}

for (const topology of TOPOLOGIES) {
  const board = boardOf(topology);
  describe(topology, () => {
    test("a cell is found at its middle, and all around it", () => {
      for (const [row, column] of cells(board)) {
        const [x, y] = centre(row, column, board);
        const { depth } = OUTLINES[outlineOf(row, column, board)];
        for (const [dx, dy] of /** @type {const} */ ([
          [0, 0],
          [0.4, 0],
          [-0.4, 0],
          [0, 0.4],
          [0, -0.4],
        ]))
          // prettier-ignore
          assert.deepEqual(cellAt(x + dx * depth, y + dy * depth, board), [row, column]);
      }
    });

    test("there is no cell outside", () => {
      const [width, height] = extent(board);
      for (const [x, y] of /** @type {const} */ ([
        [-0.01, 1],
        [width + 0.01, 1],
        [1, -0.01],
        [1, height + 0.01],
      ]))
        // prettier-ignore
        assert.equal(cellAt(x, y, board), null);
    });

    test("every cell is within the extent", () => {
      const [width, height] = extent(board);
      for (const [row, column] of cells(board)) {
        const [x, y] = centre(row, column, board);
        const { corners } = OUTLINES[outlineOf(row, column, board)];
        for (const [dx, dy] of corners)
          assert(
            x + dx >= -1e-9 && x + dx <= width + 1e-9 && y + dy >= -1e-9 && y + dy <= height + 1e-9,
            `${row}, ${column}`,
          );
      }
    });

    test("if one cell touches another, so does the other", () => {
      for (const [row, column] of cells(board))
        for (const [r, c] of around(row, column, board)) {
          const back = around(r, c, board);
          assert(
            back.some(([br, bc]) => br === row && bc === column),
            `${row}, ${column} and ${r}, ${c}`,
          );
        }
    });

    test("what a part of the screen shows is among the rows and columns told", () => {
      const [left, top, right, bottom] = [2.2, 1.7, 4.9, 3.1];
      const [first, last, from, to] = visible(left, top, right, bottom, board);
      for (let x = left; x <= right; x += 0.1)
        for (let y = top; y <= bottom; y += 0.1) {
          const cell = cellAt(x, y, board);
          if (cell === null) continue;
          assert(cell[0] >= first && cell[0] <= last && cell[1] >= from && cell[1] <= to, `${cell} at ${x}, ${y}`);
        }
    });
  });
}

test("the rows and columns told are those of the board", () => {
  for (const topology of TOPOLOGIES) {
    const board = boardOf(topology);
    assert.deepEqual(visible(-9, -9, 99, 99, board), [0, board.rows - 1, 0, board.columns - 1]);
  }
});

test("how many cells a cell touches", () => {
  const counts = (/** @type {Topology} */ topology) =>
    [/** @type {const} */ ([0, 0]), /** @type {const} */ ([0, 3]), /** @type {const} */ ([3, 3])].map(
      ([row, column]) => around(row, column, boardOf(topology)).length,
    );
  assert.deepEqual(counts("grid"), [3, 5, 8]);
  assert.deepEqual(counts("torus"), [8, 8, 8]);
  assert.deepEqual(counts("hex"), [2, 4, 6]);
  assert.deepEqual(counts("cylinder"), [5, 5, 8]);
  assert.deepEqual(counts("triangles"), [5, 7, 12]);
  assert.deepEqual(counts("octagons"), [3, 3, 8]);
  const sphere = boardOf("sphere");
  const numbers = cells(sphere).map(([row, column]) => around(row, column, sphere).length);
  assert.equal(numbers.filter((count) => count === 5).length, 12);
  assert.equal(numbers.filter((count) => count === 6).length, 30);
});

test("what lies beyond a joined border comes in at the other side", () => {
  assert.deepEqual(wrap(1, -1, boardOf("cylinder")), [1, 6]);
  assert.deepEqual(wrap(1, -1, boardOf("moebius")), [4, 6]);
  assert.deepEqual(wrap(-1, 7, boardOf("torus")), [5, 0]);
});

test("sizes that a shape can have", () => {
  assert(fits({ rows: 3, columns: 9, topology: "cube" }));
  assert(!fits({ rows: 4, columns: 9, topology: "cube" }));
  assert(fits({ rows: 10, columns: 15, topology: "sphere" }));
  assert(!fits({ rows: 9, columns: 9, topology: "sphere" }));
});
