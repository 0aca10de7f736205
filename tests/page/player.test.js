// The player of replays: which moves were made at a time, where the mouse was, and what is marked.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isLink, maybeBoard } from "../../src/mineproof/web/static/app/drop.js";
import { stepPath } from "../../src/mineproof/web/static/app/panels/chart.js";
import { marksOf, movesAt, moveTimes, trail } from "../../src/mineproof/web/static/app/panels/player.js";

const steps = (/** @type {number[]} */ ...times) =>
  times.map((time) => /** @type {Wire.TimelineStepJson} */ ({ time }));

describe("times of moves", () => {
  test("are those of the record", () => assert.deepEqual(moveTimes(steps(0, 1.5, 2.25)), [0, 1500, 2250]));

  test("are even where the record has none", () => {
    assert.deepEqual(moveTimes(steps(0, 0, 0)), [0, 500, 1000]);
    assert.deepEqual(moveTimes(steps(2, 2)), [0, 500]);
    assert.deepEqual(moveTimes([]), []);
  });

  test("say how many moves were made", () => {
    const times = [0, 100, 100, 300];
    const made = [-1, 0, 99, 100, 299, 300, 999].map((ms) => movesAt(times, ms));
    assert.deepEqual(made, [0, 1, 1, 3, 3, 4, 4]);
    assert.equal(movesAt([], 5), 0);
  });
});

describe("the path of the mouse", () => {
  const path = [[0, 0, 0], [100, 2, 0], [200, 2, 4]]; // prettier-ignore

  test("ends between two recorded places", () => {
    assert.deepEqual(trail(path, 150), [[0, 0], [2, 0], [2, 2]]); // prettier-ignore
  });

  test("forgets what is long ago", () => assert.deepEqual(trail(path, 150, 60), [[2, 0], [2, 2]])); // prettier-ignore

  test("stays at the last place", () => assert.deepEqual(trail(path, 9999), [[2, 4]]));

  test("is empty before it begins", () => assert.deepEqual(trail(path, -1), []));
});

test("a guess that kept less than the best cell is a mistake", () => {
  const guess = /** @type {Wire.GuessReviewJson} */ ({ index: 3, kept: 1, survived: true, undone: false });
  const marks = marksOf(
    /** @type {Wire.ReviewJson} */ ({ guesses: [guess, { ...guess, kept: 0.5, survived: false }] }),
  );
  assert.deepEqual(marks, [
    { move: 3, mistake: false, lost: false },
    { move: 3, mistake: true, lost: true },
  ]);
});

test("a line keeps its height until the next point, or goes straight", () => {
  const points = [[0, 0], [50, 20.126], [100, 40]]; // prettier-ignore
  assert.equal(stepPath(points), "M0 0H50V20.13H100V40");
  assert.equal(stepPath(points, false), "M0 0L50 20.13L100 40");
  assert.equal(stepPath([]), "");
});

test("only what can be a board is read when it is pasted", () => {
  for (const text of ["https://example.org/?b=1", "1##/###", "*..\n...", '{"schema": "x"}', "9x9x10/#########"])
    assert.ok(maybeBoard(text), text);
  for (const text of [
    "🟦🟦\n1️⃣2️⃣",
    ":blue_square: :one:\n:two: :triangular_flag_on_post:",
    "| # | 1 |\n|---|---|\n| 2 | # |",
    "[[-1, 1], [2, -1]]",
    "<table><tr><td>#</td><td>1</td></tr><tr><td>1</td><td>#</td></tr></table>",
    "Help!\n```\n# 1\n2 #\n```",
  ])
    // prettier-ignore
    assert.ok(maybeBoard(text), text);
  for (const text of [
    "I won 3 games in 2026",
    "call me at 10",
    "hello",
    "Ann O'Neil",
    "1",
    "http",
    "see https://example.org there",
  ])
    assert.ok(!maybeBoard(text), text);
  assert.ok(isLink(" https://example.org/x \n"));
  assert.ok(!isLink("1##/###"));
});
