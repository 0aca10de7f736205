// What a board shows, without a browser to show it.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as State from "../../src/mineproof/web/static/app/board/state.js";

/** @typedef {import("../../src/mineproof/web/static/app/board/shape.js").Topology} Topology */

/** A board of text. @param {string} text @param {Topology} [topology] */
function board(text, topology = "grid") {
  const cells = text.split("/");
  const state = State.defaults();
  State.setCells(state, { rows: cells.length, columns: (cells[0] ?? "").length, topology, cells });
  return state;
}

test("cells and places are two names of one thing", () => {
  const state = board("1#F/##?");
  assert.deepEqual(state.cells, ["1", "#", "F", "#", "#", "?"]);
  for (const place of state.cells.keys()) assert.equal(State.index(state, State.cellOf(state, place)), place);
});

test("a board of another size drops the results and moves the cursor to its middle", () => {
  const state = board("###/###");
  state.marks.set(1, "safe");
  State.setOdds(state, { mine_probability: [[0, 0.5, 1], [0.5, 0.5, 0.5]], safe: [[0, 0]], mines: [[0, 2]] }); // prettier-ignore
  state.cursor = 0;
  State.setCells(state, { rows: 2, columns: 3, topology: "grid", cells: ["1##", "###"] });
  assert.deepEqual([state.marks.size, state.safe.size, state.cursor], [1, 1, 0], "the same size keeps all of it");
  State.setCells(state, { rows: 3, columns: 3, topology: "grid", cells: ["###", "###", "###"] });
  assert.deepEqual([state.marks.size, state.safe.size, state.odds, state.cursor], [0, 0, null, 4]);
});

test("odds are shown of covered cells alone", () => {
  const state = board("1#/F?");
  State.setOdds(state, { mine_probability: [[null, 0.25], [0.5, 0.75]], safe: [], mines: [] }); // prettier-ignore
  state.overlay = "odds";
  assert.deepEqual(
    [0, 1, 2, 3].map((place) => State.shownOdds(state, place)),
    [null, 0.25, 0.5, 0.75],
  );
  State.setOdds(state, null);
  assert.equal(State.shownOdds(state, 1), null);
});

test("the risk so far counts what was survived", () => {
  const state = board("1#/##");
  State.setOdds(state, { mine_probability: [[null, 0.5], [0, 1]], safe: [], mines: [], survived: 0.8 }); // prettier-ignore
  state.overlay = "risk";
  const shown = [1, 2, 3].map((place) => State.shownOdds(state, place)?.toFixed(12));
  assert.deepEqual(
    shown,
    [0.6, 0.2, 1].map((risk) => risk.toFixed(12)),
  );
});

test("the end of a game shows mines, the one that went off and wrong flags", () => {
  const state = board("1F#/F##");
  State.showMines(state, [[0, 1], [0, 2], [1, 1]], [[1, 1]], false); // prettier-ignore
  assert.deepEqual(state.cells.join(""), "1F*WX#");
});

test("the mines of a game that was won are flagged", () => {
  const state = board("1F#/1##");
  State.showMines(state, [[0, 1], [0, 2]], [], true); // prettier-ignore
  assert.deepEqual(state.cells.join(""), "1FF1##");
});

test("a position as text tells nothing that only the end of a game does", () => {
  const state = board("1F?/F#~");
  State.showMines(state, [[0, 1], [0, 2], [1, 1]], [[1, 1]], false); // prettier-ignore
  assert.equal(State.positionText(state), "1F#/F#~");
});

test("later marks are over earlier ones", () => {
  const state = board("###");
  State.setMarks(state, [
    ["because", [[0, 0], [0, 1]]],
    ["near", null],
    ["safe", [[0, 1]]],
  ]); // prettier-ignore
  assert.deepEqual([...state.marks], [[0, "because"], [1, "safe"]]); // prettier-ignore
});

test("the cursor stops at the border, but not on a torus", () => {
  const steps = /** @type {const} */ ([[-1, 0], [0, -1], [-1, 0], [0, -1]]); // prettier-ignore
  const ends = /** @type {Topology[]} */ (["grid", "torus"]).map((topology) => {
    const state = board("###/###/###", topology);
    for (const [down, right] of steps) State.moveCursor(state, down, right);
    assert(state.cursorShown);
    return state.cursor;
  });
  assert.deepEqual(ends, [0, 8]);
});

test("a board without a cursor gets one at the first key", () => {
  const state = board("###/###");
  state.cursor = -1;
  State.moveCursor(state, 0, 1);
  assert.equal(state.cursor, 1);
});
