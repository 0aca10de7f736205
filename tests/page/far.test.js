// Cells away from all numbers: which they are, what they share, and where there is room for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { farCells } from "../../src/mineproof/web/static/app/board/far.js";
import { defaults, setCells, setMarks, setOdds } from "../../src/mineproof/web/static/app/board/state.js";

/**
 * @param {string[]} cells @param {number} chance @param {import("../../src/mineproof/web/static/app/board/shape.js").Topology} [topology]
 */
function board(cells, chance, topology = "grid") {
  const state = defaults();
  const columns = cells[0]?.length ?? 0;
  setCells(state, { rows: cells.length, columns, topology, cells });
  state.overlay = "odds";
  const odds = cells.map((row) => [...row].map((symbol) => ("#F?".includes(symbol) ? chance : null)));
  setOdds(state, { mine_probability: odds, safe: [], mines: [] });
  return state;
}

test("cells around a number are not far, across joined borders too", () => {
  const cells = ["1####", "#####", "#####", "#####"];
  assert.equal(farCells(board(cells, 0.2))?.places.size, 16);
  assert.equal(farCells(board(cells, 0.2, "torus"))?.places.size, 11);
  assert.equal(farCells(board(cells, 0.2, "hex"))?.places.size, 17);
});

test("certain cells, and cells without odds, are not far", () => {
  const state = board(["#####", "#####"], 0.2);
  state.safe.add(0);
  state.mines.add(1);
  if (state.odds) state.odds[2] = null;
  assert.deepEqual([...(farCells(state)?.places ?? [])], [3, 4, 5, 6, 7, 8, 9]);
});

test("a marked cell has its own number, and the common one does not cover it", () => {
  const state = board(["#####"], 0.2);
  assert.equal(farCells(state)?.places.size, 5);
  setMarks(state, [["best", [[0, 2]]]]);
  assert.deepEqual([...(farCells(state)?.places ?? [])], [0, 1, 3, 4]);
});

test("few cells, different odds or another overlay: none are far", () => {
  assert.equal(farCells(board(["###"], 0.2)), null);
  const differing = board(["#####"], 0.2);
  if (differing.odds) differing.odds[4] = 0.3;
  assert.equal(farCells(differing), null);
  for (const overlay of /** @type {const} */ (["none", "certain"])) {
    const state = board(["#####"], 0.2);
    state.overlay = overlay;
    assert.equal(farCells(state), null);
  }
});

test("the overlay of risk shows what is shared of it", () => {
  const state = board(["#####"], 0.2);
  state.overlay = "risk";
  state.survived = 0.5;
  assert.equal(farCells(state)?.chance, 0.6);
});

test("the caption has most room: in the middle of the largest part", () => {
  const cells = ["#########", "#1#######", "#########", "#########", "#########", "#########", "#########"];
  assert.deepEqual(farCells(board(cells, 0.2))?.spot, { row: 4, first: 0, last: 8, tall: 5 });
  const beside = ["##1####", "##1####", "##1####", "##1####", "##1####"];
  assert.deepEqual(farCells(board(beside, 0.2))?.spot, { row: 2, first: 4, last: 6, tall: 3 });
});

test("another analysis is looked at again", () => {
  const state = board(["#####"], 0.2);
  assert.equal(farCells(state), farCells(state));
  setOdds(state, { mine_probability: [[0.3, 0.3, 0.3, 0.3, 0.3]], safe: [], mines: [] });
  assert.equal(farCells(state)?.chance, 0.3);
});
