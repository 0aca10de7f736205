// "Think longer": its texts, and the result when it is stopped.
import "./catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { bestSoFar, progressText, resultText } from "../../src/mineproof/web/static/app/panels/thinker.js";
import { t, tn } from "../../src/mineproof/web/static/app/messages.js";
import { estimate } from "../../src/mineproof/web/static/app/format.js";

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
/** @type {Wire.ThoughtJson} */
const thought = {
  seconds: 1.234,
  clear: false,
  rivals: [
    { ...rival, cell: [0, 2] },
    { ...rival, cell: [3, 4], win_probability: 0.4, layouts: 16, played_by: "fast", dropped: true },
  ],
};

test("progress and result", () => {
  const fields = { seconds: "1.2", limit: 5, cell: "C1" };
  assert.equal(progressText(thought, 5), t("page-think-progress", fields));
  const finished = tn("page-think-finished-after", 1058, { seconds: "1.2" });
  assert.match(finished, /1,058 mine layouts/);
  assert.equal(resultText(thought), `${finished} ${t("page-think-unclear")}`);
  assert.equal(resultText({ ...thought, clear: true }), `${finished} ${t("page-think-clear")}`);
  const stopped = tn("page-think-stopped-after", 1058, { seconds: "1.2" });
  assert.equal(resultText({ ...thought, stopped: true }), `${stopped} ${t("page-think-unclear")}`);
});

test("the best so far comes first, with the chances of the last event; what it was weighed by stays", () => {
  const move = { mine_probability: 0.2, win_probability: 0.3, win_fraction: null, standard_error: 0.03, outlook: [1] };
  /** @type {any} a part of an answer */
  const answer = {
    schema: "mineproof/best/1",
    best: [3, 4],
    safest: [3, 4],
    reason: "ahead",
    text: "Open (3,4): …",
    thought: null,
    moves: [{ ...move, cell: [3, 4] }, { ...move, cell: [7, 7] }, { ...move, cell: [0, 2], mine_probability: 0.25 }], // prettier-ignore
  };
  const result = bestSoFar(answer, thought);
  assert.deepEqual(
    [result["best"], result["safest"], result["mine_probability"], result["win_probability"]],
    [[0, 2], [3, 4], 0.25, 0.5],
  );
  assert.equal(result["text"], t("page-think-best-so-far", { cell: "C1", chance: estimate(0.5, 0.01) }));
  assert.deepEqual(
    result["moves"].map((one) => [one.cell, one.win_probability, one.standard_error]),
    [[[0, 2], 0.5, 0.01], [[3, 4], 0.4, 0.01], [[7, 7], 0.3, 0.03]], // prettier-ignore
  );
  assert.equal(result["thought"]?.stopped, true);
  assert.equal(answer.moves[0]?.win_probability, 0.3, "the answer before is as it was");
});

test("a rival that was not weighed before has no values for what is unknown", () => {
  const [first] = bestSoFar(/** @type {any} */ ({ moves: [] }), thought)["moves"];
  assert.deepEqual([first?.cell, first?.mine_probability, first?.outlook], [[0, 2], null, []]);
});
