// What the screens Simulate and History compute without a page: the command, the table, texts.
import "./catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, notesOf } from "../../src/mineproof/web/static/app/screens/history.js";
import { commandLine, compared, csv, timeLeft } from "../../src/mineproof/web/static/app/screens/simulate.js";

test("the command has every option that was chosen", () => {
  /** @type {Wire.SimulateRequest} */
  const request = {
    level: "expert",
    strategy: "fast",
    topology: "grid",
    first_click: "any",
    start: "random",
    games: 500,
  };
  assert.equal(
    commandLine(request),
    "mineproof simulate expert --strategy fast --topology grid --first-click any --start random --games 500",
  );
  assert.equal(commandLine({ rows: 8, columns: 12, mines: 9, seed: 1 }), "mineproof simulate 12x8x9 --seed 1");
});

/** @type {any} a part of a result */
const one = {
  schema: "mineproof/simulation/1",
  strategy: "fast",
  start: [0, 0],
  games: 4,
  interval: [0.2, 0.6],
  won: "x",
};

test("a table has a line for each strategy, and nothing that is not a number or a word", () => {
  assert.equal(csv({ ...one, tally: {} }), "strategy,games,start,low,high\r\nfast,4,0 0,0.2,0.6\r\n");
});

test("in a comparison each strategy has its difference to the other", () => {
  const two = { ...one, strategy: "go", start: "random" };
  /** @type {any} */
  const result = { simulations: [one, two], strategies: ["fast", "go"], difference: 0.5, interval: [0.25, 0.75] };
  const [head, first, second] = csv(result).split("\r\n");
  assert.equal(head, "strategy,games,start,low,high,against,difference,difference_low,difference_high");
  assert.equal(first, "fast,4,0 0,0.2,0.6,go,0.5,0.25,0.75");
  assert.equal(second, "go,4,random,0.2,0.6,fast,-0.5,-0.75,-0.25");
});

test("one of two is better only if the interval shows it", () => {
  const counts = { both: 5, only_first: 2, only_second: 1, neither: 3 };
  const text = (/** @type {[number, number]} */ interval) =>
    compared(
      /** @type {Wire.ComparisonJson} */ ({ ...counts, strategies: ["fast", "go"], difference: 0.01, interval }),
    );
  assert.match(
    text([0.001, 0.02]),
    /1\.00 percentage points.*0\.10 to 2\.00\. fast is better.*only fast 2, only go 1, neither 3/,
  );
  assert.match(text([-0.02, -0.001]), /go is better/);
  assert.match(text([-0.001, 0.02]), /isn't clear/);
});

test("the time left is in seconds, or in minutes", () => {
  assert.deepEqual([0.2, 59, 101, 3600].map(timeLeft), ["1 s", "59 s", "2 min", "60 min"]);
});

test("a level is named with its rules", () => {
  /** @type {Pick<Wire.KeptGameJson, "level" | "topology" | "fairness" | "no_guess">} */
  const plain = { level: "expert", topology: "grid", fairness: "none", no_guess: false };
  assert.equal(kindOf(plain), "Expert");
  const rules = { topology: "hex", fairness: /** @type {const} */ ("kind"), no_guess: true };
  assert.equal(kindOf({ ...plain, ...rules }), "Expert, Hexagons, All guesses are safe, No guess");
  assert.equal(kindOf({ ...plain, level: "8x8x5" }), "8×8, 5 mines");
});

test("notes show help and why a game does not count", () => {
  /** @type {any} */
  const game = { with_help: false, given: false, again: null, revived: false };
  assert.equal(notesOf(game), "");
  assert.equal(notesOf({ ...game, with_help: null, given: true }), "help?, shared board");
  assert.equal(notesOf({ ...game, with_help: true, again: true, revived: true }), "help, repeated, continued");
});
