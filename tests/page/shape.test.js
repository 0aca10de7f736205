// Where cells are on the screen, and which touch.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { around, cellAt, centre, extent, hexagon, visible } from "../../src/mineproof/web/static/app/board/shape.js";

/** @typedef {import("../../src/mineproof/web/static/app/board/shape.js").Topology} Topology */

const TOPOLOGIES = /** @type {Topology[]} */ (["grid", "torus", "hex"]);
const [ROWS, COLUMNS] = [6, 7];

/** Every cell of the board. @returns {[number, number][]} */
function cells() {
  return Array.from({ length: ROWS * COLUMNS }, (_, place) => [Math.floor(place / COLUMNS), place % COLUMNS]);
}

for (const topology of TOPOLOGIES) {
  describe(topology, () => {
    test("a cell is found at its middle, and all around it", () => {
      for (const [row, column] of cells()) {
        const [x, y] = centre(row, column, topology);
        for (const [dx, dy] of /** @type {const} */ ([
          [0, 0],
          [0.4, 0],
          [-0.4, 0],
          [0, 0.4],
          [0, -0.4],
        ]))
          // prettier-ignore
          assert.deepEqual(cellAt(x + dx, y + dy, ROWS, COLUMNS, topology), [row, column]);
      }
    });

    test("there is no cell outside", () => {
      const [width, height] = extent(ROWS, COLUMNS, topology);
      for (const [x, y] of /** @type {const} */ ([
        [-0.01, 1],
        [width + 0.01, 1],
        [1, -0.01],
        [1, height + 0.01],
      ]))
        // prettier-ignore
        assert.equal(cellAt(x, y, ROWS, COLUMNS, topology), null);
    });

    test("every cell is within the extent", () => {
      const [width, height] = extent(ROWS, COLUMNS, topology);
      for (const [row, column] of cells()) {
        const [x, y] = centre(row, column, topology);
        assert(x >= 0.5 && x <= width - 0.5 && y >= 0.5 && y <= height - 0.5, `${row}, ${column}`);
      }
    });

    test("if one cell touches another, so does the other", () => {
      for (const [row, column] of cells())
        for (const [r, c] of around(row, column, ROWS, COLUMNS, topology)) {
          const back = around(r, c, ROWS, COLUMNS, topology);
          assert(
            back.some(([br, bc]) => br === row && bc === column),
            `${row}, ${column} and ${r}, ${c}`,
          );
        }
    });

    test("what a part of the screen shows is among the rows and columns told", () => {
      const [left, top, right, bottom] = [2.2, 1.7, 4.9, 3.1];
      const [first, last, from, to] = visible(left, top, right, bottom, ROWS, COLUMNS, topology);
      for (let x = left; x <= right; x += 0.1)
        for (let y = top; y <= bottom; y += 0.1) {
          const cell = cellAt(x, y, ROWS, COLUMNS, topology);
          if (cell === null) continue;
          assert(cell[0] >= first && cell[0] <= last && cell[1] >= from && cell[1] <= to, `${cell} at ${x}, ${y}`);
        }
    });
  });
}

test("the rows and columns told are those of the board", () => {
  assert.deepEqual(visible(-9, -9, 99, 99, ROWS, COLUMNS, "grid"), [0, ROWS - 1, 0, COLUMNS - 1]);
  assert.deepEqual(visible(-9, -9, 99, 99, ROWS, COLUMNS, "hex"), [0, ROWS - 1, 0, COLUMNS - 1]);
});

test("hexagons that touch are one width apart", () => {
  for (const [row, column] of cells()) {
    const [x, y] = centre(row, column, "hex");
    for (const [r, c] of around(row, column, ROWS, COLUMNS, "hex")) {
      const [nx, ny] = centre(r, c, "hex");
      assert(Math.abs(Math.hypot(nx - x, ny - y) - 1) < 1e-9, `${row}, ${column} and ${r}, ${c}`);
    }
  }
});

test("a hexagon has its sides in the middle between two cells", () => {
  const corners = hexagon();
  assert.equal(corners.length, 6);
  const right = Math.max(...corners.map(([x]) => x));
  assert(Math.abs(right - 0.5) < 1e-9, "half a width to the right");
});

test("how many cells a cell touches", () => {
  const counts = (/** @type {Topology} */ topology) =>
    [/** @type {const} */ ([0, 0]), /** @type {const} */ ([0, 3]), /** @type {const} */ ([3, 3])].map(
      ([row, column]) => around(row, column, ROWS, COLUMNS, topology).length,
    );
  assert.deepEqual(counts("grid"), [3, 5, 8]);
  assert.deepEqual(counts("torus"), [8, 8, 8]);
  assert.deepEqual(counts("hex"), [2, 4, 6]);
});
