// What the end of a game is worth a line for, and which cells look pressed.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as State from "../../src/mineproof/web/static/app/board/state.js";
import { facts, verdictText } from "../../src/mineproof/web/static/app/panels/result.js";
import "./catalogue.js";

/** @type {Partial<Wire.LiveViewJson>} */
const won = { status: "won", seconds: 12.3, with_help: false };
const result = { best_before: 15.4, is_best: true, seconds: 12.3, counts: true, streak: 4 };

/** @param {[string, string][]} lines */
const texts = (lines) => lines.map(([text]) => text.replaceAll("\u00a0", " "));

test("a new best has its difference, and a streak its length", () => {
  assert.deepEqual(texts(facts(won, result, { luck: 1 })), ["New best, −3.10 s", "4 wins in a row"]);
  assert.deepEqual(texts(facts(won, { ...result, best_before: null, streak: 1 }, {})), ["First win on this level"]);
});

test("a slower win has the best time, luck below one is said, and accuracy where it is known", () => {
  const lines = facts(won, { ...result, is_best: false, best_before: 9.5, streak: 1 }, { luck: 0.5, accuracy: 0.9 });
  assert.deepEqual(texts(lines), ["Best time: 9.50 s", "Luck: 50.00 %", "Accuracy: 90 %"]);
});

test("a win with help claims no record, and a loss no streak", () => {
  /** @type {Partial<Wire.LiveViewJson>} */
  const helped = { ...won, with_help: true, help_text: "You used help: 2 hints." };
  assert.deepEqual(texts(facts(helped, { ...result, is_best: false }, {})), ["You used help: 2 hints."]);
  assert.match(verdictText(helped), /with help/);
  assert.deepEqual(facts({ ...won, status: "lost" }, { ...result, is_best: false, streak: 0 }, { luck: 0.5 }), []);
});

test("opening cells stay pressed beside those under the pointer, and spring back together", () => {
  const state = State.defaults();
  state.pressed = new Set([1]);
  assert.deepEqual(State.setOpening(state, new Set([2, 3])), [2, 3]);
  assert.deepEqual([...state.pressed], [1, 2, 3]);
  assert.deepEqual(State.setOpening(state, new Set([3])), [2]);
  assert.deepEqual([...state.pressed], [1, 3]);
});
