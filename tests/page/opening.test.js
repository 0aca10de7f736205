/** The first moves without the engine: what it answers, and what it leaves to the engine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Opening } from "../../src/mineproof/web/static/app/local/opening.js";

const OPTIONS = { level: "beginner", topology: "grid", first_click: "open", fairness: "none", no_guess: false };
const TOP = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]; // mines, in the first three rows
const BOTTOM = TOP.map((place) => 80 - place);
const DEALS = [
  { seed: 7, mines: TOP },
  { seed: 8, mines: BOTTOM },
];

/** @param {object} [options] */
function begun(options = OPTIONS) {
  /** @type {any[]} */
  const kept = [];
  const opening = new Opening(DEALS, (game) => kept.push(structuredClone(game)));
  return { opening, view: opening.begin(options), kept };
}

test("a game begins covered", () => {
  const { view, kept } = begun();
  assert.deepEqual(view?.["cells"], Array(9).fill("#########"));
  assert.deepEqual([view?.["status"], view?.["moves"], view?.["seconds"]], ["new", 0, 0]);
  assert.match(view?.["id"] ?? "", /^[\w-]{24}$/);
  assert.equal(kept.at(-1).seed, null);
});

test("the first click opens a board on which no mine has to move", () => {
  const { opening, kept } = begun();
  const view = opening.move({ kind: "open", cell: [0, 0] });
  assert.equal(kept.at(-1).seed, 8);
  assert.deepEqual(view?.["cells"].slice(0, 2), ["000000000", "000000000"]);
  assert.equal(view?.["status"], "running");
  const opened = view?.["cells"].join("").replaceAll("#", "").length;
  assert.equal(view?.["outcome"].opened.length, opened);
});

test("flags are set and taken back", () => {
  const { opening } = begun();
  assert.deepEqual(opening.move({ kind: "flag", cell: [4, 4] })?.["mines_left"], 9);
  assert.equal(opening.move({ kind: "open", cell: [4, 4] }), null); // flagged
  const view = opening.move({ kind: "flag", cell: [4, 4] });
  assert.deepEqual([view?.["mines_left"], view?.["moves"], view?.["status"]], [10, 2, "new"]);
});

test("what ends the game, and what needs rules, waits for the engine", () => {
  const { opening, kept } = begun();
  opening.move({ kind: "open", cell: [0, 0] });
  const moves = kept.at(-1).moves.length;
  assert.equal(opening.move({ kind: "open", cell: [8, 6] }), null); // a mine
  assert.equal(opening.move({ kind: "chord", cell: [7, 4] }), null);
  assert.equal(opening.move({ kind: "undo" }), null);
  assert.equal(kept.at(-1).moves.length, moves);
});

test("other games wait for the engine", () => {
  for (const other of [{ level: "expert" }, { no_guess: true }, { fairness: "kind" }, { topology: "hex" }])
    assert.equal(begun({ ...OPTIONS, ...other }).view, null);
  assert.equal(begun({ ...OPTIONS, layout: "..*" }).view, null);
});
