// The table of the best move: cells that are alike, and differences with their errors.
import "./catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  difference,
  differenceNote,
  differenceText,
  groupAlike,
  isClose,
  rowName,
} from "../../src/mineproof/web/static/app/panels/comparison.js";
import { resultText } from "../../src/mineproof/web/static/app/panels/thinker.js";
import { t } from "../../src/mineproof/web/static/app/messages.js";

/** @typedef {import("../../src/mineproof/web/static/app/panels/comparison.js").Move} Move */
const corner = /** @type {[number, number]} */ ([0, 0]);
/** @type {Move} */
const move = { cell: corner, mine_probability: 0.2, win_probability: 0.7, standard_error: 0.03, win_fraction: null, outlook: [], alike: [] }; // prettier-ignore
/** @type {[number, number][]} */
const corners = [[0, 0], [0, 7], [29, 0], [29, 7]]; // prettier-ignore
const others = (/** @type {number[]} */ cell) => corners.filter((one) => String(one) !== String(cell));

test("symmetric cells are one row, with the estimate of the best", () => {
  const moves = corners.map((cell, place) => ({ ...move, cell, win_probability: 0.69 + place / 50, alike: others(cell) })); // prettier-ignore
  const rows = groupAlike([...moves, { ...move, cell: [3, 3] }]);
  assert.deepEqual(rows.map(rowName), ["A1 ×4", "D4"]);
  assert.equal(rows[0]?.move["win_probability"], 0.69);
});

test("a row without an estimate takes that of a cell that is alike", () => {
  const [first = corner, second = corner] = corners;
  const rows = groupAlike([
    { ...move, cell: first, win_probability: null, standard_error: null, alike: others(first) },
    { ...move, cell: second, alike: others(second) },
  ]);
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.move["win_probability"], 0.7);
});

test("cells with the same exact chances and numbers are one row", () => {
  /** @type {Move} */
  const exact = { ...move, win_fraction: "1/2", standard_error: null, outlook: [{ number: 1, chance: 1, safe: 0, safety: 1 }] }; // prettier-ignore
  assert.equal(groupAlike([{ ...exact, cell: [0, 0] }, { ...exact, cell: [0, 1] }]).length, 1); // prettier-ignore
  assert.equal(groupAlike([{ ...exact, cell: [0, 0] }, { ...exact, cell: [0, 1], win_fraction: "1/3" }]).length, 2); // prettier-ignore
});

test("a difference has one decimal and its error", () => {
  const plain = (/** @type {import("../../src/mineproof/web/static/app/panels/comparison.js").Gap} */ gap) => differenceText(gap).replaceAll("\u00a0", " "); // prettier-ignore
  const behind = difference({ ...move, win_probability: 0.65 }, move);
  assert.equal(plain(behind), "−5.0 ± 4.2");
  assert.ok(!isClose(behind));
  const close = difference({ ...move, win_probability: 0.68 }, move);
  assert.equal(plain(close), "−2.0 ± 4.2");
  assert.equal(differenceNote(close), t("page-best-close"));
  const better = difference({ ...move, win_probability: 0.8 }, move);
  assert.equal(plain(better), "+10.0 ± 4.2");
  assert.equal(differenceNote(better), t("page-best-maybe-better"));
  const exact = difference({ cell: corner, win_probability: 0.5, standard_error: null }, { cell: corner, win_probability: 0.6, standard_error: null }); // prettier-ignore
  assert.equal(plain(exact), "−10.0");
  assert.equal(differenceNote(exact), "");
  assert.equal(plain(null), t("page-unknown"));
});

test("estimates by two strategies are not compared", () => {
  assert.equal(difference({ ...move, played_by: "fast" }, { ...move, played_by: "strong" }), null);
});

test("a clear choice between cells that are as good is too close to call", () => {
  const rival = { win_probability: 0.45, standard_error: 0.01, layouts: 900, played_by: "strong", dropped: false };
  const text = resultText({ seconds: 3, clear: true, rivals: [{ ...rival, cell: [0, 0] }, { ...rival, cell: [1, 1], win_probability: 0.447 }] }); // prettier-ignore
  assert.ok(text.endsWith(t("page-think-close")));
});
