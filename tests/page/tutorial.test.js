// The course: what a press means, and when a step is done.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Attempt, STEPS } from "../../src/mineproof/web/static/app/tutorial.js";

/** @param {string} id */
const attempt = (id) => new Attempt(/** @type {import("../../src/mineproof/web/static/app/tutorial.js").Step} */ (STEPS.find((step) => step.id === id))); // prettier-ignore

test("a press is right, or named by what is wrong", () => {
  const course = attempt("1-2-1");
  assert.equal(course.press("open", [0, 0]), "mine");
  assert.equal(course.press("flag", [0, 1]), "safe");
  assert.equal(course.press("open", [1, 1]), "nothing");
  assert.equal(course.press("open", [0, 1]), "right");
  assert.equal(course.press("open", [0, 1]), "nothing");
  assert.equal(course.press("flag", [0, 0]), "right");
  assert.deepEqual(course.left, [[0, 2]]);
  assert.equal(course.press("flag", [0, 2]), "done");
  assert.deepEqual(course.rows, ["F2F", "121", "000"]);
  assert.equal(course.press("open", [0, 2]), "nothing");
});

test("what nothing proves is not right", () => {
  assert.equal(attempt("1-1").press("open", [0, 0]), "uncertain");
  assert.equal(attempt("1-1").press("flag", [0, 1]), "uncertain");
});

test("a chord opens all cells", () => {
  const course = attempt("chord");
  assert.equal(course.press("open", [0, 0]), "use-chord");
  assert.equal(course.press("open", [1, 1]), "done");
  assert.deepEqual(course.rows, ["011", "01F", "011"]);
});

test("a guess is right whatever it opens", () => {
  assert.equal(attempt("guess").press("open", [0, 0]), "done");
  const course = attempt("guess");
  assert.equal(course.press("flag", [1, 0]), "uncertain");
  assert.equal(course.press("open", [1, 0]), "done");
  assert.deepEqual(course.rows, ["#10", "*10"]);
});
