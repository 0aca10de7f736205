// Chips and sentences of a proof, and the arrows from numbers to cells.
import { useCatalogue } from "./catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { arrowPath, touching } from "../../src/mineproof/web/static/app/board/arrows.js";
import { defaults, setCells } from "../../src/mineproof/web/static/app/board/state.js";
import {
  chipText,
  parseChip,
  plainText,
  splitSentences,
  subjects,
} from "../../src/mineproof/web/static/app/panels/proof.js";

const PROOF = "⟦1|0,0⟧ needs 1 mine. Only ⟦cell|0,1;1,1⟧ are left for it. So ⟦mine|0,1⟧ is a mine, with 1.5 %.";

test("a proof has its sentences", () => {
  assert.equal(splitSentences(PROOF).length, 3);
  assert.deepEqual(splitSentences("Ask. ⟦1|0,0⟧ is enough! Case 2: no."), ["Ask.", "⟦1|0,0⟧ is enough!", "Case 2: no."]); // prettier-ignore
});

test("a chip has a role and cells", () => {
  assert.deepEqual(parseChip("⟦safe|0,1;12,3⟧"), { role: "safe", cells: [[0, 1], [12, 3]] }); // prettier-ignore
  assert.deepEqual(parseChip("C1"), { role: "name", cells: [[0, 2]] });
  assert.deepEqual(parseChip("(0,2)"), { role: "name", cells: [[0, 2]] });
  assert.deepEqual(parseChip("⟦1+3|0,2⟧"), { role: "1+3", cells: [[0, 2]] }); // a clue of a variant
  assert.equal(parseChip("mine"), null);
});

test("chips read as players speak", () => {
  assert.equal(chipText({ role: "1", cells: [[0, 0]] }), "this 1");
  assert.equal(chipText({ role: "1+3", cells: [[0, 0]] }), "this 1+3");
  assert.equal(chipText({ role: "safe", cells: [[0, 0]] }), "this cell");
  assert.equal(chipText({ role: "cell", cells: [[0, 0], [0, 1]] }), "these 2 cells"); // prettier-ignore
  assert.equal(chipText({ role: "name", cells: [[0, 2]] }), "C1");
  useCatalogue("de");
  assert.equal(chipText({ role: "1", cells: [[0, 0]] }), "die 1");
  assert.equal(chipText({ role: "cell", cells: [[0, 0], [0, 1]] }), "A1 und B1"); // prettier-ignore
  useCatalogue("en");
});

test("screen readers get names", () => {
  assert.equal(plainText("⟦1|0,0⟧ needs 1 mine. So ⟦mine|0,1⟧ is a mine."), "This 1 (A1) needs 1 mine. So B1 is a mine."); // prettier-ignore
});

test("a sentence lights its numbers and its cells", () => {
  assert.deepEqual(subjects("⟦1|0,0⟧ shares ⟦cell|0,1⟧ with ⟦2|1,0⟧. Suppose ⟦suppose|0,3⟧. So ⟦safe|0,2⟧ is safe."), {
    numbers: [[0, 0], [1, 0]],
    groups: [["near", [[0, 1]]], ["assume", [[0, 3]]], ["safe", [[0, 2]]]],
  }); // prettier-ignore
});

test("arrows join only what touches", () => {
  const state = defaults();
  setCells(state, { rows: 2, columns: 4, topology: "grid", cells: ["1###", "####"] });
  const arrows = touching(state, [[0, 0]], [["safe", [[0, 1], [0, 2]]], ["mine", [[1, 1]]]]); // prettier-ignore
  assert.deepEqual(arrows.map(({ to, mark }) => [to, mark]), [[[0, 1], "safe"], [[1, 1], "mine"]]); // prettier-ignore
});

test("an arrow points from the number to the cell, also across a joined border", () => {
  const ends = (/** @type {string} */ path) => path.match(/-?\d+\.\d+/g)?.slice(0, 4).map(Number) ?? []; // prettier-ignore
  const board = { rows: 3, columns: 5, topology: /** @type {"grid"} */ ("grid") };
  const [x, y, toX, toY] = ends(arrowPath({ from: [0, 0], to: [0, 1] }, board));
  assert.deepEqual([y, toY], [0.5, 0.5]);
  assert.ok(0.5 < (x ?? 0) && (x ?? 0) < (toX ?? 0) && (toX ?? 0) < 1.5);
  const [fromX, , outX] = ends(arrowPath({ from: [0, 0], to: [0, 4] }, { ...board, topology: "torus" }));
  assert.ok((outX ?? 0) < (fromX ?? 0)); // it leaves at the left
});
