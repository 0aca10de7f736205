// What the page says of a guess that is thought over, and what it keeps where that is stopped.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, soFar, thinking } from "../../src/mineproof/web/static/app/panels/thinking.js";
import { estimate } from "../../src/mineproof/web/static/app/words.js";

/** With plain spaces for those at which no line may break. @param {string} text */
const plain = (text) => text.replaceAll("\u00a0", " ");

test("an estimate has as many digits as its error allows", () => {
  const pairs = [[0.3413, 0.0345], [0.3413, 0.005], [0.3413, 0.00499], [0.3413, 0.0005], [0.34131, 0.00012]]; // prettier-ignore
  assert.deepEqual(pairs.map(([chance = 0, error = 0]) => plain(estimate(chance, error))), [
    "≈ 34 ± 3 %",
    "≈ 34 ± 1 %",
    "≈ 34.1 ± 0.5 %",
    "≈ 34.1 ± 0.1 %",
    "≈ 34.13 ± 0.01 %",
  ]); // prettier-ignore
});

const rival = { win_probability: 0.5, standard_error: 0.01, layouts: 1058, played_by: "strong", dropped: false };
const thought = {
  seconds: 1.234,
  clear: false,
  rivals: [
    { ...rival, cell: [0, 2] },
    { ...rival, cell: [3, 4], win_probability: 0.4, layouts: 16, played_by: "fast", dropped: true },
  ],
};

test("how far it is, and how it ended", () => {
  assert.equal(thinking(thought, 5), "Thinking: 1.2 s of 5 s at most. The best so far is (0,2).");
  const words = "1,058 layouts from the best cells";
  assert.equal(ended(thought), `Thought over for 1.2 s, ${words}; more time might change the choice.`);
  assert.equal(ended({ ...thought, clear: true }), `Thought over for 1.2 s, ${words}; the choice is clear.`);
  assert.equal(
    ended({ ...thought, stopped: true }),
    `Stopped after 1.2 s, ${words}; more time might change the choice.`,
  );
});

test("the best so far comes first, with the chances of the last event; what it was weighed by stays", () => {
  const move = { mine_probability: 0.2, win_probability: 0.3, win_fraction: null, standard_error: 0.03, outlook: [1] };
  const answer = {
    schema: "mineproof/best/1",
    best: [3, 4],
    safest: [3, 4],
    reason: "ahead",
    text: "Open (3,4): …",
    thought: null,
    moves: [{ ...move, cell: [3, 4] }, { ...move, cell: [7, 7] }, { ...move, cell: [0, 2], mine_probability: 0.25 }], // prettier-ignore
  };
  const kept = soFar(answer, thought);
  assert.deepEqual(
    [kept["best"], kept["safest"], kept["mine_probability"], kept["win_probability"]],
    [[0, 2], [3, 4], 0.25, 0.5],
  );
  assert.equal(plain(kept["text"]), "Open (0,2): the best so far. It wins ≈ 50 ± 1 %.");
  assert.deepEqual(
    kept["moves"].map((/** @type {any} */ each) => [each.cell, each.win_probability, each.standard_error]),
    [[[0, 2], 0.5, 0.01], [[3, 4], 0.4, 0.01], [[7, 7], 0.3, 0.03]], // prettier-ignore
  );
  assert.equal(kept["thought"].stopped, true);
  assert.equal(answer.moves[0]?.win_probability, 0.3, "the answer before is as it was");
});

test("a rival that was not weighed before is told without what is not known of it", () => {
  const [first] = soFar({ moves: [] }, thought)["moves"];
  assert.deepEqual([first.cell, first.mine_probability, first.outlook], [[0, 2], null, []]);
});
